/* Khronos' glTF validator: no kind of GLB has an error or a warning. */
'use strict';

const assert = require('assert');
const validator = require('gltf-validator');
const { kinds, fetchGlb } = require('./glbs');

async function validate(bench, kind) {
    const bytes = await fetchGlb(bench.daemon, kind);
    const report = await validator.validateBytes(new Uint8Array(bytes), { format: 'glb', maxIssues: 20 });
    const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;

    assert(numErrors + numWarnings === 0, `${kind.name}: ${JSON.stringify(messages, null, 1)}`);
    return { name: kind.name, bytes: bytes.length, said: numInfos + numHints, messages,
             triangles: report.info.totalTriangleCount };
}

module.exports = {
    name: 'gltf-validator',
    packages: ['gltf-validator'],
    loads: `${kinds.length} kinds of GLB`,
    run: async (bench) => {
        const lines = [];
        for (const kind of kinds) {
            const { name, bytes, triangles, said, messages } = await validate(bench, kind);
            lines.push(`${name}: ${triangles} triangles in ${bytes} bytes, no error or warning` +
                (said ? `, but it says: ${messages[0].message} (${said})` : ''));
        }
        return lines;
    },
};
