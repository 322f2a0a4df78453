#include <stdlib.h>
#include <string.h>

#include "terrain/core/stack.h"
#include "terrain/core/weights.h"
#include "terrain/edit/clone.h"
#include "terrain/edit/surface.h"

enum { PARTS = 256 /* of a weight: mixtures are rounded once, when they are shared out */ };

struct mixer {
    struct tool tool;
    const struct cloning *cloning;
    const struct stack *stack;
    struct tree sources[PAINT_LAYERS_MOST]; /* of each paint layer; without columns: no weights */
    int32_t bx, by;                         /* the open block */
    uint8_t *rows[PAINT_LAYERS_MOST];
    bool touched[BLOCK_SIDE];
    uint16_t parts[PAINT_LAYERS_MOST][BLOCK_SIDE];
};

/* One layer's part of the mixture at each vertex of a row. */
static void mix_layer(struct mixer *mixer, int layer, int32_t x, int32_t y, int32_t count,
                      const double *force, const uint8_t *own)
{
    const struct cloning *cloning = mixer->cloning;
    const struct tree *source = &mixer->sources[layer];
    double row = cloning_row(cloning, y);

    for (int32_t i = 0; i < count; i++) {
        double column = cloning_column(cloning, x + i), weight = 0;

        if (mixer->touched[i] && source->columns)
            surface_bilinear(source, column, row, &weight);
        weight = own[i] + (weight - own[i]) * (force[i] * cloning->strength);
        mixer->parts[layer][i] = (uint16_t)(weight * PARTS + 0.5);
    }
}

/* The blended layers share a vertex; each of the others has its part. */
static void share_out(const struct mixer *mixer, int32_t at, int32_t i)
{
    int count = mixer->stack->paint_count, blended = 0, layers[PAINT_LAYERS_MOST];
    uint16_t parts[PAINT_LAYERS_MOST] = { 0 };
    uint8_t shares[PAINT_LAYERS_MOST];

    for (int layer = 0; layer < count; layer++) {
        uint16_t part = mixer->parts[layer][i];

        if (!mixer->stack->paints[layer].blended) {
            mixer->rows[layer][at] = (uint8_t)((part + PARTS / 2) / PARTS);
            continue;
        }
        layers[blended] = layer;
        parts[blended++] = part;
    }
    weights_share(parts, blended, WEIGHT_FULL, shares);
    for (int k = 0; k < blended; k++)
        mixer->rows[layers[k]][at] = shares[k];
}

static bool inside(const struct cloning *cloning, double column, double row)
{
    return column >= 0 && row >= 0 && column <= cloning->all.width - 1 &&
           row <= cloning->all.height - 1;
}

static void mix_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                    uint16_t *heights)
{
    struct mixer *mixer = (struct mixer *)tool;
    const struct cloning *cloning = mixer->cloning;
    int32_t at = (y & BLOCK_MASK) * BLOCK_SIDE + (x & BLOCK_MASK);

    (void)heights;
    for (int32_t i = 0; i < count; i++)
        mixer->touched[i] =
            force[i] * cloning->strength > 0 &&
            inside(cloning, cloning_column(cloning, x + i), cloning_row(cloning, y));
    for (int layer = 0; layer < mixer->stack->paint_count; layer++)
        mix_layer(mixer, layer, x, y, count, force, mixer->rows[layer] + at);
    for (int32_t i = 0; i < count; i++) {
        if (mixer->touched[i])
            share_out(mixer, at + i, i);
    }
}

static bool mix_open(struct tool *tool, struct draft *draft, int32_t bx, int32_t by,
                     struct fault *why)
{
    struct mixer *mixer = (struct mixer *)tool;

    mixer->bx = bx;
    mixer->by = by;
    return draft_weights_begin(draft, bx, by, -1, mixer->rows, why);
}

static bool mix_close(struct tool *tool, struct draft *draft, struct rect rows, struct fault *why)
{
    const struct mixer *mixer = (const struct mixer *)tool;

    (void)why;
    draft_weights_end(draft, mixer->bx, mixer->by, rows);
    return true;
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    return draft_spend(
        draft, (((const struct mixer *)tool)->stack->paint_count - 1) * rect_area(box), why);
}

/* The source's weights of the landscape's paint layers; those that are 0 in all that is read are
 * none. */
static bool find_sources(struct mixer *mixer, struct draft *draft, struct fault *why)
{
    const struct view *other = mixer->cloning->other;
    const struct tree *source;

    for (int i = 0; i < mixer->stack->paint_count; i++) {
        if (other) {
            int layer = stack_paint(other->settings->stack, mixer->stack->paints[i].name);

            source =
                layer < 0 ? NULL : view_weights(other, other->settings->stack->paints[layer].id);
        } else {
            source = draft_weights(draft, i, mixer->cloning->read, why);
            if (!source)
                return false;
        }
        if (source && tree_bounds(source, mixer->cloning->read).greatest > 0)
            mixer->sources[i] = tree_hold(source);
    }
    return true;
}

bool clone_weights(struct draft *draft, const struct where *where, const struct cloning *cloning,
                   struct fault *why)
{
    struct mixer *mixer = calloc(1, sizeof *mixer);
    bool done;

    if (!mixer)
        return fault_set(why, FAULT_MEMORY, "no memory to copy weights");
    mixer->tool =
        (struct tool){ .begin = begin, .open = mix_open, .row = mix_row, .close = mix_close };
    mixer->cloning = cloning;
    mixer->stack = draft_view(draft)->settings->stack;
    done = mixer->stack->paint_count == 0 ||
           (find_sources(mixer, draft, why) && where_apply(draft, where, &mixer->tool, why));
    for (int i = 0; i < PAINT_LAYERS_MOST; i++)
        tree_drop(&mixer->sources[i]);
    free(mixer);
    return done;
}
