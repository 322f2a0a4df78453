/* What the clients of the collision heightfield share: shapes fetched as an engine wants them, and
 * rays straight down that must meet the surface that heights are asked of, holes included. */
'use strict';

const assert = require('assert');
const { points, hills } = require('./landscapes');

const RAYS = 2000;
/* Floats at a kilometre from the origin, on slopes of a few. */
const TOLERANCE = 2e-3;
/* A whole with more rows than columns of samples is told apart from its transpose by a window. */
const WINDOWS = [
    'mip=0', 'mip=0&x=40&y=100&width=90&height=70', 'mip=2', 'mip=1&x=10&y=50&width=51&height=37',
];

/* The document of a window, and a function that fetches one of its formats. */
async function describe(bench, query) {
    const document = await bench.daemon.askJson('GET', `/v1/landscapes/${hills.name}/collision?${query}`);

    async function fetchFormat(name) {
        const format = document.formats.find((each) => each.name === name);
        assert(!format.refused, format.refused);
        const data = await (await bench.daemon.ask('GET', format.href)).arrayBuffer();
        assert.strictEqual(data.byteLength, format.bytes);
        return { ...format, data };
    }
    return { document, fetchFormat };
}

/* Triangles with shared vertices: float positions and uint32 indices. */
function splitTriangles({ data }) {
    const [vertices, indices] = new Uint32Array(data, 0, 2);
    return { vertices: new Float32Array(data, 8, 3 * vertices),
             indices: new Uint32Array(data, 8 + 12 * vertices, indices) };
}

/* Heights on the plain samples, by our own diagonal or by the other one. */
async function plainSurface({ document, fetchFormat }, holes) {
    const codes = new Uint16Array((await fetchFormat('r16')).data);
    const open = new Uint8Array((await fetchFormat('holes')).data);
    const { width, origin, step, height_scale: unit } = document;

    return ([x, y], turned = false) => {
        const u = (x - origin[0]) / step[0], v = (y - origin[1]) / step[1];
        const i = Math.floor(u), j = Math.floor(v), fx = u - i, fy = v - j;
        const at = (a, b) => codes[(j + b) * width + i + a] - 32768;
        if (holes && open[j * (width - 1) + i])
            return NaN;
        const rise = turned
            ? (fx + fy < 1 ? at(0, 0) + fx * (at(1, 0) - at(0, 0)) + fy * (at(0, 1) - at(0, 0))
                           : at(1, 1) + (1 - fx) * (at(0, 1) - at(1, 1)) + (1 - fy) * (at(1, 0) - at(1, 1)))
            : (fx > fy ? at(0, 0) + fx * (at(1, 0) - at(0, 0)) + fy * (at(1, 1) - at(1, 0))
                       : at(0, 0) + fy * (at(0, 1) - at(0, 0)) + fx * (at(1, 1) - at(0, 1)));
        return origin[2] + unit * rise;
    };
}

/* Where rays go, and what they are to meet: NaN is nothing. */
async function rays(bench, window, holes) {
    const { document } = window;
    const [x, y] = document.origin;
    const bounds = [x, y, x + document.step[0] * (document.width - 1), y + document.step[1] * (document.height - 1)];
    const places = points(bounds, RAYS, 0.001);
    const plain = await plainSurface(window, holes);
    const wanted = document.mip === 0
        ? await bench.daemon.heights(hills.name, places, { frame: 'local', holes })
        : places.map((place) => plain(place));
    const turned = Math.max(...places.map((place, i) => Math.abs(plain(place, true) - wanted[i]) || 0));
    return { places, wanted, turned };
}

/* Tries an engine's shape on all windows. `build(fetchFormat)` resolves to a function from
 * (x, y, above) to the height that a ray down from `above` meets, or NaN, with `tolerance` if the
 * engine rounds heights; or to an object whose `castAll` takes a list of rays. */
async function tryShape(bench, { name, holes, build }) {
    const lines = [];

    for (const query of WINDOWS) {
        const window = await describe(bench, `${query}&ignore_holes=${!holes}`);
        const cast = await build(window.fetchFormat, window.document);
        const { places, wanted, turned } = await rays(bench, window, holes);
        const tolerance = TOLERANCE + (cast.tolerance ?? 0);
        assert(turned > 3 * tolerance, `the other diagonal would be ${turned} m off only`);
        const above = window.document.height_range[1] + 5;
        const heights = cast.castAll ? cast.castAll(places.map((place) => [...place, above]))
                                     : places.map((place) => cast(...place, above));
        let worst = 0, missed = 0;

        places.forEach((place, i) => {
            const met = heights[i];
            const what = `${name}, ${query} at ${place}: ${met} m instead of ${wanted[i]}`;
            assert.strictEqual(Number.isNaN(met), Number.isNaN(wanted[i]), what);
            if (Number.isNaN(met)) {
                missed++;
                return;
            }
            assert(Math.abs(met - wanted[i]) <= tolerance, what);
            worst = Math.max(worst, Math.abs(met - wanted[i]));
        });
        cast.free?.();
        if (holes)
            assert(missed > 10, `${name}, ${query}: no ray went through the hole`);
        lines.push(`${name}, ${query}: ${RAYS} rays, ${missed} through the hole, ${(worst * 1000).toFixed(3)} mm off at most`);
    }
    return lines;
}

async function tryShapes(bench, shapes) {
    const lines = [];
    for (const shape of shapes)
        lines.push(...await tryShape(bench, shape));
    return lines;
}

module.exports = { tryShapes, splitTriangles };
