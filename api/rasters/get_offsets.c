/* The XY offsets of a rectangle of vertices. */
#include "api/rasters/offsets.h"
#include "api/rasters/window.h"
#include "api/service.h"
#include "terrain/core/offset.h"
#include "terrain/format/png_write.h"

const char *const offsets_media[] = { "image/png", "application/x-r16", NULL };
const char *const offsets_formats[] = { "png", "r16", NULL };

enum { BAND_ROWS = 64, PAIR_BYTES = 4 };

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct rect rect;

    if (!window_rect(asked, view_rect(rq->view), rq->view, &rect, &rq->fault))
        return false;
    *version = view_newest_offsets(rq->view, rect);
    return true;
}

/* A few rows, as texels or as pairs; `room` holds both numbers of each vertex. */
static void read_band(const struct view *view, struct rect band, enum offsets_form form,
                      uint16_t *room, uint8_t *to)
{
    size_t count = (size_t)rect_area(band);

    for (int axis = 0; axis < 2; axis++)
        view_read_offsets(view, axis, band, room + (size_t)axis * count, band.width);
    for (size_t i = 0; i < count; i++, to += PAIR_BYTES) {
        const uint16_t xy[2] = { room[i], room[count + i] };

        if (form == OFFSETS_PNG) {
            offset_texel(xy, to);
            continue;
        }
        for (int k = 0; k < PAIR_BYTES; k++)
            to[k] = (uint8_t)(xy[k / 2] >> 8 * (k % 2));
    }
}

static bool write_all(struct request *rq, struct rect window, uint16_t *room, uint8_t *band)
{
    enum offsets_form form = (enum offsets_form)rq->media_out;
    struct png_stream *stream = NULL;
    bool done = true;

    if (form == OFFSETS_PNG) {
        stream = png_open(PNG_RGBA8, window.width, window.height, &rq->bytes, &rq->fault);
        done = stream != NULL;
    }
    for (int32_t row = 0; done && row < window.height; row += BAND_ROWS) {
        int32_t left = window.height - row, rows = left < BAND_ROWS ? left : BAND_ROWS;
        struct rect part = { window.x, window.y + row, window.width, rows };

        read_band(rq->view, part, form, room, band);
        done = stream
                   ? png_rows(stream, band, rows, &rq->fault)
                   : bytes_add(&rq->bytes, band, (size_t)rect_area(part) * PAIR_BYTES, &rq->fault);
    }
    png_close(stream);
    return done;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    int64_t most = rq->service->limits.window_vertices;
    struct rect window;
    uint16_t *room;
    uint8_t *band;

    (void)answer;
    if (!window_rect(asked, view_rect(rq->view), rq->view, &window, &rq->fault))
        return false;
    if (rect_area(window) > most)
        return REFUSE(rq, FAULT_LIMIT,
                      "the window has %lld vertices; at most %lld go into one answer "
                      "(window_vertices)",
                      (long long)rect_area(window), (long long)most);
    room = arena_new(rq->arena, (size_t)window.width * BAND_ROWS * 2 * sizeof *room);
    band = arena_new(rq->arena, (size_t)window.width * BAND_ROWS * PAIR_BYTES);
    if (!room || !band)
        return REFUSE(rq, FAULT_MEMORY, "no memory for rows of %d vertices", window.width);
    return write_all(rq, window, room, band);
}

const struct endpoint endpoint_get_offsets = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/offsets",
    .summary = "The XY offsets of a rectangle of vertices: 32768 is none, 256 a quad. A PNG has "
               "the east offset in red (high) and green (low), the south one in blue and alpha; "
               "r16 pairs of little-endian numbers",
    .example = "x=0&y=0&width=4&height=2&format=r16",
    .example_path = "/v1/landscapes/demo/offsets",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &window_shape,
    .media_out = offsets_media,
    .formats = offsets_formats,
    .newest = newest,
    .run = run,
};
