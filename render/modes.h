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

/* What the numbers are that a mode colours by a ramp; see mode_scale.h. */
enum mode_values {
    MODE_NO_VALUES,
    MODE_HEIGHT,
    MODE_SLOPE,
    MODE_ASPECT,
    MODE_CURVATURE,
    MODE_WEIGHT,
    MODE_RISE,
    MODE_ERROR
};

/* Which members of struct picture_mode a mode looks at besides ramp and range, at which all look
 * that have values. */
enum {
    MODE_HEARS_INTERVAL = 1 << 0,
    MODE_HEARS_LAYER = 1 << 1,
    MODE_HEARS_AGAINST = 1 << 2,
    MODE_HEARS_MIP = 1 << 3,
    MODE_HEARS_MANY = 1 << 4
};

struct render_mode {
    const char *name, *summary;
    /* A file of shaders/ with `vec3 show(Ground ground)`; see ground.frag. */
    const char *shader;
    unsigned slots; /* SLOT_BIT of what it looks up besides heights */
    /* `show` gives light in linear colours, which haze and the curve of a film make a picture of;
     * else colours as they are to be seen, on a plain background. */
    bool lit;
    bool apart; /* `show` knows where it is in its triangle: see corner_of of wireframe */
    /* The same colours for pictures from right above, in C, from these fields; NULL: GL alone draws
     * it. */
    unsigned flat_fields; /* FLAT_BIT of each */
    flat_colour *flat;
    bool covered; /* it asks what the ground is made of; see shaders/cover.glsl */
    /* What its colours mean (see legend.h); NULL where they speak for themselves. */
    void (*legend)(const struct view *view, const struct picture *picture, struct legend *legend);
    enum mode_values values;
    int ramp;       /* enum of ramps.def: the one of its values unless the picture names another */
    unsigned hears; /* MODE_HEARS_… */
};

#define MODE(name) extern const struct render_mode mode_##name;
#include "render/modes.def"
#undef MODE

extern const struct render_mode *const render_modes[RENDER_MODES];
extern const char *const render_mode_names[]; /* ends with NULL */

#endif
