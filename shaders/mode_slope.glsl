#include "scale.glsl"

vec3 show(Ground ground)
{
    return ground.side ? side_of(ground)
                       : formed(ground, coloured(degrees(atan(length(ground.slope)))));
}
