#include "scale.glsl"

vec3 show(Ground ground)
{
    vec3 colour = coloured(true_z(ground));

    return ground.side ? mix(colour, side_of(ground), 0.45) : formed(ground, colour);
}
