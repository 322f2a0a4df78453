/* A paint layer's weights as a mask. */
#include "terrain/edit/mask.h"

#include <math.h>
#include <stddef.h>

#include "terrain/core/stack.h"

struct layer_mask {
    struct mask_base base;
    const char *layer;
    double from, to, fade; /* weights; from and to NaN when they were not given */
};

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct layer_mask, layer, "The paint layer", .required = true),
    FIELD(struct layer_mask, from, "", 0, 255,
          "The least weight. Without from and to the share is the weight itself, 255 being all",
          .has_value = true, .value = NAN),
    FIELD(struct layer_mask, to, "", 0, 255, "The greatest weight", .has_value = true,
          .value = NAN),
    FIELD(struct layer_mask, fade, "", 0, 255,
          "Over so much beyond the range it fades to nothing; 0 is a sharp edge",
          .has_value = true),
    { .kind = FIELD_END }
};

static struct range range_of(const struct layer_mask *takes)
{
    return (struct range){ isnan(takes->from) ? 0 : takes->from, isnan(takes->to) ? 255 : takes->to,
                           takes->fade };
}

static bool layer_ready(struct masker *masker, struct draft *draft, struct fault *why)
{
    const struct layer_mask *takes = masker->takes;
    struct range range = range_of(takes);

    if (!stack_find_paint(draft_view(draft)->settings->stack, takes->layer, &masker->paint, why))
        return fault_at(why, "/layer");
    masker->cost += 4;
    return range_check(&range, why);
}

static void layer_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                      int32_t count, double *shares)
{
    const struct layer_mask *takes = masker->takes;
    struct range range = range_of(takes);
    uint8_t weights[BLOCK_SIDE];

    (void)scene;
    tree_read(&masker->weights, (struct rect){ x, y, count, 1 }, weights, count);
    for (int32_t i = 0; i < count; i++)
        shares[i] = isnan(takes->from) && isnan(takes->to) ? weights[i] / 255.0
                                                           : range_share(&range, weights[i]);
}

MASK_SHAPE(layer, struct layer_mask, rows);

const struct mask mask_layer = {
    .name = "layer",
    .summary = "Where a paint layer lies, as strongly as it does or within a range of weights",
    .example = "{\"type\":\"layer\",\"layer\":\"rock\"}",
    .takes = &mask_layer_takes,
    .ready = layer_ready,
    .row = layer_row,
};
