/* Positions between a request's frame and the grid, wherever a shape says that there are any.
 * Any thread. */
#ifndef API_FRAME_H
#define API_FRAME_H

#include <stdbool.h>

#include "api/endpoint.h"

/* Converts in place every position of the struct that was given: NaN ones stay. Fails with
 * IMPOSSIBLE for lonlat on a landscape without CRS and, placed at the member, for a position that
 * has no place on the grid, unless its row is nullable. */
bool frame_to_grid(const struct shape *shape, void *value, enum frame frame,
                   const struct settings *settings, struct fault *why);
bool frame_from_grid(const struct shape *shape, void *value, enum frame frame,
                     const struct settings *settings, struct fault *why);

#endif
