/* The table of what covers the ground: a texture that palette.frag fills once. Render worker, the
 * context's thread. */
#ifndef RENDER_PALETTE_H
#define RENDER_PALETTE_H

#include "render/gl.h"

/* The texture's name; 0 when it fails, with WORKER. */
GLuint palette_new(const struct gl *gl, struct fault *why);

#endif
