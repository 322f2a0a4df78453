/* Between stored numbers and metres: the one place that converts.
 *
 * Grid coordinates count quads from the north-west vertex, columns east and rows
 * south. Local coordinates are metres: x = origin[0] + column * scale[0],
 * y = origin[1] + row * scale[1], z = origin[2] + (h - 32768) / 128 * scale[2].
 * Any thread.
 */
#ifndef TERRAIN_CORE_GRID_H
#define TERRAIN_CORE_GRID_H

#include <math.h>
#include <stdint.h>

struct grid {
    int32_t columns, rows; /* vertices */
    double scale[3], origin[3];
};

enum { GRID_LEVEL_ZERO = 32768 };

static inline double grid_metres(const struct grid *grid, double code)
{
    return grid->origin[2] + (code - GRID_LEVEL_ZERO) / 128.0 * grid->scale[2];
}

/* The unrounded, unclamped code of a height in metres. */
static inline double grid_code(const struct grid *grid, double metres)
{
    return (metres - grid->origin[2]) / grid->scale[2] * 128.0 + GRID_LEVEL_ZERO;
}

/* A difference of heights in metres as a difference of codes. */
static inline double grid_codes(const struct grid *grid, double metres)
{
    return metres / grid->scale[2] * 128.0;
}

/* rnd(clamp(code, 0, 65535)): how every computed height comes to rest. NaN becomes 0. */
static inline uint16_t grid_round(double code)
{
    if (!(code > 0))
        return 0;
    return code >= 65535 ? 65535 : (uint16_t)floor(code + 0.5);
}

static inline void grid_from_local(const struct grid *grid, const double local[2], double at[2])
{
    at[0] = (local[0] - grid->origin[0]) / grid->scale[0];
    at[1] = (local[1] - grid->origin[1]) / grid->scale[1];
}

static inline void grid_to_local(const struct grid *grid, const double at[2], double local[2])
{
    local[0] = grid->origin[0] + at[0] * grid->scale[0];
    local[1] = grid->origin[1] + at[1] * grid->scale[1];
}

#endif
