// The air between the eye and a point, for each vertex: it changes slowly. After sky.glsl.

uniform vec2 fog; // what a metre hides at the eye's height, and 1 / metres over which it thins

// The share of light that comes through.
float through_air(vec3 from_eye)
{
    float rise = from_eye.z * fog.y;
    float thinned = abs(rise) < 0.001 ? 1.0 - 0.5 * rise : (1.0 - exp(-rise)) / rise;

    return exp(-fog.x * length(from_eye) * thinned);
}

// The light of the air itself: of the sky at the horizon in that direction.
vec3 air_light(vec3 from_eye)
{
    return sky_light(normalize(vec3(from_eye.xy, 0.25 * abs(from_eye.z))));
}
