/* Flow against a naive one: steps looked up quad by quad, floods by relaxation, water followed
 * vertex by vertex. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/flow.h"
#include "tests/terrain/ground.h"

enum { SIDE = 24, ROUNDS = 120 };

/* Random ground of a few heights, or of many, with holes, at a scale that is not square. */
static struct view *lumps(struct dice *dice, int32_t kinds, int holes)
{
    const uint8_t hole = 255;
    uint16_t heights[SIDE * SIDE];
    struct view *view;
    struct draft *draft;
    struct change change;
    struct fault why;

    for (int i = 0; i < SIDE * SIDE; i++)
        heights[i] = (uint16_t)(30000 + 16 * dice_between(dice, 0, kinds));
    view = ground_of(SIDE, SIDE, heights);
    draft = draft_new(view, &why);
    for (int i = 0; i < holes; i++) {
        const struct rect at = { dice_between(dice, 0, SIDE - 2), dice_between(dice, 0, SIDE - 2),
                                 1, 1 };

        assert_true(draft_write_holes(draft, at, &hole, 1, &why));
    }
    view = ground_finish(draft, view, &change);
    view->settings->grid.scale[0] = dice_real(dice, 0.5, 3);
    view->settings->grid.scale[1] = dice_real(dice, 0.5, 3);
    view->settings->grid.scale[2] = dice_real(dice, 0.5, 3);
    return view;
}

struct naive {
    const struct view *view;
    struct rect over;
    bool ignore_holes;
    double *metres; /* raised, when filled */
};

static bool solid(const struct naive *naive, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < SIDE - 1 && y < SIDE - 1 &&
           (naive->ignore_holes || !view_hole(naive->view, x, y));
}

static bool ground(const struct naive *naive, int32_t x, int32_t y)
{
    return solid(naive, x, y) || solid(naive, x - 1, y) || solid(naive, x, y - 1) ||
           solid(naive, x - 1, y - 1);
}

static const int32_t steps[8][2] = { { 1, 0 },  { 1, 1 },   { 0, 1 },  { -1, 1 },
                                     { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 } };

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool may_step(const struct naive *naive, int32_t x, int32_t y, int way)
{
    const struct rect over = naive->over;
    const int32_t x2 = x + steps[way][0], y2 = y + steps[way][1];

    if (x2 < over.x || y2 < over.y || x2 >= over.x + over.width || y2 >= over.y + over.height)
        return false;
    if (x == x2)
        return solid(naive, x, least(y, y2)) || solid(naive, x - 1, least(y, y2));
    if (y == y2)
        return solid(naive, least(x, x2), y) || solid(naive, least(x, x2), y - 1);
    return solid(naive, least(x, x2), least(y, y2));
}

/* An outlet has not all eight neighbours. */
static bool rim(const struct naive *naive, int32_t x, int32_t y)
{
    for (int way = 0; way < 8; way++)
        if (!may_step(naive, x, y, way))
            return true;
    return false;
}

static double *at_of(const struct naive *naive, int32_t x, int32_t y)
{
    return &naive->metres[(y - naive->over.y) * naive->over.width + x - naive->over.x];
}

#define EACH(naive, x, y)                                                                          \
    for (int32_t y = (naive)->over.y; y < (naive)->over.y + (naive)->over.height; y++)             \
        for (int32_t x = (naive)->over.x; x < (naive)->over.x + (naive)->over.width; x++)

static double height(const struct naive *naive, int32_t x, int32_t y)
{
    return grid_metres(view_grid(naive->view), view_height(naive->view, x, y));
}

/* The lowest heights such that each vertex is a rim or no lower than some neighbour's. */
static void relax(const struct naive *naive)
{
    bool moved = true;

    EACH(naive, x, y)
    *at_of(naive, x, y) = rim(naive, x, y) ? height(naive, x, y) : INFINITY;
    while (moved) {
        moved = false;
        EACH(naive, x, y)
        for (int way = 0; way < 8; way++) {
            double beside;

            if (!may_step(naive, x, y, way))
                continue;
            beside = fmax(height(naive, x, y), *at_of(naive, x + steps[way][0], y + steps[way][1]));
            if (beside < *at_of(naive, x, y)) {
                *at_of(naive, x, y) = beside;
                moved = true;
            }
        }
    }
}

/* The steepest fall, as whole numbers of heights over a distance. */
static int fall(const struct naive *naive, int32_t x, int32_t y)
{
    const double *scale = view_grid(naive->view)->scale;
    double most = 0;
    int code = 0;

    for (int way = 0; way < 8; way++) {
        double slope;

        if (!may_step(naive, x, y, way))
            continue;
        slope = (*at_of(naive, x, y) - *at_of(naive, x + steps[way][0], y + steps[way][1])) /
                hypot(steps[way][0] * scale[0], steps[way][1] * scale[1]);
        if (slope > most * (1 + 1e-12)) {
            most = slope;
            code = 1 << way;
        }
    }
    return code;
}

static int way_of(int code)
{
    for (int way = 0; way < 8; way++)
        if (code == 1 << way)
            return way;
    fail_msg("%d is no direction", code);
    return 0;
}

/* From each vertex to its outlet, counting at each that is passed. */
static void follow(const struct naive *naive, const struct flow *flow, uint32_t *counts)
{
    const struct rect over = naive->over;

    EACH(naive, x, y)
    {
        int32_t at[2] = { x, y };

        for (int64_t taken = 0;; taken++) {
            const int64_t index = (int64_t)(at[1] - over.y) * over.width + at[0] - over.x;
            const int code = flow->directions[index];

            if (code == FLOW_NO_GROUND)
                break;
            counts[index]++;
            if (code == 0)
                break;
            assert_true(taken < rect_area(over)); /* no cycles */
            assert_true(may_step(naive, at[0], at[1], way_of(code)));
            at[0] += steps[way_of(code)][0];
            at[1] += steps[way_of(code)][1];
        }
    }
}

static void check_vertex(const struct naive *naive, const struct flow *flow, bool fill, int32_t x,
                         int32_t y)
{
    const struct rect over = naive->over;
    const int64_t index = (int64_t)(y - over.y) * over.width + x - over.x;
    const int code = flow->directions[index], wanted = fall(naive, x, y);

    if (!ground(naive, x, y)) {
        assert_int_equal(code, FLOW_NO_GROUND);
        return;
    }
    assert_true(
        fabs(grid_metres(view_grid(naive->view), flow->codes[index]) - *at_of(naive, x, y)) < 1e-9);
    if (wanted != 0 || !fill) {
        assert_int_equal(code, wanted);
        return;
    }
    /* Level: to a neighbour as high, or out. */
    if (code == 0)
        assert_true(rim(naive, x, y));
    else
        assert_true(*at_of(naive, x + steps[way_of(code)][0], y + steps[way_of(code)][1]) ==
                    *at_of(naive, x, y));
}

static void check(const struct view *view, struct rect over, const struct flow_options *options)
{
    const size_t count = (size_t)rect_area(over);
    struct naive naive = { view, over, options->ignore_holes, calloc(count, sizeof(double)) };
    uint32_t *counts = calloc(count, sizeof *counts), *followed = calloc(count, sizeof *followed);
    struct flow flow;
    struct fault why;

    assert_true(flow_trace(view, over, options, NULL, &flow, &why));
    assert_true(flow_accumulate(&flow, counts, &why));
    if (options->fill)
        relax(&naive);
    else
        EACH(&naive, x, y)
    *at_of(&naive, x, y) = height(&naive, x, y);
    EACH(&naive, x, y)
    check_vertex(&naive, &flow, options->fill, x, y);
    follow(&naive, &flow, followed);
    assert_memory_equal(counts, followed, count * sizeof *counts);
    flow_free(&flow);
    free(naive.metres);
    free(counts);
    free(followed);
}

static void it_is_the_naive_flow(void **state)
{
    struct dice dice = { 5 };

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct view *view = lumps(&dice,
                                  round % 3 == 0   ? 2
                                  : round % 3 == 1 ? 12
                                                   : 2000,
                                  round % 4 * 20);
        const struct rect over = round % 2 ? dice_rect(&dice, SIDE, SIDE, SIDE) : view_rect(view);

        for (int options = 0; options < 4; options++)
            check(view, over, &(struct flow_options){ options & 1, options & 2 });
        view_drop(view);
    }
}

/* Every vertex that is ground leaves through an outlet, once. */
static void what_falls_comes_out(void **state)
{
    struct dice dice = { 6 };

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct view *view = lumps(&dice, 5, 30);
        uint32_t counts[SIDE * SIDE];
        struct flow flow;
        struct fault why;
        uint64_t out = 0, there = 0;

        assert_true(flow_trace(view, view_rect(view), &(struct flow_options){ .fill = true }, NULL,
                               &flow, &why));
        assert_true(flow_accumulate(&flow, counts, &why));
        for (int i = 0; i < SIDE * SIDE; i++) {
            out += flow.directions[i] == 0 ? counts[i] : 0;
            there += flow.directions[i] != FLOW_NO_GROUND;
        }
        assert_true(out == there && there > 0);
        flow_free(&flow);
        view_drop(view);
    }
}

static struct flow traced(const struct view *view, bool fill)
{
    struct flow flow;
    struct fault why;

    assert_true(flow_trace(view, view_rect(view), &(struct flow_options){ .fill = fill }, NULL,
                           &flow, &why));
    return flow;
}

/* A plane falls to one side only, and each row carries its own water. */
static void a_plane_drains_in_rows(void **state)
{
    uint16_t heights[SIDE * SIDE];
    uint32_t counts[SIDE * SIDE];
    struct fault why;
    struct view *view;
    struct flow flow;

    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        heights[i] = (uint16_t)(30000 + 10 * (i % SIDE));
    view = ground_of(SIDE, SIDE, heights);
    flow = traced(view, true);
    assert_true(flow_accumulate(&flow, counts, &why));
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_int_equal(flow.directions[i], i % SIDE ? 1 << FLOW_WEST : FLOW_NOWHERE);
        assert_int_equal(counts[i], SIDE - i % SIDE);
    }
    flow_free(&flow);
    view_drop(view);
}

/* Into a funnel with no way out, and out of it once it is filled. */
static void a_pit_keeps_its_water_unless_filled(void **state)
{
    enum { N = 21, MIDDLE = N / 2 };
    uint16_t heights[N * N];
    uint32_t counts[N * N];
    struct fault why;
    struct view *view;
    struct flow flow;

    (void)state;
    for (int i = 0; i < N * N; i++)
        heights[i] = (uint16_t)lround(20000 + 100 * hypot(i % N - MIDDLE, i / N - MIDDLE));
    view = ground_of(N, N, heights);
    flow = traced(view, false);
    assert_true(flow_accumulate(&flow, counts, &why));
    assert_int_equal(counts[MIDDLE * N + MIDDLE], N * N);
    assert_int_equal(flow.directions[MIDDLE * N + MIDDLE], FLOW_NOWHERE);
    for (int i = 0; i < N; i++) {
        if (i < MIDDLE)
            assert_int_equal(flow.directions[i * N + i], 1 << FLOW_SOUTH_EAST);
        if (i > MIDDLE)
            assert_int_equal(flow.directions[MIDDLE * N + i], 1 << FLOW_WEST);
    }
    flow_free(&flow);
    flow = traced(view, true);
    /* The lowest ways out are the middles of the four sides. */
    assert_int_equal(flow.codes[MIDDLE * N + MIDDLE], heights[MIDDLE]);
    flow_free(&flow);
    view_drop(view);
}

/* Ties go to the least code. */
static void a_saddle_on_a_pole_drains_east(void **state)
{
    const uint16_t heights[9] = { 100, 50, 100, 50, 200, 50, 100, 50, 100 };
    struct view *view = ground_of(3, 3, heights);
    struct flow flow = traced(view, false);

    (void)state;
    assert_int_equal(flow.directions[4], 1 << FLOW_EAST);
    flow_free(&flow);
    view_drop(view);
}

/* Heights twice as far apart, or all three scales at once, change no direction. */
static void scale_does_not_turn_the_water(void **state)
{
    struct dice dice = { 7 };

    (void)state;
    for (int round = 0; round < 20; round++) {
        struct view *view = lumps(&dice, 50, 5);
        double *scale = view->settings->grid.scale;
        struct flow first = traced(view, true), second;

        scale[2] *= 8;
        second = traced(view, true);
        assert_memory_equal(first.directions, second.directions, SIDE * SIDE);
        flow_free(&second);
        scale[0] *= 4;
        scale[1] *= 4;
        second = traced(view, true);
        assert_memory_equal(first.directions, second.directions, SIDE * SIDE);
        flow_free(&second);
        flow_free(&first);
        view_drop(view);
    }
}

static void backwards(const struct executor *self, size_t count, void (*piece)(void *, size_t),
                      void *work)
{
    (void)self;
    while (count-- > 0)
        piece(work, count);
}

static void the_order_of_work_does_not_matter(void **state)
{
    const struct executor executor = { backwards };
    struct view *view = ground_rough(300, 200, 3);
    struct flow first = traced(view, true), second;
    struct fault why;

    (void)state;
    assert_true(flow_trace(view, view_rect(view), &(struct flow_options){ .fill = true }, &executor,
                           &second, &why));
    assert_memory_equal(first.directions, second.directions, 300 * 200);
    flow_free(&first);
    flow_free(&second);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_naive_flow),
        cmocka_unit_test(what_falls_comes_out),
        cmocka_unit_test(a_plane_drains_in_rows),
        cmocka_unit_test(a_pit_keeps_its_water_unless_filled),
        cmocka_unit_test(a_saddle_on_a_pole_drains_east),
        cmocka_unit_test(scale_does_not_turn_the_water),
        cmocka_unit_test(the_order_of_work_does_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
