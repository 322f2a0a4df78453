/* From planned heights to blocks. */
#include <stdlib.h>
#include <string.h>

#include "terrain/format/import_heights.h"

static int32_t at_most(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The vertices of a rectangle of the landscape, BLOCK_SIDE a row: data, and beyond it
 * the last column and row repeated. */
static void write_block(const struct import_heights *heights, struct rect rect, uint16_t *to)
{
    const struct import_plan *plan = heights->plan;
    int32_t within = at_most(rect.width, plan->columns - rect.x);

    for (int32_t j = 0; j < rect.height; j++, to += BLOCK_SIDE) {
        int32_t y = at_most(rect.y + j, plan->rows - 1);
        uint16_t last;

        if (within > 0)
            import_heights_row(heights, rect.x, y, within, to);
        if (within == rect.width)
            continue;
        import_heights_row(heights, plan->columns - 1, y, 1, &last);
        for (int32_t i = within > 0 ? within : 0; i < rect.width; i++)
            to[i] = last;
    }
}

/* Whether quad (x, y) is a hole: it has pad, or its four vertices are void. */
static bool is_hole(const struct import_heights *heights, int32_t x, int32_t y)
{
    const struct import_plan *plan = heights->plan;
    const uint8_t *north, *south;

    if (x >= plan->columns - 1 || y >= plan->rows - 1)
        return true;
    if (!heights->voids)
        return false;
    north = heights->voids + (size_t)y * (size_t)plan->columns + x;
    south = north + plan->columns;
    return north[0] && north[1] && south[0] && south[1];
}

static bool has_holes(const struct import_heights *heights)
{
    return heights->voids || heights->plan->padded[0] || heights->plan->padded[1];
}

/* Blocks of one row, made at once by several threads; put into the tree afterwards. */
struct making {
    const struct import_heights *heights;
    const struct tree *tree;
    struct block **blocks; /* across x down */
};

static void make_row(void *work, size_t by)
{
    const struct making *making = work;
    int32_t across = tree_blocks_across(making->tree);

    for (int32_t bx = 0; bx < across; bx++) {
        struct block *block = block_new(PLANE_HEIGHTS, 0);

        if (block)
            write_block(making->heights, tree_block_rect(making->tree, bx, (int32_t)by),
                        block_writable(block));
        making->blocks[by * (size_t)across + (size_t)bx] = block;
    }
}

/* Puts the blocks of a row into the tree; those that could not be made end it. */
static bool put_row(const struct making *making, struct tree *tree, int32_t by, uint64_t version)
{
    int32_t across = tree_blocks_across(tree);

    for (int32_t bx = 0; bx < across; bx++) {
        struct block **block = &making->blocks[(size_t)by * (size_t)across + (size_t)bx];

        if (!*block || !tree_put(tree, bx, by, block, 0, version))
            return false;
    }
    return true;
}

/* While the helper decodes the rows further south. */
static bool put_as_they_come(struct making *making, struct tree *tree, uint64_t version,
                             struct fault *why)
{
    const struct raster *raster = making->heights->raster;

    for (int32_t by = 0; by < tree_blocks_down(tree); by++) {
        if (!raster_wait(raster, (by + 1) * BLOCK_SIDE, why))
            return false;
        make_row(making, (size_t)by);
        if (!put_row(making, tree, by, version))
            return fault_set(why, FAULT_MEMORY, "no memory for blocks of heights");
    }
    return raster_wait(raster, raster->height, why);
}

static bool put_at_once(struct making *making, struct tree *tree, uint64_t version,
                        const struct executor *executor, struct fault *why)
{
    executor_run(executor, (size_t)tree_blocks_down(tree), make_row, making);
    for (int32_t by = 0; by < tree_blocks_down(tree); by++)
        if (!put_row(making, tree, by, version))
            return fault_set(why, FAULT_MEMORY, "no memory for blocks of heights");
    return true;
}

static bool put_heights(const struct import_heights *heights, struct tree *tree, uint64_t version,
                        const struct executor *executor, struct fault *why)
{
    size_t count = (size_t)tree_blocks_across(tree) * (size_t)tree_blocks_down(tree);
    struct making making = { heights, tree, calloc(count, sizeof *making.blocks) };
    bool done;

    if (!making.blocks)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu blocks of heights", count);
    done = heights->raster->gate && !heights->codes
               ? put_as_they_come(&making, tree, version, why)
               : put_at_once(&making, tree, version, executor, why);
    for (size_t i = 0; i < count; i++)
        block_drop(making.blocks[i]);
    free(making.blocks);
    return done;
}

static bool write_hole_block(const struct import_heights *heights, struct rect rect,
                             const struct grid *grid, uint64_t *bits)
{
    bool some = false;

    for (int32_t j = 0; j < at_most(rect.height, grid->rows - 1 - rect.y); j++)
        for (int32_t i = 0; i < at_most(rect.width, grid->columns - 1 - rect.x); i++)
            if (is_hole(heights, rect.x + i, rect.y + j)) {
                bits[j * 2 + (i >> 6)] |= (uint64_t)1 << (i & 63);
                some = true;
            }
    return some;
}

/* Whether a block can hold a hole at all, without looking at its quads. */
static bool may_have_holes(const struct import_heights *heights, struct rect rect)
{
    const struct import_plan *plan = heights->plan;

    return heights->voids || rect.x + rect.width > plan->columns - 1 ||
           rect.y + rect.height > plan->rows - 1;
}

static bool put_holes(const struct import_heights *heights, struct view *view, struct fault *why)
{
    struct tree *tree = &view->planes[PLANE_HOLES];
    int32_t across = tree_blocks_across(tree), down = tree_blocks_down(tree);

    for (int32_t i = 0; i < across * down; i++) {
        struct rect rect = tree_block_rect(tree, i % across, i / across);
        struct block *block;
        bool put;

        if (!may_have_holes(heights, rect))
            continue;
        block = block_new(PLANE_HOLES, 0);
        put = block && (!write_hole_block(heights, rect, view_grid(view), block_writable(block)) ||
                        tree_put(tree, i % across, i / across, &block, 0, view->version));
        block_drop(block);
        if (!put)
            return fault_set(why, FAULT_MEMORY, "no memory for blocks of holes");
    }
    return true;
}

struct view *import_view(const struct raster *raster, const struct import_plan *plan,
                         struct settings **settings, const struct executor *executor,
                         struct fault *why)
{
    struct import_heights heights;
    struct view *view = NULL;
    bool done = false;

    if (!import_heights_make(&heights, raster, plan, why))
        goto done;
    view = view_new(settings, 0, 1, 0);
    if (!view) {
        fault_set(why, FAULT_MEMORY, "no memory for a landscape");
        goto done;
    }
    done = put_heights(&heights, &view->planes[PLANE_HEIGHTS], view->version, executor, why) &&
           (!has_holes(&heights) || put_holes(&heights, view, why)) && view_share_base(view, why);

done:
    import_heights_free(&heights);
    if (done)
        return view;
    view_drop(view);
    return NULL;
}

static bool rewrite_heights(const struct import_heights *heights, struct draft *draft,
                            struct fault *why)
{
    const struct tree *tree = &draft_view(draft)->planes[PLANE_HEIGHTS];
    int32_t across = tree_blocks_across(tree), down = tree_blocks_down(tree);

    for (int32_t i = 0; i < across * down; i++) {
        struct rect rect =
            tree_block_rect(&draft_view(draft)->planes[PLANE_HEIGHTS], i % across, i / across);
        uint16_t *to = draft_heights_begin(draft, i % across, i / across, why);

        if (!to)
            return false;
        write_block(heights, rect, to);
        draft_heights_end(draft, i % across, i / across,
                          (struct rect){ 0, 0, rect.width, rect.height });
    }
    return true;
}

static bool rewrite_holes(const struct import_heights *heights, struct draft *draft,
                          struct fault *why)
{
    const struct grid *grid = view_grid(draft_view(draft));
    int32_t columns = grid->columns - 1, rows = grid->rows - 1;
    uint8_t *row = malloc((size_t)columns * BLOCK_SIDE);
    bool done = row != NULL;

    if (!row)
        fault_set(why, FAULT_MEMORY, "no memory for a row of holes");
    for (int32_t y = 0; done && y < rows; y += BLOCK_SIDE) {
        int32_t some = at_most(BLOCK_SIDE, rows - y);

        for (int32_t i = 0; i < some * columns; i++)
            row[i] = is_hole(heights, i % columns, y + i / columns);
        done = draft_write_holes(draft, (struct rect){ 0, y, columns, some }, row, columns, why);
    }
    free(row);
    return done;
}

bool import_write(const struct raster *raster, const struct import_plan *plan, struct draft *draft,
                  struct fault *why)
{
    struct import_heights heights;
    bool done = import_heights_make(&heights, raster, plan, why) &&
                raster_wait(raster, raster->height, why) && rewrite_heights(&heights, draft, why) &&
                rewrite_holes(&heights, draft, why);

    import_heights_free(&heights);
    return done;
}
