// A component, whose vertices stand between levels of detail and move to the next: the vertex
// function of terrain/lod/morph.h, number for number.
#include "patch.glsl"

// given0: north-west corner (quads), level of the index buffer, its own level
// given1: levels of the neighbours: north, west, east, south
// given2, given3: layers of the chains and drifts of up to four sections
// given4: cell of the first section, texels of a cell

uniform usampler2DArray chain; // see render/plane_chain.h
#ifdef OFFSETS
uniform usampler2DArray drift;
#endif

// Exactly the neighbour's at a border.
float level_at(ivec2 at, int steps)
{
    vec2 part = vec2(at) / float(steps);
    bool beyond = at.x + at.y > steps, left = at.x < at.y;
    float inward = beyond ? (left ? 2.0 * (1.0 - part.y) : 2.0 * (1.0 - part.x))
                          : (left ? 2.0 * part.x : 2.0 * part.y);
    float neighbour = beyond ? (left ? given1.w : given1.z) : (left ? given1.y : given1.x);
    float level = neighbour + (given0.w - neighbour) * inward;

    return min(max(level, given0.w), section.z);
}

// Where a level's texel is in the cell.
ivec2 in_cell(int level, int drawn, int side)
{
    return level == drawn ? ivec2(0) : ivec2(side - (side >> (level - drawn - 1)), side);
}

float one_of(vec4 four, int number)
{
    return number == 0 ? four.x : number == 1 ? four.y : number == 2 ? four.z : four.w;
}

// A vertex of a level's grid, as whole quads of the section and the rest of one.
void place_of(ivec2 at, int quads, int across, out vec2 whole, out vec2 rest)
{
    ivec2 scaled = at * quads, whole_quads = scaled / across;

    whole = vec2(whole_quads);
    rest = vec2(scaled - whole_quads * across) / float(across);
}

#ifdef OFFSETS
vec2 drift_at(ivec2 texel, int layer)
{
    return (vec2(texelFetch(drift, ivec3(texel, layer), 0).rg) - 32768.0) / 256.0;
}
#endif

void main()
{
    int quads = int(section.x), sections = int(section.y), last = int(section.z);
    int drawn = int(given0.z), side = int(given4.z), number = int(corner.z);
    ivec2 sub = ivec2(number & 1, number >> 1), at = ivec2(corner.xy);
    int steps = side - 1, cells = 256 / side;
    float level = level_at(at + sub * steps, steps * sections);
    int own = min(int(floor(level)), last), next = min(own + 1, last);
    float part = level - float(own);
    ivec2 here = at >> (own - drawn), there = here / 2;
    int across = ((quads + 1) >> own) - 1, across_next = max((quads + 1) >> (own + 1), 2) - 1;

    ivec2 cell = (ivec2(given4.xy) + sub) & (cells - 1);
    ivec2 first = cell * ivec2(side, side * 3 / 2);
    ivec2 texel = first + in_cell(own, drawn, side) + here;
    ivec2 texel_next = first + in_cell(next, drawn, side) + (next == own ? here : there);
    int layer = int(one_of(given2, number));
    float code_here = float(texelFetch(chain, ivec3(texel, layer), 0).r);
    float code_there = float(texelFetch(chain, ivec3(texel_next, layer), 0).r);
    float height = code_here + (code_there - code_here) * part;

    vec2 whole, rest, whole_next, rest_next, base = given0.xy + vec2(sub * quads);
    place_of(here, quads, across, whole, rest);
    place_of(there, quads, across_next, whole_next, rest_next);
    vec2 spot_at = base + whole + rest + ((whole_next - whole) + (rest_next - rest)) * part;
    vec2 aside = vec2(0);
#ifdef OFFSETS
    int drift_layer = int(one_of(given3, number));
    vec2 drift_here = drift_at(texel, drift_layer), drift_there = drift_at(texel_next, drift_layer);
    aside = (drift_here + (drift_there - drift_here) * part) * metres;
#endif
    vec2 place = from_eye(base + whole, rest) + ((whole_next - whole) + (rest_next - rest)) * part * metres;

    int edge = int(corner.w);
    stand(place, aside, height, spot_at, float(edge >> 1), (edge & 1) != 0, vec2(cell * side + at), float(layer));
}
