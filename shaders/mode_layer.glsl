#include "scale.glsl"
#include "weights.glsl"

vec3 show(Ground ground)
{
    float weight = 0.0;

#ifdef WEIGHTS1
    weight = weights_of(ground, 0).x;
#endif
    return ground.side ? side_of(ground) : formed(ground, coloured(weight));
}
