/* What a landscape is apart from its planes: layout, place in the world, title, layers.
 * Counted and never changed once shared; a change makes new settings. Any thread. */
#ifndef TERRAIN_CORE_SETTINGS_H
#define TERRAIN_CORE_SETTINGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/core/grid.h"
#include "terrain/core/layout.h"
#include "terrain/core/stack.h"

enum { SETTINGS_TITLE_MOST = 256, SETTINGS_CRS_MOST = 4096, SETTINGS_DATUM_MOST = 64 };

/* What the numbers may be: metres a step or a height unit, and metres from the origin. */
#define SETTINGS_SCALE_LEAST 1e-6
#define SETTINGS_SCALE_MOST  1e6
#define SETTINGS_ORIGIN_MOST 1e9
#define SETTINGS_BOUNDS_MOST 1e9
#define SETTINGS_RAISE_MOST  1e5

struct settings {
    _Atomic uint32_t holders;
    struct layout layout;
    struct grid grid;            /* columns and rows follow from the layout */
    int32_t padded[2];           /* columns and rows at the east and south that are pad */
    bool placed;                 /* crs and bounds are known */
    double bounds[4];            /* west, south, east, north of the outermost vertices, CRS units */
    char crs[SETTINGS_CRS_MOST]; /* "EPSG:n", the WKT of one that has no code, or "" */
    char title[SETTINGS_TITLE_MOST + 1];
    /* What heights refer to, for people: "EPSG:5773" or any text; "" is unknown. How much higher
     * the same place is above the ellipsoid: an offset, and a geoid from the raster of that name
     * ("" for none), stretched over the bounds, with the metres of its samples 0 and 65535. */
    char vertical_datum[SETTINGS_DATUM_MOST + 1];
    double ellipsoid_offset;
    char geoid[SETTINGS_DATUM_MOST + 1];
    double geoid_metres[2];
    /* level of detail by screen size, see DESIGN and the LOD definitions */
    double lod0_screen_size, lod0_distribution, lod_distribution;
    int32_t collision_mip;
    struct stack *stack; /* held */
};

/* One holder, defaults (scale 1, origin 0, LOD 0.5 1.25 3) for a layout; NULL when memory is out.
 */
struct settings *settings_new(const struct layout *layout);
struct settings *settings_copy(const struct settings *settings);
struct settings *settings_hold(const struct settings *settings);
void settings_drop(struct settings *settings);

/* Whether both put the same ground at the same place: all but title, what heights refer to, detail,
 * collision and layers. */
bool settings_same_place(const struct settings *a, const struct settings *b);

/* Whether every number is one that a landscape may have. Fails with INPUT, placed at the
 * member as the landscape's body names it. */
bool settings_check(const struct settings *settings, struct fault *why);

/* Bounds without the pad. */
void settings_data_bounds(const struct settings *settings, double bounds[4]);

/* A versioned byte form for the store and archives. Reading fails with STORAGE on bytes
 * that are not such a form, and checks every number as a request's would be. */
bool settings_write(const struct settings *settings, struct bytes *to, struct fault *why);
struct settings *settings_read(const void *data, size_t length, struct fault *why);

#endif
