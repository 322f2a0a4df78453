/* The document of an uploaded raster, its links and its ETags. Any thread. */
#ifndef API_GALLERY_RASTER_DOCUMENT_H
#define API_GALLERY_RASTER_DOCUMENT_H

#include "api/endpoint.h"
#include "terrain/store/gallery.h"

struct raster_document {
    const char *name;
    int32_t width, height, channels, depth;
    int64_t bytes, disk_bytes;
    const char *checksum, *unavailable, *href;
};
extern const struct shape raster_document_shape;

/* In the request's arena; fails with MEMORY. */
bool raster_document_fill(struct request *rq, const struct picture_about *about,
                          struct raster_document *document);

/* Quoted, in the request's arena; of the picture itself or of its document. NULL when the arena is
 * exhausted. */
const char *raster_etag(struct request *rq, const struct picture_about *about, bool document);

/* The path's {name}, as the first member of what each of these endpoints asks. */
struct raster_asked {
    const char *name;
};
extern const struct shape raster_asked_shape;

/* If-Match and If-None-Match of a change, as a condition for the gallery: either of the raster's
 * ETags will do. Lent by the arena. */
const struct gallery_condition *raster_condition(struct request *rq);

#endif
