#include "cover.glsl"

vec3 show(Ground ground)
{
    Cover cover = cover_of(ground);

    return cover.albedo * light_on(ground, cover.normal, cover.open);
}
