/* An uploaded raster: the picture, or what it is. */
#include "api/gallery/raster_document.h"
#include "api/service.h"
#include "terrain/format/png_write.h"

static const char *const media_out[] = { "image/png", "application/json", NULL };
static const char *const formats[] = { "png", "json", NULL };
enum { AS_PNG, AS_JSON };

static bool print(struct request *rq, const char *name)
{
    static const enum png_samples kinds[] = { PNG_GRAY16, PNG_GRAY_ALPHA16, PNG_RGB8, PNG_RGBA8 };
    const struct picture_held *held = gallery_hold(rq->service->gallery, name, &rq->fault);
    bool printed;

    if (!held)
        return false;
    rq->etag = raster_etag(rq, &held->about, false);
    /* One that the client has is not made anew: it is answered with 304. */
    printed = (rq->if_none_match && rq->etag && etag_matches(rq->if_none_match, rq->etag, true)) ||
              png_write(kinds[held->about.channels - 1], held->about.width, held->about.height,
                        held->samples, PNG_SMALL, &rq->bytes, &rq->fault);
    gallery_drop(rq->service->gallery, held);
    return printed;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const char *name = ((const struct raster_asked *)asked)->name;
    struct picture_about about;

    if (rq->media_out == AS_PNG)
        return print(rq, name);
    if (!gallery_find(rq->service->gallery, name, &about, &rq->fault))
        return false;
    rq->etag = raster_etag(rq, &about, true);
    return raster_document_fill(rq, &about, answer);
}

const struct endpoint endpoint_get_raster = {
    .method = "GET",
    .path = "/v1/rasters/{name}",
    .summary = "An uploaded raster: gray of 16 bits, or the colours that came",
    .example_path = "/v1/rasters/demo",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .asks = &raster_asked_shape,
    .media_out = media_out,
    .formats = formats,
    .answers = &raster_document_shape,
    .run = run,
};
