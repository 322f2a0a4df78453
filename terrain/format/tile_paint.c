/* The paint layers in their debug colours, from above: each pixel the mean of the colours of the
 * layers that lie there, by their weights. Ground without paint is gray, and what lies beyond the
 * landscape black. Between vertices colours are blended from the four around; coarser than the
 * native zoom a pixel is the mean of up to 4 x 4 vertices, spread evenly over it. */
#include <math.h>
#include <string.h>

#include "terrain/format/tile_canvas.h"
#include "terrain/format/tile_set.h"

enum { BARE_GRAY = 128, SAMPLES_MOST = 4, ROW_MOST = 128 };

/* The layers that have any weight. */
struct coat {
    int count;
    const struct tree *weights[PAINT_LAYERS_MOST];
    const uint8_t *colors[PAINT_LAYERS_MOST];
};

struct canvas {
    const struct view *view;
    struct coat coat;
    int32_t side, samples; /* pixels, and samples across one */
    double border;
    uint8_t *rgb;
};

static void coat_of(const struct view *view, struct coat *coat)
{
    const struct stack *stack = view->settings->stack;

    coat->count = 0;
    for (int i = 0; i < stack->paint_count; i++) {
        const struct tree *weights = view_weights(view, stack->paints[i].id);

        if (!weights || weights->root.summary.greatest == 0)
            continue;
        coat->weights[coat->count] = weights;
        coat->colors[coat->count++] = stack->paints[i].debug_color;
    }
}

static void vertex_color(const struct coat *coat, int32_t x, int32_t y, double color[3])
{
    double sum = 0;

    color[0] = color[1] = color[2] = 0;
    for (int i = 0; i < coat->count; i++) {
        double weight = tree_value(coat->weights[i], x, y);

        sum += weight;
        for (int c = 0; c < 3; c++)
            color[c] += weight * coat->colors[i][c];
    }
    for (int c = 0; c < 3; c++)
        color[c] = sum > 0 ? color[c] / sum : BARE_GRAY;
}

static int32_t clamped(double at, int32_t size)
{
    return at < 0 ? 0 : at > size - 1 ? size - 1 : (int32_t)at;
}

/* False beyond the landscape. */
static bool color_at(const struct canvas *canvas, double column, double row, double color[3])
{
    const struct grid *grid = view_grid(canvas->view);
    double least = -canvas->border - TILE_ROUNDING, x, y, corner[4][3];
    int32_t i, j;

    if (!(column >= least && column <= grid->columns - 1 - least && row >= least &&
          row <= grid->rows - 1 - least))
        return false;
    if (canvas->samples > 1) {
        vertex_color(&canvas->coat, clamped(floor(column + 0.5), grid->columns),
                     clamped(floor(row + 0.5), grid->rows), color);
        return true;
    }
    i = clamped(floor(column), grid->columns);
    j = clamped(floor(row), grid->rows);
    x = fmin(fmax(column - i, 0), 1);
    y = fmin(fmax(row - j, 0), 1);
    for (int k = 0; k < 4; k++)
        vertex_color(&canvas->coat, clamped(i + (k & 1), grid->columns),
                     clamped(j + (k >> 1), grid->rows), corner[k]);
    for (int c = 0; c < 3; c++) {
        double north = corner[0][c] + (corner[1][c] - corner[0][c]) * x;
        double south = corner[2][c] + (corner[3][c] - corner[2][c]) * x;

        color[c] = north + (south - north) * y;
    }
    return true;
}

/* Sums of a row of pixels, and how many samples each has. */
struct sums {
    double colors[ROW_MOST][3];
    int32_t counts[ROW_MOST];
};

static void add_samples(const struct canvas *canvas, const struct tile_patch *patch, double x,
                        double y, struct sums *sums)
{
    double columns[ROW_MOST], rows[ROW_MOST], color[3];

    tile_patch_row(patch, x, y, patch->pixels.width, columns, rows);
    for (int32_t i = 0; i < patch->pixels.width; i++) {
        if (!color_at(canvas, columns[i], rows[i], color))
            continue;
        for (int c = 0; c < 3; c++)
            sums->colors[i][c] += color[c];
        sums->counts[i]++;
    }
}

static bool paint_patch(const struct tile_patch *patch, void *context, struct fault *why)
{
    const struct canvas *canvas = context;
    const struct rect pixels = patch->pixels;
    int32_t n = canvas->samples;

    (void)why;
    for (int32_t y = pixels.y; y < pixels.y + pixels.height; y++) {
        uint8_t *rgb = canvas->rgb + ((int64_t)y * canvas->side + pixels.x) * 3;
        struct sums sums = { 0 };

        for (int32_t s = 0; s < n * n; s++)
            add_samples(canvas, patch, pixels.x + (s % n + 0.5) / n, y + (s / n + 0.5) / n, &sums);
        for (int32_t i = 0; i < pixels.width; i++) {
            for (int c = 0; c < 3 && sums.counts[i] > 0; c++)
                rgb[3 * i + c] = (uint8_t)(sums.colors[i][c] / sums.counts[i] + 0.5);
        }
    }
    return true;
}

/* As many as vertices lie across a pixel, as far as they go. */
static bool samples_across(const struct view *view, const struct tile *tile, int32_t *samples,
                           struct fault *why)
{
    int32_t native, finest, zoom = tile->z + (tile->side == TILE_SIDE_2X);

    if (!tile_zooms(view, &native, &finest, why))
        return false;
    *samples = zoom >= native ? 1 : zoom == native - 1 ? 2 : SAMPLES_MOST;
    return true;
}

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    struct canvas canvas = { .view = view, .side = tile->side, .rgb = pixels };
    struct tile_map map;

    (void)look;
    if (!tile_map_init(&map, view, tile, 0, why) ||
        !samples_across(view, tile, &canvas.samples, why))
        return false;
    canvas.border = map.border;
    memset(pixels, 0, (size_t)tile->side * (size_t)tile->side * 3);
    coat_of(view, &canvas.coat);
    return tile_map_each(&map, paint_patch, &canvas, why);
}

const struct tile_set tile_set_paint = {
    .name = "weights",
    .samples = PNG_RGB8,
    .kinds = { &tile_kind_png, &tile_kind_webp },
    .title = "The paint layers in their debug colours",
    .paint = paint,
};
