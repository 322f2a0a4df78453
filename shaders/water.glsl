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

// A direction without a zero, to divide by.
vec3 sound(vec3 along)
{
    return vec3(abs(along.x) < 1e-6 ? 1e-6 : along.x, abs(along.y) < 1e-6 ? 1e-6 : along.y,
                abs(along.z) < 1e-6 ? 1e-6 : along.z);
}

// Where the surface is met, metres from the eye, and how far that is from one pixel to the next.
struct Surface {
    vec2 at, across, down;
};

Surface surface_at(vec2 at)
{
    return Surface(at, dFdx(at), dFdy(at));
}

// How steep its ripples are there, east and south: those of a light wind, the longest first, each turned
// against the last and pushed aside by it, that they make no pattern. What a pixel cannot show is still.
vec2 ripples(Surface surface)
{
    const float STEEP = 0.032, SHORTER = 0.71;
    const mat2 TURN = mat2(-0.302, 0.953, -0.953, -0.302); // by more than a quarter: 1.878 radians
    vec2 at = surface.at - water_box.xy, along = vec2(0.829, 0.559), slope = vec2(0);
    float turns = 0.11; // a metre
    // Still from where the short ones are not seen, without which the long ones are a pattern.
    float near = clamp(1.5 - 5.0 * min(length(surface.across), length(surface.down)), 0.0, 1.0);

    for (int i = 0; i < 9; i++) {
        float wide = (abs(dot(surface.across, along)) + abs(dot(surface.down, along))) * turns;
        float phase = 6.2831853 * turns * dot(at, along) + 1.9 * float(i * i);
        float shown = near * STEEP * clamp(2.0 - 8.0 * wide, 0.0, 1.0);

        slope += shown * cos(phase) * along;
        at += 0.035 / turns * sin(phase) * along.yx;
        along = TURN * along;
        turns /= SHORTER;
    }
    return slope;
}

// The surface, looked at against `towards_eye`: the sky in it, and the sun's glitter.
vec3 mirror(vec3 within, vec3 towards_eye, Surface surface)
{
    vec3 normal = normalize(vec3(-ripples(surface), 1));
    float facing = max(dot(towards_eye, normal), 0.0);
    vec3 up = 2.0 * dot(towards_eye, normal) * normal - towards_eye;
    float grazing = 1.0 - facing, square = grazing * grazing;
    float share = 0.02 + 0.98 * square * square * grazing; // Schlick's fit to Fresnel's law
    // Smaller ripples, all of a slope: the more aslant, the longer the sun's trail (Blinn, 1977).
    float glint = pow(max(dot(normalize(towards_eye + sun), normal), 0.0), 900.0);

    return mix(within, sky_light(vec3(up.xy, abs(up.z))), share) + sunlight * (glint * 6.0 * (0.05 + share));
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
