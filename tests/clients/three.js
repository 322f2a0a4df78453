/* three.js: its GLTFLoader reads each kind of GLB, and rays from above meet it at the height that the
 * API tells, within what the answer says that the mesh may be off.
 *
 * Every ray over ground meets the mesh exactly once, from its front, also a hair's breadth beside
 * the borders of components: no crack, nothing double; of a mesh that folds, one front more than
 * backs. Over a hole it meets nothing, where the mesh is as fine as the holes. */
'use strict';

const assert = require('assert');
const { kinds } = require('./glbs');
const { points } = require('./landscapes');
const earth = require('./earth');

const RAYS = 300;
const WORK = 2e7; /* triangles times rays: three looks at each for each */
/* A float has 24 bits for half of 504 m or of 30 km; slopes here are below 2. */
const FLOATS = { hills: 252 * 2 ** -24 * 2, demo: 15000 * 2 ** -24 * 2 };

/* In the page: loads one GLB; window.shown is its scene. */
async function load({ url, body }) {
    const three = await import('three');
    const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
    const answer = await fetch(url, body && {
        method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' },
    });
    if (!answer.ok)
        throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    const bound = Number(answer.headers.get('Landscape-Mesh-Error') ?? NaN);
    const { scene } = await new GLTFLoader().parseAsync(await answer.arrayBuffer(), '');
    let triangles = 0;

    scene.updateMatrixWorld(true);
    scene.traverse((node) => {
        if (!node.isMesh)
            return;
        triangles += node.geometry.index.count / 3;
        node.material.side = three.DoubleSide; // so that rays meet backs, too
    });
    window.three = three;
    window.shown = scene;
    return { bound, triangles };
}

/* In the page: straight down at each (x, y), where the mesh is met: heights, and 1 for a front or -1. */
function rayHeights(places) {
    const caster = new window.three.Raycaster();
    const down = new window.three.Vector3(0, -1, 0);

    return places.map(([x, y]) => {
        caster.set(new window.three.Vector3(x, 1e4, y), down);
        return caster.intersectObject(window.shown, true)
            .map((hit) => ({ height: hit.point.y, side: Math.sign(hit.face.normal.y) }));
    });
}

/* In the page: how far the vertices' normals are from their faces', as the least dot product. */
function leastAgreement() {
    const { Triangle, Vector3 } = window.three;
    let least = 1;

    window.shown.traverse(({ geometry }) => {
        if (!geometry?.attributes.normal)
            return;
        const { position, normal } = geometry.attributes;
        const face = new Vector3(), corner = new Vector3();
        for (let i = 0; i < geometry.index.count; i += 3) {
            const at = [0, 1, 2].map((k) => geometry.index.getX(i + k));
            new Triangle(...at.map((k) => new Vector3().fromBufferAttribute(position, k))).getNormal(face);
            for (const k of at)
                least = Math.min(least, face.dot(corner.fromBufferAttribute(normal, k)));
        }
    });
    return least;
}

/* In the page: some vertices, in the scene's frame. */
function someVertices(count) {
    const found = [];

    window.shown.traverse((node) => {
        const position = node.geometry?.attributes.position;
        for (let i = 0; position && i < count; i++)
            found.push(new window.three.Vector3()
                .fromBufferAttribute(position, Math.floor(i * position.count / count))
                .applyMatrix4(node.matrixWorld).toArray());
    });
    return found;
}

/* In the page: a picture of it from the south-west. */
async function draw() {
    const three = window.three;
    const box = new three.Box3().setFromObject(window.shown);
    const middle = box.getCenter(new three.Vector3());
    const size = box.getSize(new three.Vector3()).length();
    const renderer = new three.WebGLRenderer({ antialias: false });
    const scene = new three.Scene();
    const camera = new three.PerspectiveCamera(40, 4 / 3, size / 100, size * 4);
    const sun = new three.DirectionalLight(0xffffff, 3);

    renderer.setSize(800, 600);
    scene.background = new three.Color(0xbbccdd);
    sun.position.set(-1, 1, -1);
    scene.add(sun, new three.AmbientLight(0xffffff, 0.4), window.shown);
    window.shown.position.sub(middle);
    camera.position.set(-0.5 * size, 0.45 * size, 0.75 * size);
    camera.lookAt(0, 0, 0);
    renderer.render(scene, camera);
    return renderer.domElement.toDataURL();
}

/* Grid coordinates in the area, half of them just beside a component's border. */
function rayPlaces([west, north, east, south], component, count) {
    return points([west, north, east, south], count, 0.001).map(([column, row], i) => {
        const beside = component * (1 + i % 5) + (i % 4 < 2 ? 1e-6 : -1e-6);
        const inside = (value, least, greatest) => value > least && value < greatest;
        if (i % 2 && i % 3 && inside(beside, west, east))
            return [beside, row];
        if (i % 2 && inside(beside, north, south))
            return [column, beside];
        return [column, row];
    });
}

async function meetSurface(bench, page, kind, { bound, triangles }) {
    const { layout, origin, scale } = await bench.daemon.askJson('GET', `/v1/landscapes/${kind.landscape}`);
    const places = rayPlaces(kind.area, layout.sections_per_component * layout.section_quads,
        Math.min(RAYS, Math.ceil(WORK / triangles)));
    const local = places.map(([column, row]) => [origin[0] + column * scale[0], origin[1] + row * scale[1]]);
    const met = await page.evaluate(rayHeights, local);
    const ground = await bench.daemon.heights(kind.landscape, local, { frame: 'local' });
    const solid = await bench.daemon.heights(kind.landscape, local, { frame: 'local', holes: true });
    const allowed = (kind.exact ? 0 : bound) + FLOATS[kind.landscape];
    let worst = 0, folded = 0;

    met.forEach((hits, i) => {
        const hole = Number.isNaN(solid[i]);
        const where = `${kind.name} at ${places[i]}`;
        if (hole && (kind.exact || !hits.length)) {
            assert.strictEqual(hits.length, 0, `${where}: ground in a hole`);
            return;
        }
        assert.strictEqual(hits.reduce((sum, hit) => sum + hit.side, 0), 1, `${where}: ${JSON.stringify(hits)}`);
        assert(hits.length === 1 || kind.folds, `${where}: met ${hits.length} times`);
        folded += hits.length > 1;
        for (const hit of hole ? [] : hits) {
            const off = Math.abs(hit.height - ground[i]);
            assert(off <= allowed, `${where}: ${off} m off, ${allowed} allowed`);
            worst = Math.max(worst, off);
        }
    });
    return `, ${places.length} rays, at most ${worst.toFixed(5)} m off (${allowed.toFixed(5)} allowed)` +
        (kind.folds ? `, ${folded} through folds` : '');
}

async function standOnEarth(bench, page, kind) {
    const vertices = await page.evaluate(someVertices, RAYS);
    const places = vertices.map(([x, y, z]) => earth.geodetic([x, -z, y]));
    const { bounds } = await bench.daemon.askJson('GET', `/v1/landscapes/${kind.landscape}`);
    const edge = 1e-8; /* degrees: floats on the border are a little beyond it, at times */
    const inside = (value, k) => Math.min(Math.max(value, bounds[k] + edge), bounds[k + 2] - edge);
    const ground = await bench.daemon.heights(kind.landscape,
        places.map(([longitude, latitude]) => [inside(longitude, 0), inside(latitude, 1)]));
    let worst = 0;

    assert.strictEqual(vertices.length, RAYS);
    places.forEach((place, i) => { worst = Math.max(worst, Math.abs(place[2] - ground[i])); });
    assert(worst <= 2 * FLOATS[kind.landscape], `${kind.name}: vertices are ${worst} m off`);
    return `, ${RAYS} vertices on the ellipsoid, at most ${worst.toFixed(5)} m off`;
}

async function tryKind(bench, page, kind) {
    const loaded = await page.evaluate(load, {
        url: `${bench.daemon.url}/v1/landscapes/${kind.landscape}${kind.target}`, body: kind.body,
    });
    let line = `${kind.name}: ${loaded.triangles} triangles`;

    if (kind.exact)
        assert.strictEqual(loaded.bound, 0, `${kind.name} says that it is ${loaded.bound} m off`);
    if (kind.area)
        line += await meetSurface(bench, page, kind, loaded);
    if (kind.earth)
        line += await standOnEarth(bench, page, kind);
    const agreement = kind.folds || kind.skirts ? 1 : await page.evaluate(leastAgreement);
    assert(agreement > 0, `${kind.name}: a normal turns away from its face (${agreement})`);
    if (/^(export-large|mesh-near|mesh-seen)$/.test(kind.name))
        bench.keep(`three-${kind.name}`, await page.evaluate(draw));
    return line;
}

module.exports = {
    name: 'three',
    packages: ['three'],
    loads: `${kinds.length} kinds of GLB`,
    run: (bench) => bench.browser.visit(async (page) => {
        const lines = [];
        for (const kind of kinds)
            lines.push(await tryKind(bench, page, kind));
        return lines;
    }),
};
