#include "cover.glsl"

vec3 show(Ground ground)
{
    return encode(cover_of(ground).albedo);
}
