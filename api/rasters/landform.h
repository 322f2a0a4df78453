/* Rasters of the ground's form at vertices: the very numbers of terrain/query/landform.h, and none
 * where a batch of points has none, in holes. Any thread. */
#ifndef API_RASTERS_LANDFORM_H
#define API_RASTERS_LANDFORM_H

#include "api/rasters/plain_raster.h"
#include "api/rasters/window.h"
#include "terrain/query/landform.h"

struct landform_asked {
    struct window_steps_asked steps;
    bool ignore_holes;
};
extern const struct shape landform_shape;

/* What the three endpoints take and give, and ?format='s words for it. */
extern const char *const landform_media[], *const landform_formats[];

struct landform_answer {
    enum landform what;
    double (*convert)(double value);              /* to the unit asked for; or NULL */
    double (*shade)(void *context, double value); /* context is this struct */
    double end;                                   /* of the scale of grays */
    const char *members;
};

bool landform_newest(struct request *rq, const void *asked, uint64_t *version);

/* Fills rq->bytes. Fails with IMPOSSIBLE, LIMIT and MEMORY. */
bool landform_write(struct request *rq, const struct landform_asked *asked,
                    const struct landform_answer *answer);

#endif
