/* Ground that XY offsets have moved, as a heightfield in its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

#include "render/moved.h"
#include "terrain/core/offset.h"
#include "tests/render/scenery.h"

enum { SIDE = 379 };

static struct view *ground_of(const struct view *view, struct derived_cache *cache)
{
    struct fault why = { 0 };
    struct view *ground = moved_ground(view, cache, &why);

    if (!ground)
        fail_msg("%s", why.detail);
    return ground;
}

static void assert_same(const struct view *a, const struct view *b)
{
    const struct rect all = view_rect(a);

    for (int32_t y = 0; y < all.height; y++)
        for (int32_t x = 0; x < all.width; x++)
            if (view_height(a, x, y) != view_height(b, x, y))
                fail_msg("%d, %d: %d and %d", x, y, view_height(a, x, y), view_height(b, x, y));
}

static void what_does_not_move_is_the_landscape_itself(void **state)
{
    struct view *view = scenery_mountains(SIDE, 10);
    struct view *ground = ground_of(view, NULL);

    (void)state;
    assert_ptr_equal(ground, view);
    view_drop(ground);
    view_drop(view);
}

enum { EAST = 70, NORTH = 33 };

static void aside(int32_t x, int32_t y, double quads[2])
{
    (void)x;
    (void)y;
    quads[0] = EAST;
    quads[1] = -NORTH;
}

static void all_that_moves_alike_is_found_so_far_away(void **state)
{
    struct view *still = scenery_mountains(SIDE, 10), *view = scenery_moved(still, aside);
    struct view *ground = ground_of(view, NULL);

    (void)state;
    for (int32_t y = 0; y < SIDE - NORTH; y++)
        for (int32_t x = EAST; x < SIDE; x++)
            assert_int_equal(view_height(ground, x, y), view_height(view, x - EAST, y + NORTH));
    view_drop(ground);
    view_drop(view);
    view_drop(still);
}

/* Wide waves of offsets in the middle, none elsewhere; nothing is folded over. */
static void waves(int32_t x, int32_t y, double quads[2])
{
    double off = hypot(x - 190, y - 190) / 120, share = off < 1 ? (1 - off * off) : 0;

    quads[0] = 9 * share * sin(y / 17.0);
    quads[1] = 9 * share * cos(x / 19.0);
}

/* The height of what stands at a place, by a look at every triangle around: the vertices of quads
 * whose corners lie on all its sides. */
static double stands_at(const struct view *view, const uint16_t *offsets[2], int32_t x, int32_t y)
{
    const struct rect all = view_rect(view);
    double most = -1;

    for (int32_t j = y - 12 < 0 ? 0 : y - 12; j < y + 12 && j < all.height - 1; j++)
        for (int32_t i = x - 12 < 0 ? 0 : x - 12; i < x + 12 && i < all.width - 1; i++)
            for (int half = 0; half < 2; half++) {
                const int32_t at[3][2] = { { i, j }, { i + 1, j + 1 }, { i + !half, j + half } };
                double px[3], py[3], share[3], area;

                for (int k = 0; k < 3; k++) {
                    int32_t place = at[k][1] * all.width + at[k][0];

                    px[k] = at[k][0] + offset_decode(offsets[0][place]) - x;
                    py[k] = at[k][1] + offset_decode(offsets[1][place]) - y;
                }
                for (int k = 0; k < 3; k++) {
                    int a = (k + 1) % 3, b = (k + 2) % 3;

                    share[k] = px[a] * py[b] - px[b] * py[a];
                }
                area = share[0] + share[1] + share[2];
                if (area == 0 || share[0] / area < 0 || share[1] / area < 0 || share[2] / area < 0)
                    continue;
                most = fmax(most, (share[0] * view_height(view, at[0][0], at[0][1]) +
                                   share[1] * view_height(view, at[1][0], at[1][1]) +
                                   share[2] * view_height(view, at[2][0], at[2][1])) /
                                      area);
            }
    return most;
}

static void a_place_is_as_high_as_what_stands_there(void **state)
{
    struct view *still = scenery_mountains(SIDE, 10), *view = scenery_moved(still, waves);
    struct view *ground = ground_of(view, NULL);
    const struct rect all = view_rect(view);
    uint16_t *read[2];
    int moved = 0;

    (void)state;
    for (int axis = 0; axis < 2; axis++) {
        read[axis] = malloc(sizeof *read[axis] * (size_t)rect_area(all));
        view_read_offsets(view, axis, all, read[axis], all.width);
    }
    for (int32_t y = 1; y < SIDE - 1; y += 3)
        for (int32_t x = 1; x < SIDE - 1; x += 3) {
            const uint16_t *offsets[2] = { read[0], read[1] };
            double stands = stands_at(view, offsets, x, y);

            assert_true(stands >= 0);
            assert_true(fabs(view_height(ground, x, y) - stands) <= 0.51);
            moved += view_height(ground, x, y) != view_height(view, x, y);
        }
    assert_true(moved > 1000);
    for (int axis = 0; axis < 2; axis++)
        free(read[axis]);
    view_drop(ground);
    view_drop(view);
    view_drop(still);
}

/* Back and forth, wider each time, and only some of it. */
static void other_waves(int32_t x, int32_t y, double quads[2])
{
    waves(x, y, quads);
    quads[0] *= x > 150 ? -2 : 1;
}

/* What has been kept of an earlier version is of use for the next, and changes nothing. */
static void versions_made_of_earlier_ones_are_the_same(void **state)
{
    struct derived_cache *cache = derived_cache_new(1 << 26);
    struct view *views[6];
    const int count = sizeof views / sizeof *views;

    (void)state;
    views[0] = scenery_mountains(SIDE, 10);
    views[1] = scenery_moved(views[0], waves);
    views[2] =
        scenery_change(views[1], (struct rect){ 250, 215, 5, 20 }, 40000); /* into the next block */
    views[3] = scenery_change(views[2], (struct rect){ 3, 3, 9, 9 }, 20000);
    views[4] = scenery_moved(views[3], other_waves);
    views[5] = scenery_change(views[4], (struct rect){ 126, 100, 5, 90 }, 45000);
    for (int i = 0; i < count; i++) {
        struct view *kept = ground_of(views[i], cache), *fresh = ground_of(views[i], NULL);

        assert_same(kept, fresh);
        view_drop(kept);
        view_drop(fresh);
    }
    for (int i = count - 1; i >= 0; i--)
        view_drop(views[i]);
    derived_cache_free(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_move_is_the_landscape_itself),
        cmocka_unit_test(all_that_moves_alike_is_found_so_far_away),
        cmocka_unit_test(a_place_is_as_high_as_what_stands_there),
        cmocka_unit_test(versions_made_of_earlier_ones_are_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
