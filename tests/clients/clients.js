/* The clients that are tried, in this order. A row has a name, the npm packages whose versions it
 * is told by (or `versions()` of what is no package), what it loads, and `run(bench)`, which throws on any fault and resolves to the lines
 * of its verdict. */
'use strict';

module.exports = [
    ...require('./maplibre'),
    require('./gltf-validator'),
    require('./three'),
    require('./gdal'),
    require('./quantized-mesh'),
    require('./cesium'),
    require('./cesium-tileset'),
    require('./rapier'),
    require('./jolt'),
    require('./physx'),
    require('./bullet'),
];
