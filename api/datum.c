#include "api/datum.h"

#include "api/service.h"

static bool geoid_check(struct request *rq, const struct picture_about *about)
{
    return about->channels == 1 ||
           REFUSE(rq, FAULT_IMPOSSIBLE,
                  "The geoid %s has %d channels: PUT a raster with one (gray), or PATCH the "
                  "landscape's \"geoid\"",
                  about->name, about->channels);
}

/* A geoid that is not there any more is not left out in silence. */
static bool geoid_missing(struct request *rq, const char *name)
{
    return REFUSE(
        rq, FAULT_IMPOSSIBLE,
        "This landscape's heights are raised by the raster %s, which is not there: PUT it "
        "to /v1/rasters/%s, or PATCH \"geoid\"",
        name, name);
}

bool datum_hold(struct request *rq, double further, bool samples, struct datum_held *held)
{
    const struct settings *settings = rq->view->settings;
    struct gallery *gallery = rq->service->gallery;
    struct picture_about about = { 0 };

    *held = (struct datum_held){ 0 };
    if (settings->geoid[0]) {
        if (!gallery || !gallery_find(gallery, settings->geoid, &about, &rq->fault))
            return geoid_missing(rq, settings->geoid);
        if (!geoid_check(rq, &about))
            return false;
    }
    if (settings->geoid[0] && samples) {
        held->geoid = gallery_hold(gallery, settings->geoid, &rq->fault);
        if (!held->geoid)
            return false;
        held->gallery = gallery;
        about = held->geoid->about;
        if (!geoid_check(rq, &about)) {
            datum_drop(held);
            return false;
        }
    }
    if (!rq->geoid_named)
        rq->geoid_named = about.revision;
    rq->misnamed |= rq->geoid_named != about.revision;
    held->datum = datum_of(settings, further, held->geoid ? held->geoid->samples : NULL,
                           about.width, about.height, about.revision);
    return true;
}

void datum_drop(struct datum_held *held)
{
    if (held->geoid)
        gallery_drop(held->gallery, held->geoid);
    held->geoid = NULL;
}
