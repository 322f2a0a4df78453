/* Paint from right above: means of weights over what a sample stands for, of up to 4 x 4 vertices
 * spread evenly over it. */
#include <string.h>

#include "render/flat_inside.h"

enum { SPREAD_MOST = 4, BARE = 128 };

/* The landscape's vertex in that column or row, the nearest on it beyond. */
static int32_t nearest(int32_t vertex, int32_t count)
{
    return vertex < 0 ? 0 : vertex > count - 1 ? count - 1 : vertex;
}

/* Adds the weights of a row of samples, 0 .. 255 times the spread's square, to sums. */
static void add_weights(const struct flat_part *part, const struct tree *tree, int32_t row,
                        int32_t spread, int32_t *sums)
{
    const struct grid *grid = view_grid(part->view);
    const int32_t step = 1 << part->frame->level, apart = step / spread;
    const int32_t first = part->reach.x * step, count = part->reach.width * step;
    const int32_t west = nearest(first, grid->columns);
    const int32_t east = nearest(first + count - 1, grid->columns);

    for (int32_t k = 0; k < spread; k++) {
        int32_t y = nearest((part->reach.y + row) * step + k * apart + apart / 2, grid->rows);

        tree_read(tree, (struct rect){ west, y, east - west + 1, 1 }, part->weights,
                  east - west + 1);
        for (int32_t i = 0; i < part->reach.width; i++)
            for (int32_t j = 0; j < spread; j++) {
                int32_t x = first + i * step + j * apart + apart / 2;

                sums[i] += part->weights[nearest(x, grid->columns) - west];
            }
    }
}

static int32_t spread_of(const struct flat_part *part)
{
    return part->frame->level < 2 ? 1 << part->frame->level : SPREAD_MOST;
}

/* Weights of all layers may come to more than 255 where some are not blended, and to less where
 * there is none: the ground is bare as far as they do not cover it. */
void flat_paint_colours(const struct flat_part *part, int32_t row, float *to)
{
    const struct stack *stack = part->view->settings->stack;
    const int32_t count = part->reach.width, spread = spread_of(part);
    const float full = 255.0f * (float)(spread * spread);
    float *covered = to + 3 * count;
    int32_t *sums = (int32_t *)(void *)(to + 4 * count);

    memset(to, 0, sizeof *to * (size_t)(4 * count));
    for (int k = 0; k < stack->paint_count; k++) {
        const struct tree *tree = view_weights(part->view, stack->paints[k].id);
        const uint8_t *colour = stack->paints[k].debug_color;

        if (!tree || tree->root.summary.greatest == 0)
            continue;
        memset(sums, 0, sizeof *sums * (size_t)count);
        add_weights(part, tree, row, spread, sums);
        for (int32_t i = 0; i < count; i++) {
            float weight = (float)sums[i] / full;

            covered[i] += weight;
            for (int c = 0; c < 3; c++)
                to[c * count + i] += weight * colour[c];
        }
    }
    for (int32_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            to[c * count + i] = covered[i] > 1 ? to[c * count + i] / covered[i]
                                               : to[c * count + i] + (1 - covered[i]) * BARE;
}

void flat_paint_weight(const struct flat_part *part, int32_t row, float *to)
{
    const struct stack *stack = part->view->settings->stack;
    const struct tree *tree = part->layer >= 0 && part->layer < stack->paint_count
                                  ? view_weights(part->view, stack->paints[part->layer].id)
                                  : NULL;
    const int32_t count = part->reach.width, spread = spread_of(part);
    int32_t *sums = (int32_t *)(void *)(to + count);

    memset(sums, 0, sizeof *sums * (size_t)count);
    if (tree)
        add_weights(part, tree, row, spread, sums);
    for (int32_t i = 0; i < count; i++)
        to[i] = (float)sums[i] / (255.0f * (float)(spread * spread));
}
