/* What the clients look at: the demo, a plane whose heights everybody can work out, and hills with
 * holes that lie nowhere on Earth. */
'use strict';

const fs = require('fs');
const path = require('path');
const mercator = require('./mercator');

const DEMO = path.join(__dirname, '../../deploy/demo/jacksboro.tif');

/* Tilted in Web Mercator, so that tiles and whoever interpolates between their pixels have the
 * same heights everywhere; differently to the east and to the south, so that no turn or mirror of it
 * looks the same. The steps are whole codes. */
const plane = {
    name: 'plane',
    columns: 253,
    rows: 253,
    west: 1113200,
    north: 5942000,
    step: 20,
    at: ([longitude, latitude]) => {
        const [x, y] = mercator.metres([longitude, latitude]);
        return -40 + 0.25 * (x - plane.west) / plane.step + 0.125 * (plane.north - y) / plane.step;
    },
};
plane.east = plane.west + (plane.columns - 1) * plane.step;
plane.south = plane.north - (plane.rows - 1) * plane.step;
/* Longitudes and latitudes of the outermost vertices: west, south, east, north. */
plane.bounds = [...mercator.lonlat([plane.west, plane.south]), ...mercator.lonlat([plane.east, plane.north])];

/* The demo's samples are at the centres of pixels of 1/1200 degree; the pad is left out. */
const demo = {
    name: 'demo',
    bounds: [-84.41375 + 0.5 / 1200, 36.4462500 + 0.5 / 1200, -84.0779167 - 0.5 / 1200, 36.7329167 - 0.5 / 1200],
};

const hills = {
    name: 'hills', columns: 253, rows: 253, step: 2, origin: [1000, -500, 20], component: 126,
    hole: { x: 60, y: 130, width: 40, height: 25 }, /* of quads */
};

async function makeHills(daemon) {
    const { columns, rows, hole } = hills;
    const heights = new Float32Array(columns * rows);

    for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++)
            heights[row * columns + column] = 20 + 25 * Math.sin(column / 17) * Math.cos(row / 23) +
                3 * Math.sin(column * row / 300);
    await daemon.askJson('PUT', '/v1/landscapes/hills', {
        layout: { components: [2, 2], sections_per_component: 2, section_quads: 63 },
        scale: [hills.step, hills.step, 1], origin: hills.origin,
    });
    await daemon.ask('PUT', `/v1/landscapes/hills/heights?x=0&y=0&width=${columns}&height=${rows}`,
        Buffer.from(heights.buffer), { 'Content-Type': 'application/x-f32' });
    await daemon.ask('PUT',
        `/v1/landscapes/hills/holes?x=${hole.x}&y=${hole.y}&width=${hole.width}&height=${hole.height}`,
        Buffer.alloc(hole.width * hole.height, 255), { 'Content-Type': 'application/x-r8' });
}

async function make(daemon) {
    const heights = new Float32Array(plane.columns * plane.rows);

    await makeHills(daemon);
    await daemon.ask('POST', '/v1/landscapes/demo/import', fs.readFileSync(DEMO),
        { 'Content-Type': 'image/tiff' });
    for (let row = 0; row < plane.rows; row++)
        for (let column = 0; column < plane.columns; column++)
            heights[row * plane.columns + column] = -40 + 0.25 * column + 0.125 * row;
    await daemon.askJson('PUT', '/v1/landscapes/plane', {
        layout: { components: [2, 2], sections_per_component: 2, section_quads: 63 },
        crs: 'EPSG:3857',
        bounds: [plane.west, plane.south, plane.east, plane.north],
    });
    await daemon.ask('PUT',
        `/v1/landscapes/plane/heights?x=0&y=0&width=${plane.columns}&height=${plane.rows}`,
        Buffer.from(heights.buffer), { 'Content-Type': 'application/x-f32' });
}

/* `count` points inside bounds, a share `margin` of them away; always the same. */
function points(bounds, count, margin) {
    const [west, south, east, north] = bounds;
    let state = 12345;
    const die = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return margin + (1 - 2 * margin) * (state / 2 ** 32);
    };
    return Array.from({ length: count },
        () => [west + (east - west) * die(), south + (north - south) * die()]);
}

module.exports = { make, makeHills, points, plane, demo, hills };
