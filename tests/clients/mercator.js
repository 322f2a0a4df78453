/* Web Mercator: metres (EPSG:3857), and the world as a square of side 1 with y from the north. */
'use strict';

const RADIUS = 6378137;
const DEGREE = Math.PI / 180;

function world([longitude, latitude]) {
    return [(longitude + 180) / 360, (1 - Math.asinh(Math.tan(latitude * DEGREE)) / Math.PI) / 2];
}

function unworld([u, v]) {
    return [u * 360 - 180, Math.atan(Math.sinh(Math.PI * (1 - 2 * v))) / DEGREE];
}

function metres([longitude, latitude]) {
    return [RADIUS * longitude * DEGREE, RADIUS * Math.asinh(Math.tan(latitude * DEGREE))];
}

function lonlat([x, y]) {
    return [x / RADIUS / DEGREE, Math.atan(Math.sinh(y / RADIUS)) / DEGREE];
}

/* The four pixels between which a raster of `size` pixels around the world is read at a point, as
 * [longitude, latitude] of their samples, with their weights. `registration` is where in its pixel a
 * sample is: 0.5 for the centre, 0 for the north-west corner, as clients once took it. */
function bilinear(point, size, registration) {
    const [x, y] = world(point).map((share) => share * size - registration);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - column, y - row];
    const sample = (i, j) =>
        unworld([(column + i + registration) / size, (row + j + registration) / size]);

    return {
        places: [sample(0, 0), sample(1, 0), sample(0, 1), sample(1, 1)],
        weights: [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy],
    };
}

module.exports = { world, unworld, metres, lonlat, bilinear };
