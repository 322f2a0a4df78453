#include "tests/terrain/ground.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/weights.h"
#include "tests/terrain/ops.h"

struct view *ground_flat(int32_t columns, int32_t rows, uint16_t code)
{
    const struct layout layout = { { 1, 1 }, 1, 7 };
    struct settings *settings = settings_new(&layout);
    struct view *view;

    assert_non_null(settings);
    assert_true(ops_paint_layers(settings));
    settings->grid.columns = columns;
    settings->grid.rows = rows;
    view = view_new(&settings, 7, 1, code);
    assert_non_null(view);
    assert_null(settings);
    return view;
}

struct view *ground_of(int32_t columns, int32_t rows, const uint16_t *heights)
{
    struct view *view = ground_flat(columns, rows, 0);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_non_null(draft);
    assert_true(draft_write_heights(draft, view_rect(view), heights, columns, &why));
    view = ground_finish(draft, view, &change);
    view->version = 1;
    return view;
}

struct view *ground_rough(int32_t columns, int32_t rows, uint64_t seed)
{
    uint16_t *heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    struct dice dice = { seed };
    struct view *view;

    assert_non_null(heights);
    for (int32_t i = 0; i < columns * rows; i++)
        heights[i] = (uint16_t)(30000 + i % columns * 7 + i / columns * 3 + dice_throw(&dice) % 64);
    view = ground_of(columns, rows, heights);
    free(heights);
    return view;
}

struct view *ground_laid_out(const struct layout *layout, const double scale[3],
                             const uint16_t *heights)
{
    struct settings *settings = settings_new(layout);
    struct fault why = { 0 };
    struct change change;
    struct view *view;
    struct draft *draft;

    memcpy(settings->grid.scale, scale, sizeof settings->grid.scale);
    view = view_new(&settings, 1, 1, 0);
    draft = draft_new(view, &why);
    assert_true(draft_write_heights(draft, view_rect(view), heights, view_rect(view).width, &why));
    return ground_finish(draft, view, &change);
}

struct view *ground_offset(struct view *view, const uint16_t (*xy)[2])
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_non_null(draft);
    assert_true(draft_write_offsets(draft, view_rect(view), xy, view_rect(view).width, &why));
    return ground_finish(draft, view, &change);
}

uint16_t *ground_heights(const struct view *view)
{
    struct rect all = view_rect(view);
    uint16_t *heights = malloc((size_t)rect_area(all) * sizeof *heights);

    assert_non_null(heights);
    view_read_heights(view, all, heights, all.width);
    return heights;
}

/* Least and greatest of the values in a rectangle, one by one. */
static struct summary recount(const struct tree *tree, struct rect over)
{
    struct summary sum = { 0, UINT16_MAX, 0 };

    for (int32_t y = over.y; y < over.y + over.height && y < tree->rows; y++) {
        for (int32_t x = over.x; x < over.x + over.width && x < tree->columns; x++) {
            uint16_t value = tree_value(tree, x, y);

            sum.least = value < sum.least ? value : sum.least;
            sum.greatest = value > sum.greatest ? value : sum.greatest;
        }
    }
    return sum;
}

static void assert_block_sound(const struct tree *tree, int32_t bx, int32_t by)
{
    struct child leaf = tree_block(tree, bx, by);
    struct rect valid = tree_block_rect(tree, bx, by);
    const struct block *block = leaf.below;

    if (!block) {
        assert_int_equal(leaf.summary.least, leaf.summary.greatest);
        return;
    }
    assert_true(leaf.summary.least < leaf.summary.greatest);
    for (int32_t y = 0; y < BLOCK_SIDE; y++) {
        for (int32_t x = 0; x < BLOCK_SIDE; x++) {
            if (x >= valid.width || y >= valid.height)
                assert_int_equal(block_value(block, x, y), 0);
        }
    }
    for (int32_t i = 0; tree->plane == PLANE_HEIGHTS && i < BLOCK_CELLS * BLOCK_CELLS; i++) {
        struct rect cell = { i % BLOCK_CELLS * CELL_SIDE, i / BLOCK_CELLS * CELL_SIDE, CELL_SIDE,
                             CELL_SIDE };
        struct rect meet = rect_meet(cell, (struct rect){ 0, 0, valid.width, valid.height });
        uint32_t sum = 0;
        struct summary all;

        for (int32_t k = 0; k < meet.width * meet.height; k++)
            sum += block_value(block, meet.x + k % meet.width, meet.y + k / meet.width);
        meet.x += valid.x;
        meet.y += valid.y;
        all = recount(tree, meet);
        assert_int_equal(block_cells(block)[i].sum, sum);
        assert_int_equal(block_cells(block)[i].least, all.least);
        assert_int_equal(block_cells(block)[i].greatest, all.greatest);
    }
}

/* Every quadtree node against its four below, and those of a block against the values. */
static void assert_nodes_sound(const struct tree *tree)
{
    for (int32_t level = 0; level <= 3 * tree->depth; level++) {
        int32_t side = 1 << (3 * tree->depth - level);

        for (int32_t i = 0; i < side * side; i++) {
            int32_t x = i % side, y = i / side;
            struct summary node = tree_node(tree, level, x, y), all = { 0, UINT16_MAX, 0 };

            if (level == 0) {
                all = recount(tree, (struct rect){ x << 7, y << 7, 128, 128 });
                all.version = node.version;
            }
            for (int k = 0; level > 0 && k < 4; k++) {
                struct summary below =
                    tree_node(tree, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1));

                all.version = below.version > all.version ? below.version : all.version;
                all.least = below.least < all.least ? below.least : all.least;
                all.greatest = below.greatest > all.greatest ? below.greatest : all.greatest;
            }
            assert_int_equal(node.least, all.least);
            assert_int_equal(node.greatest, all.greatest);
            assert_int_equal(node.version, all.version);
        }
    }
}

static void assert_tree_sound(const struct tree *tree)
{
    for (int32_t by = 0; by < tree_blocks_down(tree); by++)
        for (int32_t bx = 0; bx < tree_blocks_across(tree); bx++)
            assert_block_sound(tree, bx, by);
    assert_nodes_sound(tree);
}

/* Blended weights add up to 255, or to nothing, at each vertex. */
static void assert_sums_whole(const struct view *view)
{
    const struct stack *stack = view->settings->stack;
    struct rect all = view_rect(view);

    for (int32_t i = 0; view->weights_count && i < all.width * all.height; i++) {
        int sum = 0;

        for (int p = 0; p < stack->paint_count; p++)
            sum +=
                stack->paints[p].blended ? ground_weight(view, p, i % all.width, i / all.width) : 0;
        assert_true(sum == 0 || sum == 255);
    }
}

int ground_weight(const struct view *view, int paint, int32_t x, int32_t y)
{
    const struct tree *tree = view_weights(view, view->settings->stack->paints[paint].id);

    return tree ? tree_value(tree, x, y) : 0;
}

void ground_assert_sound(const struct view *view)
{
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        assert_tree_sound(&view->planes[plane]);
    for (int32_t i = 0; i < view->weights_count; i++)
        assert_tree_sound(&view->weights[i].tree);
    for (int32_t i = 0; i < view->layers_count; i++)
        assert_tree_sound(&view->layers[i].tree);
    assert_sums_whole(view);
}

struct view *ground_finish(struct draft *draft, struct view *base, struct change *change)
{
    struct fault why = { 0 };
    struct view *view = draft_finish(draft, change, &why);

    assert_non_null(view);
    draft_free(draft);
    view_drop(base);
    return view;
}

struct view *ground_painted(int32_t columns, int32_t rows, uint8_t *const *planes)
{
    struct view *view = ground_flat(columns, rows, 32768);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    for (int32_t by = 0; by <= (rows - 1) >> BLOCK_LOG2; by++) {
        for (int32_t bx = 0; bx <= (columns - 1) >> BLOCK_LOG2; bx++) {
            struct rect rect = tree_block_rect(&view->planes[PLANE_HEIGHTS], bx, by);
            uint8_t *to[OPS_PAINTS];

            assert_true(draft_weights_begin(draft, bx, by, -1, to, &why));
            for (int i = 0; i < rect.width * rect.height; i++) {
                int32_t x = i % rect.width, y = i / rect.width;

                for (int paint = 0; paint < OPS_PAINTS; paint++)
                    to[paint][y * BLOCK_SIDE + x] =
                        planes[paint][(rect.y + y) * columns + rect.x + x];
            }
            draft_weights_end(draft, bx, by, (struct rect){ 0, 0, rect.width, rect.height });
        }
    }
    return ground_finish(draft, view, &change);
}

struct view *ground_daubed(int32_t columns, int32_t rows, struct dice *dice)
{
    size_t count = (size_t)columns * (size_t)rows;
    uint8_t *planes[OPS_PAINTS];
    const bool blended[OPS_PAINTS] = { true, true, true, false };
    struct view *view;

    for (int paint = 0; paint < OPS_PAINTS; paint++) {
        planes[paint] = calloc(count, 1);
        assert_non_null(planes[paint]);
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t weights[OPS_PAINTS];
        int32_t patch = (int32_t)(i % (size_t)columns / 40 + i / (size_t)columns / 50);

        for (int paint = 0; paint < OPS_PAINTS; paint++)
            weights[paint] = (uint8_t)((patch + paint) % 3 ? dice_between(dice, 0, 255) : 0);
        if (patch % 5 == 4)
            memset(weights, 0, sizeof weights);
        weights_normalise(weights, blended, OPS_PAINTS);
        for (int paint = 0; paint < OPS_PAINTS; paint++)
            planes[paint][i] = weights[paint];
    }
    view = ground_painted(columns, rows, planes);
    for (int paint = 0; paint < OPS_PAINTS; paint++)
        free(planes[paint]);
    return view;
}
