/* What sphere sweeps, box overlaps and nearest places cost beside a lookup of a point's height, on
 * a small and a large landscape: CPU time of one thread, the median of several rounds. The cost
 * should follow the shape, so the last columns should be near 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "terrain/edit/draft.h"
#include "terrain/query/collide.h"
#include "terrain/query/nearest.h"
#include "terrain/query/overlap.h"
#include "terrain/query/sweep.h"

enum { ROUNDS = 7, ITEMS = 20000, SHAPES = 5 };

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void check(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "%s\n", why->detail);
    exit(1);
}

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

/* Hills with grain, a metre a step, of side vertices or a little fewer. */
static struct view *hills(int32_t side)
{
    const int32_t components = side / 126;
    const struct layout layout = { { components, components }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    const int32_t columns = settings->grid.columns;
    uint16_t *row = malloc((size_t)columns * sizeof *row);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft;
    struct view *flat, *view;

    flat = view_new(&settings, (uint64_t)components, 1, 0);
    draft = draft_new(flat, &why);
    for (int32_t y = 0; y < columns; y++) {
        for (int32_t x = 0; x < columns; x++) {
            const uint32_t grain = (uint32_t)(x * 7919 + y * 104729) * 2654435761u >> 28;

            row[x] = (uint16_t)(32768 + 5000 * sin(x * 0.011) * cos(y * 0.017) +
                                500 * sin(x * 0.07 + y * 0.05) + grain);
        }
        check(draft_write_heights(draft, (struct rect){ 0, y, columns, 1 }, row, columns, &why),
              &why);
    }
    view = draft_finish(draft, &change, &why);
    check(view != NULL, &why);
    draft_free(draft);
    view_drop(flat);
    free(row);
    return view;
}

static uint32_t seed = 1;
static double random_between(double least, double greatest)
{
    seed = seed * 1664525u + 1013904223u;
    return least + (greatest - least) * (seed >> 8) / 16777216.0;
}

/* Everything that is asked of a landscape. */
struct asked {
    const struct view *view;
    double points[ITEMS][2], beside[ITEMS][3];
    struct sweep falls[ITEMS], flights[ITEMS];
    struct overlap_box boxes[ITEMS], turned[ITEMS];
};

static void make(const struct view *view, struct asked *asked)
{
    const double side = view_grid(view)->columns - 1;

    asked->view = view;
    for (int i = 0; i < ITEMS; i++) {
        const double x = random_between(40, side - 40), y = random_between(40, side - 40);
        const double angle = random_between(0, 6.28), half[3] = { 2, 1, 1 };
        double z = 0;

        collide_height(view, x, y, &z, NULL);
        asked->points[i][0] = x;
        asked->points[i][1] = y;
        asked->beside[i][0] = x;
        asked->beside[i][1] = y;
        asked->beside[i][2] = z + random_between(0, 5);
        asked->falls[i] = (struct sweep){ { x, y, z + 4 }, { x, y, z - 4 }, 0.5 };
        asked->flights[i] = (struct sweep){ { x, y, z + 10 },
                                            { x + 30 * cos(angle), y + 30 * sin(angle), z - 10 },
                                            0.5 };
        overlap_box_between(view, (const double[3]){ x, y, z + 1 },
                            (const double[3]){ x + 2, y + 2, z + 3 }, &asked->boxes[i]);
        overlap_box_turned((const double[3]){ x, y, z + 1.5 }, half,
                           (const double[4]){ sin(angle), 0.2, cos(angle), 1 }, &asked->turned[i]);
    }
}

static const char *const names[SHAPES] = { "sphere falls 8 m", "sphere flies 36 m", "box of 2 m",
                                           "turned box", "nearest within 5 m" };

static void answer(const struct asked *asked, int shape)
{
    static struct touch touches[ITEMS];
    static struct overlap overlaps[ITEMS];
    static struct nearest places[ITEMS];
    const struct shape_ways ways = { 0 };
    struct fault why = { 0 };

    if (shape < 2)
        check(sweep_spheres(asked->view, shape ? asked->flights : asked->falls, ITEMS, &ways,
                            touches, NULL, &why),
              &why);
    else if (shape < 4)
        check(overlap_boxes(asked->view, shape == 3 ? asked->turned : asked->boxes, ITEMS, &ways,
                            overlaps, NULL, &why),
              &why);
    else
        check(
            nearest_places(asked->view, asked->beside, ITEMS, INFINITY, &ways, places, NULL, &why),
            &why);
}

/* The floor: one point after the other. */
static void look_up(const struct asked *asked)
{
    volatile double sink = 0;

    for (int i = 0; i < ITEMS; i++) {
        double z = 0;

        collide_height(asked->view, asked->points[i][0], asked->points[i][1], &z, NULL);
        sink = sink + z;
    }
}

/* Nanoseconds an item; shape -1 is the floor. */
static double cost(const struct asked *asked, int shape)
{
    double times[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        const double start = cpu_seconds();

        if (shape < 0)
            look_up(asked);
        else
            answer(asked, shape);
        times[round] = (cpu_seconds() - start) / ITEMS * 1e9;
    }
    qsort(times, ROUNDS, sizeof *times, by_size);
    return times[ROUNDS / 2];
}

int main(void)
{
    static const int32_t sides[2] = { 1025, 4097 };
    struct asked *asked = malloc(sizeof *asked);
    double times[2][SHAPES + 1];

    if (!asked)
        return 1;
    for (int size = 0; size < 2; size++) {
        struct view *view = hills(sides[size]);

        make(view, asked);
        for (int shape = -1; shape < SHAPES; shape++)
            times[size][shape + 1] = cost(asked, shape);
        view_drop(view);
    }
    printf("%-20s %8s %8s %8s %8s %10s\n", "ns an item", "1025", "lookups", "4097", "lookups",
           "4097:1025");
    printf("%-20s %8.0f %8s %8.0f %8s %10.2f\n", "a point's height", times[0][0], "1", times[1][0],
           "1", times[1][0] / times[0][0]);
    for (int shape = 0; shape < SHAPES; shape++)
        printf("%-20s %8.0f %8.1f %8.0f %8.1f %10.2f\n", names[shape], times[0][shape + 1],
               times[0][shape + 1] / times[0][0], times[1][shape + 1],
               times[1][shape + 1] / times[1][0], times[1][shape + 1] / times[0][shape + 1]);
    free(asked);
    return 0;
}
