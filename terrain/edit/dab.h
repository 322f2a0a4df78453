/* A dab: one touch of a brush, as rows of vertices with the force that each receives.
 *
 * A dab says where and how strongly, a tool what is done there. The heights that a
 * tool is given are those of the draft, to be changed in place; a tool that needs its
 * neighbours as they were keeps them from `begin`. One thread at a time.
 */
#ifndef TERRAIN_EDIT_DAB_H
#define TERRAIN_EDIT_DAB_H

#include "terrain/edit/brush.h"

struct dab {
    struct rect box;           /* on the landscape; empty when the dab misses it */
    double middle[2], half[2]; /* of all of it, the landscape or not: grid coordinates, quads */
    /* The columns [*first, *end) of row y that may receive any force; within the box. */
    void (*span)(const struct dab *dab, int32_t y, int32_t *first, int32_t *end);
    /* Force, 0..1, of count vertices from (x, y) on. */
    void (*force)(const struct dab *dab, int32_t x, int32_t y, int32_t count, double *force);
};

struct tool {
    /* Before a dab, whose box is not empty; may be NULL. */
    bool (*begin)(struct tool *tool, struct draft *draft, struct rect box, struct fault *why);
    /* Before the rows of one block, part being those of its vertices that are in the box; may be
     * NULL. */
    bool (*block)(struct tool *tool, struct rect part, struct fault *why);
    /* At most BLOCK_SIDE vertices from (x, y) on. Vertices without force stay as they are. */
    void (*row)(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                uint16_t *heights);
    const struct dab *dab; /* set by dab_apply before each dab */
    /* For tools that change something else than heights, whose rows then get NULL: readies block
     * (bx, by), after which its rows follow, and ends it, with the rectangle around them in block
     * coordinates. Both, or neither. */
    bool (*open)(struct tool *tool, struct draft *draft, int32_t bx, int32_t by, struct fault *why);
    bool (*close)(struct tool *tool, struct draft *draft, struct rect rows, struct fault *why);
};

/* The vertices that a dab's spans come to, at least so many that a dab beside the landscape is not
 * free. */
int64_t dab_vertices(const struct dab *dab);

/* Fails with MEMORY, with LIMIT, or as the tool does. */
bool dab_apply(struct draft *draft, const struct dab *dab, struct tool *tool, struct fault *why);

/* Whether there is a path with a radius, or a region on the landscape. Fails with INPUT or
 * IMPOSSIBLE, placed at the member. */
bool where_check(const struct where *where, const struct view *view, struct fault *why);

/* The part of the landscape that no dab goes beyond; where_check comes first. */
struct rect where_box(const struct where *where, const struct view *view);

/* Every dab of a path in order, or the region, through the mask; where_check comes first. */
bool where_apply(struct draft *draft, const struct where *where, struct tool *tool,
                 struct fault *why);

/* The member by which an op that is no struct where takes a mask, struct variant. */
#define MASK_FIELD(type)                                                                           \
    FIELD_AS(FIELD_VARIANT, type, mask,                                                            \
             "Where it acts beside that, as a share that multiplies the force; a text names an "   \
             "uploaded raster",                                                                    \
             .variants = &mask_variants)

/* The landscape's columns (or rows) 0..size-1 that lie in [from, to]; empty is *first >= *end. */
void dab_clip(double from, double to, int32_t size, int32_t *first, int32_t *end);

/* grid_round for loops that are to be vectorised. Not for NaN. */
static inline uint16_t dab_round(double code)
{
    code = code > 0 ? code : 0;
    code = code < 65535 ? code : 65535;
    return (uint16_t)(int32_t)(code + 0.5);
}

/* A brush's shape, in the name by which brushes.def finds it; its struct begins with struct where.
 * given_ is the offset of the bits that say what was given, or -1. */
#define BRUSH_SHAPE(name_, type, rows_, given_)                                                    \
    const struct shape brush_##name_##_takes = { .name = #name_,                                   \
                                                 .size = sizeof(type),                             \
                                                 .fields = (rows_),                                \
                                                 .base = &where_shape,                             \
                                                 .given = (given_) }

#endif
