#include "render/modes.h"

#include <stddef.h>

const struct render_mode *const render_modes[RENDER_MODES] = {
#define MODE(name) &mode_##name,
#include "render/modes.def"
#undef MODE
};

const char *const render_mode_names[] = {
#define MODE(name) #name,
#include "render/modes.def"
#undef MODE
    NULL
};
