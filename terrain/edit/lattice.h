/* Noise from numbers thrown at the points of a lattice: the same for a seed on every machine.
 *
 * Between -1 and 1. Value noise is the reference's: a number at each point of the lattice, eased
 * by t^2 (3 - 2t). Gradient noise has a slope at each point and is 0 there; eased by
 * t^3 (6t^2 - 15t + 10) (K. Perlin, Improving Noise, 2002). Any thread.
 */
#ifndef TERRAIN_EDIT_LATTICE_H
#define TERRAIN_EDIT_LATTICE_H

#include <stdint.h>

enum lattice_basis { LATTICE_VALUE, LATTICE_GRADIENT };

/* 32 bits for a point and a seed: the reference's hash32. */
uint32_t lattice_hash(uint32_t x, uint32_t y, uint32_t seed);

/* Noise of `count` vertices, at most BLOCK_SIDE, from (x, y) on, a cell being so many quads. */
void lattice_row(enum lattice_basis basis, uint32_t seed, double cell, int32_t x, int32_t y,
                 int32_t count, double *noise);

/* Value noise at one place, counted in cells; NaN so far away that cells cannot be told apart. */
double lattice_at(uint32_t seed, double across, double down);

/* A lattice that lies across the grid: the vertex (x, y) is at shift + x * by_x + y * by_y, counted
 * in cells. Gradient noise of a row of it. */
struct slant {
    uint32_t seed;
    double shift[2], by_x[2], by_y[2];
};
void lattice_slanted(const struct slant *slant, int32_t x, int32_t y, int32_t count, double *noise);

#endif
