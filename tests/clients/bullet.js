/* Bullet, as Debian has it, built into a small program (bullet.cc): the height field, which has no
 * holes there. */
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { tryShapes } = require('./collision');

const flags = (...words) => execFileSync('pkg-config', [...words, 'bullet'], { encoding: 'utf8' }).trim().split(/\s+/);

function buildProgram(room) {
    const program = path.join(room, 'bullet');
    execFileSync('c++', ['-O1', '-o', program, path.join(__dirname, 'bullet.cc'),
                         ...flags('--cflags', '--libs')], { stdio: 'inherit' });
    return program;
}

/* All rays at once: the program is started for each window. */
function field(program) {
    return async (fetchFormat) => {
        const shape = await fetchFormat('bullet');
        return {
            castAll: (rays) => {
                const input = Buffer.concat([
                    new Uint32Array([...shape.counts, rays.length]),
                    new Float32Array([...shape.range, ...shape.scale, ...shape.position]),
                    new Uint8Array(shape.data), new Float32Array(rays.flat()),
                ].map((part) => Buffer.from(part.buffer)));
                const output = execFileSync(program, { input, maxBuffer: 1 << 26 });
                return Array.from(rays, (_, i) => output.readFloatLE(4 * i));
            },
        };
    };
}

module.exports = {
    name: 'bullet',
    packages: [],
    versions: () => [`bullet ${flags('--modversion')[0]}`],
    loads: 'the collision height field',
    run: async (bench) => {
        const room = fs.mkdtempSync(path.join(os.tmpdir(), 'bullet-'));
        try {
            return await tryShapes(bench, [
                { name: 'btHeightfieldTerrainShape', holes: false, build: field(buildProgram(room)) },
            ]);
        } finally {
            fs.rmSync(room, { recursive: true, force: true });
        }
    },
};
