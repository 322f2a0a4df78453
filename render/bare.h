/* The floor of a frame: the triangles of a scene with their places and colours worked out before,
 * one draw call with a shader that passes them on, and a readback. What the renderer takes beyond
 * that is its own doing. Heights alone: vertices moved aside or morphed are not. Render worker, the
 * context's thread. */
#ifndef RENDER_BARE_H
#define RENDER_BARE_H

#include "render/gl.h"
#include "render/scene_read.h"

struct bare;

/* `tiles` in the order of the scene's keys. Fails with MEMORY or WORKER. The context stays the
 * caller's. */
struct bare *bare_new(const struct gl *gl, const struct scene_parts *parts,
                      const unsigned char *tiles, struct fault *why);
void bare_free(struct bare *bare);
uint64_t bare_triangles(const struct bare *bare);

/* width * height RGBA8 pixels of the scene. Fails with WORKER or MEMORY. */
bool bare_draw(struct bare *bare, uint8_t *rgba, struct fault *why);

#endif
