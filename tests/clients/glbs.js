/* Every kind of GLB that the server makes, a row each: of which landscape, how to ask for it,
 * whether it is to have a surface everywhere it covers (`area`, in grid coordinates), whether that is
 * the surface itself, and whether it may fold: where components of several levels meet, their
 * morph turns some triangles over, and what covers a place is then three layers, one upside down. */
'use strict';

const { hills } = require('./landscapes');

const WHOLE = [0, 0, hills.columns - 1, hills.rows - 1];
const DEMO = [0, 0, 402, 343];
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
    { name: 'mesh-components', landscape: 'hills', target: '/mesh', area: WHOLE,
      body: { mode: 'component', ...FIT } },
    { name: 'mesh-near', landscape: 'hills', target: '/mesh', area: WHOLE, folds: true,
      body: { mode: 'component', lod0_screen_size: 2.2, ...FROM_THE_WEST, everything: true } },
    { name: 'mesh-seen', landscape: 'hills', target: '/mesh', folds: true,
      body: { mode: 'component', lod0_screen_size: 2.2, ...FROM_THE_WEST } },
    { name: 'mesh-quadtree', landscape: 'hills', target: '/mesh', area: WHOLE,
      body: { mode: 'quadtree', leaf: 16, factor: 1, ...FROM_THE_WEST, everything: true } },
    { name: 'mesh-by-error', landscape: 'hills', target: '/mesh', area: WHOLE,
      body: { mode: 'quadtree', leaf: 32, grid: 8, split: 'error', pixel_error: 4, ...FROM_THE_WEST, everything: true } },
    { name: 'mesh-ranges', landscape: 'hills', target: '/mesh', area: WHOLE, folds: true,
      body: { mode: 'quadtree', leaf: 16, factor: 1, split: 'ranges', ...FROM_THE_WEST, everything: true } },
    { name: 'mesh-within', landscape: 'hills', target: '/mesh', area: WHOLE,
      body: { mode: 'quadtree', ...FIT, max_error: 0.25 } },
    { name: 'mesh-demo', landscape: 'demo', target: '/mesh', area: DEMO, folds: true,
      body: { mode: 'component', ...FIT } },
    { name: 'mesh-earth', landscape: 'demo', target: '/mesh', earth: true,
      body: { mode: 'quadtree', ...FIT, frame_out: 'ecef' } },
    { name: 'quadtree-root', landscape: 'hills', target: '/quadtree/0/0/0.glb', area: WHOLE },
    { name: 'quadtree-leaf', landscape: 'hills', target: '/quadtree/2/1/1.glb', area: [64, 64, 128, 128] },
    { name: 'quadtree-finest', landscape: 'hills', target: '/quadtree/2/1/1.glb?max_error=0',
      area: [64, 64, 128, 128] },
    { name: 'quadtree-within', landscape: 'hills', target: '/quadtree/1/0/1.glb?max_error=0.5',
      area: [0, 128, 128, hills.rows - 1] },
    { name: 'quadtree-skirts', landscape: 'hills', target: '/quadtree/1/1/0.glb?skirts=true', skirts: true,
      area: [128, 0, hills.columns - 1, 128] },
    { name: 'quadtree-earth', landscape: 'demo', target: '/quadtree/2/1/1.glb?frame_out=ecef', earth: true },
];

async function fetchGlb(daemon, kind) {
    const answer = await daemon.ask(kind.body ? 'POST' : 'GET',
        `/v1/landscapes/${kind.landscape}${kind.target}`,
        kind.body && JSON.stringify(kind.body),
        kind.body && { 'Content-Type': 'application/json' });
    return Buffer.from(await answer.arrayBuffer());
}

module.exports = { kinds, fetchGlb };
