/* Landscapes on the Earth for tests of tiles for globes, and their tiles, made and read. Each fails
 * the test when there is none. */
#ifndef TESTS_FORMAT_GLOBE_LAND_H
#define TESTS_FORMAT_GLOBE_LAND_H

#include "tests/format/quantized.h"

#include "terrain/format/globe.h"

enum { GLOBE_LANDS = 4, GLOBE_LAND_QUADS = 63, GLOBE_LAND_TILES = 512 };

struct globe_land {
    const char *name, *crs;
    double bounds[4];
};
extern const struct globe_land globe_lands[GLOBE_LANDS];

typedef uint16_t globe_land_code(int x, int y);

/* So many components of so many quads across and down, 1/32 m a code, 700 m in the middle. */
struct view *globe_land_of(const struct globe_land *place, int across, int down, int quads,
                           globe_land_code *code);
struct view *globe_land_at(const struct globe_land *place, int across, globe_land_code *code);
struct view *globe_land_write(const struct view *base, struct rect to, globe_land_code *code);

extern const struct datum globe_land_datum; /* heights as they are */
struct globe_look globe_land_look(double max_error, unsigned extensions);

/* All tiles of a zoom. */
int globe_land_tiles(const struct view *view, int32_t z, struct globe_tile tiles[GLOBE_LAND_TILES]);
int32_t globe_land_finest(const struct view *view);

struct globe_land_tile {
    struct bytes bytes;
    struct quantized tile;
    double error;
};
struct globe_land_tile globe_land_make(const struct view *view, struct derived_cache *cache,
                                       const struct globe_tile *tile,
                                       const struct globe_look *look);
void globe_land_free(struct globe_land_tile *made);

/* Degrees of a place in u and v. */
void globe_land_degrees(const struct globe_tile *tile, double u, double v, double at[2]);

#endif
