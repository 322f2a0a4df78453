/* Whether a mesh over a landscape has a crack: a checker that knows nothing of how it was made.
 *
 * Vertices are welded by all three coordinates. Then every inner edge must belong to exactly two
 * triangles, which run it in opposite directions; any other edge must lie where the ground ends;
 * every triangle must have an area seen from above and turn as (00, 11, 10) of a quad does; and the
 * areas must add up to that of the ground.
 */
#ifndef TESTS_TERRAIN_CRACKS_H
#define TESTS_TERRAIN_CRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/lod/mesh.h"

enum crack_kind {
    CRACK_NONE,
    CRACK_FLAT,    /* a triangle without area */
    CRACK_TURNED,  /* a triangle seen from below */
    CRACK_CROWDED, /* an edge of more than two triangles, or run twice in one direction */
    CRACK_OPEN,    /* an edge of one triangle, with ground beyond it */
    CRACK_AREA,    /* more or less of the ground than there is */
    CRACK_BROKEN   /* an index beyond the vertices, a coordinate that is no number */
};

/* Whether the mesh may end at an edge of one triangle: nothing is to be drawn on its other side,
 * which is that of (-dy, dx) as it runs from `from` to `to`. */
typedef bool cracks_may_end(void *context, const double from[3], const double to[3]);

struct cracks_rule {
    cracks_may_end *may_end;
    void *context;
    double area; /* quads, seen from above; NaN does not ask */
    bool folds;  /* triangles may turn over or vanish, if the areas with their signs still add up */
};

struct crack {
    enum crack_kind kind;
    size_t triangle;
    double from[3], to[3];
    char says[240];
};

/* True when there is none; otherwise the first, in the order of the triangles. */
bool cracks_none(const struct mesh *mesh, const struct cracks_rule *rule, struct crack *first);

/* Fails the test with what the crack says and where. */
void cracks_assert_none(const struct mesh *mesh, const struct cracks_rule *rule);

/* Ground told by quads: one byte a quad, not 0 where it is to be drawn. A mesh may end along
 * columns and rows, where none of the quads on the other side is. */
struct cracks_ground {
    int32_t columns, rows; /* quads */
    const uint8_t *drawn;  /* NULL: all */
};
bool cracks_ground_ends(void *ground, const double from[3], const double to[3]);
struct cracks_rule cracks_ground_rule(struct cracks_ground *ground);

#endif
