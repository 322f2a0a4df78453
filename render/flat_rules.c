#include "render/flat_rules.h"

#include <math.h>

#include "render/flat_pixel.h"
#include "render/mode_scale.h"

static const float dark[3] = { 12.75f, 17.85f, 25.5f }, light[3] = { 242.25f, 247.35f, 255 };
static const float border[3] = { 237.15f, 91.8f, 15.3f };
static const float sampled[3] = { 63.75f, 68.85f, 76.5f };

/* Of places of the grid, so many lines each vertex, with number 0 at `zero`. */
static struct flat_family family(const struct flat_frame *frame, const double often[2],
                                 const double zero[2])
{
    struct flat_family lines;

    for (int k = 0; k < 2; k++) {
        lines.first[k] = frame->first[k] * often[k] + zero[k];
        lines.right[k] = frame->right[k] * often[k];
        lines.down[k] = frame->down[k] * often[k];
        lines.lines[k] = fmax(hypot(lines.right[k], lines.down[k]), 1e-9);
    }
    return lines;
}

void flat_rules_init(const struct view *view, const struct picture *picture,
                     const struct flat_frame *frame, struct flat_rules *rules)
{
    const struct picture_overlays *overlays = &picture->overlays;
    const struct grid *grid = view_grid(view);
    double often[2], zero[2] = { 0 };

    *rules = (struct flat_rules){ .collision = render_modes[picture->mode]->values == MODE_ERROR,
                                  .grid = overlays->grid > 0,
                                  .borders = overlays->borders };
    rules->any = rules->collision || rules->grid || rules->borders;
    if (rules->collision) {
        const double spacing = mode_mip_spacing(view, picture);

        rules->collision_lines = family(frame, (double[]){ 1 / spacing, 1 / spacing }, zero);
    }
    for (int k = 0; k < 2; k++)
        often[k] = 1.0 * view->settings->layout.components[0] / (grid->columns - 1);
    if (rules->borders)
        rules->border_lines = family(frame, often, zero);
    for (int k = 0; k < 2 && rules->grid; k++) {
        often[k] = grid->scale[k] / overlays->grid;
        zero[k] = grid->origin[k] / overlays->grid - floor(grid->origin[k] / overlays->grid);
    }
    if (rules->grid)
        rules->grid_lines = family(frame, often, zero);
}

static float within_one(double share)
{
    return (float)(share < 0 ? 0 : share > 1 ? 1 : share);
}

/* How much of a pixel its lines cover. Those too close to be told apart fade: so many pixels from
 * each other there is nothing of them, and so many more all. */
static float cover(const struct flat_family *lines, double x, double y, double width, double least,
                   double more)
{
    float most = 0;

    for (int k = 0; k < 2; k++) {
        const double at = lines->first[k] + x * lines->right[k] + y * lines->down[k];
        const double off = fabs(at - floor(at + 0.5)) / lines->lines[k];
        const float covered =
            within_one(width / 2 + 0.5 - off) * within_one((1 / lines->lines[k] - least) / more);

        most = covered > most ? covered : most;
    }
    return most;
}

static uint32_t mix(uint32_t pixel, const float ink[3], float share)
{
    const float red = channel_of(pixel, RED), green = channel_of(pixel, GREEN);
    const float blue = channel_of(pixel, BLUE);

    return pixel_of(red + (ink[0] - red) * share, green + (ink[1] - green) * share,
                    blue + (ink[2] - blue) * share);
}

void flat_rules_row(const struct flat_rules *rules, int32_t x, int32_t y, int32_t count,
                    uint32_t *pixels)
{
    for (int32_t i = 0; i < count; i++) {
        const float line = rules->collision ? cover(&rules->collision_lines, x + i, y, 1, 4, 6) : 0;
        const uint32_t pixel = line > 0 ? mix(pixels[i], sampled, 0.35f * line) : pixels[i];
        const float grid = rules->grid ? cover(&rules->grid_lines, x + i, y, 1, 3, 5) : 0;
        const float edge = rules->borders ? cover(&rules->border_lines, x + i, y, 1.6, 3, 5) : 0;

        pixels[i] = pixel;
        if (grid > 0) {
            const float bright = 0.3f * channel_of(pixel, RED) + 0.6f * channel_of(pixel, GREEN) +
                                 0.1f * channel_of(pixel, BLUE);

            pixels[i] = mix(pixel, bright > 0.45f * 255 ? dark : light, 0.45f * grid);
        }
        if (edge > 0)
            pixels[i] = mix(pixels[i], border, 0.85f * edge);
    }
}
