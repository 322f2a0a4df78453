/* A polygon row by row: the vertices of a row that belong to it, and below them the quads that are
 * wholly inside and those that its sides run through. For region.c. One thread at a time. */
#ifndef TERRAIN_QUERY_REGION_ROW_H
#define TERRAIN_QUERY_REGION_ROW_H

#include "terrain/query/region.h"

struct run {
    int32_t from, to; /* half open */
};

struct runs {
    struct run *runs;
    size_t count, room;
};

/* Where a side crosses a slab of rows: at its top and at its bottom. */
struct crossing {
    double x[2];
};

struct region_row {
    const struct region *region;
    size_t next;                      /* the first side that has not begun */
    const struct region_side **sides; /* those that reach the row or the quads below it */
    size_t count, room;
    struct crossing *crossings; /* room for as many */
    struct runs vertices, whole, touched;
    _Atomic int64_t *left; /* as in region.h */
};

/* region_row_next for ascending y; then the vertices and the whole quads are told. */
void region_row_begin(struct region_row *row, const struct region *region, _Atomic int64_t *left);
bool region_row_next(struct region_row *row, int32_t y, struct fault *why);
bool region_row_pieces(struct region_row *row, int32_t y, const struct region_visit *visit,
                       void *context, struct fault *why);
void region_row_end(struct region_row *row);

/* Takes so many of what is left; fails with LIMIT. */
bool region_row_take(struct region_row *row, size_t count, struct fault *why);

/* Where sides pass all the way from `top` to `bottom`, in order from the west at the top; and how
 * many. A place among the region's columns: of vertices with `beyond` 1, of quads with 0. */
size_t region_row_crossings(struct region_row *row, double top, double bottom);
int32_t region_row_column(const struct region_row *row, double x, int32_t beyond);

#endif
