#include "cover.glsl"

vec3 show(Ground ground)
{
    Cover cover = cover_of(ground);
    vec3 light = sunlight * max(dot(cover.normal, sun), 0.0) +
                 mix(below, above, 0.5 + 0.5 * cover.normal.z) * cover.open;

    return cover.albedo * light;
}
