// What is seen where there is no ground, on a grid of GRID x GRID squares over the whole picture: its
// light changes so slowly that the corners suffice.
#include "sky.glsl"

const int GRID = 40;

uniform vec4 frame;
uniform vec3 looking; // half the picture across and up; 1 when orthographic
uniform vec3 sight_right, sight_up, sight_forward; // unit vectors

out vec3 light;
out vec3 along; // the ray, of any length
#ifdef WATER
out vec3 start; // metres from the eye
#endif

void main()
{
    ivec2 at = ivec2(gl_VertexID % (GRID + 1), gl_VertexID / (GRID + 1));
    vec2 across = 2.0 * vec2(at) / float(GRID) - 1.0;
    vec2 aside = across * looking.xy;
    vec3 beside = aside.x * sight_right + aside.y * sight_up;

    along = sight_forward + (looking.z > 0.5 ? vec3(0) : beside);
    light = develop(sky_light(normalize(along)));
#ifdef WATER
    start = looking.z > 0.5 ? beside : vec3(0);
#endif
    gl_Position = vec4(across * frame.xy + frame.zw, 1, 1);
}
