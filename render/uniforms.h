/* Values handed to a program by name. Render worker, the context's thread. */
#ifndef RENDER_UNIFORMS_H
#define RENDER_UNIFORMS_H

#include "render/gl.h"
#include "render/wire.h"

static inline void uniform_2f(const struct gl *gl, GLuint program, const char *name,
                              const float value[2])
{
    gl->Uniform2fv(gl->GetUniformLocation(program, name), 1, value);
}

static inline void uniform_3f(const struct gl *gl, GLuint program, const char *name,
                              const float value[3])
{
    gl->Uniform3fv(gl->GetUniformLocation(program, name), 1, value);
}

static inline void uniform_4f(const struct gl *gl, GLuint program, const char *name,
                              const float value[4])
{
    gl->Uniform4fv(gl->GetUniformLocation(program, name), 1, value);
}

/* A texture, by the unit that it is bound to. */
static inline void uniform_unit(const struct gl *gl, GLuint program, const char *name, int unit)
{
    gl->Uniform1i(gl->GetUniformLocation(program, name), unit);
}

/* All that light.glsl, sky.glsl, air.glsl and water.glsl ask for. The program is in use. */
void uniforms_light(const struct gl *gl, GLuint program, const struct wire_scene *scene);

/* What all patches of a scene share, its light and mode included. `frame`: from the whole picture's
 * -1 to 1 to the part's. The program is in use. */
void uniforms_scene(const struct gl *gl, GLuint program, const struct wire_scene *scene,
                    const float frame[4]);

/* How metres ahead, from `near` to `far`, come to depth. The program is in use. */
void uniforms_depth(const struct gl *gl, GLuint program, const struct wire_scene *scene, float near,
                    float far);

#endif
