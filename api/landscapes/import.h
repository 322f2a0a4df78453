/* What a client says about a raster that is to become a landscape, and what became of it.
 * One thread at a time. */
#ifndef API_LANDSCAPES_IMPORT_H
#define API_LANDSCAPES_IMPORT_H

#include "api/endpoint.h"
#include "terrain/format/import.h"

struct import_asked {
    bool replace;
    int fit; /* enum import_fit */
    int32_t section_quads, sections_per_component, columns, rows;
    double z_scale, z_origin, z_min, z_max;
    int32_t width, height;
    int byte_order;
    int64_t offset;
    int encoding; /* -1 is none */
    int driver;   /* -1 tries all */
    const char *filename;
    int32_t band;
    int units; /* 1: codes */
    double nodata;
    const char *crs, *title;
    uint64_t given;
};
extern const struct shape import_asked_shape;

/* The media types that an import takes. */
extern const char *const import_media[];

struct import_source {
    int32_t width, height, depth;
    const char *type, *driver, *crs, *units;
    int64_t nodata_count;
    double min, max;
};

struct import_report {
    struct import_source source;
    double z_scale, z_origin, step;
    int32_t padded[2];
    bool resampled, warped;
    struct list warnings;
};
extern const struct shape import_report_shape;

/* What rows cannot say about the options: which go together. */
bool import_asked_check(const struct import_asked *asked, struct fault *why);

/* The request's body as a raster; end it with raster_free in any case. */
bool import_raster(struct request *rq, const struct import_asked *asked, struct raster *raster);

/* The options of a plan, for a new landscape or onto one that is there. */
struct import_options import_options_of(const struct request *rq, const struct import_asked *asked,
                                        const struct settings *onto);

/* Fails with MEMORY. */
bool import_tell(struct request *rq, const struct raster *raster, const struct import_plan *plan,
                 struct import_report *report);

#endif
