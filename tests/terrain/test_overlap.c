/* Boxes and spheres against all triangles of random grounds. */
#include "tests/terrain/shape_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int times_longer(void)
{
    return getenv("LANDSCAPED_SOAK") ? 20 : 1;
}

static const struct shape_ways plain;

static struct overlap box_meets(const struct view *view, const struct overlap_box *box,
                                const struct shape_ways *ways)
{
    struct fault why = { 0 };
    struct overlap overlap;

    assert_true(overlap_boxes(view, box, 1, ways, &overlap, NULL, &why));
    return overlap;
}

static struct overlap_box random_box(struct dice *dice, const struct view *view)
{
    struct overlap_box box;
    double center[3], half[3], quaternion[4];

    judge_place(dice, view, 5, center);
    for (int axis = 0; axis < 3; axis++)
        half[axis] = dice_between(dice, 0, 9) ? exp(dice_real(dice, -2, 3.2)) : 0;
    if (dice_between(dice, 0, 1)) {
        double corner[3], opposite[3];

        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = center[axis] + half[axis];
            opposite[axis] = center[axis] - half[axis];
        }
        overlap_box_between(view, corner, opposite, &box);
        return box;
    }
    for (int k = 0; k < 4; k++)
        quaternion[k] = dice_real(dice, -3, 3);
    assert_true(overlap_box_turned(center, half, quaternion, &box));
    return box;
}

struct tally {
    int hits, misses, close;
};

/* When a little more and a little less are judged alike, the answer is that. */
static void count(struct tally *tally, enum ray_status status, bool more, bool less)
{
    assert_true(more || !less);
    if (more != less) {
        tally->close++;
        return;
    }
    assert_int_equal(status == RAY_HIT, more);
    tally->hits += more;
    tally->misses += !more;
}

static void boxes_on(struct dice *dice, const struct view *view, int tries, struct tally tally[2])
{
    for (int i = 0; i < tries; i++) {
        const struct overlap_box box = random_box(dice, view);
        const struct shape_ways ways = { .ignore_holes = dice_between(dice, 0, 3) == 0,
                                         .solid = dice_between(dice, 0, 1) };
        const struct judge judge = { view, ways.ignore_holes };
        const struct overlap overlap = box_meets(view, &box, &ways);

        count(&tally[ways.solid], overlap.status, judge_box(&judge, &box, ways.solid, 1e-8),
              judge_box(&judge, &box, ways.solid, -1e-8));
    }
}

static void spheres_on(struct dice *dice, const struct view *view, int tries, struct tally tally[2])
{
    for (int i = 0; i < tries; i++) {
        const struct shape_ways ways = { .ignore_holes = dice_between(dice, 0, 3) == 0,
                                         .solid = dice_between(dice, 0, 1) };
        const struct judge judge = { view, ways.ignore_holes };
        struct overlap_sphere sphere = { .radius = exp(dice_real(dice, -2, 3.2)) };
        struct overlap overlap;
        struct fault why = { 0 };

        judge_place(dice, view, 5, sphere.center);
        assert_true(overlap_spheres(view, &sphere, 1, &ways, &overlap, NULL, &why));
        count(&tally[ways.solid], overlap.status, judge_sphere(&judge, &sphere, ways.solid, 1e-8),
              judge_sphere(&judge, &sphere, ways.solid, -1e-8));
    }
}

static void shapes_overlap_what_a_look_at_every_triangle_finds(void **state)
{
    struct tally boxes[2] = { 0 }, spheres[2] = { 0 };
    struct dice dice = { 8 };

    (void)state;
    for (int round = 0; round < 80 * times_longer(); round++) {
        const bool large = round % 40 == 0;
        struct view *view = judge_ground(&dice, large ? 139 : dice_between(&dice, 2, 16),
                                         large ? 131 : dice_between(&dice, 2, 16));

        boxes_on(&dice, view, large ? 20 : 40, boxes);
        spheres_on(&dice, view, large ? 20 : 40, spheres);
        view_drop(view);
    }
    for (int solid = 0; solid < 2; solid++) {
        assert_true(boxes[solid].hits > 200 && boxes[solid].misses > 200);
        assert_true(spheres[solid].hits > 200 && spheres[solid].misses > 200);
        /* boxes without a thickness, laid on vertices */
        assert_true(boxes[solid].close < boxes[solid].hits && spheres[solid].close < 10);
    }
}

static enum ray_status between(const struct view *view, double x, double y, double z, double size,
                               bool solid)
{
    const struct shape_ways ways = { .solid = solid };
    struct overlap_box box;

    overlap_box_between(view, (const double[3]){ x, y, z },
                        (const double[3]){ x + size, y + size, z + size }, &box);
    return box_meets(view, &box, &ways).status;
}

static void what_touches_overlaps(void **state)
{
    struct view *view = ground_flat(9, 9, 32768 + 128);
    const double least = 0x1p-20;

    (void)state;
    assert_int_equal(between(view, 2, 2, 1, 0.5, false), RAY_HIT);
    assert_int_equal(between(view, 2, 2, 1 + least, 0.5, false), RAY_MISS);
    assert_int_equal(between(view, 2, 2, 0.5, 0.5, false), RAY_HIT);
    assert_int_equal(between(view, 2, 2, 0.5 - least, 0.5, false), RAY_MISS);
    assert_int_equal(between(view, 2, 2, 0.5 - least, 0.5, true), RAY_HIT);
    assert_int_equal(between(view, 2, 2, -900, 0.5, true), RAY_HIT);
    assert_int_equal(between(view, 2, 2, -900, 0, true), RAY_HIT);
    assert_int_equal(between(view, -0.5, 2, 1, 0.5, false), RAY_HIT);
    assert_int_equal(between(view, -0.5 - least, 2, 1, 0.5, true), RAY_OUTSIDE);
    assert_int_equal(between(view, 8, 8, 0.75, 0.5, false), RAY_HIT);
    assert_int_equal(between(view, 8 + least, 8, 0.75, 0.5, true), RAY_OUTSIDE);
    assert_int_equal(between(view, 4, 4, 1, 0, false), RAY_HIT);
    view_drop(view);
}

/* COL-12: 505 x 253 is no power of two of blocks, and the last samples lie on x = 504, y = 252. */
static void the_right_and_bottom_borders_overlap(void **state)
{
    struct view *view = ground_rough(505, 253, 12);

    (void)state;
    for (int32_t i = 0; i <= 504; i++) {
        const double right = grid_metres(view_grid(view), view_height(view, 504, i / 2));
        const double bottom = grid_metres(view_grid(view), view_height(view, i, 252));

        assert_int_equal(between(view, 504, i / 2, right, 0.25, false), RAY_HIT);
        assert_int_equal(between(view, 504, i / 2, right + 8, 0.25, false), RAY_MISS);
        assert_int_equal(between(view, 504.25, i / 2, right, 0.25, false), RAY_OUTSIDE);
        assert_int_equal(between(view, i, 252, bottom, 0.25, false), RAY_HIT);
        assert_int_equal(between(view, i, 252, bottom + 8, 0.25, false), RAY_MISS);
        assert_int_equal(between(view, i, 252.25, bottom, 0.25, false), RAY_OUTSIDE);
    }
    assert_int_equal(between(view, 400, 200, -500, 1000, false), RAY_HIT);
    view_drop(view);
}

static void a_turned_box_is_where_it_was_turned_to(void **state)
{
    const double half[3] = { 4, 1, 0.5 }, center[3] = { 3, 5, 7 };
    struct overlap_box box;

    (void)state;
    /* a quarter turn about z: x goes to y */
    assert_true(overlap_box_turned(center, half, (const double[4]){ 0, 0, 3, 3 }, &box));
    for (int axis = 0; axis < 3; axis++) {
        assert_float_equal(box.axes[0][axis], axis == 1, 1e-15);
        assert_float_equal(box.axes[1][axis], -(axis == 0), 1e-15);
        assert_float_equal(box.axes[2][axis], axis == 2, 1e-15);
    }
    assert_false(overlap_box_turned(center, half, (const double[4]){ 0 }, &box));
    assert_false(overlap_box_turned(center, half, (const double[4]){ NAN, 0, 0, 1 }, &box));
}

static void shapes_that_are_none_and_holes_say_so(void **state)
{
    struct view *view = ground_flat(20, 20, 32768);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(view, &why);
    const uint8_t hole = 255;
    struct overlap_sphere spheres[] = { { { 5.5, 5.5, 0 }, 0.25 },
                                        { { NAN, 5, 0 }, 1 },
                                        { { 5, 5, 0 }, -1 },
                                        { { 5.5, 5.5, -9 }, 0.75 } };
    struct overlap overlaps[4];
    const struct shape_ways ignoring = { .ignore_holes = true }, solid = { .solid = true };

    (void)state;
    assert_true(draft_write_holes(draft, (struct rect){ 5, 5, 1, 1 }, &hole, 1, &why));
    view = ground_finish(draft, view, &change);
    assert_true(overlap_spheres(view, spheres, 4, &plain, overlaps, NULL, &why));
    assert_int_equal(overlaps[0].status, RAY_HOLE);
    assert_int_equal(overlaps[1].status, RAY_WRONG);
    assert_int_equal(overlaps[2].status, RAY_WRONG);
    assert_int_equal(overlaps[3].status, RAY_MISS);
    assert_true(overlap_spheres(view, spheres, 4, &ignoring, overlaps, NULL, &why));
    assert_int_equal(overlaps[0].status, RAY_HIT);
    /* in the shaft below a hole it meets the walls when it is wide enough */
    assert_true(overlap_spheres(view, spheres, 4, &solid, overlaps, NULL, &why));
    assert_int_equal(overlaps[3].status, RAY_HIT);
    spheres[3].radius = 0.4375;
    assert_true(overlap_spheres(view, spheres, 4, &solid, overlaps, NULL, &why));
    assert_int_equal(overlaps[3].status, RAY_HOLE);
    view_drop(view);
}

static void too_much_work_is_refused(void **state)
{
    struct view *view = ground_rough(1000, 1000, 4);
    const struct shape_ways few = { .quads_most = 1000 };
    struct fault why = { 0 };
    struct overlap_box box = { .center = { 500, 500, 0 }, .half = { 600, 600, 600 } };
    struct overlap overlap;

    (void)state;
    for (int axis = 0; axis < 3; axis++)
        box.axes[axis][axis] = 1;
    /* the first triangle answers, however large it is */
    assert_true(overlap_boxes(view, &box, 1, &few, &overlap, NULL, &why));
    assert_int_equal(overlap.status, RAY_HIT);
    box.axes[0][2] = box.axes[2][0] = 0;
    /* a thin one above the ground, but within the heights of its neighbourhood's bounds */
    assert_true(overlap_box_turned((const double[3]){ 500, 500, 20 },
                                   (const double[3]){ 700, 700, 0.001 },
                                   (const double[4]){ 0.05, 0.03, 0, 1 }, &box));
    why = (struct fault){ 0 };
    if (!overlap_boxes(view, &box, 1, &few, &overlap, NULL, &why))
        assert_int_equal(why.code, FAULT_LIMIT);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_touches_overlaps),
        cmocka_unit_test(the_right_and_bottom_borders_overlap),
        cmocka_unit_test(a_turned_box_is_where_it_was_turned_to),
        cmocka_unit_test(shapes_that_are_none_and_holes_say_so),
        cmocka_unit_test(shapes_overlap_what_a_look_at_every_triangle_finds),
        cmocka_unit_test(too_much_work_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
