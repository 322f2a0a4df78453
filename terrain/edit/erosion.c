/* Erosion by gravity: what is steeper than a talus slope slides down until it is not.
 *
 * An iteration is three sweeps, between vertices 4, 2 and 1 quads apart: rubble rolls some way. In
 * a sweep each pair of neighbours, eight to a vertex, whose difference exceeds the threshold passes
 * an eighth (across corners a sixteenth) of the excess from the upper to the lower one, all at
 * once. What one gives the other gets, so nothing is lost; and as less than the whole way goes
 * between a vertex and its neighbours, none rises above or sinks below them. After F. K. Musgrave
 * et al., The Synthesis and Rendering of Eroded Fractal Terrains, 1989. */
#include "terrain/edit/dab.h"

#include <math.h>

#include "terrain/base/angle.h"
#include "terrain/base/wide.h"
#include "terrain/edit/simulate.h"

enum { ITERATIONS_MOST = 100, AXIS_SHIFT = 3, CORNER_SHIFT = 4 };
static const int32_t strides[] = { 4, 2, 1 };
enum { SWEEPS = sizeof strides / sizeof *strides, REACH = 4 + 2 + 1 };

enum { UNIT_DEGREES, UNIT_METRES };
static const char *const units[] = { "degrees", "m", NULL };

struct erosion {
    struct where where;
    double threshold;
    int unit;
    int32_t iterations;
    double strength;
};

static const struct field rows[] = {
    FIELD(struct erosion, threshold, "", 0, 1e6,
          "The steepest slope that rubble rests on: degrees below 90, or metres of height a quad",
          .has_value = true, .value = 35),
    FIELD_AS(FIELD_CHOICE, struct erosion, unit, "What threshold counts", .words = units,
             .has_value = true, .value = UNIT_DEGREES),
    FIELD(struct erosion, iterations, "", 1, ITERATIONS_MOST,
          "How often what is too steep slides on; each reaches 7 quads further", .has_value = true,
          .value = 10),
    FIELD(struct erosion, strength, "", 0, 1, "Share of the way that a full force goes",
          .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

struct sliding {
    struct simulation simulation;
    int32_t iterations;
    double rest[3]; /* differences that do not slide, between vertices a quad apart: across, down
                       and across corners, in a plot's units */
};

/* Adds what comes in from each of `count` neighbours, or goes out to them. */
WIDE static void exchange(const int32_t *here, const int32_t *there, int32_t count, int32_t rest,
                          int shift, int32_t *sums)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t above = there[i] - here[i] - rest, below = here[i] - there[i] - rest;

        above = above > 0 ? above : 0;
        below = below > 0 ? below : 0;
        sums[i] += (above >> shift) - (below >> shift);
    }
}

/* The difference that does not slide over `stride` quads; more than any there is at most. */
static int32_t resting(double rest, int32_t stride)
{
    return rest * stride < 65536.0 * PLOT_ONE ? (int32_t)(rest * stride) : 65536 * PLOT_ONE;
}

/* One row of a sweep: columns [first, end) of row y, counted in the plot. */
static void sweep_row(const struct sliding *sliding, const struct plot *plot, int32_t stride,
                      int32_t y, int32_t first, int32_t end)
{
    int32_t width = plot->around.width, height = plot->around.height;
    int32_t *sums = plot->spare + (int64_t)y * width;

    for (int32_t x = first; x < end; x++)
        sums[x] = plot->heights[(int64_t)y * width + x];
    for (int n = 0; n < 9; n++) {
        int32_t across = (n % 3 - 1) * stride, down = (n / 3 - 1) * stride;
        int32_t from = first + across < 0 ? -across : first;
        int32_t to = end + across > width ? width - across : end;
        const int32_t *here = plot->heights + (int64_t)y * width + from;
        int kind = across && down ? 2 : across ? 0 : 1;

        if (n == 4 || y + down < 0 || y + down >= height || from >= to)
            continue;
        exchange(here, here + (int64_t)down * width + across, to - from,
                 resting(sliding->rest[kind], stride), kind == 2 ? CORNER_SHIFT : AXIS_SHIFT,
                 sums + from);
    }
}

/* A neighbour beyond what is known is beyond the landscape, as only what lies within reach of what
 * is wanted is worked out. */
static void sweep(const struct sliding *sliding, struct plot *plot, int32_t stride, int32_t reach)
{
    struct rect known = plot->around, right = plot_grown(plot, reach);
    int32_t *heights = plot->heights;

    for (int32_t y = right.y - known.y; y < right.y - known.y + right.height; y++)
        sweep_row(sliding, plot, stride, y, right.x - known.x, right.x - known.x + right.width);
    plot->heights = plot->spare;
    plot->spare = heights;
}

static void slide(const struct simulation *simulation, struct plot *plot)
{
    const struct sliding *sliding = (const struct sliding *)simulation;
    int32_t reach = simulation->reach;

    for (int32_t i = 0; i < sliding->iterations; i++) {
        for (int s = 0; s < SWEEPS; s++) {
            reach -= strides[s];
            sweep(sliding, plot, strides[s], reach);
        }
    }
}

/* What lies still between vertices a quad apart, each way. */
static void find_rest(const struct erosion *erosion, const struct grid *grid, double rest[3])
{
    double corner = sqrt(grid->scale[0] * grid->scale[0] + grid->scale[1] * grid->scale[1]);
    double rise = erosion->unit == UNIT_METRES
                      ? erosion->threshold
                      : angle_sin(erosion->threshold) / angle_cos(erosion->threshold);

    rise = grid_codes(grid, rise) * PLOT_ONE;
    rest[0] = erosion->unit == UNIT_METRES ? rise : rise * grid->scale[0];
    rest[1] = erosion->unit == UNIT_METRES ? rise : rise * grid->scale[1];
    rest[2] = erosion->unit == UNIT_METRES ? rise * sqrt(2) : rise * corner;
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct erosion *erosion = takes;
    struct sliding sliding = { .simulation = { .reach = erosion->iterations * REACH,
                                               .cost = erosion->iterations,
                                               .strength = erosion->strength,
                                               .run = slide },
                               .iterations = erosion->iterations };

    if (erosion->unit == UNIT_DEGREES && !(erosion->threshold < 90)) {
        fault_set(why, FAULT_INPUT, "a threshold of %g degrees is no slope; give less than 90",
                  erosion->threshold);
        return fault_at(why, "/threshold");
    }
    find_rest(erosion, view_grid(draft_view(draft)), sliding.rest);
    return simulation_apply(&sliding.simulation, draft, &erosion->where, why);
}

BRUSH_SHAPE(erosion, struct erosion, rows, -1);

const struct brush brush_erosion = {
    .name = "erosion",
    .summary = "Lets what is too steep slide down until it rests",
    .example = "{\"tool\":\"erosion\",\"path\":[[32,32]],\"radius\":25,\"threshold\":20,"
               "\"iterations\":8}",
    .takes = &brush_erosion_takes,
    .apply = apply,
};
