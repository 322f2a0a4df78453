/* TileJSON 3.0.0 (mapbox/tilejson-spec) of a set of tiles. Any thread. */
#ifndef API_TILES_TILEJSON_H
#define API_TILES_TILEJSON_H

#include "api/endpoint.h"
#include "terrain/format/tile_set.h"

struct tilejson {
    const char *tilejson, *name, *description, *attribution, *version, *scheme, *format;
    struct list tiles; /* of const char * */
    int32_t minzoom, maxzoom, tile_size;
    double bounds[4], center[3];
    const char *encoding;
};

extern const struct shape tilejson_shape;
extern const struct shape tilejson_picture_shape; /* of a set without an encoding */

/* For tiles of that kind and size at an address with {z}, {x} and {y}, exact ones where there is
 * that style. Texts live in the arena. Fails with MEMORY, and where the landscape's place cannot be
 * worked out. */
bool tilejson_fill(const struct view *view, const char *landscape, const struct tile_set *set,
                   const struct tile_kind *kind, int32_t side, bool exact, const char *address,
                   struct arena *arena, struct tilejson *tilejson, struct fault *why);

#endif
