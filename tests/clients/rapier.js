/* Rapier, in WebAssembly: the height field without holes, which this binding cannot remove, and the
 * triangles with them. */
'use strict';

const { tryShapes, splitTriangles } = require('./collision');

const DOWN = { x: 0, y: -1, z: 0 };

function caster(RAPIER, collider) {
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
    world.createCollider(collider);
    world.step();
    const cast = (x, y, above) => {
        const hit = world.castRay(new RAPIER.Ray({ x, y: above, z: y }, DOWN), 1e4, true);
        return hit ? above - hit.timeOfImpact : NaN;
    };
    cast.free = () => world.free();
    return cast;
}

const place = (collider, { position: [x, y, z], rotation: [i, j, k, w] }) =>
    collider.setTranslation(x, y, z).setRotation({ x: i, y: j, z: k, w });

module.exports = {
    name: 'rapier',
    packages: ['@dimforge/rapier3d-compat'],
    loads: 'the collision height field and triangles',
    run: async (bench) => {
        const RAPIER = require('@dimforge/rapier3d-compat');
        await RAPIER.init();

        async function field(fetchFormat) {
            const shape = await fetchFormat('rapier');
            const [rows, columns] = shape.counts, [x, y, z] = shape.scale;
            const heights = new Float32Array(shape.data, 0, rows * columns);
            return caster(RAPIER, place(
                RAPIER.ColliderDesc.heightfield(rows - 1, columns - 1, heights, { x, y, z }), shape));
        }
        async function mesh(fetchFormat) {
            const shape = await fetchFormat('triangles');
            const { vertices, indices } = splitTriangles(shape);
            return caster(RAPIER, place(RAPIER.ColliderDesc.trimesh(vertices, indices), shape));
        }
        return tryShapes(bench, [
            { name: 'heightfield', holes: false, build: field },
            { name: 'trimesh', holes: true, build: mesh },
        ]);
    },
};
