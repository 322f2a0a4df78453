#include "terrain/format/tile_touched.h"

#include <math.h>

#include "terrain/format/tile_grid.h"
#include "terrain/format/tile_map.h"

enum { STEPS = 16, CORNERS = 4, RIM_POINTS = CORNERS * STEPS };

/* West, north, east, south, as shares of the whole grid. */
struct box {
    double low[2], high[2];
};

static struct box whole(const struct tile_ground *ground)
{
    return (struct box){ { ground->shares[0], ground->shares[1] },
                         { ground->shares[2], ground->shares[3] } };
}

/* Round the rectangle, a closed line of points. */
static void rim_points(const double low[2], const double high[2], double points[2 * RIM_POINTS])
{
    static const int corners[CORNERS + 1][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };

    for (int side = 0; side < CORNERS; side++)
        for (int i = 0; i < STEPS; i++)
            for (int k = 0; k < 2; k++) {
                const double from = corners[side][k] ? high[k] : low[k];
                const double to = corners[side + 1][k] ? high[k] : low[k];

                points[2 * (side * STEPS + i) + k] = from + (to - from) * i / STEPS;
            }
}

/* The box around a closed line; beyond its points a curve goes by at most an eighth of what three
 * of them say of its bend. */
static void rim_box(const double points[2 * RIM_POINTS], struct box *box)
{
    for (int k = 0; k < 2; k++) {
        double bend = 0;

        box->low[k] = INFINITY;
        box->high[k] = -INFINITY;
        for (int i = 0; i < RIM_POINTS; i++) {
            const double here = points[2 * i + k];

            box->low[k] = fmin(box->low[k], here);
            box->high[k] = fmax(box->high[k], here);
            if (i % STEPS == 0) /* the line has a corner */
                continue;
            bend = fmax(bend, fabs(points[2 * (i - 1) + k] - 2 * here +
                                   points[2 * ((i + 1) % RIM_POINTS) + k]));
        }
        box->low[k] -= bend / 8;
        box->high[k] += bend / 8;
    }
}

/* Of the ground that the vertices of `dirty` shape: as far as the next ones. Where the world is
 * gone round there is no telling, and everything counts. */
static struct box box_of(const struct view *view, const struct tile_ground *ground,
                         struct rect dirty)
{
    const struct grid *grid = view_grid(view);
    const double most[2] = { grid->columns - 1, grid->rows - 1 };
    const double low[2] = { dirty.x - 1.0, dirty.y - 1.0 };
    const double high[2] = { dirty.x + dirty.width, dirty.y + dirty.height };
    double points[2 * RIM_POINTS], from[2], to[2];
    struct box box;
    struct fault why;

    for (int k = 0; k < 2; k++) {
        from[k] = fmax(low[k], 0);
        to[k] = fmin(high[k], most[k]);
    }
    if (!ground->grid) {
        const double square = ldexp(TILE_SIDE, ground->native);

        for (int k = 0; k < 2; k++) {
            box.low[k] = (low[k] + 0.5) / square;
            box.high[k] = (high[k] + 0.5) / square;
        }
        return box;
    }
    if (ground->shares[2] - ground->shares[0] > 1 - 1e-9)
        return whole(ground);
    rim_points(from, to, points);
    if (!georef_from_grid(view->settings, GEOREF_LONLAT, points, RIM_POINTS, &why))
        return whole(ground);
    for (int i = 0; i < RIM_POINTS; i++) {
        points[2 * i] = (points[2 * i] + 180) / 360;
        points[2 * i + 1] = ground->grid->down(points[2 * i + 1]);
        if (!isfinite(points[2 * i]) || !isfinite(points[2 * i + 1]))
            return whole(ground);
    }
    rim_box(points, &box);
    return box;
}

/* The tiles of a zoom under the box and its rim, that there are. */
static struct rect range_of(const struct tile_ground *ground, const struct box *box, int32_t z,
                            double rim, int32_t turns)
{
    const double counts[2] = { tile_ground_columns(ground, z), ldexp(1, z) };
    const struct rect all = tile_ground_range(ground, z, turns);
    double first[2], end[2];

    for (int k = 0; k < 2; k++) {
        const double moved = k == 0 ? turns : 0;

        first[k] = floor((box->low[k] - moved) * counts[k] - rim);
        end[k] = floor((box->high[k] - moved) * counts[k] + rim) + 1;
        first[k] = fmin(fmax(first[k], 0), counts[k]);
        end[k] = fmin(fmax(end[k], 0), counts[k]);
        if (!(first[k] < end[k]))
            return (struct rect){ 0 };
    }
    return rect_meet(all,
                     (struct rect){ (int32_t)first[0], (int32_t)first[1],
                                    (int32_t)(end[0] - first[0]), (int32_t)(end[1] - first[1]) });
}

bool tile_touched_find(const struct view *view, enum tile_grid grid, int32_t side, double rim,
                       struct rect dirty, struct tile_touched *touched, struct fault *why)
{
    const struct tile_ground *ground = tile_ground_of(view, tile_map_key(view), grid, why);
    struct box box;

    if (!ground)
        return false;
    *touched = (struct tile_touched){ .zooms = ground->finest + 1 };
    dirty = rect_meet(dirty, view_rect(view));
    if (rect_empty(dirty))
        return true;
    box = box_of(view, ground, dirty);
    for (int32_t z = 0; z < touched->zooms; z++)
        for (int32_t turns = 0; turns < (ground->grid ? 2 : 1); turns++) {
            const struct rect range = range_of(ground, &box, z, rim / side, turns);

            if (!rect_empty(range))
                touched->at[z].ranges[touched->at[z].count++] = range;
        }
    return true;
}
