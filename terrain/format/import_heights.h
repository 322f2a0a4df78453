/* The planned size's codes, ready to be put into blocks. One thread at a time. */
#ifndef TERRAIN_FORMAT_IMPORT_HEIGHTS_H
#define TERRAIN_FORMAT_IMPORT_HEIGHTS_H

#include "terrain/format/import.h"

/* Codes come straight from the raster, or from an array when it had voids or was resampled. */
struct import_heights {
    const struct raster *raster;
    const struct import_plan *plan;
    uint16_t *codes; /* plan->columns x plan->rows, or NULL */
    uint8_t *voids;  /* the same size, 1 without data; NULL when there are none */
};

/* Fails with MEMORY; free it in any case. */
bool import_heights_make(struct import_heights *heights, const struct raster *raster,
                         const struct import_plan *plan, struct fault *why);
void import_heights_free(struct import_heights *heights);

/* Codes of row y from column x on, both within the data. */
void import_heights_row(const struct import_heights *heights, int32_t x, int32_t y, int32_t count,
                        uint16_t *codes);

/* The code of a sample's value, by the plan's scale. NaN becomes 0. */
uint16_t import_code(const struct raster *raster, const struct import_plan *plan, double value);

/* Vertex-aligned cubic: fills codes and voids at the plan's size. Fails with MEMORY. */
bool import_resample(const struct raster *raster, const struct import_plan *plan, uint16_t *codes,
                     uint8_t *voids, struct fault *why);

/* Gives each void a code from what is around it: the mean of its neighbours, else of larger cells.
 * Some sample must not be void. Fails with MEMORY. */
bool import_fill(uint16_t *codes, const uint8_t *voids, int32_t width, int32_t height,
                 struct fault *why);

#endif
