#include "scale.glsl"
#include "hues.glsl"

vec3 show(Ground ground)
{
    return ground.side ? side_of(ground) : formed(ground, hue_of(int(ground.patch_number) & 1023));
}
