/* Contrast: stretches or squeezes the heights about a level. */
#include "terrain/edit/dab.h"

#include <math.h>
#include <stddef.h>

#include "terrain/base/wide.h"

static const char *const mean[] = { "mean", NULL };

struct contrast {
    struct where where;
    double factor;
    double level; /* m; NaN is the mean of the area */
};

static const struct field rows[] = {
    FIELD(struct contrast, factor, "", 0, 100,
          "Heights come to lie so many times as far from the level; below 1 they come nearer",
          .has_value = true, .value = 1.5),
    FIELD_AS(FIELD_PICK, struct contrast, level,
             "The height that stays, or the mean of each dab's area, weighted by its force",
             .unit = "m", .least = -1e9, .greatest = 1e9, .words = mean, .has_value = true,
             .value = NAN),
    { .kind = FIELD_END }
};

struct stretcher {
    struct tool tool;
    double more; /* the factor less 1 */
    bool means;
    double level; /* code */
};

/* Adds one row of the area to the sums, a block's width at a time. */
static void add_row(const struct dab *dab, const struct tree *surface, int32_t y, double *forces,
                    double *codes)
{
    uint16_t heights[BLOCK_SIDE];
    double force[BLOCK_SIDE];
    int32_t first, end;

    dab->span(dab, y, &first, &end);
    for (int32_t x = first; x < end; x += BLOCK_SIDE) {
        int32_t count = end - x < BLOCK_SIDE ? end - x : BLOCK_SIDE;

        tree_read(surface, (struct rect){ x, y, count, 1 }, heights, count);
        dab->force(dab, x, y, count, force);
        for (int32_t i = 0; i < count; i++) {
            *forces += force[i];
            *codes += force[i] * heights[i];
        }
    }
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    struct stretcher *stretcher = (struct stretcher *)tool;
    const struct tree *surface;
    double forces = 0, codes = 0;

    if (!stretcher->means)
        return true;
    surface = draft_surface(draft, box, why);
    if (!surface || !draft_spend(draft, rect_area(box), why))
        return false;
    for (int32_t y = box.y; y < box.y + box.height; y++)
        add_row(tool->dab, surface, y, &forces, &codes);
    stretcher->level = forces > 0 ? codes / forces : 0; /* without force nothing will move */
    return true;
}

WIDE static void stretch_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                             const double *force, uint16_t *heights)
{
    const struct stretcher *stretcher = (const struct stretcher *)tool;
    double more = stretcher->more, level = stretcher->level;

    (void)x;
    (void)y;
    for (int32_t i = 0; i < count; i++)
        heights[i] = dab_round(heights[i] + (heights[i] - level) * (force[i] * more));
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct contrast *contrast = takes;
    const struct view *view = draft_view(draft);
    struct stretcher stretcher = { .tool = { .begin = begin, .row = stretch_row },
                                   .more = contrast->factor - 1,
                                   .means = isnan(contrast->level),
                                   .level = grid_code(view_grid(view), contrast->level) };

    return where_check(&contrast->where, view, why) &&
           where_apply(draft, &contrast->where, &stretcher.tool, why);
}

BRUSH_SHAPE(contrast, struct contrast, rows, -1);

const struct brush brush_contrast = {
    .name = "contrast",
    .summary = "Stretches or squeezes the heights about a level",
    .example = "{\"tool\":\"contrast\",\"path\":[[32,32]],\"radius\":20,\"factor\":1.6}",
    .takes = &brush_contrast_takes,
    .apply = apply,
};
