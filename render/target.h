/* Where a picture, or a part of it, is drawn: several samples a pixel, and the plain pixels that
 * they come down to. Render worker, the context's thread. */
#ifndef RENDER_TARGET_H
#define RENDER_TARGET_H

#include <stdint.h>

#include "render/gl.h"

enum { TARGET_SIDE_MOST = 2048 };

struct target {
    GLuint drawn, plain;           /* framebuffers; plain: 0 when the drawn one is */
    GLuint samples, depth, pixels; /* renderbuffers */
    int32_t width, height;
    int samples_wanted;
};

/* Makes it of that size, if it is not already, with so many samples a pixel or as many as there can
 * be; 0 is one. Fails with WORKER or MEMORY. */
bool target_open(struct target *target, const struct gl *gl, int32_t width, int32_t height,
                 int samples_wanted, struct fault *why);
void target_close(struct target *target, const struct gl *gl);

/* The first width x height pixels, RGBA8, rows `stride` pixels apart, in the order in which GL has
 * them. Fails with WORKER or MEMORY. */
bool target_read(const struct target *target, const struct gl *gl, int32_t width, int32_t height,
                 int32_t stride, uint8_t *rgba, struct fault *why);

#endif
