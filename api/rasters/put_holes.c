/* Quads made holes or solid over a rectangle: an edit, answered like one. */
#include <string.h>

#include "api/changed.h"
#include "api/rasters/eight_bit.h"

/* Pictures of masks have soft edges; from here on a quad is a hole. */
enum { HOLE_LEAST = 170 };

struct put_holes {
    struct window_asked window;
    const char *edit_layer;
    bool dry_run;
};

static const struct field asks[] = {
    FIELD_AS(FIELD_NAME, struct put_holes, edit_layer, "The edit layer that takes the change",
             .has_value = true, .text = "base"),
    FIELD(struct put_holes, dry_run, NULL, 0, 0, "Answer the same and change nothing"),
    { .kind = FIELD_END }
};

struct writing {
    const char *edit_layer;
    struct eight_bit raster;
    struct rect to;
    uint8_t *row; /* of it, on its way to holes */
};

static bool write_all(void *context, struct draft *draft, struct fault *why)
{
    const struct writing *writing = context;
    struct rect row = { writing->to.x, writing->to.y, writing->to.width, 1 };
    const uint8_t *samples = writing->raster.samples;

    if (!changed_layer(draft, writing->edit_layer, "edit_layer", why))
        return false;
    for (int32_t y = 0; y < writing->to.height; y++, row.y++, samples += row.width) {
        for (int32_t x = 0; x < row.width; x++)
            writing->row[x] = samples[x] >= HOLE_LEAST;
        if (!draft_write_holes(draft, row, writing->row, row.width, why))
            return false;
    }
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct put_holes *put = asked;
    struct window_asked window = put->window;
    struct writing *writing = arena_new(rq->arena, sizeof *writing);
    const char *request;

    if (!writing)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a raster");
    if (!eight_bit_read(rq, (enum eight_bit_form)rq->media_in, &window, 1, &writing->raster))
        return false;
    window.width = writing->raster.width;
    window.height = writing->raster.height;
    if (!window_quads(&window, rq->view, &writing->to, &rq->fault))
        return false;
    writing->row = arena_new(rq->arena, (size_t)window.width);
    request = arena_print(
        rq->arena, "PUT holes x=%d&y=%d&width=%d&height=%d&edit_layer=%s, body %08x", window.x,
        window.y, window.width, window.height, put->edit_layer, changed_body(rq));
    writing->edit_layer = put->edit_layer;
    if (!writing->row || !request)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a row of holes");
    return changed_make(rq, write_all, writing, put->dry_run, request, answer);
}

const struct endpoint endpoint_put_holes = {
    .method = "PUT",
    .path = "/v1/landscapes/{landscape}/holes",
    .summary = "Make holes over a rectangle of quads: samples from 170 on are holes, others solid",
    .example = "x=0&y=0",
    .example_path = "/v1/landscapes/demo/holes",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "put_holes",
                                   .size = sizeof(struct put_holes),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .media_in = eight_bit_media,
    .conditional = true,
    .body_limit = "raster_body_bytes",
    .answers = &changed_shape,
    .run = run,
};
