/* CesiumJS: the ground of a globe from quantized-mesh tiles with normals, water and availability.
 *
 * What sampleTerrainMostDetailed says of a point, and what the globe as it is drawn says, has to be
 * the height that the API tells, within what the tiles' answers say that their meshes are off. */
'use strict';

const assert = require('assert');
const { plane, demo, points } = require('./landscapes');

const POINTS = 200;
const FLOATS = 0.01; /* metres; the client keeps heights of a tile as floats, or packs them in 12 bits */
const LOADS = [
    { landscape: plane, options: {} },
    { landscape: demo, options: {}, draws: 'cesium-default' },
    { landscape: demo, options: { max_error: 1, water_height: 330, metadata_levels: 5 }, draws: 'cesium' },
];

async function loadCesium(page, origin) {
    const folder = `${origin}/modules/cesium/Build/Cesium/`;

    await page.evaluate((base) => { window.CESIUM_BASE_URL = base; }, folder);
    await page.addStyleTag({ content: '.cesium-widget, .cesium-widget canvas { width: 100%; height: 100% }' });
    await page.addScriptTag({ url: `${folder}Cesium.js` });
    await page.evaluate(openScene);
}

/* In the page: a globe without pictures, drawn when we say so, and lit from the north-west. */
function openScene() {
    const Cesium = window.Cesium;
    const widget = new Cesium.CesiumWidget('view', {
        baseLayer: false, skyBox: false, skyAtmosphere: false, scene3DOnly: true, shouldAnimate: false,
        useDefaultRenderLoop: false, msaaSamples: 1,
    });
    const { scene } = widget;

    window.widget = widget;
    widget.resize();
    scene.fog.enabled = false;
    scene.globe.showGroundAtmosphere = false;
    scene.globe.enableLighting = true;
    scene.globe.dynamicAtmosphereLighting = false;
    scene.globe.baseColor = Cesium.Color.fromCssColorString('#b5b09f');
    scene.renderError.addEventListener((_, error) => console.error(String(error)));
    /* Looks at a place from so far away, and draws until nothing more is on its way. */
    window.look = async ([longitude, latitude, height], distance, done) => {
        const middle = Cesium.Cartesian3.fromDegrees(longitude, latitude, height);
        const frame = Cesium.Transforms.eastNorthUpToFixedFrame(middle);
        const sun = Cesium.Matrix4.multiplyByPointAsVector(frame, new Cesium.Cartesian3(1, -1, -0.8),
            new Cesium.Cartesian3());
        scene.light = new Cesium.DirectionalLight({ direction: Cesium.Cartesian3.normalize(sun, sun) });
        scene.camera.lookAt(middle, new Cesium.HeadingPitchRange(Cesium.Math.toRadians(20),
            Cesium.Math.toRadians(-35), distance));
        let still = 0;
        while (still < 3) {
            scene.initializeFrame();
            scene.render();
            await new Promise((next) => setTimeout(next, 20));
            still = done() ? still + 1 : 0;
        }
    };
    window.shot = () => { scene.render(); return scene.canvas.toDataURL(); };
    window.cartographics = (places) => places.map(([longitude, latitude]) =>
        Cesium.Cartographic.fromDegrees(longitude, latitude));
}

/* In the page. */
async function sample({ url, options, places }) {
    const Cesium = window.Cesium;
    const provider = await Cesium.CesiumTerrainProvider.fromUrl(
        new Cesium.Resource({ url, queryParameters: options }),
        { requestVertexNormals: true, requestWaterMask: true, requestMetadata: true });
    const sampled = await Cesium.sampleTerrainMostDetailed(provider, window.cartographics(places), true);

    provider.errorEvent.addEventListener((error) => console.error(error.message));
    window.widget.scene.terrainProvider = provider;
    return { heights: sampled.map((place) => place.height), normals: provider.hasVertexNormals,
             water: provider.hasWaterMask, metadata: provider.hasMetadata };
}

/* In the page: the heights of the ground as it is drawn, and the coarsest level of it. */
async function drawn({ middle, distance, places }) {
    const { globe } = window.widget.scene;

    await window.look(middle, distance, () => globe.tilesLoaded);
    return { heights: window.cartographics(places).map((place) => globe.getHeight(place) ?? null),
             picture: window.shot() };
}

/* What the tiles say of themselves as the page fetches them: the greatest error of each level. */
function listen(page, pattern) {
    const errors = [];

    page.on('response', (response) => {
        const level = response.url().match(pattern)?.[1];
        const error = response.headers()['landscape-mesh-error'];
        if (level && error)
            errors[level] = Math.max(errors[level] ?? 0, Number(error));
    });
    return errors;
}

function compare(title, places, heights, ground, allowed) {
    let worst = 0, count = 0;

    heights.forEach((height, i) => {
        if (height === null)
            return;
        const off = Math.abs(height - ground[i]);
        assert(off <= allowed, `${title} at ${places[i]}: ${height} m, the API says ${ground[i]}, off by ` +
            `${off}, ${allowed} allowed`);
        worst = Math.max(worst, off);
        count++;
    });
    return { worst, count };
}

async function tryGround(bench, page, { landscape, options, draws }) {
    const url = `${bench.daemon.url}/v1/landscapes/${landscape.name}/cesium`;
    const errors = listen(page, new RegExp(`/${landscape.name}/cesium/(\\d+)/\\d+/\\d+\\.terrain`));
    const places = points(landscape.bounds, POINTS, 0.02);
    const ground = await bench.daemon.heights(landscape.name, places);
    const [west, south, east, north] = landscape.bounds;
    const title = `${landscape.name}${Object.keys(options).length ? ' ' + JSON.stringify(options) : ''}`;
    const got = await page.evaluate(sample, { url, options, places });
    const finest = errors.length - 1;
    const sampled = compare(title, places, got.heights, ground, errors[finest] + FLOATS);

    assert.strictEqual(sampled.count, POINTS);
    assert(got.normals && got.water === 'water_height' in options && got.metadata === 'metadata_levels' in options);
    let line = `${title}: ${POINTS} points sampled at level ${finest}, at most ${sampled.worst.toFixed(3)} m ` +
        `from /height (${(errors[finest] + FLOATS).toFixed(3)} allowed)`;
    if (draws) {
        const middle = [(west + east) / 2, (south + north) / 2, 400];
        const near = points(landscape.bounds, POINTS, 0.4);
        const shown = await page.evaluate(drawn, { middle, distance: 9000, places: near });
        const under = await bench.daemon.heights(landscape.name, near);
        const seen = compare(`${title}, drawn`, near, shown.heights, under, errors[finest] + FLOATS);
        bench.keep(draws, shown.picture);
        assert(seen.count > POINTS / 2, `only ${seen.count} of ${POINTS} points are drawn`);
        line += `; drawn, ${seen.count} points at most ${seen.worst.toFixed(3)} m`;
    }
    return line;
}

module.exports = {
    name: 'cesium',
    packages: ['cesium'],
    loads: 'quantized-mesh by CesiumTerrainProvider, with normals, water and metadata',
    loadCesium, listen, compare, /* for the tileset's */
    run: async (bench) => {
        const lines = [];
        for (const load of LOADS)
            lines.push(await bench.browser.visit(async (page) => {
                await loadCesium(page, bench.browser.origin);
                return tryGround(bench, page, load);
            }));
        return lines;
    },
};
