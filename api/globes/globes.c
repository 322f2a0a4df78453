#include "api/globes/globes.h"

#include <math.h>
#include <string.h>

enum { GIVEN_FILL, GIVEN_HEIGHT_OFFSET, GIVEN_WATER_HEIGHT };

static const struct field asks[] = {
    FIELD(struct globes_asked, fill, "m", -1e5, 1e5, "Height of the ground beyond the landscape"),
    FIELD(struct globes_asked, height_offset, "m", -1e5, 1e5,
          "Added to all heights, beside what the landscape's settings add"),
    FIELD(struct globes_asked, water_height, "m", -1e6, 1e6,
          "Water is where the ground lies at this height or below"),
    FIELD_AS(FIELD_NAME, struct globes_asked, water_layer,
             "Water is where this paint layer has a weight of 128 or more"),
    { .kind = FIELD_END }
};

const struct shape globes_shape = { "globe", sizeof(struct globes_asked), asks, NULL,
                                    offsetof(struct globes_asked, given) };

static bool water_of(struct request *rq, const struct globes_asked *asked, struct globe_look *look)
{
    const struct stack *stack = rq->view->settings->stack;

    look->water_paint = GLOBE_NO_PAINT;
    look->water_height = asked->given >> GIVEN_WATER_HEIGHT & 1 ? asked->water_height : NAN;
    if (!asked->water_layer)
        return true;
    if (!isnan(look->water_height)) {
        REFUSE(rq, FAULT_INPUT, "Water is told by water_layer or by water_height, not by both");
        return fault_at(&rq->fault, "water_height");
    }
    for (int i = 0; i < stack->paint_count; i++)
        if (strcmp(stack->paints[i].name, asked->water_layer) == 0) {
            look->water_paint = i;
            return true;
        }
    REFUSE(rq, FAULT_INPUT, "There is no paint layer %s, of the %d that this landscape has",
           asked->water_layer, stack->paint_count);
    return fault_at(&rq->fault, "water_layer");
}

bool globes_look_init(struct request *rq, const struct globes_asked *asked, bool samples,
                      struct globes_look *look)
{
    *look = (struct globes_look){ .look = { .fill = asked->fill, .max_error = NAN } };
    look->look.datum = &look->held.datum;
    return water_of(rq, asked, &look->look) &&
           datum_hold(rq, asked->height_offset, samples, &look->held);
}

void globes_look_fini(struct globes_look *look)
{
    datum_drop(&look->held);
}

bool globes_water(const struct globes_look *look)
{
    return look->look.water_paint != GLOBE_NO_PAINT || !isnan(look->look.water_height);
}

bool globes_tile(struct request *rq, int32_t z, int32_t x, int32_t y, struct globe_tile *tile)
{
    *tile = (struct globe_tile){ z, x, (int32_t)(((int64_t)1 << z) - 1 - y) };
    return globe_has(rq->view, tile, &rq->fault);
}
