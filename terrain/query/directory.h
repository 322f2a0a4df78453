/* Where the heights and the holes of all blocks lie, so that many looks at random take no walk down
 * the trees. Lent by the view it is of. Any thread may read it. */
#ifndef TERRAIN_QUERY_DIRECTORY_H
#define TERRAIN_QUERY_DIRECTORY_H

#include "terrain/core/view.h"

/* Where a block's heights lie; a block of one value has two of them, for every row. */
struct directory_heights {
    const uint16_t *heights;
    uint32_t mask; /* of places in the block: all bits, or none */
    uint16_t flat[2];
};

/* Of all blocks, row by row. */
struct directory {
    const struct view *view;
    int32_t blocks_across;
    struct directory_heights *heights; /* NULL: there is no list, blocks are looked up one by one */
    const uint64_t **holes;            /* NULL where none count; of a block: it is solid */
};

extern const uint64_t directory_all_holes[1]; /* in place of a block that is nothing else */

/* Listed where as many looks follow as there are blocks, and memory allows. */
void directory_init(struct directory *directory, const struct view *view, bool holes, size_t looks);
void directory_fini(struct directory *directory);

void directory_heights(const struct view *view, int32_t bx, int32_t by,
                       struct directory_heights *heights);
const uint64_t *directory_holes_of(const struct view *view, int32_t bx, int32_t by);

/* Where a vertex's height lies. */
static inline const uint16_t *directory_vertex(const struct directory *directory, int32_t i,
                                               int32_t j)
{
    const int32_t bx = i >> BLOCK_LOG2, by = j >> BLOCK_LOG2;
    const uint32_t place = (uint32_t)((j & BLOCK_MASK) << BLOCK_LOG2 | (i & BLOCK_MASK));
    const struct child *leaf;

    if (directory->heights) {
        const struct directory_heights *block =
            &directory->heights[by * directory->blocks_across + bx];

        return block->heights + (place & block->mask);
    }
    leaf = tree_leaf(&directory->view->planes[PLANE_HEIGHTS], bx, by);
    return leaf->below ? block_heights(leaf->below) + place : &leaf->summary.least;
}

/* Where the heights of the block of quad (i, j) lie: in the list, or in `own`. */
static inline const struct directory_heights *directory_block(const struct directory *directory,
                                                              int32_t i, int32_t j,
                                                              struct directory_heights *own)
{
    const int32_t bx = i >> BLOCK_LOG2, by = j >> BLOCK_LOG2;

    if (directory->heights)
        return &directory->heights[by * directory->blocks_across + bx];
    directory_heights(directory->view, bx, by, own);
    return own;
}

#endif
