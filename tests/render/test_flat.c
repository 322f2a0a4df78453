/* Maps drawn without GL: what must be so in each mode, and that GL draws the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/flat.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

static const uint8_t background[4] = { 240, 240, 240, 255 };

static uint8_t *draw(const struct view *view, const struct picture *picture)
{
    struct bytes pixels = { 0 };
    struct fault why = { 0 };

    assert_true(flat_draws(view, picture));
    if (!flat_draw(view, picture, NULL, &pixels, &why))
        fail_msg("no picture: %s", why.detail);
    assert_int_equal(pixels.length, (size_t)picture->width * (size_t)picture->height * 4);
    return pixels.data;
}

/* Cameras straight above: pixels of a tenth of a quad, about one, of many; turned, and fitted. */
static size_t cameras(const struct view *view, struct picture *pictures)
{
    static const double metres[] = { 90, 700, 2300, 9000 };
    size_t count = 0;

    for (size_t i = 0; i < sizeof metres / sizeof *metres; i++)
        pictures[count++] = studio_map(view, 96, metres[i]);
    for (double turn = 30; turn < 360; turn += 75) {
        pictures[count] = studio_map(view, 80, 1500);
        pictures[count++].camera.azimuth = turn;
    }
    pictures[count] = studio_picture(120, 70);
    pictures[count].camera.elevation = 90;
    pictures[count++].camera.azimuth = 0;
    pictures[count] = pictures[count - 1];
    pictures[count++].camera.azimuth = 180;
    return count;
}

enum { CAMERAS_MOST = 16 };

static int difference(const uint8_t *a, const uint8_t *b)
{
    int most = 0;

    for (int c = 0; c < 4; c++)
        most = abs(a[c] - b[c]) > most ? abs(a[c] - b[c]) : most;
    return most;
}

static bool is_background(const uint8_t *pixel)
{
    return memcmp(pixel, background, 4) == 0;
}

enum { BEYOND = 4 };

struct comparison {
    double mean; /* of the pixels' greatest differences in a channel, where both have ground */
    int most, compared;
    int missed; /* ground in one of them only */
    int beyond; /* pixels that differ by more than BEYOND */
};

static struct comparison compare(const uint8_t *a, const uint8_t *b, const struct picture *picture)
{
    struct comparison found = { 0 };

    for (int32_t i = 0; i < 4 * picture->width * picture->height; i += 4) {
        int apart = difference(a + i, b + i);

        if (is_background(a + i) != is_background(b + i))
            found.missed++;
        if (is_background(a + i) || is_background(b + i))
            continue;
        found.compared++;
        found.beyond += apart > BEYOND;
        found.mean += apart;
        found.most = apart > found.most ? apart : found.most;
    }
    found.mean /= found.compared;
    return found;
}

static void gl_draws_the_same(void **state)
{
    struct view *mountains = scenery_mountains(253, 10);
    struct view *holed = scenery_holes(mountains, (struct rect){ 100, 90, 31, 12 });
    struct view *raised = scenery_change(holed, (struct rect){ 30, 40, 60, 50 }, 29000);
    struct view *grown = scenery_paint_layer(raised, "grass");
    struct view *view = scenery_paint(grown, "grass", (struct rect){ 60, 20, 90, 100 }, 180);
    struct picture pictures[CAMERAS_MOST];
    size_t count = cameras(view, pictures);

    for (int mode = 0; mode < RENDER_MODES; mode++)
        for (size_t i = 0; i < count && render_modes[mode]->flat; i++) {
            struct picture picture = pictures[i];
            struct comparison found;
            uint8_t *flat, *gl;

            picture.mode = mode;
            picture.show.before = mountains;
            picture.show.many = i % 2 == 1;
            flat = draw(view, &picture);
            picture.by_gl = true;
            assert_false(flat_draws(view, &picture));
            gl = studio_draw(*state, view, &picture);
            found = compare(flat, gl, &picture);
            free(flat);
            free(gl);
            assert_true(found.compared > 600);
            /* Whether a border pixel's middle is on the ground may be rounded either way, and so
             * whether one is beside a hole, which is all that there is to be seen of holes. */
            if (mode == RENDER_MODE_holes)
                found.missed += found.beyond;
            assert_true(found.missed <= (picture.width + picture.height) / 8);
            if (mode == RENDER_MODE_holes)
                continue;
            assert_true(found.mean < 0.05);
            /* A value may be rounded to the next step of the ramp, and those are as large. */
            assert_true(found.most <= (render_modes[mode]->values ? 4 : 2));
        }
    view_drop(view);
    view_drop(grown);
    view_drop(raised);
    view_drop(holed);
    view_drop(mountains);
}

/* Where the ground is as bright as what lines change their ink at, rounding chooses it. */
static void gl_draws_the_same_lines_on_the_ground(void **state)
{
    static const int modes[] = { RENDER_MODE_height, RENDER_MODE_hillshade };
    struct view *view = scenery_mountains(253, 10);
    struct picture pictures[CAMERAS_MOST];
    size_t count = cameras(view, pictures), lines = 0;

    for (size_t i = 0; i < 2 * count; i++) {
        struct picture picture = pictures[i / 2];
        struct comparison found, apart;
        uint8_t *flat, *gl, *bare;

        picture.mode = modes[i % 2];
        bare = draw(view, &picture);
        picture.overlays.grid = i % 3 ? 210 : 0;
        picture.overlays.borders = i % 3 != 1;
        flat = draw(view, &picture);
        picture.by_gl = true;
        gl = studio_draw(*state, view, &picture);
        found = compare(flat, gl, &picture);
        apart = compare(flat, bare, &picture);
        lines += apart.mean > 0.05;
        assert_true(found.mean < 0.05);
        assert_true(found.beyond <= found.compared / 200);
        free(bare);
        free(flat);
        free(gl);
    }
    assert_true(lines > count); /* from near by there may be none */
    view_drop(view);
}

static int open_studio(void **state)
{
    *state = studio_open(1, NULL);
    return 0;
}

static int close_studio(void **state)
{
    renderer_stop(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gl_draws_the_same),
        cmocka_unit_test(gl_draws_the_same_lines_on_the_ground),
    };

    return cmocka_run_group_tests(tests, open_studio, close_studio);
}
