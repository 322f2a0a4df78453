/* Brushes: what an edit's op does to the heights.
 *
 * A brush is one file that ends in one constant struct, and one row in brushes.def.
 * Where it acts (a path of dabs, or a region) is common to most and decoded into
 * struct where, the first member of each brush's parameters. Arithmetic: brushes of
 * the reference; lengths are metres, positions grid coordinates. One thread at a time.
 */
#ifndef TERRAIN_EDIT_BRUSH_H
#define TERRAIN_EDIT_BRUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/base/field.h"
#include "terrain/edit/draft.h"

enum falloff_shape { FALLOFF_SMOOTH, FALLOFF_LINEAR, FALLOFF_SPHERICAL, FALLOFF_TIP };

struct where {
    struct list path;    /* double[2], grid coordinates */
    double radius;       /* metres, the falloff included */
    double falloff;      /* share of the radius that fades, 0..1 */
    int shape;           /* enum falloff_shape */
    double spacing;      /* metres between dabs along the path; 0 is a dab at each point */
    struct rect region;  /* vertices; empty when a path is given */
    struct variant mask; /* of mask_variants (mask.h); without members there is none */
};
extern const struct shape where_shape;
extern const struct variant_set mask_variants; /* "type" */

/* 1 inside, fading to 0 over the rim; dist and radius in the same unit. */
double falloff_at(enum falloff_shape shape, double dist, double radius, double share);

struct brush {
    const char *name;    /* the op's "tool" */
    const char *summary; /* one sentence */
    const char *example; /* an op of it, as JSON, on a landscape of at least 64 x 64 vertices */
    const struct shape *takes;
    /* Makes the op's change to the draft. The parameters have passed their rows; what rows cannot
     * say (a path or a region, but one of them) is refused here with INPUT, placed within the op.
     */
    bool (*apply)(struct draft *draft, const void *takes, struct fault *why);
};

extern const struct brush *const brushes[]; /* in brushes.def's order */
extern const int brush_count;
extern const struct variant_set brush_variants; /* "tool" */

/* Applies ops (each a variant of brush_variants) in order, all or none: after a failure, whose
 * place begins with the op's index, the draft is only good for freeing. */
bool brush_apply_all(struct draft *draft, const struct variant *ops, size_t count,
                     struct fault *why);

#endif
