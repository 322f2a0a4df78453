/* What is told of places where shapes meet the surface: sweeps and nearest places alike. */
#ifndef API_QUERIES_SHAPES_H
#define API_QUERIES_SHAPES_H

#include "api/queries/about.h"
#include "api/queries/hits.h"
#include "terrain/query/shapes.h"

/* An item; at is the grid position, and about.triangle the triangle. */
struct shape_told {
    struct about about;
    double position[3], center[3], normal[3];
    double distance, penetration;
    bool inside, above;
};

/* The rows of an item that its own rows must not have: those by ?fields=, for OpenAPI. */
extern const struct shape shape_told_shape;

/* The paint layer, for an item's own rows. */
#define SHAPE_TOLD_LAYER                                                                           \
    {                                                                                              \
        .name = "layer", .kind = FIELD_TEXT, .at = offsetof(struct shape_told, about.layer),       \
        .nullable = true, .help = "The paint layer with the largest weight there, if any"          \
    }

/* Fills in what the item has beside `about`, but for its triangle, positions on the grid. False:
 * there is nothing, and null is told. Any thread. */
typedef bool shape_tell(const void *work, size_t i, struct shape_told *told);

/* Answers count items as the member `list`, and statuses where asked for. `own` are the rows that
 * are always there. */
bool shapes_answer(struct request *rq, const struct hits_asked *asked, const char *list,
                   const struct shape *own, size_t count, const uint8_t *statuses, shape_tell *tell,
                   const void *work);

/* Ways of the request, with `left`, which it sets, for all that a batch may look at. */
struct shape_ways shapes_ways(const struct request *rq, const struct hits_asked *asked,
                              _Atomic int64_t *left);

/* Refuses the batch that would look at more: by the name of its limit. For what the core refused.
 */
bool shapes_refused(struct request *rq);

#endif
