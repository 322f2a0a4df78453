// What every shader of the ground shares: the tiles and where things are in them.
// Places are in a tile's quads; its samples begin MARGIN before its north-west corner.

const int MARGIN = 2;
const int SIDE = 132;

uniform usampler2DArray heights; // then, in rows from SIDE, the holes; see render/tile.h
uniform sampler2DArray slopes;   // codes a sample, east and south

float code_at(ivec2 sample_at, int layer)
{
    return float(texelFetch(heights, ivec3(sample_at + MARGIN, layer), 0).r);
}

float code_between(vec2 place, int layer)
{
    vec2 whole = floor(place), part = place - whole;
    ivec2 at = ivec2(whole);

    return mix(mix(code_at(at, layer), code_at(at + ivec2(1, 0), layer), part.x),
               mix(code_at(at + ivec2(0, 1), layer), code_at(at + 1, layer), part.x), part.y);
}

// On the surface itself: on the triangle of samples, which at level 0 are the vertices.
float code_on(vec2 place, int layer)
{
    vec2 whole = floor(place), part = place - whole;
    ivec2 corner = ivec2(whole);
    float from = code_at(corner, layer), to = code_at(corner + 1, layer);
    float beside = part.x > part.y ? code_at(corner + ivec2(1, 0), layer) : code_at(corner + ivec2(0, 1), layer);

    return part.x > part.y ? from + (beside - from) * part.x + (to - beside) * part.y
                           : from + (beside - from) * part.y + (to - beside) * part.x;
}

bool hole_at(vec2 quad, int layer)
{
    ivec2 at = ivec2(floor(quad)) + MARGIN;
    uint word = texelFetch(heights, ivec3(at.y, SIDE + (at.x >> 4), layer), 0).r;

    return ((word >> uint(at.x & 15)) & 1u) != 0u;
}

#ifdef OFFSETS
uniform usampler2DArray offsets; // sample by sample as heights

// East and south, in the landscape's quads.
vec2 offset_at(ivec2 sample_at, int layer)
{
    return (vec2(texelFetch(offsets, ivec3(sample_at + MARGIN, layer), 0).rg) - 32768.0) / 256.0;
}

vec2 offset_between(vec2 place, int layer)
{
    vec2 whole = floor(place), part = place - whole;
    ivec2 at = ivec2(whole);

    return mix(mix(offset_at(at, layer), offset_at(at + ivec2(1, 0), layer), part.x),
               mix(offset_at(at + ivec2(0, 1), layer), offset_at(at + 1, layer), part.x), part.y);
}

// On the triangle of samples, as code_on.
vec2 offset_on(vec2 place, int layer)
{
    vec2 whole = floor(place), part = place - whole;
    ivec2 corner = ivec2(whole);
    vec2 from = offset_at(corner, layer), to = offset_at(corner + 1, layer);
    vec2 beside = offset_at(corner + (part.x > part.y ? ivec2(1, 0) : ivec2(0, 1)), layer);

    return from + (beside - from) * max(part.x, part.y) + (to - beside) * min(part.x, part.y);
}

// The slope of ground that has been moved aside, from the one that it would have in its place.
// `narrow`: a quad's metres south over those east.
vec2 moved_slope(vec2 slope, vec2 place, float quads, float narrow, int layer)
{
    vec2 east = (offset_between(place + vec2(1, 0), layer) - offset_between(place - vec2(1, 0), layer)) * 0.5 / quads;
    vec2 south = (offset_between(place + vec2(0, 1), layer) - offset_between(place - vec2(0, 1), layer)) * 0.5 / quads;
    vec2 longer = vec2(1.0 + east.x, 1.0 + south.y);
    float area = longer.x * longer.y - south.x * east.y;

    area = area < 0.0 ? min(area, -1e-3) : max(area, 1e-3); // folded over, it faces up all the same
    return vec2(slope.x * longer.y - slope.y * east.y * narrow, slope.y * longer.x - slope.x * south.x / narrow) / area;
}
#endif
