#include "terrain/query/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 1 << 16, ALL = 255, UNSEEN = 254, NONE = -1, BAND = 32 };

const int8_t flow_steps[FLOW_WAYS][2] = { { 1, 0 },  { 1, 1 },   { 0, 1 },  { -1, 1 },
                                          { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 } };

struct tracing {
    const struct view *view;
    const struct flow *flow;
    uint8_t *links;              /* the ways that there are from a vertex, as bits */
    int64_t step[FLOW_WAYS];     /* through the window's arrays */
    double per_metre[FLOW_WAYS]; /* a step's share of a metre */
    bool fill, holes;
    int32_t first[LEVELS], last[LEVELS]; /* the flood's queue: a list a level, first in first out */
    int32_t *next;
};

/* Ways */

/* The quads around a vertex, as bits: north-west, north-east, south-west, south-east. */
static unsigned solid_around(const uint8_t *holes, int64_t stride)
{
    return (holes[0] == 0) | (holes[1] == 0) << 1 | (holes[stride] == 0) << 2 |
           (holes[stride + 1] == 0) << 3;
}

static uint8_t ways_over(unsigned solid)
{
    /* A side is there with one of the quads beside it. */
    static const uint8_t of_quad[4] = {
        1 << FLOW_WEST | 1 << FLOW_NORTH_WEST | 1 << FLOW_NORTH,
        1 << FLOW_NORTH | 1 << FLOW_NORTH_EAST | 1 << FLOW_EAST,
        1 << FLOW_SOUTH | 1 << FLOW_SOUTH_WEST | 1 << FLOW_WEST,
        1 << FLOW_EAST | 1 << FLOW_SOUTH_EAST | 1 << FLOW_SOUTH,
    };
    uint8_t ways = 0;

    for (int i = 0; i < 4; i++)
        ways |= solid >> i & 1 ? of_quad[i] : 0;
    return ways;
}

static uint8_t ways_within(struct rect over, int32_t i, int32_t j)
{
    unsigned quads = 15;

    quads &= i == 0 ? 10u : 15u;
    quads &= i == over.width - 1 ? 5u : 15u;
    quads &= j == 0 ? 12u : 15u;
    quads &= j == over.height - 1 ? 3u : 15u;
    /* of a window that is one row or column, what runs along it */
    return ways_over(quads) | (uint8_t)(i > 0 ? 1 << FLOW_WEST : 0) |
           (uint8_t)(i < over.width - 1 ? 1 << FLOW_EAST : 0) |
           (uint8_t)(j > 0 ? 1 << FLOW_NORTH : 0) |
           (uint8_t)(j < over.height - 1 ? 1 << FLOW_SOUTH : 0);
}

/* Rows of quads north and south of a row of vertices, one more than those; none beyond the
 * landscape. */
static void read_quads(const struct view *view, struct rect over, int32_t j, uint8_t *holes)
{
    const struct grid *grid = view_grid(view);
    const int64_t stride = over.width + 1;
    const struct rect there = { 0, 0, grid->columns - 1, grid->rows - 1 };
    const struct rect wanted = { over.x - 1, over.y + j - 1, over.width + 1, 2 };
    const struct rect part = rect_meet(wanted, there);

    memset(holes, 255, (size_t)stride * 2);
    if (!rect_empty(part))
        view_read_holes(view, part, holes + (part.y - wanted.y) * stride + part.x - wanted.x,
                        stride);
}

static bool links_find(struct tracing *tracing, struct fault *why)
{
    const struct rect over = tracing->flow->over;
    const int64_t stride = over.width + 1;
    uint8_t *holes = malloc((size_t)stride * 2);

    if (!holes)
        return fault_set(why, FAULT_MEMORY, "no memory for a row of %d quads", over.width);
    for (int32_t j = 0; j < over.height; j++) {
        uint8_t *links = tracing->links + (int64_t)j * over.width;
        uint8_t *directions = tracing->flow->directions + (int64_t)j * over.width;

        if (tracing->holes)
            read_quads(tracing->view, over, j, holes);
        for (int32_t i = 0; i < over.width; i++) {
            const unsigned solid = tracing->holes ? solid_around(holes + i, stride) : 15;
            const bool inside = i > 0 && j > 0 && i < over.width - 1 && j < over.height - 1;

            links[i] = inside && solid == 15 ? ALL : ways_over(solid) & ways_within(over, i, j);
            directions[i] = solid ? UNSEEN : FLOW_NO_GROUND;
        }
    }
    free(holes);
    return true;
}

/* The flood */

static void push(struct tracing *tracing, int64_t at, uint16_t level)
{
    tracing->next[at] = NONE;
    if (tracing->first[level] == NONE)
        tracing->first[level] = (int32_t)at;
    else
        tracing->next[tracing->last[level]] = (int32_t)at;
    tracing->last[level] = (int32_t)at;
}

static void seed(struct tracing *tracing)
{
    const struct flow *flow = tracing->flow;

    for (int64_t at = 0; at < rect_area(flow->over); at++)
        if (tracing->links[at] != ALL && flow->directions[at] != FLOW_NO_GROUND) {
            flow->directions[at] = FLOW_NOWHERE;
            push(tracing, at, flow->codes[at]);
        }
}

static void spread(struct tracing *tracing, int64_t from)
{
    const struct flow *flow = tracing->flow;
    const uint16_t level = flow->codes[from];

    for (int way = 0; way < FLOW_WAYS; way++) {
        const int64_t at = from + tracing->step[way];

        if (!(tracing->links[from] >> way & 1) || flow->directions[at] != UNSEEN)
            continue;
        flow->directions[at] = (uint8_t)(1 << (way + FLOW_WAYS / 2) % FLOW_WAYS);
        if (flow->codes[at] < level)
            flow->codes[at] = level;
        push(tracing, at, flow->codes[at]);
    }
}

/* The flood never comes to a level below the one where it is, so the levels are passed once. */
static void flood(struct tracing *tracing)
{
    for (int32_t level = 0; level < LEVELS; level++)
        tracing->first[level] = NONE;
    seed(tracing);
    for (int32_t level = 0; level < LEVELS; level++)
        while (tracing->first[level] != NONE) {
            const int32_t at = tracing->first[level];

            tracing->first[level] = tracing->next[at];
            spread(tracing, at);
        }
}

/* Directions */

static uint8_t steepest(const struct tracing *tracing, const uint16_t *codes, uint8_t links)
{
    uint8_t code = FLOW_NOWHERE;
    double most = 0;

    for (int way = 0; way < FLOW_WAYS; way++) {
        double fall;

        if (!(links >> way & 1))
            continue;
        fall = (*codes - codes[tracing->step[way]]) * tracing->per_metre[way];
        if (fall > most) {
            most = fall;
            code = (uint8_t)(1 << way);
        }
    }
    return code;
}

/* Where nothing falls, the flood's direction stays. */
static void direct(void *work, size_t band)
{
    const struct tracing *tracing = work;
    const struct flow *flow = tracing->flow;
    const int64_t first = (int64_t)band * BAND * flow->over.width;
    const int64_t past = first + (int64_t)BAND * flow->over.width;
    const int64_t end = past < rect_area(flow->over) ? past : rect_area(flow->over);

    for (int64_t at = first; at < end; at++) {
        uint8_t *direction = &flow->directions[at], code;

        if (*direction == FLOW_NO_GROUND)
            continue;
        code = steepest(tracing, flow->codes + at, tracing->links[at]);
        if (code != FLOW_NOWHERE || *direction == UNSEEN)
            *direction = code;
    }
}

static void measure(struct tracing *tracing)
{
    const double *scale = view_grid(tracing->view)->scale;

    for (int way = 0; way < FLOW_WAYS; way++) {
        const int8_t *step = flow_steps[way];

        tracing->step[way] = step[1] * (int64_t)tracing->flow->over.width + step[0];
        tracing->per_metre[way] = 1 / hypot(step[0] * scale[0], step[1] * scale[1]);
    }
}

static bool trace(struct tracing *tracing, const struct executor *executor, struct fault *why)
{
    const struct rect over = tracing->flow->over;

    measure(tracing);
    view_read_heights(tracing->view, over, tracing->flow->codes, over.width);
    if (!links_find(tracing, why))
        return false;
    if (tracing->fill)
        flood(tracing);
    executor_run(executor, (size_t)((over.height + BAND - 1) / BAND), direct, tracing);
    return true;
}

bool flow_trace(const struct view *view, struct rect over, const struct flow_options *options,
                const struct executor *executor, struct flow *flow, struct fault *why)
{
    const size_t count = (size_t)rect_area(over);
    struct tracing *tracing = malloc(sizeof *tracing);
    bool done = false;

    *flow = (struct flow){ over, malloc(count), malloc(count * sizeof *flow->codes) };
    if (!tracing) {
        flow_free(flow);
        return fault_set(why, FAULT_MEMORY, "no memory for the flow over %zu vertices", count);
    }
    tracing->view = view;
    tracing->flow = flow;
    tracing->fill = options->fill;
    tracing->holes = !options->ignore_holes && view->planes[PLANE_HOLES].root.summary.greatest > 0;
    tracing->links = malloc(count);
    tracing->next = options->fill ? malloc(count * sizeof *tracing->next) : NULL;
    if (count <= INT32_MAX && flow->directions && flow->codes && tracing->links &&
        (tracing->next || !options->fill))
        done = trace(tracing, executor, why);
    else
        fault_set(why, FAULT_MEMORY, "no memory for the flow over %zu vertices", count);
    free(tracing->links);
    free(tracing->next);
    free(tracing);
    if (!done)
        flow_free(flow);
    return done;
}

void flow_free(struct flow *flow)
{
    free(flow->directions);
    free(flow->codes);
    *flow = (struct flow){ 0 };
}

/* Accumulation */

enum { DONE = 255 };

/* The vertex behind a direction, or NONE. */
static int64_t downstream(const struct flow *flow, int64_t at)
{
    const uint8_t code = flow->directions[at];
    const int8_t *step;

    if (code == FLOW_NOWHERE || code == FLOW_NO_GROUND)
        return NONE;
    step = flow_steps[__builtin_ctz(code)];
    return at + step[1] * (int64_t)flow->over.width + step[0];
}

/* From a source down to where other water is still to come. */
static void run_down(const struct flow *flow, int64_t at, uint8_t *awaited, uint32_t *counts)
{
    for (;;) {
        const int64_t next = downstream(flow, at);

        awaited[at] = DONE;
        if (next == NONE)
            return;
        counts[next] += counts[at];
        if (--awaited[next] > 0)
            return;
        at = next;
    }
}

bool flow_accumulate(const struct flow *flow, uint32_t *counts, struct fault *why)
{
    const int64_t count = rect_area(flow->over);
    uint8_t *awaited = calloc((size_t)count, 1); /* how many of a vertex's neighbours drain to it */

    if (!awaited)
        return fault_set(why, FAULT_MEMORY, "no memory for the flow over %lld vertices",
                         (long long)count);
    for (int64_t at = 0; at < count; at++) {
        const int64_t next = downstream(flow, at);

        counts[at] = flow->directions[at] != FLOW_NO_GROUND;
        if (next != NONE)
            awaited[next]++;
    }
    for (int64_t at = 0; at < count; at++)
        if (awaited[at] == 0)
            run_down(flow, at, awaited, counts);
    free(awaited);
    return true;
}
