/* Cut and fill between two versions as an answer. Any thread. */
#ifndef API_QUERIES_CUT_FILL_H
#define API_QUERIES_CUT_FILL_H

#include "api/endpoint.h"
#include "terrain/query/region.h"

/* Both versions, held; `to` 0 is the request's own. Fails, placed at "from" or "to" (in a body, at
 * its members), when one is not kept any more, and when their sizes differ. */
struct cut_fill_views {
    struct view *from, *to;
};
bool cut_fill_open(struct request *rq, int64_t from, int64_t to, struct cut_fill_views *views);
void cut_fill_close(struct cut_fill_views *views);

/* The row of those who ask. */
#define CUT_FILL_IGNORE_HOLES(type)                                                                \
    FIELD(type, ignore_holes, NULL, 0, 0,                                                          \
          "Whether the ground beneath holes counts; otherwise only what is no hole in either "     \
          "version")

struct cut_fill;
extern const struct shape cut_fill_shape;

/* Takes the region. Fails with LIMIT for more than region_vertices, and as earthwork_of does. */
bool cut_fill_take(struct request *rq, const struct cut_fill_views *views, struct region *region,
                   bool ignore_holes, struct cut_fill *answer);

#endif
