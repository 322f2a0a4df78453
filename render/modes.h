/* The modes of a picture, rows of modes.def. Any thread. */
#ifndef RENDER_MODES_H
#define RENDER_MODES_H

enum {
#define MODE(name, fragment, summary) RENDER_MODE_##name,
#include "render/modes.def"
#undef MODE
    RENDER_MODES
};

extern const char *const render_modes[];        /* names, ends with NULL */
extern const char *const render_mode_shaders[]; /* fragment shaders, in the same order */

#endif
