/* Which paint layers a tile of the ground shows. Any thread. */
#ifndef RENDER_PLANE_WEIGHTS_H
#define RENDER_PLANE_WEIGHTS_H

#include <stdint.h>

#include "terrain/core/view.h"

enum { PAINTS_MOST = 12 }; /* four a slot of weights */

/* Their positions in the stack, rising, and how many: of the layers that have any weight in what
 * the tile reads, or of the heaviest where there are more than PAINTS_MOST. */
int plane_weights_paints(const struct view *view, int32_t level, int32_t x, int32_t y,
                         uint8_t paints[PAINTS_MOST]);

#endif
