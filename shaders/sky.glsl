// The light of the day and what becomes of it in the picture. Colours are linear until develop.

uniform vec3 sun, sunlight, above, below;       // see render/daylight.h
uniform vec3 zenith, horizon, floor_colour, glow, dusk;

vec3 sky_light(vec3 direction)
{
    float height = direction.z, towards = max(dot(direction, sun), 0.0);
    vec3 light = mix(horizon, height < 0.0 ? floor_colour : zenith,
                     1.0 - exp(height < 0.0 ? 2.6 * height : -3.2 * height));
    float shine = 0.14 * pow(towards, 6.0) + 0.6 * pow(towards, 160.0);
    float side = 0.5 + 0.5 * dot(direction.xy, sun.xy);

    return light + glow * shine * exp(min(height, 0.0) * 14.0) +
           dusk * (0.25 + 0.75 * side * side) * exp(-6.0 * abs(height));
}

// As sRGB codes linear colours (a fit with square roots, within half a step of 8 bits).
vec3 encode(vec3 shown)
{
    vec3 root = sqrt(clamp(shown, 0.0, 1.0)), fourth = sqrt(root), eighth = sqrt(fourth);

    return 0.662002687 * root + 0.684122060 * fourth - 0.323583601 * eighth - 0.0225411470 * shown;
}

// Light to what is shown, as film takes it, coded for the screen as well. The curve is that of Hejl
// and Burgess-Dawson (in John Hable, "Filmic Tonemapping Operators", 2010).
vec3 develop(vec3 light)
{
    vec3 x = max(light, 0.0);

    return x * (6.2 * x + 0.12) / (x * (6.2 * x + 1.25) + 0.06);
}
