#include "cover.glsl"

vec3 show(Ground ground)
{
    Cover cover = cover_of(ground);

    Fallen light = light_on(ground, cover.normal, cover.open);
    vec3 shown = cover.albedo * (light.sun + light.sky);

#ifdef DETAIL
    shown += gloss_of(light, cover.normal, clamp(cover.roughness, 0.1, 1.0));
#endif
    return shown;
}
