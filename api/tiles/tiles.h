/* What the endpoints of all tile sets share: which tile is asked for, whether there is one and how
 * old what it shows is, and its picture. */
#ifndef API_TILES_TILES_H
#define API_TILES_TILES_H

#include "api/endpoint.h"
#include "terrain/format/tile_set.h"

struct tiles_asked {
    int32_t z, x, y;
};

extern const struct shape tiles_shape; /* of tiles_asked: a base for a set's own options */
extern const char *const tiles_media[];

/* For rows' `newest`: a name of what lies under the tile and a pixel around it. */
bool tiles_newest(struct request *rq, const void *asked, uint64_t *version);

/* For rows' `run`: the tile as a PNG of side x side pixels. */
bool tiles_paint(struct request *rq, const struct tiles_asked *asked, int32_t side,
                 const struct tile_set *set, const struct tile_look *look);

#endif
