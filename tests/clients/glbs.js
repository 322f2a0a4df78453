/* Every kind of GLB that the server makes, a row each: of which landscape, how to ask for it,
 * whether it is to have a surface everywhere it covers (`area`, in grid coordinates) and nowhere
 * twice, and whether that is the surface itself. */
'use strict';

const { hills } = require('./landscapes');

const WHOLE = [0, 0, hills.columns - 1, hills.rows - 1];
const COMPONENT = [hills.component, 0, 2 * hills.component, hills.component];
const FIT = { camera: { fit: true }, width: 640, height: 480, everything: true };
const FROM_THE_WEST = {
    camera: { position: [1020, -240, 90], target: [1250, -250, 30], fov: 60 }, width: 640, height: 480,
};

const kinds = [
    { name: 'export', landscape: 'hills', target: '/export?format=glb', area: WHOLE, exact: true },
    { name: 'export-lod', landscape: 'hills', target: '/export?format=glb&lod=3', area: WHOLE },
    { name: 'export-plain', landscape: 'hills', target: '/export?format=glb&normals=false',
      area: WHOLE, exact: true },
    { name: 'export-window', landscape: 'hills', area: [11, 22, 50, 30], exact: true,
      target: '/export?format=glb&x=11&y=22&width=40&height=9' },
    { name: 'export-nothing', landscape: 'hills', target: '/export?format=glb&x=65&y=135&width=9&height=9' },
    { name: 'export-large', landscape: 'demo', target: '/export?format=glb' },
    { name: 'component', landscape: 'hills', target: '/components/1/0/mesh.glb', area: COMPONENT, exact: true },
    { name: 'component-lod', landscape: 'hills', target: '/components/1/0/mesh.glb?lod=3', area: COMPONENT },
    { name: 'component-last', landscape: 'hills', target: '/components/1/0/mesh.glb?lod=5', area: COMPONENT },
    { name: 'component-holes', landscape: 'hills', target: '/components/0/1/mesh.glb?lod=2&holes=any' },
];

async function fetchGlb(daemon, kind) {
    const answer = await daemon.ask(kind.body ? 'POST' : 'GET',
        `/v1/landscapes/${kind.landscape}${kind.target}`,
        kind.body && JSON.stringify(kind.body),
        kind.body && { 'Content-Type': 'application/json' });
    return Buffer.from(await answer.arrayBuffer());
}

module.exports = { kinds, fetchGlb };
