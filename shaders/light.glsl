// The light that falls on the ground, and the water over it.
uniform vec2 shading; // how much of the shade of the sun, and of the sky, is shown
#ifdef SHADE
uniform sampler2DArray shade; // see render/shade.h
#endif

#if defined(WATER) || defined(DETAIL)
uniform vec3 forward; // see terrain.vert
uniform vec3 depth;
in vec3 sight; // metres from the eye
#endif

struct Fallen {
    vec3 sun, sky;
};

// On a surface with that normal, which sees so much of the sky before other ground hides some of it.
Fallen light_on(Ground ground, vec3 normal, float open)
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
    return Fallen(direct, around);
}

#ifdef DETAIL
// What a surface mirrors of them, the sharper the smoother it is: Blinn's lobe ("Models of light
// reflection", 1977) with the exponent 2 / r^4 - 2, of what mirrors 4 % from right above, as stone, earth
// and water do, and more at a slant (Schlick, 1994).
vec3 gloss_of(Fallen light, vec3 normal, float roughness)
{
    vec3 away = depth.z > 0.5 ? -forward : -normalize(sight), between = normalize(sun + away);
    float square = roughness * roughness, power = 2.0 / (square * square) - 2.0;
    float slant = 1.0 - max(dot(away, between), 0.0), edge = 1.0 - max(dot(away, normal), 0.0);
    float lobe = 0.125 * (power + 2.0) * pow(max(dot(normal, between), 1e-3), power);
    float smooth_part = 1.0 - roughness;

    return light.sun * lobe * smooth_part * (0.04 + 0.96 * pow(slant, 5.0)) +
           light.sky * smooth_part * smooth_part * (0.04 + 0.96 * pow(edge, 5.0));
}
#endif

#ifdef WATER
#include "water.glsl"

// The ground as it is seen, through water where it is lower than that. However coarsely it is drawn,
// the shore is where the samples say.
vec3 under_water(Ground ground, vec3 shown)
{
    float z = ground.side ? sight.z : code.x * code_on(place.xy + tile.x, int(tile.y)) + code.y;
    float depth = water.x - z, wide = fwidth(depth);

    vec3 at = vec3(sight.xy, z), along = water.w > 0.5 ? forward : normalize(at);
    float reach = water.w > 0.5 ? 1e9 : length(at);
    vec3 wet = wet_part(at, along); // backwards from the ground, which is at 0
    vec3 seen = water.w > 0.5 ? forward : normalize(sight); // not the samples', which is another in each triangle
    Surface surface = surface_at(sight.xy + seen.xy * ((water.x - sight.z) / sound(seen).z));

    if (depth <= 0.0)
        return shown;
    float from = max(wet.x, -reach);

    if (from >= 0.0)
        return shown;
    shown = sink(shown, -from);
    if (wet.z < from)
        return shown;
    float foam = 0.35 * (1.0 - smoothstep(0.0, 1.2 * wide, depth));
    return mix(mirror(shown, -seen, surface), above + 0.2 * sunlight, foam);
}
#endif
