#include "terrain/query/sum.h"

/* Rectangles within a block, in its own coordinates. */
static uint64_t sum_values(const uint16_t *heights, struct rect over)
{
    uint64_t sum = 0;

    for (int32_t y = over.y; y < over.y + over.height; y++) {
        const uint16_t *row = heights + y * BLOCK_SIDE + over.x;
        uint32_t line = 0;

        for (int32_t x = 0; x < over.width; x++)
            line += row[x];
        sum += line;
    }
    return sum;
}

static uint64_t sum_cells(const struct cell *cells, struct rect over)
{
    uint64_t sum = 0;

    for (int32_t y = over.y; y < over.y + over.height; y++)
        for (int32_t x = over.x; x < over.x + over.width; x++)
            sum += cells[y * BLOCK_CELLS + x].sum;
    return sum;
}

/* The cells that lie wholly inside, and the four strips of vertices around them. */
static uint64_t sum_block(const struct block *block, struct rect over)
{
    const uint16_t *heights = block_heights(block);
    const int32_t right = over.x + over.width, bottom = over.y + over.height;
    const int32_t x0 = (over.x + CELL_SIDE - 1) >> CELL_LOG2, x1 = right >> CELL_LOG2;
    const int32_t y0 = (over.y + CELL_SIDE - 1) >> CELL_LOG2, y1 = bottom >> CELL_LOG2;
    const int32_t west = x0 << CELL_LOG2, east = x1 << CELL_LOG2;
    const int32_t north = y0 << CELL_LOG2, south = y1 << CELL_LOG2;

    if (x0 >= x1 || y0 >= y1)
        return sum_values(heights, over);
    return sum_cells(block_cells(block), (struct rect){ x0, y0, x1 - x0, y1 - y0 }) +
           sum_values(heights, (struct rect){ over.x, over.y, over.width, north - over.y }) +
           sum_values(heights, (struct rect){ over.x, south, over.width, bottom - south }) +
           sum_values(heights, (struct rect){ over.x, north, west - over.x, south - north }) +
           sum_values(heights, (struct rect){ east, north, right - east, south - north });
}

uint64_t sum_heights(const struct view *view, struct rect over)
{
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    uint64_t sum = 0;

    if (rect_empty(over))
        return 0;
    for (int32_t by = over.y >> BLOCK_LOG2; by <= (over.y + over.height - 1) >> BLOCK_LOG2; by++) {
        for (int32_t bx = over.x >> BLOCK_LOG2; bx <= (over.x + over.width - 1) >> BLOCK_LOG2;
             bx++) {
            const struct child leaf = tree_block(tree, bx, by);
            struct rect part = rect_meet(
                over, (struct rect){ bx << BLOCK_LOG2, by << BLOCK_LOG2, BLOCK_SIDE, BLOCK_SIDE });

            if (!leaf.below) {
                sum += (uint64_t)rect_area(part) * leaf.summary.least;
                continue;
            }
            part.x &= BLOCK_MASK;
            part.y &= BLOCK_MASK;
            sum += sum_block(leaf.below, part);
        }
    }
    return sum;
}
