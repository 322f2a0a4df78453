#include "scale.glsl"

// See terrain/query/shading.h, the arithmetic of which this is.
float light_from(vec2 azimuth, vec2 slope)
{
    return max(bearing.w + bearing.z * (azimuth.y * slope.y - azimuth.x * slope.x), 0.0);
}

vec2 turned(vec2 azimuth, float sine, float cosine)
{
    return vec2(azimuth.x * cosine + azimuth.y * sine, azimuth.y * cosine - azimuth.x * sine);
}

float weighed(vec2 azimuth, vec2 slope)
{
    float along = slope.x * azimuth.x - slope.y * azimuth.y;

    return (along * along + 0.5e-12) * light_from(azimuth, slope);
}

vec3 show(Ground ground)
{
    float steep = dot(ground.slope, ground.slope), light = light_from(bearing.xy, ground.slope);
    const float half_root = 0.70710678;

    if (ground.side)
        return side_of(ground) * 0.9;
    if (contours.w > 0.5)
        light = (weighed(turned(bearing.xy, -1.0, 0.0), ground.slope) +
                 weighed(turned(bearing.xy, -half_root, half_root), ground.slope) +
                 weighed(bearing.xy, ground.slope) +
                 weighed(turned(bearing.xy, half_root, half_root), ground.slope)) /
                (2.0 * (steep + 1e-12));
    return vec3(floor(light * inversesqrt(1.0 + steep) * 255.0 + 0.5) / 255.0);
}
