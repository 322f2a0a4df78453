/* The selection of a component renderer against the reference, and against a plain recount. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/lod/component_bounds.h"
#include "terrain/lod/curve.h"
#include "terrain/lod/pick.h"
#include "tests/terrain/vectors.h"

static const double radian = 3.14159265358979323846 / 180;

static void levels_follow_the_curves_of_the_reference(void **state)
{
    json_t *file = vectors_open("06_lod"), *row, *item;
    size_t i, k;

    (void)state;
    json_array_foreach(json_object_get(file, "curves"), i, row)
    {
        struct curve curve;

        curve_make(&curve, vectors_real(row, "lod0_screen_size"),
                   vectors_real(row, "lod0_distribution"), vectors_real(row, "lod_distribution"),
                   vectors_int(row, "last"));
        for (int32_t lod = 0; lod <= curve.last; lod++)
            assert_float_equal(curve.thresholds[lod],
                               vectors_at(json_object_get(row, "thresholds"), (size_t)lod), 1e-9);
        json_array_foreach(json_object_get(row, "cases"), k, item)
            assert_float_equal(curve_lod(&curve, vectors_at(item, 0)), vectors_at(item, 1), 1e-5);
    }
    json_decref(file);
}

static void bias_adds_levels_and_force_sets_them(void **state)
{
    struct curve curve;

    (void)state;
    curve_make(&curve, 0.5, 1.25, 3, 6);
    curve.bias = 1.5;
    assert_float_equal(curve_lod(&curve, 1), 1.5, 1e-12);
    assert_float_equal(curve_lod(&curve, 0), 6, 0);
    curve.bias = -9;
    assert_float_equal(curve_lod(&curve, 1e-4), 0, 0);
    curve.forced = 4;
    assert_float_equal(curve_lod(&curve, 1), 4, 0);
    curve.forced = 9;
    assert_float_equal(curve_lod(&curve, 1), 6, 0);
}

/* A landscape whose components have these bounds: the least everywhere, the greatest at one vertex
 * in the middle, and both lie between the neighbours' on borders. */
static struct view *land_of(const json_t *row)
{
    struct layout layout = { { vectors_int(row, "nx"), vectors_int(row, "ny") },
                             vectors_int(row, "s"),
                             vectors_int(row, "q") };
    int32_t quads = layout_component_quads(&layout), columns = layout_columns(&layout);
    size_t count = (size_t)columns * (size_t)layout_rows(&layout);
    uint16_t *heights = malloc(count * sizeof *heights);
    const double scale[3] = { 100, 100, 100 };
    struct view *view;

    for (size_t i = 0; i < count; i++)
        heights[i] = 32768; /* between them all, but for those that say otherwise */
    for (int32_t c = 0; c < layout.components[0] * layout.components[1]; c++) {
        const json_t *item = json_array_get(json_object_get(row, "components"), (size_t)c);
        int32_t x = c % layout.components[0] * quads, y = c / layout.components[0] * quads;

        for (int32_t i = 0; i < (quads - 1) * (quads - 1); i++)
            heights[(y + 1 + i / (quads - 1)) * columns + x + 1 + i % (quads - 1)] =
                (uint16_t)vectors_at(item, i == 3 ? 3 : 2);
    }
    view = ground_laid_out(&layout, scale, heights);
    for (size_t i = 0; i < 3; i++)
        view->settings->grid.origin[i] = vectors_at(json_object_get(row, "origin"), i);
    free(heights);
    return view;
}

static void frustum_of(const json_t *row, struct frustum *frustum)
{
    double yaw = vectors_real(row, "yaw") * radian, pitch = vectors_real(row, "pitch") * radian;
    double half = tan(vectors_real(row, "hfov") * radian / 2);
    const double forward[3] = { cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch) };
    const double right[3] = { -sin(yaw), cos(yaw), 0 };
    const double up[3] = { -sin(pitch) * cos(yaw), -sin(pitch) * sin(yaw), cos(pitch) };

    *frustum = (struct frustum){ .nearest = vectors_real(row, "near"),
                                 .farthest = vectors_real(row, "far") };
    for (size_t i = 0; i < 3; i++)
        frustum->look.eye[i] = vectors_at(json_object_get(row, "cam"), i);
    memcpy(frustum->look.forward, forward, sizeof forward);
    memcpy(frustum->look.right, right, sizeof right);
    memcpy(frustum->look.up, up, sizeof up);
    frustum->look.half[0] = half;
    frustum->look.half[1] = half / vectors_real(row, "aspect");
}

/* The borders of a landscape made so may reach beyond the bounds wanted: these are put there. */
static struct derived_cache *cache_with(const struct view *view, const json_t *row)
{
    struct derived_cache *cache = derived_cache_new(1 << 24);
    struct fault why;
    const struct component_bounds *bounds = component_bounds_get(view, cache, false, &why);
    json_t *item;
    size_t i;

    assert_non_null(bounds);
    json_array_foreach(json_object_get(row, "components"), i, item)
    {
        bounds->bounds[i].least = (uint16_t)vectors_at(item, 2);
        bounds->bounds[i].greatest = (uint16_t)vectors_at(item, 3);
    }
    component_bounds_drop(bounds);
    return cache;
}

static void check_patch(const struct patch *patch, const json_t *item)
{
    assert_int_equal(patch->least, vectors_at(item, 2));
    assert_int_equal(patch->greatest, vectors_at(item, 3));
    assert_float_equal(patch->lod, vectors_at(item, 4), 1e-5);
    assert_int_equal(patch->draw, vectors_at(item, 5));
    for (size_t i = 0; i < 4; i++) {
        double there = isnan(patch->neighbours[i]) ? patch->lod : patch->neighbours[i];

        assert_float_equal(there, vectors_at(item, 6 + i), 1e-5);
    }
    assert_int_equal(patch->visible, vectors_at(item, 10));
    assert_int_equal(patch->visible ? patch->triangles : vectors_at(item, 11),
                     vectors_at(item, 11));
}

static void selections_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("06_lod"), *row, *item;
    size_t i, k;

    (void)state;
    json_array_foreach(json_object_get(file, "views"), i, row)
    {
        struct view *view = land_of(row);
        struct derived_cache *cache = cache_with(view, row);
        struct pick_options options = { .components = true, .component.forced = -1 };
        struct frustum frustum;
        struct picks picks;
        struct fault why;

        frustum_of(row, &frustum);
        assert_true(pick_components(view, cache, &frustum, &options, &picks, &why));
        assert_int_equal(picks.count, json_array_size(json_object_get(row, "components")));
        json_array_foreach(json_object_get(row, "components"), k, item)
            check_patch(&picks.patches[k], item);
        assert_int_equal(picks.draws, vectors_int(row, "draws"));
        assert_int_equal(picks.triangles, vectors_int(row, "triangles"));
        assert_int_equal(picks.visible + picks.culled, picks.count);
        picks_free(&picks);
        derived_cache_free(cache);
        view_drop(view);
    }
    json_decref(file);
}

/* A camera somewhere around the landscape that looks at some of it. */
static void random_frustum(struct dice *dice, const struct view *view, struct frustum *frustum)
{
    struct camera camera = { .kind = CAMERA_PERSPECTIVE, .fov = dice_real(dice, 20, 90) };
    struct extent extent;
    struct fault why;
    double width, height;

    extent_of(view, &extent);
    width = extent.high[0] - extent.low[0];
    height = extent.high[1] - extent.low[1];
    camera.position[0] = extent.low[0] + dice_real(dice, -0.5, 1.5) * width;
    camera.position[1] = extent.low[1] + dice_real(dice, -0.5, 1.5) * height;
    camera.position[2] = extent.high[2] + dice_real(dice, 1, width);
    camera.target[0] = extent.low[0] + dice_real(dice, 0, 1) * width;
    camera.target[1] = extent.low[1] + dice_real(dice, 0, 1) * height;
    camera.target[2] = extent.low[2];
    if (dice_between(dice, 0, 4) == 0) {
        camera.kind = CAMERA_ORTHO;
        camera.ortho_width = dice_real(dice, 0.1, 1) * width;
        camera.elevation = dice_real(dice, 10, 90);
        camera.azimuth = dice_real(dice, 0, 360);
    }
    assert_true(camera_look(&camera, &extent, 640, 360, &frustum->look, &why));
    frustum->nearest = 0.1;
    frustum->farthest = dice_real(dice, 1, 4) * width;
}

static struct view *hilly_land(struct layout layout, uint64_t seed)
{
    struct view *rough = ground_rough(layout_columns(&layout), layout_rows(&layout), seed);
    uint16_t *heights = ground_heights(rough);
    const double scale[3] = { 2, 3, 1.5 };
    struct view *view = ground_laid_out(&layout, scale, heights);

    free(heights);
    view_drop(rough);
    return view;
}

/* Draws, triangles and what is seen, by what frustum_sees says of each box. */
static void recount(const struct view *view, const struct frustum *frustum,
                    const struct picks *picks)
{
    const struct layout *layout = &view->settings->layout;
    const struct grid *grid = view_grid(view);
    int64_t visible = 0, draws = 0, triangles = 0;

    for (size_t i = 0; i < picks->count; i++) {
        const struct patch *patch = &picks->patches[i];
        double low[3] = { grid->origin[0] + patch->x * grid->scale[0],
                          grid->origin[1] + patch->y * grid->scale[1],
                          grid_metres(grid, patch->least) };
        double high[3] = { low[0] + patch->size * grid->scale[0],
                           low[1] + patch->size * grid->scale[1],
                           grid_metres(grid, patch->greatest) };

        assert_int_equal(patch->visible, frustum_sees(frustum, low, high));
        assert_float_equal(patch->distance, look_distance(&frustum->look, low, high), 1e-9);
        visible += patch->visible;
        draws += patch->visible;
        triangles += patch->visible ? layout_lod_triangles(layout, patch->draw) : 0;
    }
    assert_int_equal(picks->visible, visible);
    assert_int_equal(picks->draws, draws);
    assert_int_equal(picks->triangles, triangles);
}

static void what_is_out_of_the_picture_is_left_out(void **state)
{
    struct view *view = hilly_land((struct layout){ { 6, 5 }, 2, 7 }, 3);
    struct pick_options options = { .components = true, .component.forced = -1 };
    struct dice dice = { 4 };
    int64_t culled = 0;

    (void)state;
    for (int n = 0; n < 200; n++) {
        struct frustum frustum;
        struct picks picks;
        struct fault why;

        random_frustum(&dice, view, &frustum);
        assert_true(pick_components(view, NULL, &frustum, &options, &picks, &why));
        recount(view, &frustum, &picks);
        culled += picks.culled;
        picks_free(&picks);
        options.everything = true;
        assert_true(pick_components(view, NULL, &frustum, &options, &picks, &why));
        assert_int_equal(picks.visible, picks.count);
        picks_free(&picks);
        options.everything = false;
    }
    assert_true(culled > 1000);
    view_drop(view);
}

/* Sections: levels of their own boxes, and one draw where they agree. */
static void sections_are_drawn_together_when_they_agree(void **state)
{
    json_t *file = vectors_open("06_lod"), *row;
    struct view *view = hilly_land((struct layout){ { 6, 6 }, 2, 15 }, 5);
    struct pick_options options = { .components = true,
                                    .component = { .forced = -1, .per_section = true } };
    struct dice dice = { 6 };
    int64_t together = 0, apart = 0;
    size_t i;

    (void)state;
    for (int n = 0; n < 50; n++) {
        struct frustum frustum;
        struct picks picks;
        struct fault why;

        random_frustum(&dice, view, &frustum);
        assert_true(pick_components(view, NULL, &frustum, &options, &picks, &why));
        for (size_t k = 0; k < picks.count; k++) {
            const struct patch *patch = &picks.patches[k];
            bool agree = true;
            int32_t triangles = 0;

            for (int s = 0; s < 4; s++) {
                int32_t quads = layout_lod_quads(15, patch->sections[s]);

                assert_int_equal(patch->sections[s], floor(patch->section_lods[s]));
                agree = agree && patch->sections[s] == patch->sections[0];
                triangles += 2 * quads * quads;
            }
            if (!patch->visible)
                continue;
            assert_int_equal(patch->draws, agree ? 1 : 4);
            assert_int_equal(patch->triangles, triangles);
            together += agree;
            apart += !agree;
        }
        picks_free(&picks);
    }
    assert_true(together > 20 && apart > 20);
    /* The rule in the reference's own words. */
    json_array_foreach(json_object_get(file, "section_draws"), i, row)
    {
        const json_t *lods = json_array_get(row, 0);
        bool agree = true;

        for (size_t k = 1; k < json_array_size(lods); k++)
            agree = agree && floor(vectors_at(lods, k)) == floor(vectors_at(lods, 0));
        assert_int_equal(agree ? 1 : json_array_size(lods), vectors_at(row, 1));
    }
    json_decref(file);
    view_drop(view);
}

static void a_component_of_holes_is_not_drawn(void **state)
{
    struct view *view = hilly_land((struct layout){ { 3, 3 }, 1, 7 }, 7);
    struct pick_options options = { .components = true,
                                    .everything = true,
                                    .component.forced = -1 };
    uint8_t holes[49];
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    struct dice dice = { 8 };
    struct change change;
    struct frustum frustum;
    struct picks picks;

    (void)state;
    memset(holes, 1, sizeof holes);
    assert_true(draft_write_holes(draft, (struct rect){ 7, 7, 7, 7 }, holes, 7, &why));
    assert_true(draft_write_holes(draft, (struct rect){ 14, 14, 7, 6 }, holes, 7, &why));
    view = ground_finish(draft, view, &change);
    random_frustum(&dice, view, &frustum);
    assert_true(pick_components(view, NULL, &frustum, &options, &picks, &why));
    assert_int_equal(picks.visible, 8);
    assert_false(picks.patches[4].visible);
    assert_int_equal(picks.patches[4].draws, 0);
    picks_free(&picks);
    view_drop(view);
}

static void assert_bounds(const struct view *view, const struct component_bounds *bounds)
{
    for (int32_t i = 0; i < bounds->across * bounds->down; i++) {
        int32_t x = i % bounds->across * bounds->quads, y = i / bounds->across * bounds->quads;
        int32_t side = bounds->quads + 1, least = UINT16_MAX, greatest = 0;
        bool hollow = true;

        for (int32_t k = 0; k < side * side; k++) {
            int32_t at_x = x + k % side, at_y = y + k / side, code = view_height(view, at_x, at_y);

            least = code < least ? code : least;
            greatest = code > greatest ? code : greatest;
            if (k % side < bounds->quads && k / side < bounds->quads)
                hollow = hollow && view_hole(view, at_x, at_y);
        }
        assert_int_equal(bounds->bounds[i].least, least);
        assert_int_equal(bounds->bounds[i].greatest, greatest);
        assert_int_equal(bounds->bounds[i].hollow, hollow);
    }
}

/* After any edit the kept bounds are those of a recount, borders of blocks and cells included. */
static void bounds_stay_exact_through_edits(void **state)
{
    static const struct layout layouts[] = {
        { { 20, 22 }, 1, 7 }, { { 5, 4 }, 2, 15 }, { { 2, 2 }, 2, 63 }, { { 2, 1 }, 1, 127 }
    };
    struct dice dice = { 9 };

    (void)state;
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        struct view *view = hilly_land(layouts[l], l);
        struct derived_cache *cache = derived_cache_new(1 << 24);

        for (int n = 0; n < 25; n++) {
            struct rect to = dice_rect(&dice, view_rect(view).width - 1, view_rect(view).height - 1,
                                       n % 2 ? 2 : 40);
            uint16_t *heights = malloc((size_t)rect_area(to) * sizeof *heights);
            uint8_t *holes = malloc((size_t)rect_area(to));
            struct fault why;
            struct draft *draft = draft_new(view, &why);
            struct change change;

            for (int64_t i = 0; i < rect_area(to); i++) {
                heights[i] = (uint16_t)dice_between(&dice, 20000, 40000);
                holes[i] = n % 3 != 0;
            }
            assert_true(draft_write_heights(draft, to, heights, to.width, &why));
            assert_true(draft_write_holes(draft, to, holes, to.width, &why));
            view = ground_finish(draft, view, &change);
            for (int sections = 0; sections < 2; sections++) {
                const struct component_bounds *bounds =
                    component_bounds_get(view, cache, sections, &why);

                assert_bounds(view, bounds);
                component_bounds_drop(bounds);
            }
            free(heights);
            free(holes);
        }
        derived_cache_free(cache);
        view_drop(view);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_follow_the_curves_of_the_reference),
        cmocka_unit_test(bias_adds_levels_and_force_sets_them),
        cmocka_unit_test(selections_are_those_of_the_reference),
        cmocka_unit_test(what_is_out_of_the_picture_is_left_out),
        cmocka_unit_test(sections_are_drawn_together_when_they_agree),
        cmocka_unit_test(a_component_of_holes_is_not_drawn),
        cmocka_unit_test(bounds_stay_exact_through_edits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
