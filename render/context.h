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
    bool only_by_name; /* not tried unless it is asked for */
    bool software;     /* a bounded address space suffices: no driver maps a device into it */
    /* Makes a context and makes it current; `find` then looks procedures up. Fails with WORKER. */
    bool (*open)(gl_procedure (**find)(const char *name), struct fault *why);
    void (*close)(void);
};

#define CONTEXT(name) extern const struct context_kind context_##name;
#include "render/contexts.def"
#undef CONTEXT

extern const struct context_kind *const context_kinds[]; /* ends with NULL */

/* That one's context, current, with its table of GL. Fails with WORKER. */
bool context_open(const struct context_kind *kind, struct gl *gl, struct fault *why);

#endif
