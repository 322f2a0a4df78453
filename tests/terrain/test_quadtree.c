/* Selection of quadtree nodes: the reference's numbers, and what holds of any selection. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/angle.h"
#include "terrain/lod/quadtree.h"
#include "terrain/lod/quadtree_bounds.h"
#include "tests/terrain/vectors.h"

static struct frustum frustum_from(const json_t *view)
{
    const double yaw = vectors_real(view, "yaw"), pitch = vectors_real(view, "pitch");
    const double cy = angle_cos(yaw), sy = angle_sin(yaw), cp = angle_cos(pitch),
                 sp = angle_sin(pitch);
    struct frustum frustum = { .look = { .forward = { cp * cy, cp * sy, sp },
                                         .right = { -sy, cy, 0 },
                                         .up = { -sp * cy, -sp * sy, cp } },
                               .nearest = vectors_real(view, "near"),
                               .farthest = vectors_real(view, "far") };
    double hfov = vectors_real(view, "hfov");

    for (size_t k = 0; k < 3; k++)
        frustum.look.eye[k] = vectors_at(json_object_get(view, "cam"), k);
    frustum.look.half[0] = angle_sin(hfov / 2) / angle_cos(hfov / 2);
    frustum.look.half[1] = frustum.look.half[0] / vectors_real(view, "aspect");
    return frustum;
}

/* x, y, size, min, max, diffs (x-min, x-max, y-min, y-max), visible, mesh lod, two counts */
static void assert_nodes(const json_t *nodes, const struct picks *plain, const struct picks *merged)
{
    static const int neighbour[4] = { 1, 2, 0, 3 };

    assert_int_equal(plain->count, json_array_size(nodes));
    assert_int_equal(merged->count, plain->count);
    for (size_t i = 0; i < plain->count; i++) {
        const json_t *told = json_array_get(nodes, i);
        const struct patch *patch = &merged->patches[i];

        assert_int_equal(patch->x, vectors_at(told, 0));
        assert_int_equal(patch->y, vectors_at(told, 1));
        assert_int_equal(patch->size, vectors_at(told, 2));
        assert_int_equal(patch->least, vectors_at(told, 3));
        assert_int_equal(patch->greatest, vectors_at(told, 4));
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(patch->neighbours[neighbour[k]], vectors_at(told, 5 + k));
        assert_int_equal(patch->visible, vectors_at(told, 9));
        assert_int_equal(patch->draw, vectors_at(told, 10));
        if (!patch->visible)
            continue;
        assert_int_equal(plain->patches[i].triangles, vectors_at(told, 11));
        assert_int_equal(patch->triangles, vectors_at(told, 12));
    }
}

static void assert_view(struct view *view, const json_t *told, struct pick_options options)
{
    const struct frustum frustum = frustum_from(told);
    struct picks plain, merged;
    struct fault why = { 0 };

    view->settings->grid.scale[2] = vectors_real(told, "zscale");
    options.quadtree.factor = vectors_real(told, "factor");
    options.quadtree.merge_angle = -1;
    options.quadtree.half_step = false;
    assert_true(pick_quadtree(view, NULL, &frustum, &options, &plain, &why));
    options.quadtree.merge_angle = vectors_real(told, "theta");
    options.quadtree.half_step = true;
    assert_true(pick_quadtree(view, NULL, &frustum, &options, &merged, &why));
    assert_nodes(json_object_get(told, "nodes"), &plain, &merged);
    assert_int_equal(merged.draws, vectors_int(told, "draws"));
    assert_int_equal(merged.visible, vectors_int(told, "draws"));
    assert_int_equal(plain.triangles, vectors_int(told, "triangles_plain"));
    assert_int_equal(merged.triangles, vectors_int(told, "triangles_merged"));
    picks_free(&plain);
    picks_free(&merged);
}

static void selections_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("07_quadtree"), *terrain, *told, *sample;
    size_t t, v, s;

    (void)state;
    json_array_foreach(json_object_get(file, "terrains"), t, terrain)
    {
        const int32_t side = vectors_int(terrain, "size") + 1;
        const struct vectors_relief relief = vectors_relief(json_object_get(terrain, "dem"));
        uint16_t *heights = vectors_heights(side, side, &relief);
        struct view *view = ground_of(side, side, heights);
        const struct pick_options options = { .width = 1280,
                                              .height = 720,
                                              .quadtree = {
                                                  .leaf = vectors_int(terrain, "leaf"),
                                                  .grid = vectors_int(terrain, "N"),
                                                  .balance = vectors_int(terrain, "max_diff") } };

        assert_int_equal(vectors_crc16(heights, (size_t)side * (size_t)side),
                         vectors_real(terrain, "dem_crc"));
        json_array_foreach(json_object_get(terrain, "dem_samples"), s, sample) assert_int_equal(
            view_height(view, (int32_t)vectors_at(sample, 0), (int32_t)vectors_at(sample, 1)),
            vectors_at(sample, 2));
        json_array_foreach(json_object_get(terrain, "views"), v, told)
            assert_view(view, told, options);
        view_drop(view);
        free(heights);
    }
    json_decref(file);
}

/* What a selection must be, worked out the plain way: nodes in a map of least nodes, split one at a
 * time until no rule asks for more. */
enum { MAP = 64 };

struct plain {
    const struct view *view;
    const struct pick_options *options;
    const struct frustum *frustum;
    int32_t root;
    int32_t sizes[MAP][MAP]; /* of the node over each least node; 0 beyond the landscape */
};

static void box_of(const struct view *view, int32_t x, int32_t y, int32_t size, double low[3],
                   double high[3])
{
    const struct grid *grid = view_grid(view);
    const int32_t right = x + size < grid->columns - 1 ? x + size : grid->columns - 1;
    const int32_t bottom = y + size < grid->rows - 1 ? y + size : grid->rows - 1;
    uint16_t least = UINT16_MAX, greatest = 0;

    for (int32_t j = y; j <= bottom; j++)
        for (int32_t i = x; i <= right; i++) {
            uint16_t code = view_height(view, i, j);

            least = code < least ? code : least;
            greatest = code > greatest ? code : greatest;
        }
    low[0] = grid->origin[0] + x * grid->scale[0];
    low[1] = grid->origin[1] + y * grid->scale[1];
    low[2] = grid_metres(grid, least);
    high[0] = grid->origin[0] + right * grid->scale[0];
    high[1] = grid->origin[1] + bottom * grid->scale[1];
    high[2] = grid_metres(grid, greatest);
}

static bool plain_splits(const struct plain *plain, int32_t x, int32_t y, int32_t size)
{
    const struct quadtree_options *own = &plain->options->quadtree;
    const double *scale = view_grid(plain->view)->scale;
    double low[3], high[3], metres = size * fmax(scale[0], scale[1]);

    if (size <= own->leaf)
        return false;
    box_of(plain->view, x, y, size, low, high);
    return look_distance(&plain->frustum->look, low, high) <
           own->factor * (own->split == SPLIT_RANGES ? metres / 2 : metres);
}

static void plain_fill(struct plain *plain, int32_t x, int32_t y, int32_t size)
{
    const int32_t leaf = plain->options->quadtree.leaf;

    if (x >= view_grid(plain->view)->columns - 1 || y >= view_grid(plain->view)->rows - 1)
        return;
    if (plain_splits(plain, x, y, size)) {
        for (int k = 0; k < 4; k++)
            plain_fill(plain, x + (k & 1) * size / 2, y + (k >> 1) * size / 2, size / 2);
        return;
    }
    for (int32_t j = y / leaf; j < (y + size) / leaf; j++)
        for (int32_t i = x / leaf; i < (x + size) / leaf; i++)
            if (i * leaf < view_grid(plain->view)->columns - 1 &&
                j * leaf < view_grid(plain->view)->rows - 1)
                plain->sizes[j][i] = size;
}

static void plain_halve(struct plain *plain, int32_t x, int32_t y)
{
    const int32_t leaf = plain->options->quadtree.leaf, size = plain->sizes[y][x];
    const int32_t side = size / leaf, x0 = x & -side, y0 = y & -side;

    for (int32_t j = y0; j < y0 + side; j++)
        for (int32_t i = x0; i < x0 + side; i++)
            if (plain->sizes[j][i])
                plain->sizes[j][i] = size / 2;
}

static bool plain_balance_once(struct plain *plain, int32_t limit)
{
    static const int steps[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };

    for (int32_t y = 0; y < MAP; y++)
        for (int32_t x = 0; x < MAP; x++)
            for (int k = 0; k < 4; k++) {
                int32_t nx = x + steps[k][0], ny = y + steps[k][1];

                if (nx < 0 || ny < 0 || nx >= MAP || ny >= MAP || !plain->sizes[ny][nx] ||
                    plain->sizes[ny][nx] << limit >= plain->sizes[y][x])
                    continue;
                plain_halve(plain, x, y);
                return true;
            }
    return false;
}

static void assert_as_plain(const struct plain *plain, const struct picks *picks)
{
    const int32_t leaf = plain->options->quadtree.leaf;
    int64_t quads = 0;

    for (size_t i = 0; i < picks->count; i++) {
        const struct patch *patch = &picks->patches[i];
        double low[3], high[3];

        assert_int_equal(plain->sizes[patch->y / leaf][patch->x / leaf], patch->size);
        assert_int_equal(leaf << patch->level, patch->size);
        box_of(plain->view, patch->x, patch->y, patch->size, low, high);
        assert_float_equal(low[2], grid_metres(view_grid(plain->view), patch->least), 0);
        assert_float_equal(high[2], grid_metres(view_grid(plain->view), patch->greatest), 0);
        assert_float_equal(look_distance(&plain->frustum->look, low, high), patch->distance, 1e-9);
        assert_true(patch->visible == frustum_sees(plain->frustum, low, high));
        quads += rect_area(rect_meet((struct rect){ patch->x, patch->y, patch->size, patch->size },
                                     (struct rect){ 0, 0, view_grid(plain->view)->columns - 1,
                                                    view_grid(plain->view)->rows - 1 }));
    }
    /* each node is where it should be and no two begin in one place: so they tile the ground */
    for (size_t i = 1; i < picks->count; i++)
        assert_true(picks->patches[i - 1].x < picks->patches[i].x ||
                    (picks->patches[i - 1].x == picks->patches[i].x &&
                     picks->patches[i - 1].y < picks->patches[i].y));
    assert_int_equal(quads, (int64_t)(view_grid(plain->view)->columns - 1) *
                                (view_grid(plain->view)->rows - 1));
}

static struct frustum thrown_frustum(struct dice *dice, const struct view *view)
{
    const struct grid *grid = view_grid(view);
    struct camera camera = { .kind = CAMERA_PERSPECTIVE, .fov = dice_real(dice, 20, 90) };
    struct frustum frustum = { .nearest = dice_real(dice, 0.1, 10),
                               .farthest = dice_real(dice, 100, 1000) };
    struct extent extent;
    struct fault why = { 0 };

    for (int k = 0; k < 2; k++) {
        double across = ((k ? grid->rows : grid->columns) - 1) * grid->scale[k];

        camera.position[k] = grid->origin[k] + dice_real(dice, -0.3, 1.3) * across;
        camera.target[k] = grid->origin[k] + dice_real(dice, 0, 1) * across;
    }
    camera.position[2] = dice_real(dice, -50, 150);
    extent_of(view, &extent);
    assert_true(camera_look(&camera, &extent, 640, 360, &frustum.look, &why));
    return frustum;
}

static struct view *thrown_ground(struct dice *dice)
{
    const struct vectors_relief relief = { .seed = dice_throw(dice),
                                           .octaves = { { 6, 6000, 0 }, { 3, 900, 0 } },
                                           .count = 2 };
    const int32_t columns = dice_between(dice, 8, 400), rows = dice_between(dice, 8, 400);
    uint16_t *heights = vectors_heights(columns, rows, &relief);
    struct view *view = ground_of(columns, rows, heights);

    free(heights);
    view->settings->grid.scale[0] = dice_real(dice, 0.5, 2);
    view->settings->grid.scale[1] = dice_real(dice, 0.5, 2);
    view->settings->grid.origin[1] = dice_real(dice, -99, 99);
    return view;
}

static void stand_on(struct dice *dice, const struct view *view, struct frustum *frustum,
                     double *factor)
{
    const struct grid *grid = view_grid(view);
    const int32_t x = dice_between(dice, 0, grid->columns - 1);
    const int32_t y = dice_between(dice, 0, grid->rows - 1);

    frustum->look.eye[0] = grid->origin[0] + x * grid->scale[0];
    frustum->look.eye[1] = grid->origin[1] + y * grid->scale[1];
    frustum->look.eye[2] = grid_metres(grid, view_height(view, x, y));
    *factor = dice_real(dice, 0.001, 0.3);
}

static void selections_are_what_splitting_one_at_a_time_comes_to(void **state)
{
    struct dice dice = { 31 };

    (void)state;
    for (int s = 0; s < 120; s++) {
        struct view *view = thrown_ground(&dice);
        struct frustum frustum = thrown_frustum(&dice, view);
        struct pick_options options = { .width = 640, .height = 360 };
        struct plain plain = { .view = view, .frustum = &frustum, .options = &options };
        struct fault why = { 0 };
        struct picks picks;

        options.quadtree =
            (struct quadtree_options){ .split = s & 1 ? SPLIT_DISTANCE : SPLIT_RANGES,
                                       .factor = dice_real(&dice, 0.2, 3),
                                       .leaf = 8 << dice_between(&dice, 0, 2),
                                       .grid = 8,
                                       .balance = dice_between(&dice, 0, 3),
                                       .merge_angle = -1 };
        if (s % 4 > 1) /* on the ground, where sizes jump: balance has the most to do */
            stand_on(&dice, view, &frustum, &options.quadtree.factor);
        for (plain.root = options.quadtree.leaf;
             plain.root < view_grid(view)->columns - 1 || plain.root < view_grid(view)->rows - 1;)
            plain.root *= 2;
        plain_fill(&plain, 0, 0, plain.root);
        while (options.quadtree.balance && plain_balance_once(&plain, options.quadtree.balance))
            continue;
        assert_true(pick_quadtree(view, NULL, &frustum, &options, &picks, &why));
        assert_as_plain(&plain, &picks);
        picks_free(&picks);
        view_drop(view);
    }
}

/* Nothing of a culled node would have been in the picture. */
static void what_is_culled_is_outside(void **state)
{
    struct dice dice = { 17 };
    int64_t culled = 0;

    (void)state;
    for (int s = 0; s < 60; s++) {
        struct view *view = thrown_ground(&dice);
        const struct frustum frustum = thrown_frustum(&dice, view);
        const struct look *look = &frustum.look;
        struct pick_options options = {
            .height = 360,
            .quadtree = { .factor = 1, .leaf = 16, .grid = 16, .balance = 1, .merge_angle = -1 }
        };
        struct fault why = { 0 };
        struct picks picks;

        assert_true(pick_quadtree(view, NULL, &frustum, &options, &picks, &why));
        assert_int_equal(picks.visible + picks.culled, picks.count);
        culled += picks.culled;
        for (size_t i = 0; i < picks.count; i++) {
            const struct patch *patch = &picks.patches[i];

            for (int k = 0; !patch->visible && k < 40; k++) {
                double at[2] = { patch->x + dice_real(&dice, 0, patch->size),
                                 patch->y + dice_real(&dice, 0, patch->size) };
                double local[3], seen[3], code;

                if (!view_code_at(view, at[0], at[1], &code))
                    continue;
                grid_to_local(view_grid(view), at, local);
                local[2] = grid_metres(view_grid(view), code);
                look_at(look, local, seen);
                assert_false(seen[2] > frustum.nearest && seen[2] < frustum.farthest &&
                             fabs(seen[0]) < look->half[0] * seen[2] &&
                             fabs(seen[1]) < look->half[1] * seen[2]);
            }
        }
        picks_free(&picks);
        view_drop(view);
    }
    assert_true(culled > 0);
}

static int32_t size_at(const struct picks *picks, int32_t x, int32_t y)
{
    for (size_t i = 0; i < picks->count; i++) {
        const struct patch *patch = &picks->patches[i];

        if (x >= patch->x && y >= patch->y && x < patch->x + patch->size &&
            y < patch->y + patch->size)
            return patch->size;
    }
    fail_msg("nothing over (%d, %d)", x, y);
    return 0;
}

/* An eye that comes straight at a place never finds it coarser, by any rule and with any balance:
 * every node around it gets nearer. */
static void what_comes_nearer_never_gets_coarser(void **state)
{
    struct dice dice = { 5 };

    (void)state;
    for (int s = 0; s < 60; s++) {
        struct view *view = thrown_ground(&dice);
        const struct grid *grid = view_grid(view);
        struct frustum frustum = thrown_frustum(&dice, view);
        struct pick_options options = { .height = 360,
                                        .everything = true,
                                        .quadtree = { .split = s % 3,
                                                      .factor = dice_real(&dice, 0.3, 3),
                                                      .pixel_error = 3,
                                                      .leaf = 8,
                                                      .grid = 8,
                                                      .balance = 0,
                                                      .merge_angle = -1 } };
        const int32_t x = dice_between(&dice, 0, grid->columns - 2);
        const int32_t y = dice_between(&dice, 0, grid->rows - 2);
        struct fault why = { 0 };
        int32_t before = INT32_MAX;

        frustum.look.eye[0] = grid->origin[0] + (x + 0.5) * grid->scale[0];
        frustum.look.eye[1] = grid->origin[1] + (y + 0.5) * grid->scale[1];
        for (double height = 1500; height > 200; height *= 0.8) {
            struct picks picks;

            frustum.look.eye[2] = grid->origin[2] + height;
            assert_true(pick_quadtree(view, NULL, &frustum, &options, &picks, &why));
            assert_true(size_at(&picks, x, y) <= before);
            before = size_at(&picks, x, y);
            picks_free(&picks);
        }
        view_drop(view);
    }
}

/* How far the ground lies from a plain grid over the node, at its vertices and between. */
static double error_of(const struct view *view, const struct patch_place *node)
{
    const int32_t stride = patch_stride(node), last[2] = { patch_end(view, 0), patch_end(view, 1) };
    double error = 0;

    for (int32_t y = node->y; y <= node->y + node->size && y <= last[1]; y++)
        for (int32_t x = node->x; x <= node->x + node->size && x <= last[0]; x++)
            for (int k = 0; k < 3; k++) {
                double at[2] = { x + k / 3.0, y + (k ? 1 - k / 3.0 : 0) }, code, across, down;
                int32_t x0, y0, x1, y1;

                if (!view_code_at(view, at[0], at[1], &code) || at[0] > node->x + node->size ||
                    at[1] > node->y + node->size)
                    continue;
                x0 = (int32_t)at[0] / stride * stride;
                y0 = (int32_t)at[1] / stride * stride;
                x0 -= x0 >= last[0] ? stride : 0;
                y0 -= y0 >= last[1] ? stride : 0;
                x1 = x0 + stride < last[0] ? x0 + stride : last[0];
                y1 = y0 + stride < last[1] ? y0 + stride : last[1];
                across = (at[0] - x0) / (x1 - x0);
                down = (at[1] - y0) / (y1 - y0);
                error = fmax(
                    error, fabs(view_quad_code(view_height(view, x0, y0), view_height(view, x1, y0),
                                               view_height(view, x0, y1), view_height(view, x1, y1),
                                               across, down) -
                                code));
            }
    return error;
}

static void errors_are_never_too_small_and_never_less_than_below(void **state)
{
    struct dice dice = { 3 };
    double sum = 0, bound = 0;

    (void)state;
    for (int s = 0; s < 25; s++) {
        struct view *view = thrown_ground(&dice);
        const int32_t leaf = 8 << s % 3, grid = s % 2 ? leaf : 8;
        struct fault why = { 0 };
        struct quadtree_bounds *bounds = quadtree_bounds(view, NULL, leaf, grid, &why);

        assert_non_null(bounds);
        for (int level = 0; level < bounds->levels; level++)
            for (int32_t y = 0; y < bounds->level[level].down; y++)
                for (int32_t x = 0; x < bounds->level[level].across; x++) {
                    const int32_t size = leaf << level;
                    const struct patch_place node = { x * size, y * size, size, grid };
                    float told = bounds->level[level].errors[quadtree_node(bounds, level, x, y)];
                    double error = error_of(view, &node);

                    assert_true(told >= error - 1e-6);
                    sum += error;
                    bound += told;
                    if (level + 1 < bounds->levels)
                        assert_true(told <=
                                    bounds->level[level + 1]
                                        .errors[quadtree_node(bounds, level + 1, x / 2, y / 2)]);
                }
        derived_drop(&bounds->derived);
        view_drop(view);
    }
    /* exact but at borders that cut quads, and where a node below has more */
    printf("errors are told %.3f times as large as they are\n", bound / sum);
    assert_true(bound < 1.05 * sum);
}

static void assert_same_bounds(const struct quadtree_bounds *a, const struct quadtree_bounds *b)
{
    assert_int_equal(a->levels, b->levels);
    for (int level = 0; level < a->levels; level++) {
        size_t count = (size_t)a->level[level].across * (size_t)a->level[level].down;

        assert_memory_equal(a->level[level].ranges, b->level[level].ranges,
                            count * sizeof *a->level[level].ranges);
        assert_memory_equal(a->level[level].errors, b->level[level].errors,
                            count * sizeof *a->level[level].errors);
    }
}

/* Bounds that are brought up to date are those that would be made anew, forwards and back. */
static void bounds_follow_edits(void **state)
{
    struct derived_cache *cache = derived_cache_new(1 << 24);
    struct view *views[12] = { ground_flat(505, 253, 32000) };
    struct dice dice = { 44 };

    (void)state;
    for (int v = 0; v < 12; v++) {
        struct fault why = { 0 };
        struct quadtree_bounds *kept, *anew;

        if (v > 0) {
            struct draft *draft = draft_new(views[v - 1], &why);
            struct rect rect = dice_rect(&dice, 505, 253, 30);
            uint16_t codes[900];
            struct change change;

            for (int i = 0; i < 900; i++)
                codes[i] = (uint16_t)dice_throw(&dice);
            assert_true(draft_write_heights(draft, rect, codes, rect.width, &why));
            views[v] = ground_finish(draft, view_hold(views[v - 1]), &change);
        }
        kept = quadtree_bounds(views[v], cache, 16, 8, &why);
        anew = quadtree_bounds(views[v], NULL, 16, 8, &why);
        assert_same_bounds(kept, anew);
        derived_drop(&kept->derived);
        derived_drop(&anew->derived);
    }
    for (int v = 11; v >= 0; v--) {
        struct fault why = { 0 };
        struct quadtree_bounds *kept = quadtree_bounds(views[v], cache, 16, 8, &why);
        struct quadtree_bounds *anew = quadtree_bounds(views[v], NULL, 16, 8, &why);

        assert_same_bounds(kept, anew);
        derived_drop(&kept->derived);
        derived_drop(&anew->derived);
        view_drop(views[v]);
    }
    derived_cache_free(cache);
}

static void options_that_do_not_fit_are_refused(void **state)
{
    static const struct quadtree_options wrong[] = {
        { .factor = 1, .leaf = 12, .grid = 8 },
        { .factor = 1, .leaf = 4, .grid = 4 },
        { .factor = 1, .leaf = 16, .grid = 32 },
        { .factor = 1, .leaf = 2048, .grid = 8 },
        { .factor = 1, .leaf = 16, .grid = 9 },
        { .factor = 1, .leaf = 16, .grid = 8, .balance = 4 },
        { .factor = NAN, .leaf = 16, .grid = 8 },
        { .factor = -1, .leaf = 16, .grid = 8 },
        { .split = SPLIT_ERROR, .leaf = 16, .grid = 8 },
    };
    struct view *view = ground_flat(65, 65, 30000);
    struct frustum frustum = { .look = { .forward = { 1 }, .half = { 1, 1 } } };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct pick_options options = { .height = 100, .quadtree = wrong[i] };
        struct fault why = { 0 };
        struct picks picks;

        assert_false(pick_quadtree(view, NULL, &frustum, &options, &picks, &why));
        assert_int_equal(why.code, FAULT_INPUT);
        assert_null(picks.patches);
    }
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections_are_those_of_the_reference),
        cmocka_unit_test(selections_are_what_splitting_one_at_a_time_comes_to),
        cmocka_unit_test(what_is_culled_is_outside),
        cmocka_unit_test(what_comes_nearer_never_gets_coarser),
        cmocka_unit_test(errors_are_never_too_small_and_never_less_than_below),
        cmocka_unit_test(bounds_follow_edits),
        cmocka_unit_test(options_that_do_not_fit_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
