/* Tools on the holes of a landscape: what dab.h is for heights. A quad is named by its north-west
 * vertex. One thread at a time. */
#ifndef TERRAIN_EDIT_CUTTER_H
#define TERRAIN_EDIT_CUTTER_H

#include "terrain/edit/dab.h"

enum { QUAD_SOLID = 0, QUAD_OPEN = 255 };

struct cutter {
    struct tool tool; /* its begin and block are free; the rest is the cutter's */
    /* Changes `count` quads, at most BLOCK_SIDE, from (x, y) on, all on the landscape. */
    void (*cut)(struct cutter *cutter, int32_t x, int32_t y, int32_t count, const double *force,
                uint8_t *quads);
    int32_t columns, rows; /* of quads on the landscape */
    int32_t x, y;          /* the open block's first vertex */
    uint8_t quads[BLOCK_SIDE * BLOCK_SIDE];
};

void cutter_init(struct cutter *cutter, const struct draft *draft);

#endif
