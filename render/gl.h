/* GL through a table of our own: the symbols of EGL's GLES and of OSMesa's GL differ, so each
 * is asked of the current context by name and libGL is never linked. Render worker, the
 * context's thread. The only file that knows GL's headers.
 */
#ifndef RENDER_GL_H
#define RENDER_GL_H

#include <GLES3/gl3.h>
#include <stdbool.h>

#include "terrain/base/fault.h"

struct gl {
#define GL_CALL(result, name, arguments) result(GL_APIENTRY *name) arguments;
#include "render/gl.def"
#undef GL_CALL
    bool es;           /* GLES 3, else GL 3.3 core */
    GLint layers_most; /* of an array texture */
    GLint samples_most;
    GLint side_most; /* of a renderbuffer */
    const char *version, *vendor, *renderer;
};

/* The table of the current context. Fails with WORKER, naming the procedure or version that is
 * missing. */
bool gl_load(struct gl *gl, void (*(*find)(const char *name))(void), struct fault *why);

/* Fails with WORKER when GL has an error to tell: `doing` is what was tried. */
bool gl_sound(const struct gl *gl, const char *doing, struct fault *why);

#endif
