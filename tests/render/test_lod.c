/* Cameras and what they select, by what must hold for any of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "terrain/lod/select.h"
#include "tests/render/scenery.h"

enum { WIDTH = 512, HEIGHT = 320 };

static const struct lod_want usual = { 1.15, 0.75, 5, 2000 };

/* Cameras of every kind, from everywhere. */
static size_t cameras(const struct view *view, struct camera *list)
{
    struct extent extent;
    size_t count = 0;

    extent_of(view, &extent);
    for (double elevation = -90; elevation <= 90; elevation += 22.5)
        for (double azimuth = 0; azimuth < 360; azimuth += 60) {
            struct camera fit = {
                .kind = CAMERA_FIT, .azimuth = azimuth, .elevation = elevation, .fov = 30
            };
            struct camera ortho = fit, orbit = fit, eye = fit;

            ortho.kind = CAMERA_ORTHO;
            ortho.ortho_width = 700 + 10 * azimuth;
            orbit.kind = CAMERA_ORBIT;
            orbit.distance = 50 * (elevation + 91);
            eye.kind = CAMERA_PERSPECTIVE;
            for (int i = 0; i < 3; i++) {
                eye.target[i] = (extent.low[i] + extent.high[i]) / 2;
                eye.position[i] = eye.target[i] + (i + 1) * (azimuth - 170);
                ortho.target[i] = orbit.target[i] = eye.target[i];
            }
            list[count++] = fit;
            list[count++] = ortho;
            list[count++] = orbit;
            list[count++] = eye;
        }
    return count;
}

static struct camera list[400];

static void directions_are_upright_and_at_right_angles(void **state)
{
    struct extent extent;
    size_t count = cameras(*state, list);

    extent_of(*state, &extent);
    for (size_t i = 0; i < count; i++) {
        struct look look;
        struct fault why;
        const double *axes[3] = { look.right, look.up, look.forward };

        assert_true(camera_look(&list[i], &extent, WIDTH, HEIGHT, &look, &why));
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double product =
                    axes[a][0] * axes[b][0] + axes[a][1] * axes[b][1] + axes[a][2] * axes[b][2];

                assert_true(fabs(product - (a == b)) < 1e-9);
            }
        assert_true(look.up[2] > -1e-9);         /* nobody stands on their head */
        assert_true(fabs(look.right[2]) < 1e-9); /* or leans */
    }
}

/* North, seen from above, is up and east to the right: x is east and y south. */
static void right_is_right(void **state)
{
    struct camera north = {
        .kind = CAMERA_PERSPECTIVE, .fov = 40, .position = { 0, 100, 10 }, .target = { 0, 0, 10 }
    };
    struct extent extent;
    struct look look;
    struct fault why;
    double seen[3];

    extent_of(*state, &extent);
    assert_true(camera_look(&north, &extent, WIDTH, HEIGHT, &look, &why));
    look_at(&look, (const double[3]){ 5, 0, 12 }, seen);
    assert_true(fabs(seen[0] - 5) < 1e-9 && fabs(seen[1] - 2) < 1e-9 && fabs(seen[2] - 100) < 1e-9);
}

static void an_orbit_stands_on_the_side_that_its_azimuth_names(void **state)
{
    struct camera south_west = { .kind = CAMERA_ORBIT,
                                 .fov = 40,
                                 .azimuth = 225,
                                 .elevation = 30,
                                 .distance = 1000,
                                 .target = { 100, 200, 300 } };
    struct extent extent;
    struct look look;
    struct fault why;

    extent_of(*state, &extent);
    assert_true(camera_look(&south_west, &extent, WIDTH, HEIGHT, &look, &why));
    assert_true(fabs(look.eye[0] - (100 - 1000 * cos(M_PI / 6) * sqrt(0.5))) < 1e-6);
    assert_true(fabs(look.eye[1] - (200 + 1000 * cos(M_PI / 6) * sqrt(0.5))) < 1e-6);
    assert_true(fabs(look.eye[2] - 800) < 1e-6);
}

static void a_fitted_camera_sees_every_corner_of_the_extent(void **state)
{
    struct extent extent;
    size_t count = cameras(*state, list);

    extent_of(*state, &extent);
    for (size_t i = 0; i < count; i++) {
        struct look look;
        struct fault why;
        double closest = 0;

        if (list[i].kind != CAMERA_FIT)
            continue;
        assert_true(camera_look(&list[i], &extent, WIDTH, HEIGHT, &look, &why));
        for (int corner = 0; corner < 8; corner++) {
            double at[3] = { corner & 1 ? extent.low[0] : extent.high[0],
                             corner & 2 ? extent.low[1] : extent.high[1],
                             corner & 4 ? extent.base : extent.high[2] };
            double seen[3];

            look_at(&look, at, seen);
            assert_true(seen[2] > 0);
            for (int axis = 0; axis < 2; axis++) {
                double ahead = look.ortho ? 1 : seen[2];
                double share = fabs(seen[axis]) / ahead / look.half[axis];

                assert_true(share < 0.96);
                closest = fmax(closest, share);
            }
        }
        assert_true(closest > 0.9); /* and stands no farther off than it must */
        assert_true(look.ortho == (list[i].elevation == 90));
    }
}

/* Nodes do not overlap, and every vertex on the ground that is in the picture is in one. */
static void what_is_seen_is_selected_once(void **state)
{
    const struct grid *grid = view_grid(*state);
    struct extent extent;
    size_t count = cameras(*state, list);

    extent_of(*state, &extent);
    for (size_t i = 0; i < count; i++) {
        struct lod_selection selection = { 0 };
        struct look look;
        struct fault why;

        assert_true(camera_look(&list[i], &extent, WIDTH, HEIGHT, &look, &why));
        assert_true(lod_select(*state, &extent, &look, WIDTH, HEIGHT, &usual, &selection, &why));
        for (int32_t y = 3; y < grid->rows - 1; y += 23)
            for (int32_t x = 3; x < grid->columns - 1; x += 23) {
                double at[3], seen[3], ahead;
                int found = 0;

                grid_to_local(grid, (const double[2]){ x, y }, at);
                at[2] = grid_metres(grid, view_height(*state, x, y));
                look_at(&look, at, seen);
                ahead = look.ortho ? 1 : seen[2];
                for (size_t n = 0; n < selection.count; n++) {
                    const struct lod_node *node = &selection.nodes[n];

                    found += x >> (7 + node->level) == node->x && y >> (7 + node->level) == node->y;
                }
                assert_true(found <= 1);
                if (seen[2] > 0.01 && fabs(seen[0]) < look.half[0] * ahead &&
                    fabs(seen[1]) < look.half[1] * ahead) {
                    assert_int_equal(found, 1);
                    assert_true(seen[2] > selection.nearest * 0.98 &&
                                seen[2] <= selection.farthest);
                }
            }
        lod_selection_fini(&selection);
    }
}

static void nodes_come_nearest_first_and_as_many_as_allowed(void **state)
{
    struct camera fit = { .kind = CAMERA_FIT, .azimuth = 200, .elevation = 30, .fov = 30 };
    struct lod_want few = usual;
    struct lod_selection selection = { 0 };
    struct extent extent;
    struct look look;
    struct fault why;
    size_t all;

    extent_of(*state, &extent);
    assert_true(camera_look(&fit, &extent, 4096, 4096, &look, &why));
    assert_true(lod_select(*state, &extent, &look, 4096, 4096, &usual, &selection, &why));
    all = selection.count;
    for (size_t i = 1; i < all; i++)
        assert_true(selection.nodes[i - 1].distance <= selection.nodes[i].distance);
    lod_selection_fini(&selection);
    few.nodes_most = all / 2;
    assert_true(lod_select(*state, &extent, &look, 4096, 4096, &few, &selection, &why));
    assert_true(selection.count <= few.nodes_most && selection.count >= all / 8);
    lod_selection_fini(&selection);
}

static void all_holes_are_nothing_to_draw(void **state)
{
    struct camera fit = { .kind = CAMERA_FIT, .azimuth = 200, .elevation = 30, .fov = 30 };
    struct rect all = view_rect(*state);
    struct view *empty =
        scenery_holes(*state, (struct rect){ 0, 0, all.width - 1, all.height - 1 });
    struct lod_selection selection = { 0 };
    struct extent extent;
    struct look look;
    struct fault why;

    extent_of(empty, &extent);
    assert_true(camera_look(&fit, &extent, WIDTH, HEIGHT, &look, &why));
    assert_true(lod_select(empty, &extent, &look, WIDTH, HEIGHT, &usual, &selection, &why));
    assert_int_equal(selection.count, 0);
    assert_true(selection.culled > 0);
    lod_selection_fini(&selection);
    view_drop(empty);
}

/* hollow: all are holes; holed: any is. */
static void holes_are_found_bit_by_bit(void **state)
{
    struct view *view = scenery_holes(*state, (struct rect){ 60, 120, 70, 20 });
    uint32_t random = 11;

    for (int i = 0; i < 3000; i++) {
        struct rect quads = { 40 + (int32_t)(random >> 7) % 100, 110 + (int32_t)(random >> 14) % 40,
                              1 + (int32_t)(random >> 3) % 30, 1 + (int32_t)(random >> 20) % 20 };
        bool all = true, any = false;

        for (int32_t y = quads.y; y < quads.y + quads.height; y++)
            for (int32_t x = quads.x; x < quads.x + quads.width; x++) {
                all = all && view_hole(view, x, y);
                any = any || view_hole(view, x, y);
            }
        assert_int_equal(extent_hollow(view, quads), all);
        assert_int_equal(extent_holed(view, quads), any);
        random = random * 1664525 + 1013904223;
    }
    view_drop(view);
}

static void ground_made_of_the_pad_is_part_of_the_extent(void **state)
{
    static uint16_t heights[100 * 90];
    static const double metre[3] = { 1, 1, 1 };
    struct view *view = scenery_of(100, 90, heights, metre), *filled;
    struct extent extent;

    (void)state;
    extent_of(view, &extent);
    assert_int_equal(extent.solid.width, 100);
    assert_int_equal(extent.solid.height, 90);
    assert_true(extent.base < extent.low[2]);
    filled = scenery_ground(view, (struct rect){ 105, 50, 1, 1 });
    extent_of(filled, &extent);
    assert_int_equal(extent.solid.width, view_rect(view).width);
    assert_int_equal(extent.solid.height, view_rect(view).height);
    view_drop(filled);
    view_drop(view);
}

static int make_view(void **state)
{
    *state = scenery_mountains(505, 10);
    return *state ? 0 : -1;
}

static int drop_view(void **state)
{
    view_drop(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_are_upright_and_at_right_angles),
        cmocka_unit_test(right_is_right),
        cmocka_unit_test(an_orbit_stands_on_the_side_that_its_azimuth_names),
        cmocka_unit_test(a_fitted_camera_sees_every_corner_of_the_extent),
        cmocka_unit_test(what_is_seen_is_selected_once),
        cmocka_unit_test(nodes_come_nearest_first_and_as_many_as_allowed),
        cmocka_unit_test(all_holes_are_nothing_to_draw),
        cmocka_unit_test(holes_are_found_bit_by_bit),
        cmocka_unit_test(ground_made_of_the_pad_is_part_of_the_extent),
    };

    return cmocka_run_group_tests(tests, make_view, drop_view);
}
