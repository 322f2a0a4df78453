// What the vertices of patches share that are not tiles' own (see pages.glsl): their places are
// computed from whole numbers of the landscape, so that those of two neighbours are equal to the bit.
#include "tile.glsl"
#include "air_vertex.glsl"

layout(location = 0) in vec4 corner;  // see enum wire_mesh
layout(location = 1) in vec4 given0;  // as the geometry has them
layout(location = 2) in vec4 given1;
layout(location = 3) in vec4 given2;
layout(location = 4) in vec4 given3;
layout(location = 5) in vec4 given4;
layout(location = 8) in vec4 tag;     // level of detail, number of the patch

uniform vec3 right, up, forward; // as in terrain.vert
uniform vec4 frame;
uniform vec3 depth, code, range;
uniform vec4 eye;    // whole quads, and the rest
uniform vec2 metres; // of a quad
uniform vec4 solid;  // west, north, east, south border of the ground, quads
uniform vec4 section; // quads, sections a side, last level of detail

out vec4 spot; // see pages.glsl
out vec2 cut;
flat out vec3 face;
flat out vec4 mark;
#include "apart.glsl"

invariant gl_Position;

// A place of the landscape, as the sum of whole quads and the rest, in metres from the eye.
vec2 from_eye(vec2 whole, vec2 rest)
{
    return ((whole - eye.xy) + (rest - eye.zw)) * metres;
}

// A vertex: where it is without offsets (metres from the eye), how far they move it, its height
// code, and where it is in quads, for what is looked up there. On an edge it is the model's side.
void stand(vec2 at, vec2 aside, float height, vec2 quads, float edge, bool hem, vec2 holes, float layer)
{
    vec2 inward = edge == 1.0 ? vec2(0, 1) : edge == 2.0 ? vec2(-1, 0)
                : edge == 3.0 ? vec2(0, -1) : edge == 4.0 ? vec2(1, 0) : vec2(0);
    float z = hem ? code.z : code.x * height + code.y;
    vec3 place = vec3(clamp(at, from_eye(solid.xy, vec2(0)), from_eye(solid.zw, vec2(0))) + aside, z);
    float share = edge > 0.0 ? (range.x - z) / (range.x - code.z) : z - range.x;

    spot = vec4(clamp(quads, solid.xy, solid.zw) + inward * 0.02, share, look_through(place));
    cut = holes + inward * 0.02;
    face = edge > 0.0 ? vec3(-inward, 0) : vec3(0, 0, 1);
    mark = vec4(tag.xy, layer, 0);
    set_apart();
#ifdef OUTPUT
    spot.w = dot(forward, place);
#endif

    vec3 seen = vec3(dot(right, place), dot(up, place), dot(forward, place));
    float w = depth.z > 0.5 ? 1.0 : seen.z;
    gl_Position = vec4(seen.xy * frame.xy + frame.zw * w, depth.x * seen.z + depth.y, w);
}
