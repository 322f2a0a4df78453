#include "render/uniforms.h"

#include <math.h>

#include "render/daylight.h"

/* As develop of sky.glsl does. */
static float developed(float light)
{
    float x = fmaxf(light, 0);

    return x * (6.2f * x + 0.12f) / (x * (6.2f * x + 1.25f) + 0.06f);
}

static void set_disc(const struct gl *gl, GLuint program, const struct daylight *light)
{
    const float radius = 0.0062f; /* a little more than it is: its brink is blurred */
    float disc[4] = { 0, 0, 0, light->disc[0] > 0 ? radius : 0 };

    for (int i = 0; i < 3; i++)
        disc[i] = developed(light->disc[i]);
    uniform_4f(gl, program, "disc", disc);
}

static void set_water(const struct gl *gl, GLuint program, const struct wire_scene *scene,
                      const struct daylight *light)
{
    const struct wire_water *water = &scene->water;
    float body[3];

    if (!water->on)
        return;
    /* Its depth is lit by the sky and by the sun, the more the higher that stands. */
    for (int i = 0; i < 3; i++)
        body[i] = water->color[i] *
                  (light->above[i] + 0.45f * light->sunlight[i] * fmaxf(light->sun[2], 0));
    uniform_4f(gl, program, "water",
               (const float[4]){ water->level, water->clear, water->to_horizon ? 1 : 0,
                                 scene->ortho ? 1 : 0 });
    uniform_4f(gl, program, "water_box", water->box);
    gl->Uniform1f(gl->GetUniformLocation(program, "water_floor"), scene->base);
    uniform_3f(gl, program, "water_body", body);
}

void uniforms_light(const struct gl *gl, GLuint program, const struct wire_scene *scene)
{
    const struct wire_light *wanted = &scene->light;
    struct daylight light;

    daylight_of(wanted->sun_azimuth, wanted->sun_elevation, wanted->exposure, &light);
    uniform_3f(gl, program, "sun", light.sun);
    uniform_3f(gl, program, "sunlight", light.sunlight);
    uniform_3f(gl, program, "above", light.above);
    uniform_3f(gl, program, "below", light.below);
    uniform_3f(gl, program, "zenith", light.zenith);
    uniform_3f(gl, program, "horizon", light.horizon);
    uniform_3f(gl, program, "floor_colour", light.floor);
    uniform_3f(gl, program, "glow", light.glow);
    uniform_3f(gl, program, "dusk", light.dusk);
    uniform_2f(gl, program, "shading", (const float[2]){ wanted->shadows, wanted->occlusion });
    uniform_2f(gl, program, "fog", wanted->fog);
    set_disc(gl, program, &light);
    set_water(gl, program, scene, &light);
}
