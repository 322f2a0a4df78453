/* A picture that needs more textures than there is room for is drawn in passes, and is the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/render/scenery.h"
#include "tests/render/studio.h"

enum { SIDE = 192, PAINTS = 11 };

/* One with as little room as there can be, and one with plenty. */
struct pair {
    struct renderer *little, *plenty;
};

static struct renderer *open_with(int64_t texture_bytes)
{
    struct renderer_options options = { .workers = 1,
                                        .deadline = 120,
                                        .waiting_most = 8,
                                        .pixels_most = 1 << 26,
                                        .texture_bytes = texture_bytes,
                                        .program = "./landscaped-render" };
    struct renderer *renderer = NULL;
    struct fault why;

    if (!renderer_start(&options, &renderer, &why))
        fail_msg("no renderer: %s", why.detail);
    return renderer;
}

static struct view *next(struct view *view, struct view *newer)
{
    view_drop(view);
    return newer;
}

/* Each square of it painted in all layers. */
static struct view *painted(int32_t side)
{
    struct view *view = scenery_mountains(side, 10);

    for (int i = 0; i < PAINTS; i++) {
        char name[8];

        snprintf(name, sizeof name, "p%d", i);
        view = next(view, scenery_paint_layer(view, name));
        view = next(view, scenery_paint(view, name, (struct rect){ i, i, side - 40, side - 40 },
                                        (uint8_t)(60 + 10 * i)));
        for (int32_t at = 9 * i; at < side - 140; at += 128)
            view = next(view, scenery_paint(view, name, (struct rect){ at, at, 99, 99 }, 90));
    }
    return view;
}

static int64_t loaded(struct renderer *renderer)
{
    struct renderer_numbers numbers;

    renderer_numbers(renderer, &numbers);
    return numbers.tiles_loaded;
}

/* Drawn twice with little room: tiles are loaded again for each, as they push each other out. */
static void expect_same(struct pair *pair, const struct view *view, const struct picture *picture,
                        const char *what)
{
    uint8_t *little = studio_draw(pair->little, view, picture);
    uint8_t *plenty = studio_draw(pair->plenty, view, picture);
    size_t bytes = (size_t)picture->width * (size_t)picture->height * 4, apart = 0;
    int64_t before = loaded(pair->little);

    for (size_t i = 0; i < bytes; i++)
        apart += little[i] != plenty[i];
    if (apart)
        fail_msg("%s, %s: %zu of %zu bytes differ", render_geometries[picture->geometry], what,
                 apart, bytes);
    free(little);
    little = studio_draw(pair->little, view, picture);
    if (loaded(pair->little) == before)
        fail_msg("%s, %s: there was room for all", render_geometries[picture->geometry], what);
    free(plenty);
    free(little);
}

static const struct pick_options finest = { .component = { .forced = 0 },
                                            .quadtree = { .split = SPLIT_DISTANCE,
                                                          .factor = 40,
                                                          .leaf = 64,
                                                          .grid = 64,
                                                          .balance = 1,
                                                          .merge_angle = -1 } };

static void large_ground_in_full_detail(void **state)
{
    struct view *view = scenery_mountains(505, 5);
    static const int all[3] = { RENDER_GEOMETRY_full, RENDER_GEOMETRY_component,
                                RENDER_GEOMETRY_quadtree };

    for (int i = 0; i < 3; i++) {
        struct picture picture = studio_picture(SIDE, SIDE);

        picture.geometry = all[i];
        picture.lod = finest;
        picture.lod_said = true;
        picture.output = RENDER_OUTPUT_depth;
        expect_same(*state, view, &picture, "depth");
    }
    view_drop(view);
}

static void paint_of_many_layers(void **state)
{
    struct view *view = painted(505);

    for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
        struct picture picture = studio_picture(520, 520);

        picture.geometry = geometry;
        picture.camera.elevation = 75;
        picture.light.shadows = picture.light.occlusion = 1;
        expect_same(*state, view, &picture, "surfaces");
    }
    view_drop(view);
}

/* Larger than is drawn at once: each part has passes of its own. */
static void parts_of_a_large_picture(void **state)
{
    struct view *view = painted(505);
    struct picture picture = studio_picture(2100, 400);

    picture.camera.elevation = 50;
    picture.geometry = RENDER_GEOMETRY_component;
    expect_same(*state, view, &picture, "parts");
    view_drop(view);
}

/* From a spot on the ground to the horizon, which is drawn in two slices of depth. */
static void near_and_far_ground(void **state)
{
    struct view *view = painted(505);
    const double eye[3] = { 500, 500, 400 }, target[3] = { 4500, 4500, -300 };

    for (int geometry = RENDER_GEOMETRY_full; geometry < RENDER_GEOMETRIES; geometry++) {
        struct picture picture = studio_from(SIDE, SIDE, eye, target, 60);

        picture.geometry = geometry;
        expect_same(*state, view, &picture, "slices");
    }
    view_drop(view);
}

static int open_pair(void **state)
{
    static struct pair pair;

    pair = (struct pair){ open_with(1 << 20), open_with(INT64_C(2) << 30) };
    *state = &pair;
    return 0;
}

static int close_pair(void **state)
{
    struct pair *pair = *state;

    renderer_stop(pair->little);
    renderer_stop(pair->plenty);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_ground_in_full_detail),
        cmocka_unit_test(paint_of_many_layers),
        cmocka_unit_test(parts_of_a_large_picture),
        cmocka_unit_test(near_and_far_ground),
    };

    return cmocka_run_group_tests(tests, open_pair, close_pair);
}
