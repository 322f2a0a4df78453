/* Meshes of quadtree selections: no crack, whatever the camera, the options, the size and the holes
 * are (report SEA-02: the middle vertex of a fine edge has no partner where it meets a coarse one).
 */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/lod/quadtree.h"
#include "tests/terrain/cracks.h"
#include "tests/terrain/vectors.h"

struct scene {
    struct view *view;
    struct pick_options options;
    struct frustum frustum;
    char says[400];
};

static const struct vectors_relief hills = {
    .seed = 77,
    .octaves = { { 7, 9000, 0 }, { 5, 2600, 1 }, { 3, 500, 1 }, { 1, 40, 0 } },
    .count = 4,
    .mask_k = 8,
    .mask_pow = 2
};

static struct view *with_holes(struct view *view, struct dice *dice, int count)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    for (int i = 0; i < count; i++) {
        struct rect hole =
            dice_rect(dice, view_rect(view).width - 1, view_rect(view).height - 1, i % 3 ? 5 : 40);
        uint8_t bytes[40 * 40];

        memset(bytes, dice_between(dice, 0, 4) ? 255 : 0, sizeof bytes);
        assert_true(draft_write_holes(draft, hole, bytes, hole.width, &why));
    }
    return ground_finish(draft, view, &change);
}

static struct view *hilly(int32_t columns, int32_t rows, uint32_t seed)
{
    struct vectors_relief relief = hills;
    uint16_t *heights;
    struct view *view;

    relief.seed = seed;
    heights = vectors_heights(columns, rows, &relief);
    view = ground_of(columns, rows, heights);
    free(heights);
    return view;
}

static struct frustum looking(struct dice *dice, const struct view *view)
{
    const struct grid *grid = view_grid(view);
    const double across = (grid->columns - 1) * grid->scale[0];
    const double down = (grid->rows - 1) * grid->scale[1];
    struct camera camera = { .kind = CAMERA_PERSPECTIVE, .fov = dice_real(dice, 20, 90) };
    struct frustum frustum = { .nearest = 0.1, .farthest = 1e6 };
    struct extent extent;
    struct fault why = { 0 };

    camera.position[0] = grid->origin[0] + dice_real(dice, -0.2, 1.2) * across;
    camera.position[1] = grid->origin[1] + dice_real(dice, -0.2, 1.2) * down;
    camera.position[2] = grid->origin[2] + dice_real(dice, -20, 120);
    camera.target[0] = grid->origin[0] + dice_real(dice, 0, 1) * across;
    camera.target[1] = grid->origin[1] + dice_real(dice, 0, 1) * down;
    camera.target[2] = grid->origin[2];
    extent_of(view, &extent);
    assert_true(camera_look(&camera, &extent, 1280, 720, &frustum.look, &why));
    return frustum;
}

/* What is to be drawn of each quad: where a visible node's grid has no hole. */
static uint8_t *drawn_by(const struct scene *scene, const struct picks *picks)
{
    const int32_t columns = view_grid(scene->view)->columns - 1;
    const int32_t rows = view_grid(scene->view)->rows - 1;
    uint8_t *drawn = calloc((size_t)columns * (size_t)rows, 1);
    uint8_t *holes = malloc((size_t)columns * (size_t)rows);

    assert_non_null(drawn);
    view_read_holes(scene->view, (struct rect){ 0, 0, columns, rows }, holes, columns);
    for (size_t p = 0; p < picks->count; p++) {
        const struct patch *patch = &picks->patches[p];
        const int32_t stride = patch->size / scene->options.quadtree.grid;

        for (int32_t y = patch->y; y < rows && y < patch->y + patch->size; y += stride)
            for (int32_t x = patch->x; x < columns && x < patch->x + patch->size; x += stride) {
                int32_t quads = 0, hollow = 0;

                for (int32_t j = y; j < y + stride && j < rows; j++)
                    for (int32_t i = x; i < x + stride && i < columns; i++, quads++)
                        hollow += holes[j * columns + i] != 0;
                if (!patch->visible ||
                    (scene->options.hole_rule == HOLES_ALL ? hollow == quads : hollow > 0))
                    continue;
                for (int32_t j = y; j < y + stride && j < rows; j++)
                    for (int32_t i = x; i < x + stride && i < columns; i++)
                        drawn[j * columns + i]++;
            }
    }
    free(holes);
    return drawn;
}

static void assert_normals(const struct view *view, const struct mesh *mesh)
{
    for (size_t i = 0; i < mesh->vertex_count; i += 97) {
        float normal[3];

        mesh_vertex_normal(view, (int32_t)mesh->at[i][0], (int32_t)mesh->at[i][1], normal);
        assert_memory_equal(normal, mesh->normals[i], sizeof normal);
    }
}

static void assert_no_crack(const struct scene *scene, struct derived_cache *cache)
{
    struct cracks_ground ground = { view_grid(scene->view)->columns - 1,
                                    view_grid(scene->view)->rows - 1, NULL };
    struct cracks_rule rule;
    struct fault why = { 0 };
    struct picks picks;
    struct crack crack;
    struct mesh mesh;
    uint8_t *drawn;

    mesh_init(&mesh, true);
    if (!pick_quadtree(scene->view, cache, &scene->frustum, &scene->options, &picks, &why))
        fail_msg("%s: %s", scene->says, why.detail);
    if (!quadtree_picks_mesh(scene->view, cache, &scene->options, &picks, &mesh, &why))
        fail_msg("%s: %s", scene->says, why.detail);
    assert_int_equal(mesh.index_count, picks.triangles * 3);
    ground.drawn = drawn = drawn_by(scene, &picks);
    rule = cracks_ground_rule(&ground);
    if (!cracks_none(&mesh, &rule, &crack))
        fail_msg("%s: %s", scene->says, crack.says);
    assert_normals(scene->view, &mesh);
    free(drawn);
    mesh_free(&mesh);
    picks_free(&picks);
}

static void throw_options(struct dice *dice, struct pick_options *options)
{
    struct quadtree_options *own = &options->quadtree;

    *options = (struct pick_options){ .width = 1280, .height = 720 };
    options->hole_rule = dice_between(dice, 0, 1) ? HOLES_ALL : HOLES_ANY;
    options->everything = dice_between(dice, 0, 2) > 0;
    own->split = dice_between(dice, 0, 2);
    own->factor = dice_real(dice, 0.3, 4);
    own->pixel_error = dice_real(dice, 1, 30);
    own->leaf = 8 << dice_between(dice, 0, 3);
    do
        own->grid = 8 << dice_between(dice, 0, 3);
    while (own->grid > own->leaf);
    own->balance = dice_between(dice, 0, 3);
    own->merge_angle = dice_between(dice, 0, 1) ? dice_real(dice, 0, 20) : -1;
    own->half_step = dice_between(dice, 0, 1);
}

static void tell(struct scene *scene, int number)
{
    const struct quadtree_options *own = &scene->options.quadtree;

    snprintf(scene->says, sizeof scene->says,
             "scene %d: %d x %d, holes %s%s, split %d factor %g error %g, leaf %d grid %d balance "
             "%d merge %g half %d",
             number, view_grid(scene->view)->columns, view_grid(scene->view)->rows,
             scene->options.hole_rule == HOLES_ALL ? "all" : "any",
             scene->options.everything ? ", everything" : "", own->split, own->factor,
             own->pixel_error, own->leaf, own->grid, own->balance, own->merge_angle,
             own->half_step);
}

/* Random cameras over landscapes of all kinds of sizes; three in four with holes. */
static void no_camera_sees_a_crack(void **state)
{
    static const int32_t sizes[][2] = { { 8, 8 },    { 129, 129 }, { 65, 200 }, { 505, 253 },
                                        { 16, 300 }, { 100, 64 },  { 257, 257 } };
    const int kinds = sizeof sizes / sizeof *sizes;
    const bool soak = getenv("LANDSCAPED_SOAK");
    const int scenes = soak ? 8000 : 1120, landscapes = soak ? 800 : 112;
    struct dice dice = { 2024 };
    struct scene scene = { 0 };

    (void)state;
    for (int l = 0; l < landscapes; l++) {
        const int32_t *size = sizes[l % kinds];
        struct derived_cache *cache = l % 2 ? derived_cache_new(8 << 20) : NULL;

        scene.view = hilly(size[0], size[1], dice_throw(&dice));
        scene.view->settings->grid.scale[0] = dice_real(&dice, 0.5, 3);
        scene.view->settings->grid.scale[1] = dice_real(&dice, 0.5, 3);
        scene.view->settings->grid.origin[0] = dice_real(&dice, -1000, 1000);
        if (l % 4)
            scene.view = with_holes(scene.view, &dice, dice_between(&dice, 1, 40));
        for (int s = 0; s < scenes / landscapes; s++) {
            throw_options(&dice, &scene.options);
            scene.frustum = looking(&dice, scene.view);
            tell(&scene, l * (scenes / landscapes) + s);
            assert_no_crack(&scene, cache);
        }
        view_drop(scene.view);
        derived_cache_free(cache);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_camera_sees_a_crack),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
