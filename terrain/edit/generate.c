/* Generate: ground out of nothing: hills, ridges, an island, a crater. */
#include "terrain/edit/dab.h"

#include <math.h>

#include "terrain/base/wide.h"
#include "terrain/edit/lattice.h"

enum {
    OCTAVES_MOST = 12,
    OCTAVE_COST = 2 /* an octave costs what touching so many vertices does */
};
enum { MAKES_FBM, MAKES_RIDGED, MAKES_BILLOW, MAKES_ISLAND, MAKES_CRATER };
static const char *const generators[] = { "fbm", "ridged", "billow", "island", "crater", NULL };
enum { BLEND_REPLACE, BLEND_ADD };
static const char *const blends[] = { "replace", "add", NULL };

struct generate {
    struct where where;
    int generator;
    double amplitude; /* m */
    double level;     /* m */
    double scale;     /* m; 0 goes by the area */
    int64_t seed;
    int32_t octaves;
    double gain, lacunarity;
    int blend;
};

static const struct field rows[] = {
    FIELD_AS(FIELD_CHOICE, struct generate, generator,
             "fbm: hills, amplitude up and down; ridged: sharp crests, and billow: round hills, "
             "from 0 to amplitude; island: from the sea at 0 at the area's rim to about amplitude; "
             "crater: rim at a fifth of amplitude, floor so far below as to make amplitude between "
             "them, 0 at the area's rim",
             .words = generators, .required = true, .value = -1),
    FIELD(struct generate, amplitude, "m", -1e9, 1e9, "Metres that it is high", .required = true),
    FIELD(struct generate, level, "m", -1e9, 1e9,
          "The height of its 0, when it replaces what is there", .has_value = true),
    FIELD(struct generate, scale, "m", 0, 1e9,
          "Size of the coarsest features; 0 is a quarter of the area", .has_value = true),
    FIELD(struct generate, seed, "", 0, 4294967295, "Another seed is other ground",
          .has_value = true),
    FIELD(struct generate, octaves, "", 1, OCTAVES_MOST,
          "Layers of features, each finer than the one before", .has_value = true, .value = 7),
    FIELD(struct generate, gain, "", 0, 1, "Height of a layer against the one before",
          .has_value = true, .value = 0.5),
    FIELD(struct generate, lacunarity, "", 1, 4,
          "How many times as fine each layer is as the one before", .has_value = true, .value = 2),
    FIELD_AS(FIELD_CHOICE, struct generate, blend,
             "replace: the ground is made anew; add: upon what is there", .words = blends,
             .has_value = true, .value = BLEND_REPLACE),
    { .kind = FIELD_END }
};

struct generator {
    struct tool tool;
    const struct generate *takes;
    double metres[2];    /* a quad */
    double codes, level; /* of amplitude, and of its 0 */
    struct slant octaves[OCTAVES_MOST];
    double shares[OCTAVES_MOST]; /* of each octave; they add up to 1 */
};

/* One octave's lattice: `size` metres a cell, turned by cosine and sine. */
static struct slant slant_of(const struct generator *generator, uint32_t octave, double size,
                             const double turn[2])
{
    uint32_t seed = (uint32_t)generator->takes->seed;
    double across = generator->metres[0] / size, down = generator->metres[1] / size;
    struct slant slant = { .seed = seed + octave,
                           .by_x = { across * turn[0], across * turn[1] },
                           .by_y = { -down * turn[1], down * turn[0] } };

    for (uint32_t axis = 0; axis < 2; axis++)
        slant.shift[axis] = lattice_hash(axis, octave, ~seed) / 4294967296.0;
    return slant;
}

/* Features for the area of a dab. Each octave's lattice is turned against the one before by the
 * smaller angle of a triangle of sides 3, 4 and 5, and begins elsewhere, so that the lattices do
 * not show. */
static void sow(struct generator *generator)
{
    const struct generate *takes = generator->takes;
    const double *half = generator->tool.dab->half, *metres = generator->metres;
    double across = half[0] * metres[0], down = half[1] * metres[1];
    double size = takes->scale > 0 ? takes->scale : (across < down ? across : down) / 2;
    double finest = 0.125 * (metres[0] > metres[1] ? metres[0] : metres[1]);
    double turn[2] = { 0.8, 0.6 }, share = 1, sum = 0;

    for (int32_t o = 0; o < takes->octaves; o++) {
        double cosine = turn[0];

        generator->octaves[o] =
            slant_of(generator, (uint32_t)o, size > finest ? size : finest, turn);
        generator->shares[o] = share;
        sum += share;
        share *= takes->gain;
        size /= takes->lacunarity;
        turn[0] = cosine * 0.8 - turn[1] * 0.6;
        turn[1] = cosine * 0.6 + turn[1] * 0.8;
    }
    for (int32_t o = 0; o < takes->octaves; o++)
        generator->shares[o] /= sum;
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    struct generator *generator = (struct generator *)tool;

    sow(generator);
    return draft_spend(draft, (int64_t)generator->takes->octaves * OCTAVE_COST * rect_area(box),
                       why);
}

/* Sums of octaves, a row at a time */

static void fbm_row(const struct generator *generator, int32_t x, int32_t y, int32_t count,
                    bool billow, double *sums)
{
    double noise[BLOCK_SIDE];

    for (int32_t i = 0; i < count; i++)
        sums[i] = 0;
    for (int32_t o = 0; o < generator->takes->octaves; o++) {
        lattice_slanted(&generator->octaves[o], x, y, count, noise);
        for (int32_t i = 0; i < count; i++)
            sums[i] += generator->shares[o] * (billow ? fabs(noise[i]) : noise[i]);
    }
}

/* Crests gather detail and valleys stay smooth: each layer weighs as high as the one before it is
 * there (F. K. Musgrave, in Texturing & Modeling, 1994). */
WIDE static void ridged_row(const struct generator *generator, int32_t x, int32_t y, int32_t count,
                            double *sums)
{
    double noise[BLOCK_SIDE], weights[BLOCK_SIDE];

    for (int32_t i = 0; i < count; i++) {
        sums[i] = 0;
        weights[i] = 1;
    }
    for (int32_t o = 0; o < generator->takes->octaves; o++) {
        lattice_slanted(&generator->octaves[o], x, y, count, noise);
        for (int32_t i = 0; i < count; i++) {
            double crest = 1 - fabs(noise[i]), signal = crest * crest * weights[i];

            sums[i] += generator->shares[o] * signal;
            weights[i] = signal < 0.5 ? 2 * signal : 1;
        }
    }
}

/* Shapes around the middle of the area: `far` is 0 there and 1 at its rim */

static double smooth_step(double t)
{
    t = t > 0 ? t : 0;
    t = t < 1 ? t : 1;
    return t * t * (3 - 2 * t);
}

static double island_at(double far, double hills)
{
    double coast = smooth_step(1.5 * (1 - far) + 0.6 * hills); /* shores go in and out */
    double rim = smooth_step(5 * (1 - far));

    return coast * rim * (0.6 + 0.4 * smooth_step(1 - far) + 0.5 * hills * coast);
}

/* The bowl is a parabola with a level floor; what was thrown out falls off as the cube of the
 * distance (H. J. Melosh, Impact Cratering, 1989). Heights in parts of rim to floor. */
static double crater_at(double far, double hills)
{
    static const double rim = 0.6, crest = 0.2, floor = -0.8;
    double out = far * (1 + 0.12 * hills) / rim, bowl = 1.15 * out * out - 0.15, thrown;

    if (out < 1)
        return floor + (crest - floor) * (bowl > 0 ? bowl : 0);
    thrown = crest / (out * out * out);
    return thrown * smooth_step((1 - far) / (1 - rim)) * (1 + 0.3 * hills * (out - 1));
}

static void shape_row(const struct generator *generator, int32_t x, int32_t y, int32_t count,
                      double *sums)
{
    const struct dab *dab = generator->tool.dab;
    double half[2] = { dab->half[0] > 0.5 ? dab->half[0] : 0.5,
                       dab->half[1] > 0.5 ? dab->half[1] : 0.5 };
    double down = (y - dab->middle[1]) / half[1];

    fbm_row(generator, x, y, count, false, sums);
    for (int32_t i = 0; i < count; i++) {
        double across = (x + i - dab->middle[0]) / half[0],
               far = sqrt(across * across + down * down);

        far = far < 1 ? far : 1;
        sums[i] = generator->takes->generator == MAKES_ISLAND ? island_at(far, sums[i])
                                                              : crater_at(far, sums[i]);
    }
}

static void generate_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                         const double *force, uint16_t *heights)
{
    const struct generator *generator = (const struct generator *)tool;
    double sums[BLOCK_SIDE];

    switch (generator->takes->generator) {
    case MAKES_FBM:
    case MAKES_BILLOW:
        fbm_row(generator, x, y, count, generator->takes->generator == MAKES_BILLOW, sums);
        break;
    case MAKES_RIDGED:
        ridged_row(generator, x, y, count, sums);
        break;
    default:
        shape_row(generator, x, y, count, sums);
        break;
    }
    for (int32_t i = 0; i < count; i++) {
        double made = generator->codes * sums[i];
        double way =
            generator->takes->blend == BLEND_ADD ? made : generator->level + made - heights[i];

        heights[i] = dab_round(heights[i] + way * force[i]);
    }
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct generate *generate = takes;
    const struct view *view = draft_view(draft);
    const struct grid *grid = view_grid(view);
    struct generator generator = { .tool = { .begin = begin, .row = generate_row },
                                   .takes = generate,
                                   .metres = { grid->scale[0], grid->scale[1] },
                                   .codes = grid_codes(grid, generate->amplitude),
                                   .level = grid_code(grid, generate->level) };

    return where_check(&generate->where, view, why) &&
           where_apply(draft, &generate->where, &generator.tool, why);
}

BRUSH_SHAPE(generate, struct generate, rows, -1);

const struct brush brush_generate = {
    .name = "generate",
    .summary = "Makes ground out of nothing: hills, ridges, an island, a crater",
    .example = "{\"tool\":\"generate\",\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64},"
               "\"generator\":\"ridged\",\"amplitude\":20,\"scale\":40,\"seed\":3}",
    .takes = &brush_generate_takes,
    .apply = apply,
};
