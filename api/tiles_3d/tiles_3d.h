/* What the endpoints of 3D Tiles share. Any thread. */
#ifndef API_TILES_3D_TILES_3D_H
#define API_TILES_3D_TILES_3D_H

#include "api/datum.h"
#include "api/meshes/meshes.h"
#include "terrain/format/tileset.h"

struct tiles_3d_asked {
    int32_t level, x, y;
};
extern const struct shape tiles_3d_shape;

/* Of the schema that tilesets carry and subtrees follow. */
#define TILES_3D_CLASS    "tile"
#define TILES_3D_PROPERTY "bounds"

struct tiles_3d {
    struct tileset tileset;
    struct datum_held held;
};

/* The landscape's tileset: begin knows which tiles there are, without a look at the heights or a
 * wait for a disk; hold also their errors and bounds. End either. */
bool tiles_3d_begin(struct request *rq, struct tiles_3d *tiles);
bool tiles_3d_hold(struct request *rq, struct tiles_3d *tiles);
void tiles_3d_end(struct tiles_3d *tiles);

/* For rows' `newest`: all of the landscape's surface, as a level's error is that of its worst tile,
 * and what heights refer to. */
bool tiles_3d_newest(struct request *rq, const void *asked, uint64_t *version);

/* Fails with MISSING for a tile that the tileset does not have. */
bool tiles_3d_there(struct request *rq, const struct tileset *tileset,
                    const struct tiles_3d_asked *asked);

#endif
