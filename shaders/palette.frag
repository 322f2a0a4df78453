// What covers the ground, as a table that is made once: across, the height within the landscape's range;
// down, how level the ground is (the normal's z). Roots of the colours are kept, which are finer where
// colours are dark.

in vec2 across;
layout(location = 0) out vec4 colour;

vec3 cover(float height, float level)
{
    vec3 meadow = mix(vec3(0.032, 0.056, 0.020), vec3(0.080, 0.093, 0.034), smoothstep(0.0, 0.38, height));
    vec3 heath = vec3(0.160, 0.124, 0.066), scree = vec3(0.265, 0.228, 0.188);
    vec3 soil = vec3(0.150, 0.104, 0.058), rock = vec3(0.150, 0.128, 0.108);
    vec3 pale = vec3(0.60, 0.615, 0.64);
    vec3 gentle = mix(mix(meadow, heath, smoothstep(0.25, 0.62, height)), scree,
                      smoothstep(0.55, 0.88, height));
    vec3 steep = mix(rock, scree * 0.85, smoothstep(0.4, 0.9, height));

    gentle = mix(gentle, soil, 0.55 * (1.0 - smoothstep(0.915, 0.985, level)));
    gentle = mix(steep, gentle, smoothstep(0.70, 0.88, level));
    return mix(gentle, pale, smoothstep(0.78, 0.97, height) * smoothstep(0.55, 0.80, level));
}

void main()
{
    vec2 at = across * 0.5 + 0.5;

    colour = vec4(sqrt(cover(at.x, at.y)), 1);
}
