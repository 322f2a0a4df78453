#include "render/context.h"
#include "render/gl.h"

#include <stdio.h>
#include <string.h>

const struct context_kind *const context_kinds[] = {
#define CONTEXT(name) &context_##name,
#include "render/contexts.def"
#undef CONTEXT
    NULL
};

static bool try_kind(const struct context_kind *kind, struct gl *gl, struct fault *why)
{
    gl_procedure (*find)(const char *) = NULL;

    if (!kind->open(&find, why))
        return false;
    if (gl_load(gl, find, why))
        return true;
    kind->close();
    return false;
}

const struct context_kind *context_open(const char *name, struct gl *gl, struct fault *why)
{
    bool any = !name || strcmp(name, "auto") == 0;
    char reasons[sizeof why->detail] = "";

    for (const struct context_kind *const *kind = context_kinds; *kind; kind++) {
        struct fault reason = { 0 };
        size_t said = strlen(reasons);

        if (!any && strcmp(name, (*kind)->name) != 0)
            continue;
        if (try_kind(*kind, gl, &reason))
            return *kind;
        snprintf(reasons + said, sizeof reasons - said, "%s%s: %.90s", said ? "; " : "",
                 (*kind)->name, reason.detail);
    }
    fault_set(why, FAULT_WORKER, "There is no way to draw here (%s)",
              reasons[0] ? reasons : "no such backend");
    return NULL;
}
