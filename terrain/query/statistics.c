#include "terrain/query/statistics.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "terrain/query/tally.h"

/* Strips are shared out to so many pieces of work at most, each with codes of its own. */
enum { WORKS_MOST = 32 };

struct work {
    struct tally tally;
    bool failed;
    struct fault why;
};

struct working {
    const struct region *region;
    _Atomic int64_t left; /* as in region.h */
    size_t count;
    struct work works[WORKS_MOST];
};

static void work_run(void *context, size_t i)
{
    struct working *working = context;
    struct work *work = &working->works[i];
    const size_t strips = (size_t)region_strips(working->region);

    for (size_t s = i * strips / working->count;
         !work->failed && s < (i + 1) * strips / working->count; s++)
        work->failed = !region_walk(working->region, (int32_t)s, &tally_visit, &work->tally,
                                    &working->left, &work->why);
}

static bool working_begin(struct working *working, const struct view *view,
                          const struct statistics_asked *asked, struct fault *why)
{
    for (size_t i = 0; i < working->count; i++) {
        struct tally *tally = &working->works[i].tally;

        tally_begin(tally, view, asked);
        tally->codes = asked->codes ? calloc(STATISTICS_CODES, sizeof *tally->codes) : NULL;
        if (asked->codes && !tally->codes)
            return fault_set(why, FAULT_MEMORY, "no memory to count the heights");
    }
    return true;
}

/* In codes. Around the whole number below the mean, sums of squares fit, modulo 2^64 as they are
 * taken, and nothing cancels. */
static double deviation(const struct tally *tally)
{
    const double count = (double)tally->vertices;
    const uint64_t vertices = (uint64_t)tally->vertices, middle = tally->sum / vertices;
    const uint64_t squares = tally->squares - 2 * middle * tally->sum + vertices * middle * middle;
    const double beyond = (double)(tally->sum - vertices * middle) / count;

    return sqrt(fmax((double)squares / count - beyond * beyond, 0));
}

/* In metres. */
static void told(const struct tally *tally, struct statistics *to)
{
    const struct grid *grid = view_grid(tally->view);
    const double quad = grid->scale[0] * grid->scale[1], code = grid->scale[2] / 128;
    const double count = (double)tally->vertices;

    to->vertices = tally->vertices;
    to->least = to->greatest = to->mean = to->deviation = NAN;
    if (tally->vertices > 0) {
        to->least = grid_metres(grid, tally->least.code);
        to->greatest = grid_metres(grid, tally->greatest.code);
        to->mean = grid_metres(grid, (double)tally->sum / count);
        to->deviation = deviation(tally) * code;
    }
    to->least_at[0] = tally->least.x;
    to->least_at[1] = tally->least.y;
    to->greatest_at[0] = tally->greatest.x;
    to->greatest_at[1] = tally->greatest.y;
    to->plan_area = ((double)tally->quads + tally->parts) * quad;
    to->surface_area = tally->surface * quad;
    to->above = tally->prism.above * quad * code;
    to->below = tally->prism.below * quad * code;
    to->area_above = tally->prism.area_above * quad;
    to->area_below = tally->prism.area_below * quad;
}

static bool join(const struct working *working, const struct view *view,
                 const struct statistics_asked *asked, struct statistics *to, struct fault *why)
{
    struct tally all;

    tally_begin(&all, view, asked);
    for (size_t i = 0; i < working->count; i++) {
        const struct work *work = &working->works[i];

        if (work->failed) {
            *why = work->why;
            return false;
        }
        tally_join(&all, &work->tally);
        for (int32_t code = 0; to->codes && code < STATISTICS_CODES; code++)
            to->codes[code] += work->tally.codes[code];
    }
    told(&all, to);
    return true;
}

bool statistics_of(const struct view *view, const struct region *region,
                   const struct statistics_asked *asked, const struct executor *executor,
                   struct statistics *statistics, struct fault *why)
{
    const size_t strips = (size_t)region_strips(region);
    struct working *working = calloc(1, sizeof *working);
    bool done = false;

    *statistics = (struct statistics){ 0 };
    if (asked->codes)
        statistics->codes = calloc(STATISTICS_CODES, sizeof *statistics->codes);
    if (!working || (asked->codes && !statistics->codes)) {
        fault_set(why, FAULT_MEMORY, "no memory for statistics");
        goto done;
    }
    working->region = region;
    atomic_init(&working->left, REGION_PIECES_MOST);
    working->count = strips < WORKS_MOST ? strips : WORKS_MOST;
    if (!working_begin(working, view, asked, why))
        goto done;
    executor_run(working->count > 1 ? executor : NULL, working->count, work_run, working);
    done = join(working, view, asked, statistics, why);

done:
    for (size_t i = 0; working && i < working->count; i++)
        free(working->works[i].tally.codes);
    free(working);
    if (!done)
        statistics_free(statistics);
    return done;
}

void statistics_free(struct statistics *statistics)
{
    free(statistics->codes);
    statistics->codes = NULL;
}

/* The code of the vertex at that place in their order. */
static int32_t code_at(const struct statistics *statistics, uint64_t place)
{
    uint64_t before = 0;
    int32_t code = 0;

    while (code < STATISTICS_CODES - 1 && before + statistics->codes[code] <= place)
        before += statistics->codes[code++];
    return code;
}

double statistics_percentile(const struct statistics *statistics, const struct grid *grid,
                             double percent)
{
    const double place = percent / 100 * (double)(statistics->vertices - 1);
    const uint64_t low = (uint64_t)fmax(place, 0);
    int32_t first, second;

    if (statistics->vertices == 0)
        return NAN;
    first = code_at(statistics, low);
    second = (int64_t)low + 1 < statistics->vertices ? code_at(statistics, low + 1) : first;
    return grid_metres(grid, first + (place - (double)low) * (second - first));
}

void statistics_bins(const struct statistics *statistics, const struct grid *grid, double from,
                     double to, size_t count, uint64_t *bins)
{
    const double width = (to - from) / (double)count, last = (double)count - 1;

    for (size_t i = 0; i < count; i++)
        bins[i] = 0;
    for (int32_t code = 0; code < STATISTICS_CODES; code++) {
        const double z = grid_metres(grid, code);
        double bin = width > 0 ? fmin(floor((z - from) / width), last) : 0;

        if (statistics->codes[code] == 0 || !(z >= from && z <= to))
            continue;
        /* a quotient may have been rounded over the end of a bin */
        while (bin > 0 && z < from + bin * width)
            bin--;
        while (width > 0 && bin < last && z >= from + (bin + 1) * width)
            bin++;
        bins[(size_t)bin] += statistics->codes[code];
    }
}
