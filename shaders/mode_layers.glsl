#include "scale.glsl"
#include "weights.glsl"

void add(Ground ground, int slot, inout vec4 sum)
{
#ifdef WEIGHTS1
    vec4 weight = weights_of(ground, slot);

    for (int i = 0; i < 4; i++)
        sum += weight[i] * vec4(entry(paint_of(4 * slot + i)), 1);
#endif
}

// Gray as far as nothing covers the ground.
vec3 show(Ground ground)
{
    vec4 sum = vec4(0);

    if (ground.side)
        return side_of(ground);
#ifdef WEIGHTS1
    add(ground, 0, sum);
#endif
#ifdef WEIGHTS2
    add(ground, 1, sum);
#endif
#ifdef WEIGHTS3
    add(ground, 2, sum);
#endif
    sum.rgb = sum.a > 1.0 ? sum.rgb / sum.a : sum.rgb + (1.0 - sum.a) * (128.0 / 255.0);
    return formed(ground, sum.rgb);
}
