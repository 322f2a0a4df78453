/* Pictures from right above, drawn in the daemon without GL: maps. Any thread. */
#ifndef RENDER_FLAT_H
#define RENDER_FLAT_H

#include <stdbool.h>

#include "render/picture.h"
#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

/* Whether such a picture is drawn here: a mode that has colours in C, an orthographic camera that
 * looks straight down, ground that no XY offsets move, and nobody asks for GL. */
bool flat_draws(const struct view *view, const struct picture *picture);

/* Draws it. Appends width * height RGBA8 pixels, rows from the top. Fails with INPUT for a camera
 * that looks nowhere, IMPOSSIBLE for one that does not look straight down or has perspective, and
 * MEMORY. */
bool flat_draw(const struct view *view, const struct picture *picture, struct bytes *rgba,
               struct fault *why);

#endif
