/* Weights of paint layers, four a tile, by their positions in the stack.
 *
 * A tile of the ground has up to PAINTS_MOST layers, in the stack's order: those that have any
 * weight in it, the heaviest where there are more. Where four layers have one weight each all over
 * what the tile reads (one layer all over, above all), the tile is the same wherever it lies: its
 * key says the four weights and nothing else, so that it is made, sent and kept once. */
#include "render/plane_weights.h"

#include <stdlib.h>
#include <string.h>

#include "render/plane_make.h"
#include "terrain/query/cover.h"

enum {
    A_SLOT = 4, /* layers */
    LATTICE = 16,
    EVEN_LEVEL = -1, /* of keys that are of no place */
    TEXELS = TILE_SIDE * TILE_SIDE
};

/* The vertices that a tile's samples stand for. */
static struct rect reach(int32_t level, int32_t x, int32_t y)
{
    int32_t step = 1 << level;

    return (struct rect){ (x * 128 - TILE_MARGIN) * step, (y * 128 - TILE_MARGIN) * step,
                          TILE_SIDE * step, TILE_SIDE * step };
}

/* The layer's weight at 16 x 16 places spread over the rectangle: which are heaviest is a question
 * of looks, and a sum over a large tile would cost more than the picture. */
static int32_t heaviness(const struct tree *tree, struct rect over)
{
    int32_t sum = 0;

    for (int32_t j = 0; j < LATTICE; j++)
        for (int32_t i = 0; i < LATTICE; i++)
            sum += tree_value(tree, over.x + (2 * i + 1) * over.width / (2 * LATTICE),
                              over.y + (2 * j + 1) * over.height / (2 * LATTICE));
    return sum;
}

/* Leaves out the lightest layer, the last of those that are as light. */
static int drop_lightest(uint8_t *paints, int32_t *heavy, int count)
{
    int lightest = 0;

    for (int i = 1; i < count; i++)
        if (heavy[i] <= heavy[lightest])
            lightest = i;
    memmove(paints + lightest, paints + lightest + 1, (size_t)(count - lightest - 1));
    memmove(heavy + lightest, heavy + lightest + 1, sizeof *heavy * (size_t)(count - lightest - 1));
    return count - 1;
}

int plane_weights_paints(const struct view *view, int32_t level, int32_t x, int32_t y,
                         uint8_t paints[PAINTS_MOST])
{
    const struct stack *stack = view->settings->stack;
    struct rect over = rect_meet(reach(level, x, y), view_rect(view));
    uint8_t found[PAINT_LAYERS_MOST];
    int32_t heavy[PAINT_LAYERS_MOST] = { 0 };
    int count = 0;

    for (int paint = 0; paint < stack->paint_count; paint++)
        if (cover_any(view, paint, over))
            found[count++] = (uint8_t)paint;
    for (int i = 0; count > PAINTS_MOST && i < count; i++)
        heavy[i] = heaviness(view_weights(view, stack->paints[found[i]].id), over);
    while (count > PAINTS_MOST)
        count = drop_lightest(found, heavy, count);
    memcpy(paints, found, (size_t)count);
    return count;
}

/* Those of one slot, as positions in the stack. */
static int slot_paints(const struct plane_source *source, int32_t level, int32_t x, int32_t y,
                       int slot, int paints[A_SLOT])
{
    const struct picture *picture = source->picture;
    int first = (slot - SLOT_weights0) * A_SLOT, count, i;
    uint8_t all[PAINTS_MOST];

    if (render_modes[picture->mode]->hears & MODE_HEARS_LAYER) {
        struct rect over = rect_meet(reach(level, x, y), view_rect(source->view));

        paints[0] = picture->show.layer;
        return slot == SLOT_weights0 && paints[0] >= 0 &&
               paints[0] < source->view->settings->stack->paint_count &&
               cover_any(source->view, paints[0], over);
    }
    count = plane_weights_paints(source->view, level, x, y, all);
    for (i = 0; i < A_SLOT && first + i < count; i++)
        paints[i] = all[first + i];
    return i;
}

/* The weights of four layers that have one each in all of the rectangle, one a byte. */
static bool even(const struct view *view, const int *paints, int count, struct rect over,
                 uint64_t *weights)
{
    *weights = 0;
    for (int i = 0; i < count; i++) {
        const struct tree *tree = view_weights(view, view->settings->stack->paints[paints[i]].id);
        struct summary bounds = tree_bounds(tree, over);

        if (bounds.least != bounds.greatest)
            return false;
        *weights |= (uint64_t)bounds.least << 8 * i;
    }
    return true;
}

static bool weights_key(const struct plane_source *source, int32_t level, int32_t x, int32_t y,
                        int slot, struct tile_key *key)
{
    struct rect over = rect_meet(reach(level, x, y), view_rect(source->view));
    int paints[A_SLOT], count = slot_paints(source, level, x, y, slot, paints);

    *key = (struct tile_key){ .level = EVEN_LEVEL, .plane = RENDER_PLANE_weights };
    if (count == 0)
        return false;
    if (even(source->view, paints, count, over, &key->detail))
        return true;
    key->incarnation = source->view->incarnation;
    key->newest = cover_stamp(source->view, paints, count, over);
    key->detail = (uint64_t)count << 8 * A_SLOT;
    for (int i = 0; i < count; i++)
        key->detail |= (uint64_t)paints[i] << 8 * i;
    key->level = level;
    key->x = x;
    key->y = y;
    return true;
}

static void weights_paints(const struct plane_source *source, int32_t level, int32_t x, int32_t y,
                           int slot, uint8_t *paints)
{
    int own[A_SLOT], count = slot_paints(source, level, x, y, slot, own);

    for (int i = 0; i < count; i++)
        paints[(slot - SLOT_weights0) * A_SLOT + i] = (uint8_t)own[i];
}

/* Sums of a row of a block, each over the part of a sample that lies there. */
static void add_row(const uint8_t *weights, int32_t count, int32_t at, int32_t level,
                    uint32_t *sums)
{
    while (count > 0) {
        int32_t left = ((at >> level) + 1) * (1 << level) - at, some = left < count ? left : count;
        uint32_t sum = 0;

        for (int32_t i = 0; i < some; i++)
            sum += weights[i];
        sums[at >> level] += sum;
        weights += some;
        at += some;
        count -= some;
    }
}

static void add_block(const struct tree *tree, int32_t bx, int32_t by, struct rect from,
                      int32_t level, uint32_t *sums)
{
    const struct child *leaf = tree_leaf(tree, bx, by);
    struct rect block = tree_block_rect(tree, bx, by), part = rect_meet(block, from);
    uint8_t flat[BLOCK_SIDE];

    if (!leaf->below && leaf->summary.least == 0)
        return;
    if (!leaf->below)
        memset(flat, leaf->summary.least, sizeof flat);
    for (int32_t y = part.y; y < part.y + part.height; y++)
        add_row(leaf->below
                    ? block_weights(leaf->below) + (y - block.y) * BLOCK_SIDE + (part.x - block.x)
                    : flat,
                part.width, part.x - from.x, level, sums + ((y - from.y) >> level) * TILE_SIDE);
}

/* Where a sample's vertices begin, and how many of them lie on the landscape, along one axis; a
 * sample beyond it is that at its border. */
static int32_t nearest_sample(int32_t sample, int32_t level, int32_t from, int32_t size,
                              int32_t *vertices)
{
    int32_t first = from < 0 ? -from >> level : 0, last = (size - 1 - from) >> level;
    int32_t begin, end;

    sample = sample < first ? first : sample > last ? last : sample;
    begin = from + sample * (1 << level);
    end = begin + (1 << level);
    *vertices = (end < size ? end : size) - (begin > 0 ? begin : 0);
    return sample;
}

static void set_channel(const struct view *view, struct rect from, int32_t level,
                        const uint32_t *sums, uint8_t *channel)
{
    const struct grid *grid = view_grid(view);

    for (int32_t row = 0; row < TILE_SIDE; row++) {
        int32_t down, at_row = nearest_sample(row, level, from.y, grid->rows, &down);

        for (int32_t i = 0; i < TILE_SIDE; i++) {
            int32_t across, at = nearest_sample(i, level, from.x, grid->columns, &across);
            uint32_t count = (uint32_t)(across * down);

            channel[(row * TILE_SIDE + i) * A_SLOT] =
                (uint8_t)((sums[at_row * TILE_SIDE + at] + count / 2) / count);
        }
    }
}

static void make_channel(const struct view *view, int paint, const struct tile_key *key,
                         uint32_t *sums, uint8_t *channel)
{
    const struct tree *tree = view_weights(view, view->settings->stack->paints[paint].id);
    struct rect from = reach(key->level, key->x, key->y), over = rect_meet(from, view_rect(view));

    memset(sums, 0, sizeof *sums * TEXELS);
    for (int32_t by = over.y >> BLOCK_LOG2; by <= (over.y + over.height - 1) >> BLOCK_LOG2; by++)
        for (int32_t bx = over.x >> BLOCK_LOG2; bx <= (over.x + over.width - 1) >> BLOCK_LOG2; bx++)
            add_block(tree, bx, by, from, key->level, sums);
    set_channel(view, from, key->level, sums, channel);
}

static bool weights_make(const struct plane_source *source, const struct tile_key *key,
                         void *texels, struct fault *why)
{
    int count = (int)(key->detail >> 8 * A_SLOT);
    uint8_t *channels = texels;
    uint32_t *sums;

    if (key->level == EVEN_LEVEL) {
        for (int32_t i = 0; i < TEXELS * A_SLOT; i++)
            channels[i] = (uint8_t)(key->detail >> 8 * (i % A_SLOT));
        return true;
    }
    sums = malloc(sizeof *sums * TEXELS);
    if (!sums)
        return fault_set(why, FAULT_MEMORY, "no memory for a tile of weights");
    memset(channels, 0, TEXELS * A_SLOT);
    for (int i = 0; i < count; i++)
        make_channel(source->view, (int)(key->detail >> 8 * i & 255), key, sums, channels + i);
    free(sums);
    return true;
}

const struct plane_maker plane_maker_weights = { .key = weights_key,
                                                 .paints = weights_paints,
                                                 .make = weights_make };
