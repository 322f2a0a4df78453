#include "render/modes.h"

#include <stddef.h>

const char *const render_modes[] = {
#define MODE(name, fragment, summary) #name,
#include "render/modes.def"
#undef MODE
    NULL
};

const char *const render_mode_shaders[] = {
#define MODE(name, fragment, summary) fragment,
#include "render/modes.def"
#undef MODE
};
