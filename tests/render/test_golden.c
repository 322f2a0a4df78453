/* Pictures as they were when somebody looked at them and found them good: tests/render/golden/.
 *
 * What is drawn by EGL's software renderer is to be those pictures but for rounding; what OSMesa
 * draws likewise, since it is the same renderer behind another door. UPDATE_GOLDEN=1 writes them
 * anew: look at them before they are committed. On a machine with a GPU,
 * LANDSCAPED_GOLDEN=egl-device compares its pictures, which smooth edges otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include "terrain/base/bytes.h"
#include "terrain/format/png_write.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

enum { WIDTH = 160, HEIGHT = 100 };

/* The mean difference of a channel, and the share of pixels in which one differs by more than
 * FAR. Triangles of another backend may end a pixel further. */
struct tolerance {
    const char *backend;
    double mean, far;
};
enum { FAR = 24 };

static const struct tolerance tolerances[] = { { "egl-surfaceless", 0.5, 0.005 },
                                               { "osmesa", 0.5, 0.005 } };

/* Another rasteriser: edges, and lines of a pixel, fall elsewhere. */
static const struct tolerance gpu = { "egl-device", 0.5, 0.005 };

struct ground {
    struct view *before, *now;
};

static void become(struct ground *ground, struct view *next)
{
    assert_non_null(next);
    view_drop(ground->now);
    ground->now = next;
}

/* Mountains with five paint layers of five materials, a lake's worth of holes, and a change since.
 */
static void make_ground(struct ground *ground)
{
    static const char *const layers[] = { "grass", "rock", "sand", "snow", "soil" };

    ground->now = scenery_mountains(253, 10);
    for (int i = 0; i < 5; i++)
        become(ground, scenery_paint_layer(ground->now, layers[i]));
    for (int i = 0; i < 4; i++)
        become(ground,
               scenery_paint(ground->now, layers[i],
                             (struct rect){ 20 + 60 * (i % 2), 30 + 70 * (i / 2), 55, 60 }, 255));
    become(ground, scenery_holes(ground->now, (struct rect){ 180, 60, 20, 30 }));
    ground->before = view_hold(ground->now);
    become(ground, scenery_change(ground->now, (struct rect){ 150, 150, 40, 30 }, 30000));
}

static uint8_t *read_png(const char *path)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    uint8_t *pixels;

    if (!png_image_begin_read_from_file(&image, path))
        fail_msg("%s: %s (UPDATE_GOLDEN=1 writes it)", path, image.message);
    assert_true(image.width == WIDTH && image.height == HEIGHT);
    image.format = PNG_FORMAT_RGBA;
    pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    return pixels;
}

static void write_png(const char *path, const uint8_t *rgba)
{
    uint8_t *rgb = malloc(3 * WIDTH * HEIGHT);
    struct bytes file = { 0 };
    struct fault why;
    FILE *to = fopen(path, "wb");

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        memcpy(rgb + 3 * i, rgba + 4 * i, 3);
    assert_true(png_write(PNG_RGB8, WIDTH, HEIGHT, rgb, PNG_SMALLEST, &file, &why));
    assert_non_null(to);
    assert_int_equal(fwrite(file.data, 1, file.length, to), file.length);
    assert_int_equal(fclose(to), 0);
    bytes_free(&file);
    free(rgb);
}

static void compare(const char *name, const uint8_t *golden, const uint8_t *drawn,
                    const struct tolerance *tolerance)
{
    double sum = 0;
    int far = 0;

    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        for (int c = 0; c < 3; c++)
            sum += abs(golden[4 * i + c] - drawn[4 * i + c]);
        far += !studio_alike(golden + 4 * i, drawn + 4 * i, FAR);
    }
    sum /= 3 * WIDTH * HEIGHT;
    printf("%-24s %-16s mean %.3f, %.3f %% differ by more than %d\n", name, tolerance->backend, sum,
           100.0 * far / (WIDTH * HEIGHT), FAR);
    if (sum > tolerance->mean || far > tolerance->far * WIDTH * HEIGHT)
        fail_msg("%s by %s is not the picture in golden/", name, tolerance->backend);
}

static void check(struct renderer *renderer, const struct ground *ground, const char *name,
                  struct picture *picture, const struct tolerance *tolerance)
{
    const char *source = getenv("srcdir");
    uint8_t *drawn = studio_draw(renderer, ground->now, picture);
    char path[512];

    snprintf(path, sizeof path, "%s/tests/render/golden/%s.png", source ? source : ".", name);
    if (getenv("UPDATE_GOLDEN") && tolerance == tolerances) {
        write_png(path, drawn);
    } else {
        uint8_t *golden = read_png(path);

        compare(name, golden, drawn, tolerance);
        free(golden);
    }
    free(drawn);
}

static struct picture picture_of(const struct ground *ground, int mode)
{
    struct picture picture = studio_picture(WIDTH, HEIGHT);

    picture.mode = mode;
    picture.by_gl = true;
    picture.samples = 1;
    picture.show.mip = 2;
    picture.show.before = ground->before;
    picture.show.against = ground->before->version;
    picture.cover.depth = 0.2;
    return picture;
}

static void check_all(const struct tolerance *tolerance)
{
    struct renderer *renderer = studio_open(1, tolerance->backend);
    struct ground ground = { 0 };
    struct picture picture;

    make_ground(&ground);
    for (int mode = 0; mode < RENDER_MODES; mode++) {
        picture = picture_of(&ground, mode);
        check(renderer, &ground, render_mode_names[mode], &picture, tolerance);
    }
    for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
        char name[64];

        picture = picture_of(&ground, RENDER_MODE_unlit);
        picture.geometry = geometry;
        picture.camera = (struct camera){ .kind = CAMERA_PERSPECTIVE,
                                          .position = { 1260, 2400, 600 },
                                          .target = { 1260, 800, 0 },
                                          .fov = 50 };
        snprintf(name, sizeof name, "geometry-%s", render_geometries[geometry]);
        check(renderer, &ground, name, &picture, tolerance);
    }
    picture = picture_of(&ground, RENDER_MODE_lit);
    picture.light.sun_elevation = 12;
    picture.light.shadows = picture.light.occlusion = 1;
    picture.light.fog = 0.2;
    check(renderer, &ground, "evening", &picture, tolerance);
    picture.water.on = true;
    picture.water.level = -60;
    memcpy(picture.water.color, "\x1d\x5a\x66", 3);
    check(renderer, &ground, "water", &picture, tolerance);
    picture = picture_of(&ground, RENDER_MODE_lit);
    picture.samples = 0;
    if (tolerance != &gpu)
        check(renderer, &ground, "smooth", &picture, tolerance);
    view_drop(ground.before);
    view_drop(ground.now);
    renderer_stop(renderer);
}

static void pictures_are_as_they_were(void **state)
{
    (void)state;
    check_all(&tolerances[0]);
}

static void another_door_shows_the_same(void **state)
{
    (void)state;
    check_all(&tolerances[1]);
}

static void a_gpu_shows_the_same(void **state)
{
    (void)state;
    check_all(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_as_they_were),
        cmocka_unit_test(another_door_shows_the_same),
    };
    const struct CMUnitTest by_gpu[] = { cmocka_unit_test(a_gpu_shows_the_same) };
    const char *wanted = getenv("LANDSCAPED_GOLDEN");

    return wanted && strcmp(wanted, gpu.backend) == 0 ? cmocka_run_group_tests(by_gpu, NULL, NULL)
                                                      : cmocka_run_group_tests(tests, NULL, NULL);
}
