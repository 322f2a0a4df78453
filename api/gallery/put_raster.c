/* Uploads a picture for stamps, masks and materials, or another in its place. */
#include <math.h>
#include <stdlib.h>

#include "api/gallery/raster_document.h"
#include "api/service.h"
#include "terrain/format/decode.h"
#include "terrain/format/raw.h"

struct put_raster {
    struct raster_asked raster;
    int32_t width, height;
    int byte_order;
};

static const char *const orders[] = { "little", "big", NULL };

static const struct field asks[] = {
    FIELD(struct put_raster, width, "pixels", 1, 2147483647, "Columns; a PNG tells them itself"),
    FIELD(struct put_raster, height, "pixels", 1, 2147483647, "Rows; a PNG tells them itself"),
    FIELD_AS(FIELD_CHOICE, struct put_raster, byte_order, "Of r16", .words = orders,
             .has_value = true),
    { .kind = FIELD_END }
};

static const char *const media_in[] = { "image/png", "application/x-r16", "application/x-r8",
                                        "application/x-f32", NULL };
enum { FROM_PNG, FROM_R16, FROM_R8, FROM_F32 };

static struct raster_limits limits_of(const struct request *rq)
{
    return (struct raster_limits){ rq->service->limits.raster_side,
                                   rq->service->limits.raster_pixels };
}

static bool read_png(struct request *rq, const struct put_raster *asked, struct raster *raster)
{
    struct decode_options options = { .limits = limits_of(rq),
                                      .encoding = DECODE_PICTURE,
                                      .driver = -1 };

    if (!decode_is_png(rq->body_data, rq->body_length))
        return REFUSE(rq, FAULT_FORMAT, "the %zu bytes do not begin as a PNG does",
                      rq->body_length);
    if (!decode_raster(rq->service->decoders, &options, rq->body_data, rq->body_length, raster,
                       &rq->fault))
        return false;
    if ((asked->width && asked->width != raster->width) ||
        (asked->height && asked->height != raster->height))
        return REFUSE(rq, FAULT_SIZE, "the PNG has %d x %d samples, unlike width and height",
                      raster->width, raster->height);
    return true;
}

/* From 0 to 1, black to white, to 16 bits. */
static bool widen(struct request *rq, struct raster *raster)
{
    size_t count = (size_t)raster->width * (size_t)raster->height;
    uint16_t *codes;
    const float *floats = raster->samples;

    if (raster->voids)
        return REFUSE(rq, FAULT_NOT_FINITE, "%lld of the samples are NaN",
                      (long long)raster->voids);
    if (!(raster->least >= 0 && raster->greatest <= 1))
        return REFUSE(rq, FAULT_IMPOSSIBLE,
                      "samples from %.9g to %.9g came; those of f32 are 0 (black) to 1 (white)",
                      raster->least, raster->greatest);
    codes = malloc(count * sizeof *codes);
    if (!codes)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the raster's samples");
    for (size_t i = 0; i < count; i++)
        codes[i] = (uint16_t)floor((double)floats[i] * 65535 + 0.5);
    raster_free(raster);
    raster->samples = codes;
    raster->memory = RASTER_HEAP;
    raster->kind = RASTER_U16;
    return true;
}

static bool read_raw(struct request *rq, const struct put_raster *asked, struct raster *raster)
{
    struct raw_options options = { .type = rq->media_in == FROM_R16  ? RAW_R16
                                           : rq->media_in == FROM_R8 ? RAW_R8
                                                                     : RAW_F32,
                                   .width = asked->width,
                                   .height = asked->height,
                                   .big_endian = asked->byte_order == 1 };
    struct raster_limits limits = limits_of(rq);

    return raw_read(rq->body_data, rq->body_length, &options, &limits, raster, &rq->fault) &&
           (rq->media_in != FROM_F32 || widen(rq, raster));
}

static int32_t channels_of(enum raster_kind kind)
{
    return kind == RASTER_RGBA ? 4 : kind == RASTER_RGB ? 3 : kind == RASTER_GRAY_ALPHA ? 2 : 1;
}

static bool put(struct request *rq, const char *name, const struct raster *raster,
                struct raster_document *document)
{
    const struct gallery_condition *condition = raster_condition(rq);
    struct picture_about about;
    bool replaced;

    if (!condition || !gallery_put(rq->service->gallery, name, raster->width, raster->height,
                                   channels_of(raster->kind), raster->samples, condition, &about,
                                   &replaced, &rq->fault))
        return false;
    rq->etag = raster_etag(rq, &about, false);
    if (!raster_document_fill(rq, &about, document))
        return false;
    rq->status = replaced ? 200 : 201;
    rq->location = replaced ? NULL : document->href;
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct put_raster *put_raster = asked;
    struct raster *raster = arena_new(rq->arena, sizeof *raster);
    bool done;

    if (!raster)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a raster");
    done = (rq->media_in == FROM_PNG ? read_png(rq, put_raster, raster)
                                     : read_raw(rq, put_raster, raster)) &&
           put(rq, put_raster->raster.name, raster, answer);
    raster_free(raster);
    return done;
}

static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_put_raster = {
    .method = "PUT",
    .path = "/v1/rasters/{name}",
    .summary = "Upload a picture for stamps, masks and materials",
    .example_path = "/v1/rasters/demo",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .asks = &(const struct shape){ .name = "put_raster",
                                   .size = sizeof(struct put_raster),
                                   .fields = asks,
                                   .base = &raster_asked_shape,
                                   .given = -1 },
    .media_in = media_in,
    .conditional = true,
    .body_limit = "raster_body_bytes",
    .answers = &raster_document_shape,
    .statuses = statuses,
    .run = run,
};
