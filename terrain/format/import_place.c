/* Where an imported landscape lies. */
#include <string.h>

#include "terrain/format/georef.h"
#include "terrain/format/import.h"

/* A step without CRS is taken for metres, unless it can only be degrees. */
static const double metres_least = 0.05;

/* Between vertices, where there was `step` between samples. */
static double new_step(double step, int32_t samples, int32_t vertices)
{
    return samples == vertices ? step : step * (samples - 1) / (vertices - 1);
}

static void place(struct raster *raster, const struct import_plan *plan, struct settings *settings)
{
    struct grid *grid = &settings->grid;
    double step_x = new_step(raster->step_x, raster->width, plan->columns);
    double step_y = new_step(raster->step_y, raster->height, plan->rows);
    double bounds[4] = { raster->west, raster->north - step_y * (grid->rows - 1),
                         raster->west + step_x * (grid->columns - 1), raster->north };
    struct fault why = { 0 };

    if (raster->crs[0] == 0) {
        bool metres = step_x >= metres_least && step_y >= metres_least;

        raster_warn(raster, "the file names no coordinate system; %s",
                    metres ? "its step was taken for metres" : "a step of 1 m was assumed");
        grid->scale[0] = metres ? step_x : 1;
        grid->scale[1] = metres ? step_y : 1;
        return;
    }
    if (strlen(raster->crs) >= sizeof settings->crs || !georef_check(raster->crs, &why) ||
        !georef_scale(raster->crs, bounds, grid->columns, grid->rows, grid->scale, &why)) {
        raster_warn(raster, "the coordinate system was not kept: %s",
                    why.detail[0] ? why.detail : "it has no EPSG code and too long a text");
        return;
    }
    settings->placed = true;
    strcpy(settings->crs, raster->crs);
    memcpy(settings->bounds, bounds, sizeof bounds);
}

struct settings *import_settings(struct raster *raster, const struct import_plan *plan,
                                 const struct settings *onto, struct fault *why)
{
    struct settings *settings = onto ? settings_copy(onto) : settings_new(&plan->layout);

    if (!settings) {
        fault_set(why, FAULT_MEMORY, "no memory for a landscape's settings");
        return NULL;
    }
    memcpy(settings->padded, plan->padded, sizeof settings->padded);
    settings->grid.scale[2] = plan->z_scale;
    settings->grid.origin[2] = plan->z_origin;
    if (raster->stepped)
        place(raster, plan, settings);
    return settings;
}
