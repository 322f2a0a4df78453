/* Ground that XY offsets move is drawn where it stands, and as it faces there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/render/scenery.h"
#include "tests/render/studio.h"

enum { SIDE = 64, QUADS = 505, RIDGE = 60, MOVED = 110 };

static const uint16_t low = 30000, high = 36400; /* 50 m higher */

static const struct pick_options coarse = { .components = true,
                                            .component = { .lod0_screen_size = 2, .forced = -1 },
                                            .quadtree = { .split = SPLIT_ERROR,
                                                          .pixel_error = 2,
                                                          .leaf = 16,
                                                          .grid = 16,
                                                          .balance = 1,
                                                          .merge_angle = -1 } };

static void set_geometry(struct picture *picture, int geometry)
{
    picture->geometry = geometry;
    picture->lod_said = geometry == RENDER_GEOMETRY_quadtree;
    picture->lod = coarse;
}

static float number_at(const uint8_t *pixels, int32_t x, int32_t y)
{
    float number;

    memcpy(&number, pixels + 4 * (y * SIDE + x), sizeof number);
    return number;
}

/* A ridge from north to south, and it alone, goes east. */
static void move_ridge(int32_t x, int32_t y, double quads[2])
{
    (void)y;
    quads[0] = x >= RIDGE - 8 && x <= RIDGE + 8 ? MOVED : 0;
    quads[1] = 0;
}

static void a_ridge_that_is_moved_into_the_picture_is_drawn(void **state)
{
    struct view *plain = scenery_plain(QUADS, 1, low);
    struct view *ridge = scenery_change(plain, (struct rect){ RIDGE - 4, 0, 9, QUADS }, high);
    struct view *moved = scenery_moved(ridge, move_ridge);

    for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++)
        for (int low_down = 0; low_down < 2; low_down++) {
            const double eye[3] = { RIDGE + MOVED, 250, 800 },
                         target[3] = { RIDGE + MOVED, 250.01 };
            const double before[3] = { RIDGE + MOVED, 100, -8 },
                         ahead[3] = { RIDGE + MOVED, 300, 8 };
            struct picture picture = low_down ? studio_from(SIDE, SIDE, before, ahead, 8)
                                              : studio_from(SIDE, SIDE, eye, target, 0.3);
            uint8_t *pixels;

            set_geometry(&picture, geometry);
            picture.output = low_down ? RENDER_OUTPUT_depth : RENDER_OUTPUT_height;
            picture.open_sides = true;
            pixels = studio_draw(*state, moved, &picture);
            if (low_down) /* inside it, looking along: its flanks are to both sides */
                assert_true(number_at(pixels, 2, SIDE / 2) > 0 &&
                            number_at(pixels, 2, SIDE / 2) < 1000);
            else
                assert_float_equal(number_at(pixels, SIDE / 2, SIDE / 2), (high - 32768) / 128.0,
                                   0.1);
            free(pixels);
        }
    view_drop(moved);
    view_drop(ridge);
    view_drop(plain);
}

/* Half a quad east for each row. */
static void shear(int32_t x, int32_t y, double quads[2])
{
    (void)x;
    quads[0] = (y - 126) / 2.0;
    quads[1] = 0;
}

/* A plane that rises 5 in 32 to the east is sheared: it then falls half as much to the south. */
static void a_sheared_plane_faces_one_way(void **state)
{
    enum { COLUMNS = 253 };
    uint16_t *codes = malloc(sizeof *codes * COLUMNS * COLUMNS);
    const double rise = 20 / 128.0, length = sqrt(1 + rise * rise + rise * rise / 4);
    const double normal[3] = { -rise / length, rise / 2 / length, 1 / length };
    struct view *plane, *moved;

    for (int32_t i = 0; i < COLUMNS * COLUMNS; i++)
        codes[i] = (uint16_t)(20000 + 20 * (i % COLUMNS));
    plane = scenery_of(COLUMNS, COLUMNS, codes, (const double[3]){ 1, 1, 1 });
    moved = scenery_moved(plane, shear);
    for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
        struct picture picture = studio_map(moved, SIDE, 100);
        uint8_t *pixels;

        set_geometry(&picture, geometry);
        picture.output = RENDER_OUTPUT_normal;
        pixels = studio_draw(*state, moved, &picture);
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            for (int axis = 0; axis < 3; axis++)
                assert_true(fabs((int8_t)pixels[4 * i + axis] - 127 * normal[axis]) <= 1);
        free(pixels);
    }
    free(codes);
    view_drop(plane);
    view_drop(moved);
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

/* The shadow of a ridge that has moved is where that of one is which has always stood there, and no
 * longer where it was; what lies in it is as dark, wherever that has come from. */
static void shadows_fall_from_where_the_ground_stands(void **state)
{
    enum { ACROSS = 500, LEAST = 5 };
    struct view *plain = scenery_plain(QUADS, 1, low), *other = scenery_plain(QUADS, 1, low);
    struct view *here = scenery_change(plain, (struct rect){ RIDGE - 4, 0, 9, QUADS }, high);
    struct view *there =
        scenery_change(other, (struct rect){ RIDGE + MOVED - 4, 0, 9, QUADS }, high);
    struct view *moved = scenery_moved(here, move_ridge);
    const struct view *views[] = { here, there, moved };

    for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
        uint8_t *pixels[3];
        int shaded[3] = { 0 }, alike = 0, where_it_was = 0;

        for (int i = 0; i < 3; i++) {
            struct picture picture = studio_map(here, SIDE, ACROSS);

            set_geometry(&picture, geometry);
            picture.mode = RENDER_MODE_lit;
            picture.light = (struct picture_light){
                .sun_azimuth = 270, .sun_elevation = 25, .shadows = 1, .plain = true
            };
            pixels[i] = studio_draw(*state, views[i], &picture);
        }
        for (int i = 0; i < SIDE * SIDE; i++) {
            bool dark[3];

            for (int k = 0; k < 3; k++) {
                dark[k] = pixels[k][4 * i + 1] < 40;
                shaded[k] += dark[k];
            }
            alike += dark[1] == dark[2];
            where_it_was += dark[0] == dark[2];
        }
        assert_true(shaded[0] > SIDE * LEAST && shaded[1] > SIDE * LEAST);
        assert_true(alike > SIDE * SIDE * 98 / 100);
        assert_true(where_it_was < SIDE * SIDE * 75 / 100);
        for (int i = 0; i < 3; i++)
            free(pixels[i]);
    }
    view_drop(moved);
    view_drop(there);
    view_drop(here);
    view_drop(other);
    view_drop(plain);
}

/* The grid is of metres, wherever the ground has come from. */
static void grid_lines_stay_where_they_are(void **state)
{
    enum { EVERY = 25, ACROSS = 100 };
    struct view *plain = scenery_plain(253, 1, low), *moved = scenery_moved(plain, shear);

    for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
        struct picture picture = studio_map(moved, SIDE, ACROSS);
        uint8_t *bare, *ruled;
        int crossed = 0;

        set_geometry(&picture, geometry);
        picture.mode = RENDER_MODE_unlit;
        bare = studio_draw(*state, moved, &picture);
        picture.overlays.grid = EVERY;
        ruled = studio_draw(*state, moved, &picture);
        for (int32_t y = 0; y < SIDE; y++)
            for (int32_t x = 0; x < SIDE; x++) {
                double east = picture.camera.target[0] + ((x + 0.5) / SIDE - 0.5) * ACROSS;
                double south = picture.camera.target[1] + ((y + 0.5) / SIDE - 0.5) * ACROSS;
                double from_east = fabs(remainder(east, EVERY)) * SIDE / ACROSS;
                double from_south = fabs(remainder(south, EVERY)) * SIDE / ACROSS;
                int change = abs(ruled[4 * (y * SIDE + x) + 1] - bare[4 * (y * SIDE + x) + 1]);

                if (fmin(from_east, from_south) > 1.6)
                    assert_in_range(change, 0, 3);
                else if (fmin(from_east, from_south) < 0.4)
                    assert_true(change > 10);
                crossed += change > 10;
            }
        assert_true(crossed > 4 * SIDE);
        free(ruled);
        free(bare);
    }
    view_drop(moved);
    view_drop(plain);
}

/* Wherever it is looked at from. */
static void fit_shows_all_of_the_moved_ground(void **state)
{
    struct view *plain = scenery_plain(253, 1, low), *moved = scenery_moved(plain, shear);

    for (int i = 0; i < 5; i++)
        for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
            struct picture picture = { .width = SIDE,
                                       .height = SIDE,
                                       .output = RENDER_OUTPUT_depth,
                                       .camera = { .kind = CAMERA_FIT,
                                                   .azimuth = 70 * i,
                                                   .elevation = i == 0 ? 90 : 20 * i,
                                                   .fov = CAMERA_FOV } };
            int ground = 0;
            uint8_t *pixels;

            set_geometry(&picture, geometry);
            pixels = studio_draw(*state, moved, &picture);
            for (int32_t k = 0; k < SIDE; k++) {
                assert_true(isinf(number_at(pixels, k, 0)) && isinf(number_at(pixels, 0, k)));
                assert_true(isinf(number_at(pixels, k, SIDE - 1)) &&
                            isinf(number_at(pixels, SIDE - 1, k)));
                ground += !isinf(number_at(pixels, k, SIDE / 2));
            }
            assert_true(ground > SIDE / 8);
            free(pixels);
        }
    view_drop(moved);
    view_drop(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ridge_that_is_moved_into_the_picture_is_drawn),
        cmocka_unit_test(a_sheared_plane_faces_one_way),
        cmocka_unit_test(fit_shows_all_of_the_moved_ground),
        cmocka_unit_test(shadows_fall_from_where_the_ground_stands),
        cmocka_unit_test(grid_lines_stay_where_they_are),
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}
