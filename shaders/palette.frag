// What covers the ground, as a table that is made once: across, the height within the landscape's range;
// down, how level the ground is (the normal's z). Its first row, where ground would be upright, is
// the cut side of the model: across, the share of the way down to the base.
// Roots of the colours are kept, which are finer where colours are dark.

in vec2 across;
layout(location = 0) out vec4 colour;

vec3 cover(float height, float level)
{
    vec3 meadow = mix(vec3(0.095, 0.150, 0.038), vec3(0.165, 0.190, 0.066), smoothstep(0.0, 0.40, height));
    vec3 heath = vec3(0.275, 0.225, 0.125), rock = vec3(0.215, 0.190, 0.160);
    vec3 scree = vec3(0.385, 0.365, 0.340), snow = vec3(0.82, 0.85, 0.90);
    vec3 soil = vec3(0.25, 0.185, 0.105);
    vec3 gentle = mix(meadow, heath, smoothstep(0.28, 0.75, height));
    vec3 steep = mix(rock, scree, smoothstep(0.4, 0.9, height));

    gentle = mix(gentle, soil, 0.6 * (1.0 - smoothstep(0.915, 0.985, level)));
    gentle = mix(steep, gentle, smoothstep(0.70, 0.88, level));
    return mix(gentle, snow, smoothstep(0.80, 0.95, height) * smoothstep(0.55, 0.80, level));
}

vec3 earth(float below)
{
    float band = 0.5 + 0.5 * sin(below * 31.0) * sin(below * 11.0 + 1.3);
    vec3 light = vec3(0.33, 0.235, 0.15), dark = vec3(0.255, 0.17, 0.10);

    return mix(mix(dark, light, band), vec3(0.15, 0.105, 0.07), smoothstep(0.0, 1.0, below));
}

void main()
{
    vec2 at = across * 0.5 + 0.5;

    colour = vec4(sqrt(at.y < 1.0 / 64.0 ? earth(at.x) : cover(at.x, at.y)), 1);
}
