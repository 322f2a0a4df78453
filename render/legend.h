/* A legend: what the colours of a picture mean; overlay.h draws it. Any thread. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include <stdint.h>

#include "render/picture.h"
#include "render/ramp.h"
#include "terrain/base/fault.h"
#include "terrain/core/stack.h"

enum { LEGEND_SWATCHES_MOST = 32 };

struct legend_swatch {
    uint8_t rgb[3];
    char name[LAYER_NAME_ROOM];
};

/* A ramp with numbers, or swatches with names, or neither: then there is no legend. */
struct legend {
    char title[LAYER_NAME_ROOM + 16]; /* with the unit */
    const struct ramp *ramp;          /* NULL: none */
    struct ramp_span span;
    int count; /* swatches; those beyond LEGEND_SWATCHES_MOST are only counted */
    struct legend_swatch swatches[LEGEND_SWATCHES_MOST];
};

/* That of a picture: what its mode says, or the ramp of the mode's numbers. Fails as mode_scale
 * does. */
bool legend_of(const struct view *view, const struct picture *picture, struct legend *legend,
               struct fault *why);

#endif
