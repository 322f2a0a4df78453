/* A plane of a landscape: a quadtree over blocks, immutable and shared between versions.
 *
 * Three quadtree levels are packed into one branch of 8 x 8 children, as a B-tree
 * packs keys: a lookup touches two or three nodes at any size, a new version copies
 * one small branch a level. Every quadtree node, packed or not, has a summary. A
 * subtree that is all one value has no nodes below it. Any thread may read.
 */
#ifndef TERRAIN_CORE_TREE_H
#define TERRAIN_CORE_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/rect.h"
#include "terrain/core/block.h"

enum { BRANCH_LOG2 = 3, BRANCH_SIDE = 1 << BRANCH_LOG2, TREE_DEPTH_MOST = 4 };

struct summary {
    uint64_t version;         /* of the last change below */
    uint16_t least, greatest; /* of the vertices on the landscape */
};

/* What hangs under a branch or a tree: a block at depth 0, a branch above it, or
 * nothing when all below has one value (then least == greatest == that value). */
struct child {
    void *below;
    struct summary summary;
};

struct branch {
    _Atomic uint32_t holders;
    struct summary packed[1 + 4 + 16]; /* the quadtree levels above the children, root first */
    struct child children[BRANCH_SIDE * BRANCH_SIDE];
};

struct tree {
    enum plane plane;
    int32_t columns, rows; /* vertices */
    int32_t depth;         /* branches on the way to a block; 0 when one block is all */
    struct child root;
};

/* A tree all of one value, stamped with a version. Needs no memory and cannot fail. */
struct tree tree_flat(enum plane plane, int32_t columns, int32_t rows, uint16_t value,
                      uint64_t version);
struct tree tree_hold(const struct tree *tree);
void tree_drop(struct tree *tree);

/* Whether both share all that they hold. */
static inline bool tree_same(const struct tree *a, const struct tree *b)
{
    return a->root.below == b->root.below &&
           (a->root.below || a->root.summary.least == b->root.summary.least);
}

/* Blocks across and down, and the part of block (bx, by) that lies on the landscape,
 * in landscape coordinates. */
int32_t tree_blocks_across(const struct tree *tree);
int32_t tree_blocks_down(const struct tree *tree);
struct rect tree_block_rect(const struct tree *tree, int32_t bx, int32_t by);

/* The child that stands for block (bx, by): child.below is the block, or NULL and the
 * value everywhere in it is summary.least. */
struct child tree_block(const struct tree *tree, int32_t bx, int32_t by);

/* The same without a copy, for loops over many: lent by the tree; above the leaf when all below
 * is one value. */
static inline const struct child *tree_leaf(const struct tree *tree, int32_t bx, int32_t by)
{
    const struct child *node = &tree->root;

    for (int32_t shift = BRANCH_LOG2 * (tree->depth - 1); shift >= 0 && node->below;
         shift -= BRANCH_LOG2)
        node = &((const struct branch *)node->below)
                    ->children[((by >> shift & (BRANCH_SIDE - 1)) << BRANCH_LOG2) +
                               (bx >> shift & (BRANCH_SIDE - 1))];
    return node;
}

/* The value at a vertex on the landscape. */
uint16_t tree_value(const struct tree *tree, int32_t x, int32_t y);

/* Values of a rectangle on the landscape, rows `stride` values apart: 16-bit for
 * heights, one byte a value for holes and weights. */
void tree_read(const struct tree *tree, struct rect from, void *values, int64_t stride);

/* Over the blocks that meet the rectangle: the newest version, and bounds of the values
 * (bounds of whole cells when those of heights are asked for; never too narrow). */
uint64_t tree_newest(const struct tree *tree, struct rect over);
struct summary tree_bounds(const struct tree *tree, struct rect over);

/* The summary of quadtree node (x, y) of a level; level 0 is a block and each level above
 * covers twice as much a side. Beyond the landscape: version 0, least > greatest. */
struct summary tree_node(const struct tree *tree, int32_t level, int32_t x, int32_t y);

/* Copy-on-write, for drafts: a block of (bx, by) that nobody else holds, with the path
 * to it likewise; `version` stamps the path. NULL when memory is out; the tree stays whole. */
struct block *tree_own(struct tree *tree, int32_t bx, int32_t by, uint64_t version);
/* After writing: sums the block's changed cells (block coordinates) and the path's summaries;
 * a block that came to be all one value is let go. */
void tree_settle(struct tree *tree, int32_t bx, int32_t by, struct rect changed);
/* Put a block there (taken), or one value when *block is NULL; one that others hold too has been
 * summed up by them. False when memory is out. */
bool tree_put(struct tree *tree, int32_t bx, int32_t by, struct block **block, uint16_t value,
              uint64_t version);

/* Shares again with `base`, an earlier tree of the same plane and size, whatever holds the same
 * values as there, stamps included, so that a change which changed nothing leaves no trace. */
void tree_restore(struct tree *tree, const struct tree *base);

/* Stamps later than the version become the version, for a tree that has been made what an older one
 * was. False when memory is out. */
bool tree_backdate(struct tree *tree, uint64_t version);

/* Every block where the two trees of one size do not share: what stands for it in each, and the
 * part that lies on the landscape. Row by row within a branch; false stops it. */
typedef bool tree_visit(void *context, int32_t bx, int32_t by, const struct child *before,
                        const struct child *after);
bool tree_compare(const struct tree *before, const struct tree *after, tree_visit *visit,
                  void *context);

/* Heap bytes that this tree holds, shared ones included; without what it shares with another of
 * the same size (or NULL). */
uint64_t tree_bytes(const struct tree *tree);
uint64_t tree_bytes_beside(const struct tree *tree, const struct tree *other);

#endif
