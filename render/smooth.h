/* Smooths the stairs of edges in a finished picture, for renderers that cannot afford several
 * samples a pixel: where brightness jumps, the ends of the step are searched along the edge and the
 * pixel takes as much of its neighbour across as the edge's true place would have given it. The way
 * of Lottes, "FXAA" (NVIDIA, 2009), written anew for bytes. Any thread.
 */
#ifndef RENDER_SMOOTH_H
#define RENDER_SMOOTH_H

#include <stdint.h>

#include "terrain/base/fault.h"

/* RGBA8 rows without gaps. Fails with MEMORY, and then nothing has changed. */
bool smooth_edges(uint8_t *rgba, int32_t width, int32_t height, struct fault *why);

#endif
