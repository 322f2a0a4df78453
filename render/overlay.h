/* What is drawn onto a finished picture, whoever drew it: a scale bar, a legend, numbers on contour
 * lines. Any thread. */
#ifndef RENDER_OVERLAY_H
#define RENDER_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "render/picture.h"
#include "terrain/base/fault.h"

/* Draws what the picture asks for on its RGBA8 pixels. Fails with MEMORY, and as cameras do. */
bool overlay_draw(const struct view *view, const struct picture *picture, uint8_t *rgba,
                  struct fault *why);

#endif
