/* Noise in several octaves: each has half the cell and half the amplitude of the one before, and
 * the next seed; the sum keeps within -1..1. Value noise is that of the reference. Any thread. */
#ifndef TERRAIN_EDIT_OCTAVES_H
#define TERRAIN_EDIT_OCTAVES_H

#include <stdint.h>

enum {
    OCTAVES_MOST = 8,
    OCTAVE_COST = 2 /* an octave costs what touching so many vertices does */
};

/* Bumps as they are; 2|n| - 1, round hills; 1 - 2|n|, crests; gradient noise as it is. */
enum octaves_kind { OCTAVES_VALUE, OCTAVES_BILLOW, OCTAVES_RIDGED, OCTAVES_PERLIN };
extern const char *const octaves_kinds[]; /* their words, ends with NULL */

struct octaves {
    double cell; /* quads, of the coarsest */
    uint32_t seed;
    int32_t count; /* 1 to OCTAVES_MOST */
    enum octaves_kind kind;
};

/* The noise at `count` vertices, at most BLOCK_SIDE, from (x, y) on. */
void octaves_row(const struct octaves *octaves, int32_t x, int32_t y, int32_t count, double *sums);

#endif
