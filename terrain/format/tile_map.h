/* Where the pixels of a tile lie on a landscape's grid: exactly at some points, and by a surface of
 * second order between them; see tile.h. Any thread. */
#ifndef TERRAIN_FORMAT_TILE_MAP_H
#define TERRAIN_FORMAT_TILE_MAP_H

#include "terrain/format/tile.h"

/* Part of a tile that may hold the landscape: samples of the tile, and the whole turns that bring
 * its longitudes next to the landscape's. */
struct tile_window {
    struct rect pixels;
    int32_t turns;
};

struct tile_map {
    const struct settings *settings;
    const struct tile_grid_row *grid;
    double origin[2]; /* the world's pixels west and north of the tile's */
    double world[2];  /* pixels across the whole grid, and down */
    double offset;    /* pixels between a sample's place and its number: 0.5 at centres */
    bool continued;   /* samples a step beyond the landscape have its height */
    int32_t patch_size;
    double per_pixel;  /* own grid: vertices a pixel; otherwise 0 */
    double turn, west; /* columns of a whole turn, and degrees of column 0; see georef_turn */
    double border;     /* how far the surface goes on beyond the outermost vertices */
    double rounding;   /* vertices: exact points are no truer than this, which is some 1e-7 m */
    bool means;        /* coarser than the native zoom */
    int32_t window_count;
    struct tile_window windows[3];
};

static inline uint64_t tile_map_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* Names the settings of a view: incarnation and version do so in one process; their content keeps
 * apart views that were made without either. Never 0. */
uint64_t tile_map_key(const struct view *view);

/* Fails as tile_reach does. `around` are samples more than the tile's own margin. */
bool tile_map_init(struct tile_map *map, const struct view *view, const struct tile *tile,
                   int32_t around, struct fault *why);

/* A square of pixels as a surface of second order in (x - corner[0]) / size and
 * (y - corner[1]) / size, pixel coordinates of the tile; or asked point by point. */
struct tile_patch {
    const struct tile_map *map;
    struct rect pixels; /* those that are asked for */
    int32_t turns;
    double corner[2], size;
    bool exact;
    bool straight; /* every row of pixels lies along the grid's rows, every column along its columns
                    */
    double terms[2][3][3];        /* [column or row][power of x][power of y] */
    double least[2], greatest[2]; /* columns and rows that no pixel asked for goes beyond */
    double span[2]; /* columns and rows between the corners of the whole square, at most */
    double step[2]; /* of a pixel, across and down together; 0 unless samples are continued */
};

/* Each patch of each window. Stops and returns false when visit does. */
bool tile_map_each(const struct tile_map *map,
                   bool (*visit)(const struct tile_patch *patch, void *context, struct fault *why),
                   void *context, struct fault *why);

/* Columns and rows of count points from pixel coordinates (x, y) eastwards, a pixel apart; NaN
 * where there is none. The sample of number i lies at i + map->offset, its pixel's west side at
 * i + map->offset - 0.5. */
void tile_patch_row(const struct tile_patch *patch, double x, double y, int32_t count,
                    double *columns, double *rows);

#endif
