/* Noise: value noise of the reference or another kind, added; finer octaves have half the
 * amplitude each. */
#include "terrain/edit/dab.h"
#include "terrain/edit/octaves.h"
#include "terrain/edit/paint_tools.h"

struct noise {
    struct where where;
    double amplitude; /* m */
    double cell;      /* quads */
    int64_t seed;
    int32_t octaves;
    int kind;
    const char *layer;
};

static const struct field rows[] = {
    FIELD(struct noise, amplitude, "m", -1e9, 1e9,
          "Metres, or weight of a layer, at full force, up and down", .required = true),
    FIELD(struct noise, cell, "quads", 0.125, 1e6, "Size of the coarsest bumps", .required = true),
    FIELD(struct noise, seed, "", 0, 4294967295, "Another seed is another noise",
          .has_value = true),
    FIELD(struct noise, octaves, "", 1, OCTAVES_MOST,
          "Layers of noise: each has half the cell and half the amplitude of the one before, and "
          "the next seed; the sum keeps the amplitude",
          .has_value = true, .value = 1),
    FIELD_AS(FIELD_CHOICE, struct noise, kind,
             "value: bumps n as they are; billow: 2|n| - 1, round hills; ridged: 1 - 2|n|, crests; "
             "perlin: gradient noise, whose bumps are rounder and of more even size",
             .words = octaves_kinds, .has_value = true, .value = OCTAVES_VALUE),
    PAINT_LAYER_ROW(struct noise),
    { .kind = FIELD_END }
};

struct noiser {
    struct tool tool;
    double codes;
    struct octaves octaves;
};

static void noise_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                      uint16_t *heights)
{
    const struct noiser *noiser = (const struct noiser *)tool;
    double sums[BLOCK_SIDE];

    octaves_row(&noiser->octaves, x, y, count, sums);
    for (int32_t i = 0; i < count; i++)
        heights[i] = dab_round(heights[i] + noiser->codes * sums[i] * force[i]);
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    int64_t octaves = ((const struct noiser *)tool)->octaves.count;

    return draft_spend(draft, octaves * OCTAVE_COST * rect_area(box), why);
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct noise *noise = takes;
    const struct view *view = draft_view(draft);
    const struct octaves octaves = { noise->cell, (uint32_t)noise->seed, noise->octaves,
                                     (enum octaves_kind)noise->kind };
    struct noiser noiser = { .tool = { .begin = begin, .row = noise_row },
                             .codes = grid_codes(view_grid(view), noise->amplitude),
                             .octaves = octaves };

    if (noise->layer)
        return paint_noise(draft, &noise->where,
                           &(struct paint_noise){ noise->layer, noise->amplitude, octaves }, why);
    return where_check(&noise->where, view, why) &&
           where_apply(draft, &noise->where, &noiser.tool, why);
}

BRUSH_SHAPE(noise, struct noise, rows, -1);

const struct brush brush_noise = {
    .name = "noise",
    .summary = "Adds bumps",
    .example = "{\"tool\":\"noise\",\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64},"
               "\"amplitude\":4,\"cell\":12,\"seed\":7,\"octaves\":4}",
    .takes = &brush_noise_takes,
    .apply = apply,
};
