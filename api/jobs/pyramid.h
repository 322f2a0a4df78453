/* Tiles that routes answer level by level: which sets there are, which tiles each may have, and
 * where they are. A set is a row; every set of map tiles is one by itself. Any thread. */
#ifndef API_JOBS_PYRAMID_H
#define API_JOBS_PYRAMID_H

#include "terrain/format/tile_set.h"

struct pyramid {
    const char *name;   /* as a body says it */
    const char *below;  /* the route, below the landscape's: "cesium" */
    const char *ending; /* of a tile that is of no map's set */
    const char *about;  /* the file below `below` that describes them all; or NULL */
    const struct tile_set
        *set; /* of map tiles, which come in two sizes and have TileJSON; or NULL */
    bool map; /* lies on the world's Web Mercator grid, as MBTiles do */
    /* The level of the data's own step, and the finest that there is. Options as a body says them,
     * or NULL. */
    bool (*levels)(const struct view *view, const char *options, int32_t *native, int32_t *finest,
                   struct fault *why);
    /* Columns and rows of a level among which all of its tiles are: one rectangle, or two. */
    bool (*ranges)(const struct view *view, const char *options, int32_t level,
                   struct rect ranges[2], int32_t *count, struct fault *why);
};

/* Fails with INPUT, naming the nearest. */
bool pyramid_find(const char *name, struct pyramid *pyramid, struct fault *why);

/* Columns and rows of the Web Mercator tiles of a level whose inside meets the degrees (west,
 * south, east, north). */
struct rect pyramid_mercator(const double bounds[4], int32_t level);

/* The degrees, out to the edges of that level's pixels, `side` of them a tile. GDAL takes the
 * bounds of MBTiles for the place of the first pixel, and would be off by up to half of one. */
void pyramid_snap(const double bounds[4], int32_t level, int32_t side, double snapped[4]);

#endif
