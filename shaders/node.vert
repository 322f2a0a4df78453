// A node: a grid of vertices so many quads apart, of a quadtree or of every quad.
#include "patch.glsl"

// given0: north-west corner (quads), quads between vertices, layer of the heights
// given1: last vertex before the landscape's border, metres where the morph begins and ends
// given2: the corner's sample in the tile, layer of the offsets, bits of the sides that do not morph

float code_of(ivec2 at)
{
    return code_at(at + ivec2(given2.xy), int(given0.w));
}

void main()
{
    ivec2 at = min(ivec2(corner.xy), ivec2(given1.xy));
    vec2 whole = given0.xy + vec2(at) * given0.z;
    float height = code_of(at);
    vec2 place = from_eye(whole, vec2(0));

    stand(place, height, whole, corner.z, corner.w > 0.5, vec2(at) + given2.xy, given0.w);
}
