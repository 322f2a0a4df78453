/* Which detail of a landscape a camera needs, as clients draw it: the selection, and one mesh of it
 * without a crack.
 *
 * Two ways, as clients have both: a renderer of components (each at its own continuous level,
 * morphed towards its neighbours') and one of a quadtree (nodes of one grid, split by distance or
 * by the error that shows). Definitions: levels of detail, LOD selection and quadtree tile mesh of
 * the reference. Any thread.
 */
#ifndef TERRAIN_LOD_PICK_H
#define TERRAIN_LOD_PICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/lod/frustum.h"
#include "terrain/lod/mesh.h"

/* A quad of a coarse grid is a hole when all quads below it are, or when any is. */
enum hole_rule { HOLES_ALL, HOLES_ANY };

/* Nodes are split while nearer than `factor` times their size; or while what they leave out shows
 * as more than `pixel_error` pixels; or by ranges that double from level to level (CDLOD), which
 * are `factor` times the size of a level's nodes, and morph towards the next one's grid. */
enum split_rule { SPLIT_DISTANCE, SPLIT_ERROR, SPLIT_RANGES };

struct component_options {
    double lod0_screen_size, lod0_distribution, lod_distribution; /* 0: the landscape's own */
    double bias;                                                  /* levels added */
    int32_t forced;   /* the level of all; -1 is by size */
    bool per_section; /* a level for each section, and a draw each unless they agree */
};

struct quadtree_options {
    int split; /* enum split_rule */
    double factor, pixel_error;
    int32_t leaf;       /* quads a side of the least node, a power of two from 8 to 1024 */
    int32_t grid;       /* quads a side of every node's mesh, a power of two from 8 to leaf */
    int32_t balance;    /* levels that neighbours may differ by: 1 to 3; 0 is no limit */
    double merge_angle; /* degrees between normals that count as one; negative merges nothing */
    bool half_step;     /* the mesh between two levels, beyond sqrt(2) times the split */
};

struct pick_options {
    bool components;       /* or the quadtree */
    int hole_rule;         /* enum hole_rule */
    bool everything;       /* nothing is left out for being out of the picture */
    int32_t width, height; /* the picture, pixels */
    struct component_options component;
    struct quadtree_options quadtree;
};

/* One thing that is drawn: a component, or a node of the quadtree. */
struct patch {
    int32_t x, y, size;       /* quads: north-west corner and side */
    int32_t level;            /* of the quadtree, 0 the least nodes; of components 0 */
    uint16_t least, greatest; /* of all vertices of the closed square that are on the landscape */
    double distance;          /* metres from the eye to its box */
    double lod;               /* component: continuous; node: the level it is at, morph included */
    int32_t draw;             /* component: index buffer; node: mesh LOD (1 is the half step) */
    double neighbours[4];     /* north, west, east, south. Component: LOD, at least its own, NaN
                                 where there is none; node: levels that the neighbour is coarser */
    bool visible;
    int32_t triangles, draws; /* of what is visible */
    int32_t sections[4];    /* index buffers of the sections, row by row; one if not per section */
    double section_lods[4]; /* their levels; per section only */
};

struct picks {
    struct patch *patches; /* components row by row; nodes by x, y, size */
    size_t count;
    int64_t visible, culled, draws, triangles;
    int32_t leaf, levels; /* quadtree */
    double eye[3];        /* of the camera: what vertices move by */
};

void picks_free(struct picks *picks);

/* The selection. Fails with INPUT for options that contradict each other, with LIMIT for more than
 * 2^22 patches, with MEMORY. The cache keeps bounds between calls; may be NULL. */
bool pick(const struct view *view, struct derived_cache *cache, const struct frustum *frustum,
          const struct pick_options *options, struct picks *picks, struct fault *why);

/* The two ways, behind pick(). */
bool pick_components(const struct view *view, struct derived_cache *cache,
                     const struct frustum *frustum, const struct pick_options *options,
                     struct picks *picks, struct fault *why);
bool pick_quadtree(const struct view *view, struct derived_cache *cache,
                   const struct frustum *frustum, const struct pick_options *options,
                   struct picks *picks, struct fault *why);

/* What the visible patches draw, as one mesh: watertight but for holes, the landscape's border and
 * what is out of the picture. Appends; says nothing of a bound. Fails with LIMIT beyond so many
 * triangles, with MEMORY. */
bool picks_mesh(const struct view *view, struct derived_cache *cache,
                const struct pick_options *options, const struct picks *picks,
                int64_t triangles_most, struct mesh *mesh, struct fault *why);
bool component_picks_mesh(const struct view *view, struct derived_cache *cache,
                          const struct pick_options *options, const struct picks *picks,
                          struct mesh *mesh, struct fault *why);
bool quadtree_picks_mesh(const struct view *view, struct derived_cache *cache,
                         const struct pick_options *options, const struct picks *picks,
                         struct mesh *mesh, struct fault *why);

#endif
