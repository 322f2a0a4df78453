/* What is drawn onto a picture: rows of overlays.def. Any thread. */
#ifndef RENDER_OVERLAY_H
#define RENDER_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "render/picture.h"
#include "terrain/base/fault.h"

/* Whether the picture can have what it asks for. Fails with INPUT; *which is then the overlay's
 * name. */
bool overlay_check(const struct view *view, const struct picture *picture, const char **which,
                   struct fault *why);

/* Metres between the lines of a grid that suits the picture. */
double overlay_grid(const struct view *view, const struct picture *picture);

/* Draws what the picture asks for on its RGBA8 pixels. Fails with MEMORY, and as cameras do. */
bool overlay_draw(const struct view *view, const struct picture *picture, uint8_t *rgba,
                  struct fault *why);

#endif
