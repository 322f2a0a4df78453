#include "tests/render/studio.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct renderer *studio_open(int workers, const char *backend)
{
    struct renderer_options options = { .workers = workers,
                                        .deadline = 60,
                                        .waiting_most = 64,
                                        .pixels_most = 1 << 24,
                                        .backend = backend,
                                        .texture_bytes = 64 << 20,
                                        .program = "./landscaped-render" };
    struct renderer *renderer = NULL;
    struct fault why = { 0 };

    if (!renderer_start(&options, &renderer, &why)) {
        fprintf(stderr, "no renderer: %s\n", why.detail);
        exit(1);
    }
    return renderer;
}

struct picture studio_picture(int32_t width, int32_t height)
{
    return (struct picture){ .width = width,
                             .height = height,
                             .mode = RENDER_MODE_lit,
                             .show.mip = -1,
                             .camera = { .kind = CAMERA_FIT,
                                         .azimuth = CAMERA_AZIMUTH,
                                         .elevation = CAMERA_ELEVATION,
                                         .fov = CAMERA_FOV },
                             .light.sun_azimuth = 315,
                             .light.sun_elevation = 45 };
}

struct picture studio_map(const struct view *view, int32_t side, double metres)
{
    struct picture picture = studio_picture(side, side);
    struct extent extent;

    extent_of(view, &extent);
    picture.camera = (struct camera){ .kind = CAMERA_ORTHO,
                                      .elevation = 90,
                                      .ortho_width = metres,
                                      .target = { (extent.low[0] + extent.high[0]) / 2,
                                                  (extent.low[1] + extent.high[1]) / 2 } };
    return picture;
}

struct picture studio_from(int32_t width, int32_t height, const double eye[3],
                           const double target[3], double fov)
{
    struct picture picture = studio_picture(width, height);

    picture.camera.kind = CAMERA_PERSPECTIVE;
    picture.camera.fov = fov;
    for (int i = 0; i < 3; i++) {
        picture.camera.position[i] = eye[i];
        picture.camera.target[i] = target[i];
    }
    return picture;
}

uint8_t *studio_draw(struct renderer *renderer, const struct view *view,
                     const struct picture *picture)
{
    struct bytes pixels = { 0 };
    struct fault why = { 0 };

    assert_non_null(view);
    if (!renderer_draw(renderer, view, picture, &pixels, &why))
        fail_msg("no picture: %s", why.detail);
    assert_int_equal(pixels.length, (size_t)picture->width * (size_t)picture->height * 4);
    return pixels.data;
}

double studio_brightness(const uint8_t *rgba, const struct picture *picture, int32_t x, int32_t y,
                         int32_t width, int32_t height)
{
    double sum = 0;

    for (int32_t row = y; row < y + height; row++)
        for (int32_t column = x; column < x + width; column++) {
            const uint8_t *pixel =
                rgba + 4 * ((size_t)row * (size_t)picture->width + (size_t)column);

            sum += pixel[0] + pixel[1] + pixel[2];
        }
    return sum / 3 / width / height;
}

bool studio_alike(const uint8_t *a, const uint8_t *b, int most)
{
    for (int i = 0; i < 3; i++)
        if (abs(a[i] - b[i]) > most)
            return false;
    return true;
}
