// What covers the ground, as a table that is made once: across, the height within the landscape's range;
// down, how level the ground is (the normal's z). Its first row, where ground would be upright, is
// the cut side of the model: across, the share of the way down to the base.
// Roots of the colours are kept, which are finer where colours are dark.

in vec2 across;
layout(location = 0) out vec4 colour;

vec3 cover(float height, float level)
{
    vec3 meadow = mix(vec3(0.070, 0.120, 0.030), vec3(0.130, 0.160, 0.052), smoothstep(0.0, 0.38, height));
    vec3 heath = vec3(0.240, 0.195, 0.100), scree = vec3(0.345, 0.300, 0.245);
    vec3 soil = vec3(0.235, 0.175, 0.100), rock = vec3(0.195, 0.172, 0.148);
    vec3 pale = vec3(0.54, 0.54, 0.535);
    vec3 gentle = mix(mix(meadow, heath, smoothstep(0.25, 0.62, height)), scree,
                      smoothstep(0.55, 0.88, height));
    vec3 steep = mix(rock, scree * 0.85, smoothstep(0.4, 0.9, height));

    gentle = mix(gentle, soil, 0.55 * (1.0 - smoothstep(0.915, 0.985, level)));
    gentle = mix(steep, gentle, smoothstep(0.70, 0.88, level));
    return mix(gentle, pale, smoothstep(0.78, 0.97, height) * smoothstep(0.55, 0.80, level));
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
