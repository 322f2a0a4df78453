/* Heights as JSON, {"x":,"y":,"width":,"height":,"rows":[[…]]}: read and written number by number,
 * without a tree. Any thread. */
#ifndef API_RASTERS_ROWS_JSON_H
#define API_RASTERS_ROWS_JSON_H

#include "terrain/base/arena.h"
#include "terrain/base/bytes.h"
#include "terrain/format/export.h"

/* Appends metres of the window's vertices. Fails with MEMORY. */
bool rows_json_write(const struct view *view, const struct export_window *window, struct bytes *to,
                     struct fault *why);

/* What a body says: numbers that it leaves out are -1, the size of the rows is that of `width` and
 * `height` in any case. */
struct rows_json {
    int32_t x, y, width, height;
    double *metres; /* width x height, in the arena */
};

/* Fails with INPUT and a JSON pointer for what is no such object, for rows of unequal length and
 * for a size that is not that of the rows; with LIMIT when the arena is exhausted. */
bool rows_json_read(const char *text, size_t length, struct arena *arena, struct rows_json *rows,
                    struct fault *why);

#endif
