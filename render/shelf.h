/* The tiles that a worker keeps, each a layer of two array textures: heights and holes as they came
 * (R16UI, read texel by texel), and slopes made from them (RG16F, filtered by the hardware).
 *
 * A tile stays until its layer is wanted for another and it is the one not used for longest.
 * The textures grow up to the bytes allowed; growing empties them, so that it is done at most
 * a few times. Render worker, the context's thread.
 */
#ifndef RENDER_SHELF_H
#define RENDER_SHELF_H

#include "render/gl.h"
#include "render/tile.h"

enum { SHELF_LAYER_BYTES = TILE_BYTES + 4 * TILE_SIDE * TILE_SIDE };

struct shelf;

/* Fails with MEMORY or WORKER. */
struct shelf *shelf_new(const struct gl *gl, int64_t bytes_most, struct fault *why);
void shelf_free(struct shelf *shelf);

int32_t shelf_layers_most(const struct shelf *shelf);

/* A picture's tiles: gives layers[i] to those that are there and -1 to those that lack, and room to
 * them all: none of them will be pushed out by shelf_put of another. Fails with LIMIT when
 * there are more than shelf_layers_most, and with MEMORY or WORKER. */
bool shelf_find(struct shelf *shelf, const struct tile_key *keys, int32_t count, int32_t *layers,
                struct fault *why);

/* Puts a tile that shelf_find said lacks; its layer. */
int32_t shelf_put(struct shelf *shelf, const struct tile_key *key, const uint16_t *texels);

/* Binds heights to texture unit 0 and slopes to 1. */
void shelf_bind(const struct shelf *shelf);

#endif
