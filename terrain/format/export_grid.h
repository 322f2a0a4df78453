/* What metric exports share: place, no-data, metres. One thread at a time. */
#ifndef TERRAIN_FORMAT_EXPORT_GRID_H
#define TERRAIN_FORMAT_EXPORT_GRID_H

#include "terrain/format/export.h"

struct export_grid {
    double west, north;    /* of the window's north-west vertex */
    double step_x, step_y; /* positive, between the vertices that are written */
    double nodata;         /* a value that no height of the view has */
};

void export_grid_of(const struct view *view, const struct export_window *window,
                    struct export_grid *grid);

/* Row j of the window: 1 where a vertex belongs to a hole quad. scratch has room for 2 *
 * (rect.width + 1). */
void export_voids(const struct view *view, const struct export_window *window, int32_t j,
                  uint8_t *voids, uint8_t *scratch);

/* An ESRI ASCII grid. Each value is the shortest text that reads back as the same double. */
bool export_asc(const struct view *view, const struct export_window *window, struct bytes *to,
                struct fault *why);

#endif
