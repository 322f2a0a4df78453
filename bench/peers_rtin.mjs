// What bench_rtin compares with: the meshes that map clients make by themselves.
//
//     npm install delatin @mapbox/martini      (in a folder that node looks in, as the build's)
//
// Arguments: a file of 32-bit floats (metres), their number a side, the greatest error. Prints
// delatin's milliseconds and triangles; martini's milliseconds for the map and for a mesh, and
// triangles. CPU time of warm code, the median of some rounds.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(pathToFileURL(process.cwd() + '/'));
const load = async (name) => {
    const found = await import(pathToFileURL(require.resolve(name)).href);
    return found.default?.default ?? found.default;
};
const Delatin = await load('delatin');
const Martini = await load('@mapbox/martini');

const [file, side, error] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const bytes = readFileSync(file);
const metres = new Float32Array(bytes.buffer, bytes.byteOffset, side * side);

function median(rounds, work) {
    const times = [];
    for (let i = 0; i < rounds; i++) {
        const begun = process.cpuUsage();
        work();
        const { user, system } = process.cpuUsage(begun);
        times.push((user + system) / 1000);
    }
    return times.sort((a, b) => a - b)[rounds >> 1];
}

let delatin, martini, map;
const refine = median(25, () => {
    delatin = new Delatin(metres, side);
    delatin.run(error);
});
const grid = new Martini(side);
const mapping = median(25, () => { map = grid.createTile(metres); });
for (let i = 0; i < 200; i++) map.getMesh(error);
const meshing = median(9, () => { for (let i = 0; i < 100; i++) martini = map.getMesh(error); }) / 100;
console.log(refine, delatin.triangles.length / 3, mapping, meshing, martini.triangles.length / 3);
