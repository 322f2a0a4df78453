/* What is told of each pixel besides its colour, against the core's own answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/query/ray.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

/* Rays a side of a pixel. */
enum { RAYS = 5, WIDTH = 128, HEIGHT = 96 };

/* How far from a pixel's middle its ray may have passed, in pixels, and how many pixels of a
 * picture may be wrong by more: what is drawn with few triangles lies a little beside the surface.
 */
static const struct {
    int geometry;
    double pixels;
    int wrong;
} cases[] = { { RENDER_GEOMETRY_auto, 0.75, WIDTH *HEIGHT / 200 } };

static const double metre[3] = { 1, 1, 1 };

struct seen {
    struct look look;
    struct extent extent;
};

static struct ray ray_through(const struct view *view, const struct seen *seen,
                              const struct picture *picture, double x, double y)
{
    const double across = (2 * x / picture->width - 1) * seen->look.half[0];
    const double up = (1 - 2 * y / picture->height) * seen->look.half[1];
    const struct grid *grid = view_grid(view);
    struct ray ray = { .reach = INFINITY };

    grid_from_local(grid, seen->look.eye, ray.from);
    ray.from[2] = seen->look.eye[2];
    for (int i = 0; i < 3; i++) {
        ray.along[i] = seen->look.forward[i] + across * seen->look.right[i] + up * seen->look.up[i];
        if (i < 2)
            ray.along[i] /= grid->scale[i];
    }
    return ray;
}

struct bounds {
    double low, high;
    int hits;
};

/* What the rays around a pixel meet: metres ahead (t, as along is one ahead), and heights. */
static void bounds_of(const struct ray_hit *hits, struct bounds *ahead, struct bounds *z)
{
    *ahead = *z = (struct bounds){ HUGE_VAL, -HUGE_VAL, 0 };
    for (int i = 0; i < RAYS * RAYS; i++) {
        if (hits[i].status != RAY_HIT)
            continue;
        ahead->hits++;
        ahead->low = fmin(ahead->low, hits[i].t);
        ahead->high = fmax(ahead->high, hits[i].t);
        z->low = fmin(z->low, hits[i].at[2]);
        z->high = fmax(z->high, hits[i].at[2]);
    }
}

static void cast_around(const struct view *view, const struct seen *seen,
                        const struct picture *picture, double pixels, struct ray_hit *hits)
{
    const size_t count = (size_t)WIDTH * HEIGHT * RAYS * RAYS;
    struct ray *rays = malloc(count * sizeof *rays), *ray = rays;
    struct fault why;

    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++)
            for (int i = 0; i < RAYS * RAYS; i++)
                *ray++ = ray_through(view, seen, picture,
                                     x + 0.5 + pixels * (2.0 * (i % RAYS) / (RAYS - 1) - 1),
                                     y + 0.5 + pixels * (2.0 * (i / RAYS) / (RAYS - 1) - 1));
    assert_true(ray_cast(view, NULL, rays, count, &(struct ray_ways){ 0 }, hits, NULL, &why));
    free(rays);
}

static void *data_of(struct renderer *renderer, const struct view *view, struct picture *picture,
                     int output)
{
    picture->output = output;
    return studio_draw(renderer, view, picture);
}

static void expect_rays(struct renderer *renderer, const struct view *view, struct picture *picture,
                        double pixels, int most_wrong)
{
    const size_t count = (size_t)WIDTH * HEIGHT;
    struct ray_hit *hits = malloc(count * RAYS * RAYS * sizeof *hits);
    float *depth = data_of(renderer, view, picture, RENDER_OUTPUT_depth);
    float *height = data_of(renderer, view, picture, RENDER_OUTPUT_height);
    uint32_t *id = data_of(renderer, view, picture, RENDER_OUTPUT_id);
    struct seen seen;
    struct fault why;
    int ground = 0, wrong = 0;

    extent_of(view, &seen.extent);
    assert_true(camera_look(&picture->camera, &seen.extent, WIDTH, HEIGHT, &seen.look, &why));
    cast_around(view, &seen, picture, pixels, hits);
    for (size_t i = 0; i < count; i++) {
        struct bounds ahead, z;

        bounds_of(hits + i * RAYS * RAYS, &ahead, &z);
        assert_int_equal(isinf(depth[i]), isnan(height[i]));
        assert_int_equal(isinf(depth[i]), id[i] == 0);
        if (isinf(depth[i])) {
            wrong += ahead.hits == RAYS * RAYS;
            continue;
        }
        ground++;
        wrong += !(depth[i] > ahead.low * (1 - 1e-5) - 1e-3 &&
                   depth[i] < ahead.high * (1 + 1e-5) + 1e-3 && height[i] > z.low - 0.05 &&
                   height[i] < z.high + 0.05);
    }
    if (wrong > most_wrong)
        fail_msg("%d pixels of %d are not what the rays around them meet", wrong, WIDTH * HEIGHT);
    assert_true(ground > WIDTH * HEIGHT / 3);
    free(hits);
    free(depth);
    free(height);
    free(id);
}

static void depth_and_height_are_what_rays_meet(void **state)
{
    struct view *view = scenery_mountains(255, 10);
    static const double eyes[][3] = { { 300, 300, 500 }, { 1270, 1270, 700 }, { 2300, 400, 900 } };
    static const double targets[][3] = { { 1500, 1400, 0 },
                                         { 2300, 1900, 100 },
                                         { 1200, 1300, -200 } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof eyes / sizeof *eyes; k++) {
            struct picture picture = studio_from(WIDTH, HEIGHT, eyes[k], targets[k], 45);

            picture.geometry = cases[i].geometry;
            expect_rays(*state, view, &picture, cases[i].pixels, cases[i].wrong);
        }
    view_drop(view);
}

enum { SPIKE_X = 40, SPIKE_Y = 23, SPIKE_SIDE = 64 };

static uint16_t spike_heights[SPIKE_SIDE * SPIKE_SIDE];

/* One vertex 50 m above a plain, from right above, a pixel on each vertex. */
static void a_spike_is_at_its_pixel(void **state)
{
    struct view *view;
    struct picture picture;
    float *height, *depth;
    uint8_t *colours;

    for (int i = 0; i < SPIKE_SIDE * SPIKE_SIDE; i++)
        spike_heights[i] = 32768;
    spike_heights[SPIKE_Y * SPIKE_SIDE + SPIKE_X] = 32768 + 50 * 128;
    view = scenery_of(SPIKE_SIDE, SPIKE_SIDE, spike_heights, metre);
    picture = studio_map(view, SPIKE_SIDE, SPIKE_SIDE);
    picture.camera.target[0] = picture.camera.target[1] = (SPIKE_SIDE - 1) / 2.0;
    height = data_of(*state, view, &picture, RENDER_OUTPUT_height);
    depth = data_of(*state, view, &picture, RENDER_OUTPUT_depth);
    for (int y = 1; y < SPIKE_SIDE - 1; y++)
        for (int x = 1; x < SPIKE_SIDE - 1; x++) {
            const double right = x == SPIKE_X && y == SPIKE_Y ? 50 : 0;

            assert_true(fabs(height[y * SPIKE_SIDE + x] - right) < 0.01);
            assert_true(fabs(depth[y * SPIKE_SIDE + x] - depth[SPIKE_SIDE + 1] + right) < 0.01);
        }
    /* In colours too: everywhere else the plain has one. */
    picture.output = RENDER_OUTPUT_colour;
    picture.mode = RENDER_MODE_hillshade;
    picture.by_gl = true;
    colours = studio_draw(*state, view, &picture);
    for (int y = 4; y < SPIKE_SIDE - 4; y++)
        for (int x = 4; x < SPIKE_SIDE - 4; x++)
            if (abs(x - SPIKE_X) > 3 || abs(y - SPIKE_Y) > 3)
                assert_true(studio_alike(colours + 4 * (y * SPIKE_SIDE + x),
                                         colours + 4 * (5 * SPIKE_SIDE + 5), 1));
    free(height);
    free(depth);
    free(colours);
    view_drop(view);
}

static uint16_t rising(int32_t x, int32_t y)
{
    return (uint16_t)(30000 + 128 * x + 64 * y);
}

/* On a plane of slopes 1 east and 1/2 south every normal is (-1, -1/2, 1) / 1.5; triangles have
 * their numbers. */
static void normals_and_triangles_are_the_ground_s(void **state)
{
    static uint16_t heights[64 * 64];
    struct view *view;
    struct picture picture;
    int8_t *normal;
    uint32_t *id;

    for (int i = 0; i < 64 * 64; i++)
        heights[i] = rising(i % 64, i / 64);
    view = scenery_of(64, 64, heights, metre);
    picture = studio_map(view, 63 * 4, 63);
    picture.camera.target[0] = picture.camera.target[1] = 31.5;
    normal = data_of(*state, view, &picture, RENDER_OUTPUT_normal);
    id = data_of(*state, view, &picture, RENDER_OUTPUT_id);
    for (int y = 0; y < 63 * 4; y++)
        for (int x = 0; x < 63 * 4; x++) {
            const size_t at = (size_t)(y * 63 * 4 + x);
            const double column = (x + 0.5) / 4, row = (y + 0.5) / 4;
            const double part[2] = { column - floor(column), row - floor(row) };
            const int64_t columns = view_grid(view)->columns;
            const uint32_t quad = (uint32_t)(floor(row) * (double)(columns - 1) + floor(column));

            if (x > 4 && x < 62 * 4 && y > 4 && y < 62 * 4) { /* at the border half is missing */
                assert_true(abs(normal[4 * at] + 85) <= 1 && abs(normal[4 * at + 1] + 42) <= 1);
                assert_true(abs(normal[4 * at + 2] - 85) <= 1 && normal[4 * at + 3] == 127);
            }
            if (fabs(part[0] - part[1]) > 0.01)
                assert_int_equal(id[at], 1 + 2 * quad + (part[1] > part[0]));
        }
    free(normal);
    free(id);
    view_drop(view);
}

/* Where there is ground the colours are those of the opaque picture; elsewhere there is nothing. */
static void nothing_is_where_there_is_no_ground(void **state)
{
    struct view *view = scenery_mountains(127, 10);
    struct picture picture = studio_picture(WIDTH, HEIGHT);
    uint8_t *opaque = studio_draw(*state, view, &picture), *clear;
    float *depth;
    int ground = 0, sky = 0;

    picture.transparent = true;
    clear = studio_draw(*state, view, &picture);
    depth = data_of(*state, view, &picture, RENDER_OUTPUT_depth);
    /* Numbers are drawn more finely than colours, and edges are smoothed: two pixels around. */
    for (int y = 2; y < HEIGHT - 2; y++)
        for (int x = 2; x < WIDTH - 2; x++) {
            const int at = y * WIDTH + x;
            int around = 0;

            for (int i = 0; i < 25; i++)
                around += !isinf(depth[at + (i / 5 - 2) * WIDTH + i % 5 - 2]);
            if (around == 0)
                assert_int_equal(clear[4 * at + 3], 0);
            if (around == 25) {
                assert_int_equal(clear[4 * at + 3], 255);
                ground++;
            }
            sky += around == 0;
            assert_int_equal(opaque[4 * at + 3], 255);
        }
    assert_true(ground > 1000 && sky > 1000);
    free(opaque);
    free(clear);
    free(depth);
    view_drop(view);
}

/* Each pixel of a panorama is what a small picture in that direction shows in its middle. */
static void a_panorama_looks_in_every_direction(void **state)
{
    struct view *view = scenery_mountains(255, 10);
    struct picture picture = studio_picture(256, 128), one = studio_picture(9, 9);
    const double eye[3] = { 1270, 1270, 450 };
    float *all;
    int compared = 0;

    picture.camera = (struct camera){ .kind = CAMERA_PANORAMA };
    memcpy(picture.camera.position, eye, sizeof eye);
    all = data_of(*state, view, &picture, RENDER_OUTPUT_depth);
    for (int y = 5; y < 128; y += 14)
        for (int x = 3; x < 256; x += 40) {
            double direction[3];
            float *there, metres = all[y * 256 + x];

            camera_direction(360 * (x + 0.5) / 256 - 180, 90 - 180 * (y + 0.5) / 128, direction);
            one.camera = (struct camera){ .kind = CAMERA_PERSPECTIVE, .fov = 9 * 1.4 };
            for (int i = 0; i < 3; i++) {
                one.camera.position[i] = eye[i];
                one.camera.target[i] = eye[i] + 100 * direction[i];
            }
            there = data_of(*state, view, &one, RENDER_OUTPUT_depth);
            if (isinf(metres)) {
                int sky = 0;

                for (int i = 0; i < 81; i++)
                    sky += isinf(there[i]) != 0;
                assert_true(sky > 0);
            } else {
                double low = HUGE_VAL, high = 0;

                for (int i = 0; i < 81; i++)
                    if (abs(i % 9 - 4) < 3 && abs(i / 9 - 4) < 3) {
                        low = fmin(low, there[i]);
                        high = fmax(high, there[i]);
                    }
                assert_true(metres > low * 0.98 && metres < high * 1.02);
                compared++;
            }
            free(there);
        }
    assert_true(compared > 15);
    free(all);
    view_drop(view);
}

static int begin(void **state)
{
    *state = studio_open(1, NULL);
    return 0;
}

static int end(void **state)
{
    renderer_stop(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_and_height_are_what_rays_meet),
        cmocka_unit_test(a_spike_is_at_its_pixel),
        cmocka_unit_test(normals_and_triangles_are_the_ground_s),
        cmocka_unit_test(nothing_is_where_there_is_no_ground),
        cmocka_unit_test(a_panorama_looks_in_every_direction),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
