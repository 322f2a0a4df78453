/* Heights as colours, one file for every set that encodes them: what clients of raster-dem read. */
#include "api/tiles/tiles.h"

TILE_ROUTES(terrain_rgb, png, "terrain-rgb", "A tile of heights in steps of 0.1 m",
            &tiles_sampled_shape, "registration=center&buffer=1", NULL, tiles_newest);
TILE_ROUTES(terrain_rgb, webp, "terrain-rgb", "A tile of heights in steps of 0.1 m",
            &tiles_sampled_shape, "registration=center&buffer=1", NULL, tiles_newest);
TILE_ROUTES(terrarium, png, "terrarium", "A tile of heights in steps of 1/256 m",
            &tiles_sampled_shape, "registration=center&buffer=1", NULL, tiles_newest);
TILE_ROUTES(terrarium, webp, "terrarium", "A tile of heights in steps of 1/256 m",
            &tiles_sampled_shape, "registration=center&buffer=1", NULL, tiles_newest);
TILE_ROUTES(native, zst, "native", "A tile of heights as they are stored, see api/tiles/native.md",
            &tiles_shape, "fill=0", NULL, tiles_newest);
