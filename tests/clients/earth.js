/* The WGS84 ellipsoid: Earth-fixed positions (EPSG:4978) and longitude, latitude and height above
 * it. */
'use strict';

const A = 6378137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const DEGREE = Math.PI / 180;

function fixed([longitude, latitude, height]) {
    const [l, p] = [longitude * DEGREE, latitude * DEGREE];
    const n = A / Math.sqrt(1 - E2 * Math.sin(p) ** 2);
    return [(n + height) * Math.cos(p) * Math.cos(l), (n + height) * Math.cos(p) * Math.sin(l),
            (n * (1 - E2) + height) * Math.sin(p)];
}

/* By repetition, which near the surface gains two digits a turn. */
function geodetic([x, y, z]) {
    const across = Math.hypot(x, y);
    let latitude = Math.atan2(z, across * (1 - E2));
    let height = 0;

    for (let turn = 0; turn < 8; turn++) {
        const n = A / Math.sqrt(1 - E2 * Math.sin(latitude) ** 2);
        height = across / Math.cos(latitude) - n;
        latitude = Math.atan2(z, across * (1 - E2 * n / (n + height)));
    }
    return [Math.atan2(y, x) / DEGREE, latitude / DEGREE, height];
}

module.exports = { fixed, geodetic };
