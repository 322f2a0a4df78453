/* One paint layer's weights written over a rectangle of vertices: an edit, answered like one. */
#include "api/changed.h"
#include "api/rasters/weights.h"

struct put_layer_weights {
    struct window_asked window;
    const char *layer, *edit_layer;
    bool dry_run;
};

static const struct field asks[] = {
    FIELD_AS(FIELD_NAME, struct put_layer_weights, layer, "The paint layer", .required = true,
             .in_path = true),
    FIELD_AS(FIELD_NAME, struct put_layer_weights, edit_layer,
             "The edit layer that takes the change", .has_value = true, .text = "base"),
    FIELD(struct put_layer_weights, dry_run, NULL, 0, 0, "Answer the same and change nothing"),
    { .kind = FIELD_END }
};

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct put_layer_weights *put = asked;
    struct window_asked window = put->window;
    struct weights_writing *writing = arena_new(rq->arena, sizeof *writing);
    const char **name = arena_new(rq->arena, sizeof *name), *request;

    if (!writing || !name)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a raster");
    *name = put->layer;
    writing->names = (struct list){ 1, name };
    writing->parameter = "";
    writing->edit_layer = put->edit_layer;
    if (!eight_bit_read(rq, (enum eight_bit_form)rq->media_in, &window, 1, &writing->raster))
        return false;
    window.width = writing->raster.width;
    window.height = writing->raster.height;
    if (!window_rect(&window, view_rect(rq->view), rq->view, &writing->to, &rq->fault))
        return false;
    request = arena_print(rq->arena,
                          "PUT weights/%s x=%d&y=%d&width=%d&height=%d&edit_layer=%s, body %08x",
                          put->layer, window.x, window.y, window.width, window.height,
                          put->edit_layer, changed_body(rq));
    return request ? changed_make(rq, weights_write, writing, put->dry_run, request, answer)
                   : REFUSE(rq, FAULT_MEMORY, "no memory for a raster");
}

const struct endpoint endpoint_put_layer_weights = {
    .method = "PUT",
    .path = "/v1/landscapes/{landscape}/weights/{layer}",
    .summary =
        "Paint a layer with these weights; at each vertex the other blended ones give way, and "
        "where there are none it takes 255",
    .example = "x=0&y=0",
    .example_path = "/v1/landscapes/demo/weights/grass",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "put_layer_weights",
                                   .size = sizeof(struct put_layer_weights),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .media_in = eight_bit_media,
    .conditional = true,
    .body_limit = "raster_body_bytes",
    .answers = &changed_shape,
    .run = run,
};
