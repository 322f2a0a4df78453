/* Masks: where an op acts, beside its dabs, as a share of 0..1 for every vertex.
 *
 * A mask is one file that ends in one constant struct, and one row in masks.def. The share
 * multiplies the force of each dab, so that it works for every tool alike. Masks of the ground
 * (height, slope, aspect, curvature, layer) look at it as it was before the dab, up to and
 * including the edit layer in work; slope, aspect and curvature are those of relief.h.
 *
 * Shapes (rectangle, polygon, ellipse) are 1 inside, their outline included, and fade inwards over
 * `feather` metres from the outline. Source: the logic (least, greatest, 1 - x) is L. Zadeh's,
 * Fuzzy Sets, 1965. One thread at a time.
 */
#ifndef TERRAIN_EDIT_MASK_H
#define TERRAIN_EDIT_MASK_H

#include "terrain/edit/dab.h"

/* What all masks take; the first member of their parameters. */
struct mask_base {
    bool invert; /* 1 - the share */
};
extern const struct shape mask_base_shape;

/* A dab as its masks see it. */
struct scene {
    const struct grid *grid;
    const struct dab *dab;
    const struct tree *surface; /* before the dab; NULL when no mask reads it */
};

struct mask;

/* One mask of an op, made ready for all of its dabs. */
struct masker {
    const struct mask *mask;
    const void *takes;
    const struct image *image; /* that it names, or NULL */
    double numbers[4];         /* what its file has worked out */
    int32_t reach;             /* quads around a vertex that are read of the surface; -1 is none */
    int paint;                 /* position of the paint layer that it reads; -1 is none */
    struct tree weights;       /* that layer's before the dab, which is on its way */
    int64_t cost;              /* of a vertex, in eighths of what touching one costs */
    struct masker *inner;      /* the masks that it combines */
    size_t inner_count;
};

struct mask {
    const char *name;    /* the mask's "type" */
    const char *summary; /* one sentence */
    const char *example; /* as JSON, on a landscape of at least 64 x 64 vertices */
    const struct shape *takes;
    /* Works out what holds for all dabs. What rows cannot say is refused here, placed within the
     * mask. NULL needs nothing. */
    bool (*ready)(struct masker *masker, struct draft *draft, struct fault *why);
    /* The masks inside of it, struct variant; NULL has none. */
    struct list (*inside)(const void *takes);
    /* The shares of `count` vertices, at most BLOCK_SIDE, from (x, y) on. */
    void (*row)(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                int32_t count, double *shares);
};

extern const struct mask *const masks[]; /* in masks.def's order */
extern const int mask_count;

/* The mask of an op on its way: *masking is NULL when the op has none. Fails with INPUT, LIMIT (too
 * many masks within each other), MEMORY, or as what it names cannot be had; the place begins with
 * "/mask". */
struct masking;
bool masking_new(struct draft *draft, const struct variant *mask, struct masking **masking,
                 struct fault *why);
void masking_free(struct masking *masking);

/* dab_apply, each force multiplied by the mask's share; without a mask, dab_apply. */
bool masking_apply(struct masking *masking, struct draft *draft, const struct dab *dab,
                   struct tool *tool, struct fault *why);

/* For the files of masks */

/* Shares of one mask, its invert included. */
void masker_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                int32_t count, double *shares);

/* What lies from `from` to `to` is 1; beyond, it fades over `fade`, or ends where that is 0. */
struct range {
    double from, to, fade;
};
bool range_check(const struct range *range, struct fault *why);
double range_share(const struct range *range, double value);

/* A mask's shape, in the name by which masks.def finds it; its struct begins with struct mask_base.
 */
#define MASK_SHAPE(name_, type, rows_)                                                             \
    const struct shape mask_##name_##_takes = { .name = #name_,                                    \
                                                .size = sizeof(type),                              \
                                                .fields = (rows_),                                 \
                                                .base = &mask_base_shape,                          \
                                                .given = -1 }

#endif
