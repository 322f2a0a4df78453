/* Smooths the stairs of edges in a finished picture, for renderers that cannot afford several
 * samples a pixel: where brightness jumps, the ends of the step are searched along the edge and the
 * pixel takes as much of its neighbour across as the edge's true place would have given it. The way
 * of Lottes, "FXAA" (NVIDIA, 2009), written anew for bytes. Any thread.
 */
#ifndef RENDER_SMOOTH_H
#define RENDER_SMOOTH_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of room that smooth_edges works in. */
size_t smooth_room(int32_t width, int32_t height);

/* RGBA8 rows without gaps. */
void smooth_edges(uint8_t *rgba, int32_t width, int32_t height, uint8_t *room);

#endif
