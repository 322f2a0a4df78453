#include "terrain/format/tileset.h"

#include <math.h>
#include <string.h>

#include "terrain/format/earth.h"
#include "terrain/format/georef.h"
#include "terrain/lod/extent.h"
#include "terrain/lod/grid_error.h"

enum { SIDE_POINTS = 16 };

static const double degree = M_PI / 180;

/* What a mesh may be off, in parts of a quad's width: some two degrees of its slopes. */
static const double quad_parts = 32;

/* Curtains are this many times as deep as the tile is off, as two levels side by side may leave a
 * gap of both their errors; no gap is deeper than all the landscape's heights. */
static const double curtain = 4;

/* A side between two of its points may bulge: this share of the region's extent is more than any
 * projection makes of it. */
static const double bulge = 1e-3;

static int32_t square_size(const struct tileset *tileset, int32_t level)
{
    return TILESET_LEAF << (tileset->levels - 1 - level);
}

void tileset_begin(const struct view *view, const struct datum *datum, struct tileset *tileset)
{
    const struct grid *grid = view_grid(view);
    int64_t quads = (grid->columns > grid->rows ? grid->columns : grid->rows) - 1;

    *tileset = (struct tileset){
        .view = view, .datum = *datum, .earth = view->settings->placed, .levels = 1
    };
    for (int64_t size = TILESET_LEAF; size < quads; size *= 2)
        tileset->levels++;
}

/* Of a triangle as large as the tile: level ground has no smaller ones. */
static double sag(const struct tileset *tileset, int32_t level)
{
    const struct grid *grid = view_grid(tileset->view);
    double size = square_size(tileset, level);

    return tileset->earth ? earth_sag(size * hypot(grid->scale[0], grid->scale[1])) : 0;
}

static double up_to_power(double value)
{
    return value > 0 ? exp2(ceil(log2(value))) : 0;
}

bool tileset_of(const struct view *view, struct derived_cache *cache, const struct datum *datum,
                struct tileset *tileset, struct fault *why)
{
    const struct summary heights = tree_bounds(&view->planes[PLANE_HEIGHTS], view_rect(view));

    tileset_begin(view, datum, tileset);
    for (int32_t level = 0; level < tileset->levels; level++) {
        double off;

        if (!grid_error(view, cache, square_size(tileset, level), TILESET_LEAF, &off, why))
            return false;
        off = fmax(off, tileset_max_error(tileset, level)) + sag(tileset, level);
        tileset->error = fmax(tileset->error, ldexp(off, level));
    }
    tileset->error = up_to_power(tileset->error);
    tileset->depth = up_to_power(
        (heights.greatest - heights.least) * view_grid(view)->scale[2] / 128 + sag(tileset, 0));
    return true;
}

double tileset_error(const struct tileset *tileset, int32_t level)
{
    return ldexp(tileset->error, -level);
}

double tileset_max_error(const struct tileset *tileset, int32_t level)
{
    const struct grid *grid = view_grid(tileset->view);
    int32_t quads = square_size(tileset, level) / TILESET_LEAF;

    return quads * fmax(grid->scale[0], grid->scale[1]) / quad_parts;
}

double tileset_skirts(const struct tileset *tileset, int32_t level)
{
    return fmin(curtain * tileset_error(tileset, level), tileset->depth);
}

/* The tile's vertices on the landscape; empty beyond it. */
static struct rect vertices_of(const struct tileset *tileset, int32_t level, int32_t x, int32_t y)
{
    int32_t size = square_size(tileset, level), row = tileset_row(level, y);
    const struct grid *grid = view_grid(tileset->view);

    if ((int64_t)x * size >= grid->columns - 1 || (int64_t)row * size >= grid->rows - 1)
        return (struct rect){ 0 };
    return rect_meet((struct rect){ x * size, row * size, size + 1, size + 1 },
                     view_rect(tileset->view));
}

bool tileset_there(const struct tileset *tileset, int32_t level, int32_t x, int32_t y)
{
    struct rect vertices;

    if (level < 0 || level >= tileset->levels || x < 0 || y < 0 || x >> level || y >> level)
        return false;
    vertices = vertices_of(tileset, level, x, y);
    return level == 0 ||
           (!rect_empty(vertices) &&
            !extent_hollow(tileset->view, (struct rect){ vertices.x, vertices.y, vertices.width - 1,
                                                         vertices.height - 1 }));
}

static void height_range(const struct tileset *tileset, struct rect vertices, uint16_t *least,
                         uint16_t *greatest)
{
    uint16_t low = UINT16_MAX, high = 0;

    for (int32_t y = 0; y < vertices.height; y++) {
        for (int32_t x = 0; x < vertices.width; x += 256) {
            int32_t width = vertices.width - x < 256 ? vertices.width - x : 256;
            struct rect some = { vertices.x + x, vertices.y + y, width, 1 };
            uint16_t codes[256];

            view_read_heights(tileset->view, some, codes, width);
            for (int32_t i = 0; i < width; i++) {
                low = codes[i] < low ? codes[i] : low;
                high = codes[i] > high ? codes[i] : high;
            }
        }
    }
    *least = low;
    *greatest = high;
}

/* A rectangle's box in grid coordinates. */
struct corners {
    double low[2], high[2];
};

static void raise_range(const struct tileset *tileset, const struct corners *at, double *least,
                        double *greatest)
{
    double low = INFINITY, high = -INFINITY;

    for (int i = 0; i <= SIDE_POINTS; i++) {
        for (int k = 0; k <= SIDE_POINTS; k++) {
            double column = at->low[0] + (at->high[0] - at->low[0]) * i / SIDE_POINTS;
            double row = at->low[1] + (at->high[1] - at->low[1]) * k / SIDE_POINTS;
            double raise = datum_raise(&tileset->datum, view_grid(tileset->view), column, row);

            low = fmin(low, raise);
            high = fmax(high, raise);
        }
    }
    *least += low;
    *greatest += high;
}

static double wrapped(double longitude)
{
    return longitude - 360 * floor((longitude + 180) / 360);
}

/* West, south, east, north, radians; false when the sides have no places on Earth. */
static bool region_of(const struct tileset *tileset, const struct corners *at, double *region,
                      bool *there, struct fault *why)
{
    double points[4 * SIDE_POINTS][2], low[2] = { INFINITY, INFINITY };
    double high[2] = { -INFINITY, -INFINITY };

    for (int i = 0; i < SIDE_POINTS; i++) {
        double along = (double)i / SIDE_POINTS;
        double column = at->low[0] + (at->high[0] - at->low[0]) * along;
        double row = at->low[1] + (at->high[1] - at->low[1]) * along;
        const double side[4][2] = { { column, at->low[1] },
                                    { at->high[0], row },
                                    { at->high[0] + at->low[0] - column, at->high[1] },
                                    { at->low[0], at->high[1] + at->low[1] - row } };

        for (int k = 0; k < 4; k++)
            memcpy(points[k * SIDE_POINTS + i], side[k], sizeof side[k]);
    }
    if (!georef_from_grid(tileset->view->settings, GEOREF_LONLAT, points[0], 4 * SIDE_POINTS, why))
        return false;
    *there = true;
    for (int i = 0; i < 4 * SIDE_POINTS; i++) {
        *there = *there && isfinite(points[i][0]) && isfinite(points[i][1]);
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], points[i][axis]);
            high[axis] = fmax(high[axis], points[i][axis]);
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        double more = bulge * (high[axis] - low[axis]);

        region[axis] = low[axis] - more;
        region[2 + axis] = high[axis] + more;
    }
    *there = *there && low[1] >= -90 && high[1] <= 90 && high[0] - low[0] <= 360;
    region[1] = fmax(region[1], -90);
    region[3] = fmin(region[3], 90);
    if (region[2] - region[0] >= 360) {
        region[0] = -180;
        region[2] = 180;
    } else {
        region[0] = wrapped(region[0]);
        region[2] = wrapped(region[2]);
    }
    for (int i = 0; i < 4; i++)
        region[i] *= degree;
    return true;
}

/* Centre and half axes, x east, y north, z up. */
static void box_of(const struct tileset *tileset, const struct corners *at, double least,
                   double greatest, double *box)
{
    const struct grid *grid = view_grid(tileset->view);
    double low[2], high[2];

    memset(box, 0, TILESET_BOX * sizeof *box);
    grid_to_local(grid, at->low, low);
    grid_to_local(grid, at->high, high);
    box[0] = (low[0] + high[0]) / 2;
    box[1] = -(low[1] + high[1]) / 2;
    box[2] = (least + greatest) / 2;
    box[3] = (high[0] - low[0]) / 2;
    box[7] = (high[1] - low[1]) / 2;
    box[11] = fmax((greatest - least) / 2, 1e-3); /* a box has a volume */
}

static void corners_of(struct rect vertices, struct corners *corners)
{
    *corners =
        (struct corners){ { vertices.x, vertices.y },
                          { vertices.x + vertices.width - 1, vertices.y + vertices.height - 1 } };
}

static bool bounds_of(const struct tileset *tileset, const struct corners *at, int32_t level,
                      struct rect vertices, double *numbers, bool *there, struct fault *why)
{
    const struct grid *grid = view_grid(tileset->view);
    uint16_t least, greatest;
    double low, high;

    height_range(tileset, vertices, &least, &greatest);
    low = grid_metres(grid, least) - tileset_skirts(tileset, level);
    high = grid_metres(grid, greatest);
    *there = true;
    if (!tileset->earth) {
        box_of(tileset, at, low, high, numbers);
        return true;
    }
    raise_range(tileset, at, &low, &high);
    numbers[4] = low;
    numbers[5] = high;
    return region_of(tileset, at, numbers, there, why);
}

bool tileset_bounds(const struct tileset *tileset, int32_t level, int32_t x, int32_t y,
                    double *numbers, struct fault *why)
{
    struct rect vertices = vertices_of(tileset, level, x, y);
    struct corners corners;
    bool there;

    corners_of(vertices, &corners);
    return bounds_of(tileset, &corners, level, vertices, numbers, &there, why);
}

bool tileset_root_bounds(const struct tileset *tileset, double *numbers, struct fault *why)
{
    int32_t size = square_size(tileset, 0);
    struct corners square = { { 0, 0 }, { size, size } };
    bool there;

    if (!bounds_of(tileset, &square, 0, view_rect(tileset->view), numbers, &there, why))
        return false;
    return there || tileset_bounds(tileset, 0, 0, 0, numbers, why);
}
