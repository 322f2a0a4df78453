#include "terrain/edit/paint_tools.h"

#include <math.h>

#include "terrain/base/wide.h"
#include "terrain/edit/means.h"
#include "terrain/edit/painter.h"

static bool run(struct draft *draft, const struct where *where, struct painter *painter,
                const char *layer, struct fault *why)
{
    return where_check(where, draft_view(draft), why) && painter_init(painter, draft, layer, why) &&
           where_apply(draft, where, &painter->tool, why);
}

/* Smooth */

struct smoother {
    struct painter painter;
    struct means *means;
    double strength;
};

static bool smooth_begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    struct smoother *smoother = (struct smoother *)tool;

    return means_begin_weights(smoother->means, draft, smoother->painter.paint, box, why);
}

static bool smooth_block(struct tool *tool, struct rect part, struct fault *why)
{
    (void)why;
    means_make(((struct smoother *)tool)->means, part);
    return true;
}

WIDE static void smooth_ask(struct painter *painter, int32_t x, int32_t y, int32_t count,
                            const double *force, const uint8_t *own, uint8_t *asked)
{
    const struct smoother *smoother = (const struct smoother *)painter;
    const double *means = means_row(smoother->means, x, y);
    double strength = smoother->strength;

    for (int32_t i = 0; i < count; i++)
        asked[i] = painter_round(own[i] + (means[i] - own[i]) * (force[i] * strength));
}

bool paint_smooth(struct draft *draft, const struct where *where, const struct paint_smooth *smooth,
                  struct fault *why)
{
    struct smoother smoother = {
        .painter = { .tool = { .begin = smooth_begin, .block = smooth_block }, .ask = smooth_ask },
        .means = means_new(smooth->kernel, smooth->radius, why),
        .strength = smooth->strength
    };
    bool done = smoother.means && run(draft, where, &smoother.painter, smooth->layer, why);

    means_free(smoother.means);
    return done;
}

/* Flatten */

struct flattener {
    struct painter painter;
    double target, strength;
    bool raise, lower;
};

WIDE static void flatten_ask(struct painter *painter, int32_t x, int32_t y, int32_t count,
                             const double *force, const uint8_t *own, uint8_t *asked)
{
    const struct flattener *flattener = (const struct flattener *)painter;
    double target = flattener->target, strength = flattener->strength;
    bool raise = flattener->raise, lower = flattener->lower;

    (void)x;
    (void)y;
    for (int32_t i = 0; i < count; i++) {
        double way = target - own[i];
        bool goes = way > 0 ? raise : lower;

        asked[i] = goes ? painter_round(own[i] + way * (force[i] * strength)) : own[i];
    }
}

static bool pick(struct draft *draft, const struct where *where, const char *layer, double *target,
                 struct fault *why)
{
    const double *first = where->path.items;
    const struct stack *stack = draft_view(draft)->settings->stack;
    const struct tree *weights;
    struct rect at = { 0, 0, 1, 1 };
    int paint;

    if (where->path.count == 0) {
        fault_set(why, FAULT_INPUT,
                  "a target is picked under the first point of a path; a region needs a weight");
        return fault_at(why, "/target");
    }
    at.x = (int32_t)floor(fmin(fmax(first[0], -1), INT32_MAX / 2) + 0.5);
    at.y = (int32_t)floor(fmin(fmax(first[1], -1), INT32_MAX / 2) + 0.5);
    if (!rect_inside(at, view_rect(draft_view(draft)))) {
        fault_set(why, FAULT_IMPOSSIBLE,
                  "the path begins outside the landscape: no weight to pick");
        return fault_at(why, "/target");
    }
    if (!stack_find_paint(stack, layer, &paint, why))
        return fault_at(why, "/layer");
    weights = draft_weights(draft, paint, at, why);
    if (weights)
        *target = tree_value(weights, at.x, at.y);
    return weights != NULL;
}

bool paint_flatten(struct draft *draft, const struct where *where,
                   const struct paint_flatten *flatten, struct fault *why)
{
    struct flattener flattener = { .painter.ask = flatten_ask,
                                   .target = flatten->target,
                                   .strength = flatten->strength,
                                   .raise = flatten->raise,
                                   .lower = flatten->lower };

    if (isnan(flatten->target) && !pick(draft, where, flatten->layer, &flattener.target, why))
        return false;
    if (!(flattener.target >= 0 && flattener.target <= 255)) {
        fault_set(why, FAULT_INPUT, "the target of a paint layer is a weight of 0 to 255, not %g",
                  flattener.target);
        return fault_at(why, "/target");
    }
    return run(draft, where, &flattener.painter, flatten->layer, why);
}

/* Noise */

struct noiser {
    struct painter painter;
    double amplitude;
    struct octaves octaves;
};

static void noise_ask(struct painter *painter, int32_t x, int32_t y, int32_t count,
                      const double *force, const uint8_t *own, uint8_t *asked)
{
    const struct noiser *noiser = (const struct noiser *)painter;
    double sums[BLOCK_SIDE];

    octaves_row(&noiser->octaves, x, y, count, sums);
    for (int32_t i = 0; i < count; i++)
        asked[i] = painter_round(own[i] + noiser->amplitude * sums[i] * force[i]);
}

static bool noise_begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    int64_t octaves = ((const struct noiser *)tool)->octaves.count;

    return draft_spend(draft, octaves * OCTAVE_COST * rect_area(box), why);
}

bool paint_noise(struct draft *draft, const struct where *where, const struct paint_noise *noise,
                 struct fault *why)
{
    struct noiser noiser = { .painter = { .tool = { .begin = noise_begin }, .ask = noise_ask },
                             .amplitude = noise->amplitude,
                             .octaves = noise->octaves };

    return run(draft, where, &noiser.painter, noise->layer, why);
}
