/* What the endpoints of flow share: the window, whether it is filled, and the limit. Any thread. */
#ifndef API_RASTERS_FLOW_H
#define API_RASTERS_FLOW_H

#include "api/rasters/plain_raster.h"
#include "api/rasters/window.h"
#include "terrain/query/flow.h"

struct flow_asked {
    struct window_asked window;
    bool fill, ignore_holes;
};
extern const struct shape flow_shape;
/* The same without a choice of filling, for what is about that. */
extern const struct shape flow_filled_shape;

/* `newest` of their rows. */
bool flow_newest(struct request *rq, const void *asked, uint64_t *version);

/* Traces the window that is asked for. Fails as window_rect does, with LIMIT beyond flow_vertices,
 * and as flow_trace does. */
bool flow_ask(struct request *rq, const struct flow_asked *asked, bool fill, struct flow *flow);

#endif
