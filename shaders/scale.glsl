// Numbers of the ground as colours: see render/ramp.h and render/mode_scale.h.

uniform sampler2D table; // 256 colours: of the ramp, or of the paint layers
uniform vec4 span;       // low, middle, high; how much the ground's form is shown by light
uniform vec4 contours;   // interval, every how many-th is thicker; quads between collision samples; 1: light from several sides
uniform vec4 stored;     // metres of a stored height, local z of the stored height 0
uniform vec4 ink, widths; // see struct contour_pen of render/flat_colours.h; the lesser lines' share is stored.z
uniform vec4 level;      // of aspects: see there; quads of the landscape without its pad
uniform vec2 quad;       // metres of a quad of the landscape
uniform vec4 bearing;    // sine and cosine of the sun's azimuth, cosine and sine of its elevation

vec3 entry(int at)
{
    return texelFetch(table, ivec2(at, 0), 0).rgb;
}

vec3 coloured(float value)
{
    float share = value < span.y ? 0.5 * (value - span.x) / (span.y - span.x)
                                 : 0.5 * (value - span.y) / (span.z - span.y) + 0.5;

    return entry(int(clamp(share, 0.0, 1.0) * 255.0 + 0.5));
}

// Local z of the ground itself, between samples, where it is drawn with fewer quads.
float true_z(Ground ground)
{
    return ground.side ? ground.z : stored.x * code_between(place.xy + tile.x, int(tile.y)) + stored.y;
}

// Colours say nothing of form; light does, but where one looks down on a map, which is to be read.
vec3 formed(Ground ground, vec3 colour)
{
    vec3 towards = normalize(vec3(sun.xy, max(sun.z, 0.55)));
    float light = 0.50 + 0.58 * dot(ground.normal, towards);

    return colour * mix(1.0, clamp(light, 0.0, 1.08), span.w);
}

// The cut sides of the model, where there is nothing to be told of.
vec3 side_of(Ground ground)
{
    return vec3(0.66, 0.64, 0.61) * (0.94 + 0.10 * ground.normal.y - 0.05 * ground.normal.x) *
           mix(1.0, 0.80, ground.height);
}
