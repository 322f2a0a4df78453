/* What raises a landscape's heights above the ellipsoid, its geoid's samples included. */
#ifndef API_DATUM_H
#define API_DATUM_H

#include "api/endpoint.h"
#include "terrain/format/datum.h"
#include "terrain/store/gallery.h"

struct datum_held {
    struct datum datum;
    struct gallery *gallery;
    const struct picture_held *geoid; /* NULL for none */
};

/* Of the request's view, `further` metres higher still. Without `samples` only the datum's key is
 * right, and no disk is waited for: so the answer is named. When the samples are another raster's,
 * put in its place since, the request says so (rq->misnamed). Fails with IMPOSSIBLE when the raster
 * that the settings name is not there, or is not gray. */
bool datum_hold(struct request *rq, double further, bool samples, struct datum_held *held);
void datum_drop(struct datum_held *held);

#endif
