/* What smooth, flatten and noise do to the weights of a paint layer instead of the heights, by
 * their member `layer`. Weights are 0..255 where heights are metres. Each fails as where_check
 * and where_apply do, and with MISSING placed at "/layer". One thread at a time. */
#ifndef TERRAIN_EDIT_PAINT_TOOLS_H
#define TERRAIN_EDIT_PAINT_TOOLS_H

#include "terrain/edit/dab.h"
#include "terrain/edit/octaves.h"

/* That member. */
#define PAINT_LAYER_ROW(type)                                                                      \
    FIELD_AS(FIELD_NAME, type, layer,                                                              \
             "A paint layer: its weights, 0 to 255, are changed instead of the heights")

/* w + (mean of the weights around - w) force strength */
struct paint_smooth {
    const char *layer;
    int kernel;
    int32_t radius; /* quads */
    double strength;
};
bool paint_smooth(struct draft *draft, const struct where *where, const struct paint_smooth *smooth,
                  struct fault *why);

/* w + (target - w) force strength, up, down or both; NaN is the weight of the vertex nearest to the
 * path's first point, before the first dab. */
struct paint_flatten {
    const char *layer;
    double target;
    double strength;
    bool raise, lower;
};
bool paint_flatten(struct draft *draft, const struct where *where,
                   const struct paint_flatten *flatten, struct fault *why);

/* w + amplitude n force */
struct paint_noise {
    const char *layer;
    double amplitude;
    struct octaves octaves;
};
bool paint_noise(struct draft *draft, const struct where *where, const struct paint_noise *noise,
                 struct fault *why);

#endif
