// The light of the day and what becomes of it in the picture. Colours are linear until develop.

uniform vec3 sun, sunlight, above, below;       // see render/daylight.h
uniform vec3 zenith, horizon, floor_colour, glow;

vec3 sky_light(vec3 direction)
{
    float height = direction.z, towards = max(dot(direction, sun), 0.0);
    vec3 light = mix(horizon, height < 0.0 ? floor_colour : zenith,
                     1.0 - exp(height < 0.0 ? 4.5 * height : -3.2 * height));
    float shine = 0.14 * pow(towards, 6.0) + 0.7 * pow(towards, 90.0);

    return light + glow * shine * exp(min(height, 0.0) * 14.0);
}

// As sRGB codes linear colours (a fit with square roots, within half a step of 8 bits).
vec3 encode(vec3 shown)
{
    vec3 root = sqrt(clamp(shown, 0.0, 1.0)), fourth = sqrt(root), eighth = sqrt(fourth);

    return 0.662002687 * root + 0.684122060 * fourth - 0.323583601 * eighth - 0.0225411470 * shown;
}

// Towards white without ever reaching it.
vec3 develop(vec3 light)
{
    return encode(light * (1.0 + light * 0.10) / (1.0 + light * 0.50));
}
