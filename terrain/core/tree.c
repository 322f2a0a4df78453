#include "terrain/core/tree.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"

enum {
    BRANCH_MASK = BRANCH_SIDE - 1,
    BRANCH_CHILDREN = BRANCH_SIDE * BRANCH_SIDE,
    PACKED_TWO = 1,  /* where the 2 x 2 level begins in branch.packed, */
    PACKED_FOUR = 5, /* and the 4 x 4 level */
    PACKED_COUNT = 21
};

/* What lies beyond the landscape. */
static const struct summary nothing = { 0, UINT16_MAX, 0 };

/* A node while walking: the depth below it, and its first block. */
struct place {
    int32_t depth, bx, by;
};

static struct place place_root(const struct tree *tree)
{
    return (struct place){ tree->depth, 0, 0 };
}

static struct place place_child(struct place at, int32_t i)
{
    int32_t shift = BRANCH_LOG2 * (at.depth - 1);

    return (struct place){ at.depth - 1, at.bx + ((i & BRANCH_MASK) << shift),
                           at.by + ((i >> BRANCH_LOG2) << shift) };
}

/* Which child of a node at that depth leads to block (bx, by). */
static int32_t child_index(int32_t depth, int32_t bx, int32_t by)
{
    int32_t shift = BRANCH_LOG2 * (depth - 1);

    return ((by >> shift & BRANCH_MASK) << BRANCH_LOG2) + (bx >> shift & BRANCH_MASK);
}

static bool on_landscape(const struct tree *tree, struct place at)
{
    return at.bx < tree_blocks_across(tree) && at.by < tree_blocks_down(tree);
}

static struct summary summary_join(struct summary a, struct summary b)
{
    return (struct summary){ a.version > b.version ? a.version : b.version,
                             a.least < b.least ? a.least : b.least,
                             a.greatest > b.greatest ? a.greatest : b.greatest };
}

static bool summary_same(struct summary a, struct summary b)
{
    return a.version == b.version && a.least == b.least && a.greatest == b.greatest;
}

/* Branches */

static void branch_drop(struct branch *branch, int32_t depth);

static void below_drop(void *below, int32_t depth)
{
    if (depth == 0)
        block_drop(below);
    else
        branch_drop(below, depth);
}

/* Counting holders touches each child, and those of a large landscape are seldom in the cache:
 * asked for together, they come together. */
static void children_fetch(const struct branch *branch)
{
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++) {
        if (branch->children[i].below)
            __builtin_prefetch(branch->children[i].below, 1);
    }
}

static void branch_drop(struct branch *branch, int32_t depth)
{
    if (!branch || atomic_fetch_sub_explicit(&branch->holders, 1, memory_order_acq_rel) != 1)
        return;
    children_fetch(branch);
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++)
        below_drop(branch->children[i].below, depth - 1);
    free(branch);
}

static void below_hold(void *below, int32_t depth)
{
    if (!below)
        return;
    if (depth == 0)
        block_hold(below);
    else
        atomic_fetch_add_explicit(&((struct branch *)below)->holders, 1, memory_order_relaxed);
}

static struct summary four_join(const struct summary *first, int32_t stride)
{
    return summary_join(summary_join(first[0], first[1]),
                        summary_join(first[stride], first[stride + 1]));
}

/* The packed levels above child i, from the children up. */
static void branch_sum(struct branch *branch, int32_t i)
{
    int32_t x = i & BRANCH_MASK, y = i >> BRANCH_LOG2;
    const struct child *corner = &branch->children[(y & ~1) * BRANCH_SIDE + (x & ~1)];
    struct summary *packed = branch->packed;

    packed[PACKED_FOUR + (y >> 1) * 4 + (x >> 1)] =
        summary_join(summary_join(corner[0].summary, corner[1].summary),
                     summary_join(corner[BRANCH_SIDE].summary, corner[BRANCH_SIDE + 1].summary));
    packed[PACKED_TWO + (y >> 2) * 2 + (x >> 2)] =
        four_join(&packed[PACKED_FOUR + (y >> 2) * 8 + (x >> 2) * 2], 4);
    packed[0] = four_join(&packed[PACKED_TWO], 2);
}

static void branch_sum_all(struct branch *branch)
{
    for (int32_t y = 0; y < BRANCH_SIDE; y += 2)
        for (int32_t x = 0; x < BRANCH_SIDE; x += 2)
            branch_sum(branch, y * BRANCH_SIDE + x);
}

/* The branch that says the same as a flat node. */
static struct branch *branch_flat(const struct tree *tree, struct place at, struct summary summary)
{
    struct branch *branch = calloc(1, sizeof *branch);

    if (!branch)
        return NULL;
    atomic_init(&branch->holders, 1);
    for (int32_t i = 0; i < PACKED_COUNT; i++)
        branch->packed[i] = nothing; /* joins of the levels below read them all */
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++)
        branch->children[i].summary = on_landscape(tree, place_child(at, i)) ? summary : nothing;
    branch_sum_all(branch);
    return branch;
}

static struct branch *branch_copy(const struct branch *branch, int32_t depth)
{
    struct branch *copy = malloc(sizeof *copy);

    if (!copy)
        return NULL;
    children_fetch(branch);
    atomic_init(&copy->holders, 1);
    memcpy(copy->packed, branch->packed, sizeof copy->packed);
    memcpy(copy->children, branch->children, sizeof copy->children);
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++)
        below_hold(copy->children[i].below, depth - 1);
    return copy;
}

/* Trees */

struct tree tree_flat(enum plane plane, int32_t columns, int32_t rows, uint16_t value,
                      uint64_t version)
{
    struct tree tree = { .plane = plane, .columns = columns, .rows = rows };
    int32_t side = columns > rows ? columns : rows;

    while ((int64_t)BLOCK_SIDE << (BRANCH_LOG2 * tree.depth) < side)
        tree.depth++;
    tree.root.summary = (struct summary){ version, value, value };
    return tree;
}

struct tree tree_hold(const struct tree *tree)
{
    below_hold(tree->root.below, tree->depth);
    return *tree;
}

void tree_drop(struct tree *tree)
{
    below_drop(tree->root.below, tree->depth);
    tree->root.below = NULL;
}

int32_t tree_blocks_across(const struct tree *tree)
{
    return (tree->columns + BLOCK_MASK) >> BLOCK_LOG2;
}

int32_t tree_blocks_down(const struct tree *tree)
{
    return (tree->rows + BLOCK_MASK) >> BLOCK_LOG2;
}

struct rect tree_block_rect(const struct tree *tree, int32_t bx, int32_t by)
{
    int32_t x = bx << BLOCK_LOG2, y = by << BLOCK_LOG2;
    int32_t width = tree->columns - x, height = tree->rows - y;

    return (struct rect){ x, y, width < BLOCK_SIDE ? width : BLOCK_SIDE,
                          height < BLOCK_SIDE ? height : BLOCK_SIDE };
}

/* The lowest node on the way to block (bx, by), but not below that depth. */
static const struct child *node_towards(const struct tree *tree, int32_t bx, int32_t by,
                                        int32_t to_depth)
{
    const struct child *node = &tree->root;

    for (int32_t depth = tree->depth; depth > to_depth && node->below; depth--)
        node = &((const struct branch *)node->below)->children[child_index(depth, bx, by)];
    return node;
}

struct child tree_block(const struct tree *tree, int32_t bx, int32_t by)
{
    return *tree_leaf(tree, bx, by);
}

uint16_t tree_value(const struct tree *tree, int32_t x, int32_t y)
{
    const struct child *leaf = tree_leaf(tree, x >> BLOCK_LOG2, y >> BLOCK_LOG2);

    return leaf->below ? block_value(leaf->below, x & BLOCK_MASK, y & BLOCK_MASK)
                       : leaf->summary.least;
}

/* Part of one row, all in one block. */
static void read_heights(const struct child *leaf, int32_t x, int32_t y, int32_t count,
                         uint16_t *values)
{
    if (leaf->below) {
        memcpy(values, block_heights(leaf->below) + y * BLOCK_SIDE + x,
               (size_t)count * sizeof *values);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        values[i] = leaf->summary.least;
}

static void read_bits(const struct child *leaf, int32_t x, int32_t y, int32_t count,
                      uint8_t *values)
{
    const uint64_t *row;

    if (!leaf->below) {
        memset(values, leaf->summary.least, (size_t)count);
        return;
    }
    row = block_bits(leaf->below) + y * 2;
    for (int32_t i = 0; i < count; i++)
        values[i] = row[(x + i) >> 6] >> ((x + i) & 63) & 1;
}

static void read_weights(const struct child *leaf, int32_t x, int32_t y, int32_t count,
                         uint8_t *values)
{
    if (leaf->below)
        memcpy(values, block_weights(leaf->below) + y * BLOCK_SIDE + x, (size_t)count);
    else
        memset(values, leaf->summary.least, (size_t)count);
}

/* The same for any plane, into values of its width. */
static void read_row(enum plane plane, const struct child *leaf, int32_t x, int32_t y,
                     int32_t count, void *values, int64_t to)
{
    if (plane == PLANE_HEIGHTS)
        read_heights(leaf, x, y, count, (uint16_t *)values + to);
    else if (plane == PLANE_WEIGHTS)
        read_weights(leaf, x, y, count, (uint8_t *)values + to);
    else
        read_bits(leaf, x, y, count, (uint8_t *)values + to);
}

void tree_read(const struct tree *tree, struct rect from, void *values, int64_t stride)
{
    int32_t right = from.x + from.width, bottom = from.y + from.height, next_x, next_y;

    for (int32_t y = from.y; y < bottom; y = next_y) {
        next_y = (y | BLOCK_MASK) + 1 < bottom ? (y | BLOCK_MASK) + 1 : bottom;
        for (int32_t x = from.x; x < right; x = next_x) {
            const struct child *leaf = tree_leaf(tree, x >> BLOCK_LOG2, y >> BLOCK_LOG2);

            next_x = (x | BLOCK_MASK) + 1 < right ? (x | BLOCK_MASK) + 1 : right;
            for (int32_t row = y; row < next_y; row++) {
                int64_t to = (row - from.y) * stride + (x - from.x);

                read_row(tree->plane, leaf, x & BLOCK_MASK, row & BLOCK_MASK, next_x - x, values,
                         to);
            }
        }
    }
}

/* Summaries over a rectangle of vertices. */

struct asked {
    const struct tree *tree;
    struct rect over;
    bool by_cells; /* look into blocks */
};

static struct rect tree_rect(const struct tree *tree)
{
    return (struct rect){ 0, 0, tree->columns, tree->rows };
}

static struct rect place_rect(struct place at)
{
    int32_t side = BLOCK_SIDE << (BRANCH_LOG2 * at.depth);

    return (struct rect){ at.bx << BLOCK_LOG2, at.by << BLOCK_LOG2, side, side };
}

static struct summary cells_over(const struct child *leaf, struct rect over)
{
    const struct cell *cells = block_cells(leaf->below);
    struct summary all = { leaf->summary.version, UINT16_MAX, 0 };

    for (int32_t j = over.y >> CELL_LOG2; j <= (over.y + over.height - 1) >> CELL_LOG2; j++) {
        for (int32_t i = over.x >> CELL_LOG2; i <= (over.x + over.width - 1) >> CELL_LOG2; i++) {
            const struct cell *cell = &cells[j * BLOCK_CELLS + i];

            all = summary_join(all, (struct summary){ 0, cell->least, cell->greatest });
        }
    }
    return all;
}

static struct summary node_over(const struct asked *asked, const struct child *node,
                                struct place at)
{
    struct rect all = place_rect(at), meet = rect_meet(all, asked->over);
    struct rect landed = rect_meet(all, tree_rect(asked->tree));
    const struct branch *branch = node->below;
    struct summary sum = nothing;
    int32_t shift = BLOCK_LOG2 + BRANCH_LOG2 * (at.depth - 1);

    if (!node->below || rect_area(meet) == rect_area(landed))
        return node->summary;
    meet.x -= all.x;
    meet.y -= all.y;
    if (at.depth == 0)
        return asked->by_cells ? cells_over(node, meet) : node->summary;
    for (int32_t y = meet.y >> shift; y <= (meet.y + meet.height - 1) >> shift; y++) {
        for (int32_t x = meet.x >> shift; x <= (meet.x + meet.width - 1) >> shift; x++) {
            int32_t i = y * BRANCH_SIDE + x;

            sum = summary_join(sum, node_over(asked, &branch->children[i], place_child(at, i)));
        }
    }
    return sum;
}

static struct summary tree_over(const struct tree *tree, struct rect over, bool by_cells)
{
    struct asked asked = { tree, rect_meet(over, tree_rect(tree)), by_cells };

    return rect_empty(asked.over) ? nothing : node_over(&asked, &tree->root, place_root(tree));
}

uint64_t tree_newest(const struct tree *tree, struct rect over)
{
    return tree_over(tree, over, false).version;
}

struct summary tree_bounds(const struct tree *tree, struct rect over)
{
    return tree_over(tree, over, tree->plane == PLANE_HEIGHTS);
}

struct summary tree_node(const struct tree *tree, int32_t level, int32_t x, int32_t y)
{
    int32_t above = (level + BRANCH_LOG2 - 1) / BRANCH_LOG2; /* depth that packs or is the level */
    int32_t packed = above * BRANCH_LOG2 - level;
    const struct child *node;

    if (x < 0 || y < 0 || (int64_t)x << level >= tree_blocks_across(tree) ||
        (int64_t)y << level >= tree_blocks_down(tree))
        return nothing;
    if (above > tree->depth)
        return tree->root.summary;
    node = node_towards(tree, x << level, y << level, above);
    if (!node->below || packed == 0)
        return node->summary;
    x &= (1 << packed) - 1;
    y &= (1 << packed) - 1;
    return ((const struct branch *)node->below)
        ->packed[packed == 1 ? PACKED_TWO + y * 2 + x : PACKED_FOUR + y * 4 + x];
}

/* Writing */

/* The nodes from the leaf of a block, at depth 0, up to the root. */
struct path {
    struct child *at[TREE_DEPTH_MOST + 1];
};

/* Branches on the path that are shared or missing are replaced by ones of this tree alone. */
static bool path_own(struct tree *tree, int32_t bx, int32_t by, struct path *path)
{
    struct child *node = &tree->root;

    for (int32_t depth = tree->depth; depth > 0; depth--) {
        struct branch *branch = node->below;
        int32_t shift = BRANCH_LOG2 * depth;

        if (!branch)
            branch = branch_flat(
                tree, (struct place){ depth, bx >> shift << shift, by >> shift << shift },
                node->summary);
        else if (atomic_load_explicit(&branch->holders, memory_order_acquire) > 1)
            branch = branch_copy(branch, depth);
        if (!branch)
            return false;
        if (branch != node->below) {
            branch_drop(node->below, depth);
            node->below = branch;
        }
        path->at[depth] = node;
        node = &branch->children[child_index(depth, bx, by)];
    }
    path->at[0] = node;
    return true;
}

static void path_sum(const struct tree *tree, int32_t bx, int32_t by, const struct path *path)
{
    for (int32_t depth = 1; depth <= tree->depth; depth++) {
        struct branch *branch = path->at[depth]->below;

        branch_sum(branch, child_index(depth, bx, by));
        path->at[depth]->summary = branch->packed[0];
    }
}

static struct rect valid_of(const struct tree *tree, int32_t bx, int32_t by)
{
    struct rect valid = tree_block_rect(tree, bx, by);

    valid.x = valid.y = 0;
    return valid;
}

/* A block of one value, zero beyond the landscape. */
static struct block *block_flat(const struct tree *tree, int32_t bx, int32_t by, uint16_t value)
{
    struct rect valid = valid_of(tree, bx, by);
    struct block *block = block_new(tree->plane, 0);

    if (!block)
        return NULL;
    for (int32_t y = 0; value && y < valid.height; y++) {
        if (tree->plane == PLANE_WEIGHTS) {
            memset((uint8_t *)block_writable(block) + y * BLOCK_SIDE, value, (size_t)valid.width);
            continue;
        }
        for (int32_t x = 0; x < valid.width; x++) {
            if (tree->plane == PLANE_HEIGHTS)
                ((uint16_t *)block_writable(block))[y * BLOCK_SIDE + x] = value;
            else
                ((uint64_t *)block_writable(block))[y * 2 + (x >> 6)] |= (uint64_t)1 << (x & 63);
        }
    }
    block_sum(block, (struct rect){ 0, 0, BLOCK_SIDE, BLOCK_SIDE }, valid);
    return block;
}

struct block *tree_own(struct tree *tree, int32_t bx, int32_t by, uint64_t version)
{
    struct path path;
    struct child *leaf;
    struct block *block;

    if (!path_own(tree, bx, by, &path))
        return NULL;
    leaf = path.at[0];
    block = leaf->below;
    if (!block)
        block = block_flat(tree, bx, by, leaf->summary.least);
    else if (atomic_load_explicit(&block->holders, memory_order_acquire) > 1)
        block = block_copy(block);
    if (!block)
        return NULL;
    if (block != leaf->below) {
        block_drop(leaf->below);
        leaf->below = block;
    }
    leaf->summary.version = version;
    path_sum(tree, bx, by, &path);
    return block;
}

WIDE static struct summary weights_summary(const struct block *block, struct rect valid,
                                           uint64_t version)
{
    uint8_t least[BLOCK_SIDE], greatest[BLOCK_SIDE] = { 0 };
    struct summary sum = { version, UINT16_MAX, 0 };

    memset(least, 0xff, sizeof least);
    for (int32_t y = 0; y < valid.height; y++) {
        const uint8_t *row = block_weights(block) + y * BLOCK_SIDE;

        for (int32_t x = 0; x < BLOCK_SIDE; x++) {
            least[x] = row[x] < least[x] ? row[x] : least[x];
            greatest[x] = row[x] > greatest[x] ? row[x] : greatest[x];
        }
    }
    for (int32_t x = 0; x < valid.width; x++) {
        sum.least = least[x] < sum.least ? least[x] : sum.least;
        sum.greatest = greatest[x] > sum.greatest ? greatest[x] : sum.greatest;
    }
    return sum;
}

static struct summary block_summary(const struct block *block, struct rect valid, uint64_t version)
{
    struct summary sum = { version, UINT16_MAX, 0 };
    int64_t ones = 0;

    if (block->plane == PLANE_HEIGHTS) {
        const struct cell *cells = block_cells(block);

        for (int32_t i = 0; i < BLOCK_CELLS * BLOCK_CELLS; i++) {
            sum.least = cells[i].least < sum.least ? cells[i].least : sum.least;
            sum.greatest = cells[i].greatest > sum.greatest ? cells[i].greatest : sum.greatest;
        }
        return sum;
    }
    if (block->plane == PLANE_WEIGHTS)
        return weights_summary(block, valid, version);
    for (int32_t i = 0; i < BLOCK_SIDE * 2; i++)
        ones += __builtin_popcountll(block_bits(block)[i]);
    sum.least = ones == rect_area(valid);
    sum.greatest = ones > 0;
    return sum;
}

/* The summaries of a path whose block's cells are right. */
static void settle_path(const struct tree *tree, int32_t bx, int32_t by, const struct path *path)
{
    struct child *leaf = path->at[0];

    leaf->summary = block_summary(leaf->below, valid_of(tree, bx, by), leaf->summary.version);
    if (leaf->summary.least == leaf->summary.greatest) {
        block_drop(leaf->below);
        leaf->below = NULL;
    }
    path_sum(tree, bx, by, path);
}

void tree_settle(struct tree *tree, int32_t bx, int32_t by, struct rect changed)
{
    struct path path;

    /* tree_own has just made this path, so nothing is allocated here. */
    if (!path_own(tree, bx, by, &path))
        return;
    block_sum(path.at[0]->below, changed, valid_of(tree, bx, by));
    settle_path(tree, bx, by, &path);
}

bool tree_put(struct tree *tree, int32_t bx, int32_t by, struct block **block, uint16_t value,
              uint64_t version)
{
    const struct rect all = { 0, 0, BLOCK_SIDE, BLOCK_SIDE };
    struct path path;
    struct child *leaf;

    if (!path_own(tree, bx, by, &path))
        return false;
    leaf = path.at[0];
    block_drop(leaf->below);
    *leaf = (struct child){ *block, { version, value, value } };
    *block = NULL;
    if (!leaf->below) {
        path_sum(tree, bx, by, &path);
        return true;
    }
    /* one that others hold too may be read at this moment, and has been summed up */
    if (atomic_load_explicit(&((struct block *)leaf->below)->holders, memory_order_acquire) == 1)
        block_sum(leaf->below, all, valid_of(tree, bx, by));
    settle_path(tree, bx, by, &path);
    return true;
}

static bool node_backdate(struct child *node, int32_t depth, uint64_t version)
{
    struct branch *branch = depth > 0 ? node->below : NULL;

    if (node->summary.version <= version)
        return true;
    if (!branch) {
        node->summary.version = version;
        return true;
    }
    if (atomic_load_explicit(&branch->holders, memory_order_acquire) > 1) {
        branch = branch_copy(branch, depth);
        if (!branch)
            return false;
        branch_drop(node->below, depth);
        node->below = branch;
    }
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++)
        if (!node_backdate(&branch->children[i], depth - 1, version))
            return false;
    branch_sum_all(branch);
    node->summary = branch->packed[0];
    return true;
}

bool tree_backdate(struct tree *tree, uint64_t version)
{
    return node_backdate(&tree->root, tree->depth, version);
}

/* Comparing */

/* Child i of a node; a flat node's children are flat. */
static struct child child_of(const struct tree *tree, const struct child *node, struct place at,
                             int32_t i)
{
    if (node->below)
        return ((const struct branch *)node->below)->children[i];
    return (struct child){ NULL, on_landscape(tree, place_child(at, i)) ? node->summary : nothing };
}

static bool child_same(const struct child *a, const struct child *b)
{
    return a->below == b->below && summary_same(a->summary, b->summary);
}

static void child_share(struct child *node, const struct child *base, int32_t depth)
{
    below_hold(base->below, depth);
    below_drop(node->below, depth);
    *node = *base;
}

static bool leaf_equal(const struct tree *tree, const struct child *a, const struct child *b)
{
    if (a->below && b->below)
        return memcmp(block_values(a->below), block_values(b->below),
                      plane_block_bytes(tree->plane)) == 0;
    return !a->below && !b->below && a->summary.least == b->summary.least;
}

/* All below is one value of one version: no nodes are needed to say so. */
static bool branch_uniform(const struct branch *branch)
{
    if (branch->packed[0].least != branch->packed[0].greatest)
        return false;
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++) {
        const struct child *child = &branch->children[i];

        if (child->below || (child->summary.least <= child->summary.greatest &&
                             child->summary.version != branch->packed[0].version))
            return false;
    }
    return true;
}

static void node_restore(struct tree *tree, struct child *node, const struct child *base,
                         struct place at)
{
    struct branch *branch = node->below;
    bool same = true;

    if (at.depth == 0 || !branch || branch == base->below) {
        if ((branch && branch == base->below) || leaf_equal(tree, node, base))
            child_share(node, base, at.depth);
        return;
    }
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++) {
        struct child was = child_of(tree, base, at, i);

        if (!child_same(&branch->children[i], &was)) {
            node_restore(tree, &branch->children[i], &was, place_child(at, i));
            same = same && child_same(&branch->children[i], &was);
        }
    }
    if (same) {
        child_share(node, base, at.depth);
        return;
    }
    branch_sum_all(branch);
    node->summary = branch->packed[0];
    if (branch_uniform(branch)) {
        branch_drop(branch, at.depth);
        node->below = NULL;
    }
}

void tree_restore(struct tree *tree, const struct tree *base)
{
    node_restore(tree, &tree->root, &base->root, place_root(tree));
}

struct comparison {
    const struct tree *tree;
    tree_visit *visit;
    void *context;
};

static bool node_compare(const struct comparison *both, const struct child *before,
                         const struct child *after, struct place at)
{
    if (before->below == after->below &&
        (before->below || before->summary.least == after->summary.least))
        return true;
    if (at.depth == 0)
        return both->visit(both->context, at.bx, at.by, before, after);
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++) {
        struct place below = place_child(at, i);
        struct child was = child_of(both->tree, before, at, i);
        struct child is = child_of(both->tree, after, at, i);

        if (on_landscape(both->tree, below) && !node_compare(both, &was, &is, below))
            return false;
    }
    return true;
}

bool tree_compare(const struct tree *before, const struct tree *after, tree_visit *visit,
                  void *context)
{
    struct comparison both = { before, visit, context };

    return node_compare(&both, &before->root, &after->root, place_root(before));
}

static uint64_t block_bytes(const struct block *block)
{
    return (uint64_t)((const unsigned char *)block_values(block) - (const unsigned char *)block) +
           plane_block_bytes(block->plane);
}

/* Of a node beside what stands in its place in another tree. */
static uint64_t node_bytes(const struct tree *tree, const struct child *node,
                           const struct child *other, struct place at)
{
    const struct branch *branch = node->below;
    uint64_t bytes = sizeof *branch;

    if (!node->below || (other && node->below == other->below))
        return 0;
    if (at.depth == 0)
        return block_bytes(node->below);
    for (int32_t i = 0; i < BRANCH_CHILDREN; i++) {
        struct place below = place_child(at, i);
        struct child beside = { 0 };

        if (other)
            beside = child_of(tree, other, at, i);
        bytes += node_bytes(tree, &branch->children[i], other ? &beside : NULL, below);
    }
    return bytes;
}

uint64_t tree_bytes_beside(const struct tree *tree, const struct tree *other)
{
    return node_bytes(tree, &tree->root, other ? &other->root : NULL, place_root(tree));
}

uint64_t tree_bytes(const struct tree *tree)
{
    return tree_bytes_beside(tree, NULL);
}
