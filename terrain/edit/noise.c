/* Noise: value noise of the reference, added; finer octaves have half the amplitude each. */
#include "terrain/edit/dab.h"

#include <math.h>

enum {
    OCTAVES_MOST = 8,
    OCTAVES_PER_VERTEX = 4 /* so many octaves more cost what touching a vertex does */
};
enum { KIND_VALUE, KIND_BILLOW, KIND_RIDGED };
static const char *const kinds[] = { "value", "billow", "ridged", NULL };

struct noise {
    struct where where;
    double amplitude; /* m */
    double cell;      /* quads */
    int64_t seed;
    int32_t octaves;
    int kind;
};

static const struct field rows[] = {
    FIELD(struct noise, amplitude, "m", -1e9, 1e9, "Metres at full force, up and down",
          .required = true),
    FIELD(struct noise, cell, "quads", 0.125, 1e6, "Size of the coarsest bumps", .required = true),
    FIELD(struct noise, seed, "", 0, 4294967295, "Another seed is another noise",
          .has_value = true),
    FIELD(struct noise, octaves, "", 1, OCTAVES_MOST,
          "Layers of noise: each has half the cell and half the amplitude of the one before, and "
          "the next seed; the sum keeps the amplitude",
          .has_value = true, .value = 1),
    FIELD_AS(FIELD_CHOICE, struct noise, kind,
             "value: bumps as they are; billow: 2|n| - 1, round hills; ridged: 1 - 2|n|, crests",
             .words = kinds, .has_value = true, .value = KIND_VALUE),
    { .kind = FIELD_END }
};

struct noiser {
    struct tool tool;
    double codes, cell;
    uint32_t seed;
    int32_t octaves;
    int kind;
};

static uint32_t hash32(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = x * 0x8da6b343u ^ y * 0xd8163841u ^ seed * 0xcb1ab31fu;

    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ h >> 16;
}

static double lattice(uint32_t x, uint32_t y, uint32_t seed)
{
    return hash32(x, y, seed) / 4294967296.0 * 2 - 1;
}

static double eased(double t)
{
    return t * t * (3 - 2 * t);
}

static double shaped(double n, int kind)
{
    switch (kind) {
    case KIND_BILLOW:
        return 2 * fabs(n) - 1;
    case KIND_RIDGED:
        return 1 - 2 * fabs(n);
    default:
        return n;
    }
}

/* Adds share times the noise of one octave to a row of sums. */
static void octave_row(double cell, uint32_t seed, int kind, double share, int32_t x, int32_t y,
                       int32_t count, double *sums)
{
    double row = floor(y / cell), down = eased(y / cell - row), corners[4] = { 0 };
    uint32_t j = (uint32_t)(int64_t)row;
    double column = -1;

    for (int32_t k = 0; k < count; k++) {
        double at = (x + k) / cell, first = floor(at), across = eased(at - first);
        double top, bottom;

        if (first != column) { /* another cell */
            uint32_t i = (uint32_t)(int64_t)first;

            column = first;
            for (uint32_t c = 0; c < 4; c++)
                corners[c] = lattice(i + (c & 1), j + (c >> 1), seed);
        }
        top = corners[0] + (corners[1] - corners[0]) * across;
        bottom = corners[2] + (corners[3] - corners[2]) * across;
        sums[k] += share * shaped(top + (bottom - top) * down, kind);
    }
}

static void noise_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                      uint16_t *heights)
{
    const struct noiser *noiser = (const struct noiser *)tool;
    double sums[BLOCK_SIDE] = { 0 }, all = 2 - 1.0 / (1 << (noiser->octaves - 1));

    for (int32_t o = 0; o < noiser->octaves; o++)
        octave_row(noiser->cell / (1 << o), noiser->seed + (uint32_t)o, noiser->kind,
                   1.0 / (1 << o) / all, x, y, count, sums);
    for (int32_t i = 0; i < count; i++)
        heights[i] = dab_round(heights[i] + noiser->codes * sums[i] * force[i]);
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    int32_t more = ((const struct noiser *)tool)->octaves - 1;

    return draft_spend(draft, more * rect_area(box) / OCTAVES_PER_VERTEX, why);
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct noise *noise = takes;
    const struct view *view = draft_view(draft);
    struct noiser noiser = { .tool = { .begin = begin, .row = noise_row },
                             .codes = grid_codes(view_grid(view), noise->amplitude),
                             .cell = noise->cell,
                             .seed = (uint32_t)noise->seed,
                             .octaves = noise->octaves,
                             .kind = noise->kind };

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
