/* Several paint layers' weights written at once over a rectangle of vertices: an edit. */
#include "api/changed.h"
#include "api/rasters/weights.h"

struct put_weights {
    struct window_asked window;
    struct list layers; /* const char * */
    const char *edit_layer;
    bool strict, dry_run;
};

static const char *const media_in[] = { "application/x-r8", "image/png", NULL };
enum { FROM_R8, FROM_PNG };

static const struct field asks[] = {
    FIELD_AS(FIELD_TEXTS, struct put_weights, layers,
             "The paint layers, in the order of the body's planes or of the picture's channels",
             .least = 1, .greatest = PAINT_LAYERS_MOST, .required = true),
    FIELD(struct put_weights, strict, NULL, 0, 0,
          "Refuse blended weights that do not add up to 255 or 0, instead of normalising them"),
    FIELD_AS(FIELD_NAME, struct put_weights, edit_layer, "The edit layer that takes the change",
             .has_value = true, .text = "base"),
    FIELD(struct put_weights, dry_run, NULL, 0, 0, "Answer the same and change nothing"),
    { .kind = FIELD_END }
};

/* What the log keeps, and what a repeat with the same idempotency key must equal. */
static const char *request_text(struct request *rq, const struct put_weights *put,
                                const struct window_asked *window)
{
    const char *const *names = put->layers.items, *text;

    text = arena_print(
        rq->arena, "PUT weights x=%d&y=%d&width=%d&height=%d&strict=%d&edit_layer=%s, body %08x",
        window->x, window->y, window->width, window->height, put->strict, put->edit_layer,
        changed_body(rq));
    for (size_t i = 0; text && i < put->layers.count; i++)
        text = arena_print(rq->arena, "%s%s%s", text, i ? "," : "&layers=", names[i]);
    return text;
}

/* Planes without a size are of what is left of the landscape; a PNG has its own. */
static bool read_body(struct request *rq, const struct put_weights *put,
                      struct window_asked *window, struct weights_writing *writing)
{
    struct rect all = view_rect(rq->view);
    int planes = (int)put->layers.count;

    if (!window_rect(window, all, rq->view, &writing->to, &rq->fault))
        return false;
    if (rq->media_in == FROM_R8) {
        window->width = writing->to.width;
        window->height = writing->to.height;
        return eight_bit_read(rq, EIGHT_BIT_R8, window, planes, &writing->raster);
    }
    if (!eight_bit_read(rq, EIGHT_BIT_PNG, window, planes, &writing->raster))
        return false;
    window->width = writing->raster.width;
    window->height = writing->raster.height;
    return window_rect(window, all, rq->view, &writing->to, &rq->fault);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct put_weights *put = asked;
    struct window_asked window = put->window;
    struct weights_writing *writing = arena_new(rq->arena, sizeof *writing);
    const char *request;

    if (!writing)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a raster");
    writing->names = put->layers;
    writing->parameter = "layers";
    writing->edit_layer = put->edit_layer;
    writing->strict = put->strict;
    if (!read_body(rq, put, &window, writing))
        return false;
    request = request_text(rq, put, &window);
    return request ? changed_make(rq, weights_write, writing, put->dry_run, request, answer)
                   : REFUSE(rq, FAULT_MEMORY, "no memory for a raster");
}

const struct endpoint endpoint_put_weights = {
    .method = "PUT",
    .path = "/v1/landscapes/{landscape}/weights",
    .summary = "Write several paint layers at once: blended ones are normalised once, the blended "
               "layers that are not among them share what they leave",
    .example = "layers=grass,rock",
    .example_path = "/v1/landscapes/demo/weights",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "put_weights",
                                   .size = sizeof(struct put_weights),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .media_in = media_in,
    .conditional = true,
    .body_limit = "raster_body_bytes",
    .answers = &changed_shape,
    .run = run,
};
