/* Whatever a component renderer draws is closed: over random cameras, layouts, levels, holes and
 * offsets. LANDSCAPED_SOAK makes it long.
 *
 * Where levels rise steeply from vertex to vertex the reference's vertex function carries some past
 * others, and triangles turn over; the sheet stays one, and its areas add up. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/lod/pick.h"
#include "tests/terrain/cracks.h"

static const struct layout layouts[] = {
    { { 3, 3 }, 1, 7 },  { { 3, 2 }, 2, 7 },  { { 4, 3 }, 1, 15 }, { { 2, 3 }, 2, 15 },
    { { 3, 3 }, 1, 31 }, { { 2, 2 }, 2, 31 }, { { 3, 2 }, 1, 63 }, { { 1, 4 }, 1, 15 },
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static int rounds(int some)
{
    return getenv("LANDSCAPED_SOAK") ? some * 40 : some;
}

/* Rough, or every vertex at one height, where only columns and rows tell vertices apart. */
static struct view *land(const struct layout *layout, struct dice *dice)
{
    const double scale[3] = { 1, 1, 1 };
    size_t count = (size_t)layout_columns(layout) * (size_t)layout_rows(layout);
    uint16_t *heights = malloc(count * sizeof *heights);
    bool flat = dice_between(dice, 0, 3) == 0;
    struct view *view;

    for (size_t i = 0; i < count; i++)
        heights[i] = (uint16_t)(flat ? 32768 : dice_between(dice, 31000, 34000));
    view = ground_laid_out(layout, scale, heights);
    free(heights);
    return view;
}

/* Offsets of up to half a quad, but none along the border. */
static struct view *land_offset(struct view *view, struct dice *dice)
{
    int32_t columns = view_grid(view)->columns, rows = view_grid(view)->rows;
    uint16_t(*xy)[2] = malloc((size_t)columns * (size_t)rows * sizeof *xy);

    for (int32_t i = 0; i < columns * rows; i++) {
        int32_t x = i % columns, y = i / columns;
        bool border = x == 0 || y == 0 || x == columns - 1 || y == rows - 1;

        for (int axis = 0; axis < 2; axis++)
            xy[i][axis] = (uint16_t)(32768 + (border ? 0 : dice_between(dice, -128, 128)));
    }
    view = ground_offset(view, (const uint16_t(*)[2])xy);
    free(xy);
    return view;
}

static struct view *land_holed(struct view *view, struct dice *dice)
{
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    struct change change;

    for (int n = 0; n < 6; n++) {
        struct rect to =
            dice_rect(dice, view_grid(view)->columns - 1, view_grid(view)->rows - 1, 12);
        uint8_t *holes = malloc((size_t)rect_area(to));

        for (int64_t i = 0; i < rect_area(to); i++)
            holes[i] = dice_between(dice, 0, 9) > 1;
        assert_true(draft_write_holes(draft, to, holes, to.width, &why));
        free(holes);
    }
    return ground_finish(draft, view, &change);
}

static void random_frustum(struct dice *dice, const struct view *view, struct frustum *frustum)
{
    struct camera camera = { .kind = CAMERA_PERSPECTIVE, .fov = dice_real(dice, 20, 90) };
    struct extent extent;
    struct fault why;
    double side;

    extent_of(view, &extent);
    side = extent.high[0] - extent.low[0];
    for (int axis = 0; axis < 2; axis++) {
        camera.position[axis] = dice_real(dice, -1, 2) * side;
        camera.target[axis] = dice_real(dice, 0, 1) * side;
    }
    camera.position[2] = extent.high[2] + dice_real(dice, 0.1, 1) * side;
    assert_true(camera_look(&camera, &extent, 640, 360, &frustum->look, &why));
    frustum->nearest = 0.1;
    frustum->farthest = 1e6;
}

static struct pick_options random_options(struct dice *dice)
{
    struct pick_options options = { .components = true,
                                    .everything = true,
                                    .component = { .forced = -1 } };

    options.component.per_section = dice_between(dice, 0, 2) == 0;
    options.component.lod0_screen_size = dice_real(dice, 0.3, 3);
    options.component.lod0_distribution = dice_real(dice, 1, 3);
    options.component.lod_distribution = dice_real(dice, 1, 4);
    options.component.bias = dice_between(dice, 0, 2) ? 0 : dice_real(dice, -1, 1);
    return options;
}

/* Any levels at all beside each other, whole ones often. */
static void shuffle_levels(struct dice *dice, const struct layout *layout, struct picks *picks)
{
    int32_t last = layout_lods(layout->section_quads) - 1, across = layout->components[0];

    for (size_t i = 0; i < picks->count; i++) {
        struct patch *patch = &picks->patches[i];

        patch->lod = dice_real(dice, 0, last);
        if (dice_between(dice, 0, 1))
            patch->lod = floor(patch->lod + 0.5);
        patch->draw = (int32_t)patch->lod;
        for (int s = 0; s < 4; s++)
            patch->section_lods[s] = dice_real(dice, 0, last);
    }
    for (size_t i = 0; i < picks->count; i++) {
        struct patch *patch = &picks->patches[i];
        const int32_t steps[4] = { -across, -1, 1, across };

        for (int side = 0; side < 4; side++)
            if (!isnan(patch->neighbours[side]))
                patch->neighbours[side] = fmax(patch->lod, patch[steps[side]].lod);
    }
}

static void mesh_of(const struct view *view, const struct pick_options *options,
                    const struct picks *picks, struct mesh *mesh)
{
    struct fault why;

    mesh_init(mesh, false);
    assert_true(component_picks_mesh(view, NULL, options, picks, mesh, &why));
}

static void assert_closed(const struct view *view, const struct mesh *mesh, const uint8_t *drawn)
{
    struct cracks_ground ground = { view_grid(view)->columns - 1, view_grid(view)->rows - 1,
                                    drawn };
    struct cracks_rule rule = cracks_ground_rule(&ground);

    rule.folds = true;
    cracks_assert_none(mesh, &rule);
    for (size_t i = 0; i < mesh->index_count; i++) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;

        assert_memory_not_equal(mesh->at[mesh->indices[i]], mesh->at[mesh->indices[next]],
                                sizeof *mesh->at);
    }
}

static void selections_are_drawn_without_a_crack(void **state)
{
    struct dice dice = { 1 };

    (void)state;
    for (int n = 0; n < rounds(40) * LAYOUTS; n++) {
        struct view *view = land(&layouts[n % LAYOUTS], &dice);
        struct pick_options options = random_options(&dice);
        struct frustum frustum;
        struct picks picks;
        struct mesh mesh;
        struct fault why;

        if (n % 3 == 0)
            view = land_offset(view, &dice);
        random_frustum(&dice, view, &frustum);
        assert_true(pick_components(view, NULL, &frustum, &options, &picks, &why));
        if (n % 2)
            shuffle_levels(&dice, &layouts[n % LAYOUTS], &picks);
        mesh_of(view, &options, &picks, &mesh);
        assert_closed(view, &mesh, NULL);
        if (n % 5 == 0) {
            assert_true(mesh_weld(&mesh, &why));
            assert_closed(view, &mesh, NULL);
        }
        mesh_free(&mesh);
        picks_free(&picks);
        view_drop(view);
    }
}

/* What is out of the picture is not there, and the mesh ends along its border. */
static void the_mesh_ends_where_the_picture_does(void **state)
{
    struct dice dice = { 2 };
    int64_t culled = 0;

    (void)state;
    for (int n = 0; n < rounds(10) * LAYOUTS; n++) {
        const struct layout *layout = &layouts[n % LAYOUTS];
        int32_t columns = layout_columns(layout) - 1, rows = layout_rows(layout) - 1;
        int32_t quads = layout_component_quads(layout);
        struct view *view = land(layout, &dice);
        struct pick_options options = random_options(&dice);
        uint8_t *drawn = malloc((size_t)columns * (size_t)rows);
        struct frustum frustum;
        struct picks picks;
        struct mesh mesh;
        struct fault why;

        options.everything = false;
        random_frustum(&dice, view, &frustum);
        assert_true(pick_components(view, NULL, &frustum, &options, &picks, &why));
        culled += picks.culled;
        for (int32_t i = 0; i < columns * rows; i++)
            drawn[i] =
                picks.patches[i / columns / quads * layout->components[0] + i % columns / quads]
                    .visible;
        mesh_of(view, &options, &picks, &mesh);
        assert_closed(view, &mesh, drawn);
        mesh_free(&mesh);
        picks_free(&picks);
        free(drawn);
        view_drop(view);
    }
    assert_true(culled > 20);
}

/* At level 0 everywhere nothing moves, and holes are what they are to the quad. */
static void the_finest_level_is_the_ground_itself(void **state)
{
    struct dice dice = { 3 };

    (void)state;
    for (int n = 0; n < rounds(4) * LAYOUTS; n++) {
        const struct layout *layout = &layouts[n % LAYOUTS];
        int32_t columns = layout_columns(layout) - 1, rows = layout_rows(layout) - 1;
        struct view *view = land_holed(land(layout, &dice), &dice);
        struct pick_options options = random_options(&dice);
        struct cracks_ground ground = { columns, rows, NULL };
        uint8_t *drawn = malloc((size_t)columns * (size_t)rows);
        struct cracks_rule rule;
        struct frustum frustum;
        struct picks picks;
        struct mesh mesh;
        struct fault why;

        options.component.forced = 0;
        options.hole_rule = n % 2;
        for (int32_t i = 0; i < columns * rows; i++)
            drawn[i] = !view_hole(view, i % columns, i / columns);
        ground.drawn = drawn;
        rule = cracks_ground_rule(&ground);
        random_frustum(&dice, view, &frustum);
        assert_true(pick_components(view, NULL, &frustum, &options, &picks, &why));
        mesh_of(view, &options, &picks, &mesh);
        cracks_assert_none(&mesh, &rule);
        mesh_free(&mesh);
        picks_free(&picks);
        free(drawn);
        view_drop(view);
    }
}

/* Edges of a mesh by their ends, sorted. */
struct edge {
    double from[3], to[3];
};

static int edge_order(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct edge));
}

static struct edge *edges_of(const struct mesh *mesh)
{
    struct edge *edges = malloc((mesh->index_count + 1) * sizeof *edges);

    for (size_t i = 0; i < mesh->index_count; i++) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;

        memcpy(edges[i].from, mesh->at[mesh->indices[i]], sizeof edges[i].from);
        memcpy(edges[i].to, mesh->at[mesh->indices[next]], sizeof edges[i].to);
    }
    qsort(edges, mesh->index_count, sizeof *edges, edge_order);
    return edges;
}

static bool has_edge(const struct edge *edges, size_t count, const double from[3],
                     const double to[3])
{
    struct edge wanted;

    memcpy(wanted.from, from, sizeof wanted.from);
    memcpy(wanted.to, to, sizeof wanted.to);
    return bsearch(&wanted, edges, count, sizeof wanted, edge_order) != NULL;
}

/* The whole mesh, without holes: where one was cut, it goes on. */
struct whole {
    struct cracks_ground ground;
    const struct edge *edges;
    size_t count;
};

static bool goes_on(void *context, const double from[3], const double to[3])
{
    const struct whole *whole = context;

    return has_edge(whole->edges, whole->count, to, from) ||
           cracks_ground_ends((void *)(uintptr_t)&whole->ground, from, to);
}

/* Holes take triangles out and leave all others as they are: whatever is open was cut, or is the
 * landscape's border. And what is left lies out of all holes, or the rule keeps it. */
static void holes_take_out_and_move_nothing(void **state)
{
    struct dice dice = { 4 };

    (void)state;
    for (int n = 0; n < rounds(8) * LAYOUTS; n++) {
        const struct layout *layout = &layouts[n % LAYOUTS];
        struct view *solid = land(layout, &dice);
        struct view *holed = land_holed(view_hold(solid), &dice);
        struct pick_options options = random_options(&dice);
        struct whole whole = { { layout_columns(layout) - 1, layout_rows(layout) - 1, NULL },
                               NULL,
                               0 };
        struct cracks_rule rule = { goes_on, &whole, 0, true };
        struct mesh all, left[2];
        struct frustum frustum;
        struct picks picks;
        struct fault why;

        random_frustum(&dice, holed, &frustum);
        assert_true(pick_components(holed, NULL, &frustum, &options, &picks, &why));
        if (n % 2)
            shuffle_levels(&dice, layout, &picks);
        mesh_of(solid, &options, &picks, &all);
        whole.edges = edges_of(&all);
        whole.count = all.index_count;
        for (int holes = HOLES_ALL; holes <= HOLES_ANY; holes++) {
            struct crack crack;

            options.hole_rule = holes;
            mesh_of(holed, &options, &picks, &left[holes]);
            for (size_t i = 0; i < left[holes].index_count; i++) {
                size_t next = i % 3 == 2 ? i - 2 : i + 1;

                assert_true(has_edge(whole.edges, whole.count,
                                     left[holes].at[left[holes].indices[i]],
                                     left[holes].at[left[holes].indices[next]]));
            }
            /* the area is what is left of it; anything else is a crack */
            cracks_none(&left[holes], &rule, &crack);
            if (crack.kind != CRACK_NONE && crack.kind != CRACK_AREA)
                fail_msg("%s", crack.says);
        }
        assert_true(left[HOLES_ANY].index_count <= left[HOLES_ALL].index_count);
        assert_true(left[HOLES_ALL].index_count <= all.index_count);
        mesh_free(&left[0]);
        mesh_free(&left[1]);
        mesh_free(&all);
        free((void *)(uintptr_t)whole.edges);
        picks_free(&picks);
        view_drop(holed);
        view_drop(solid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections_are_drawn_without_a_crack),
        cmocka_unit_test(the_mesh_ends_where_the_picture_does),
        cmocka_unit_test(the_finest_level_is_the_ground_itself),
        cmocka_unit_test(holes_take_out_and_move_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
