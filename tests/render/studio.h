/* A renderer to test with, and pictures taken apart. */
#ifndef TESTS_RENDER_STUDIO_H
#define TESTS_RENDER_STUDIO_H

#include "render/renderer.h"

/* A renderer of that many workers, started from the build folder; NULL backend is any. Ends the
 * program when there is none. */
struct renderer *studio_open(int workers, const char *backend);

/* 256 x 256 (or as set), the sun in the north-west at 45 degrees. */
struct picture studio_picture(int32_t width, int32_t height);

/* From straight above, north up, so many metres across around the middle of the landscape. */
struct picture studio_map(const struct view *view, int32_t side, double metres);

struct picture studio_from(int32_t width, int32_t height, const double eye[3],
                           const double target[3], double fov);

/* The pixels, to be freed; ends the test when there are none. */
uint8_t *studio_draw(struct renderer *renderer, const struct view *view,
                     const struct picture *picture);

/* The mean of red, green and blue over a part of the picture, 0 to 255. */
double studio_brightness(const uint8_t *rgba, const struct picture *picture, int32_t x, int32_t y,
                         int32_t width, int32_t height);

/* Whether two pixels differ by no more than so many steps in each channel. */
bool studio_alike(const uint8_t *a, const uint8_t *b, int most);

#endif
