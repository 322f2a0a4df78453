/* Contour lines against a recount of every side of every triangle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "terrain/query/contour.h"
#include "tests/terrain/ground.h"

enum { SIDE = 22, ROUNDS = 40 };

/* A few heights only, so that many lie on levels exactly. */
static struct view *steps(struct dice *dice, int32_t kinds)
{
    uint16_t heights[SIDE * SIDE];
    struct view *view;
    struct draft *draft;
    struct change change;
    struct fault why;

    for (int i = 0; i < SIDE * SIDE; i++)
        heights[i] = (uint16_t)(32768 + 64 * dice_between(dice, 0, kinds));
    view = ground_of(SIDE, SIDE, heights);
    draft = draft_new(view, &why);
    for (int i = 0; i < 12; i++) {
        const struct rect at = { dice_between(dice, 0, SIDE - 2), dice_between(dice, 0, SIDE - 2),
                                 1, 1 };
        const uint8_t hole = 255;

        assert_true(draft_write_holes(draft, at, &hole, 1, &why));
    }
    return ground_finish(draft, view, &change);
}

static bool solid(const struct view *view, struct rect over, int32_t x, int32_t y)
{
    return x >= over.x && y >= over.y && x < over.x + over.width - 1 &&
           y < over.y + over.height - 1 && !view_hole(view, x, y);
}

/* How many of the triangles beside a side are there. */
static int beside(const struct view *view, struct rect over, int32_t x, int32_t y, int side)
{
    return side == 0   ? solid(view, over, x, y) + solid(view, over, x, y - 1)
           : side == 1 ? solid(view, over, x, y) + solid(view, over, x - 1, y)
                       : 2 * solid(view, over, x, y);
}

static const int32_t ways[3][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 } };

/* Sides that levels cross and that belong to a triangle, level by level, and how many of them end
 * a line. */
static size_t recount(const struct view *view, struct rect over, double interval, double base,
                      size_t *ends)
{
    const struct grid *grid = view_grid(view);
    size_t count = 0;

    *ends = 0;
    for (int n = -2000; n <= 2000; n++) {
        const double level = base + n * interval;

        if (level < grid_metres(grid, 0) || level > grid_metres(grid, 65535))
            continue;
        for (int32_t y = over.y; y < over.y + over.height; y++)
            for (int32_t x = over.x; x < over.x + over.width; x++)
                for (int side = 0; side < 3; side++) {
                    const int32_t x2 = x + ways[side][0], y2 = y + ways[side][1];

                    if (x2 >= over.x + over.width || y2 >= over.y + over.height)
                        continue;
                    if ((grid_metres(grid, view_height(view, x, y)) >= level) ==
                        (grid_metres(grid, view_height(view, x2, y2)) >= level))
                        continue;
                    count += beside(view, over, x, y, side) > 0;
                    *ends += beside(view, over, x, y, side) == 1;
                }
    }
    return count;
}

/* Twice the area that a point spans with a segment: above 0 on its left, north up. */
static double left_of(const double a[2], const double b[2], const double p[2])
{
    return -((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]));
}

static bool cross(double (*a)[2], double (*b)[2])
{
    return left_of(a[0], a[1], b[0]) * left_of(a[0], a[1], b[1]) < -1e-18 &&
           left_of(b[0], b[1], a[0]) * left_of(b[0], b[1], a[1]) < -1e-18;
}

static bool is_vertex(const double at[2])
{
    return at[0] == floor(at[0]) && at[1] == floor(at[1]);
}

struct segments {
    double (*ends)[2][2];
    size_t count;
};

static void line_check(const struct view *view, const struct contours *contours,
                       const struct contour_line *line, struct segments *segments)
{
    const double(*points)[2] = (const double(*)[2])(contours->points + line->first);

    assert_true(line->count >= 2);
    for (size_t i = 0; i < line->count; i++) {
        double z;

        assert_true(collide_height(view, points[i][0], points[i][1], &z, NULL));
        if (!(fabs(z - line->elevation) < 1e-9))
            fail_msg("%.17g m at a line of %.17g m", z, line->elevation);
    }
    for (size_t i = 0; i + 1 < line->count + line->closed; i++) {
        const double *a = points[i], *b = points[(i + 1) % line->count];
        double middle[2] = { (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 }, z;
        const double length = hypot(b[0] - a[0], b[1] - a[1]);

        assert_true(fabs(b[0] - a[0]) <= 1 && fabs(b[1] - a[1]) <= 1); /* within one triangle */
        memcpy(segments->ends[segments->count][0], a, sizeof middle);
        memcpy(segments->ends[segments->count++][1], b, sizeof middle);
        if (length < 1e-3 || (is_vertex(a) && is_vertex(b))) /* along a side that is level */
            continue;
        middle[0] += (b[1] - a[1]) / length * 1e-7; /* to the left, north up */
        middle[1] -= (b[0] - a[0]) / length * 1e-7;
        if (collide_height(view, middle[0], middle[1], &z, NULL))
            assert_true(z > line->elevation - 1e-9);
    }
}

static void none_cross(const struct segments *segments)
{
    for (size_t i = 0; i < segments->count; i++)
        for (size_t j = i + 1; j < segments->count; j++)
            if (fabs(segments->ends[i][0][0] - segments->ends[j][0][0]) <= 2 &&
                fabs(segments->ends[i][0][1] - segments->ends[j][0][1]) <= 2 &&
                cross(segments->ends[i], segments->ends[j]))
                fail_msg("lines cross near (%g, %g)", segments->ends[i][0][0],
                         segments->ends[i][0][1]);
}

static void trace_check(const struct view *view, struct rect over, double interval, double base)
{
    struct contours contours;
    struct segments segments = { 0 };
    struct fault why;
    size_t ends, open = 0, told = 0;
    const size_t expected = recount(view, over, interval, base, &ends);

    if (!contour_trace(view, over, interval, base, 1000000, &contours, &why))
        fail_msg("%s", why.detail);
    assert_int_equal(contours.point_count, expected);
    segments.ends = malloc((expected + 1) * sizeof *segments.ends);
    for (size_t i = 0; i < contours.line_count; i++) {
        assert_int_equal(contours.lines[i].first, told);
        told += contours.lines[i].count;
        open += !contours.lines[i].closed;
        line_check(view, &contours, &contours.lines[i], &segments);
    }
    assert_int_equal(told, expected);
    assert_int_equal(2 * open, ends); /* a line ends at the border or at a hole, nowhere else */
    none_cross(&segments);
    free(segments.ends);
    contour_free(&contours);
}

static void lines_are_those_of_a_recount(void **state)
{
    struct dice dice = { 11 };

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        static const double intervals[] = { 0.5, 0.25, 0.3, 1, 0.1 };
        struct view *view = steps(&dice, round % 2 ? 5 : 40);
        const int32_t x = dice_between(&dice, 0, SIDE - 3), y = dice_between(&dice, 0, SIDE - 3);
        const struct rect part = { x, y, dice_between(&dice, 2, SIDE - x),
                                   dice_between(&dice, 2, SIDE - y) };

        trace_check(view, round % 3 ? part : view_rect(view), intervals[round % 5],
                    round % 4 ? 0 : dice_real(&dice, -1, 1));
        view_drop(view);
    }
}

/* A cone's levels are rings round its top, counter-clockwise with north up; a hollow's go the other
 * way. */
static double ring_area(const struct contours *contours, const struct contour_line *line)
{
    double area = 0;

    for (size_t i = 0; i < line->count; i++) {
        const double *a = contours->points[line->first + i];
        const double *b = contours->points[line->first + (i + 1) % line->count];

        area -= (a[0] * b[1] - b[0] * a[1]) / 2;
    }
    return area;
}

static void rings_turn_left_round_tops(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        static uint16_t heights[64 * 64];
        struct contours contours;
        struct view *view;
        struct fault why;
        size_t before;

        for (int i = 0; i < 64 * 64; i++)
            heights[i] =
                (uint16_t)(32768 +
                           way * (int)(200 * fmax(0, 25 - hypot(i % 64 - 31, i / 64 - 31))));
        view = ground_of(64, 64, heights);
        assert_true(contour_trace(view, view_rect(view), 5, way * 2.5, 100000, &contours, &why));
        assert_true(contours.line_count >= 7);
        for (size_t i = 0; i < contours.line_count; i++) {
            assert_true(contours.lines[i].closed);
            assert_true(way * ring_area(&contours, &contours.lines[i]) > 0);
        }
        before = contours.point_count;
        assert_true(contour_simplify(view_grid(view), 0.3, &contours, &why));
        assert_true(contours.point_count < before / 3);
        for (size_t i = 0; i < contours.line_count; i++)
            assert_true(way * ring_area(&contours, &contours.lines[i]) > 0);
        contour_free(&contours);
        view_drop(view);
    }
}

/* What is left out lies within the tolerance of what is kept. */
static void simplified_lines_stay_near(void **state)
{
    struct dice dice = { 5 };
    struct view *view = steps(&dice, 20);
    struct contours exact, few;
    struct fault why;
    size_t far = 0;

    (void)state;
    assert_true(contour_trace(view, view_rect(view), 0.5, 0.1, 100000, &exact, &why));
    assert_true(contour_trace(view, view_rect(view), 0.5, 0.1, 100000, &few, &why));
    assert_true(contour_simplify(view_grid(view), 0.4, &few, &why));
    assert_true(few.point_count < exact.point_count && few.point_count > 0);
    for (size_t l = 0; l < few.line_count; l++)
        for (size_t i = 0; i < few.lines[l].count; i++) {
            bool found = false;

            for (size_t k = 0; k < exact.point_count && !found; k++)
                found = memcmp(exact.points[k], few.points[few.lines[l].first + i],
                               sizeof *few.points) == 0;
            far += !found;
        }
    assert_int_equal(far, 0);
    contour_free(&exact);
    contour_free(&few);
    view_drop(view);
}

static void too_many_points_are_refused(void **state)
{
    struct dice dice = { 3 };
    struct view *view = steps(&dice, 40);
    struct contours contours;
    struct fault why = { 0 };

    (void)state;
    assert_false(contour_trace(view, view_rect(view), 0.01, 0, 1000, &contours, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    assert_non_null(strstr(why.place, "interval"));
    assert_null(contours.points);
    assert_false(contour_trace(view, view_rect(view), 1e-300, 0, 1000, &contours, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_a_recount),
        cmocka_unit_test(rings_turn_left_round_tops),
        cmocka_unit_test(simplified_lines_stay_near),
        cmocka_unit_test(too_many_points_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
