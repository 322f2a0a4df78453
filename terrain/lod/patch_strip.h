/* Between the files of patch_mesh: how strips of edge are made. One thread. */
#ifndef TERRAIN_LOD_PATCH_STRIP_H
#define TERRAIN_LOD_PATCH_STRIP_H

#include "terrain/lod/patch_mesh.h"

struct strip_making {
    int32_t grid;
    enum patch_side side;
    const uint8_t *outer; /* grid + 1: the vertices of the border that are in use, both ends are */
    int32_t stride;       /* quads between two of them, for `more` */
    size_t more_count;
    const int32_t *more;
    uint32_t more_first;       /* the number of the first of them */
    struct patch_strip *strip; /* with room; filled anew */
};

void strip_make(const struct strip_making *making);

/* Those in use beside a neighbour that is so much coarser. */
void strip_outer(int32_t grid, int32_t difference, uint8_t *outer);

/* Room for any strip of such a grid with so many more vertices. False when memory is out. */
bool strip_room(struct patch_strip *strip, int32_t grid, size_t more);
void strip_free(struct patch_strip *strip);

#endif
