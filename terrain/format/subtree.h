/* Subtrees of implicit tiling as files (3D Tiles 1.1): which tiles of some levels there are, with a
 * property of so many numbers each. Tiles are counted from the subtree's root; y from the south.
 * Any thread. */
#ifndef TERRAIN_FORMAT_SUBTREE_H
#define TERRAIN_FORMAT_SUBTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

enum { SUBTREE_NUMBERS_MOST = 16 };

struct subtree {
    int32_t levels; /* of the file; a level further down are the children's roots */
    int32_t numbers;
    const char *class, *property; /* of the tileset's schema */
    /* Whether tile (x, y) of a level is there, all levels and the children's; each has a content.
     * A tile whose parent is not there is not asked for. */
    bool (*there)(void *context, int32_t level, int32_t x, int32_t y);
    /* What is said of a tile that is there. */
    bool (*describe)(void *context, int32_t level, int32_t x, int32_t y, double *numbers,
                     struct fault *why);
    void *context;
};

/* Place in Morton order: x in the even bits. */
uint32_t subtree_morton(uint32_t x, uint32_t y);

/* Appends the file. Fails with MEMORY, and as describe does. */
bool subtree_write(const struct subtree *subtree, struct bytes *to, struct fault *why);

#endif
