#include "api/landscapes/import.h"

#include <stdio.h>
#include <string.h>

#include "api/service.h"
#include "terrain/format/decode.h"
#include "terrain/format/raw.h"

const char *const import_media[] = {
    "application/octet-stream", "image/png",         "image/tiff", "application/x-r16",
    "application/x-r8",         "application/x-f32", NULL
};
enum { FROM_ANY, FROM_PNG, FROM_TIFF, FROM_R16, FROM_R8, FROM_F32 };

static const char *const fits[] = { "pad", "exact", "resample", NULL };
static const char *const orders[] = { "little", "big", NULL };
static const char *const encodings[] = { "terrain-rgb", "terrarium", NULL };
static const char *const unit_words[] = { "metres", "codes", NULL };

enum { GIVEN_Z_SCALE = 6, GIVEN_Z_ORIGIN, GIVEN_Z_MIN, GIVEN_Z_MAX, GIVEN_NODATA = 18 };

static const struct field asked_rows[] = {
    FIELD(struct import_asked, replace, NULL, 0, 0,
          "Replace the heights of the landscape that is there"),
    FIELD_AS(FIELD_CHOICE, struct import_asked, fit,
             "A size that no landscape has is padded, refused or resampled", .words = fits),
    FIELD(struct import_asked, section_quads, "quads", 7, 255,
          "Quads a side of a section: 7, 15, 31, 63, 127 or 255; chosen when left out"),
    FIELD(struct import_asked, sections_per_component, NULL, 1, 2,
          "Sections a side of a component; chosen when left out"),
    FIELD(struct import_asked, columns, "vertices", 8, 65536,
          "Columns to resample to; the nearest valid number when left out"),
    FIELD(struct import_asked, rows, "vertices", 8, 65536,
          "Rows to resample to; the nearest valid number when left out"),
    FIELD(struct import_asked, z_scale, "m", SETTINGS_SCALE_LEAST, SETTINGS_SCALE_MOST,
          "Metres of 128 height codes"),
    FIELD(struct import_asked, z_origin, "m", -SETTINGS_ORIGIN_MOST, SETTINGS_ORIGIN_MOST,
          "The height of code 32768"),
    FIELD(struct import_asked, z_min, "m", -SETTINGS_ORIGIN_MOST, SETTINGS_ORIGIN_MOST,
          "The height of code 0, with z_max"),
    FIELD(struct import_asked, z_max, "m", -SETTINGS_ORIGIN_MOST, SETTINGS_ORIGIN_MOST,
          "The height of code 65535, with z_min"),
    FIELD(struct import_asked, width, "samples", 1, 65536, "Columns of headerless samples"),
    FIELD(struct import_asked, height, "samples", 1, 65536, "Rows of headerless samples"),
    FIELD_AS(FIELD_CHOICE, struct import_asked, byte_order, "Of headerless samples",
             .words = orders),
    FIELD(struct import_asked, offset, "bytes", 0, 9007199254740992.0,
          "Bytes in front of headerless samples"),
    FIELD_AS(FIELD_CHOICE, struct import_asked, encoding,
             "How the colours of a PNG stand for metres", .words = encodings, .has_value = true,
             .value = -1),
    FIELD_AS(FIELD_CHOICE, struct import_asked, driver, "The reader; all are tried when left out",
             .words = decode_drivers, .has_value = true, .value = -1),
    FIELD_AS(FIELD_NAME, struct import_asked, filename, "The file's name, which HGT needs"),
    FIELD(struct import_asked, band, NULL, 1, 65535, "The band, from 1 on"),
    FIELD(struct import_asked, nodata, NULL, -1e300, 1e300,
          "A value without data, beside the file's own and NaN"),
    FIELD_AS(FIELD_CHOICE, struct import_asked, units,
             "Whether an unsigned GeoTIFF holds metres or height codes", .words = unit_words),
    FIELD(struct import_asked, crs, NULL, 6, 20, "EPSG:n to warp to; kept as it is when left out"),
    FIELD(struct import_asked, title, NULL, 0, SETTINGS_TITLE_MOST, "A name for people"),
    { .kind = FIELD_END }
};

const struct shape import_asked_shape = { .name = "import",
                                          .size = sizeof(struct import_asked),
                                          .fields = asked_rows,
                                          .given = offsetof(struct import_asked, given) };

static const struct field source_rows[] = {
    FIELD(struct import_source, width, "samples", 0, 0, "Columns of the source"),
    FIELD(struct import_source, height, "samples", 0, 0, "Rows of the source"),
    FIELD(struct import_source, type, NULL, 0, 0, "The type of its samples"),
    FIELD(struct import_source, depth, "bits", 0, 0, "The bits of a sample"),
    FIELD(struct import_source, driver, NULL, 0, 0, "What read it"),
    FIELD(struct import_source, units, NULL, 0, 0, "metres or codes"),
    FIELD(struct import_source, crs, NULL, 0, 0, "EPSG:n, another text of a CRS, or null"),
    FIELD(struct import_source, nodata_count, "samples", 0, 0, "Those without data"),
    FIELD(struct import_source, min, NULL, 0, 0, "The least sample, in the source's units"),
    FIELD(struct import_source, max, NULL, 0, 0, "The greatest sample"),
    { .kind = FIELD_END }
};

static const struct field report_rows[] = {
    FIELD_AS(FIELD_OBJECT, struct import_report, source, "What came",
             .shape = SHAPE(struct import_source, source_rows)),
    FIELD(struct import_report, z_scale, "m", 0, 0, "Metres of 128 height codes"),
    FIELD(struct import_report, z_origin, "m", 0, 0, "The height of code 32768"),
    FIELD(struct import_report, step, "m", 0, 0, "Metres of one height code"),
    FIELD_AS(FIELD_INTS, struct import_report, padded, "Columns and rows of pad", .count = 2),
    FIELD(struct import_report, resampled, NULL, 0, 0,
          "Whether the size was changed by resampling"),
    FIELD(struct import_report, warped, NULL, 0, 0, "Whether the CRS was changed (cubic)"),
    FIELD_AS(FIELD_TEXTS, struct import_report, warnings, "What the importer noticed"),
    { .kind = FIELD_END }
};

const struct shape import_report_shape = { .name = "import_report",
                                           .size = sizeof(struct import_report),
                                           .fields = report_rows,
                                           .given = -1 };

static bool gave(const struct import_asked *asked, int field)
{
    return asked->given >> field & 1;
}

static bool refuse_at(struct fault *why, const char *place, const char *sentence)
{
    fault_set(why, FAULT_INPUT, "%s", sentence);
    return fault_at(why, "%s", place);
}

static bool crs_known(const char *crs)
{
    size_t digits = strncmp(crs, "EPSG:", 5) == 0 ? strspn(crs + 5, "0123456789") : 0;

    return digits > 0 && digits < 8 && crs[5 + digits] == 0;
}

bool import_asked_check(const struct import_asked *asked, struct fault *why)
{
    bool low = gave(asked, GIVEN_Z_MIN), high = gave(asked, GIVEN_Z_MAX), known = false;

    for (const int32_t *quads = layout_section_quads; *quads; quads++)
        known = known || *quads == asked->section_quads;
    if (asked->section_quads && !known)
        return refuse_at(why, "section_quads",
                         "a section has 7, 15, 31, 63, 127 or 255 quads a side");
    if (low != high)
        return refuse_at(why, low ? "z_max" : "z_min", "z_min and z_max go together");
    if (low && (gave(asked, GIVEN_Z_SCALE) || gave(asked, GIVEN_Z_ORIGIN)))
        return refuse_at(why, "z_min",
                         "z_min and z_max say what z_scale and z_origin say; give one pair");
    if ((asked->columns || asked->rows) && asked->fit != IMPORT_RESAMPLE)
        return refuse_at(why, asked->columns ? "columns" : "rows",
                         "columns and rows are for fit=resample");
    if (asked->crs && !crs_known(asked->crs))
        return refuse_at(why, "crs", "crs is EPSG: and a number, such as EPSG:3857");
    return true;
}

static bool read_raw(struct request *rq, const struct import_asked *asked, enum raw_type type,
                     const struct raster_limits *limits, struct raster *raster)
{
    struct raw_options options = { .type = type,
                                   .width = asked->width,
                                   .height = asked->height,
                                   .big_endian = asked->byte_order == 1,
                                   .offset = asked->offset };

    return raw_read(rq->body_data, rq->body_length, &options, limits, raster, &rq->fault);
}

static bool read_file(struct request *rq, const struct import_asked *asked,
                      const struct raster_limits *limits, struct raster *raster)
{
    struct decode_options options = { .limits = *limits,
                                      .encoding = (enum decode_encoding)(asked->encoding + 1),
                                      .driver = asked->driver,
                                      .band = asked->band,
                                      .codes = asked->units == 1,
                                      .has_nodata = gave(asked, GIVEN_NODATA),
                                      .nodata = asked->nodata,
                                      .early = true };

    if (rq->media_in == FROM_PNG && !decode_is_png(rq->body_data, rq->body_length))
        return REFUSE(rq, FAULT_FORMAT, "the %zu bytes do not begin as a PNG does",
                      rq->body_length);
    if (asked->filename)
        snprintf(options.filename, sizeof options.filename, "%s", asked->filename);
    if (asked->crs)
        snprintf(options.warp_to, sizeof options.warp_to, "%s", asked->crs);
    return decode_raster(rq->service->decoders, &options, rq->body_data, rq->body_length, raster,
                         &rq->fault);
}

/* GDAL's readers have taken care of the value; PNG and headerless samples know of none. */
static bool is_without_nodata(const struct raster *raster)
{
    return strcmp(raster->driver, "PNG") == 0 || strcmp(raster->driver, "raw") == 0;
}

bool import_raster(struct request *rq, const struct import_asked *asked, struct raster *raster)
{
    struct raster_limits limits = { rq->service->limits.landscape_side,
                                    rq->service->limits.landscape_vertices };
    bool read = rq->media_in == FROM_R16   ? read_raw(rq, asked, RAW_R16, &limits, raster)
                : rq->media_in == FROM_R8  ? read_raw(rq, asked, RAW_R8, &limits, raster)
                : rq->media_in == FROM_F32 ? read_raw(rq, asked, RAW_F32, &limits, raster)
                                           : read_file(rq, asked, &limits, raster);

    if (!read)
        return false;
    if (gave(asked, GIVEN_NODATA) && is_without_nodata(raster) &&
        !raster_exclude(raster, asked->nodata, &rq->fault))
        return false;
    if (asked->crs && !raster->crs[0]) {
        REFUSE(rq, FAULT_IMPOSSIBLE, "the raster has no coordinate system to warp to %s from",
               asked->crs);
        return fault_at(&rq->fault, "crs");
    }
    return true;
}

struct import_options import_options_of(const struct request *rq, const struct import_asked *asked,
                                        const struct settings *onto)
{
    return (struct import_options){
        .fit = (enum import_fit)asked->fit,
        .section_quads = asked->section_quads,
        .sections = asked->sections_per_component,
        .columns = asked->columns,
        .rows = asked->rows,
        .onto = onto,
        .has_scale = gave(asked, GIVEN_Z_SCALE),
        .has_origin = gave(asked, GIVEN_Z_ORIGIN),
        .has_range = gave(asked, GIVEN_Z_MIN),
        .z_scale = asked->z_scale,
        .z_origin = asked->z_origin,
        .z_min = asked->z_min,
        .z_max = asked->z_max,
        .limits = { rq->service->limits.landscape_side, rq->service->limits.landscape_vertices },
    };
}

static bool tell_warnings(struct request *rq, const struct raster *raster,
                          const struct import_plan *plan, struct list *warnings)
{
    const char **texts = arena_new(rq->arena, (RASTER_WARNINGS_MOST + 1) * sizeof *texts);
    size_t count = 0;

    if (!texts)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the report");
    for (int32_t i = 0; i < raster->warning_count; i++)
        texts[count++] = arena_text(rq->arena, raster->warnings[i]);
    if (raster->codes && raster->depth < 16)
        texts[count++] = arena_print(rq->arena,
                                     "the source has %d bits, %d levels: heights come in steps of "
                                     "%.6g m",
                                     raster->depth, 1 << raster->depth,
                                     plan->z_scale / 128 * 65535 / ((1 << raster->depth) - 1));
    *warnings = (struct list){ count, texts };
    return true;
}

bool import_tell(struct request *rq, const struct raster *raster, const struct import_plan *plan,
                 struct import_report *report)
{
    const char *crs = raster->warped ? raster->source_crs : raster->crs;

    report->source = (struct import_source){
        .width = raster->warped ? raster->source_width : raster->width,
        .height = raster->warped ? raster->source_height : raster->height,
        .depth = raster->depth,
        .type = arena_text(rq->arena, raster->type),
        .driver = arena_text(rq->arena, raster->driver),
        .crs = crs[0] ? arena_text(rq->arena, crs) : NULL,
        .units = raster->codes ? "codes" : "metres",
        .nodata_count = raster->voids,
        .min = raster->least,
        .max = raster->greatest,
    };
    report->z_scale = plan->z_scale;
    report->z_origin = plan->z_origin;
    report->step = plan->z_scale / 128;
    memcpy(report->padded, plan->padded, sizeof report->padded);
    report->resampled = plan->resampled;
    report->warped = raster->warped;
    return tell_warnings(rq, raster, plan, &report->warnings);
}
