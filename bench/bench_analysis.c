/* What is asked of a region, beside reading the same bytes: statistics by summaries, by vertices,
 * by triangles, by planes; cut and fill; slope, aspect and curvature. One core, best of some
 * rounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/client.h"
#include "terrain/edit/draft.h"
#include "terrain/query/earthwork.h"
#include "terrain/query/landform.h"
#include "terrain/query/statistics.h"

enum { ROUNDS = 5, COMPONENTS = 32, QUADS = 127, SIDE = COMPONENTS * QUADS + 1 };

static void demand_true(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "bench_analysis: %s\n", why->detail);
    exit(1);
}

static struct view *finish(struct draft *draft)
{
    struct fault why = { 0 };
    struct change change;
    struct view *view = draft_finish(draft, &change, &why);

    demand_true(view != NULL, &why);
    draft_free(draft);
    return view;
}

/* Rolling hills with some roughness. */
static struct view *hills(void)
{
    struct layout layout = { { COMPONENTS, COMPONENTS }, 1, QUADS };
    struct settings *settings = settings_new(&layout);
    struct view *flat = view_new(&settings, 0, 1, 32768), *view;
    uint16_t *row = malloc(SIDE * sizeof *row);
    struct fault why = { 0 };
    struct draft *draft = draft_new(flat, &why);
    uint32_t noise = 1;

    demand_true(draft != NULL, &why);
    for (int32_t y = 0; y < SIDE; y++) {
        for (int32_t x = 0; x < SIDE; x++) {
            noise = noise * 1664525u + 1013904223u;
            row[x] = (uint16_t)(32768 + 9000 * sin(x * 0.01) * cos(y * 0.013) + (noise >> 26));
        }
        demand_true(draft_write_heights(draft, (struct rect){ 0, y, SIDE, 1 }, row, SIDE, &why),
                    &why);
    }
    free(row);
    view = finish(draft);
    view_drop(flat);
    return view;
}

static struct view *edited(const struct view *view, int32_t side)
{
    uint16_t *codes = malloc((size_t)side * (size_t)side * sizeof *codes);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);

    for (int32_t i = 0; i < side * side; i++)
        codes[i] = (uint16_t)(30000 + i % 4999);
    demand_true(draft && draft_write_heights(draft, (struct rect){ 700, 700, side, side }, codes,
                                             side, &why),
                &why);
    free(codes);
    return finish(draft);
}

struct job {
    const struct view *view, *other;
    const struct region *region;
    struct statistics_asked asked;
    enum landform what;
    uint16_t *room;
};

static void read_all(struct job *job)
{
    view_read_heights(job->view, view_rect(job->view), job->room, SIDE);
}

static void measure(struct job *job)
{
    struct statistics statistics;
    struct fault why = { 0 };

    demand_true(statistics_of(job->view, job->region, &job->asked, NULL, &statistics, &why), &why);
    statistics_free(&statistics);
}

static void move(struct job *job)
{
    struct earthwork earthwork;
    struct fault why = { 0 };

    demand_true(earthwork_of(job->view, job->other, job->region, false, NULL, &earthwork, &why),
                &why);
}

static void form(struct job *job)
{
    static double codes[3][130], values[128];

    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x += 128) {
            const int32_t count = SIDE - x < 128 ? SIDE - x : 128;

            landform_read(job->view, (struct rect){ x - 1, y - 1, count + 2, 3 }, codes[0], 130);
            landform_row(job->what, view_grid(job->view), codes[0], codes[1], codes[2], count,
                         values);
        }
}

static double floor_seconds;

static void row(const char *what, void (*run)(struct job *job), struct job *job)
{
    double best = INFINITY;

    for (int i = 0; i < ROUNDS; i++) {
        const double began = seconds();

        run(job);
        best = fmin(best, seconds() - began);
    }
    if (floor_seconds == 0)
        floor_seconds = best;
    printf("%-44s %8.3f ns a vertex  %7.2f of reading\n", what, best / SIDE / SIDE * 1e9,
           best / floor_seconds);
}

int main(void)
{
    struct view *view = hills(), *near = edited(view, 129), *far = edited(view, 3000);
    const double ring[6][2] = { { 10.5, 20.25 },   { 3990.5, 100 }, { 4000, 3970.75 },
                                { 2000.25, 1500 }, { 900, 4010.5 }, { 30, 2000 } };
    struct region all = region_rect(view_rect(view)), polygon;
    struct fault why = { 0 };
    struct job job = { .view = view,
                       .region = &all,
                       .room = malloc(sizeof(uint16_t) * SIDE * SIDE) };

    demand_true(region_polygon(view, ring, 6, &polygon, &why), &why);
    memset(job.room, 0, sizeof(uint16_t) * SIDE * SIDE);
    row("reading", read_all, &job);
    row("least, greatest, mean", measure, &job);
    job.asked.deviation = true;
    row("and deviation", measure, &job);
    job.asked.codes = true;
    row("and percentiles", measure, &job);
    job.asked = (struct statistics_asked){ .surface_area = true };
    row("surface area", measure, &job);
    job.asked = (struct statistics_asked){ .volumes = true, .plane = { 20, 0, 0 } };
    row("volumes, level plane", measure, &job);
    job.asked.plane[1] = 0.01;
    row("volumes, tilted plane", measure, &job);
    job.asked = (struct statistics_asked){ true, true, true, true, { 20, 0, 0 }, false };
    row("all of it", measure, &job);
    job.region = &polygon;
    row("all of it, in a polygon of 0.6 of that", measure, &job);
    job.region = &all;
    job.other = near;
    row("cut and fill, 129 x 129 changed", move, &job);
    job.other = far;
    row("cut and fill, 3000 x 3000 changed", move, &job);
    for (job.what = 0; job.what < LANDFORMS; job.what++)
        row((const char *[]){ "slope", "aspect", "plan curvature", "profile curvature",
                              "mean curvature" }[job.what],
            form, &job);
    free(job.room);
    region_fini(&polygon);
    view_drop(far);
    view_drop(near);
    view_drop(view);
    return 0;
}
