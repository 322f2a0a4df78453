/* A legend: what the colours of a picture mean. The mode fills it in, overlay.h draws it. Any
 * thread. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include <stdbool.h>
#include <stdint.h>

#include "render/ramp.h"
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

#endif
