#include "terrain/query/vicinity.h"

#include <math.h>

/* A node of the tree covers a block's side << level quads. Where the shape begins to be covered
 * there are up to 2 x 2 nodes, and of each level below three more may wait. */
enum { STACK = 4 + 3 * BRANCH_LOG2 * TREE_DEPTH_MOST };

struct node {
    int32_t level, x, y;
    double key;
};

/* Quads first..last, closed. */
struct quads {
    int32_t first[2], last[2];
};

struct range {
    uint16_t least, greatest;
};

static const struct range nothing = { UINT16_MAX, 0 };

static void widen(struct range *range, uint16_t least, uint16_t greatest)
{
    range->least = least < range->least ? least : range->least;
    range->greatest = greatest > range->greatest ? greatest : range->greatest;
}

void vicinity_towards(const struct vicinity *near, const double at[3], double metres[3])
{
    const struct grid *grid = view_grid(near->view);

    metres[0] = (at[0] - near->from[0]) * grid->scale[0];
    metres[1] = (at[1] - near->from[1]) * grid->scale[1];
    metres[2] = at[2] - near->from[2];
}

void vicinity_place(const struct vicinity *near, const double metres[3], double at[3])
{
    const struct grid *grid = view_grid(near->view);

    at[0] = near->from[0] + metres[0] / grid->scale[0];
    at[1] = near->from[1] + metres[1] / grid->scale[1];
    at[2] = near->from[2] + metres[2];
}

/* The landscape's quads that the closed rectangle low..high meets, with a little more on each side
 * against rounding and for what only touches: false when there are none. */
static bool quads_of(const struct vicinity *near, struct quads *quads)
{
    const struct grid *grid = view_grid(near->view);
    const double ends[2] = { grid->columns - 2, grid->rows - 2 };

    for (int axis = 0; axis < 2; axis++) {
        const double low = near->from[axis] + near->low[axis] / grid->scale[axis];
        const double high = near->from[axis] + near->high[axis] / grid->scale[axis];

        if (!(low <= ends[axis] + 1 && high >= 0))
            return false;
        quads->first[axis] = (int32_t)fmin(fmax(floor(low - 1e-6), 0), ends[axis]);
        quads->last[axis] = (int32_t)fmax(fmin(floor(high + 1e-6), ends[axis]), 0);
    }
    return true;
}

bool vicinity_any(const struct vicinity *near)
{
    struct quads quads;

    return quads_of(near, &quads);
}

/* The key of quads first..last (closed) between two heights. */
static double key_of(const struct vicinity *near, const struct quads *quads, struct range range)
{
    const struct grid *grid = view_grid(near->view);
    const double level = grid->origin[2] - near->from[2];
    double low[3], high[3];

    if (range.least > range.greatest)
        return INFINITY;
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = (quads->first[axis] - near->from[axis]) * grid->scale[axis];
        high[axis] = (quads->last[axis] + 1 - near->from[axis]) * grid->scale[axis];
    }
    low[2] = level + (range.least - GRID_LEVEL_ZERO) / 128.0 * grid->scale[2];
    high[2] = level + (range.greatest - GRID_LEVEL_ZERO) / 128.0 * grid->scale[2];
    return near->key(near->shape, low, high);
}

/* A block and its neighbours to the east, south and both. */
struct patch {
    const struct vicinity *near;
    struct quads quads;           /* those of the block that the shape may meet */
    const struct block *block[4]; /* NULL: all of one value, or not needed */
    struct summary summary[4];    /* with least > greatest when not needed */
    int32_t x, y;                 /* its first vertex */
    const struct child *holes;    /* of its quads; NULL: there are none */
};

/* Of a small shape, the heights that it is going to need come from memory beside the bounds. */
static void patch_fetch(const struct patch *patch)
{
    const int32_t x = patch->quads.first[0] - patch->x;

    if (!patch->block[0] || patch->quads.last[1] - patch->quads.first[1] > CELL_SIDE)
        return;
    for (int32_t j = patch->quads.first[1]; j <= patch->quads.last[1]; j++)
        __builtin_prefetch(block_heights(patch->block[0]) + (j - patch->y) * BLOCK_SIDE + x);
}

static bool patch_open(struct patch *patch, const struct vicinity *near, int32_t bx, int32_t by,
                       const struct quads *all)
{
    const struct tree *tree = &near->view->planes[PLANE_HEIGHTS];
    const int32_t across = tree_blocks_across(tree), down = tree_blocks_down(tree);
    const int32_t first[2] = { bx << BLOCK_LOG2, by << BLOCK_LOG2 };

    patch->near = near;
    patch->x = first[0];
    patch->y = first[1];
    for (int axis = 0; axis < 2; axis++) {
        const int32_t last = first[axis] + BLOCK_SIDE - 1;

        patch->quads.first[axis] = all->first[axis] > first[axis] ? all->first[axis] : first[axis];
        patch->quads.last[axis] = all->last[axis] < last ? all->last[axis] : last;
        if (patch->quads.first[axis] > patch->quads.last[axis])
            return false;
    }
    for (int k = 0; k < 4; k++) {
        const int32_t x = bx + (k & 1), y = by + (k >> 1);
        const bool needed = (!(k & 1) || patch->quads.last[0] == first[0] + BLOCK_SIDE - 1) &&
                            (!(k >> 1) || patch->quads.last[1] == first[1] + BLOCK_SIDE - 1);
        const struct child *leaf = needed && x < across && y < down ? tree_leaf(tree, x, y) : NULL;

        patch->block[k] = leaf ? leaf->below : NULL;
        patch->summary[k] =
            leaf ? leaf->summary : (struct summary){ .least = UINT16_MAX, .greatest = 0 };
    }
    patch_fetch(patch);
    patch->holes = near->view->planes[PLANE_HOLES].root.summary.greatest > 0
                       ? tree_leaf(&near->view->planes[PLANE_HOLES], bx, by)
                       : NULL;
    return true;
}

/* In the block's own coordinates, 0..128. */
static inline uint16_t patch_height(const struct patch *patch, int32_t x, int32_t y)
{
    const int k = (x >> BLOCK_LOG2) + 2 * (y >> BLOCK_LOG2);

    if (!patch->block[k])
        return patch->summary[k].least;
    return block_heights(patch->block[k])[(y & BLOCK_MASK) * BLOCK_SIDE + (x & BLOCK_MASK)];
}

static void widen_by_cell(struct range *range, const struct patch *patch, int32_t x, int32_t y)
{
    const int k = x / BLOCK_CELLS + 2 * (y / BLOCK_CELLS);
    const struct cell *cell;

    if (!patch->block[k]) {
        widen(range, patch->summary[k].least, patch->summary[k].greatest);
        return;
    }
    cell = &block_cells(patch->block[k])[y % BLOCK_CELLS * BLOCK_CELLS + x % BLOCK_CELLS];
    widen(range, cell->least, cell->greatest);
}

static bool visit_quad(struct vicinity *near, const struct patch *patch, int32_t i, int32_t j)
{
    const struct grid *grid = view_grid(near->view);
    const int32_t x = i - patch->x, y = j - patch->y;
    const uint16_t nw = patch_height(patch, x, y), ne = patch_height(patch, x + 1, y);
    const uint16_t sw = patch_height(patch, x, y + 1), se = patch_height(patch, x + 1, y + 1);
    const double level = grid->origin[2] - near->from[2], up = grid->scale[2];
    const struct quads quad = { { i, j }, { i, j } };
    struct range range = { nw, nw };
    struct near_triangle triangle;
    double west, east, north, south;

    widen(&range, ne, ne);
    widen(&range, sw, sw);
    widen(&range, se, se);
    triangle.key = key_of(near, &quad, range);
    if (!(triangle.key <= near->most))
        return true;
    west = (i - near->from[0]) * grid->scale[0];
    east = (i + 1 - near->from[0]) * grid->scale[0];
    north = (j - near->from[1]) * grid->scale[1];
    south = (j + 1 - near->from[1]) * grid->scale[1];
    triangle.hole = patch->holes && view_hole(near->view, i, j);
    if (triangle.hole && near->holes_known)
        return true;
    for (int half = 0; half < 2; half++) {
        const double corners[3][3] = {
            { west, north, level + (nw - GRID_LEVEL_ZERO) / 128.0 * up },
            { half ? west : east, half ? south : north,
              level + ((half ? sw : ne) - GRID_LEVEL_ZERO) / 128.0 * up },
            { east, south, level + (se - GRID_LEVEL_ZERO) / 128.0 * up },
        };

        for (int k = 0; k < 9; k++)
            triangle.corners[k / 3][k % 3] = corners[k / 3][k % 3];
        triangle.number = 2 * ((int64_t)j * (grid->columns - 1) + i) + half;
        if (!near->visit(near, &triangle))
            return false;
    }
    return true;
}

/* Whether those quads of one cell are all holes. */
static bool all_holes(const struct patch *patch, const struct quads *quads)
{
    const int32_t x = quads->first[0] - patch->x, count = quads->last[0] - quads->first[0] + 1;
    const uint64_t wanted = ((UINT64_C(1) << count) - 1) << (x & 63);

    if (!patch->holes || !patch->holes->below)
        return patch->holes && patch->holes->summary.least > 0;
    for (int32_t j = quads->first[1]; j <= quads->last[1]; j++)
        if (~block_bits(patch->holes->below)[2 * (j - patch->y) + (x >> 6)] & wanted)
            return false;
    return true;
}

/* A cell of a block: cells (x, y) of 16 x 16. */
static bool visit_cell(struct vicinity *near, const struct patch *patch, int32_t x, int32_t y,
                       int64_t *seen)
{
    const int32_t first[2] = { patch->x + x * CELL_SIDE, patch->y + y * CELL_SIDE };
    struct quads quads = patch->quads;
    struct range range = nothing;

    for (int axis = 0; axis < 2; axis++) {
        const int32_t last = first[axis] + CELL_SIDE - 1;

        quads.first[axis] = quads.first[axis] > first[axis] ? quads.first[axis] : first[axis];
        quads.last[axis] = quads.last[axis] < last ? quads.last[axis] : last;
    }
    for (int k = 0; k < 4; k++)
        if ((!(k & 1) || quads.last[0] == first[0] + CELL_SIDE - 1) &&
            (!(k >> 1) || quads.last[1] == first[1] + CELL_SIDE - 1))
            widen_by_cell(&range, patch, x + (k & 1), y + (k >> 1));
    ++*seen;
    if (!(key_of(near, &quads, range) <= near->most) ||
        (near->holes_known && all_holes(patch, &quads)))
        return true;
    for (int32_t j = quads.first[1]; j <= quads.last[1]; j++) {
        for (int32_t i = quads.first[0]; i <= quads.last[0]; i++) {
            ++*seen;
            if (!visit_quad(near, patch, i, j))
                return false;
        }
    }
    return true;
}

/* first..last, those nearest to the start first. */
struct outward {
    int32_t first, last, start, up, down;
};

static struct outward outward_from(int32_t first, int32_t last, double middle)
{
    const int32_t start = (int32_t)fmin(fmax(middle, first), last);

    return (struct outward){ first, last, start, start, start - 1 };
}

static bool outward_next(struct outward *way, int32_t *next)
{
    const bool above = way->up <= way->last, below = way->down >= way->first;

    if (above && (!below || way->up - way->start <= way->start - way->down))
        *next = way->up++;
    else if (below)
        *next = way->down--;
    return above || below;
}

static bool visit_cells(struct vicinity *near, const struct patch *patch, int64_t *seen)
{
    const struct quads *quads = &patch->quads;
    struct range range = nothing;
    struct outward rows;
    int32_t x, y;

    for (int k = 0; k < 4; k++)
        widen(&range, patch->summary[k].least, patch->summary[k].greatest);
    rows = outward_from((quads->first[1] - patch->y) >> CELL_LOG2,
                        (quads->last[1] - patch->y) >> CELL_LOG2,
                        (near->from[1] - patch->y) / CELL_SIDE);
    while (outward_next(&rows, &y)) {
        struct quads strip = *quads;
        struct outward columns;
        const int32_t top = patch->y + y * CELL_SIDE, bottom = top + CELL_SIDE - 1;

        strip.first[1] = strip.first[1] > top ? strip.first[1] : top;
        strip.last[1] = strip.last[1] < bottom ? strip.last[1] : bottom;
        ++*seen;
        if (!(key_of(near, &strip, range) <= near->most))
            continue;
        columns = outward_from((quads->first[0] - patch->x) >> CELL_LOG2,
                               (quads->last[0] - patch->x) >> CELL_LOG2,
                               (near->from[0] - patch->x) / CELL_SIDE);
        while (outward_next(&columns, &x))
            if (!visit_cell(near, patch, x, y, seen))
                return false;
    }
    return true;
}

/* Nodes */

static double node_key(const struct vicinity *near, const struct node *node,
                       const struct quads *all)
{
    const struct tree *tree = &near->view->planes[PLANE_HEIGHTS];
    const int32_t place[2] = { node->x, node->y }, log2 = BLOCK_LOG2 + node->level;
    struct range range = nothing;
    struct quads quads;

    for (int axis = 0; axis < 2; axis++) {
        const int64_t first = (int64_t)place[axis] << log2;
        const int64_t last = first + ((int64_t)1 << log2) - 1;

        if (first > all->last[axis] || last < all->first[axis])
            return INFINITY;
        quads.first[axis] = all->first[axis] > first ? all->first[axis] : (int32_t)first;
        quads.last[axis] = all->last[axis] < last ? all->last[axis] : (int32_t)last;
    }
    for (int k = 0; k < 4; k++) {
        const struct summary summary =
            tree_node(tree, node->level, node->x + (k & 1), node->y + (k >> 1));

        widen(&range, summary.least, summary.greatest);
    }
    return key_of(near, &quads, range);
}

/* Up to four, those with the least key on top. */
static void push(struct node *stack, int *top, const struct node *nodes, int count, double most)
{
    const int bottom = *top;

    for (int k = 0; k < count; k++) {
        int at = *top;

        if (!(nodes[k].key <= most))
            continue;
        while (at > bottom && stack[at - 1].key < nodes[k].key) {
            stack[at] = stack[at - 1];
            at--;
        }
        stack[at] = nodes[k];
        ++*top;
    }
}

static void push_square(const struct vicinity *near, const struct quads *all, int32_t level,
                        int32_t x, int32_t y, struct node *stack, int *top)
{
    struct node nodes[4];

    for (int k = 0; k < 4; k++) {
        nodes[k] = (struct node){ level, x + (k & 1), y + (k >> 1), 0 };
        nodes[k].key = node_key(near, &nodes[k], all);
    }
    push(stack, top, nodes, 4, near->most);
}

/* All of it is holes, of which enough was seen. */
static bool passed_by(const struct vicinity *near, const struct node *node)
{
    return near->holes_known &&
           tree_node(&near->view->planes[PLANE_HOLES], node->level, node->x, node->y).least > 0;
}

bool vicinity_walk(struct vicinity *near)
{
    struct node stack[STACK];
    struct quads all;
    int32_t level = 0;
    int top = 0;

    if (!quads_of(near, &all))
        return true;
    while ((all.last[0] >> (BLOCK_LOG2 + level)) - (all.first[0] >> (BLOCK_LOG2 + level)) > 1 ||
           (all.last[1] >> (BLOCK_LOG2 + level)) - (all.first[1] >> (BLOCK_LOG2 + level)) > 1)
        level++;
    if (level > 0)
        push_square(near, &all, level, all.first[0] >> (BLOCK_LOG2 + level),
                    all.first[1] >> (BLOCK_LOG2 + level), stack, &top);
    for (int k = 3; level == 0 && k >= 0; k--) /* blocks look at their own bounds */
        stack[top++] = (struct node){ 0, (all.first[0] >> BLOCK_LOG2) + (k & 1),
                                      (all.first[1] >> BLOCK_LOG2) + (k >> 1), -INFINITY };
    while (top > 0) {
        const struct node node = stack[--top];
        struct patch patch;
        int64_t seen = 1;
        bool more = true, passed;

        if (!(node.key <= near->most))
            continue;
        passed = passed_by(near, &node);
        if (node.level > 0 && !passed)
            push_square(near, &all, node.level - 1, 2 * node.x, 2 * node.y, stack, &top);
        else if (!passed && patch_open(&patch, near, node.x, node.y, &all))
            more = visit_cells(near, &patch, &seen);
        if (near->left && atomic_fetch_sub_explicit(near->left, seen, memory_order_relaxed) < seen)
            return false;
        if (!more)
            return true;
    }
    return true;
}
