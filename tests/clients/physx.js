/* PhysX, in WebAssembly: the height field with its holes. */
'use strict';

const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const { tryShapes } = require('./collision');

/* This build is for browsers and refuses node, which it knows by `process` and `window` when it
 * begins. */
async function loadPhysX(folder) {
    const { default: load } = await import(pathToFileURL(path.join(folder, 'physx-js-webidl.mjs')).href);
    const wasmBinary = fs.readFileSync(path.join(folder, 'physx-js-webidl.wasm'));
    const { process } = globalThis;
    let loading;

    try {
        Object.assign(globalThis, { process: undefined, window: globalThis });
        loading = load({ wasmBinary });
    } finally {
        Object.assign(globalThis, { process, window: undefined });
    }
    return loading;
}

module.exports = {
    name: 'physx',
    packages: ['physx-js-webidl'],
    loads: 'the collision height field with its holes',
    run: async (bench) => {
        const PhysX = await loadPhysX(path.join(bench.modules, 'physx-js-webidl'));
        const foundation = PhysX.CreateFoundation(PhysX.PHYSICS_VERSION,
            new PhysX.PxDefaultAllocator(), new PhysX.PxDefaultErrorCallback());
        const physics = PhysX.CreatePhysics(PhysX.PHYSICS_VERSION, foundation, new PhysX.PxTolerancesScale());

        async function field(fetchFormat) {
            const shape = await fetchFormat('physx');
            const room = PhysX._malloc(shape.data.byteLength);
            const description = new PhysX.PxHeightFieldDesc();

            PhysX.HEAPU8.set(new Uint8Array(shape.data), room);
            description.format = PhysX.PxHeightFieldFormatEnum.eS16_TM;
            [description.nbRows, description.nbColumns] = shape.counts;
            description.samples.stride = 4;
            description.samples.data = PhysX.wrapPointer(room, PhysX.PxHeightFieldSample);
            const made = PhysX.PxTopLevelFunctions.prototype.CreateHeightField(description);
            const geometry = new PhysX.PxHeightFieldGeometry(made, new PhysX.PxMeshGeometryFlags(0),
                shape.scale[1], shape.scale[0], shape.scale[2]);
            const at = new PhysX.PxVec3(...shape.position);
            const pose = new PhysX.PxTransform(at, new PhysX.PxQuat(0, 0, 0, 1));
            const down = new PhysX.PxVec3(0, -1, 0), hit = new PhysX.PxRaycastHit();
            const flags = new PhysX.PxHitFlags(PhysX.PxHitFlagEnum.ePOSITION);

            return (x, y, above) => {
                const from = new PhysX.PxVec3(x, above, y);
                const met = PhysX.PxGeometryQuery.prototype.raycast(from, down, geometry, pose, 1e4, flags, 1, hit);
                PhysX.destroy(from);
                return met ? hit.position.y : NaN;
            };
        }
        try {
            return await tryShapes(bench, [
                { name: 'PxHeightField, whole', holes: false, build: field },
                { name: 'PxHeightField', holes: true, build: field },
            ]);
        } finally {
            physics.release();
            foundation.release();
        }
    },
};
