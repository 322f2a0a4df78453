/* How a raster becomes a landscape: its size, its vertical scale, its pad and its holes.
 *
 * A sample becomes a vertex. Codes are taken as they are; metres are quantised, by default so that
 * whole metres come back exactly. What is left of a layout to the east and south is pad: the last
 * column and row repeated, under holes. A quad whose four vertices are void is a hole; void
 * vertices get a height from their neighbours. Pure arithmetic, the same bits on every machine.
 * One thread at a time.
 */
#ifndef TERRAIN_FORMAT_IMPORT_H
#define TERRAIN_FORMAT_IMPORT_H

#include "terrain/base/executor.h"
#include "terrain/core/view.h"
#include "terrain/edit/draft.h"
#include "terrain/format/raster.h"

enum import_fit { IMPORT_PAD, IMPORT_EXACT, IMPORT_RESAMPLE };

struct import_options {
    enum import_fit fit;
    int32_t section_quads, sections; /* 0 leaves the choice */
    int32_t columns, rows;           /* the size wanted of RESAMPLE; 0 takes the nearest */
    const struct settings *onto;     /* whose heights are replaced: layout and codes' scale stay */
    bool has_scale, has_origin;      /* z_scale, z_origin are given */
    bool has_range;                  /* z_min and z_max are: metres of codes 0 and 65535 */
    double z_scale, z_origin, z_min, z_max;
    struct raster_limits limits; /* of a landscape */
};

struct import_plan {
    struct layout layout;
    int32_t columns, rows; /* of the data, resampled if need be, without the pad */
    int32_t padded[2];
    bool resampled;
    double z_scale, z_origin;
};

/* Fails with SIZE (naming the nearest sizes), HEIGHTS (naming the range and the scale that fits),
 * INPUT (z_max not above z_min), LIMIT or IMPOSSIBLE (no data at all). */
bool import_plan(const struct raster *raster, const struct import_options *options,
                 struct import_plan *plan, struct fault *why);

/* A new landscape's first version. Takes the settings, which must be of the plan's layout.
 * Fails with MEMORY. */
struct view *import_view(const struct raster *raster, const struct import_plan *plan,
                         struct settings **settings, const struct executor *executor,
                         struct fault *why);

/* All heights and holes of a draft of the plan's layout. Fails with MEMORY; then the draft is
 * only good for freeing. */
bool import_write(const struct raster *raster, const struct import_plan *plan, struct draft *draft,
                  struct fault *why);

/* Settings for the plan: pad, vertical scale, and the raster's place in the world with the scale
 * that follows from it. A place that PROJ does not understand is dropped with a warning.
 * Starts from `onto` when it is given. NULL fails with MEMORY. */
struct settings *import_settings(struct raster *raster, const struct import_plan *plan,
                                 const struct settings *onto, struct fault *why);

#endif
