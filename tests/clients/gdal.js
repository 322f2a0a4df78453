/* GDAL: reads height tiles out of MBTiles that a job has made, and live as the tile service that they
 * are. Pixels lie where they should and say the height at their centre, within the encoding. */
'use strict';

const assert = require('assert');
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { plane, demo, points } = require('./landscapes');
const mercator = require('./mercator');

const PIXELS = 400;
const HALF_WORLD = Math.PI * 6378137;
const DECODE = {
    terrarium: { step: 1 / 256, height: (r, g, b) => r * 256 + g + b / 256 - 32768 },
    'terrain-rgb': { step: 0.1, height: (r, g, b) => (r * 65536 + g * 256 + b) * 0.1 - 10000 },
};
const LOADS = [
    { landscape: plane, set: 'terrarium', format: 'png' },
    { landscape: demo, set: 'terrain-rgb', format: 'webp' },
];

const gdal = (program, ...words) =>
    execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 26, timeout: 60000, stdio: ['ignore', 'pipe', 'pipe'] });

/* A job's one package of tiles, as a file. */
async function fetchPackage(bench, { landscape, set, format }, file) {
    const posted = await bench.daemon.askJson('POST', '/v1/jobs',
        { kind: 'tiles', landscape: landscape.name, set, format, package: 'mbtiles' });
    const done = await bench.daemon.askJson('GET', `/v1/jobs/${posted.id}?wait=30`);
    assert.strictEqual(done.state, 'done', JSON.stringify(done));
    const result = done.results.find((each) => each.name.endsWith('.mbtiles'));
    const answer = await bench.daemon.ask('GET', `/v1/jobs/${posted.id}/results/${result.n}`);
    fs.writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
}

/* What GDAL's driver of tile services reads. */
function describeService(bench, { landscape, set, format }, zoom, file) {
    const url = `${bench.daemon.url}/v1/landscapes/${landscape.name}/tiles/${set}/\${z}/\${x}/\${y}.${format}`;
    fs.writeFileSync(file, `<GDAL_WMS><Service name="TMS"><ServerUrl>${url}</ServerUrl></Service>
<DataWindow><UpperLeftX>-${HALF_WORLD}</UpperLeftX><UpperLeftY>${HALF_WORLD}</UpperLeftY>
<LowerRightX>${HALF_WORLD}</LowerRightX><LowerRightY>-${HALF_WORLD}</LowerRightY>
<TileLevel>${zoom}</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY>
<YOrigin>top</YOrigin></DataWindow><Projection>EPSG:3857</Projection>
<BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>3</BandsCount></GDAL_WMS>`);
}

/* The raster's pixels and place: red, green and blue as planes of bytes. */
function readPixels(source, options, room) {
    const file = path.join(room, 'pixels');

    gdal('gdal_translate', '-q', '-of', 'ENVI', '-co', 'INTERLEAVE=BSQ', '-b', '1', '-b', '2', '-b', '3', ...options, source, file);
    const about = JSON.parse(gdal('gdalinfo', '-json', file));
    return { planes: fs.readFileSync(file), width: about.size[0], height: about.size[1],
             place: about.geoTransform };
}

async function compare(bench, { landscape, set }, zoom, { planes, width, height, place }) {
    const step = 2 * HALF_WORLD / (256 * 2 ** zoom);
    const { step: unit, height: decode } = DECODE[set];
    const count = width * height;

    assert(Math.abs(place[1] / step - 1) < 1e-9 && Math.abs(place[5] / step + 1) < 1e-9,
        `pixels of ${place[1]} x ${place[5]} m, not ${step}`);
    const pixels = points(landscape.bounds, PIXELS, 0.02).map((point) => {
        const [x, y] = mercator.metres(point);
        return [Math.floor((x - place[0]) / place[1]), Math.floor((y - place[3]) / place[5])];
    });
    const centres = pixels.map(([column, row]) => mercator.lonlat(
        [place[0] + (column + 0.5) * place[1], place[3] + (row + 0.5) * place[5]]));
    const ground = await bench.daemon.heights(landscape.name, centres);
    let worst = 0;
    pixels.forEach(([column, row], i) => {
        const at = row * width + column;
        const off = Math.abs(decode(planes[at], planes[count + at], planes[2 * count + at]) - ground[i]);
        assert(off <= unit / 2 + 1e-6, `${landscape.name} at ${centres[i]}: ${off} m off`);
        worst = Math.max(worst, off);
    });
    return worst;
}

async function tryLoad(bench, load, room) {
    const { landscape, set, format } = load;
    const tilejson = await bench.daemon.askJson('GET',
        `/v1/landscapes/${landscape.name}/tiles/${set}/tilejson.json`);
    const file = path.join(room, 'tiles.mbtiles');
    const service = path.join(room, 'tiles.xml');
    const title = `${landscape.name}, ${set} as ${format}`;
    const lines = [];

    await fetchPackage(bench, load, file);
    const about = JSON.parse(gdal('gdalinfo', '-json', file));
    assert.strictEqual(about.driverShortName, 'MBTiles');
    const packed = await compare(bench, load, tilejson.maxzoom, readPixels(file, [], room));
    lines.push(`${title}, MBTiles: ${about.size.join(' x ')} pixels, ${PIXELS} of them at most ` +
        `${packed.toFixed(4)} m off`);

    describeService(bench, load, tilejson.maxzoom, service);
    const [west, south, east, north] = landscape.bounds;
    const corners = [...mercator.metres([west, north]), ...mercator.metres([east, south])].map(String);
    const live = await compare(bench, load, tilejson.maxzoom,
        readPixels(service, ['-projwin', ...corners], room));
    lines.push(`${title}, as a tile service: at most ${live.toFixed(4)} m off`);
    return lines;
}

module.exports = {
    name: 'gdal',
    packages: [],
    versions: () => [gdal('gdalinfo', '--version').split(',')[0]],
    loads: 'MBTiles of a job, PNG and WebP; tiles as a service',
    run: async (bench) => {
        const room = fs.mkdtempSync(path.join(os.tmpdir(), 'clients-gdal-'));
        try {
            const lines = [];
            for (const load of LOADS)
                lines.push(...await tryLoad(bench, load, room));
            return lines;
        } finally {
            fs.rmSync(room, { recursive: true, force: true });
        }
    },
};
