/* The clients that are tried, in this order. A row has a name, the npm packages whose versions it
 * is told by, what it loads, and `run(bench)`, which throws on any fault and resolves to the lines
 * of its verdict. */
'use strict';

module.exports = [
    ...require('./maplibre'),
    require('./gltf-validator'),
    require('./three'),
];
