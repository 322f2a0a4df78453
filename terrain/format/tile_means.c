#include <math.h>
#include <string.h>

#include "terrain/format/tile_canvas.h"
#include "terrain/query/sum.h"

enum {
    CHUNK = 32,              /* pixels a side whose footprints are read at once */
    FLAT_VERTICES = 1 << 21, /* more than these under one chunk are summed by cells */
    FLAT_ROWS = 1 << 14,     /* whose sum a signed 32-bit number holds */
    LINE_MOST = 1 << 10, /* vertices across a chunk whose columns are summed from single vertices */
    NARROW = 24          /* vertices across a footprint, beyond which cells pay */
};

/* The part of [from, to] that lies on the landscape; false when there is none, or when they are
 * NaN. */
static bool stretch_of(double from, double to, double border, int32_t count,
                       struct tile_stretch *stretch)
{
    const double most = count - 1 + border;
    int32_t end;

    from = from > -border ? from : -border;
    to = to < most ? to : most;
    if (!(to - from > TILE_ROUNDING))
        return false;
    stretch->length = to - from;
    stretch->first = (int32_t)(from + 0.5);
    end = (int32_t)(to + 0.5);
    end -= end == to + 0.5; /* a square that only touches has no part in it */
    stretch->last = end < count - 1 ? end : count - 1;
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

/* The middle of a footprint that is continued beyond the landscape lies on its border. */
static double middle_kept(const struct tile_canvas *canvas, int axis, double middle, int32_t count)
{
    const double least = -canvas->border, most = count - 1 + canvas->border;
    const double beyond = canvas->beyond[axis];

    if (!(beyond > 0))
        return middle;
    if (middle < least && middle >= least - beyond)
        return least;
    return middle > most && middle <= most + beyond ? most : middle;
}

bool tile_footprint(const struct tile_canvas *canvas, int axis, const double *above,
                    const double *below, struct tile_stretch *stretch)
{
    const int32_t count = axis ? canvas->grid->rows : canvas->grid->columns;
    const double nw = above[0], ne = above[1], sw = below[0], se = below[1];
    const double middle = middle_kept(canvas, axis, (nw + ne + sw + se) / 4, count);
    const double east = ne - nw + se - sw, south = sw - nw + se - ne;
    const double half = sqrt(east * east + south * south) / 4;

    return middle == middle && half == half &&
           stretch_of(middle - half, middle + half, canvas->border, count, stretch);
}

/* The weighted sum from the vertices that were read. */
static double sum_flat(const struct tile_canvas *canvas, const struct tile_stretch *x,
                       const struct tile_stretch *y)
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
static double sum_by_cells(const struct view *view, const struct tile_stretch *x,
                           const struct tile_stretch *y)
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

/* Places of the corners of a row of pixels: columns and rows, above and below. */
struct corners {
    double columns[2][CHUNK + 1], rows[2][CHUNK + 1];
};

static void mean_row(const struct tile_canvas *canvas, bool flat, const struct corners *corners,
                     int32_t count, double *z)
{
    const struct grid *grid = canvas->grid;

    for (int32_t i = 0; i < count; i++) {
        struct tile_stretch x, y;
        double sum;

        if (!tile_footprint(canvas, 0, corners->columns[0] + i, corners->columns[1] + i, &x) ||
            !tile_footprint(canvas, 1, corners->rows[0] + i, corners->rows[1] + i, &y))
            continue;
        sum = flat ? sum_flat(canvas, &x, &y) : sum_by_cells(canvas->view, &x, &y);
        z[i] = grid_metres(grid, sum / (x.length * y.length));
    }
}

/* Weighted sums of the columns of the region over one stretch of rows. */
static void column_sums(const struct tile_canvas *canvas, const struct tile_stretch *y,
                        double *sums)
{
    const int32_t width = canvas->region.width;
    const uint16_t *first = canvas->heights + (int64_t)(y->first - canvas->region.y) * width;
    const uint16_t *last = canvas->heights + (int64_t)(y->last - canvas->region.y) * width;
    int32_t between[LINE_MOST];

    memset(between, 0, (size_t)width * sizeof *between);
    for (const uint16_t *row = first + width; row < last; row += width)
        for (int32_t i = 0; i < width; i++)
            between[i] += row[i];
    for (int32_t i = 0; i < width; i++)
        sums[i] = y->head * first[i] + between[i] + y->tail * last[i];
}

/* Footprints in the columns of a straight patch are the same in every row. */
struct lines {
    struct tile_stretch x[CHUNK];
    bool inside[CHUNK];
};

static void lines_find(const struct tile_canvas *canvas, const struct corners *corners,
                       int32_t count, struct lines *lines)
{
    for (int32_t i = 0; i < count; i++)
        lines->inside[i] = tile_footprint(canvas, 0, corners->columns[0] + i,
                                          corners->columns[1] + i, &lines->x[i]);
}

/* Those in one row share their rows, so columns are summed once for all. */
static void mean_line(const struct tile_canvas *canvas, const struct lines *lines,
                      const struct corners *corners, int32_t count, double *z)
{
    double sums[LINE_MOST];
    struct tile_stretch y;

    if (!tile_footprint(canvas, 1, corners->rows[0], corners->rows[1], &y))
        return;
    column_sums(canvas, &y, sums);
    for (int32_t i = 0; i < count; i++) {
        const struct tile_stretch *x = &lines->x[i];
        double sum;

        if (!lines->inside[i])
            continue;
        sum = x->head * sums[x->first - canvas->region.x] +
              x->tail * sums[x->last - canvas->region.x];
        for (int32_t column = x->first + 1; column < x->last; column++)
            sum += sums[column - canvas->region.x];
        z[i] = grid_metres(canvas->grid, sum / (x->length * y.length));
    }
}

/* The vertices that footprints of the pixels can meet. */
static struct rect chunk_region(const struct tile_canvas *canvas, const struct tile_patch *patch,
                                struct rect pixels)
{
    const double shift = patch->map->offset - 0.5;
    double columns[CHUNK + 1], rows[CHUNK + 1];
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };

    for (int32_t y = 0; y <= pixels.height; y++) {
        tile_patch_row(patch, pixels.x + shift, pixels.y + y + shift, pixels.width + 1, columns,
                       rows);
        for (int32_t x = 0; x <= pixels.width; x++) {
            low[0] = columns[x] < low[0] ? columns[x] : low[0];
            high[0] = columns[x] > high[0] ? columns[x] : high[0];
            low[1] = rows[x] < low[1] ? rows[x] : low[1];
            high[1] = rows[x] > high[1] ? rows[x] : high[1];
        }
    }
    for (int k = 0; k < 2; k++) {
        low[k] -= canvas->beyond[k];
        high[k] += canvas->beyond[k];
    }
    return tile_canvas_around(canvas, low, high);
}

/* Which way a footprint is summed tells in the last bits. So it is the same whatever part of the
 * square is asked for: by the vertices across and down a chunk of it, on average. */
static void ways_choose(const struct tile_canvas *canvas, const struct tile_patch *patch,
                        bool *flat, bool *straight)
{
    const double share = patch->size > CHUNK ? CHUNK / patch->size : 1;
    const double across = fmin(patch->span[0] * share, canvas->grid->columns);
    const double down = fmin(patch->span[1] * share, canvas->grid->rows);

    *flat = across * down <= FLAT_VERTICES && down <= FLAT_ROWS / 2;
    *straight = *flat && patch->straight && across <= LINE_MOST * 3 / 4;
}

static bool mean_chunk(struct tile_canvas *canvas, const struct tile_patch *patch,
                       struct rect pixels, struct fault *why)
{
    const struct rect region = chunk_region(canvas, patch, pixels);
    const double shift = patch->map->offset - 0.5;
    struct corners corners;
    struct lines lines;
    bool flat, straight;

    if (rect_empty(region))
        return true;
    ways_choose(canvas, patch, &flat, &straight);
    /* However uneven the square is, sums fit. */
    flat = flat && rect_area(region) <= 4 * FLAT_VERTICES && region.height <= FLAT_ROWS;
    straight = straight && flat && region.width <= LINE_MOST;
    if (flat && !tile_canvas_read(canvas, region, why))
        return false;
    for (int32_t y = pixels.y; y < pixels.y + pixels.height; y++) {
        double *z = tile_canvas_row(canvas, pixels.x, y);

        for (int32_t k = 0; k < 2; k++)
            tile_patch_row(patch, pixels.x + shift, y + k + shift, pixels.width + 1,
                           corners.columns[k], corners.rows[k]);
        if (straight && y == pixels.y)
            lines_find(canvas, &corners, pixels.width, &lines);
        if (straight)
            mean_line(canvas, &lines, &corners, pixels.width, z);
        else
            mean_row(canvas, flat, &corners, pixels.width, z);
    }
    return true;
}

/* Means over the pixels' footprints. */
bool tile_canvas_mean(const struct tile_patch *patch, void *context, struct fault *why)
{
    struct tile_canvas *canvas = context;
    const struct rect all = patch->pixels;

    memcpy(canvas->beyond, patch->step, sizeof canvas->beyond);
    if (patch->straight && patch->span[0] > NARROW * patch->size)
        return tile_canvas_lines(canvas, patch, why);
    for (int32_t y = all.y; y < all.y + all.height; y += CHUNK)
        for (int32_t x = all.x; x < all.x + all.width; x += CHUNK)
            if (!mean_chunk(canvas, patch, rect_meet(all, (struct rect){ x, y, CHUNK, CHUNK }),
                            why))
                return false;
    return true;
}
