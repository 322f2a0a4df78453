/* Ways to have a GL context without a screen, rows tried in order. Render worker, one thread;
 * nothing of this may be called before a fork. */
#ifndef RENDER_CONTEXT_H
#define RENDER_CONTEXT_H

#include <stdbool.h>

#include "terrain/base/fault.h"
struct gl;

typedef void (*gl_procedure)(void);

struct context_kind {
    const char *name;
    bool software; /* a bounded address space suffices: no driver maps a device into it */
    /* Makes a context and makes it current; `find` then looks procedures up. Fails with WORKER. */
    bool (*open)(gl_procedure (**find)(const char *name), struct fault *why);
    void (*close)(void);
};

#define CONTEXT(name) extern const struct context_kind context_##name;
#include "render/contexts.def"
#undef CONTEXT

extern const struct context_kind *const context_kinds[]; /* ends with NULL */

/* The first kind that works, or the one of that name ("auto" or NULL is any), with its table of GL.
 * NULL when there is none; the fault then tells the reason of each. */
const struct context_kind *context_open(const char *name, struct gl *gl, struct fault *why);

#endif
