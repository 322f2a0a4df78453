/* MBTiles 1.3 (github.com/mapbox/mbtiles-spec): a set of tiles as one SQLite file.
 *
 * Made whole, in one transaction, in the order in which tiles come: the same tiles are the same
 * bytes. One thread at a time.
 */
#ifndef TERRAIN_STORE_MBTILES_H
#define TERRAIN_STORE_MBTILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"

struct mbtiles;

/* The file must not be there. */
bool mbtiles_begin(const char *path, struct mbtiles **made, struct fault *why);
bool mbtiles_say(struct mbtiles *mbtiles, const char *name, const char *value, struct fault *why);
/* The row counts from the north; the file's counts from the south (TMS). */
bool mbtiles_add(struct mbtiles *mbtiles, int32_t z, int32_t x, int32_t y, const void *data,
                 size_t length, struct fault *why);
/* Flushed when it returns true. The struct is gone in any case. */
bool mbtiles_end(struct mbtiles *mbtiles, struct fault *why);
void mbtiles_drop(struct mbtiles *mbtiles);

#endif
