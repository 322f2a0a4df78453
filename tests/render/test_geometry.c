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

enum { SIDE = 128 };

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
static void expect_no_crack(struct renderer *renderer, const struct view *view, int geometry)
{
    uint32_t random = 11;
    int32_t looked_at = 0;

    for (int i = 0; i < 50; i++) {
        struct picture picture = look_down(view, &random);
        uint8_t *pixels;

        picture.geometry = geometry;
        pixels = studio_draw(renderer, view, &picture);
        for (int32_t y = 1; y < SIDE - 1; y++)
            for (int32_t x = 1; x < SIDE - 1; x++) {
                int around = 0;

                for (int k = 0; k < 9; k++)
                    around += k != 4 && ground_at(pixels, x + k % 3 - 1, y + k / 3 - 1);
                looked_at += around == 8;
                if (around == 8 && !ground_at(pixels, x, y))
                    fail_msg("picture %d has a crack at (%d, %d)", i, x, y);
            }
        free(pixels);
    }
    assert_true(looked_at > 50 * SIDE * SIDE / 4);
}

static void full_has_no_crack(void **state)
{
    struct view *view = scenery_mountains(505, 10);

    expect_no_crack(*state, view, RENDER_GEOMETRY_full);
    view_drop(view);
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
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}
