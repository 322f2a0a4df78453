/* What is read from and written to a draft, through the sights of its layer. */
#include <string.h>

#include "terrain/edit/draft_inside.h"

enum { BLOCK_COST = BLOCK_SIDE * BLOCK_SIDE / 4 }; /* of making a block, in vertices touched */

/* Every block that meets the rectangle is there to be read. */
static bool see_over(struct draft *draft, enum plane plane, struct rect over, struct fault *why)
{
    struct rect meet;

    if (!draft_open(draft, why))
        return false;
    meet = rect_meet(over, view_rect(draft->view));
    if (rect_empty(meet))
        return true;
    for (int32_t by = meet.y >> BLOCK_LOG2; by <= (meet.y + meet.height - 1) >> BLOCK_LOG2; by++)
        for (int32_t bx = meet.x >> BLOCK_LOG2; bx <= (meet.x + meet.width - 1) >> BLOCK_LOG2; bx++)
            if (!draft_see(draft, plane, bx, by, why))
                return false;
    return true;
}

const struct tree *draft_surface(struct draft *draft, struct rect over, struct fault *why)
{
    return see_over(draft, PLANE_HEIGHTS, over, why) ? draft_now(draft, PLANE_HEIGHTS) : NULL;
}

const struct tree *draft_holes(struct draft *draft, struct rect over, struct fault *why)
{
    return see_over(draft, PLANE_HOLES, over, why) ? draft_now(draft, PLANE_HOLES) : NULL;
}

const struct tree *draft_weights(struct draft *draft, int paint, struct rect over,
                                 struct fault *why)
{
    return see_over(draft, PLANE_WEIGHTS, over, why) ? &draft->weights[paint].now : NULL;
}

/* Rectangles, block by block */

/* The part of a rectangle that lies in block (bx, by), in the block's coordinates. */
static struct rect block_part(struct rect to, int32_t bx, int32_t by)
{
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    struct rect part = rect_meet(block, to);

    part.x -= block.x;
    part.y -= block.y;
    return part;
}

typedef bool write_block(struct draft *draft, int32_t bx, int32_t by, struct rect part,
                         const void *values, int64_t stride);

/* Calls write for each block that meets `to`, values being those of the part's first vertex. */
static bool write_blocks(struct draft *draft, struct rect to, const void *values, int64_t stride,
                         size_t size, write_block *write, struct fault *why)
{
    for (int32_t by = to.y >> BLOCK_LOG2; by <= (to.y + to.height - 1) >> BLOCK_LOG2; by++) {
        for (int32_t bx = to.x >> BLOCK_LOG2; bx <= (to.x + to.width - 1) >> BLOCK_LOG2; bx++) {
            struct rect part = block_part(to, bx, by);
            int64_t first =
                (by * BLOCK_SIDE + part.y - to.y) * stride + (bx * BLOCK_SIDE + part.x - to.x);

            if (!write(draft, bx, by, part, (const char *)values + first * (int64_t)size, stride))
                return draft_no_memory(why);
        }
    }
    return true;
}

static bool heights_same(const struct child *leaf, struct rect part, const uint16_t *heights,
                         int64_t stride)
{
    for (int32_t y = 0; y < part.height; y++, heights += stride) {
        if (leaf->below) {
            const uint16_t *row = block_heights(leaf->below) + (part.y + y) * BLOCK_SIDE + part.x;

            if (memcmp(row, heights, (size_t)part.width * sizeof *row) != 0)
                return false;
            continue;
        }
        for (int32_t x = 0; x < part.width; x++) {
            if (heights[x] != leaf->summary.least)
                return false;
        }
    }
    return true;
}

static void touch(struct draft *draft, int32_t bx, int32_t by, struct rect part)
{
    struct rect *touched = draft->touched;

    if (!touched)
        return;
    touched += draft_block_index(draft, bx, by);
    *touched = rect_join(*touched, part);
}

static bool write_heights(struct draft *draft, int32_t bx, int32_t by, struct rect part,
                          const void *values, int64_t stride)
{
    struct tree *tree = draft_now(draft, PLANE_HEIGHTS);
    struct child leaf = tree_block(tree, bx, by);
    const uint16_t *heights = values;
    struct block *block;

    if (heights_same(&leaf, part, heights, stride))
        return true;
    block = tree_own(tree, bx, by, draft->view->version);
    if (!block)
        return false;
    for (int32_t y = part.y; y < part.y + part.height; y++, heights += stride)
        memcpy((uint16_t *)block_writable(block) + y * BLOCK_SIDE + part.x, heights,
               (size_t)part.width * sizeof *heights);
    touch(draft, bx, by, part);
    tree_settle(tree, bx, by, part);
    return true;
}

bool draft_write_heights(struct draft *draft, struct rect to, const uint16_t *heights,
                         int64_t stride, struct fault *why)
{
    return rect_empty(to) ||
           (see_over(draft, PLANE_HEIGHTS, to, why) &&
            write_blocks(draft, to, heights, stride, sizeof *heights, write_heights, why));
}

static bool write_holes(struct draft *draft, int32_t bx, int32_t by, struct rect part,
                        const void *values, int64_t stride)
{
    struct tree *tree = draft_now(draft, PLANE_HOLES);
    struct block *block = tree_own(tree, bx, by, draft->view->version);
    const uint8_t *holes = values;
    uint64_t *bits;

    if (!block)
        return false;
    bits = block_writable(block);
    for (int32_t y = part.y; y < part.y + part.height; y++, holes += stride) {
        for (int32_t x = part.x; x < part.x + part.width; x++) {
            uint64_t *word = &bits[y * 2 + (x >> 6)], bit = (uint64_t)1 << (x & 63);

            *word = holes[x - part.x] ? *word | bit : *word & ~bit;
        }
    }
    tree_settle(tree, bx, by, part);
    return true;
}

bool draft_write_holes(struct draft *draft, struct rect to, const uint8_t *holes, int64_t stride,
                       struct fault *why)
{
    return rect_empty(to) ||
           (see_over(draft, PLANE_HOLES, to, why) &&
            write_blocks(draft, to, holes, stride, sizeof *holes, write_holes, why));
}

/* XY offsets */

/* One of the two numbers of each vertex. */
static bool write_offsets(struct draft *draft, struct tree *tree, int32_t bx, int32_t by,
                          struct rect part, const uint16_t (*xy)[2], int64_t stride, int axis)
{
    struct block *block = tree_own(tree, bx, by, draft->view->version);

    if (!block)
        return false;
    for (int32_t y = part.y; y < part.y + part.height; y++, xy += stride)
        for (int32_t x = 0; x < part.width; x++)
            ((uint16_t *)block_writable(block))[y * BLOCK_SIDE + part.x + x] = xy[x][axis];
    tree_settle(tree, bx, by, part);
    return true;
}

bool draft_write_offsets(struct draft *draft, struct rect to, const uint16_t (*xy)[2],
                         int64_t stride, struct fault *why)
{
    for (int axis = 0; !rect_empty(to) && axis < 2; axis++) {
        enum channel channel = axis ? CHANNEL_OFFSET_Y : CHANNEL_OFFSET_X;
        struct tree *tree = draft_plane_own(draft, channel_key(0, channel, 0), why);
        int32_t right = (to.x + to.width - 1) >> BLOCK_LOG2;
        int32_t bottom = (to.y + to.height - 1) >> BLOCK_LOG2;

        if (!tree)
            return false;
        for (int32_t by = to.y >> BLOCK_LOG2; by <= bottom; by++) {
            for (int32_t bx = to.x >> BLOCK_LOG2; bx <= right; bx++) {
                struct rect part = block_part(to, bx, by);
                int64_t first =
                    (by * BLOCK_SIDE + part.y - to.y) * stride + (bx * BLOCK_SIDE + part.x - to.x);

                if (!write_offsets(draft, tree, bx, by, part, xy + first, stride, axis))
                    return draft_no_memory(why);
            }
        }
    }
    return true;
}

/* Blocks, in place */

uint16_t *draft_heights_begin(struct draft *draft, int32_t bx, int32_t by, struct fault *why)
{
    struct block *block;

    if (!draft_open(draft, why) || !draft_see(draft, PLANE_HEIGHTS, bx, by, why))
        return NULL;
    /* One made for a dab that leaves it flat is let go, and made again for the next. */
    if (!tree_leaf(draft_now(draft, PLANE_HEIGHTS), bx, by)->below &&
        !draft_spend(draft, BLOCK_COST, why))
        return NULL;
    block = tree_own(draft_now(draft, PLANE_HEIGHTS), bx, by, draft->view->version);
    if (block)
        return block_writable(block);
    draft_no_memory(why);
    return NULL;
}

void draft_heights_end(struct draft *draft, int32_t bx, int32_t by, struct rect changed)
{
    touch(draft, bx, by, changed);
    tree_settle(draft_now(draft, PLANE_HEIGHTS), bx, by, changed);
}

/* Whether painting `paint` touches the layer at position p in the block. */
static bool takes_part(const struct draft *draft, int p, int paint, int32_t bx, int32_t by)
{
    const struct stack *stack = draft->view->settings->stack;
    const struct child *leaf = tree_leaf(&draft->weights[p].now, bx, by);

    if (paint < 0 || p == paint)
        return true;
    return stack->paints[paint].blended && stack->paints[p].blended &&
           (leaf->below || leaf->summary.least);
}

bool draft_weights_begin(struct draft *draft, int32_t bx, int32_t by, int paint, uint8_t **rows,
                         struct fault *why)
{
    if (!draft_open(draft, why) || !draft_see(draft, PLANE_WEIGHTS, bx, by, why))
        return false;
    for (int p = 0; p < draft->paints; p++) {
        struct block *block;

        rows[p] = NULL;
        if (!takes_part(draft, p, paint, bx, by))
            continue;
        block = tree_own(&draft->weights[p].now, bx, by, draft->view->version);
        if (!block)
            return draft_no_memory(why);
        rows[p] = block_writable(block);
    }
    return true;
}

void draft_weights_end(struct draft *draft, int32_t bx, int32_t by, struct rect changed)
{
    for (int p = 0; p < draft->paints; p++) {
        const struct child *leaf = tree_leaf(&draft->weights[p].now, bx, by);

        /* only what the writer was given is this draft's alone */
        if (leaf->below && leaf->summary.version == draft->view->version)
            tree_settle(&draft->weights[p].now, bx, by, changed);
    }
}
