/* The mesh of one tile in five parts: the inside, and four strips of edge.
 *
 * A strip fits its tile to a neighbour that is coarser by so many levels: on the border it has that
 * neighbour's vertices alone. Strips are made once for each grid, side and difference, and shared.
 * Definition: quadtree tile mesh of the reference. Any thread.
 *
 * Holes are cut out to the quad. Where a hole lies in a strip that is drawn as a coarser
 * neighbour's, the neighbour either takes the finer vertices there (`exact`, when it is known to:
 * its own border is then given them as `more`), or whatever triangle of the strip touches the hole
 * goes, so that the neighbour meets nothing that it does not have.
 */
#ifndef TERRAIN_LOD_PATCH_MESH_H
#define TERRAIN_LOD_PATCH_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/lod/mesh.h"
#include "terrain/lod/patch_cells.h"

enum {
    PATCH_GRID_LOG2_LEAST = 3,
    PATCH_GRID_LOG2_MOST = 10,
    PATCH_DIFFERENCES = 4 /* 0 to 3 levels */
};

struct patch_border {
    int32_t difference; /* 0 to 3 */
    bool exact;         /* the neighbour takes the finer vertices beside holes */
    bool still;         /* between two levels: vertices on it are not morphed */
    size_t more_count;  /* quads from the tile's corner, ascending: vertices on the border besides
                           the tile's own, of finer neighbours */
    const int32_t *more;
};

/* A strip's triangles, and from which to which grid quad along the side each of them reaches. */
struct patch_strip {
    size_t count;
    uint32_t (*corners)[3]; /* j * (grid + 1) + i */
    int32_t (*reach)[2];
};

/* Lent, for good. NULL with MEMORY. */
const struct patch_strip *patch_strip(int32_t grid, enum patch_side side, int32_t difference,
                                      struct fault *why);

/* How vertices between those of the next coarser grid move onto its surface: from `start` metres
 * away from the eye on, all the way at `end`. */
struct patch_morph {
    double eye[3], start, end;
};

/* How far, 0 to 1, at a distance in metres. */
double patch_morphed(const struct patch_morph *morph, double distance);

/* Which of a border's grid + 1 vertices are in use beside a neighbour that is coarser by so many
 * levels and takes the finer ones beside holes (a byte each quad; NULL is none). */
void patch_outer(int32_t grid, int32_t difference, const uint8_t *dropped, uint8_t *outer);

/* The triangles of a tile, and the vertices of `more` after those of the grid. */
struct patch_shape {
    uint32_t (*corners)[3];
    size_t count, room;
    int32_t (*more)[2]; /* quads from the tile's corner */
    size_t more_count, more_room;
};
void patch_shape_free(struct patch_shape *shape);

/* Made anew within what there is room for. Fails with MEMORY. */
bool patch_shape_make(const struct view *view, struct derived_cache *cache,
                      const struct patch_place *tile, const struct patch_style *style,
                      const struct patch_border borders[PATCH_SIDES], struct patch_shape *shape,
                      struct fault *why);

/* How many triangles that would be. */
bool patch_count(const struct view *view, struct derived_cache *cache,
                 const struct patch_place *tile, const struct patch_style *style,
                 const struct patch_border borders[PATCH_SIDES], int64_t *triangles,
                 struct fault *why);

/* Appends the shape, with normals if the mesh has any. Without a morph (NULL), vertices have their
 * own heights. Fails with MEMORY or LIMIT. */
bool patch_mesh_add(const struct view *view, const struct patch_place *tile,
                    const struct patch_border borders[PATCH_SIDES], const struct patch_shape *shape,
                    const struct patch_morph *morph, struct mesh *mesh, struct fault *why);

#endif
