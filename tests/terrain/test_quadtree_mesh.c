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

/* Where sizes jump from the least to the greatest, unless balance prevents it. */
static void stand_on_ground(struct dice *dice, struct scene *scene)
{
    const struct grid *grid = view_grid(scene->view);
    const double at[2] = { dice_between(dice, 0, grid->columns - 1),
                           dice_between(dice, 0, grid->rows - 1) };

    grid_to_local(grid, at, scene->frustum.look.eye);
    scene->frustum.look.eye[2] =
        grid_metres(grid, view_height(scene->view, (int32_t)at[0], (int32_t)at[1]));
    scene->options.quadtree.split = SPLIT_DISTANCE;
    scene->options.quadtree.factor = dice_real(dice, 0.001, 0.3);
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
            if (s % 3 == 0)
                stand_on_ground(&dice, &scene);
            tell(&scene, l * (scenes / landscapes) + s);
            assert_no_crack(&scene, cache);
        }
        view_drop(scene.view);
        derived_cache_free(cache);
    }
}

/* Puts together the meshes of single nodes, as a client does that fetches them one by one. */
static void add_node(const struct view *view, struct patch_place node, const int32_t differences[4],
                     const struct patch_style *style, struct mesh *mesh)
{
    struct fault why = { 0 };

    if (!quadtree_node_mesh(view, NULL, &node, differences, style, mesh, &why))
        fail_msg("node %d, %d, %d: %s", node.x, node.y, node.size, why.detail);
}

static void single_nodes_fit_together(void **state)
{
    const bool soak = getenv("LANDSCAPED_SOAK");
    struct dice dice = { 99 };
    struct scene scene;

    (void)state;
    for (int s = 0; s < (soak ? 500 : 60); s++) {
        const int32_t columns = dice_between(&dice, 8, 300), rows = dice_between(&dice, 8, 300);
        struct cracks_ground ground = { columns - 1, rows - 1, NULL };
        const struct cracks_rule rule = cracks_ground_rule(&ground);
        struct fault why = { 0 };
        struct crack crack;
        struct picks picks;
        struct mesh mesh;

        scene.view = hilly(columns, rows, dice_throw(&dice));
        throw_options(&dice, &scene.options);
        scene.options.everything = true;
        scene.options.quadtree.balance += !scene.options.quadtree.balance;
        scene.frustum = looking(&dice, scene.view);
        tell(&scene, s);
        assert_true(pick_quadtree(scene.view, NULL, &scene.frustum, &scene.options, &picks, &why));
        mesh_init(&mesh, false);
        for (size_t i = 0; i < picks.count; i++) {
            const struct patch *patch = &picks.patches[i];
            const struct patch_style style = quadtree_style(&scene.options, patch);
            int32_t differences[4];

            for (int k = 0; k < 4; k++)
                differences[k] = (int32_t)patch->neighbours[k];
            add_node(scene.view, quadtree_place(&scene.options.quadtree, patch), differences,
                     &style, &mesh);
        }
        assert_int_equal(mesh.index_count, picks.triangles * 3);
        if (!cracks_none(&mesh, &rule, &crack))
            fail_msg("%s: %s", scene.says, crack.says);
        mesh_free(&mesh);
        picks_free(&picks);
        view_drop(scene.view);
    }
}

/* Whatever is asked of a side that lies beyond the landscape, or on its border. */
static void a_node_across_the_border_ends_at_it(void **state)
{
    struct dice dice = { 12 };

    (void)state;
    for (int s = 0; s < 300; s++) {
        const int32_t columns = dice_between(&dice, 2, 34), rows = dice_between(&dice, 2, 34);
        struct view *view = ground_rough(columns, rows, (uint64_t)s);
        struct cracks_ground ground = { columns - 1, rows - 1, NULL };
        const struct cracks_rule rule = cracks_ground_rule(&ground);
        const struct patch_style style = { s & 1 ? 30 : -1, s & 2, HOLES_ALL };
        int32_t size = 8, differences[4];
        struct mesh mesh;

        while (size < columns - 1 || size < rows - 1)
            size *= 2;
        for (int k = 0; k < 4; k++)
            differences[k] = dice_between(&dice, 0, 3);
        mesh_init(&mesh, false);
        add_node(view, (struct patch_place){ 0, 0, size, 8 << dice_between(&dice, 0, size > 15) },
                 differences, &style, &mesh);
        cracks_assert_none(&mesh, &rule);
        mesh_free(&mesh);
        view_drop(view);
    }
}

/* SEA-02: a node of level `difference` east of column 64, and least nodes west of it along all of
 * its side. */
static struct mesh beside_coarser(const struct view *view, int32_t difference,
                                  const struct patch_style *style)
{
    const int32_t size = 8 << difference, coarse[4] = { 0 }, fine[4] = { 0, 0, difference, 0 };
    struct mesh mesh;

    mesh_init(&mesh, false);
    add_node(view, (struct patch_place){ 64, 0, size, 8 }, coarse, style, &mesh);
    for (int32_t y = 0; y < size; y += 8)
        add_node(view, (struct patch_place){ 56, y, 8, 8 }, fine, style, &mesh);
    return mesh;
}

static void assert_sea_02(const struct view *view)
{
    for (int32_t difference = 0; difference <= 3; difference++)
        for (int kind = 0; kind < 4; kind++) {
            const struct patch_style style = { kind & 1 ? 3 : -1, kind & 2, HOLES_ALL };
            struct mesh mesh = beside_coarser(view, difference, &style);
            uint8_t drawn[126 * 126] = { 0 };
            struct cracks_ground ground = { 126, 126, drawn };
            struct cracks_rule rule;

            for (int32_t y = 0; y < 8 << difference && y < 126; y++)
                for (int32_t x = 56; x < 64 + (8 << difference) && x < 126; x++)
                    drawn[y * 126 + x] = 1;
            rule = cracks_ground_rule(&ground);
            cracks_assert_none(&mesh, &rule);
            mesh_free(&mesh);
        }
}

/* SEA-02, quadtree: surface/spike_border.png is a spike at (63, 63) of flat ground; here it also
 * stands on the common edge of two nodes, at every vertex of it in turn, and beside it. Then
 * surface/ramp_diag.png, and a rough landscape. */
static void sea_02_a_fine_edge_has_a_partner_at_every_vertex(void **state)
{
    uint16_t *heights = malloc(127 * 127 * sizeof *heights);
    struct view *view;

    (void)state;
    for (int32_t x = 63; x <= 65; x++)
        for (int32_t y = 0; y <= 64; y += 1 + (x != 64) * 6) {
            for (int32_t i = 0; i < 127 * 127; i++)
                heights[i] = 32768;
            heights[y * 127 + x] = 65535;
            view = ground_of(127, 127, heights);
            assert_sea_02(view);
            view_drop(view);
        }
    for (int32_t i = 0; i < 127 * 127; i++)
        heights[i] = (uint16_t)(256 * (i % 127 + i / 127));
    view = ground_of(127, 127, heights);
    assert_sea_02(view);
    view_drop(view);
    view = ground_rough(127, 127, 2);
    assert_sea_02(view);
    view_drop(view);
    free(heights);
}

/* Around holes of single nodes, whose neighbours are not known: an edge of one triangle has a hole
 * nearby, nothing is drawn over one, and nothing else is amiss. */
struct hollow {
    const struct view *view;
    int32_t around;
};

static bool hole_near(const struct view *view, double x0, double y0, double x1, double y1)
{
    for (int32_t y = (int32_t)fmax(y0, 0); y < y1 && y < view_grid(view)->rows - 1; y++)
        for (int32_t x = (int32_t)fmax(x0, 0); x < x1 && x < view_grid(view)->columns - 1; x++)
            if (view_hole(view, x, y))
                return true;
    return false;
}

static bool may_end_near_hole(void *context, const double from[3], const double to[3])
{
    const struct hollow *hollow = context;
    struct cracks_ground outline = { 64 + 8, 8 << 3, NULL };
    const int32_t around = hollow->around;

    outline.columns = 56 + 8 + 8 * around;
    outline.rows = 8 * around;
    if (cracks_ground_ends(&outline, from, to) || (from[0] == 56 && to[0] == 56))
        return true;
    return hole_near(hollow->view, fmin(from[0], to[0]) - around, fmin(from[1], to[1]) - around,
                     fmax(from[0], to[0]) + around, fmax(from[1], to[1]) + around);
}

static void assert_no_hole_covered(const struct view *view, const struct mesh *mesh, int32_t right)
{
    for (size_t t = 0; t < mesh->index_count; t += 3) {
        const double *a = mesh->at[mesh->indices[t]], *b = mesh->at[mesh->indices[t + 1]];
        const double *c = mesh->at[mesh->indices[t + 2]];
        double low = fmin(a[0], fmin(b[0], c[0])), high = fmax(a[0], fmax(b[0], c[0]));
        double top = fmin(a[1], fmin(b[1], c[1])), bottom = fmax(a[1], fmax(b[1], c[1]));

        for (double y = top + 0.25; y < bottom; y += 0.5)
            for (double x = low + 0.125; x < high && x < right; x += 0.25) {
                double ab = (x - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (y - a[1]);
                double bc = (x - b[0]) * (c[1] - b[1]) - (c[0] - b[0]) * (y - b[1]);
                double ca = (x - c[0]) * (a[1] - c[1]) - (a[0] - c[0]) * (y - c[1]);

                if (ab > 0 && bc > 0 && ca > 0)
                    assert_false(view_hole(view, (int32_t)x, (int32_t)y));
            }
    }
}

static void single_nodes_keep_clear_of_holes(void **state)
{
    struct dice dice = { 4 };

    (void)state;
    for (int s = 0; s < 60; s++) {
        const int32_t difference = s % 4;
        struct view *view = with_holes(hilly(200, 200, 9), &dice, 60);
        const struct patch_style style = { s % 3 ? 10 : -1, s & 1, s & 2 ? HOLES_ANY : HOLES_ALL };
        struct hollow hollow = { view, 1 << difference };
        const struct cracks_rule rule = { may_end_near_hole, &hollow, NAN, false };
        struct mesh mesh = beside_coarser(view, difference, &style);

        cracks_assert_none(&mesh, &rule);
        assert_no_hole_covered(view, &mesh, 64);
        mesh_free(&mesh);
        view_drop(view);
    }
}

/* COL-12: the hierarchy's size is no power of two, and all of the last column and row is there. */
static void col_12_the_right_and_bottom_are_whole(void **state)
{
    struct scene scene = { .says = "505 x 253" };
    uint16_t *heights = malloc(505 * 253 * sizeof *heights);
    struct dice dice = { 8 };

    (void)state;
    for (int32_t i = 0; i < 505 * 253; i++)
        heights[i] = (uint16_t)(i % 505 * 100 + i / 505);
    scene.view = ground_of(505, 253, heights);
    scene.frustum = looking(&dice, scene.view);
    for (int32_t leaf = 8; leaf <= 1024; leaf *= 2)
        for (int32_t grid = 8; grid <= leaf; grid *= 2)
            for (int split = 0; split < 3; split++) {
                scene.options = (struct pick_options){ .everything = true,
                                                       .height = 720,
                                                       .quadtree = { .split = split,
                                                                     .factor = 0.5,
                                                                     .pixel_error = 40,
                                                                     .leaf = leaf,
                                                                     .grid = grid,
                                                                     .balance = 1 + split,
                                                                     .merge_angle = 2,
                                                                     .half_step = true } };
                assert_no_crack(&scene, NULL);
            }
    view_drop(scene.view);
    free(heights);
}

/* The surface of a mesh at a place: the code of the triangle there. */
static double surface(const struct mesh *mesh, double x, double y)
{
    for (size_t t = 0; t < mesh->index_count; t += 3) {
        const double *a = mesh->at[mesh->indices[t]], *b = mesh->at[mesh->indices[t + 1]];
        const double *c = mesh->at[mesh->indices[t + 2]];
        double area = (c[0] - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (c[1] - a[1]);
        double to_b = ((c[0] - a[0]) * (y - a[1]) - (x - a[0]) * (c[1] - a[1])) / area;
        double to_c = ((x - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (y - a[1])) / area;

        if (to_b >= 0 && to_c >= 0 && to_b + to_c <= 1)
            return a[2] + to_b * (b[2] - a[2]) + to_c * (c[2] - a[2]);
    }
    return NAN;
}

static struct picks picks_from(const struct scene *scene, double x)
{
    struct frustum frustum = scene->frustum;
    struct fault why = { 0 };
    struct picks picks;

    frustum.look.eye[0] = x;
    assert_true(pick_quadtree(scene->view, NULL, &frustum, &scene->options, &picks, &why));
    return picks;
}

static size_t count_from(const struct scene *scene, double x)
{
    struct picks picks = picks_from(scene, x);
    size_t count = picks.count;

    picks_free(&picks);
    return count;
}

/* In a node's north-east and south-west corner the reference's strips split the quad along the
 * other diagonal, and the four finer nodes have no edge there that could show it. */
static bool in_odd_corner(const struct picks *picks, int32_t grid, double x, double y)
{
    for (size_t i = 0; i < picks->count; i++) {
        const struct patch *patch = &picks->patches[i];
        double across = (x - patch->x) * grid / patch->size;
        double down = (y - patch->y) * grid / patch->size;

        if (across >= 0 && across <= grid && down >= 0 && down <= grid)
            return (across >= grid - 1 && down <= 1) || (across <= 1 && down >= grid - 1);
    }
    return false;
}

static void assert_same_surface(const struct scene *scene, double low, double high,
                                struct dice *dice)
{
    struct picks before = picks_from(scene, low), after = picks_from(scene, high);
    const int32_t grid = scene->options.quadtree.grid;
    struct fault why = { 0 };
    struct mesh one, other;

    mesh_init(&one, false);
    mesh_init(&other, false);
    assert_true(quadtree_picks_mesh(scene->view, NULL, &scene->options, &before, &one, &why));
    assert_true(quadtree_picks_mesh(scene->view, NULL, &scene->options, &after, &other, &why));
    assert_true(one.index_count != other.index_count);
    for (int k = 0; k < 150; k++) {
        double x = dice_real(dice, 0, 512), y = dice_real(dice, 0, 512);

        if (in_odd_corner(&before, grid, x, y) || in_odd_corner(&after, grid, x, y))
            continue;
        /* codes: what 1e-9 m further on moves */
        assert_float_equal(surface(&one, x, y), surface(&other, x, y), 1e-4);
    }
    mesh_free(&one);
    mesh_free(&other);
    picks_free(&before);
    picks_free(&after);
}

/* Where the eye passes a range, nodes change for others, and the surface stays. */
static void morphing_hides_the_change_of_levels(void **state)
{
    struct scene scene = {
        .view = hilly(513, 513, 3),
        .options = { .everything = true,
                     .quadtree = { .split = SPLIT_RANGES,
                                   .factor = 5,
                                   .leaf = 16,
                                   .grid = 8,
                                   .balance = 1,
                                   .merge_angle = -1 } },
        .frustum = { .look = { .eye = { 0, 200, 30 }, .forward = { 1 }, .up = { 0, 0, 1 } } }
    };
    struct dice dice = { 6 };
    int changes = 0;

    (void)state;
    for (double x = -300; x < 500; x += 7.3) {
        double low = x, high = x + 7.3;
        size_t before = count_from(&scene, low);

        if (before == count_from(&scene, high))
            continue;
        while (high - low > 1e-9) {
            double middle = (low + high) / 2;

            *(count_from(&scene, middle) == before ? &low : &high) = middle;
        }
        assert_same_surface(&scene, low, high, &dice);
        changes++;
    }
    assert_true(changes > 50);
    view_drop(scene.view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_camera_sees_a_crack),
        cmocka_unit_test(single_nodes_fit_together),
        cmocka_unit_test(a_node_across_the_border_ends_at_it),
        cmocka_unit_test(sea_02_a_fine_edge_has_a_partner_at_every_vertex),
        cmocka_unit_test(single_nodes_keep_clear_of_holes),
        cmocka_unit_test(col_12_the_right_and_bottom_are_whole),
        cmocka_unit_test(morphing_hides_the_change_of_levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
