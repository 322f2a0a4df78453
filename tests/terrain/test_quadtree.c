/* Selection of quadtree nodes: the reference's numbers, and what holds of any selection. */
#include "tests/terrain/ground.h"

#include <math.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections_are_those_of_the_reference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
