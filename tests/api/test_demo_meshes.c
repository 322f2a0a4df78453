/* Meshes of real ground: however much they leave out, the demo's surface lies within what they
 * state, measured by cutting triangles and not by the maps that made them. */
#include <stdio.h>
#include <stdlib.h>

#include "terrain/lod/rtin.h"
#include "tests/api/caller.h"
#include "tests/format/inputs.h"
#include "tests/terrain/facets.h"

static struct view *demo_view(struct caller *caller)
{
    struct landscape *landscape;
    struct fault why = { 0 };
    size_t length;
    void *raster = input_read("../../deploy/demo/jacksboro.tif", &length);
    struct view *view;

    caller->type = "image/tiff";
    assert_int_equal(call_bytes(caller, "POST", "/v1/landscapes/demo/import", raster, length), 201);
    free(raster);
    landscape = landscapes_find(caller->service.landscapes, "demo", &why);
    assert_non_null(landscape);
    view = landscape_view(landscape);
    landscape_drop(landscape);
    return view;
}

static void every_mesh_of_the_demo_keeps_to_its_bound(void **state)
{
    static const double thresholds[] = { 0, 1, 5, 20, 100 };
    struct caller *caller = *state;
    struct view *view = demo_view(caller);
    const struct grid *grid = view_grid(view);
    const double metres = grid->scale[2] / 128;
    double tightest = 0;
    int meshes = 0;

    for (int32_t size = 64; size <= 512; size *= 2)
        for (int32_t y = 0; y < grid->rows - 1; y += size)
            for (int32_t x = 0; x < grid->columns - 1; x += size)
                for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
                    const struct rtin_node node = { x, y, size, 64 };
                    struct fault why = { 0 };
                    struct mesh mesh;
                    double off;

                    mesh_init(&mesh, false);
                    assert_true(rtin_node_mesh(view, caller->service.derived, &node, HOLES_ALL,
                                               thresholds[i], &mesh, &why));
                    off = mesh.index_count ? facets_farthest(view, &mesh, 0) * metres : 0;
                    if (mesh.index_count) {
                        assert_true(off <= mesh.bound);
                        assert_true(size > 64 || mesh.bound <= thresholds[i]);
                        if (mesh.bound > 0 && off / mesh.bound > tightest)
                            tightest = off / mesh.bound;
                        meshes++;
                    }
                    mesh_free(&mesh);
                }
    print_message("%d meshes, at most %.6f of what they state\n", meshes, tightest);
    assert_true(meshes > 200);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_mesh_of_the_demo_keeps_to_its_bound, caller_begin,
                                        caller_end),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
