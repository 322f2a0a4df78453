#include "scale.glsl"

float at(ivec2 middle, int x, int y)
{
    return code_at(middle + ivec2(x, y), int(tile.y));
}

// Mean curvature of the quadratic surface fitted to 3 x 3 samples: see terrain/query/landform.h.
float bend(ivec2 m, vec2 metres)
{
    vec3 north = vec3(at(m, -1, -1), at(m, 0, -1), at(m, 1, -1));
    vec3 along = vec3(at(m, -1, 0), at(m, 0, 0), at(m, 1, 0));
    vec3 south = vec3(at(m, -1, 1), at(m, 0, 1), at(m, 1, 1));
    vec3 down = north + along + south, rows = vec3(dot(north, vec3(1)), dot(along, vec3(1)), dot(south, vec3(1)));
    float p = (down.z - down.x) / 6.0 * metres.x, q = (rows.z - rows.x) / 6.0 * metres.y;
    vec2 side = stored.x / metres;
    float r = (down.x + down.z - 2.0 * down.y) / 3.0 * metres.x / side.x;
    float s = (north.x + south.z - north.z - south.x) / 4.0 * metres.x / side.y;
    float t = (rows.x + rows.z - 2.0 * rows.y) / 3.0 * metres.y / side.y;
    float root = sqrt(1.0 + p * p + q * q);

    return -((1.0 + q * q) * r - 2.0 * p * q * s + (1.0 + p * p) * t) / (2.0 * root * root * root);
}

vec3 show(Ground ground)
{
    if (ground.side)
        return side_of(ground);

    vec2 within = place.xy + tile.x, whole = floor(within), part = within - whole;
    ivec2 nw = ivec2(whole);
    vec2 metres = steepen; // metres up a metre for a code a sample
    float north = mix(bend(nw, metres), bend(nw + ivec2(1, 0), metres), part.x);
    float south = mix(bend(nw + ivec2(0, 1), metres), bend(nw + 1, metres), part.x);

    return formed(ground, coloured(mix(north, south, part.y)));
}
