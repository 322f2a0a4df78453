/* What colours the ground of patches that are not tiles' own: the landscape in squares, each with
 * the number of the tile that the picture wants there. */
#include "render/making.h"

static bool add_node(struct making *making, int32_t level, int32_t x, int32_t y)
{
    int32_t side = NODE_QUADS << level;
    struct wire_patch node = { .quads = { (float)x * (float)side, (float)y * (float)side,
                                          (float)(1 << level), (float)level } };

    if (!making_slots(making, level, x, y, &node))
        return false;
    /* which node a pixel is of is found there: no program is of one with a single layer */
    making->variant |= node.variant & ~WIRE_BIT(SOLE);
    return bytes_add(&making->nodes, &node, sizeof node, making->why);
}

static void fill_pages(struct making *making, const struct lod_node *node, uint32_t number)
{
    uint32_t *pages = (uint32_t *)making->pages.data;
    int32_t across = (NODE_QUADS << node->level) / (int32_t)making->page_quads;

    for (int32_t y = node->y * across; y < (node->y + 1) * across; y++)
        for (int32_t x = node->x * across; x < (node->x + 1) * across; x++)
            if (x < (int32_t)making->page_columns && y < (int32_t)making->page_rows)
                pages[(uint32_t)y * making->page_columns + (uint32_t)x] = number;
}

/* The first node is of all the landscape: a coarse patch may stand where no tile was wanted. */
bool making_pages(struct making *making)
{
    const struct lod_selection *selection = making->selection;
    const struct grid *grid = view_grid(making->view);
    int32_t finest = TILE_LEVEL_MOST, root = 0, quads;

    while ((NODE_QUADS << root) < grid->columns - 1 || (NODE_QUADS << root) < grid->rows - 1)
        root++;
    for (size_t i = 0; i < selection->count; i++)
        finest = selection->nodes[i].level < finest ? selection->nodes[i].level : finest;
    quads = NODE_QUADS << finest;
    making->page_quads = (uint32_t)quads;
    making->page_columns = (uint32_t)((grid->columns - 2) / quads + 1);
    making->page_rows = (uint32_t)((grid->rows - 2) / quads + 1);
    if (!bytes_reserve(&making->pages, (size_t)making->page_columns * making->page_rows * 4,
                       making->why))
        return false;
    for (uint32_t i = 0; i < making->page_columns * making->page_rows; i++)
        if (!bytes_add(&making->pages, &(uint32_t){ 0 }, 4, making->why))
            return false;
    if (!add_node(making, root, 0, 0))
        return false;
    for (size_t i = 0; i < selection->count; i++) {
        const struct lod_node *node = &selection->nodes[i];

        if (!add_node(making, node->level, node->x, node->y))
            return false;
        fill_pages(making, node, (uint32_t)i + 1);
    }
    return true;
}
