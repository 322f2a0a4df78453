/* What shaders/cover.glsl asks for: the table of a scene's materials, and its uniforms. Render
 * worker, the context's thread. */
#ifndef RENDER_COVER_H
#define RENDER_COVER_H

#include "render/gl.h"
#include "render/wire.h"

/* The table as a texture, empty. */
GLuint cover_table_new(const struct gl *gl);

/* Fills it from a scene, layers[i] being where the shelf has tile i, and binds it to its unit. */
void cover_table_fill(const struct gl *gl, GLuint table, const struct wire_scene *scene,
                      const int32_t *layers);

/* The program is in use. */
void cover_uniforms(const struct gl *gl, GLuint program, const struct wire_scene *scene,
                    const int32_t *layers);

#endif
