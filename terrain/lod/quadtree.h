/* The quadtree's side of LOD selection, beside what pick.h says.
 *
 * The root is the least square of leaf times a power of two that covers the landscape's quads;
 * nodes wholly beyond are not there, those across the border end at it. Distances are metres from
 * the eye to a node's box, sizes metres by the wider of both axes. Any thread.
 */
#ifndef TERRAIN_LOD_QUADTREE_H
#define TERRAIN_LOD_QUADTREE_H

#include "terrain/lod/patch_mesh.h"
#include "terrain/lod/pick.h"

/* Finds patches by place: for whoever needs a patch's neighbours. */
struct quadtree_index {
    const struct view *view;
    const struct quadtree_options *options;
    enum hole_rule hole_rule;
    const struct picks *picks;
    uint32_t *slots; /* of a table by place and level: patch + 1 */
    size_t mask;
    uint8_t *dropped, *outer;   /* of a side: grid + 1 */
    int32_t *more[PATCH_SIDES]; /* room of the borders below */
    size_t more_room[PATCH_SIDES];
    struct patch_border borders[PATCH_SIDES];
};

/* Of a whole selection of quadtree nodes. Fails with MEMORY. */
bool quadtree_index_init(struct quadtree_index *index, const struct view *view,
                         const struct pick_options *options, const struct picks *picks,
                         struct fault *why);
void quadtree_index_fini(struct quadtree_index *index);

/* Fills in index->borders: how a patch fits each of its neighbours, finer ones too. Fails with
 * MEMORY. */
bool quadtree_borders(struct quadtree_index *index, const struct patch *patch, struct fault *why);

/* As far as the patch itself says: coarser neighbours, no holes. */
void quadtree_borders_plain(const struct patch *patch, struct patch_border borders[PATCH_SIDES]);

/* How a patch is drawn. */
struct patch_place quadtree_place(const struct quadtree_options *options,
                                  const struct patch *patch);
struct patch_style quadtree_style(const struct pick_options *options, const struct patch *patch);

/* Of one node, without its neighbours: quads [x, x + size) and [y, y + size) in grid x grid, to fit
 * neighbours that are so many levels coarser (north, west, east, south: 0 to 3). Beside a coarser
 * neighbour, a triangle of the edge that would touch a hole is left out. Appends. Fails with INPUT
 * for a node that no quadtree has, with RANGE beyond the landscape, with MEMORY. */
bool quadtree_node_mesh(const struct view *view, struct derived_cache *cache,
                        const struct patch_place *node, const int32_t differences[4],
                        const struct patch_style *style, struct mesh *mesh, struct fault *why);

/* Metres from the eye at which vertices of a level's nodes begin to move, and are where the next
 * level has them (SPLIT_RANGES). With a factor from 5 on, without merging or half steps, nothing
 * jumps where nodes change for others, but for the two corner quads of the coarser one that strips
 * split along the other diagonal; with a smaller one, and in any case on borders between levels,
 * vertices that would tear the mesh do not move. */
void quadtree_morph(const struct view *view, const struct quadtree_options *options, int32_t level,
                    struct patch_morph *morph);

#endif
