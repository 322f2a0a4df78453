/* Paint and unpaint: a paint layer's weight up or down, or towards a target. */
#include "terrain/edit/painter.h"

#include <stddef.h>

#include "terrain/base/wide.h"

struct paint {
    struct where where;
    uint64_t given; /* bit 1: amount, bit 2: target */
    const char *layer;
    double amount, target;
};
enum { GIVEN_AMOUNT = 1 << 1, GIVEN_TARGET = 1 << 2 };

#define LAYER_ROW                                                                                  \
    FIELD_AS(FIELD_NAME, struct paint, layer,                                                      \
             "The paint layer; the other blended ones make room for it, or take what it "          \
             "leaves",                                                                             \
             .required = true)

static const struct field paint_rows[] = {
    LAYER_ROW,
    FIELD(struct paint, amount, "", 0, 255,
          "Added to the weight at full force; give this or a target"),
    FIELD(struct paint, target, "", 0, 255, "The weight that a full force goes to"),
    { .kind = FIELD_END }
};

static const struct field unpaint_rows[] = {
    LAYER_ROW,
    FIELD(struct paint, amount, "", 0, 255,
          "Taken from the weight at full force; give this or a target"),
    FIELD(struct paint, target, "", 0, 255,
          "The weight that a full force goes down to; what is below stays"),
    { .kind = FIELD_END }
};

struct adder {
    struct painter painter;
    double amount;
};

WIDE static void ask_more(struct painter *painter, int32_t x, int32_t y, int32_t count,
                          const double *force, const uint8_t *own, uint8_t *asked)
{
    double amount = ((const struct adder *)painter)->amount;

    (void)x;
    (void)y;
    for (int32_t i = 0; i < count; i++)
        asked[i] = painter_round(own[i] + amount * force[i]);
}

struct aimer {
    struct painter painter;
    double target;
    double most_up; /* how far a weight may go up: 255, or 0 for down only */
};

WIDE static void ask_target(struct painter *painter, int32_t x, int32_t y, int32_t count,
                            const double *force, const uint8_t *own, uint8_t *asked)
{
    double target = ((const struct aimer *)painter)->target;
    double most_up = ((const struct aimer *)painter)->most_up;

    (void)x;
    (void)y;
    for (int32_t i = 0; i < count; i++) {
        double way = target - own[i];

        way = way < most_up ? way : most_up;
        asked[i] = painter_round(own[i] + way * force[i]);
    }
}

static bool apply(struct draft *draft, const struct paint *paint, bool down, struct fault *why)
{
    bool target = paint->given & GIVEN_TARGET, amount = paint->given & GIVEN_AMOUNT;
    struct aimer aimer = { .painter.ask = ask_target,
                           .target = paint->target,
                           .most_up = down ? 0 : 255 };
    struct adder adder = { .painter.ask = ask_more,
                           .amount = down ? -paint->amount : paint->amount };
    struct painter *painter = target ? &aimer.painter : &adder.painter;

    if (target == amount) {
        fault_set(why, FAULT_INPUT, "%s",
                  target ? "give an amount or a target, not both"
                         : "an amount or a target is needed, 0 to 255");
        return fault_at(why, target ? "/target" : "/amount");
    }
    return where_check(&paint->where, draft_view(draft), why) &&
           painter_init(painter, draft, paint->layer, why) &&
           where_apply(draft, &paint->where, &painter->tool, why);
}

static bool paint_weights(struct draft *draft, const void *takes, struct fault *why)
{
    return apply(draft, takes, false, why);
}

static bool unpaint_weights(struct draft *draft, const void *takes, struct fault *why)
{
    return apply(draft, takes, true, why);
}

BRUSH_SHAPE(paint, struct paint, paint_rows, offsetof(struct paint, given));
BRUSH_SHAPE(unpaint, struct paint, unpaint_rows, offsetof(struct paint, given));

/* The examples are a rule: rock wherever the ground is steep, less of it where it is level. */
const struct brush brush_paint = {
    .name = "paint",
    .summary = "Paints a layer; with a region and a mask it is a rule, as of steep or high ground",
    .example = "{\"tool\":\"paint\",\"layer\":\"rock\",\"target\":230,\"region\":{\"x\":0,\"y\":0,"
               "\"width\":64,\"height\":64},\"mask\":{\"type\":\"slope\",\"from\":30,\"to\":90,"
               "\"fade\":10}}",
    .takes = &brush_paint_takes,
    .apply = paint_weights,
};

const struct brush brush_unpaint = {
    .name = "unpaint",
    .summary = "Takes a layer's paint away; what it leaves goes to the others that are there",
    .example = "{\"tool\":\"unpaint\",\"layer\":\"rock\",\"path\":[[32,32]],\"radius\":24,"
               "\"amount\":120}",
    .takes = &brush_unpaint_takes,
    .apply = unpaint_weights,
};
