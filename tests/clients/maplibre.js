/* MapLibre GL JS: terrain from the height tiles, as its TileJSON describes them, under a hillshade.
 *
 * What the map says of a point has to be what the API says of the four pixel centres around it,
 * weighted as the client weights them: then the tiles hold what they should and lie where they
 * should, and the step of the encoding is all that may come between. How far that is from the height
 * at the point itself is the error of interpolating between pixels; it is told, and on the
 * plane it is nothing. */
'use strict';

const assert = require('assert');
const { plane, demo, points } = require('./landscapes');
const mercator = require('./mercator');

const POINTS = 500;
/* What is loaded; the first of each landscape is drawn, too. */
const LOADS = [
    { landscape: plane, set: 'terrarium', options: '', step: 1 / 256, edits: true, draws: true },
    { landscape: plane, set: 'terrain-rgb', options: '', step: 0.1 },
    { landscape: demo, set: 'terrarium', options: '', step: 1 / 256, draws: true },
    { landscape: demo, set: 'terrain-rgb', options: 'format=webp&tile_size=512', step: 0.1 },
];
/* The map reckons in doubles, and positions in a tile of 8192 units in floats. */
const ARITHMETIC = 1e-4;
/* Terrain is made of tiles one zoom coarser than the view's, whose own are of 512 pixels; of tiles of
 * 512 two. (Without a tileSize in the style it is always two: the client looks before it has the
 * TileJSON.) */
const VIEW_DEEPER = 0.2;

/* In the page: a map of the landscape from straight above, when all its tiles are there. */
async function openMap({ tilejson, tileSize, shadeTilejson, center, zoom }) {
    window.faults = [];
    window.map = new window.maplibregl.Map({
        container: 'view',
        style: {
            version: 8,
            sources: {
                dem: { type: 'raster-dem', url: tilejson, tileSize },
                relief: { type: 'raster-dem', url: tilejson },
                shade: { type: 'raster', url: shadeTilejson },
            },
            layers: [
                { id: 'ground', type: 'background', paint: { 'background-color': '#cdb' } },
                { id: 'shade', type: 'raster', source: 'shade', paint: { 'raster-opacity': 0.5 } },
                { id: 'relief', type: 'hillshade', source: 'relief' },
            ],
            terrain: { source: 'dem' },
        },
        center, zoom, maxPitch: 80, fadeDuration: 0, attributionControl: false,
    });
    window.map.on('error', (event) => window.faults.push(String(event.error?.stack || event.error)));
    window.settled = async () => {
        do
            await new Promise((done) => { window.map.once('idle', done); window.map.triggerRepaint(); });
        while (!window.map.areTilesLoaded());
    };
    window.heightsAt = (places) => places.map((place) => window.map.queryTerrainElevation(place));
    await window.settled();
    const seen = window.map.getBounds();
    return [seen.getWest(), seen.getSouth(), seen.getEast(), seen.getNorth()];
}

/* In the page: raises a hill as any page of another origin can, hears of it, fetches the tiles that
 * it touches. */
async function changeAndRefresh({ landscape, change, tilesOf }) {
    const events = new EventSource(`${landscape}/events`);
    await new Promise((done, fail) => { events.onopen = done; events.onerror = fail; });
    const told = new Promise((done) => events.addEventListener('change', (event) => done(JSON.parse(event.data))));
    const answer = await fetch(landscape + change.target, {
        method: 'POST', body: change.body && JSON.stringify(change.body),
        headers: change.body ? { 'Content-Type': 'application/json' } : {},
    });
    if (!answer.ok)
        throw new Error(`${change.target}: ${answer.status} ${await answer.text()}`);
    const { version } = await answer.json();
    const event = await told;
    events.close();
    if (event.version !== version || !event.what.includes('heights'))
        throw new Error(`version ${version}, but told of ${JSON.stringify(event)}`);
    // The page knows the landscape's place on the map; the event says which vertices.
    const { west, north, step, world, zoom } = tilesOf;
    const tile = (metres) => Math.floor(metres / world * 2 ** zoom);
    const { x, y, width, height } = event.dirty;
    const tiles = [];
    for (let row = tile(world / 2 - north + (y - 1) * step);
        row <= tile(world / 2 - north + (y + height) * step); row++)
        for (let column = tile(world / 2 + west + (x - 1) * step);
            column <= tile(world / 2 + west + (x + width) * step); column++)
            tiles.push({ z: zoom, x: column, y: row });
    for (const source of ['dem', 'relief'])
        window.map.refreshTiles(source, tiles);
    await window.settled();
    return tiles.length;
}

async function loadLibrary(page, origin, client) {
    if (client.module)
        await page.addScriptTag({
            type: 'module',
            content: `import * as all from '${origin}/modules/${client.folder}/dist/maplibre-gl.mjs';
                      window.maplibregl = all;`,
        });
    else
        await page.addScriptTag({ url: `${origin}/modules/${client.folder}/dist/maplibre-gl.js` });
    await page.waitForFunction(() => window.maplibregl?.Map);
}

/* The largest differences over the places: to what the client should make of the tiles, and to the
 * height itself. */
async function compare(bench, page, landscape, places, { size, registration, step }) {
    const shown = await page.evaluate((asked) => window.heightsAt(asked), places);
    const reads = places.map((place) => mercator.bilinear(place, size, registration));
    const held = await bench.daemon.heights(landscape, reads.flatMap((read) => read.places));
    const truth = await bench.daemon.heights(landscape, places);
    let worst = 0, off = 0;

    shown.forEach((height, i) => {
        const due = reads[i].weights.reduce((sum, weight, k) => sum + weight * held[4 * i + k], 0);
        const wrong = Math.abs(height - due);
        assert(wrong <= step / 2 + ARITHMETIC,
            `${landscape} at ${places[i]}: the map says ${height} m, the pixels ${due} m, ` +
            `the API ${truth[i]} m`);
        worst = Math.max(worst, wrong);
        off = Math.max(off, Math.abs(height - truth[i]));
    });
    return { worst, off, shown, truth };
}

/* Places that are read from pixels of one tile. Two tiles side by side that are fetched again together
 * keep a border of old pixels of each other (tile_manager_raster_dem.ts of 6.17, and 5.24 alike: the
 * first to come marks the border of the second as filled, whose pixels are then replaced). */
function insideTiles(places, { size, side, registration }) {
    return places.filter((place) => mercator.world(place).every((share) =>
        (share * size - registration) % side < side - 1));
}

function crossing([west, south, east, north], [w, s, e, n]) {
    return [Math.max(west, w), Math.max(south, s), Math.min(east, e), Math.min(north, n)];
}

async function picture(bench, page, name) {
    bench.keep(name, await page.evaluate(() => new Promise((done) => {
        window.map.once('render', () => done(window.map.getCanvas().toDataURL()));
        window.map.triggerRepaint();
    })));
}

async function noFaults(page) {
    const faults = await page.evaluate(() => window.faults);
    assert.deepStrictEqual(faults, [], faults.join('\n'));
}

async function tryTerrain(bench, client, load) {
    const { landscape, step } = load;
    const base = `${bench.daemon.url}/v1/landscapes/${landscape.name}`;
    const options = [load.options, client.options].filter((each) => each).join('&');
    const tilejson = `${base}/tiles/${load.set}/tilejson.json?${options}`;
    const described = await (await fetch(tilejson)).json();
    const zoom = described.maxzoom;
    const size = described.tileSize * 2 ** zoom;
    const [west, south, east, north] = described.bounds;

    return bench.browser.visit(async (page) => {
        await loadLibrary(page, bench.browser.origin, client);
        const seen = await page.evaluate(openMap, {
            tilejson, tileSize: described.tileSize,
            shadeTilejson: `${base}/tiles/hillshade/tilejson.json`,
            center: [(west + east) / 2, (south + north) / 2],
            zoom: zoom + VIEW_DEEPER + described.tileSize / 256,
        });
        const places = points(crossing(seen, landscape.bounds), POINTS, 0.02);
        const raster = { size, side: described.tileSize, zoom, registration: client.registration, step };
        const found = await compare(bench, page, landscape.name, places, raster);
        if (landscape === plane)
            places.forEach((place, i) => assert(
                Math.abs(found.shown[i] - plane.at(place)) <= step / 2 + ARITHMETIC,
                `the plane at ${place}: ${found.shown[i]} m, ${plane.at(place)} by its formula`));
        let line = `${landscape.name}, ${load.set} ${options}: ${POINTS} points, at most ` +
            `${found.worst.toFixed(4)} m from the pixels (${(step / 2 + ARITHMETIC).toFixed(4)} allowed), ` +
            `${found.off.toFixed(4)} m from /height`;
        if (load.edits)
            line += await tryEdit(bench, page, client, base, raster, places);
        if (load.draws) {
            await page.evaluate(async () => {
                window.map.jumpTo({ pitch: 65, bearing: 20 });
                await window.settled();
            });
            await picture(bench, page, `${client.name}-${landscape.name}`);
        }
        await noFaults(page);
        return line;
    });
}

async function tryEdit(bench, page, client, base, raster, places) {
    const middle = mercator.lonlat([plane.west + 100.3 * plane.step, plane.north - 120.7 * plane.step]);
    const tilesOf = { west: plane.west, north: plane.north, step: plane.step,
                      zoom: raster.zoom, world: 2 * Math.PI * 6378137 };
    const hill = { target: '/edits?frame=lonlat',
                   body: { ops: [{ tool: 'raise', path: [middle], radius: 500, amount: 30 }] } };
    const inside = insideTiles(places, raster);
    const before = await page.evaluate((asked) => window.heightsAt(asked), [middle]);
    const tiles = await page.evaluate(changeAndRefresh, { landscape: base, change: hill, tilesOf });
    const after = await page.evaluate((asked) => window.heightsAt(asked), [middle]);
    const found = await compare(bench, page, 'plane', inside, raster);

    assert(Math.abs(after[0] - before[0] - 30) < 0.5, `raised by 30 m, shown ${after[0] - before[0]}`);
    await picture(bench, page, `${client.name}-hill`);
    await page.evaluate(changeAndRefresh, { landscape: base, change: { target: '/undo' }, tilesOf });
    await compare(bench, page, 'plane', inside, raster);
    return `; after an edit and its undo, told by events and refreshed (${tiles} tiles), ` +
        `${found.worst.toFixed(4)} m`;
}

/* `registration` is where in its pixel the client takes a sample to be, and `options` are of the tiles
 * that have it there. */
function client(name, folder, module, registration, options, loads) {
    const self = { name, folder, module, registration, options, packages: [folder] };

    self.loads = 'terrain-rgb, terrarium and hillshade tiles, by TileJSON';
    self.run = async (bench) => {
        const lines = [];
        for (const load of loads)
            lines.push(await tryTerrain(bench, self, load));
        return lines;
    };
    return self;
}

module.exports = [
    client('maplibre', 'maplibre-gl', true, 0.5, '', LOADS),
    client('maplibre-5', 'maplibre-gl-5', false, 0, 'registration=corner', [LOADS[0], LOADS[3]]),
];
