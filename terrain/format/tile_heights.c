#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/tile.h"
#include "terrain/format/tile_canvas.h"

double *tile_canvas_row(const struct tile_canvas *canvas, int32_t x, int32_t y)
{
    return canvas->z + (int64_t)(y + canvas->margin) * canvas->stride + x + canvas->margin;
}

struct rect tile_canvas_around(const struct tile_canvas *canvas, const double low[2],
                               const double high[2])
{
    const int32_t counts[2] = { canvas->grid->columns, canvas->grid->rows };
    int32_t first[2], last[2];

    for (int k = 0; k < 2; k++) {
        if (!(low[k] <= counts[k] && high[k] >= -1))
            return (struct rect){ 0 };
        first[k] = (int32_t)fmax(floor(low[k]), 0);
        last[k] = (int32_t)fmin(floor(high[k]) + 1, counts[k] - 1);
        first[k] = first[k] < counts[k] - 2 ? first[k] : counts[k] - 2;
        last[k] = last[k] > first[k] ? last[k] : first[k] + 1;
    }
    return (struct rect){ first[0], first[1], last[0] - first[0] + 1, last[1] - first[1] + 1 };
}

bool tile_canvas_read(struct tile_canvas *canvas, struct rect region, struct fault *why)
{
    const size_t count = (size_t)rect_area(region);

    if (count > canvas->room) {
        uint16_t *heights = malloc(count * sizeof *heights);

        if (!heights)
            return fault_set(why, FAULT_MEMORY, "no memory for the %zu heights under a tile",
                             count);
        free(canvas->heights);
        canvas->heights = heights;
        canvas->room = count;
    }
    canvas->region = region;
    view_read_heights(canvas->view, region, canvas->heights, region.width);
    return true;
}

/* Pixels of a row along an axis: the vertex before each, counted in the region, and how far behind
 * it. Those beyond the landscape are taken to its border. */
struct places {
    int32_t before[TILE_ROW_MOST];
    double beyond[TILE_ROW_MOST];
};

static void places_find(const double *at, int32_t count, int32_t vertices, int32_t first,
                        int32_t length, struct places *places)
{
    const double most = vertices - 1;

    for (int32_t i = 0; i < count; i++) {
        double place = at[i] > 0 ? at[i] : 0;
        int32_t vertex;

        place = place < most ? place : most;
        vertex = (int32_t)place;
        vertex = vertex < vertices - 2 ? vertex : vertices - 2;
        places->beyond[i] = place - vertex;
        vertex -= first;
        vertex = vertex > 0 ? vertex : 0;
        places->before[i] = vertex < length - 2 ? vertex : length - 2;
    }
}

static bool axis_inside(const struct tile_canvas *canvas, int axis, double at)
{
    const double border = canvas->border + canvas->beyond[axis];
    const int32_t vertices = axis ? canvas->grid->rows : canvas->grid->columns;

    return at >= -border - TILE_ROUNDING && at <= vertices - 1 + border + TILE_ROUNDING;
}

static double surface_at(const struct grid *grid, const uint16_t *north, const uint16_t *south,
                         double across, double down)
{
    return grid_metres(grid, view_quad_code(north[0], north[1], south[0], south[1], across, down));
}

/* All pixels lie on one line of the grid. */
static void surface_line(const struct tile_canvas *canvas, const struct places *columns,
                         int32_t row, double down, int32_t count, double *z)
{
    const uint16_t *north = canvas->heights + (int64_t)row * canvas->region.width;
    const uint16_t *south = north + canvas->region.width;
    const struct grid grid = *canvas->grid;

    for (int32_t i = 0; i < count; i++) {
        const int32_t x = columns->before[i];

        z[i] = surface_at(&grid, north + x, south + x, columns->beyond[i], down);
    }
}

static void surface_row(const struct tile_canvas *canvas, const struct places *columns,
                        const struct places *rows, int32_t count, double *z)
{
    const struct grid grid = *canvas->grid;
    const uint16_t *heights = canvas->heights;
    const int64_t stride = canvas->region.width;

    for (int32_t i = 0; i < count; i++) {
        const uint16_t *north = heights + rows->before[i] * stride + columns->before[i];

        z[i] = surface_at(&grid, north, north + stride, columns->beyond[i], rows->beyond[i]);
    }
}

/* Pixels beyond the landscape stay what they are: filled, or another window's. */
static void keep_inside(const struct tile_canvas *canvas, double at[2][TILE_ROW_MOST],
                        const double *metres, int32_t count, double *z)
{
    for (int32_t i = 0; i < count; i++)
        if (axis_inside(canvas, 0, at[0][i]) && axis_inside(canvas, 1, at[1][i]))
            z[i] = metres[i];
}

static bool wholly_inside(const struct tile_canvas *canvas, const struct tile_patch *patch)
{
    return patch->least[0] >= 0 && patch->greatest[0] <= canvas->grid->columns - 1 &&
           patch->least[1] >= 0 && patch->greatest[1] <= canvas->grid->rows - 1;
}

struct rect tile_canvas_patch(const struct tile_canvas *canvas, const struct tile_patch *patch)
{
    double low[2], high[2];

    for (int k = 0; k < 2; k++) {
        low[k] = patch->least[k] - canvas->beyond[k];
        high[k] = patch->greatest[k] + canvas->beyond[k];
    }
    return tile_canvas_around(canvas, low, high);
}

/* The surface at the samples. */
static bool sample_patch(const struct tile_patch *patch, void *context, struct fault *why)
{
    struct tile_canvas *canvas = context;
    const struct rect pixels = patch->pixels;
    const struct grid *grid = canvas->grid;
    const bool inside = wholly_inside(canvas, patch);
    const double offset = patch->map->offset;
    double at[2][TILE_ROW_MOST], metres[TILE_ROW_MOST];
    struct places columns, rows;
    struct rect region;

    memcpy(canvas->beyond, patch->step, sizeof canvas->beyond);
    region = tile_canvas_patch(canvas, patch);
    if (rect_empty(region))
        return true;
    if (!tile_canvas_read(canvas, region, why))
        return false;
    for (int32_t y = pixels.y; y < pixels.y + pixels.height; y++) {
        double *z = tile_canvas_row(canvas, pixels.x, y), *to = inside ? z : metres;

        /* Of a further line of a straight patch, its row is all that is new. */
        tile_patch_row(patch, pixels.x + offset, y + offset,
                       patch->straight && inside && y > pixels.y ? 1 : pixels.width, at[0], at[1]);
        if (!patch->straight || y == pixels.y)
            places_find(at[0], pixels.width, grid->columns, region.x, region.width, &columns);
        places_find(at[1], patch->straight ? 1 : pixels.width, grid->rows, region.y, region.height,
                    &rows);
        if (patch->straight)
            surface_line(canvas, &columns, rows.before[0], rows.beyond[0], pixels.width, to);
        else
            surface_row(canvas, &columns, &rows, pixels.width, to);
        if (!inside)
            keep_inside(canvas, at, metres, pixels.width, z);
    }
    return true;
}

bool tile_heights(const struct view *view, const struct tile *tile, double fill, double *z,
                  struct fault *why)
{
    const int32_t stride = tile_samples_across(tile);
    struct tile_canvas canvas = {
        .view = view, .grid = view_grid(view), .margin = tile->margin, .stride = stride, .z = z
    };
    struct tile_map map;
    bool done;

    if (!tile_map_init(&map, view, tile, 0, why))
        return false;
    for (int64_t i = 0; i < (int64_t)stride * stride; i++)
        z[i] = fill;
    canvas.border = map.border;
    done = tile_map_each(&map, map.means ? tile_canvas_mean : sample_patch, &canvas, why);
    free(canvas.heights);
    return done;
}
