#include "terrain/format/gdal_warp.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_alg.h>
#include <gdalwarper.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <string.h>

/* Pixels of the target that the coarse grid of exact points may be off. */
static const double approximation = 0.125;

static GDALDataType gdal_type(enum raster_kind kind)
{
    return kind == RASTER_U16 ? GDT_UInt16 : kind == RASTER_FLOATS ? GDT_Float32 : GDT_Float64;
}

/* A set in memory of one band, NaN where nothing is, at a place given by its corner. */
static GDALDatasetH set_new(int32_t width, int32_t height, GDALDataType type, double place[6],
                            OGRSpatialReferenceH crs)
{
    GDALDatasetH set = GDALCreate(GDALGetDriverByName("MEM"), "", width, height, 1, type, NULL);

    if (!set)
        return NULL;
    GDALSetGeoTransform(set, place);
    if (crs)
        GDALSetSpatialRef(set, crs);
    GDALSetRasterNoDataValue(GDALGetRasterBand(set, 1), NAN);
    return set;
}

static OGRSpatialReferenceH crs_new(const char *text)
{
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);

    if (OSRSetFromUserInput(crs, text) == OGRERR_NONE) {
        OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
        return crs;
    }
    OSRDestroySpatialReference(crs);
    return NULL;
}

static void place_of(const struct raster *raster, double place[6])
{
    double t[6] = { raster->west - raster->step_x / 2,
                    raster->step_x,
                    0,
                    raster->north + raster->step_y / 2,
                    0,
                    -raster->step_y };

    memcpy(place, t, sizeof t);
}

static GDALDatasetH set_of(const struct raster *raster, OGRSpatialReferenceH crs)
{
    GDALDataType type = gdal_type(raster->kind);
    double place[6];
    GDALDatasetH set;

    place_of(raster, place);
    set = set_new(raster->width, raster->height, type, place, crs);
    if (set && GDALRasterIO(GDALGetRasterBand(set, 1), GF_Write, 0, 0, raster->width,
                            raster->height, (void *)(uintptr_t)raster->samples, raster->width,
                            raster->height, type, 0, 0) == CE_None)
        return set;
    if (set)
        GDALClose(set);
    return NULL;
}

static bool warp_sets(GDALDatasetH from, GDALDatasetH to)
{
    GDALWarpOptions *how = GDALCreateWarpOptions();
    void *exact = GDALCreateGenImgProjTransformer2(from, to, NULL);
    GDALWarpOperationH operation = NULL;
    bool done = false;

    if (!exact)
        goto done;
    how->hSrcDS = from;
    how->hDstDS = to;
    how->nBandCount = 1;
    how->panSrcBands = CPLCalloc(1, sizeof(int));
    how->panDstBands = CPLCalloc(1, sizeof(int));
    how->panSrcBands[0] = how->panDstBands[0] = 1;
    how->padfSrcNoDataReal = CPLCalloc(1, sizeof(double));
    how->padfDstNoDataReal = CPLCalloc(1, sizeof(double));
    how->padfSrcNoDataReal[0] = how->padfDstNoDataReal[0] = NAN;
    how->papszWarpOptions = CSLSetNameValue(how->papszWarpOptions, "INIT_DEST", "NO_DATA");
    how->eResampleAlg = GRA_Cubic;
    how->pfnTransformer = GDALApproxTransform;
    how->pTransformerArg =
        GDALCreateApproxTransformer(GDALGenImgProjTransform, exact, approximation);
    operation = GDALCreateWarpOperation(how);
    done = operation && GDALChunkAndWarpImage(operation, 0, 0, GDALGetRasterXSize(to),
                                              GDALGetRasterYSize(to)) == CE_None;
    if (operation)
        GDALDestroyWarpOperation(operation);
    GDALDestroyApproxTransformer(how->pTransformerArg);

done:
    if (exact)
        GDALDestroyGenImgProjTransformer(exact);
    GDALDestroyWarpOptions(how);
    return done;
}

/* Size and place that the source suggests in the target CRS. */
static bool suggest(GDALDatasetH from, const char *crs, double place[6], int *width, int *height)
{
    char **options = CSLSetNameValue(NULL, "DST_SRS", crs);
    void *transformer = GDALCreateGenImgProjTransformer2(from, NULL, options);
    bool done = transformer && GDALSuggestedWarpOutput(from, GDALGenImgProjTransform, transformer,
                                                       place, width, height) == CE_None;

    if (transformer)
        GDALDestroyGenImgProjTransformer(transformer);
    CSLDestroy(options);
    return done;
}

static bool take_samples(GDALDatasetH set, const double place[6],
                         const struct decode_options *options, struct raster_room *room,
                         enum raster_kind kind, struct raster *to, struct fault *why)
{
    int32_t width = GDALGetRasterXSize(set), height = GDALGetRasterYSize(set);
    size_t row_bytes = (size_t)width * raster_sample_bytes(kind);
    char *samples = raster_take(to, room, &options->limits, kind, width, height, why);

    if (!samples)
        return false;
    for (int32_t y = 0; y < height; y++) {
        char *row = samples + (size_t)y * row_bytes;

        if (GDALRasterIO(GDALGetRasterBand(set, 1), GF_Read, 0, y, width, 1, row, width, 1,
                         gdal_type(kind), 0, 0) != CE_None)
            return fault_set(why, FAULT_MEMORY, "no memory for the warped raster");
        if (kind == RASTER_FLOATS)
            raster_note_floats(to, (float *)(void *)row, width);
        else
            raster_note_doubles(to, (double *)(void *)row, width);
    }
    to->west = place[0] + place[1] / 2;
    to->north = place[3] + place[5] / 2;
    to->step_x = place[1];
    to->step_y = -place[5];
    return raster_finish(to, why);
}

bool gdal_warp(const struct raster *from, const struct decode_options *options,
               struct raster_room *room, struct raster *to, struct fault *why)
{
    OGRSpatialReferenceH source_crs = NULL, target_crs = crs_new(options->warp_to);
    GDALDatasetH source = NULL, target = NULL;
    double place[6];
    int width, height;
    bool done = false;

    if (!from->stepped || !from->crs[0]) {
        fault_set(why, FAULT_IMPOSSIBLE, "the raster has no coordinate system to warp from");
        goto done;
    }
    source_crs = crs_new(from->crs);
    if (!target_crs || !source_crs) {
        fault_set(why, FAULT_IMPOSSIBLE, "%s is not a known coordinate system", options->warp_to);
        fault_at(why, "crs");
        goto done;
    }
    source = set_of(from, source_crs);
    if (!source || !suggest(source, options->warp_to, place, &width, &height)) {
        fault_set(why, FAULT_IMPOSSIBLE, "the raster cannot be brought into %s", options->warp_to);
        fault_at(why, "crs");
        goto done;
    }
    if (!raster_fits(&options->limits, width, height, why))
        goto done;
    target = set_new(width, height, gdal_type(from->kind), place, target_crs);
    if (!target || !warp_sets(source, target)) {
        fault_set(why, FAULT_MEMORY, "no memory to warp %d x %d samples", width, height);
        goto done;
    }
    to->warped = true;
    to->source_width = from->width;
    to->source_height = from->height;
    memcpy(to->source_crs, from->crs, sizeof from->crs);
    memcpy(to->crs, options->warp_to, sizeof options->warp_to);
    done = take_samples(target, place, options, room, from->kind, to, why);

done:
    if (source)
        GDALClose(source);
    if (target)
        GDALClose(target);
    if (source_crs)
        OSRDestroySpatialReference(source_crs);
    if (target_crs)
        OSRDestroySpatialReference(target_crs);
    return done;
}

static const char tiff_path[] = "/vsimem/export.tif";

static bool write_tiff(GDALDatasetH from, struct fault *why)
{
    static const char *const how[] = { "COMPRESS=DEFLATE", "PREDICTOR=3", "TILED=YES", NULL };
    GDALDatasetH set = GDALCreateCopy(GDALGetDriverByName("GTiff"), tiff_path, from, TRUE,
                                      (char **)(uintptr_t)how, NULL, NULL);

    if (!set)
        return fault_set(why, FAULT_FORMAT, "the GeoTIFF cannot be written: %.150s",
                         CPLGetLastErrorMsg());
    GDALClose(set);
    return true;
}

bool gdal_tiff(const struct raster *raster, double nodata, struct raster_room *room,
               uint64_t *length, struct fault *why)
{
    OGRSpatialReferenceH crs = raster->crs[0] ? crs_new(raster->crs) : NULL;
    GDALDatasetH set = set_of(raster, crs);
    vsi_l_offset size = 0;
    const GByte *data;
    void *to;
    bool done = false;

    if (!set) {
        fault_set(why, FAULT_MEMORY, "no memory for the GeoTIFF");
        goto done;
    }
    GDALSetRasterNoDataValue(GDALGetRasterBand(set, 1), nodata);
    if (!write_tiff(set, why))
        goto done;
    data = VSIGetMemFileBuffer(tiff_path, &size, FALSE);
    to = data && size > 0 ? room->take(room, (size_t)size, why) : NULL;
    if (!to)
        goto done;
    memcpy(to, data, (size_t)size);
    *length = size;
    done = true;

done:
    VSIUnlink(tiff_path);
    if (set)
        GDALClose(set);
    if (crs)
        OSRDestroySpatialReference(crs);
    return done;
}
