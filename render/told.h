/* Hands a program what its mode is told: all that scale.glsl asks for. Render worker, the context's
 * thread. */
#ifndef RENDER_TOLD_H
#define RENDER_TOLD_H

#include "render/gl.h"
#include "render/wire.h"

/* The scene's table of colours as the texture of its unit, which is made when *table is 0. */
void told_load(const struct gl *gl, GLuint *table, const struct wire_scene *scene);

/* The program is in use. */
void told_set(const struct gl *gl, GLuint program, const struct wire_scene *scene);

#endif
