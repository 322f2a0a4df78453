#include "scale.glsl"

uniform sampler2DArray values; // metres

vec3 show(Ground ground)
{
    float rise = 0.0;

#ifdef VALUES
    rise = texture(values, vec3(ground.texel.xy, layers.z)).r;
#endif
    return ground.side ? side_of(ground) : formed(ground, coloured(rise));
}
