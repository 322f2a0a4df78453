/* Programs of shader files: compiled once, kept for the life of the worker.
 *
 * A shader is the prologue of the context (GLES 3.0 or GL 3.3 core), then the files that
 * it asks for with lines `#include "name"`, then itself. Render worker, the context's thread.
 */
#ifndef RENDER_PROGRAM_H
#define RENDER_PROGRAM_H

#include "render/gl.h"

/* `defines` are lines that go before both shaders, or "". `mode` is the file that `#include "mode"`
 * asks for, or NULL. 0 when it fails, with WORKER and what the compiler said first. */
GLuint program_new(const struct gl *gl, const char *defines, const char *vertex,
                   const char *fragment, const char *mode, struct fault *why);

#endif
