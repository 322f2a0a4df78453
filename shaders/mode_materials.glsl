#include "cover.glsl"

vec3 show(Ground ground)
{
    return encode(main_material(ground));
}
