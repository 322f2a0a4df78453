/* The tiles that a worker keeps: a rack for each plane (plane.h), which is an array texture with a
 * tile a layer. Slopes are made here from heights, as a second texture of the same layers (RG16F,
 * filtered by the hardware).
 *
 * A tile stays until its layer is wanted for another and it is the one not used for longest.
 * Racks are made when first wanted and grow up to their share of the bytes allowed; growing empties
 * them, so that it is done at most a few times. Render worker, the context's thread.
 */
#ifndef RENDER_SHELF_H
#define RENDER_SHELF_H

#include "render/gl.h"
#include "render/plane.h"

/* Texture units: a plane's is its number, then these. */
enum {
    UNIT_SLOPES = RENDER_PLANES,
    UNIT_PALETTE,
    UNIT_PAGES,
    UNIT_RECORDS,
    UNIT_TABLE,
    UNIT_MATERIALS,
    UNITS
};

struct shelf;

/* Fails with MEMORY or WORKER. */
struct shelf *shelf_new(const struct gl *gl, int64_t bytes_most, struct fault *why);
void shelf_free(struct shelf *shelf);

/* How many tiles of a plane can be kept. */
int32_t shelf_layers_most(const struct shelf *shelf, int plane);

/* Of a picture's keys those that are drawn together, by place: gives layers[place] to those that
 * are there and -1 to those that lack, and room to them all: none of them will be pushed out by
 * shelf_put of another. Fails with LIMIT when there are more of a plane than shelf_layers_most, and
 * with MEMORY or WORKER. */
bool shelf_find(struct shelf *shelf, const struct tile_key *keys, const uint32_t *places,
                uint32_t count, int32_t *layers, struct fault *why);

/* Puts a tile that shelf_find said lacks, plane_bytes of it; its layer. */
int32_t shelf_put(struct shelf *shelf, const struct tile_key *key, const void *texels);

/* Binds each plane to its texture unit and slopes to theirs. */
void shelf_bind(const struct shelf *shelf);

#endif
