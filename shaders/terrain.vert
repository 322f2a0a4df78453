// A patch: a grid of quads laid over a part of a tile, with skirts around it. At the border of the
// ground the skirt is the side of the model and hangs down to its base.
#include "tile.glsl"
#include "air_vertex.glsl"

layout(location = 0) in vec4 corner;  // column, row, edge (0 none, 1 N, 2 E, 3 S, 4 W), 1 at the hem
layout(location = 1) in vec4 grid;    // north-west place, side of a quad, layer
layout(location = 2) in vec4 limit;   // west, north, east, south border of the ground
layout(location = 3) in vec4 ground;  // metres from the eye to the tile's corner, metres of a quad
layout(location = 4) in vec4 extra;   // shift to the samples, drop of the skirt, layers of weights1 and weights2
layout(location = 5) in vec4 corner_quads;   // the tile's corner in the landscape's quads, quads of one of its own, its level
layout(location = 6) in vec4 slots;   // layers of shade, offsets, values, weights0
layout(location = 7) in uvec4 painted; // which paint layers the weights are of, a byte each
layout(location = 8) in vec4 tag;      // level of detail, number of the patch

uniform vec3 right, up, forward; // over the tangents of the half picture
uniform vec4 frame;              // scale and offset of this part of the picture
uniform vec3 depth;              // z = depth.x * ahead + depth.y; 1 in depth.z: orthographic
uniform vec3 code;               // metres of a code, of code 0, of the model's base, above the eye
uniform vec3 range;              // z of the lowest ground

out vec4 place; // see ground.frag
flat out vec2 tile;
flat out vec2 steepen;
flat out vec3 face;
flat out vec4 quads;
flat out vec4 layers;
flat out vec2 layers2;
flat out uvec4 paints;
flat out vec2 mark;
#include "apart.glsl"

void main()
{
    vec2 at = clamp(grid.xy + corner.xy * grid.z, limit.xy, limit.zw);
    vec2 inward = corner.z == 1.0 ? vec2(0, 1) : corner.z == 2.0 ? vec2(-1, 0)
                : corner.z == 3.0 ? vec2(0, -1) : corner.z == 4.0 ? vec2(1, 0) : vec2(0);
    bool border = corner.z == 1.0 ? at.y <= limit.y : corner.z == 2.0 ? at.x >= limit.z
                : corner.z == 3.0 ? at.y >= limit.w : corner.z == 4.0 ? at.x <= limit.x : false;
    float z = code.x * code_between(at + extra.x, int(grid.w)) + code.y;

    if (corner.w > 0.0)
        z = border ? code.z : max(z - extra.y, code.z);

    vec3 from_eye = vec3(ground.xy + at * ground.zw, z);
#ifdef OFFSETS
    from_eye.xy += offset_between(at + extra.x, int(slots.y)) * ground.zw / corner_quads.z;
#endif
    float height = border ? (range.x - z) / (range.x - code.z) : z - range.x;

    place = vec4(at + inward * 0.02, height, look_through(from_eye));
    tile = vec2(extra.x, grid.w);
    quads = corner_quads;
    layers = slots;
    layers2 = extra.zw;
    paints = painted;
    mark = tag.xy;
    set_apart();
    steepen = border ? vec2(0) : code.x / ground.zw;
    face = border ? vec3(-inward, 0) : vec3(0, 0, 1);

#ifdef OUTPUT
    place.w = dot(forward, from_eye);
#endif

    vec3 seen = vec3(dot(right, from_eye), dot(up, from_eye), dot(forward, from_eye));
    float w = depth.z > 0.5 ? 1.0 : seen.z;
    gl_Position = vec4(seen.xy * frame.xy + frame.zw * w, depth.x * seen.z + depth.y, w);
}
