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

/* Puts tiles on the shelf that are drawn together: shelf_find for them, and shelf_put for those
 * that lack. */
struct tile_loader {
    bool (*load)(void *context, const uint32_t *places, uint32_t count, int32_t *layers,
                 struct fault *why);
    void *context;
};

/* width * height RGBA8 pixels from the top row down. Tiles are asked for once when there is room
 * for all of them, else part by part; the scene has been checked. Fails with WORKER or MEMORY, and
 * then the context is not to be trusted any more, or as the loader did. */
bool painter_draw(struct painter *painter, struct shelf *shelf, const struct scene_parts *parts,
                  const struct tile_loader *loader, uint8_t *rgba, struct painted *painted,
                  struct fault *why);

#endif
