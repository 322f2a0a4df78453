/* What each edit layer has to do with a height. Any thread. */
#ifndef TERRAIN_EDIT_CONTRIBUTE_H
#define TERRAIN_EDIT_CONTRIBUTE_H

#include "terrain/core/view.h"

/* One layer's share at a position, in codes, unrounded. */
struct contribution {
    double added; /* 0 when the layer is hidden */
    double mask;  /* 0..255, of an alpha layer; NaN of others */
    double sum;   /* of the layers up to and including this one */
};

/* The shares of all layers at a grid position, bottom to top, one for each edit layer of the stack.
 * Between vertices they are those of the triangle, as heights are. From 32768 on they add up to
 * the last sum; the height is that rounded and clamped at each vertex. False outside the landscape
 * (NaN is outside). */
bool contribute_at(const struct view *view, const double at[2],
                   struct contribution contributions[EDIT_LAYERS_MOST]);

#endif
