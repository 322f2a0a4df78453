// The light that falls on the ground, and the water over it.
uniform vec2 shading; // how much of the shade of the sun, and of the sky, is shown
#ifdef SHADE
uniform sampler2DArray shade; // see render/shade.h
#endif

// On a surface with that normal, which sees so much of the sky before other ground hides some of it.
vec3 light_on(Ground ground, vec3 normal, float open)
{
    float facing = dot(normal, sun);
    // a cut side is no ground: as on a stage, it is never without light
    vec3 direct = sunlight * max(ground.side ? 0.42 + 0.34 * facing : facing, 0.0);
    vec3 around = mix(below, above, 0.5 + 0.5 * normal.z) * open;

#ifdef SHADE
    vec2 seen = ground.side ? vec2(1) : texture(shade, vec3(ground.texel.xy, layers.x)).rg;

    seen = 1.0 - shading * (1.0 - seen);
    direct *= seen.x;
    around *= seen.y;
#endif
    return direct + around;
}

#ifdef WATER
#include "water.glsl"

uniform vec3 forward; // see terrain.vert
in vec3 sight;        // metres from the eye

// The ground as it is seen, through water where it is lower than that. However coarsely it is drawn,
// the shore is where the samples say.
vec3 under_water(Ground ground, vec3 shown)
{
    float z = ground.side ? sight.z : code.x * code_on(place.xy + tile.x, int(tile.y)) + code.y;
    float depth = water.x - z, wide = fwidth(depth);

    if (depth <= 0.0)
        return shown;
    vec3 at = vec3(sight.xy, z), along = water.w > 0.5 ? forward : normalize(at);
    float reach = water.w > 0.5 ? 1e9 : length(at);
    vec3 wet = wet_part(at, along); // backwards from the ground, which is at 0
    float from = max(wet.x, -reach);

    if (from >= 0.0)
        return shown;
    shown = sink(shown, -from);
    if (wet.z < from)
        return shown;
    float foam = 0.35 * (1.0 - smoothstep(0.0, 1.2 * wide, depth));
    return mix(mirror(shown, -along), above + 0.2 * sunlight, foam);
}
#endif
