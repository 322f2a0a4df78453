/* A picture laid over the landscape, and read between its samples.
 *
 * Its outermost samples lie on its edges; between four samples it is bilinear. Any thread.
 */
#ifndef TERRAIN_EDIT_PICTURE_H
#define TERRAIN_EDIT_PICTURE_H

#include "terrain/core/grid.h"
#include "terrain/edit/sources.h"

struct picture {
    const struct image *image;
    double at[2], east[2], south[2]; /* -1..1 across and down it: at (0, 0), and how that grows */
};

/* Its middle in grid coordinates and half its size in metres, turned clockwise by `rotation`
 * degrees. Of no size it is its middle alone, on the line through that. */
struct picture picture_lay(const struct image *image, const struct grid *grid,
                           const double middle[2], const double half[2], double rotation);

/* Its values at `count` vertices from (x, y) on: 0 black, 1 white, and -1 beside it. */
void picture_row(const struct picture *picture, int32_t x, int32_t y, int32_t count,
                 double *values);

#endif
