/* Heights written over a rectangle of vertices: an edit, answered like one. */
#include <math.h>
#include <string.h>

#include "api/changed.h"
#include "api/rasters/rows_json.h"
#include "api/rasters/window.h"
#include "api/service.h"
#include "terrain/format/decode.h"
#include "terrain/format/raw.h"

struct put_heights {
    struct window_asked window;
    const char *edit_layer;
    bool dry_run;
};

static const struct field asks[] = {
    FIELD_AS(FIELD_NAME, struct put_heights, edit_layer, "The edit layer that takes the change",
             .has_value = true, .text = "base"),
    FIELD(struct put_heights, dry_run, NULL, 0, 0, "Answer the same and change nothing"),
    { .kind = FIELD_END }
};

static const char *const media_in[] = { "image/png", "application/x-r16", "application/x-f32",
                                        "application/json", NULL };
enum { FROM_PNG, FROM_R16, FROM_F32, FROM_JSON };

/* The raster that came, and where it goes. */
struct writing {
    const char *edit_layer;
    struct raster raster;
    struct rect to;
    double *values; /* one row of it, on its way to codes */
    uint16_t *codes;
};

static struct raster_limits limits_of(const struct request *rq)
{
    return (struct raster_limits){ rq->service->limits.landscape_side,
                                   rq->service->limits.landscape_vertices };
}

static bool read_raw(struct request *rq, const struct window_asked *asked, struct writing *writing)
{
    struct raw_options options = { .type = rq->media_in == FROM_R16 ? RAW_R16 : RAW_F32,
                                   .width = asked->width,
                                   .height = asked->height };
    struct raster_limits limits = limits_of(rq);

    if (!raw_read(rq->body_data, rq->body_length, &options, &limits, &writing->raster, &rq->fault))
        return false;
    if (writing->raster.voids == 0)
        return true;
    return REFUSE(rq, FAULT_NOT_FINITE, "%lld of the heights are NaN",
                  (long long)writing->raster.voids);
}

static bool read_png(struct request *rq, const struct window_asked *asked, struct writing *writing)
{
    struct decode_options options = { .limits = limits_of(rq), .driver = -1 };

    if (!decode_is_png(rq->body_data, rq->body_length))
        return REFUSE(rq, FAULT_FORMAT, "the %zu bytes do not begin as a PNG does",
                      rq->body_length);
    if (!decode_raster(rq->service->decoders, &options, rq->body_data, rq->body_length,
                       &writing->raster, &rq->fault))
        return false;
    if ((asked->width && asked->width != writing->raster.width) ||
        (asked->height && asked->height != writing->raster.height))
        return REFUSE(rq, FAULT_SIZE, "the PNG has %d x %d samples, unlike width and height",
                      writing->raster.width, writing->raster.height);
    return true;
}

/* A number that the query and the body both may name: the query's zero is as good as none. */
static bool same(struct request *rq, const char *name, int32_t asked, int32_t said)
{
    if (said < 0 || asked == 0 || asked == said)
        return true;
    REFUSE(rq, FAULT_INPUT, "%s is %d in the query and %d in the body", name, asked, said);
    return fault_at(&rq->fault, "%s", name);
}

static bool read_json(struct request *rq, struct window_asked *asked, struct writing *writing)
{
    struct raster *raster = &writing->raster;
    struct rows_json rows;

    if (!rows_json_read(rq->body_data, rq->body_length, rq->arena, &rows, &rq->fault) ||
        !same(rq, "x", asked->x, rows.x) || !same(rq, "y", asked->y, rows.y) ||
        !same(rq, "width", asked->width, rows.width) ||
        !same(rq, "height", asked->height, rows.height))
        return false;
    asked->x = rows.x >= 0 ? rows.x : asked->x;
    asked->y = rows.y >= 0 ? rows.y : asked->y;
    *raster = (struct raster){ .kind = RASTER_DOUBLES,
                               .width = rows.width,
                               .height = rows.height,
                               .samples = rows.metres,
                               .memory = RASTER_LENT,
                               .least = INFINITY,
                               .greatest = -INFINITY };
    for (int32_t y = 0; y < rows.height; y++)
        raster_note_doubles(raster, rows.metres + (size_t)y * (size_t)rows.width, rows.width);
    return true;
}

static bool read_body(struct request *rq, struct window_asked *asked, struct writing *writing)
{
    if (rq->media_in == FROM_PNG    ? !read_png(rq, asked, writing)
        : rq->media_in == FROM_JSON ? !read_json(rq, asked, writing)
                                    : !read_raw(rq, asked, writing))
        return false;
    asked->width = writing->raster.width;
    asked->height = writing->raster.height;
    return window_rect(asked, view_rect(rq->view), rq->view, &writing->to, &rq->fault);
}

static bool heights_fit(const struct raster *raster, const struct grid *grid, struct fault *why)
{
    if (grid_code(grid, raster->least) >= -0.5 && grid_code(grid, raster->greatest) < 65535.5)
        return true;
    return fault_set(
        why, FAULT_HEIGHTS, "heights from %.9g to %.9g m came; this landscape holds %.9g to %.9g m",
        raster->least, raster->greatest, grid_metres(grid, 0), grid_metres(grid, 65535));
}

static void codes_of_row(const struct writing *writing, const struct grid *grid, int32_t y)
{
    const struct raster *raster = &writing->raster;

    raster_read(raster, 0, y, raster->width, writing->values);
    for (int32_t x = 0; x < raster->width; x++)
        writing->codes[x] = grid_round(grid_code(grid, writing->values[x]));
}

static bool write_all(void *context, struct draft *draft, struct fault *why)
{
    const struct writing *writing = context;
    const struct raster *raster = &writing->raster;
    const struct grid grid = *view_grid(draft_view(draft));
    struct rect row = { writing->to.x, writing->to.y, writing->to.width, 1 };

    if (!changed_layer(draft, writing->edit_layer, "edit_layer", why))
        return false;
    if (raster->kind == RASTER_U16)
        return draft_write_heights(draft, writing->to, raster->samples, raster->width, why);
    if (!heights_fit(raster, &grid, why))
        return false;
    for (int32_t y = 0; y < raster->height; y++, row.y++) {
        codes_of_row(writing, &grid, y);
        if (!draft_write_heights(draft, row, writing->codes, row.width, why))
            return false;
    }
    return true;
}

static bool rows_take(struct request *rq, struct writing *writing)
{
    size_t width = (size_t)writing->raster.width;

    writing->values = arena_new(rq->arena, width * sizeof *writing->values);
    writing->codes = arena_new(rq->arena, width * sizeof *writing->codes);
    return (writing->values && writing->codes) ||
           REFUSE(rq, FAULT_MEMORY, "no memory for a row of heights");
}

static bool write_body(struct request *rq, const struct put_heights *asked, struct changed *answer)
{
    struct writing *writing = arena_new(rq->arena, sizeof *writing);
    struct window_asked window = asked->window;
    const char *request;
    bool done = false;

    if (!writing)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a raster");
    writing->edit_layer = asked->edit_layer;
    if (read_body(rq, &window, writing) && rows_take(rq, writing)) {
        request = arena_print(
            rq->arena, "PUT heights x=%d&y=%d&width=%d&height=%d&edit_layer=%s, body %08x",
            window.x, window.y, window.width, window.height, asked->edit_layer, changed_body(rq));
        done = changed_make(rq, write_all, writing, asked->dry_run, request, answer);
    }
    raster_free(&writing->raster);
    return done;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct put_heights *put = asked;

    return write_body(rq, put, answer);
}

const struct endpoint endpoint_put_heights = {
    .method = "PUT",
    .path = "/v1/landscapes/{landscape}/heights",
    .summary = "Write heights over a rectangle of vertices",
    .example = "x=0&y=0",
    .example_path = "/v1/landscapes/demo/heights",
    .example_body = "{\"rows\":[[1,2],[3,4]]}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "put_heights",
                                   .size = sizeof(struct put_heights),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .media_in = media_in,
    .conditional = true,
    .body_limit = "raster_body_bytes",
    .answers = &changed_shape,
    .run = run,
};
