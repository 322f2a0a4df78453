/* Quantized-mesh tiles, read by HERE's decoder: each tile of layer.json at several levels covers
 * its square once, keeps what its header says, and has its neighbours' vertices along their edges. */
'use strict';

const assert = require('assert');
const { default: decode } = require('@here/quantized-mesh-decoder');
const earth = require('./earth');

const TOP = 32767; /* of u, v and heights */
const TILES_A_LEVEL = 16;
const POINTS_A_TILE = 60;
/* What is asked of which landscape. */
const LOADS = [
    { landscape: 'plane', options: '' },
    { landscape: 'demo', options: '' },
    { landscape: 'demo', options: '?max_error=1&water_height=300&metadata_levels=4' },
];
const ACCEPT = 'application/vnd.quantized-mesh;extensions=octvertexnormals-watermask-metadata,' +
    'application/octet-stream;q=0.9,*/*;q=0.01';
const RADII = [6378137, 6378137, 6378137 * (1 - 1 / 298.257223563)];

const sum = (a, b, f = 1) => a.map((value, k) => value + f * b[k]);
const dot = (a, b) => a.reduce((total, value, k) => total + value * b[k], 0);
const length = (a) => Math.sqrt(dot(a, a));
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/* Degrees of a tile of the geographic scheme: west, south, east, north. */
function rectangle({ z, x, y }) {
    const side = 180 / 2 ** z;
    return [x * side - 180, y * side - 90, (x + 1) * side - 180, (y + 1) * side - 90];
}

async function fetchTile(bench, base, options, tile) {
    const answer = await bench.daemon.ask('GET', `${base}/${tile.z}/${tile.x}/${tile.y}.terrain${options}`,
        null, { Accept: ACCEPT });
    const bound = Number(answer.headers.get('Landscape-Mesh-Error') ?? NaN);
    const decoded = decode(await answer.arrayBuffer());
    const count = decoded.vertexData.length / 3;
    const [u, v, height] = [0, 1, 2].map((k) => decoded.vertexData.subarray(k * count, (k + 1) * count));
    const { minHeight, maxHeight } = decoded.header;
    const [west, south, east, north] = rectangle(tile);
    const vertices = Array.from(u, (_, i) => [
        west + (east - west) * u[i] / TOP, south + (north - south) * v[i] / TOP,
        minHeight + (maxHeight - minHeight) * height[i] / TOP,
    ]);

    return { ...decoded, tile, bound, count, u, v, height, vertices, step: (maxHeight - minHeight) / TOP,
             fixed: vertices.map(earth.fixed), name: `tile ${tile.z}/${tile.x}/${tile.y}` };
}

/* Counter-clockwise, none without area, every vertex used, and all together the square exactly. */
function coversItsSquare({ name, count, u, v, triangleIndices: at }) {
    const used = new Set(at);
    let twice = 0;

    assert(at.length > 0 && at.length % 3 === 0, `${name} has ${at.length} indices`);
    assert.strictEqual(used.size, count, `${name}: ${count} vertices, ${used.size} used`);
    for (let i = 0; i < at.length; i += 3) {
        const [a, b, c] = [at[i], at[i + 1], at[i + 2]];
        const area = (u[b] - u[a]) * (v[c] - v[a]) - (u[c] - u[a]) * (v[b] - v[a]);
        assert(area > 0, `${name}: triangle ${i / 3} turns the wrong way or is none (${area})`);
        twice += area;
    }
    assert.strictEqual(twice, 2 * TOP * TOP, `${name} covers ${twice / (2 * TOP * TOP)} of its square`);
}

/* Each side that one triangle alone has lies on the square's border. */
function hasNoGap({ name, u, v, triangleIndices: at }) {
    const sides = new Map();

    for (let i = 0; i < at.length; i++) {
        const [from, to] = [at[i], at[i % 3 === 2 ? i - 2 : i + 1]];
        assert(!sides.has(`${from} ${to}`), `${name}: two triangles on one side`);
        sides.set(`${from} ${to}`, [from, to]);
    }
    for (const [from, to] of sides.values())
        assert(sides.has(`${to} ${from}`) ||
            (u[from] === u[to] && u[from] % TOP === 0) || (v[from] === v[to] && v[from] % TOP === 0),
        `${name}: a gap between vertices ${from} and ${to}`);
}

/* Edge lists hold all vertices of their edge, sorted, from corner to corner. */
function listsItsEdges(tile) {
    const { name, u, v, count } = tile;
    const edges = [
        ['west', tile.westIndices, u, 0, v], ['east', tile.eastIndices, u, TOP, v],
        ['south', tile.southIndices, v, 0, u], ['north', tile.northIndices, v, TOP, u],
    ];

    for (const [side, list, across, where, along] of edges) {
        const due = Array.from({ length: count }, (_, i) => i).filter((i) => across[i] === where)
            .sort((a, b) => along[a] - along[b]);
        assert.deepStrictEqual(Array.from(list).sort((a, b) => along[a] - along[b]), due,
            `${name}: the ${side} edge is not all of its vertices`);
        const places = Array.from(list, (i) => along[i]);
        assert(places.every((at, i) => !i || (at - places[i - 1]) * (places[1] - places[0]) > 0),
            `${name}: the ${side} edge is not sorted`);
        assert(along[due[0]] === 0 && along[due[due.length - 1]] === TOP, `${name}: ${side} has no corners`);
    }
}

function keepsItsHeader({ name, header, fixed, tile }) {
    const centre = [header.boundingSphereCenterX, header.boundingSphereCenterY, header.boundingSphereCenterZ];
    const middle = [header.centerX, header.centerY, header.centerZ];
    const occlusion = [header.horizonOcclusionPointX, header.horizonOcclusionPointY, header.horizonOcclusionPointZ];
    const out = length(occlusion);
    const [longitude, latitude] = earth.geodetic(middle);
    const [west, south, east, north] = rectangle(tile);

    assert(header.minHeight <= header.maxHeight, `${name}: ${header.minHeight} to ${header.maxHeight} m`);
    for (const at of fixed)
        assert(length(sum(at, centre, -1)) <= header.boundingSphereRadius * (1 + 1e-9) + 1e-3,
            `${name}: a vertex is outside the bounding sphere`);
    assert(tile.z < 2 || (longitude >= west && longitude <= east && latitude >= south && latitude <= north),
        `${name}: its middle is at ${longitude}, ${latitude}`);
    /* A point that cannot be seen past the ellipsoid only when no vertex can. */
    if (tile.z >= 2) {
        const along = occlusion.map((value) => value / out);
        for (const at of fixed) {
            const scaled = at.map((value, k) => value / RADII[k]);
            const far = Math.max(1, length(scaled));
            const [cosA, sinA] = [dot(scaled, along) / length(scaled), length(cross(scaled, along)) / length(scaled)];
            const needed = 1 / (cosA / far - sinA * Math.sqrt(far * far - 1) / far);
            assert(needed <= out * (1 + 1e-9), `${name}: hidden by the horizon while a vertex shows`);
        }
        assert(out < 2, `${name}: its horizon point is ${out} radii away`);
    }
}

function octahedral(x, y) {
    const [a, b] = [x / 255 * 2 - 1, y / 255 * 2 - 1];
    const c = 1 - Math.abs(a) - Math.abs(b);
    const sign = (value) => (value < 0 ? -1 : 1);
    const normal = c < 0 ? [(1 - Math.abs(b)) * sign(a), (1 - Math.abs(a)) * sign(b), c] : [a, b, c];
    return normal.map((value) => value / length(normal));
}

/* Earth-fixed normals: out of the ground, and with the faces around them. */
function hasNormals({ name, fixed, count, triangleIndices: at, extensions }) {
    const faces = fixed.map(() => [0, 0, 0]);
    let least = 1;

    assert.strictEqual(extensions.vertexNormals?.length, 2 * count, `${name}: no normals`);
    for (let i = 0; i < at.length; i += 3) {
        const [a, b, c] = [at[i], at[i + 1], at[i + 2]];
        const face = cross(sum(fixed[b], fixed[a], -1), sum(fixed[c], fixed[a], -1));
        for (const k of [a, b, c])
            faces[k] = sum(faces[k], face);
    }
    for (let i = 0; i < count; i++) {
        const normal = octahedral(extensions.vertexNormals[2 * i], extensions.vertexNormals[2 * i + 1]);
        assert(dot(normal, fixed[i]) > 0, `${name}: the normal of vertex ${i} points down`);
        least = Math.min(least, dot(normal, faces[i]) / length(faces[i]));
    }
    return least;
}

/* Along the edge that two tiles share, the same vertices; heights within half a step of each. */
function meets(one, other, { mine, theirs, along }) {
    const [a, b] = [one[mine], other[theirs]].map((list, k) => Array.from(list)
        .sort((i, j) => [one, other][k][along][i] - [one, other][k][along][j]));
    let worst = 0;

    assert.deepStrictEqual(a.map((i) => one[along][i]), b.map((i) => other[along][i]),
        `${one.name} and ${other.name} have other vertices on their edge`);
    a.forEach((i, k) => { worst = Math.max(worst, Math.abs(one.vertices[i][2] - other.vertices[b[k]][2])); });
    assert(worst <= (one.step + other.step) / 2 + 1e-4,
        `${one.name} and ${other.name} are ${worst} m apart`);
    return worst;
}

/* No more than what the layer announces, and of that all. */
function hasExtensions({ name, extensions, tile }, layer) {
    const asked = layer.extensions ?? [];
    const tells = asked.includes('metadata') && tile.z % layer.metadataAvailability === 0;

    assert.strictEqual(!!extensions.vertexNormals, asked.includes('octvertexnormals'), `${name}: normals`);
    assert.strictEqual(!!extensions.waterMask, asked.includes('watermask'), `${name}: water mask`);
    assert.strictEqual(!!extensions.metadata, tells, `${name}: metadata`);
    assert(!extensions.waterMask || [1, 65536].includes(extensions.waterMask.byteLength),
        `${name}: a water mask of ${extensions.waterMask?.byteLength} bytes`);
    /* It tells of the levels below, what layer.json tells of them under this tile. */
    (extensions.metadata?.available ?? []).forEach((told, i) => {
        const z = tile.z + 1 + i;
        const under = (layer.available[z] ?? []).flatMap((range) => {
            const cut = { startX: Math.max(range.startX, tile.x << i + 1), startY: Math.max(range.startY, tile.y << i + 1),
                          endX: Math.min(range.endX, (tile.x + 1 << i + 1) - 1), endY: Math.min(range.endY, (tile.y + 1 << i + 1) - 1) };
            return cut.startX <= cut.endX && cut.startY <= cut.endY ? [cut] : [];
        });
        assert.deepStrictEqual(told, under, `${name}: what it tells of level ${z}`);
    });
}

/* Some tiles of a level that are available: side by side, around the middle of the bounds. */
function tilesOf(layer, z) {
    const [west, south, east, north] = layer.bounds;
    const side = 180 / 2 ** z;
    const middle = [Math.floor(((west + east) / 2 + 180) / side), Math.floor(((south + north) / 2 + 90) / side)];
    const tiles = [];

    for (const { startX, startY, endX, endY } of layer.available[z])
        for (let y = startY; y <= endY; y++)
            for (let x = startX; x <= endX; x++)
                tiles.push({ z, x, y });
    const away = ({ x, y }) => Math.max(Math.abs(x - middle[0]), Math.abs(y - middle[1]));
    return tiles.sort((a, b) => away(a) - away(b)).slice(0, TILES_A_LEVEL);
}

async function tryLevel(bench, base, options, layer, z) {
    const tiles = tilesOf(layer, z);
    const read = new Map();
    const found = { tiles: tiles.length, triangles: 0, seams: 0, apart: 0, agreement: 1 };

    for (const tile of tiles) {
        const got = await fetchTile(bench, base, options, tile);
        coversItsSquare(got);
        hasNoGap(got);
        listsItsEdges(got);
        keepsItsHeader(got);
        hasExtensions(got, layer);
        found.agreement = Math.min(found.agreement, hasNormals(got));
        assert(z < 5 || found.agreement > 0, `${got.name}: a normal turns away from the faces around it`);
        found.triangles += got.triangleIndices.length / 3;
        read.set(`${tile.x} ${tile.y}`, got);
    }
    for (const got of read.values()) {
        const east = read.get(`${got.tile.x + 1} ${got.tile.y}`);
        const north = read.get(`${got.tile.x} ${got.tile.y + 1}`);
        const seams = [
            east && meets(got, east, { mine: 'eastIndices', theirs: 'westIndices', along: 'v' }),
            north && meets(got, north, { mine: 'northIndices', theirs: 'southIndices', along: 'u' }),
        ].filter((apart) => apart !== undefined);
        found.seams += seams.length;
        found.apart = Math.max(found.apart, ...seams);
    }
    return { ...found, read: [...read.values()] };
}

/* Points of the mesh, in longitude, latitude and height: in triangles taken evenly, and somewhere in
 * each. */
function pointsOf({ triangleIndices: at, vertices }) {
    const triangles = at.length / 3;
    const count = Math.min(POINTS_A_TILE, triangles);

    return Array.from({ length: count }, (_, i) => {
        const first = 3 * Math.floor(i * triangles / count);
        const [a, b] = [(i * 0.618034) % 1, (i * 0.414214) % 1].sort();
        const shares = [a, b - a, 1 - b];
        return [0, 1, 2].map((k) => shares.reduce((sum, share, corner) =>
            sum + share * vertices[at[first + corner]][k], 0));
    });
}

/* Nowhere is the surface further off than the tile says. */
async function liesOnSurface(bench, landscape, tiles) {
    const found = { worst: 0, bound: 0, count: 0 };

    for (const got of tiles) {
        const places = pointsOf(got);
        const ground = await bench.daemon.heights(landscape, places.map((at) => at.slice(0, 2)), { holes: true });
        places.forEach((at, i) => {
            if (Number.isNaN(ground[i]))
                return;
            const off = Math.abs(at[2] - ground[i]);
            assert(off <= got.bound + 1e-3, `${got.name} at ${at}: ${off} m off, says at most ${got.bound}`);
            found.count++;
            found.worst = Math.max(found.worst, off);
            found.bound = Math.max(found.bound, got.bound);
        });
    }
    return found;
}

async function tryLoad(bench, { landscape, options }) {
    const base = `/v1/landscapes/${landscape}/cesium`;
    const layer = await bench.daemon.askJson('GET', `${base}/layer.json${options}`);
    const lines = [];
    const last = layer.available.length - 1;

    assert.strictEqual(layer.format, 'quantized-mesh-1.0');
    for (const z of [...new Set([0, 1, 2, 5, last - 3, last - 1, last])]) {
        const level = await tryLevel(bench, base, options, layer, z);
        const { worst, bound, count } = await liesOnSurface(bench, landscape, level.read);
        lines.push(`${landscape}${options}, level ${z}: ${level.tiles} tiles, ${level.triangles} triangles, ` +
            `${level.seams} shared edges at most ${level.apart.toFixed(4)} m apart, ` +
            `normals within ${(Math.acos(level.agreement) * 180 / Math.PI).toFixed(1)} degrees, ` +
            `${count} points at most ${worst.toFixed(3)} m from /height (${bound.toFixed(3)} allowed)`);
    }
    return lines;
}

module.exports = {
    name: 'quantized-mesh',
    packages: ['@here/quantized-mesh-decoder'],
    loads: 'quantized-mesh tiles with every extension',
    run: async (bench) => {
        const lines = [];
        for (const load of LOADS)
            lines.push(...await tryLoad(bench, load));
        return lines;
    },
};
