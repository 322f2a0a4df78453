// Water up to a level over the landscape, or over all the world. After sky.glsl.

uniform vec4 water;      // its level above the eye, metres that one sees into it, 1: to the horizon, 1: parallel rays
uniform vec4 water_box;  // metres from the eye: west, north, east, south border
uniform float water_floor; // above the eye: where the model ends below
uniform vec3 water_body; // the light that its depth throws back

// What is seen of `behind` through some metres of water: red goes first.
vec3 sink(vec3 behind, float metres)
{
    vec3 through = exp(-metres / water.y * vec3(2.6, 1.3, 1.0));

    return mix(water_body, behind, through);
}

// The surface, looked at against `towards_eye`: the sky in it, and the sun's glitter.
vec3 mirror(vec3 within, vec3 towards_eye)
{
    vec3 up = vec3(-towards_eye.xy, towards_eye.z);
    float grazing = 1.0 - towards_eye.z, square = grazing * grazing;
    float share = 0.02 + 0.98 * square * square * grazing; // Schlick's fit to Fresnel's law
    // Ripples, all of a slope: the more aslant, the longer the sun's trail (Blinn, 1977).
    float glint = pow(max(normalize(towards_eye + sun).z, 0.0), 900.0);

    return mix(within, sky_light(up), share) + sunlight * (glint * 6.0 * (0.05 + share));
}

// A direction without a zero, to divide by.
vec3 sound(vec3 along)
{
    return vec3(abs(along.x) < 1e-6 ? 1e-6 : along.x, abs(along.y) < 1e-6 ? 1e-6 : along.y,
                abs(along.z) < 1e-6 ? 1e-6 : along.z);
}

// Metres along a ray between which it is in the water, none if the second is less; z: where it meets
// the level from above, else less than x.
vec3 wet_part(vec3 from, vec3 along)
{
    vec3 way = sound(along);
    float level = (water.x - from.z) / way.z;
    vec2 part = way.z < 0.0 ? vec2(level, 1e9) : vec2(-1e9, level);

    if (water.z < 0.5) {
        vec2 a = (water_box.xy - from.xy) / way.xy, b = (water_box.zw - from.xy) / way.xy;
        vec2 first = min(a, b), last = max(a, b);

        float floor_at = (water_floor - from.z) / way.z;

        part = vec2(max(part.x, max(first.x, first.y)), min(part.y, min(last.x, last.y)));
        part = way.z < 0.0 ? vec2(part.x, min(part.y, floor_at)) : vec2(max(part.x, floor_at), part.y);
    }
    return vec3(part, way.z < 0.0 ? level : -1e9);
}
