/* Draws scenes: the programs, meshes and targets of one GL context. Render worker, the context's
 * thread. */
#ifndef RENDER_PAINTER_H
#define RENDER_PAINTER_H

#include <stdint.h>

#include "render/gl.h"
#include "render/shelf.h"
#include "render/scene_read.h"

struct painter;

struct painted {
    uint64_t triangles, ground; /* ground: without the model's sides */
    uint32_t draws;
};

/* `samples` a pixel where the context can; with 0 edges are smoothed afterwards instead. Fails with
 * WORKER or MEMORY. The context stays the caller's. */
struct painter *painter_new(const struct gl *gl, int samples, struct fault *why);
void painter_free(struct painter *painter);

/* width * height RGBA8 pixels from the top row down. layers[i] is where the shelf has tile i; the
 * scene has been checked. Fails with WORKER or MEMORY, and then the context is not to
 * be trusted any more. */
bool painter_draw(struct painter *painter, const struct shelf *shelf,
                  const struct scene_parts *parts, const int32_t *layers, uint8_t *rgba,
                  struct painted *painted, struct fault *why);

#endif
