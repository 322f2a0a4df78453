// Colours that are told apart, for things with numbers.

vec3 hue(float turn, float strength, float light)
{
    vec3 wave = 0.5 + 0.5 * cos(6.2831853 * (turn + vec3(0.0, -0.3333, 0.3333)));

    return light * mix(vec3(0.62), wave, strength);
}

// Next numbers are far from each other on the circle of colours.
vec3 hue_of(int number)
{
    float at = fract(float(number) * 0.61803399 + 0.08);

    return hue(at, 0.62, (number & 1) == 0 ? 1.0 : 0.86);
}
