#include "render/uniforms.h"

#include "render/daylight.h"

void uniforms_light(const struct gl *gl, GLuint program, const struct wire_scene *scene)
{
    const struct wire_light *wanted = &scene->light;
    struct daylight light;

    daylight_of(wanted->sun_azimuth, wanted->sun_elevation, &light);
    uniform_3f(gl, program, "sun", light.sun);
    uniform_3f(gl, program, "sunlight", light.sunlight);
    uniform_3f(gl, program, "above", light.above);
    uniform_3f(gl, program, "below", light.below);
    uniform_3f(gl, program, "zenith", light.zenith);
    uniform_3f(gl, program, "horizon", light.horizon);
    uniform_3f(gl, program, "floor_colour", light.floor);
    uniform_3f(gl, program, "glow", light.glow);
    uniform_2f(gl, program, "shading", (const float[2]){ wanted->shadows, wanted->occlusion });
}
