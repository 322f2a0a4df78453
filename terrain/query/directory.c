#include "terrain/query/directory.h"

#include <stdlib.h>

const uint64_t directory_all_holes[1] = { UINT64_MAX };

void directory_heights(const struct view *view, int32_t bx, int32_t by,
                       struct directory_heights *heights)
{
    const struct child *leaf = tree_leaf(&view->planes[PLANE_HEIGHTS], bx, by);

    heights->flat[0] = heights->flat[1] = leaf->summary.least;
    heights->heights = leaf->below ? block_heights(leaf->below) : heights->flat;
    heights->mask = leaf->below ? UINT32_MAX : 0;
}

const uint64_t *directory_holes_of(const struct view *view, int32_t bx, int32_t by)
{
    const struct child *leaf = tree_leaf(&view->planes[PLANE_HOLES], bx, by);

    if (leaf->below)
        return block_bits(leaf->below);
    return leaf->summary.least ? directory_all_holes : NULL;
}

void directory_init(struct directory *directory, const struct view *view, bool holes, size_t looks)
{
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    const int32_t across = tree_blocks_across(tree), down = tree_blocks_down(tree);
    const size_t count = (size_t)across * (size_t)down;

    *directory = (struct directory){ view, across, NULL, NULL };
    if (looks < count)
        return;
    directory->heights = malloc(count * sizeof *directory->heights);
    if (directory->heights && holes)
        directory->holes = malloc(count * sizeof *directory->holes);
    for (size_t i = 0; directory->heights && i < count; i++) {
        const int32_t bx = (int32_t)(i % (size_t)across), by = (int32_t)(i / (size_t)across);

        directory_heights(view, bx, by, &directory->heights[i]);
        if (directory->holes)
            directory->holes[i] = directory_holes_of(view, bx, by);
    }
}

void directory_fini(struct directory *directory)
{
    free(directory->heights);
    free(directory->holes);
}
