/* Jolt, in WebAssembly: the height field, and with holes the height field and its rim. */
'use strict';

const assert = require('assert');
const path = require('path');
const { pathToFileURL } = require('url');
const { tryShapes, splitTriangles } = require('./collision');

const REACH = 1e3;

/* Jolt rounds heights: to 16 bits of the range of all, and then to mBitsPerSample bits, 8 at most,
 * of the range of their block and its neighbours' first samples. */
const BITS = 8;
const BLOCK = 2;

function rounding({ counts: [side], range, data }) {
    const samples = new Float32Array(data);
    let most = 0;

    for (let j = 0; j < side; j += BLOCK)
        for (let i = 0; i < side; i += BLOCK) {
            const block = [];
            for (let k = 0; k < (BLOCK + 1) ** 2; k++) {
                const x = Math.min(i + k % (BLOCK + 1), side - 1);
                const y = Math.min(j + Math.floor(k / (BLOCK + 1)), side - 1);
                if (samples[y * side + x] < 1e30)
                    block.push(samples[y * side + x]);
            }
            most = Math.max(most, block.length ? Math.max(...block) - Math.min(...block) : 0);
        }
    return most / 2 / (2 ** BITS - 1) + 2 * (range[1] - range[0]) / 65534;
}

function caster(Jolt, settings, { position }) {
    const result = settings.Create();
    assert(result.IsValid(), result.HasError() && result.GetError().c_str());
    const body = new Jolt.TransformedShape();
    const at = new Jolt.RVec3(...position), still = new Jolt.Quat(0, 0, 0, 1), one = new Jolt.Vec3(1, 1, 1);
    body.mShape = result.Get();
    body.SetWorldTransform(at, still, one);
    return (x, y, above) => {
        const from = new Jolt.RVec3(x, above, y), along = new Jolt.Vec3(0, -REACH, 0);
        const ray = new Jolt.RRayCast(from, along), hit = new Jolt.RayCastResult();
        body.CastRay(ray, hit);
        const met = hit.mFraction <= 1 ? above - REACH * hit.mFraction : NaN;
        [from, along, ray, hit].forEach((each) => Jolt.destroy(each));
        return met;
    };
}

function fieldSettings(Jolt, shape) {
    const settings = new Jolt.HeightFieldShapeSettings();
    const [side] = shape.counts, samples = new Float32Array(shape.data);

    settings.mScale = new Jolt.Vec3(...shape.scale);
    settings.mSampleCount = side;
    settings.mBlockSize = BLOCK;
    settings.mBitsPerSample = BITS;
    settings.mHeightSamples.resize(side * side);
    new Float32Array(Jolt.HEAPF32.buffer, Jolt.getPointer(settings.mHeightSamples.data()), side * side).set(samples);
    return settings;
}

function meshSettings(Jolt, shape) {
    const { vertices, indices } = splitTriangles(shape);
    const corners = new Jolt.VertexList(), triangles = new Jolt.IndexedTriangleList();

    for (let i = 0; i < vertices.length; i += 3)
        corners.push_back(new Jolt.Float3(vertices[i], vertices[i + 1], vertices[i + 2]));
    for (let i = 0; i < indices.length; i += 3)
        triangles.push_back(new Jolt.IndexedTriangle(indices[i], indices[i + 1], indices[i + 2], 0));
    return new Jolt.MeshShapeSettings(corners, triangles, new Jolt.PhysicsMaterialList());
}

module.exports = {
    name: 'jolt',
    packages: ['jolt-physics'],
    loads: 'the collision height field and its rim round holes',
    run: async (bench) => {
        const main = path.join(bench.modules, 'jolt-physics/dist/jolt-physics.wasm-compat.js');
        const Jolt = await (await import(pathToFileURL(main).href)).default();

        async function field(fetchFormat) {
            const shape = await fetchFormat('jolt');
            const cast = caster(Jolt, fieldSettings(Jolt, shape), shape);
            cast.tolerance = rounding(shape);
            return cast;
        }
        async function fieldAndRim(fetchFormat) {
            const ground = await field(fetchFormat);
            const rim = await fetchFormat('jolt_rim');
            const beside = caster(Jolt, meshSettings(Jolt, rim), rim);
            const cast = (...ray) => {
                const met = ground(...ray), other = beside(...ray);
                assert(Number.isNaN(met) || Number.isNaN(other), `both are met at ${ray}`);
                return Number.isNaN(met) ? other : met;
            };
            cast.tolerance = ground.tolerance;
            return cast;
        }
        return tryShapes(bench, [
            { name: 'HeightFieldShape', holes: false, build: field },
            { name: 'HeightFieldShape and rim', holes: true, build: fieldAndRim },
        ]);
    },
};
