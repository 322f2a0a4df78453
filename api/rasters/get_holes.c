/* The holes of a rectangle of quads: 0 solid, 255 a hole. */
#include "api/rasters/eight_bit.h"

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct rect quads;

    if (!window_quads(asked, rq->view, &quads, &rq->fault))
        return false;
    *version = tree_newest(&rq->view->planes[PLANE_HOLES], quads);
    return true;
}

static void read_rows(void *context, int plane, struct rect rows, uint8_t *samples)
{
    (void)plane;
    view_read_holes(context, rows, samples, rows.width);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct rect quads;

    (void)answer;
    return window_quads(asked, rq->view, &quads, &rq->fault) &&
           eight_bit_write(rq, (enum eight_bit_form)rq->media_out, quads, 1, read_rows,
                           (void *)(uintptr_t)rq->view);
}

const struct endpoint endpoint_get_holes = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/holes",
    .summary = "The holes of a rectangle of quads: 0 is solid, 255 a hole",
    .example = "x=0&y=0&width=4&height=2&format=r8",
    .example_path = "/v1/landscapes/demo/holes",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &window_shape,
    .media_out = eight_bit_media,
    .formats = eight_bit_formats,
    .newest = newest,
    .run = run,
};
