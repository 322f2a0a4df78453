/* The tiles of quantized-mesh-1.0 (CesiumGS/quantized-mesh:README): a mesh over a square of
 * degrees, in 16-bit numbers, little-endian. Any thread.
 */
#ifndef TERRAIN_FORMAT_QUANTIZED_MESH_H
#define TERRAIN_FORMAT_QUANTIZED_MESH_H

#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/lod/mesh.h"

/* The greatest of the numbers that u, v and heights are. */
enum { QUANTIZED_MOST = 32767, QUANTIZED_WATER_SIDE = 256 };

/* Extensions, by bit; each is written when its part below is there. */
enum { QUANTIZED_NORMALS = 1, QUANTIZED_WATER = 2, QUANTIZED_METADATA = 4 };

struct quantized_mesh {
    double bounds[4];          /* west, south, east, north, degrees */
    const struct mesh *mesh;   /* vertices (i, j, metres above the ellipsoid), i and j whole */
    size_t surface_vertices;   /* the mesh's first; those after them are skirts', of no edge list */
    int32_t side;              /* i and j go from 0 (west, north) to this */
    double minimum, step;      /* metres: heights are the nearest of minimum + n x step */
    const float (*normals)[3]; /* unit, Earth-fixed, of each vertex of the mesh; or NULL */
    const uint8_t *water;      /* 255 is water, rows from the north; or NULL */
    size_t water_bytes;        /* 1 or 256 x 256 */
    const char *metadata;      /* JSON, or NULL */
};

/* The height step that all tiles of a level have in common, so that the heights of shared borders
 * are the same on both sides: the least power of two of which 32767 span the range, and of which
 * all multiples within the range are exact in 32-bit floats. */
double quantized_mesh_step(double least, double greatest);

/* The greatest multiple of the step that is not above the height: a tile's minimum. */
double quantized_mesh_floor(double height, double step);

/* Appends a tile. Fails with MEMORY. */
bool quantized_mesh_write(const struct quantized_mesh *tile, struct bytes *to, struct fault *why);

#endif
