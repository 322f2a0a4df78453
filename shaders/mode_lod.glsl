#include "scale.glsl"
#include "hues.glsl"

// Warm where detail is fine, colder and darker level by level.
vec3 show(Ground ground)
{
    float level = clamp(ground.lod, 0.0, 9.0);

    return ground.side ? side_of(ground)
                       : formed(ground, hue(0.02 + 0.085 * level, 0.66, 1.02 - 0.03 * level));
}
