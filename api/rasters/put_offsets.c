/* XY offsets written over a rectangle of vertices: an edit, answered like one. */
#include "api/changed.h"
#include "api/rasters/eight_bit.h"
#include "api/rasters/offsets.h"
#include "terrain/core/offset.h"
#include "terrain/format/raster.h"

struct put_offsets {
    struct window_asked window;
    bool dry_run;
};

static const struct field asks[] = { FIELD(struct put_offsets, dry_run, NULL, 0, 0,
                                           "Answer the same and change nothing"),
                                     { .kind = FIELD_END } };

enum { BYTES = 4 /* a vertex, in either form */ };

struct writing {
    struct rect to;
    uint16_t (*xy)[2];
};

static bool write_all(void *context, struct draft *draft, struct fault *why)
{
    const struct writing *writing = context;

    return draft_write_offsets(draft, writing->to, (const uint16_t(*)[2])writing->xy,
                               writing->to.width, why);
}

/* Planes of bytes, as a picture's channels come. */
static void from_channels(const struct eight_bit *raster, uint16_t (*xy)[2])
{
    size_t count = (size_t)raster->width * (size_t)raster->height;

    for (size_t i = 0; i < count; i++) {
        uint8_t texel[BYTES];

        for (size_t k = 0; k < BYTES; k++)
            texel[k] = raster->samples[k * count + i];
        offset_of_texel(texel, xy[i]);
    }
}

static void from_pairs(const uint8_t *bytes, size_t count, uint16_t (*xy)[2])
{
    for (size_t i = 0; i < 2 * count; i++)
        xy[i / 2][i % 2] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
}

/* The raster's size, and where it goes. The four bytes of a pair count as planes, so that sizes are
 * checked as those of other rasters are. */
static bool read_body(struct request *rq, const struct window_asked *asked, struct writing *writing)
{
    enum eight_bit_form form = rq->media_in == OFFSETS_PNG ? EIGHT_BIT_PNG : EIGHT_BIT_R8;
    struct window_asked window = *asked;
    struct eight_bit raster;
    size_t count;

    if (!eight_bit_read(rq, form, asked, BYTES, &raster))
        return false;
    window.width = raster.width;
    window.height = raster.height;
    if (!window_rect(&window, view_rect(rq->view), rq->view, &writing->to, &rq->fault))
        return false;
    count = (size_t)rect_area(writing->to);
    writing->xy = arena_new(rq->arena, count * sizeof *writing->xy);
    if (!writing->xy)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu offsets", count);
    if (rq->media_in == OFFSETS_PNG)
        from_channels(&raster, writing->xy);
    else
        from_pairs(raster.samples, count, writing->xy);
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct put_offsets *put = asked;
    struct writing *writing = arena_new(rq->arena, sizeof *writing);
    const char *request;

    if (!writing)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a raster");
    if (!read_body(rq, &put->window, writing))
        return false;
    request =
        arena_print(rq->arena, "PUT offsets x=%d&y=%d&width=%d&height=%d, body %08x", writing->to.x,
                    writing->to.y, writing->to.width, writing->to.height, changed_body(rq));
    if (!request)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a request's text");
    return changed_make(rq, write_all, writing, put->dry_run, request, answer);
}

const struct endpoint endpoint_put_offsets = {
    .method = "PUT",
    .path = "/v1/landscapes/{landscape}/offsets",
    .summary = "Set the XY offsets of a rectangle of vertices, coded as they are read; of no edit "
               "layer",
    .example = "x=0&y=0",
    .example_path = "/v1/landscapes/demo/offsets",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "put_offsets",
                                   .size = sizeof(struct put_offsets),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .media_in = offsets_media,
    .conditional = true,
    .body_limit = "raster_body_bytes",
    .answers = &changed_shape,
    .run = run,
};
