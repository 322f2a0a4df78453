#include <math.h>
#include <stdlib.h>

#include "terrain/format/tile.h"
#include "terrain/format/tile_map.h"
#include "terrain/query/sum.h"

enum {
    ROW_MOST = 128 + 1,      /* points of a row of a patch */
    CHUNK = 32,              /* pixels a side whose footprints are read at once */
    FLAT_VERTICES = 1 << 21, /* more than these under one chunk are summed by cells */
};

/* A millionth of a vertex from the border is on it: what rounding makes of points that were laid
 * there. */
static const double rounding = 1e-6;

/* What is painted, and the vertices that were read last. */
struct canvas {
    const struct view *view;
    const struct grid *grid;
    double border; /* of the map */
    int32_t margin, stride;
    double *z;
    struct rect region;
    uint16_t *heights;
    size_t room;
};

static double *canvas_row(const struct canvas *canvas, int32_t x, int32_t y)
{
    return canvas->z + (int64_t)(y + canvas->margin) * canvas->stride + x + canvas->margin;
}

/* The vertices around these columns and rows, two a side at least; empty when there are none. */
static struct rect vertices_around(const struct canvas *canvas, const double low[2],
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

static bool canvas_read(struct canvas *canvas, struct rect region, struct fault *why)
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

/* Where the pixels of a row lie along an axis: the vertex before each, counted in the region, and
 * how far behind it. Those beyond the landscape are taken to its border. */
static void axis_places(const double *at, int32_t count, int32_t vertices, int32_t first,
                        int32_t length, int32_t *before, double *beyond)
{
    const double most = vertices - 1;

    for (int32_t i = 0; i < count; i++) {
        double place = at[i] > 0 ? at[i] : 0;
        int32_t vertex;

        place = place < most ? place : most;
        vertex = (int32_t)place;
        vertex = vertex < vertices - 2 ? vertex : vertices - 2;
        beyond[i] = place - vertex;
        vertex -= first;
        vertex = vertex > 0 ? vertex : 0;
        before[i] = vertex < length - 2 ? vertex : length - 2;
    }
}

static bool axis_inside(double at, double border, int32_t vertices)
{
    return at >= -border - rounding && at <= vertices - 1 + border + rounding;
}

/* Heights of pixels whose places are known; a place is a vertex and a fraction. */
struct places {
    int32_t x[ROW_MOST], y[ROW_MOST];
    double across[ROW_MOST], down[ROW_MOST];
    double metres[ROW_MOST];
};

static void surface_row(const struct canvas *canvas, struct places *places, int32_t count)
{
    const struct grid *grid = canvas->grid;
    const uint16_t *heights = canvas->heights;
    const int64_t stride = canvas->region.width;

    for (int32_t i = 0; i < count; i++) {
        const uint16_t *north = heights + places->y[i] * stride + places->x[i];
        const uint16_t *south = north + stride;

        places->metres[i] = grid_metres(grid, view_quad_code(north[0], north[1], south[0], south[1],
                                                             places->across[i], places->down[i]));
    }
}

static void sample_row(const struct canvas *canvas, const double *columns, const double *rows,
                       int32_t count, double *z)
{
    const struct grid *grid = canvas->grid;
    const struct rect region = canvas->region;
    struct places places;

    axis_places(columns, count, grid->columns, region.x, region.width, places.x, places.across);
    axis_places(rows, count, grid->rows, region.y, region.height, places.y, places.down);
    surface_row(canvas, &places, count);
    for (int32_t i = 0; i < count; i++)
        if (axis_inside(columns[i], canvas->border, grid->columns) &&
            axis_inside(rows[i], canvas->border, grid->rows))
            z[i] = places.metres[i];
}

/* The surface at the pixels' centres. */
static bool sample_patch(const struct tile_patch *patch, void *context, struct fault *why)
{
    struct canvas *canvas = context;
    const struct rect pixels = patch->pixels;
    const struct rect region = vertices_around(canvas, patch->least, patch->greatest);
    double columns[ROW_MOST], rows[ROW_MOST];

    if (rect_empty(region))
        return true;
    if (!canvas_read(canvas, region, why))
        return false;
    for (int32_t y = pixels.y; y < pixels.y + pixels.height; y++) {
        tile_patch_row(patch, pixels.x + 0.5, y + 0.5, pixels.width, columns, rows);
        sample_row(canvas, columns, rows, pixels.width, canvas_row(canvas, pixels.x, y));
    }
    return true;
}

/* A stretch of an axis as weights of vertices: `head` of the first, 1 of those between, `tail`
 * of the last. */
struct stretch {
    int32_t first, last;
    double head, tail, length;
};

/* The part of [from, to] that lies on the landscape; false when there is none. */
static bool stretch_of(double from, double to, double border, int32_t count,
                       struct stretch *stretch)
{
    if (!(from <= to)) /* NaN: nowhere */
        return false;
    from = fmax(from, -border);
    to = fmin(to, count - 1 + border);
    if (!(to - from > rounding))
        return false;
    stretch->length = to - from;
    stretch->first = (int32_t)fmax(floor(from + 0.5), 0);
    stretch->last = (int32_t)fmin(ceil(to + 0.5) - 1, count - 1);
    if (stretch->last <= stretch->first) {
        stretch->last = stretch->first;
        stretch->head = stretch->length;
        stretch->tail = 0;
        return true;
    }
    stretch->head = stretch->first + 0.5 - from;
    stretch->tail = to - (stretch->last - 0.5);
    return true;
}

/* The footprint between two rows of pixel corners; see tile.h. False when it misses the landscape.
 */
static bool footprint(const struct canvas *canvas, const double *columns[2], const double *rows[2],
                      int32_t i, struct stretch across[2])
{
    const double *const corners[2][2] = { { columns[0] + i, columns[1] + i },
                                          { rows[0] + i, rows[1] + i } };
    const int32_t counts[2] = { canvas->grid->columns, canvas->grid->rows };

    for (int k = 0; k < 2; k++) {
        const double nw = corners[k][0][0], ne = corners[k][0][1];
        const double sw = corners[k][1][0], se = corners[k][1][1];
        const double middle = (nw + ne + sw + se) / 4;
        const double half = sqrt((ne - nw + se - sw) * (ne - nw + se - sw) +
                                 (sw - nw + se - ne) * (sw - nw + se - ne)) /
                            4;

        if (!stretch_of(middle - half, middle + half, canvas->border, counts[k], &across[k]))
            return false;
    }
    return true;
}

/* The weighted sum from the vertices that were read. */
static double sum_flat(const struct canvas *canvas, const struct stretch *x,
                       const struct stretch *y)
{
    const int32_t first = x->first - canvas->region.x, last = x->last - canvas->region.x;
    double sum = 0;

    for (int32_t j = y->first; j <= y->last; j++) {
        const uint16_t *row =
            canvas->heights + (int64_t)(j - canvas->region.y) * canvas->region.width;
        const double weight = j == y->first ? y->head : j == y->last ? y->tail : 1;
        uint32_t between = 0;

        for (int32_t i = first + 1; i < last; i++)
            between += row[i];
        sum += weight * (x->head * row[first] + between + x->tail * row[last]);
    }
    return sum;
}

/* The same from sums of cells: corners, rims and inside. */
static double sum_by_cells(const struct view *view, const struct stretch *x,
                           const struct stretch *y)
{
    const int32_t columns[4] = { x->first, x->first + 1, x->last, x->last + 1 };
    const int32_t rows[4] = { y->first, y->first + 1, y->last, y->last + 1 };
    const double across[3] = { x->head, 1, x->tail }, down[3] = { y->head, 1, y->tail };
    double sum = 0;

    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            const struct rect part = { columns[i], rows[j], columns[i + 1] - columns[i],
                                       rows[j + 1] - rows[j] };

            sum += across[i] * down[j] * (double)sum_heights(view, part);
        }
    return sum;
}

static void mean_row(const struct canvas *canvas, bool flat, const double *columns[2],
                     const double *rows[2], int32_t count, double *z)
{
    for (int32_t i = 0; i < count; i++) {
        struct stretch across[2];
        double sum;

        if (!footprint(canvas, columns, rows, i, across))
            continue;
        sum = flat ? sum_flat(canvas, &across[0], &across[1])
                   : sum_by_cells(canvas->view, &across[0], &across[1]);
        z[i] = grid_metres(canvas->grid, sum / (across[0].length * across[1].length));
    }
}

/* The vertices that footprints of the pixels can meet. */
static struct rect chunk_region(const struct canvas *canvas, const struct tile_patch *patch,
                                struct rect pixels)
{
    double columns[CHUNK + 1], rows[CHUNK + 1];
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };

    for (int32_t y = 0; y <= pixels.height; y++) {
        tile_patch_row(patch, pixels.x, pixels.y + y, pixels.width + 1, columns, rows);
        for (int32_t x = 0; x <= pixels.width; x++) {
            low[0] = fmin(low[0], columns[x]);
            high[0] = fmax(high[0], columns[x]);
            low[1] = fmin(low[1], rows[x]);
            high[1] = fmax(high[1], rows[x]);
        }
    }
    return vertices_around(canvas, low, high);
}

static bool mean_chunk(struct canvas *canvas, const struct tile_patch *patch, struct rect pixels,
                       struct fault *why)
{
    const struct rect region = chunk_region(canvas, patch, pixels);
    const bool flat = rect_area(region) <= FLAT_VERTICES;
    double places[4][CHUNK + 1];
    const double *columns[2] = { places[0], places[1] }, *rows[2] = { places[2], places[3] };

    if (rect_empty(region))
        return true;
    if (flat && !canvas_read(canvas, region, why))
        return false;
    for (int32_t y = pixels.y; y < pixels.y + pixels.height; y++) {
        tile_patch_row(patch, pixels.x, y, pixels.width + 1, places[0], places[2]);
        tile_patch_row(patch, pixels.x, y + 1, pixels.width + 1, places[1], places[3]);
        mean_row(canvas, flat, columns, rows, pixels.width, canvas_row(canvas, pixels.x, y));
    }
    return true;
}

/* Means over the pixels' footprints. */
static bool mean_patch(const struct tile_patch *patch, void *context, struct fault *why)
{
    const struct rect all = patch->pixels;

    for (int32_t y = all.y; y < all.y + all.height; y += CHUNK)
        for (int32_t x = all.x; x < all.x + all.width; x += CHUNK)
            if (!mean_chunk(context, patch, rect_meet(all, (struct rect){ x, y, CHUNK, CHUNK }),
                            why))
                return false;
    return true;
}

bool tile_heights(const struct view *view, const struct tile *tile, int32_t margin, double fill,
                  double *z, struct fault *why)
{
    const int32_t stride = tile->side + 2 * margin;
    struct canvas canvas = {
        .view = view, .grid = view_grid(view), .margin = margin, .stride = stride, .z = z
    };
    struct tile_map map;
    bool done;

    if (!tile_map_init(&map, view, tile, margin, why))
        return false;
    for (int64_t i = 0; i < (int64_t)stride * stride; i++)
        z[i] = fill;
    canvas.border = map.border;
    done = tile_map_each(&map, map.means ? mean_patch : sample_patch, &canvas, why);
    free(canvas.heights);
    return done;
}
