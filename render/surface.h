/* Surfaces: what grounds are made of, as textures that repeat. The five of the project are made
 * here, each render/surfaces/NAME.c, ending in one row, and a line of terrain/core/surfaces.def.
 * Any thread.
 *
 * A surface is two squares of SURFACE_SIDE texels with four bytes each, all their levels one after
 * another from the largest to a single texel: looks (the roots of linear red, green and blue, which
 * are finer where colours are dark, and the height) and relief (east and south of the
 * normal about 128, roughness, the share of the sky that its own relief leaves).
 */
#ifndef RENDER_SURFACE_H
#define RENDER_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/core/stack.h"

enum {
    SURFACE_LOG2 = 9,
    SURFACE_SIDE = 1 << SURFACE_LOG2,
    SURFACE_AREA = SURFACE_SIDE * SURFACE_SIDE,
    SURFACE_TEXELS = (4 * SURFACE_AREA - 1) / 3, /* of all levels */
    SURFACE_BYTES = 4 * SURFACE_TEXELS
};

struct surface_canvas;

struct surface {
    const char *name, *summary;
    double tiling; /* metres that it covers by itself */
    double relief; /* metres from its lowest to its highest */
    void (*make)(struct surface_canvas *canvas);
};

#define SURFACE(name) extern const struct surface surface_##name;
#include "terrain/core/surfaces.def"
#undef SURFACE

extern const struct surface *const surfaces[SURFACES];

/* A surface's two squares, SURFACE_BYTES each, and the mean of its looks, linear. */
struct surface_made {
    uint8_t *looks, *relief;
    float mean[3];
};

/* One of the project's own, or SURFACES: four fields of soft noise, against what looks the same
 * everywhere. Made when first asked for, never freed. NULL when memory is out. */
const struct surface_made *surface_own(int surface);

/* From a square of each (rows of SURFACE_SIDE, four bytes a texel): fills in the other levels, and
 * the mean. */
void surface_levels(uint8_t *looks, uint8_t *relief, float mean[3]);

/* Normals and what they leave of the sky from the heights in looks, `steep` being the surface's
 * relief over the metres that it covers. */
void surface_normals(const uint8_t *looks, double steep, uint8_t *relief);

#endif
