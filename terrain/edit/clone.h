/* A copy under way: which of the source's positions goes where. Heights are copied by clone.c,
 * weights and holes by the other files of that name. One thread at a time. */
#ifndef TERRAIN_EDIT_CLONE_H
#define TERRAIN_EDIT_CLONE_H

#include "terrain/edit/dab.h"

struct cloning {
    double first[2], step[2]; /* the source's column and row for (0, 0), and on for each quad */
    double strength;
    const struct view *other; /* the source; NULL is the landscape itself, as it is now */
    struct rect all, read;    /* the source, and what may be needed of it */
};

/* Where a position's content comes from. */
static inline double cloning_column(const struct cloning *cloning, double x)
{
    return cloning->first[0] + x * cloning->step[0];
}

static inline double cloning_row(const struct cloning *cloning, double y)
{
    return cloning->first[1] + y * cloning->step[1];
}

/* The weights of all paint layers, matched by name, blended between the source's vertices: with a
 * force of less than 1 a mixture. Layers that only the source has are left out. */
bool clone_weights(struct draft *draft, const struct where *where, const struct cloning *cloning,
                   struct fault *why);

/* A quad takes what the source has at its middle, where its force is above a half. */
bool clone_holes(struct draft *draft, const struct where *where, const struct cloning *cloning,
                 struct fault *why);

#endif
