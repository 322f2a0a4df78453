/* Pictures all round: six square pictures, a side of a cube each, laid out by longitude and
 * latitude. Any thread; blocks. */
#ifndef RENDER_PANORAMA_H
#define RENDER_PANORAMA_H

#include "render/renderer.h"

/* The picture of a camera that is a PANORAMA: 360 degrees across, north in the middle, and 180
 * down, straight up at the top. Depth is the distance from the eye. Otherwise as renderer_paint; no
 * side is begun that many seconds after the first. */
bool panorama_paint(struct renderer *renderer, const struct view *view,
                    const struct picture *picture, double seconds, struct bytes *pixels,
                    struct drawn *how, struct fault *why);

#endif
