#include "terrain/edit/octaves.h"

#include <math.h>
#include <stddef.h>

#include "terrain/base/wide.h"
#include "terrain/core/block.h"
#include "terrain/edit/lattice.h"

const char *const octaves_kinds[] = { "value", "billow", "ridged", "perlin", NULL };

/* Adds share times the noise of one octave to a row of sums. */
WIDE static void add_octave(enum octaves_kind kind, double share, int32_t count,
                            const double *noise, double *sums)
{
    switch (kind) {
    case OCTAVES_BILLOW:
        for (int32_t i = 0; i < count; i++)
            sums[i] += share * (2 * fabs(noise[i]) - 1);
        break;
    case OCTAVES_RIDGED:
        for (int32_t i = 0; i < count; i++)
            sums[i] += share * (1 - 2 * fabs(noise[i]));
        break;
    default:
        for (int32_t i = 0; i < count; i++)
            sums[i] += share * noise[i];
        break;
    }
}

void octaves_row(const struct octaves *octaves, int32_t x, int32_t y, int32_t count, double *sums)
{
    double all = 2 - 1.0 / (1 << (octaves->count - 1)), noise[BLOCK_SIDE];
    enum lattice_basis basis = octaves->kind == OCTAVES_PERLIN ? LATTICE_GRADIENT : LATTICE_VALUE;

    for (int32_t i = 0; i < count; i++)
        sums[i] = 0;
    for (int32_t o = 0; o < octaves->count; o++) {
        lattice_row(basis, octaves->seed + (uint32_t)o, octaves->cell / (1 << o), x, y, count,
                    noise);
        add_octave(octaves->kind, 1.0 / (1 << o) / all, count, noise, sums);
    }
}
