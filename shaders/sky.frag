// See sky.vert; the sun's disc, which is small, and water are found here.

uniform vec4 disc; // what is shown of it; w: its radius, 0 when it is not to be seen

in vec3 light;
in vec3 along;
layout(location = 0) out vec4 colour;

#ifdef WATER
#include "sky.glsl"
#include "air.glsl"
#include "water.glsl"

in vec3 start;

// Water where there is no ground in front of it or beneath.
vec3 with_water(vec3 sky, vec3 direction)
{
    vec3 wet = wet_part(start, direction);
    float from = max(wet.x, 0.0);
    vec3 there = start + direction * from;
    Surface surface = surface_at(there.xy);

    if (from >= wet.y)
        return sky;
    vec3 shown = sink(sky_light(direction), wet.y - from);

    if (wet.z >= from)
        shown = mirror(shown, -direction, surface);
    return develop(mix(air_light(there), shown, through_air(there)));
}
#else
uniform vec3 sun;
#endif

#ifdef NIGHT
uniform float stars; // how much of them is to be seen

// Thoroughly mixed: PCG's permutation of three numbers (Jarzynski and Olano, "Hash Functions for GPU
// Rendering", 2020).
uvec3 mixed(uvec3 v)
{
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

// A few thousand of them, where nobody has seen them before: one in some cells of a cube's faces, as large
// as a pixel.
vec3 starlight(vec3 direction)
{
    const float CELLS = 44.0; // from a face's middle to its border
    vec3 size = abs(direction);
    int face = size.x > max(size.y, size.z) ? 0 : size.y > size.z ? 1 : 2;
    vec3 turned = face == 0 ? direction.yzx : face == 1 ? direction.zxy : direction;
    vec2 at = turned.xy / abs(turned.z) * CELLS, cell = floor(at);
    uvec3 dice = mixed(uvec3(ivec3(ivec2(cell) + 100, face * 2 + (turned.z > 0.0 ? 1 : 0))));
    vec2 there = cell + 0.25 + 0.5 * vec2(dice.xy & 65535u) / 65535.0;
    float lot = float(dice.z & 65535u) / 65535.0, tint = float(dice.z >> 16u) / 65535.0;
    float wide = 1.1 * length(fwidth(along)) / length(along) * CELLS / max(abs(turned.z), 0.5);
    float near = clamp(1.0 - length(at - there) / min(max(wide, 0.02), 0.25), 0.0, 1.0);
    float bright = lot < 0.3 ? pow(lot / 0.3, 5.0) * 0.9 + 0.06 : 0.0; // many faint, few bright

    return near * bright * mix(vec3(1.0, 0.88, 0.75), vec3(0.78, 0.88, 1.0), tint);
}

// Less than a step of 8 bits, of no direction (Jimenez, "Next Generation Post Processing in Call of Duty",
// 2014): a dark sky changes so slowly that its steps would be seen.
float grain(vec2 pixel)
{
    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}
#endif

void main()
{
    vec3 shown = light;

#ifdef NIGHT
    shown += stars * smoothstep(0.0, 0.35, normalize(along).z) * starlight(normalize(along)) + grain(gl_FragCoord.xy);
#endif

#ifdef DISC
    shown = mix(disc.rgb, shown, smoothstep(0.9, 1.1, length(normalize(along) - sun) / disc.w));
#endif
#ifdef WATER
    shown = with_water(shown, normalize(along));
#endif
    colour = vec4(shown, 1);
}
