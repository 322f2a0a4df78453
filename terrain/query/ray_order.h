/* An order of rays by place, so that one after another looks at the same memory. Any thread. */
#ifndef TERRAIN_QUERY_RAY_ORDER_H
#define TERRAIN_QUERY_RAY_ORDER_H

#include "terrain/core/grid.h"
#include "terrain/query/ray.h"

enum { RAY_ORDER_MOST = 4096 };

/* Brings numbers of rays, all below RAY_ORDER_MOST, into an order along a Z curve over the
 * landscape by where they begin; those that begin at the same place stay as they were. */
void ray_order(const struct grid *grid, const struct ray *rays, uint16_t *order, size_t count);

#endif
