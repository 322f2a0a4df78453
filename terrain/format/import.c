#include "terrain/format/import.h"

#include <math.h>
#include <stdlib.h>

/* Size */

static int32_t absolute(int32_t a)
{
    return a < 0 ? -a : a;
}

/* The sizes below and above a side for sections of so many quads. */
static void sizes_around(int32_t side, int32_t quads, int32_t *below, int32_t *above)
{
    int32_t sections = (side - 1) / quads;

    *below = (sections > 0 ? sections : 1) * quads + 1;
    *above = (sections + 1) * quads + 1;
    if ((side - 1) % quads == 0 && sections > 0)
        *above = *below;
}

static bool size_refused(int32_t width, int32_t height, int32_t section_quads, struct fault *why)
{
    int32_t quads = section_quads ? section_quads : 63, across[2], down[2];

    sizes_around(width, quads, &across[0], &across[1]);
    sizes_around(height, quads, &down[0], &down[1]);
    return fault_set(why, FAULT_SIZE,
                     "%d x %d is not the size of a landscape; with sections of %d quads the "
                     "nearest are %d or %d across and %d or %d down, which fit=pad or resample "
                     "would make of it",
                     width, height, quads, across[0], across[1], down[0], down[1]);
}

/* What a resampled raster becomes when nothing is asked for: the first of the usual layouts whose
 * nearest size changes no side by more than an eighth. */
static bool nearest_layout(const struct raster *raster, const struct import_options *options,
                           struct layout *layout)
{
    static const int32_t offers[][2] = { { 63, 2 },  { 63, 1 },  { 31, 2 },  { 31, 1 },
                                         { 15, 2 },  { 15, 1 },  { 7, 2 },   { 7, 1 },
                                         { 127, 2 }, { 127, 1 }, { 255, 2 }, { 255, 1 } };
    const int32_t sides[2] = { raster->width, raster->height };
    bool found = false;

    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++) {
        struct layout offer = { { 1, 1 }, offers[i][1], offers[i][0] };
        int32_t quads = layout_component_quads(&offer);
        bool near = true;

        if ((options->section_quads && options->section_quads != offer.section_quads) ||
            (options->sections && options->sections != offer.sections))
            continue;
        for (int side = 0; side < 2; side++) {
            int32_t count = (sides[side] - 1 + quads / 2) / quads;

            offer.components[side] = count > 0 ? count : 1;
            near = near &&
                   8 * absolute(offer.components[side] * quads + 1 - sides[side]) <= sides[side];
        }
        if (near || !found)
            *layout = offer;
        found = true;
        if (near)
            break;
    }
    return found;
}

static bool plan_resampling(const struct raster *raster, const struct import_options *options,
                            struct import_plan *plan, struct fault *why)
{
    int32_t columns = options->columns ? options->columns : raster->width;
    int32_t rows = options->rows ? options->rows : raster->height;

    if (options->onto)
        plan->layout = options->onto->layout;
    else if (options->columns || options->rows) {
        if (!layout_exact(columns, rows, options->section_quads, options->sections, &plan->layout))
            return size_refused(columns, rows, options->section_quads, why);
    } else if (!nearest_layout(raster, options, &plan->layout))
        return size_refused(columns, rows, options->section_quads, why);
    plan->columns = layout_columns(&plan->layout);
    plan->rows = layout_rows(&plan->layout);
    plan->resampled = plan->columns != raster->width || plan->rows != raster->height;
    return true;
}

/* A raster onto a landscape that is there keeps the landscape's size. */
static bool plan_onto(const struct raster *raster, const struct import_options *options,
                      struct import_plan *plan, struct fault *why)
{
    int32_t columns = layout_columns(&options->onto->layout);
    int32_t rows = layout_rows(&options->onto->layout);
    bool fits = options->fit == IMPORT_EXACT ? raster->width == columns && raster->height == rows
                                             : raster->width <= columns && raster->height <= rows;

    if (!fits)
        return fault_set(why, FAULT_SIZE,
                         "the raster has %d x %d samples and the landscape %d x %d vertices; "
                         "fit=resample would bring it to that size",
                         raster->width, raster->height, columns, rows);
    plan->layout = options->onto->layout;
    return true;
}

static bool plan_size(const struct raster *raster, const struct import_options *options,
                      struct import_plan *plan, struct fault *why)
{
    plan->columns = raster->width;
    plan->rows = raster->height;
    if (options->fit == IMPORT_RESAMPLE) {
        if (!plan_resampling(raster, options, plan, why))
            return false;
    } else if (options->onto) {
        if (!plan_onto(raster, options, plan, why))
            return false;
    } else if (options->fit == IMPORT_EXACT) {
        if (!layout_exact(raster->width, raster->height, options->section_quads, options->sections,
                          &plan->layout))
            return size_refused(raster->width, raster->height, options->section_quads, why);
    } else if (!layout_for(raster->width, raster->height, options->section_quads, options->sections,
                           &plan->layout, why))
        return false;
    plan->padded[0] = layout_columns(&plan->layout) - plan->columns;
    plan->padded[1] = layout_rows(&plan->layout) - plan->rows;
    return raster_fits(&options->limits, layout_columns(&plan->layout), layout_rows(&plan->layout),
                       why);
}

/* Vertical scale */

/* Metres a code from `scale` metres at code differences of 128. */
static bool heights_fit(const struct raster *raster, const struct import_plan *plan)
{
    struct grid grid = { .scale = { 1, 1, plan->z_scale }, .origin = { 0, 0, plan->z_origin } };

    return grid_code(&grid, raster->least) >= -0.5 && grid_code(&grid, raster->greatest) < 65535.5;
}

/* The least scale at which the heights fit around the origin, a little up so that it reads well. */
static double fitting_scale(const struct raster *raster, double origin)
{
    double up = (raster->greatest - origin) * 128 / 32767;
    double down = (origin - raster->least) * 128 / 32768;
    double scale = up > down ? up : down, unit = 1;

    while (scale / unit > 10000)
        unit *= 10;
    while (scale > 0 && scale / unit < 1000)
        unit /= 10;
    return ceil(scale / unit) * unit;
}

static bool heights_refused(const struct raster *raster, const struct import_plan *plan,
                            struct fault *why)
{
    double low = plan->z_origin - 256 * plan->z_scale;
    double high = plan->z_origin + 255.9921875 * plan->z_scale;

    return fault_set(why, FAULT_HEIGHTS,
                     "heights from %.9g to %.9g m do not fit z_scale %.9g at z_origin %.9g, which "
                     "holds %.9g to %.9g m; z_scale %.6g fits there",
                     raster->least, raster->greatest, plan->z_scale, plan->z_origin, low, high,
                     fitting_scale(raster, plan->z_origin));
}

/* The smallest power of two, at least 1, whose 512 metres a unit hold 1.25 times the range. */
static bool scale_for(double range, double *scale)
{
    for (*scale = 1; 512 * *scale < 1.25 * range; *scale *= 2)
        if (*scale > SETTINGS_SCALE_MOST / 2)
            return false;
    return true;
}

static bool choose_scale(const struct raster *raster, const struct import_options *options,
                         struct import_plan *plan, struct fault *why)
{
    double range = raster->greatest - raster->least;

    if (options->has_origin) {
        double up = raster->greatest - options->z_origin, down = options->z_origin - raster->least;

        plan->z_origin = options->z_origin;
        range = 2 * fmax(fabs(up), fabs(down));
    } else
        plan->z_origin = floor(raster->least + range / 2 + 0.5);
    if (!scale_for(range, &plan->z_scale) || fabs(plan->z_origin) > SETTINGS_ORIGIN_MOST)
        return fault_set(why, FAULT_HEIGHTS,
                         "heights from %.9g to %.9g m are beyond any landscape; name the value of "
                         "samples without data with nodata",
                         raster->least, raster->greatest);
    return true;
}

static bool plan_heights(const struct raster *raster, const struct import_options *options,
                         struct import_plan *plan, struct fault *why)
{
    const struct settings *onto = raster->codes ? options->onto : NULL;

    plan->z_scale = options->has_scale ? options->z_scale : onto ? onto->grid.scale[2] : 1;
    plan->z_origin = options->has_origin ? options->z_origin : onto ? onto->grid.origin[2] : 0;
    if (options->has_range) {
        double span = options->z_max - options->z_min;

        if (!(span > 0)) {
            fault_set(why, FAULT_INPUT, "z_max %.9g is not above z_min %.9g", options->z_max,
                      options->z_min);
            return fault_at(why, "z_max");
        }
        plan->z_scale = span * 128 / 65535;
        plan->z_origin = options->z_min + 256 * plan->z_scale;
    }
    if (raster->codes)
        return true;
    if (!options->has_range && !options->has_scale)
        return choose_scale(raster, options, plan, why);
    return heights_fit(raster, plan) || heights_refused(raster, plan, why);
}

bool import_plan(const struct raster *raster, const struct import_options *options,
                 struct import_plan *plan, struct fault *why)
{
    *plan = (struct import_plan){ 0 };
    if (raster->voids == (int64_t)raster->width * raster->height)
        return fault_set(why, FAULT_IMPOSSIBLE, "none of the %d x %d samples holds data",
                         raster->width, raster->height);
    return plan_size(raster, options, plan, why) && plan_heights(raster, options, plan, why);
}
