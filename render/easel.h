/* What draws: a context with its shelf of tiles and its painter, from the first row of
 * context_kinds that works from end to end. Render worker, the context's thread. */
#ifndef RENDER_EASEL_H
#define RENDER_EASEL_H

#include <stdint.h>

#include "render/context.h"
#include "render/gl.h"
#include "render/painter.h"
#include "render/shelf.h"

struct easel {
    const struct context_kind *kind; /* NULL: there is none */
    struct gl gl;
    struct shelf *shelf;
    struct painter *painter;
    char passed_over[480]; /* the rows before it and why each failed, "egl-device: …; osmesa: …" */
};

/* `backend` is a row's name; or "auto", each that is tried unasked; or a name and '+', that row and
 * those after it. A row that fails at any step, a first small picture included, leads to the
 * next. Fails with WORKER and the reason of each. */
bool easel_open(struct easel *easel, const char *backend, int64_t texture_bytes, struct fault *why);
void easel_close(struct easel *easel);

#endif
