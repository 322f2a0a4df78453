/* What users have met where pieces of different detail meet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/lod/component_mesh.h"
#include "terrain/lod/window_mesh.h"
#include "tests/api/land.h"
#include "tests/terrain/cracks.h"
#include "tests/terrain/ground.h"

static const struct layout layout = { { 2, 2 }, 1, 63 };
enum { BORDER = 63, LODS = 6 };

/* The landscape that the file imports to, in memory. */
static struct view *land_of(void **state, const char *file)
{
    const double scale[3] = { 1, 1, 1 };

    return ground_laid_out(&layout, scale, land_codes(land_begin_with(state, file)));
}

/* Both northern components at their levels, the others at the first one's. */
static void draw(const struct view *view, double west, double east, struct mesh *mesh)
{
    struct patch patches[4];
    struct picks picks = { .patches = patches, .count = 4 };
    struct pick_options options = { .components = true, .component.forced = -1 };
    const double lods[4] = { west, east, west, west };
    struct fault why;

    for (int i = 0; i < 4; i++) {
        patches[i] = (struct patch){ .lod = lods[i], .draw = (int32_t)lods[i], .visible = true };
        patches[i].neighbours[0] = i >= 2 ? fmax(lods[i], lods[i - 2]) : NAN;
        patches[i].neighbours[1] = i % 2 ? fmax(lods[i], lods[i - 1]) : NAN;
        patches[i].neighbours[2] = i % 2 ? NAN : fmax(lods[i], lods[i + 1]);
        patches[i].neighbours[3] = i >= 2 ? NAN : fmax(lods[i], lods[i + 2]);
    }
    mesh_init(mesh, true);
    assert_true(component_picks_mesh(view, NULL, &options, &picks, mesh, &why));
}

/* SEA-01: both components that share column 63, and one mesh over all. */
static void a_shared_vertex_has_one_normal(void **state)
{
    struct view *view = land_of(state, "surface/step_border.png");
    const struct window_grid whole = { view_rect(view), 1, HOLES_ALL };
    struct mesh meshes[3];
    float(*normals)[LAND_SIDE][3] = calloc(3, sizeof *normals);
    struct fault why;

    for (int i = 0; i < 3; i++) {
        mesh_init(&meshes[i], true);
        assert_true(i == 2 ? window_mesh(view, &whole, &meshes[i], &why)
                           : component_mesh(view, i, 0, 0, HOLES_ALL, &meshes[i], &why));
        for (size_t k = 0; k < meshes[i].vertex_count; k++)
            if (meshes[i].at[k][0] == BORDER && meshes[i].at[k][1] <= BORDER)
                memcpy(normals[i][(int)meshes[i].at[k][1]], meshes[i].normals[k],
                       sizeof meshes[i].normals[k]);
        mesh_free(&meshes[i]);
    }
    for (int y = 0; y <= BORDER; y++) {
        assert_memory_equal(normals[0][y], normals[1][y], sizeof normals[0][y]);
        assert_true(fabs(normals[0][y][0]) > 0.1); /* the step is there */
        for (int axis = 0; axis < 2; axis++)
            assert_float_equal(normals[0][y][axis], normals[2][y][axis], 1 / 127.5);
    }
    free(normals);
    view_drop(view);
}

/* SEA-02: neighbours at levels 0 and 1, 0 and 3, and at any others, between levels too: each edge
 * along their border is one of both, so that the gap is 0. */
static void levels_meet_without_a_slit(void **state)
{
    static const char *const files[] = { "surface/spike_border.png", "surface/step_border.png",
                                         "surface/ramp_diag.png" };
    struct cracks_ground ground = { LAND_SIDE - 1, LAND_SIDE - 1, NULL };
    struct cracks_rule rule = cracks_ground_rule(&ground);

    rule.folds = true;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        struct view *view = land_of(state, files[f]);

        for (int pair = 0; pair < 4 * LODS * LODS; pair++) {
            double west = pair % LODS, east = pair / LODS % LODS + pair / LODS / LODS * 0.25;
            struct mesh mesh;

            draw(view, west, fmin(east, LODS - 1), &mesh);
            cracks_assert_none(&mesh, &rule);
            mesh_free(&mesh);
        }
        view_drop(view);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(a_shared_vertex_has_one_normal),
        TEST(levels_meet_without_a_slit),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
