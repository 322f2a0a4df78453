/* CesiumJS: the same landscape as 3D Tiles, by implicit tiling. Heights of what is drawn are those
 * that the API tells, within what the contents' answers say that they are off. */
'use strict';

const assert = require('assert');
const { loadCesium, listen, compare } = require('./cesium');
const earth = require('./earth');
const { plane, demo, points } = require('./landscapes');

const POINTS = 120;
const FLOATS = 0.02;
const LOADS = [
    { landscape: plane, height: 0, distance: 800 },
    { landscape: demo, height: 400, distance: 9000 },
];

/* In the page. */
async function drawn({ url, middle, distance, places }) {
    const Cesium = window.Cesium;
    const { scene } = window.widget;
    const tileset = await Cesium.Cesium3DTileset.fromUrl(url, {
        enableCollision: true, maximumScreenSpaceError: 1, preloadWhenHidden: true,
    });

    scene.globe.show = false;
    tileset.tileFailed.addEventListener((failure) => console.error(failure.message));
    scene.primitives.add(tileset);
    await window.look(middle, distance, () => tileset.tilesLoaded);
    // Of what is drawn at several levels, the coarsest.
    const level = Math.min(...tileset._selectedTiles.map((tile) =>
        Number(tile.content.url.match(/\/content\/(\d+)\//)[1])));
    return { level, picture: window.shot(),
             heights: window.cartographics(places).map((place) => tileset.getHeight(place, scene) ?? null) };
}

/* Where the client looks: it goes from a place on the ellipsoid straight away from the Earth's middle,
 * not along the normal there (Cesium3DTileset.getHeight). */
function placeLookedAt([longitude, latitude], height) {
    const foot = earth.fixed([longitude, latitude, 0]);
    const far = Math.hypot(...foot);

    return earth.geodetic(foot.map((value) => value * (1 + height / far))).slice(0, 2);
}

async function tryTileset(bench, page, { landscape, height, distance }) {
    const url = `${bench.daemon.url}/v1/landscapes/${landscape.name}/3dtiles/tileset.json`;
    const errors = listen(page, /\/content\/(\d+)\/\d+\/\d+\.glb/);
    const places = points(landscape.bounds, POINTS, 0.42);
    const [west, south, east, north] = landscape.bounds;
    const middle = [(west + east) / 2, (south + north) / 2, height];
    const shown = await page.evaluate(drawn, { url, middle, distance, places });
    const ground = await bench.daemon.heights(landscape.name,
        places.map((place, i) => placeLookedAt(place, shown.heights[i] ?? 0)));
    const allowed = errors[shown.level] + FLOATS;
    bench.keep(`cesium-tileset-${landscape.name}`, shown.picture);
    const seen = compare(landscape.name, places, shown.heights, ground, allowed);

    assert(seen.count > POINTS / 2, `only ${seen.count} of ${POINTS} points are drawn`);
    return `${landscape.name}: levels ${shown.level} to ${errors.length - 1}, ${seen.count} points at most ` +
        `${seen.worst.toFixed(3)} m from /height (${allowed.toFixed(3)} allowed)`;
}

module.exports = {
    name: 'cesium-tileset',
    packages: ['cesium'],
    loads: '3D Tiles with implicit tiling',
    run: async (bench) => {
        const lines = [];
        for (const load of LOADS)
            lines.push(await bench.browser.visit(async (page) => {
                await loadCesium(page, bench.browser.origin);
                return tryTileset(bench, page, load);
            }));
        return lines;
    },
};
