/* What flow and viewsheds cost a vertex, as ratios to reading the heights. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "terrain/edit/draft.h"
#include "terrain/query/collide.h"
#include "terrain/query/flow.h"
#include "terrain/query/viewshed.h"

/* Of this process: others do not count. */
static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

/* Hills of several sizes with some roughness, the same on every machine. */
static uint16_t hills(int32_t x, int32_t y)
{
    const uint32_t mixed = ((uint32_t)x * 2654435761u) ^ ((uint32_t)y * 2246822519u);
    double code = 32768;

    for (int octave = 0; octave < 6; octave++) {
        const double wave = 700.0 / (1 << octave);

        code += 6000.0 / (1 << octave) * sin(x / wave + octave) * cos(y / wave - 2 * octave);
    }
    return (uint16_t)(code + (mixed >> 13) % 48);
}

static struct view *landscape(int32_t components)
{
    const struct layout layout = { { components, components }, 1, 255 };
    struct settings *settings = settings_new(&layout);
    struct fault why;
    struct change change;
    struct view *flat = view_new(&settings, 1, 1, 32768), *view;
    const int32_t side = view_grid(flat)->columns;
    uint16_t *heights = malloc((size_t)side * (size_t)side * sizeof *heights);
    struct draft *draft = draft_new(flat, &why);

    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++)
            heights[(int64_t)y * side + x] = hills(x, y);
    if (!draft_write_heights(draft, view_rect(flat), heights, side, &why))
        exit(1);
    view = draft_finish(draft, &change, &why);
    free(heights);
    draft_free(draft);
    view_drop(flat);
    return view;
}

static double reading(const struct view *view, uint16_t *heights)
{
    const double begun = now();

    for (int i = 0; i < 5; i++)
        view_read_heights(view, view_rect(view), heights, view_rect(view).width);
    return (now() - begun) / 5;
}

static void row(const char *what, double seconds, double floor_seconds, int64_t count)
{
    printf("%-28s %8.2f ns a vertex, %7.1f x reading\n", what, seconds * 1e9 / (double)count,
           seconds / floor_seconds);
}

static void flows(const struct view *view, double floor_seconds)
{
    const int64_t count = rect_area(view_rect(view));
    uint32_t *counts = malloc((size_t)count * sizeof *counts);
    struct fault why;

    for (int fill = 0; fill < 2; fill++) {
        struct flow flow;
        double begun = now();

        if (!flow_trace(view, view_rect(view), &(struct flow_options){ .fill = fill }, NULL, &flow,
                        &why))
            exit(1);
        row(fill ? "directions, filled" : "directions", now() - begun, floor_seconds, count);
        begun = now();
        if (!flow_accumulate(&flow, counts, &why))
            exit(1);
        row("accumulation", now() - begun, floor_seconds, count);
        flow_free(&flow);
    }
    free(counts);
}

static void sights(const struct view *view, double floor_seconds)
{
    const int64_t count = rect_area(view_rect(view));
    const double middle = (view_grid(view)->columns - 1) / 2.0 + 0.3;
    static const double lifts[] = { 1.7, 60, 400 };
    struct fault why;

    for (size_t i = 0; i < sizeof lifts / sizeof lifts[0]; i++)
        for (int heights = 0; heights < 2; heights++) {
            const struct viewshed_options options = { .radius = INFINITY, .heights = heights };
            double eye[3] = { middle, middle, 0 }, begun;
            struct viewshed viewshed;
            char what[60];

            collide_height(view, middle, middle, &eye[2], NULL);
            eye[2] += lifts[i];
            begun = now();
            if (!viewshed_see(view, eye, view_rect(view), &options, NULL, &viewshed, &why))
                exit(1);
            snprintf(what, sizeof what, "%s from %g m, %.0f %%", heights ? "lacks" : "seen",
                     lifts[i], 100.0 * (double)viewshed.count / (double)count);
            row(what, now() - begun, floor_seconds, count);
            viewshed_free(&viewshed);
        }
}

int main(void)
{
    static const int32_t components[] = { 2, 4, 8 };

    setvbuf(stdout, NULL, _IOLBF, 0);

    for (size_t i = 0; i < sizeof components / sizeof components[0]; i++) {
        struct view *view = landscape(components[i]);
        const int64_t count = rect_area(view_rect(view));
        uint16_t *heights = malloc((size_t)count * sizeof *heights);
        double floor_seconds = reading(view, heights);

        printf("%d x %d vertices\n", view_rect(view).width, view_rect(view).height);
        row("reading", floor_seconds, floor_seconds, count);
        flows(view, floor_seconds);
        sights(view, floor_seconds);
        free(heights);
        view_drop(view);
    }
    return 0;
}
