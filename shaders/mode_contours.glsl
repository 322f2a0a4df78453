#include "scale.glsl"

// How much of a pixel a family of lines covers: see render/flat_contours.c, which does the same.
float cover(float z, float interval, float rise, float half_width)
{
    float from = z / interval, apart = interval / rise;
    float off = abs(from - floor(from + 0.5)) * apart;

    return clamp(half_width + 0.5 - off, 0.0, 1.0) * clamp((apart - widths.z) / (widths.w - widths.z), 0.0, 1.0);
}

vec3 show(Ground ground)
{
    float z = true_z(ground);
    vec3 paper = mix(coloured(z), vec3(1), ink.w);
    // Metres over the ground for a pixel to the right and down, and how the ground rises along them.
    float rise = length(vec2(dot(ground.slope, dFdx(ground.place) * quad), dot(ground.slope, dFdy(ground.place) * quad)));
    float line = 0.0;

    if (ground.side)
        return side_of(ground);
    if (rise > 1e-3 * contours.x)
        line = max(stored.z * cover(z, contours.x, rise, widths.x),
                   cover(z, contours.x * contours.y, rise, widths.y));
    return mix(formed(ground, paper), ink.rgb, line);
}
