/* Meshes of nodes: of all that a camera sees, and of one alone. */
#include <math.h>

#include "terrain/lod/quadtree.h"

/* A level's nodes are drawn up to its range, `factor` times their size, and move over the last 15 %
 * of it: between "the last 15-30 %" of the way from the finer level's range, of Strugar,
 * "Continuous distance-dependent level of detail for rendering heightmaps", 2010. They arrive two
 * quads early, so that all of an edge is there when a coarser neighbour may stand beside it. */
void quadtree_morph(const struct view *view, const struct quadtree_options *options, int32_t level,
                    struct patch_morph *morph)
{
    const struct grid *grid = view_grid(view);
    const double across = fmax(grid->scale[0], grid->scale[1]);
    const double quad = (double)((int64_t)options->leaf << level) / options->grid * across;
    const double range = options->factor * options->grid * quad;

    morph->end = range - fmin(2 * quad, 0.1 * range);
    morph->start = morph->end - 0.15 * range;
}

bool quadtree_picks_mesh(const struct view *view, struct derived_cache *cache,
                         const struct pick_options *options, const struct picks *picks,
                         struct mesh *mesh, struct fault *why)
{
    struct patch_shape shape = { 0 };
    struct quadtree_index index;
    bool made = quadtree_index_init(&index, view, options, picks, why);

    for (size_t i = 0; made && i < picks->count; i++) {
        const struct patch *patch = &picks->patches[i];
        struct patch_place place = quadtree_place(&options->quadtree, patch);
        struct patch_style style = quadtree_style(options, patch);
        struct patch_morph morph = { .eye = { picks->eye[0], picks->eye[1], picks->eye[2] } };
        bool morphs = options->quadtree.split == SPLIT_RANGES && patch->level + 1 < picks->levels;

        if (!patch->visible)
            continue;
        quadtree_morph(view, &options->quadtree, patch->level, &morph);
        made =
            quadtree_borders(&index, patch, why) &&
            patch_shape_make(view, cache, &place, &style, index.borders, &shape, why) &&
            patch_mesh_add(view, &place, index.borders, &shape, morphs ? &morph : NULL, mesh, why);
    }
    patch_shape_free(&shape);
    quadtree_index_fini(&index);
    return made;
}

static bool power_of_two(int32_t number)
{
    return number > 0 && !(number & (number - 1));
}

static bool node_fits(const struct view *view, const struct patch_place *node,
                      const int32_t differences[4], struct fault *why)
{
    if (!power_of_two(node->grid) || node->grid < 1 << PATCH_GRID_LOG2_LEAST ||
        node->grid > 1 << PATCH_GRID_LOG2_MOST)
        return fault_set(why, FAULT_INPUT, "grid %d is no power of two from %d to %d", node->grid,
                         1 << PATCH_GRID_LOG2_LEAST, 1 << PATCH_GRID_LOG2_MOST);
    if (!power_of_two(node->size) || node->size < node->grid)
        return fault_set(why, FAULT_INPUT, "size %d is no power of two from the grid's %d on",
                         node->size, node->grid);
    for (int side = 0; side < 4; side++)
        if (differences[side] < 0 || differences[side] >= PATCH_DIFFERENCES)
            return fault_set(why, FAULT_INPUT, "a neighbour is 0 to %d levels coarser, not %d",
                             PATCH_DIFFERENCES - 1, differences[side]);
    if (node->x < 0 || node->y < 0 || node->x >= patch_end(view, 0) ||
        node->y >= patch_end(view, 1))
        return fault_set(why, FAULT_RANGE, "(%d, %d) is outside the landscape", node->x, node->y);
    if (node->x % node->size || node->y % node->size)
        return fault_set(why, FAULT_INPUT,
                         "(%d, %d) is no multiple of the node's size %d; (%d, %d) is", node->x,
                         node->y, node->size, node->x & -node->size, node->y & -node->size);
    return true;
}

bool quadtree_node_mesh(const struct view *view, struct derived_cache *cache,
                        const struct patch_place *node, const int32_t differences[4],
                        const struct patch_style *style, struct mesh *mesh, struct fault *why)
{
    const struct patch_border borders[PATCH_SIDES] = {
        [PATCH_NORTH] = { .difference = differences[0] },
        [PATCH_WEST] = { .difference = differences[1] },
        [PATCH_EAST] = { .difference = differences[2] },
        [PATCH_SOUTH] = { .difference = differences[3] },
    };
    struct patch_shape shape = { 0 };
    bool made = node_fits(view, node, differences, why) &&
                patch_shape_make(view, cache, node, style, borders, &shape, why) &&
                patch_mesh_add(view, node, borders, &shape, NULL, mesh, why);

    patch_shape_free(&shape);
    return made;
}
