/* However the ground is cut into patches, it is the same ground. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/lod/pick.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

enum { SIDE = 96 };

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static double between(uint32_t *state, double low, double high)
{
    return low + (high - low) * next_random(state) / 16777216.0;
}

/* From somewhere above the ground to somewhere on it, without the model's sides. */
static struct picture look_down(const struct view *view, uint32_t *random)
{
    struct extent extent;
    struct picture picture;
    double eye[3], target[3], wide;

    extent_of(view, &extent);
    wide = extent.high[0] - extent.low[0];
    for (int axis = 0; axis < 2; axis++) {
        eye[axis] = between(random, extent.low[axis], extent.high[axis]);
        target[axis] = between(random, extent.low[axis], extent.high[axis]);
    }
    eye[2] = extent.high[2] + between(random, 0.02, 0.6) * wide;
    target[2] = extent.low[2];
    picture = studio_from(SIDE, SIDE, eye, target, 40);
    picture.output = RENDER_OUTPUT_depth;
    picture.open_sides = true;
    return picture;
}

static float depth_at(const uint8_t *pixels, int32_t x, int32_t y)
{
    float depth;

    memcpy(&depth, pixels + 4 * (y * SIDE + x), sizeof depth);
    return depth;
}

static bool ground_at(const uint8_t *pixels, int32_t x, int32_t y)
{
    return isfinite(depth_at(pixels, x, y)) && depth_at(pixels, x, y) > 0;
}

static void full_is_what_auto_comes_close_to(void **state)
{
    struct view *view = scenery_mountains(505, 10);
    uint32_t random = 7;

    for (int i = 0; i < 4; i++) {
        struct picture picture = look_down(view, &random);
        uint8_t *near, *exact;
        const double pixel = 2 * tan(20 * 3.14159265 / 180) / SIDE;
        int32_t ground = 0, alike = 0;

        picture.open_sides = false;
        near = studio_draw(*state, view, &picture);
        picture.geometry = RENDER_GEOMETRY_full;
        exact = studio_draw(*state, view, &picture);
        for (int32_t k = 0; k < SIDE * SIDE; k++)
            if (ground_at(near, k % SIDE, k / SIDE) && ground_at(exact, k % SIDE, k / SIDE)) {
                double a = depth_at(near, k % SIDE, k / SIDE),
                       b = depth_at(exact, k % SIDE, k / SIDE);

                ground++;
                alike += fabs(a - b) < 2 * pixel * b;
            }
        assert_true(ground > SIDE * SIDE / 4);
        assert_true(alike > ground * 0.95);
        free(near);
        free(exact);
    }
    view_drop(view);
}

/* A pixel with ground all around and none in it is a crack: there are no skirts to cover any. */
static void expect_whole(struct renderer *renderer, const struct view *view,
                         const struct picture *picture, int number)
{
    uint8_t *pixels = studio_draw(renderer, view, picture);

    for (int32_t y = 1; y < SIDE - 1; y++)
        for (int32_t x = 1; x < SIDE - 1; x++) {
            int around = 0;

            for (int k = 0; k < 9; k++)
                around += k != 4 && ground_at(pixels, x + k % 3 - 1, y + k / 3 - 1);
            if (around >= 7 && !ground_at(pixels, x, y))
                fail_msg("picture %d of %s has a crack at (%d, %d)", number,
                         render_geometries[picture->geometry], x, y);
        }
    free(pixels);
}

static void full_has_no_crack(void **state)
{
    struct view *view = scenery_mountains(253, 10);

    uint32_t random = 11;

    for (int i = 0; i < 50; i++) {
        struct picture picture = look_down(view, &random);

        picture.geometry = RENDER_GEOMETRY_full;
        expect_whole(*state, view, &picture, i);
    }
    view_drop(view);
}

/* Torn here and there. */
static struct view *torn_mountains(int32_t side)
{
    static const struct rect holes[] = { { 60, 70, 5, 9 },
                                         { 250, 120, 40, 30 },
                                         { 350, 299, 1, 1 } };
    struct view *view = scenery_mountains(side, 10);

    for (size_t i = 0; i < sizeof holes / sizeof holes[0]; i++) {
        struct view *next = scenery_holes(view, holes[i]);

        view_drop(view);
        view = next;
    }
    return view;
}

/* Each vertex moved aside, at random. */
static struct view *trembling(struct view *view)
{
    struct view *next = scenery_moved(view, scenery_tremble);

    view_drop(view);
    return next;
}

/* By up to 50 quads, together with those around. */
static void sway(int32_t x, int32_t y, double quads[2])
{
    quads[0] = 30 * sin(0.02 * y + 0.01 * x) + 20;
    quads[1] = 30 * sin(0.015 * x - 0.01 * y) - 20;
}

/* Full of little holes, most of them across the borders of nodes. */
static struct view *swaying_rags(int32_t side)
{
    struct view *still = scenery_mountains(side, 10), *view = scenery_moved(still, sway);
    uint32_t random = 3;

    view_drop(still);
    for (int i = 0; i < 400; i++) {
        int32_t x = (int32_t)between(&random, 2, side - 10);
        int32_t y = (int32_t)between(&random, 2, side - 10);
        struct rect hole = { i % 3 ? x : x / 16 * 16 + 14, i % 3 == 1 ? y : y / 16 * 16 + 14,
                             (int32_t)between(&random, 1, 6), (int32_t)between(&random, 1, 6) };
        struct view *next = scenery_holes(view, hole);

        view_drop(view);
        view = next;
    }
    return view;
}

static const struct pick_options by_size = { .components = true,
                                             .component = { .lod0_screen_size = 2, .forced = -1 } };
static const struct pick_options by_section = {
    .components = true, .component = { .lod0_screen_size = 1.5, .forced = -1, .per_section = true }
};
static const struct pick_options by_distance = { .quadtree = { .split = SPLIT_DISTANCE,
                                                               .factor = 1.2,
                                                               .leaf = 16,
                                                               .grid = 16,
                                                               .balance = 1,
                                                               .merge_angle = -1 } };
static const struct pick_options by_ranges = { .quadtree = { .split = SPLIT_RANGES,
                                                             .factor = 5,
                                                             .leaf = 8,
                                                             .grid = 8,
                                                             .balance = 3,
                                                             .merge_angle = -1 } };
static const struct pick_options by_error = { .quadtree = { .split = SPLIT_ERROR,
                                                            .pixel_error = 2,
                                                            .leaf = 16,
                                                            .grid = 8,
                                                            .balance = 0,
                                                            .merge_angle = -1 } };
static const struct pick_options merged = { .quadtree = { .split = SPLIT_DISTANCE,
                                                          .factor = 1.5,
                                                          .leaf = 32,
                                                          .grid = 32,
                                                          .balance = 2,
                                                          .merge_angle = 4,
                                                          .half_step = true } };

static const struct {
    int geometry;
    const struct pick_options *options;
    int cameras; /* the others are soaked */
} ways[] = {
    { RENDER_GEOMETRY_component, &by_size, 50 },    { RENDER_GEOMETRY_component, &by_section, 25 },
    { RENDER_GEOMETRY_quadtree, &by_distance, 50 }, { RENDER_GEOMETRY_quadtree, &by_ranges, 15 },
    { RENDER_GEOMETRY_quadtree, &by_error, 10 },    { RENDER_GEOMETRY_quadtree, &merged, 10 }
};

enum { WAYS = sizeof ways / sizeof ways[0] };

static void set_way(struct picture *picture, int way)
{
    picture->geometry = ways[way].geometry;
    picture->lod_said = true;
    picture->lod = *ways[way].options;
}

static void components_and_nodes_have_no_crack(void **state)
{
    struct view *views[2] = { scenery_mountains(379, 10), trembling(scenery_mountains(379, 10)) };

    for (int way = 0; way < WAYS; way++)
        for (int k = 0; k < 2; k++) {
            int some = k ? (ways[way].cameras + 3) / 4 : ways[way].cameras;
            uint32_t random = 11;

            for (int i = 0; i < (getenv("LANDSCAPED_SOAK") ? 50 : some); i++) {
                struct picture picture = look_down(views[k], &random);

                set_way(&picture, way);
                expect_whole(*state, views[k], &picture, i);
            }
        }
    view_drop(views[0]);
    view_drop(views[1]);
}

/* What is drawn is what the selection says, triangle by triangle. */
static void what_is_drawn_is_what_is_selected(void **state)
{
    struct view *views[2] = { scenery_mountains(379, 10), torn_mountains(361) };

    for (int way = 0; way < WAYS; way++) {
        uint32_t random = 5;

        for (int i = 0; i < 6; i++) {
            const struct view *view = views[i % 2];
            struct picture picture = look_down(view, &random);
            struct pick_options options = *ways[way].options;
            struct frustum frustum = { .farthest = 1e12 };
            struct renderer_numbers before, after;
            struct extent extent;
            struct picks picks;
            struct fault why;

            set_way(&picture, way);
            options.width = options.height = SIDE;
            extent_of(view, &extent);
            assert_true(camera_look(&picture.camera, &extent, SIDE, SIDE, &frustum.look, &why));
            assert_true(pick(view, NULL, &frustum, &options, &picks, &why));
            renderer_numbers(*state, &before);
            free(studio_draw(*state, view, &picture));
            renderer_numbers(*state, &after);
            assert_int_equal(after.ground - before.ground, picks.triangles);
            /* sections are drawn apart even where they agree */
            assert_int_equal(after.patches - before.patches,
                             options.component.per_section
                                 ? picks.visible * view->settings->layout.sections *
                                       view->settings->layout.sections
                                 : picks.draws);
            assert_true(after.draws - before.draws <= (after.patches - before.patches) * 5);
            picks_free(&picks);
        }
    }
    view_drop(views[0]);
    view_drop(views[1]);
}

/* From the side, so that ridges stand against the sky. */
static struct picture look_across(const struct view *view, uint32_t *random)
{
    struct picture picture = studio_picture(SIDE, SIDE);
    struct extent extent;

    extent_of(view, &extent);
    picture.camera.kind = CAMERA_ORBIT;
    picture.camera.azimuth = between(random, 0, 360);
    picture.camera.elevation = between(random, 2, 12);
    picture.camera.distance = 0.9 * (extent.high[0] - extent.low[0]);
    picture.camera.fov = 35;
    for (int axis = 0; axis < 3; axis++)
        picture.camera.target[axis] = (extent.low[axis] + extent.high[axis]) / 2;
    picture.output = RENDER_OUTPUT_depth;
    picture.open_sides = true;
    return picture;
}

static double side_of(const double a[2], const double b[2], double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Marks the pixels whose middle a triangle covers. */
static void cover(const double at[3][2], uint8_t *mask)
{
    double low[2], high[2];

    for (int axis = 0; axis < 2; axis++) {
        low[axis] = fmin(at[0][axis], fmin(at[1][axis], at[2][axis]));
        high[axis] = fmax(at[0][axis], fmax(at[1][axis], at[2][axis]));
    }
    for (int32_t y = (int32_t)fmax(low[1], 0); y <= high[1] && y < SIDE; y++)
        for (int32_t x = (int32_t)fmax(low[0], 0); x <= high[0] && x < SIDE; x++) {
            double a = side_of(at[0], at[1], x + 0.5, y + 0.5);
            double b = side_of(at[1], at[2], x + 0.5, y + 0.5);
            double c = side_of(at[2], at[0], x + 0.5, y + 0.5);

            if ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0))
                mask[y * SIDE + x] = 1;
        }
}

/* Where the mesh of a selection is, as POST mesh makes it, seen by the picture's camera. */
static void expected_mask(const struct view *view, const struct picture *picture,
                          const struct pick_options *asked, uint8_t *mask)
{
    struct pick_options options = *asked;
    struct frustum frustum = { .farthest = 1e12 };
    struct extent extent;
    struct picks picks;
    struct mesh mesh;
    struct fault why;

    options.width = options.height = SIDE;
    extent_of(view, &extent);
    assert_true(camera_look(&picture->camera, &extent, SIDE, SIDE, &frustum.look, &why));
    assert_true(pick(view, NULL, &frustum, &options, &picks, &why));
    mesh_init(&mesh, false);
    assert_true(picks_mesh(view, NULL, &options, &picks, INT64_MAX, &mesh, &why));
    memset(mask, 0, SIDE * SIDE);
    for (size_t k = 0; k < mesh.index_count; k += 3) {
        double at[3][2], ahead = 1;

        for (int corner = 0; corner < 3; corner++) {
            const double *vertex = mesh.at[mesh.indices[k + (size_t)corner]];
            double local[3], seen[3];

            grid_to_local(view_grid(view), vertex, local);
            local[2] = grid_metres(view_grid(view), vertex[2]);
            look_at(&frustum.look, local, seen);
            ahead = fmin(ahead, seen[2]);
            at[corner][0] = (1 + seen[0] / seen[2] / frustum.look.half[0]) * SIDE / 2;
            at[corner][1] = (1 - seen[1] / seen[2] / frustum.look.half[1]) * SIDE / 2;
        }
        if (ahead > 0)
            cover(at, mask);
    }
    mesh_free(&mesh);
    picks_free(&picks);
}

static void expect_where_the_mesh_is(struct renderer *renderer, const struct view *view,
                                     const struct picture *picture, int way, int number)
{
    static uint8_t mask[SIDE * SIDE];
    uint8_t *pixels = studio_draw(renderer, view, picture);
    int32_t ground = 0, apart = 0;

    expected_mask(view, picture, &picture->lod, mask);
    for (int32_t k = 0; k < SIDE * SIDE; k++) {
        ground += mask[k];
        apart += ground_at(pixels, k % SIDE, k / SIDE) != (mask[k] != 0);
    }
    assert_true(ground > SIDE * SIDE / 20);
    if (apart > 2)
        fail_msg("way %d, picture %d: %d of %d pixels differ", way, number, apart, ground);
    free(pixels);
}

/* Vertices are placed on both sides alike: so is every ridge against the sky, to the pixel. */
static void shaders_place_vertices_as_the_core_does(void **state)
{
    struct view *views[4] = { scenery_mountains(379, 10), torn_mountains(379),
                              trembling(scenery_mountains(379, 10)), swaying_rags(379) };

    for (int way = 0; way < WAYS; way++) {
        uint32_t random = 23;

        for (int i = 0; i < 6; i++) {
            struct picture picture = look_across(views[i % 4], &random);

            set_way(&picture, way);
            expect_where_the_mesh_is(*state, views[i % 4], &picture, way, i);
        }
    }
    for (int k = 0; k < 4; k++)
        view_drop(views[k]);
}

/* Beside holes borders take the vertices of finer neighbours, wherever those have been moved. */
static void holes_move_with_the_ground_around_them(void **state)
{
    struct view *view = swaying_rags(379);

    for (int way = 0; way < WAYS; way++) {
        uint32_t random = 77;

        for (int i = 0; i < (getenv("LANDSCAPED_SOAK") ? 50 : 10); i++) {
            struct picture picture = look_down(view, &random);

            picture.camera.fov = 30;
            set_way(&picture, way);
            expect_where_the_mesh_is(*state, view, &picture, way, i);
        }
    }
    view_drop(view);
}

/* As hues.glsl, mode_lod.glsl and mode_patches.glsl have it. */
static void expected_hue(int mode, double lod, int32_t number, double rgb[3])
{
    double at = mode == RENDER_MODE_lod ? 0.02 + 0.085 * lod : number * 0.61803399 + 0.08;
    double strength = mode == RENDER_MODE_lod ? 0.66 : 0.62;
    double light = mode == RENDER_MODE_lod ? 1.02 - 0.03 * lod : number & 1 ? 0.86 : 1;

    for (int c = 0; c < 3; c++) {
        double wave = 0.5 + 0.5 * cos(6.2831853 * (at + (c == 1 ? -0.3333 : c == 2 ? 0.3333 : 0)));

        rgb[c] = light * (0.62 + (wave - 0.62) * strength);
    }
}

/* A pixel has a hue, in the light that level ground is shown in. */
static bool has_hue(const uint8_t *pixel, const double rgb[3], double light)
{
    for (int c = 0; c < 3; c++)
        if (fabs(pixel[c] - fmin(255, 255 * rgb[c] * light)) > 2.5)
            return false;
    return true;
}

/* The level and the number of what is selected are shown in the middle of it, as POST lod has them.
 */
static void patches_are_coloured_as_they_are_selected(void **state)
{
    static const int shown[2] = { RENDER_MODE_lod, RENDER_MODE_patches };
    struct view *view = scenery_plain(379, 10, 32768);
    const double eye[3] = { -300, -300, 900 }, target[3] = { 1900, 1900, 0 };
    const double light = 0.50 + 0.58 * sin(45 * 3.14159265 / 180);
    int32_t seen = 0;

    for (int way = 0; way < WAYS; way++)
        for (int m = 0; m < 2; m++) {
            struct picture picture = studio_from(SIDE, SIDE, eye, target, 50);
            struct pick_options options = *ways[way].options;
            struct frustum frustum = { .farthest = 1e12 };
            int32_t number = 0;
            struct extent extent;
            struct picks picks;
            struct fault why;
            uint8_t *pixels;

            set_way(&picture, way);
            picture.mode = shown[m];
            picture.samples = 1;
            picture.open_sides = true;
            options.width = options.height = SIDE;
            extent_of(view, &extent);
            assert_true(camera_look(&picture.camera, &extent, SIDE, SIDE, &frustum.look, &why));
            assert_true(pick(view, NULL, &frustum, &options, &picks, &why));
            pixels = studio_draw(*state, view, &picture);
            for (size_t i = 0; i < picks.count && !options.component.per_section; i++) {
                const struct patch *patch = &picks.patches[i];
                const double half = patch->size / 2.0;
                double local[3], ahead[3], rgb[3];
                int32_t x, y;

                grid_to_local(view_grid(view),
                              (const double[2]){ patch->x + half, patch->y + half }, local);
                local[2] = 0;
                look_at(&frustum.look, local, ahead);
                x = (int32_t)floor((1 + ahead[0] / ahead[2] / frustum.look.half[0]) * SIDE / 2);
                y = (int32_t)floor((1 - ahead[1] / ahead[2] / frustum.look.half[1]) * SIDE / 2);
                if (!patch->visible)
                    continue;
                expected_hue(shown[m], fmin(patch->lod, 9), number++, rgb);
                if (ahead[2] <= 0 || x < 1 || y < 1 || x >= SIDE - 1 || y >= SIDE - 1 ||
                    patch->x + patch->size > 378 || patch->y + patch->size > 378 ||
                    half * 10 / ahead[2] * SIDE < 6)
                    continue;
                seen++;
                if (!has_hue(pixels + 4 * (y * SIDE + x), rgb, light))
                    fail_msg("way %d, %s: patch %d at (%d, %d) is coloured otherwise", way,
                             render_mode_names[shown[m]], number - 1, x, y);
            }
            free(pixels);
            picks_free(&picks);
        }
    assert_true(seen >= 20); /* on level ground some ways have few */
    view_drop(view);
}

static bool near_ground(const uint8_t *pixels, int32_t x, int32_t y)
{
    for (int32_t j = y - 1; j <= y + 1; j++)
        for (int32_t i = x - 1; i <= x + 1; i++)
            if (i < 0 || j < 0 || i >= SIDE || j >= SIDE || ground_at(pixels, i, j))
                return true;
    return false;
}

static int32_t beyond_a_pixel(const uint8_t *pixels, const uint8_t *others)
{
    int32_t count = 0;

    for (int32_t k = 0; k < SIDE * SIDE; k++)
        count += ground_at(pixels, k % SIDE, k / SIDE) && !near_ground(others, k % SIDE, k / SIDE);
    return count;
}

/* With errors of a pixel allowed, silhouettes are within a pixel of those of every quad. */
static void silhouettes_are_within_a_pixel(void **state)
{
    static const struct pick_options fine[3] = {
        { .components = true, .component = { .lod0_screen_size = 0.15, .forced = -1 } },
        { .components = true,
          .component = { .lod0_screen_size = 0.15, .forced = -1, .per_section = true } },
        { .quadtree = { .split = SPLIT_ERROR,
                        .pixel_error = 1,
                        .leaf = 16,
                        .grid = 16,
                        .balance = 1,
                        .merge_angle = -1 } }
    };
    static const int geometries[4] = { RENDER_GEOMETRY_component, RENDER_GEOMETRY_component,
                                       RENDER_GEOMETRY_quadtree, RENDER_GEOMETRY_auto };
    struct view *views[2] = { scenery_mountains(379, 10), trembling(scenery_mountains(379, 10)) };
    uint32_t random = 31;

    for (int i = 0; i < 8; i++) {
        const struct view *view = views[i / 4];
        struct picture picture = look_across(view, &random);
        uint8_t *full;

        picture.geometry = RENDER_GEOMETRY_full;
        full = studio_draw(*state, view, &picture);
        for (int k = 0; k < 4; k++) {
            uint8_t *pixels;

            picture.geometry = geometries[k];
            picture.lod_said = k < 3;
            picture.lod = fine[k % 3];
            pixels = studio_draw(*state, view, &picture);
            /* Auto hangs its sides from the ground in any case, and errs by a pixel in thousands.
             */
            if (k < 3)
                assert_int_equal(beyond_a_pixel(pixels, full), 0);
            assert_true(beyond_a_pixel(full, pixels) <= (k < 3 ? 0 : 2));
            free(pixels);
        }
        free(full);
    }
    view_drop(views[0]);
    view_drop(views[1]);
}

static int open_studio(void **state)
{
    *state = studio_open(1, NULL);
    return *state ? 0 : -1;
}

static int close_studio(void **state)
{
    renderer_stop(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_is_what_auto_comes_close_to),
        cmocka_unit_test(full_has_no_crack),
        cmocka_unit_test(components_and_nodes_have_no_crack),
        cmocka_unit_test(what_is_drawn_is_what_is_selected),
        cmocka_unit_test(shaders_place_vertices_as_the_core_does),
        cmocka_unit_test(holes_move_with_the_ground_around_them),
        cmocka_unit_test(patches_are_coloured_as_they_are_selected),
        cmocka_unit_test(silhouettes_are_within_a_pixel),
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}
