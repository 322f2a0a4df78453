/* Pictures from right above, drawn in the daemon without GL: maps. Any thread. */
#ifndef RENDER_FLAT_H
#define RENDER_FLAT_H

#include <stdbool.h>

#include "render/picture.h"
#include "terrain/base/bytes.h"
#include "terrain/base/derived.h"
#include "terrain/base/fault.h"

/* Whether a picture is a map: its camera is orthographic and looks straight down, on ground that no
 * XY offsets move. */
bool flat_is_map(const struct view *view, const struct picture *picture);

/* Whether it is drawn here: a map in a mode that has colours in C, and nobody asks for GL. */
bool flat_draws(const struct view *view, const struct picture *picture);

/* Whether it can be drawn here. Fails with INPUT and the reason. */
bool flat_check(const struct view *view, const struct picture *picture, struct fault *why);

/* To why nothing else can be drawn adds the map that comes nearest to the picture. False. */
bool flat_instead(const struct picture *picture, struct fault *why);

/* Draws it. Appends width * height RGBA8 pixels, rows from the top, where rgba is
 * a multiple of four bytes long. Fails with INPUT for a camera
 * that looks nowhere, IMPOSSIBLE for one that does not look straight down or has perspective, and
 * MEMORY. `derived` keeps what is made of the landscape between pictures; it may be NULL. */
bool flat_draw(const struct view *view, const struct picture *picture,
               struct derived_cache *derived, struct bytes *rgba, struct fault *why);

/* The heights of a map's pixels, local metres, rows from the top; NaN where there is no ground.
 * Fails likewise. */
bool flat_heights(const struct view *view, const struct picture *picture, float *z,
                  struct fault *why);

#endif
