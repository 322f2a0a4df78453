#include "terrain/format/gdal_read.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_frmts.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/gdal_warp.h"

static const double metres_a_foot = 0.3048, metres_a_survey_foot = 1200.0 / 3937;

/* An open file, and what its samples go through on their way to metres. */
struct source {
    char path[DECODE_NAME_MOST + 20];
    GDALDatasetH set;
    GDALRasterBandH band, mask; /* mask only where no-data values do not say it all */
    GDALDataType type;
    int32_t width, height;
    double scale, offset;
    bool has_nodata;
    double nodata;
    bool upside_down; /* rows run from the south */
    double place[6];
};

void gdal_prepare(void)
{
    OGRSpatialReferenceH from, to;
    OGRCoordinateTransformationH way;
    double x = 36, y = -84;
    int *confidence = NULL;

    GDALRegister_GTiff();
    GDALRegister_SRTMHGT();
    GDALRegister_AAIGrid();
    GDALRegister_GRASSASCIIGrid();
    GDALRegister_DTED();
    GDALRegister_USGSDEM();
    GDALRegister_HFA();
    GDALRegister_BT();
    GDALRegister_MEM();
    CPLSetConfigOption("GDAL_PAM_ENABLED", "NO");
    CPLSetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR");
    CPLSetConfigOption("GDAL_CACHEMAX", "64");
    CPLSetConfigOption("GDAL_NUM_THREADS", "1");
    CPLSetConfigOption("PROJ_NETWORK", "OFF");
    CPLSetErrorHandler(CPLQuietErrorHandler);
    from = OSRNewSpatialReference(NULL);
    to = OSRNewSpatialReference(NULL);
    OSRImportFromEPSG(from, 4326);
    OSRImportFromEPSG(to, 32616);
    way = OCTNewCoordinateTransformation(from, to);
    if (way)
        OCTTransform(way, 1, &x, &y, NULL);
    OSRFreeSRSArray(OSRFindMatches(to, NULL, NULL, &confidence));
    CPLFree(confidence);
    OCTDestroyCoordinateTransformation(way);
    OSRDestroySpatialReference(from);
    OSRDestroySpatialReference(to);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), part = strlen(end);

    return length >= part && strcasecmp(text + length - part, end) == 0;
}

static bool hgt_length(size_t length)
{
    return length == (size_t)1201 * 1201 * 2 || length == (size_t)1801 * 3601 * 2 ||
           length == (size_t)3601 * 3601 * 2 || length == (size_t)7201 * 7201 * 2;
}

/* HGT has no header: size and name are all there is to go by. */
static bool hgt_plausible(const struct decode_options *options, size_t length, struct fault *why)
{
    bool named = ends_with(options->filename, ".hgt");
    bool chosen = options->driver >= 0 && strcmp(decode_drivers[options->driver], "SRTMHGT") == 0;

    if ((named || chosen) && !hgt_length(length))
        return fault_set(why, FAULT_LENGTH,
                         "an HGT file has 1201 x 1201 (2884802 bytes), 1801 x 3601, 3601 x 3601 "
                         "(25934402 bytes) or 7201 x 7201 samples; %zu bytes came",
                         length);
    if (chosen && !named) {
        fault_set(why, FAULT_NAME,
                  "HGT takes its place from its name; give filename, such as "
                  "N36W085.hgt");
        return fault_at(why, "filename");
    }
    return true;
}

static bool unknown(const struct decode_options *options, const void *data, size_t length,
                    struct fault *why)
{
    if (hgt_length(length) && options->filename[0] == 0) {
        fault_set(why, FAULT_NAME,
                  "%zu bytes are of no known format; if they are HGT, give "
                  "filename, such as N36W085.hgt",
                  length);
        return fault_at(why, "filename");
    }
    if (length >= 4 && (memcmp(data, "II*", 4) == 0 || memcmp(data, "MM\0*", 4) == 0))
        return fault_set(why, FAULT_FORMAT, "the TIFF is damaged: %.150s", CPLGetLastErrorMsg());
    return fault_set(why, FAULT_FORMAT,
                     "none of GTiff, SRTMHGT, AAIGrid, GRASSASCIIGrid, DTED, USGSDEM, HFA and BT "
                     "knows these %zu bytes",
                     length);
}

static bool open_source(const void *data, size_t length, const struct decode_options *options,
                        struct source *source, struct fault *why)
{
    static const char *const no_siblings[] = { NULL };
    const char *only[] = { options->driver >= 0 ? decode_drivers[options->driver] : NULL, NULL };
    VSILFILE *file;

    if (!hgt_plausible(options, length, why))
        return false;
    snprintf(source->path, sizeof source->path, "/vsimem/%s",
             options->filename[0] ? options->filename : "raster");
    file = VSIFileFromMemBuffer(source->path, (GByte *)(uintptr_t)data, length, FALSE);
    if (!file)
        return fault_set(why, FAULT_MEMORY, "no memory to open a raster");
    VSIFCloseL(file);
    CPLErrorReset();
    source->set = GDALOpenEx(source->path, GDAL_OF_RASTER | GDAL_OF_READONLY,
                             options->driver >= 0 ? only : decode_drivers, NULL, no_siblings);
    return source->set || unknown(options, data, length, why);
}

static void close_source(struct source *source)
{
    if (source->set)
        GDALClose(source->set);
    if (source->path[0])
        VSIUnlink(source->path);
}

/* GDAL reads whole blocks; one that is mostly beyond the raster is there to exhaust memory. */
static bool blocks_fit(const struct source *source)
{
    enum { SMALL = 1 << 22 };
    int width = 0, height = 0;
    int64_t samples;

    GDALGetBlockSize(source->band, &width, &height);
    samples = (int64_t)width * height;
    return samples <= SMALL || samples <= 2 * (int64_t)source->width * source->height;
}

static bool choose_band(struct source *source, const struct decode_options *options,
                        struct fault *why)
{
    int count = GDALGetRasterCount(source->set);

    if (count == 0)
        return fault_set(why, FAULT_FORMAT, "the file holds no raster");
    if (count > 1 && options->band == 0) {
        fault_set(why, FAULT_BANDS, "the raster has %d bands; choose one with band=1 to %d", count,
                  count);
        return fault_at(why, "band");
    }
    if (options->band > count) {
        fault_set(why, FAULT_BANDS, "there is no band %d; the raster has %d", options->band, count);
        return fault_at(why, "band");
    }
    source->band = GDALGetRasterBand(source->set, options->band ? options->band : 1);
    source->type = GDALGetRasterDataType(source->band);
    if (GDALDataTypeIsComplex(source->type))
        return fault_set(why, FAULT_COLOUR, "complex numbers are no heights");
    if (!blocks_fit(source))
        return fault_set(why, FAULT_FORMAT, "the file's blocks are far larger than its raster");
    if (GDALGetRasterColorTable(source->band))
        return fault_set(why, FAULT_COLOUR, "the band has a palette, and an index is no height");
    return true;
}

/* Feet become metres: heights here are always metres. */
static double unit_metres(GDALRasterBandH band)
{
    const char *unit = GDALGetRasterUnitType(band);

    if (!unit || !*unit)
        return 1;
    if (strcasecmp(unit, "ft") == 0 || strcasecmp(unit, "foot") == 0 ||
        strcasecmp(unit, "feet") == 0)
        return metres_a_foot;
    return strcasecmp(unit, "sfoot") == 0 || strcasecmp(unit, "US survey foot") == 0 ||
                   strcasecmp(unit, "us-ft") == 0 || strcasecmp(unit, "ftUS") == 0
               ? metres_a_survey_foot
               : 1;
}

static bool measure(struct source *source, const struct decode_options *options,
                    struct raster *raster, struct fault *why)
{
    int has_scale, has_offset, has_nodata;
    int flags = GDALGetMaskFlags(source->band);
    double unit = unit_metres(source->band);

    source->scale = GDALGetRasterScale(source->band, &has_scale);
    source->offset = GDALGetRasterOffset(source->band, &has_offset);
    source->scale = has_scale ? source->scale : 1;
    source->offset = has_offset ? source->offset : 0;
    source->nodata = GDALGetRasterNoDataValue(source->band, &has_nodata);
    source->has_nodata = has_nodata;
    if (flags & (GMF_PER_DATASET | GMF_ALPHA))
        source->mask = GDALGetMaskBand(source->band);
    if (options->codes) {
        if (source->type != GDT_Byte && source->type != GDT_UInt16)
            return fault_set(why, FAULT_IMPOSSIBLE,
                             "only unsigned bands of 8 or 16 bits hold "
                             "codes; this one is %s",
                             GDALGetDataTypeName(source->type));
        source->scale = source->type == GDT_Byte ? 257 : 1;
        source->offset = 0;
    } else if (unit != 1) {
        source->scale *= unit;
        source->offset *= unit;
        raster_warn(raster, "heights in feet became metres");
    }
    return true;
}

static void locate(struct source *source, struct raster *raster)
{
    double *t = source->place;

    if (GDALGetGeoTransform(source->set, t) != CE_None)
        return;
    if (t[5] > 0 && t[2] == 0 && t[4] == 0) {
        source->upside_down = true;
        t[3] += t[5] * source->height;
        t[5] = -t[5];
    }
    if (t[2] != 0 || t[4] != 0 || !(t[1] > 0) || !(t[5] < 0)) {
        raster_warn(raster, "the raster is rotated or mirrored; its place was not kept");
        return;
    }
    raster->stepped = true;
    raster->west = t[0] + t[1] / 2;
    raster->north = t[3] + t[5] / 2;
    raster->step_x = t[1];
    raster->step_y = -t[5];
}

static bool epsg_of(OGRSpatialReferenceH srs, struct raster *raster)
{
    const char *name = OSRGetAuthorityName(srs, NULL), *code = OSRGetAuthorityCode(srs, NULL);

    if (!name || !code || strcmp(name, "EPSG") != 0)
        return false;
    snprintf(raster->crs, sizeof raster->crs, "EPSG:%s", code);
    return true;
}

/* A CRS that PROJ's database knows by another spelling. */
static bool match_epsg(OGRSpatialReferenceH srs, struct raster *raster)
{
    int *confidence = NULL, count = 0;
    OGRSpatialReferenceH *matches = OSRFindMatches(srs, NULL, &count, &confidence);
    bool found = count > 0 && confidence[0] >= 90 && epsg_of(matches[0], raster);

    OSRFreeSRSArray(matches);
    CPLFree(confidence);
    return found;
}

static void name_crs(struct source *source, struct raster *raster)
{
    static const char *const form[] = { "FORMAT=WKT2_2019", NULL };
    OGRSpatialReferenceH known = GDALGetSpatialRef(source->set), srs;
    char *text = NULL;

    if (!known || !raster->stepped)
        return;
    srs = OSRClone(known);
    if (OSRIsCompound(srs))
        OSRStripVertical(srs);
    if (!OSRIsProjected(srs) && !OSRIsGeographic(srs))
        raster_warn(raster, "the file's coordinate system is not one on the ground");
    else if (!epsg_of(srs, raster) && !match_epsg(srs, raster) &&
             OSRExportToWktEx(srs, &text, form) == OGRERR_NONE) {
        if (strlen(text) < sizeof raster->crs)
            snprintf(raster->crs, sizeof raster->crs, "%s", text);
        else
            raster_warn(raster, "the file's coordinate system is too long to be kept");
    }
    CPLFree(text);
    OSRDestroySpatialReference(srs);
}

static bool floats_suffice(const struct source *source)
{
    return source->scale == floor(source->scale) && source->scale <= 257 && source->offset == 0 &&
           (source->type == GDT_Byte || source->type == GDT_UInt16 || source->type == GDT_Int16 ||
            (source->type == GDT_Float32 && source->scale == 1));
}

static void finish_floats(const struct source *source, const struct decode_options *options,
                          float *row)
{
    float own = (float)source->nodata, asked = (float)options->nodata, scale = (float)source->scale;

    for (int32_t i = 0; i < source->width; i++) {
        bool isvoid =
            (source->has_nodata && row[i] == own) || (options->has_nodata && row[i] == asked);

        row[i] = isvoid ? NAN : row[i] * scale;
    }
}

static void finish_doubles(const struct source *source, const struct decode_options *options,
                           double *row)
{
    bool single = source->type == GDT_Float32;
    double own = single ? (float)source->nodata : source->nodata;
    double asked = single ? (float)options->nodata : options->nodata;

    for (int32_t i = 0; i < source->width; i++) {
        bool isvoid =
            (source->has_nodata && row[i] == own) || (options->has_nodata && row[i] == asked);

        row[i] = isvoid ? NAN : row[i] * source->scale + source->offset;
    }
}

static bool apply_mask(const struct source *source, int32_t y, GByte *mask, float *floats,
                       double *doubles)
{
    if (GDALRasterIO(source->mask, GF_Read, 0, y, source->width, 1, mask, source->width, 1,
                     GDT_Byte, 0, 0) != CE_None)
        return false;
    for (int32_t i = 0; i < source->width; i++)
        if (mask[i] == 0 && floats)
            floats[i] = NAN;
        else if (mask[i] == 0)
            doubles[i] = NAN;
    return true;
}

static bool read_row(const struct source *source, const struct decode_options *options,
                     struct raster *raster, int32_t y, void *row, GByte *mask)
{
    int32_t from = source->upside_down ? source->height - 1 - y : y;
    bool single = raster->kind == RASTER_FLOATS;

    if (GDALRasterIO(source->band, GF_Read, 0, from, source->width, 1, row, source->width, 1,
                     single ? GDT_Float32 : GDT_Float64, 0, 0) != CE_None)
        return false;
    if (single)
        finish_floats(source, options, row);
    else
        finish_doubles(source, options, row);
    if (source->mask && !apply_mask(source, from, mask, single ? row : NULL, single ? NULL : row))
        return false;
    if (single)
        raster_note_floats(raster, row, source->width);
    else
        raster_note_doubles(raster, row, source->width);
    return true;
}

static bool read_samples(struct source *source, const struct decode_options *options,
                         struct raster_room *room, struct raster *raster, struct fault *why)
{
    enum raster_kind kind = floats_suffice(source) ? RASTER_FLOATS : RASTER_DOUBLES;
    char *samples =
        raster_take(raster, room, &options->limits, kind, source->width, source->height, why);
    size_t row_bytes = (size_t)source->width * raster_sample_bytes(kind);
    GByte *mask = malloc((size_t)source->width);
    bool done = false;

    if (!samples)
        goto done;
    if (!mask) {
        fault_set(why, FAULT_MEMORY, "no memory for a row of samples");
        goto done;
    }
    for (int32_t y = 0; y < source->height; y++)
        if (!read_row(source, options, raster, y, samples + (size_t)y * row_bytes, mask)) {
            fault_set(why, FAULT_TRUNCATED, "row %d of the %s cannot be read: %.150s", y,
                      raster->driver, CPLGetLastErrorMsg());
            goto done;
        }
    done = raster_finish(raster, why);

done:
    free(mask);
    return done;
}

static void describe(const struct source *source, const struct decode_options *options,
                     struct raster *raster)
{
    const char *name = GDALGetDataTypeName(source->type);

    raster->codes = options->codes;
    raster->depth = GDALGetDataTypeSizeBits(source->type);
    if (source->type == GDT_Byte)
        name = "uint8";
    for (size_t i = 0; i + 1 < sizeof raster->type && name[i]; i++)
        raster->type[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
    snprintf(raster->driver, sizeof raster->driver, "%s",
             GDALGetDriverShortName(GDALGetDatasetDriver(source->set)));
}

static bool read_source(struct source *source, const struct decode_options *options,
                        struct raster_room *room, struct raster *raster, struct fault *why)
{
    struct raster whole;
    bool done;

    source->width = GDALGetRasterXSize(source->set);
    source->height = GDALGetRasterYSize(source->set);
    if (!raster_fits(&options->limits, source->width, source->height, why) ||
        !choose_band(source, options, why) || !measure(source, options, raster, why))
        return false;
    describe(source, options, raster);
    locate(source, raster);
    name_crs(source, raster);
    if (options->warp_to[0] == 0 || strcmp(options->warp_to, raster->crs) == 0)
        return read_samples(source, options, room, raster, why);
    whole = *raster;
    done = read_samples(source, options, &raster_heap, &whole, why) &&
           gdal_warp(&whole, options, room, raster, why);
    raster_free(&whole);
    return done;
}

bool gdal_read(const void *data, size_t length, const struct decode_options *options,
               struct raster_room *room, struct raster *raster, struct fault *why)
{
    struct source source = { 0 };
    bool done;

    memset(raster, 0, sizeof *raster);
    done = open_source(data, length, options, &source, why) &&
           read_source(&source, options, room, raster, why);
    close_source(&source);
    return done;
}
