/* Sums of heights over rectangles, exact at any size: whole cells come from the blocks' summaries,
 * so that a sum costs about an eighth of its rim and a sixty-fourth of its inside. Any thread. */
#ifndef TERRAIN_QUERY_SUM_H
#define TERRAIN_QUERY_SUM_H

#include <stdint.h>

#include "terrain/core/view.h"

/* The sum of the codes of a rectangle on the landscape; 0 for an empty one. */
uint64_t sum_heights(const struct view *view, struct rect over);

#endif
