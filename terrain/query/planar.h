/* Which squares of the ground are one plane.
 *
 * Over such a square a straight line need not be compared with every triangle: where it enters and
 * leaves tells all. Squares are 8 quads wide, or twice, four times as much and so on, at multiples
 * of their width from the north-west vertex; none has a hole. Any thread, once they are found. */
#ifndef TERRAIN_QUERY_PLANAR_H
#define TERRAIN_QUERY_PLANAR_H

#include <stdbool.h>
#include <stdint.h>

struct planar {
    int32_t columns, rows; /* of the smallest squares that are whole */
    uint8_t *levels; /* of each the largest one it is part of: 0 none, 1 itself, 2 twice as wide */
};

/* Of columns x rows vertices with heights that are whole numbers; `quads` has in a bit at a quad's
 * north-west vertex whether it is there, NULL: all are. False when memory is out. */
bool planar_find(struct planar *planar, int32_t columns, int32_t rows, const double *heights,
                 const uint8_t *quads, uint8_t bit);

/* The largest square about a quad; its north-west vertex and its width. False: there is none. */
bool planar_at(const struct planar *planar, int32_t x, int32_t y, int32_t square[3]);

void planar_free(struct planar *planar);

#endif
