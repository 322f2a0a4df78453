/* What the endpoints of one component share. Any thread. */
#ifndef API_RASTERS_COMPONENT_H
#define API_RASTERS_COMPONENT_H

#include "api/endpoint.h"

struct component_asked {
    int32_t cx, cy;
};
extern const struct shape component_asked_shape;

/* Fails with MISSING, naming the components that there are. */
bool component_there(struct request *rq, const struct component_asked *asked);

#endif
