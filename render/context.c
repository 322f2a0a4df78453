#include "render/context.h"
#include "render/gl.h"

#include <stddef.h>

const struct context_kind *const context_kinds[] = {
#define CONTEXT(name) &context_##name,
#include "render/contexts.def"
#undef CONTEXT
    NULL
};

bool context_open(const struct context_kind *kind, struct gl *gl, struct fault *why)
{
    gl_procedure (*find)(const char *) = NULL;

    if (!kind->open(&find, why))
        return false;
    if (gl_load(gl, find, why))
        return true;
    kind->close();
    return false;
}
