/* The normals of a square of vertices at once: what codec_vertex_normal (and codec_normal) come to,
 * to the bit, but each triangle is worked out once for its three corners. Any thread. */
#ifndef TERRAIN_CORE_NORMALS_H
#define TERRAIN_CORE_NORMALS_H

#include <stdint.h>

#include "terrain/base/rect.h"
#include "terrain/core/grid.h"

enum { NORMALS_SIDE_MOST = 256 }; /* vertices of a square */

/* `around` has the heights of the square and of a vertex more on every side, whatever it is beyond
 * the landscape; b and a get the x and y of each normal, row by row. */
void normals_encode(const uint16_t *around, struct rect square, const struct grid *grid, uint8_t *b,
                    uint8_t *a);

/* The normals themselves, unit: the local axis k (x east, y south, z up) goes to [axes[k]]; rows
 * `stride` normals apart. */
void normals_fill(const uint16_t *around, struct rect square, const struct grid *grid,
                  const int axes[3], float (*to)[3], int64_t stride);

#endif
