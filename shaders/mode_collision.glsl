#include "scale.glsl"

uniform sampler2DArray values; // metres

// How far a line of the collision grid is off, in pixels; fading where the grid is finer than can be seen.
float line_at(vec2 samples, vec2 width)
{
    vec2 off = abs(fract(samples + 0.5) - 0.5) / max(width, vec2(1e-6));
    vec2 line = clamp(1.0 - off, 0.0, 1.0) * clamp((1.0 / max(width, vec2(1e-6)) - 4.0) / 6.0, 0.0, 1.0);

    return max(line.x, line.y);
}

vec3 show(Ground ground)
{
    vec2 samples = ground.place / contours.z;
    vec2 width = vec2(length(vec2(dFdx(samples.x), dFdy(samples.x))), length(vec2(dFdx(samples.y), dFdy(samples.y))));
    float error = 0.0;

#ifdef VALUES
    error = texture(values, vec3(ground.texel.xy, layers.z)).r;
#endif
    if (ground.side)
        return side_of(ground);
    return mix(formed(ground, coloured(error)), vec3(0.25, 0.27, 0.30), 0.35 * line_at(samples, width));
}
