/* The modes of a picture: each is render/modes/NAME.c, ending in one row, and a line of modes.def.
 * Any thread. */
#ifndef RENDER_MODES_H
#define RENDER_MODES_H

#include <stdbool.h>

#include "render/flat_row.h"

struct legend;

enum {
#define MODE(name) RENDER_MODE_##name,
#include "render/modes.def"
#undef MODE
    RENDER_MODES
};

struct render_mode {
    const char *name, *summary;
    /* A file of shaders/ with `vec3 show(Ground ground)`; see ground.frag. */
    const char *shader;
    unsigned slots; /* SLOT_BIT of what it looks up besides heights */
    /* `show` gives light in linear colours, which haze and the curve of a film make a picture of;
     * else colours as they are to be seen, on a plain background. */
    bool lit;
    /* The same colours for pictures from right above, in C, from these fields; NULL: GL alone draws
     * it. */
    unsigned flat_fields; /* FLAT_BIT of each */
    flat_colour *flat;
    bool one_layer; /* weights are those of the picture's layer alone */
    /* What its colours mean (see legend.h); NULL where they speak for themselves. */
    void (*legend)(const struct view *view, const struct picture *picture, struct legend *legend);
};

#define MODE(name) extern const struct render_mode mode_##name;
#include "render/modes.def"
#undef MODE

extern const struct render_mode *const render_modes[RENDER_MODES];
extern const char *const render_mode_names[]; /* ends with NULL */

#endif
