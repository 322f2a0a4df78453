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

    if (from >= wet.y)
        return sky;
    vec3 there = start + direction * from;
    vec3 shown = sink(sky_light(direction), wet.y - from);

    if (wet.z >= from)
        shown = mirror(shown, -direction);
    return develop(mix(air_light(there), shown, through_air(there)));
}
#else
uniform vec3 sun;
#endif

void main()
{
    vec3 shown = light;

#ifdef DISC
    shown = mix(disc.rgb, shown, smoothstep(0.9, 1.1, length(normalize(along) - sun) / disc.w));
#endif
#ifdef WATER
    shown = with_water(shown, normalize(along));
#endif
    colour = vec4(shown, 1);
}
