/* Removes an uploaded raster. */
#include "api/gallery/raster_document.h"
#include "api/service.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct gallery_condition *condition = raster_condition(rq);

    (void)answer;
    rq->status = 204;
    return condition &&
           gallery_remove(rq->service->gallery, ((const struct raster_asked *)asked)->name,
                          condition, &rq->fault);
}

static const int statuses[] = { 204, 0 };

const struct endpoint endpoint_delete_raster = {
    .method = "DELETE",
    .path = "/v1/rasters/{name}",
    .summary = "Remove an uploaded raster",
    .example_path = "/v1/rasters/demo",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .asks = &raster_asked_shape,
    .conditional = true,
    .statuses = statuses,
    .run = run,
};
