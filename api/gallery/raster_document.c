#include "api/gallery/raster_document.h"

#include <inttypes.h>

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct raster_document, name, "The raster's name"),
    FIELD(struct raster_document, width, "pixels", 0, 0, "Columns"),
    FIELD(struct raster_document, height, "pixels", 0, 0, "Rows"),
    FIELD(struct raster_document, channels, "", 0, 0,
          "1 gray, 2 gray and alpha, 3 red, green and blue, 4 with alpha"),
    FIELD(struct raster_document, depth, "bits", 0, 0, "Of a sample: 16 of gray, 8 of colours"),
    FIELD(struct raster_document, bytes, "bytes", 0, 0, "Of the samples"),
    FIELD(struct raster_document, disk_bytes, "bytes", 0, 0, "What it takes on the disk"),
    FIELD(struct raster_document, checksum, NULL, 0, 0, "CRC-32C of the samples, hexadecimal"),
    FIELD(struct raster_document, unavailable, NULL, 0, 0, "Why it cannot be read, or null"),
    FIELD(struct raster_document, href, NULL, 0, 0, "The raster"),
    { .kind = FIELD_END }
};

const struct shape raster_document_shape = {
    .name = "raster_document", .size = sizeof(struct raster_document), .fields = rows, .given = -1
};

static const struct field asked_rows[] = { FIELD_AS(FIELD_NAME, struct raster_asked, name,
                                                    "The raster's name", .in_path = true,
                                                    .required = true),
                                           { .kind = FIELD_END } };

const struct shape raster_asked_shape = {
    .name = "raster_asked", .size = sizeof(struct raster_asked), .fields = asked_rows, .given = -1
};

bool raster_document_fill(struct request *rq, const struct picture_about *about,
                          struct raster_document *document)
{
    *document = (struct raster_document){ .name = arena_text(rq->arena, about->name),
                                          .width = about->width,
                                          .height = about->height,
                                          .channels = about->channels,
                                          .depth = about->channels <= 2 ? 16 : 8,
                                          .bytes = about->bytes,
                                          .disk_bytes = about->disk_bytes };
    document->checksum = arena_print(rq->arena, "%08" PRIx32, about->checksum);
    document->href = arena_print(rq->arena, "/v1/rasters/%s", about->name);
    if (about->damaged)
        document->unavailable = "it is damaged; put it again";
    return (document->name && document->checksum && document->href) ||
           REFUSE(rq, FAULT_MEMORY, "No memory for a raster's document");
}

const char *raster_etag(struct request *rq, const struct picture_about *about, bool document)
{
    return arena_print(rq->arena, "\"%016" PRIx64 "%s\"", about->revision,
                       document ? "-document" : "");
}

/* Whether a header names any of the ETags that GET answers, the gzip coding's included. */
static bool named(struct request *rq, const char *header, const struct picture_about *now,
                  bool weak_counts)
{
    static const char *const ends[] = { "", "-document", "-document-gz" };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *etag = arena_print(rq->arena, "\"%016" PRIx64 "%s\"", now->revision, ends[i]);

        if (etag && etag_matches(header, etag, weak_counts))
            return true;
    }
    return false;
}

static bool holds(void *context, const struct picture_about *now, struct fault *why)
{
    struct request *rq = context;

    if (rq->if_match && !now)
        return fault_set(why, FAULT_STALE, "There is no raster of that name to match");
    if (rq->if_match && !named(rq, rq->if_match, now, false))
        return fault_set(why, FAULT_STALE, "The raster %s has the ETag \"%016" PRIx64 "\"",
                         now->name, now->revision);
    if (rq->if_none_match && now && named(rq, rq->if_none_match, now, true))
        return fault_set(why, FAULT_STALE, "There is a raster %s already", now->name);
    return true;
}

const struct gallery_condition *raster_condition(struct request *rq)
{
    struct gallery_condition *condition = arena_new(rq->arena, sizeof *condition);

    if (condition)
        *condition = (struct gallery_condition){ holds, rq };
    else
        REFUSE(rq, FAULT_MEMORY, "No memory for a condition");
    return condition;
}
