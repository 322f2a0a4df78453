// A node: a grid of vertices so many quads apart, of a quadtree or of every quad. They move towards
// the next coarser grid as terrain/lod/patch_vertices.c has it, number for number.
#include "patch.glsl"

// given0: north-west corner (quads), quads between vertices, layer of the heights
// given1: last vertex before the landscape's border, metres where the morph begins and ends
// given2: the corner's sample in the tile, layer of the offsets, bits of the sides that do not morph
// given3: quads of the grid, a side

#ifdef OFFSETS
layout(location = 9) in vec2 more_offset; // of a vertex of a finer neighbour
#endif

uniform vec2 border; // the landscape's last column and row

float height_at(ivec2 at)
{
    return code_at(at + ivec2(given2.xy), int(given0.w));
}

vec2 whole_of(ivec2 at)
{
    return min(given0.xy + vec2(at) * given0.z, border);
}

vec2 offset_of(ivec2 at)
{
#ifdef OFFSETS
    return offset_at(at + ivec2(given2.xy), int(given2.z));
#else
    return vec2(0);
#endif
}

// East and south of its place in quads, and height.
vec3 vertex_at(ivec2 at)
{
    return vec3(offset_of(at), height_at(at));
}

// How far a vertex lies between its even neighbours, which may stand closer at the border.
vec2 between(ivec2 at)
{
    vec2 before = whole_of(at & ~1), after = whole_of((at + 1) & ~1), here = whole_of(at);

    return vec2(after.x > before.x ? (here.x - before.x) / (after.x - before.x) : 0.0,
                after.y > before.y ? (here.y - before.y) / (after.y - before.y) : 0.0);
}

// The two corners at which strips meet along the other diagonal.
bool across_corner(ivec2 at, int last)
{
    ivec2 half_of = ivec2(given0.xy) & ivec2(given0.z * float(last + 1));
    bool east = half_of.x != 0, south = half_of.y != 0;

    return (east && !south && at.x == last && at.y == 1) || (!east && south && at.x == 1 && at.y == last);
}

// On the next coarser node's mesh, of which this is a quarter.
vec3 coarser_at(ivec2 at, int last)
{
    ivec2 low = at & ~1, high = (at + 1) & ~1;
    vec3 nw = vertex_at(low), ne = vertex_at(ivec2(high.x, low.y));
    vec3 sw = vertex_at(ivec2(low.x, high.y)), se = vertex_at(high);
    vec2 part = between(at);

    if (!across_corner(at, last))
        return part.x >= part.y ? nw + part.x * (ne - nw) + part.y * (se - ne)
                                : nw + part.x * (se - sw) + part.y * (sw - nw);
    if (part.x + part.y <= 1.0)
        return nw + part.x * (ne - nw) + part.y * (sw - nw);
    return se + (1.0 - part.x) * (sw - se) + (1.0 - part.y) * (ne - se);
}

bool stays(ivec2 at, int grid)
{
    int still = int(given2.w);

    return ((at.x | at.y) & 1) == 0 || (at.x == 0 && (still & 1) != 0) || (at.x == grid && (still & 2) != 0) ||
           (at.y == 0 && (still & 4) != 0) || (at.y == grid && (still & 8) != 0);
}

void main()
{
    if (corner.z > 4.5) { // of a finer neighbour
        vec2 more = given0.xy + corner.xy;

        vec2 aside = vec2(0);

#ifdef OFFSETS
        aside = (more_offset - 32768.0) / 256.0 * metres;
#endif
        stand(from_eye(more, vec2(0)), aside, corner.w, more, 0.0, false, vec2(0), given0.w);
        return;
    }

    ivec2 at = min(ivec2(corner.xy), ivec2(given1.xy));
    vec2 whole = whole_of(at);
    vec3 moved = vertex_at(at);

    if (given1.w > given1.z && !stays(at, int(given3.x))) {
        float far = length(vec3(from_eye(whole, vec2(0)), code.x * moved.z + code.y));
        float part = clamp((far - given1.z) / (given1.w - given1.z), 0.0, 1.0);

        if (part > 0.0)
            moved += (coarser_at(at, int(given3.x) - 1) - moved) * part;
    }
    stand(from_eye(whole, vec2(0)), moved.xy * metres, moved.z, whole, corner.z, corner.w > 0.5, vec2(at) + given2.xy,
          given0.w);
}
