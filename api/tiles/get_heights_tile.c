/* Heights as colours, one file for every set that encodes them: what clients of raster-dem read. */
#include "api/tiles/tiles.h"

struct asked {
    struct tiles_asked tile;
    double fill;
};

static const struct field asks[] = { FIELD(struct asked, fill, "m", -1e6, 1e7,
                                           "Height of pixels beyond the landscape"),
                                     { .kind = FIELD_END } };

static const struct shape shape = { "heights_tile", sizeof(struct asked), asks, &tiles_shape, -1 };

#define LOOK(asked_)                                                                               \
    {                                                                                              \
        .fill = ((const struct asked *)(asked_))->fill                                             \
    }

TILE_ROUTES(terrain_rgb, "terrain-rgb", "A tile of heights in steps of 0.1 m", &shape, "fill=0",
            LOOK);
TILE_ROUTES(terrarium, "terrarium", "A tile of heights in steps of 1/256 m", &shape, "fill=0",
            LOOK);
