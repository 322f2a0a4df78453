#include "render/sky.h"

#include <math.h>
#include <stdio.h>

#include "render/daylight.h"
#include "render/program.h"
#include "render/uniforms.h"

enum { GRID = 40, INDICES = 6 * GRID * GRID }; /* see sky.vert */
enum { WET = 1, DISC = 2, NIGHT = 4 };

void sky_open(struct sky *sky, const struct gl *gl)
{
    static const int corners[6] = { 0, 1, GRID + 2, 0, GRID + 2, GRID + 1 };
    GLushort indices[INDICES];

    for (int i = 0; i < INDICES; i++) {
        int square = i / 6;

        indices[i] = (GLushort)(square / GRID * (GRID + 1) + square % GRID + corners[i % 6]);
    }
    gl->GenVertexArrays(1, &sky->vertex_array);
    gl->GenBuffers(1, &sky->indices);
    gl->BindVertexArray(sky->vertex_array);
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, sky->indices);
    gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
}

void sky_close(struct sky *sky, const struct gl *gl)
{
    for (int i = 0; i < SKY_KINDS; i++)
        gl->DeleteProgram(sky->programs[i]);
    gl->DeleteVertexArrays(1, &sky->vertex_array);
    gl->DeleteBuffers(1, &sky->indices);
    *sky = (struct sky){ 0 };
}

/* Whether the sun itself may be in the picture: only then is each pixel asked. */
static bool shows_sun(const struct wire_scene *scene, const struct daylight *light)
{
    const float margin = 0.03f; /* radians, some times the disc's radius */
    float ahead = 0, corner = scene->ortho ? 0 : atanf(hypotf(scene->half[0], scene->half[1]));

    for (int i = 0; i < 3; i++)
        ahead += light->sun[i] * scene->forward[i];
    return light->disc[0] > 0 && acosf(fminf(ahead, 1)) < corner + margin;
}

static GLuint program_for(struct sky *sky, const struct gl *gl, int kind, struct fault *why)
{
    char defines[64];

    snprintf(defines, sizeof defines, "%s%s%s", kind & WET ? "#define WATER\n" : "",
             kind & DISC ? "#define DISC\n" : "", kind & NIGHT ? "#define NIGHT\n" : "");
    if (!sky->programs[kind])
        sky->programs[kind] = program_new(gl, defines, "sky.vert", "sky.frag", NULL, why);
    return sky->programs[kind];
}

bool sky_draw(struct sky *sky, const struct gl *gl, const struct wire_scene *scene,
              const float frame[4], struct fault *why)
{
    const struct wire_light *wanted = &scene->light;
    struct daylight light;
    GLuint program;
    int kind;

    daylight_of(wanted->sun_azimuth, wanted->sun_elevation, wanted->exposure, &light);
    kind = (scene->water.on ? WET : 0) | (shows_sun(scene, &light) ? DISC : 0) |
           (light.stars > 0 ? NIGHT : 0);
    program = program_for(sky, gl, kind, why);
    if (!program)
        return false;
    gl->UseProgram(program);
    gl->Uniform1f(gl->GetUniformLocation(program, "stars"), light.stars);
    uniforms_light(gl, program, scene);
    uniform_4f(gl, program, "frame", frame);
    uniform_3f(gl, program, "looking",
               (const float[3]){ scene->half[0], scene->half[1], scene->ortho ? 1 : 0 });
    uniform_3f(gl, program, "sight_right", scene->right);
    uniform_3f(gl, program, "sight_up", scene->up);
    uniform_3f(gl, program, "sight_forward", scene->forward);
    gl->BindVertexArray(sky->vertex_array);
    gl->DepthFunc(GL_LEQUAL);
    gl->DepthMask(GL_FALSE);
    gl->DrawElementsInstanced(GL_TRIANGLES, INDICES, GL_UNSIGNED_SHORT, NULL, 1);
    gl->DepthMask(GL_TRUE);
    return true;
}
