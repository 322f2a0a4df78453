/* Error-bounded meshes against the surface: the bound holds, patches meet, and at no error the mesh
 * is the surface. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/lod/rtin_inside.h"
#include "tests/terrain/cracks.h"
#include "tests/terrain/facets.h"

enum { GROUND_KINDS = 10 };

static uint16_t code_of(int kind, int32_t x, int32_t y, struct dice *dice)
{
    switch (kind) {
    case 0:
        return (uint16_t)dice_throw(dice);
    case 1:
        return x % 13 == 5 && y % 11 == 7 ? 65535 : 1000;
    case 2:
        return x > y / 2 ? 60000 : 12;
    case 3:
        return (uint16_t)(30000 + 900 * abs((x - y) % 16 - 8));
    case 4:
        return (uint16_t)(30000 + 900 * abs((x + y) % 16 - 8));
    case 5:
        return (x + y) % 2 ? 0 : 65535;
    case 6:
        return (uint16_t)(20000 + 37 * x + 101 * y);
    case 7:
        return 32768;
    case 8:
        return (uint16_t)(32768 + 4000 * sin(x * 0.11) * cos(y * 0.17) + dice_throw(dice) % 8);
    default:
        return (uint16_t)(x == 17 || y == 41 ? dice_throw(dice) : 500);
    }
}

static struct view *ground_kind(int kind, int32_t columns, int32_t rows, struct dice *dice)
{
    uint16_t *heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    struct view *view;

    assert_non_null(heights);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            heights[y * columns + x] = code_of(kind, x, y, dice);
    view = ground_of(columns, rows, heights);
    free(heights);
    return view;
}

static struct view *with_holes(struct view *view, struct dice *dice, int count, int32_t most)
{
    static uint8_t bytes[256 * 256];
    const struct rect all = view_rect(view);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    memset(bytes, 255, sizeof bytes);
    for (int i = 0; i < count; i++) {
        const struct rect hole = dice_rect(dice, all.width - 1, all.height - 1, most);

        assert_true(draft_write_holes(draft, hole, bytes, hole.width, &why));
    }
    return ground_finish(draft, view, &change);
}

/* Quads of the node's grid that are to be drawn, counted one by one; their area in quads. */
static double drawn_area(const struct view *view, const struct rtin_node *node, enum hole_rule rule)
{
    const struct rect all = view_rect(view);
    const int32_t stride = node->size / node->grid;
    double area = 0;

    for (int32_t j = 0; j < node->grid; j++)
        for (int32_t i = 0; i < node->grid; i++) {
            const struct rect quads = rect_meet(
                (struct rect){ node->x + i * stride, node->y + j * stride, stride, stride },
                (struct rect){ 0, 0, all.width - 1, all.height - 1 });
            int64_t holes = 0;

            for (int32_t y = quads.y; y < quads.y + quads.height; y++)
                for (int32_t x = quads.x; x < quads.x + quads.width; x++)
                    holes += view_hole(view, x, y);
            if (rule == HOLES_ANY ? holes == 0 : holes < rect_area(quads))
                area += (double)rect_area(quads);
        }
    return area;
}

static void assert_bound_holds(const struct view *view, const struct rtin_node *node,
                               enum hole_rule rule, double max_error)
{
    const double unit = view_grid(view)->scale[2] / 128;
    struct fault why = { 0 };
    struct mesh mesh;

    mesh_init(&mesh, false);
    assert_true(rtin_node_mesh(view, NULL, node, rule, max_error, &mesh, &why));
    assert_true(facets_area(&mesh, 0) == drawn_area(view, node, rule));
    if (mesh.index_count) {
        assert_true(facets_farthest(view, &mesh, 0) * unit <= mesh.bound);
        if (node->size == node->grid)
            assert_true(mesh.bound <= max_error);
    }
    mesh_free(&mesh);
}

static const double thresholds[] = { 0, 0.004, 0.5, 1, 5, 60, 1e9 };

static void assert_bounds_hold(const struct view *view, int32_t size, int32_t grid)
{
    const struct rect all = view_rect(view);

    for (int32_t y = 0; y < all.height - 1; y += size)
        for (int32_t x = 0; x < all.width - 1; x += size)
            for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
                for (int rule = HOLES_ALL; rule <= HOLES_ANY; rule++)
                    assert_bound_holds(view, &(struct rtin_node){ x, y, size, grid },
                                       (enum hole_rule)rule, thresholds[i]);
}

static void no_point_lies_beyond_the_bound(void **state)
{
    struct dice dice = { 11 };

    (void)state;
    for (int kind = 0; kind < GROUND_KINDS; kind++) {
        struct view *view = ground_kind(kind, 75, 61, &dice);

        assert_bounds_hold(view, 32, 32);
        assert_bounds_hold(view, 8, 8);
        assert_bounds_hold(view, 64, 16);
        assert_bounds_hold(view, 128, 8);
        view_drop(view);
    }
}

static void holes_are_left_out_and_do_not_count(void **state)
{
    struct dice dice = { 12 };

    (void)state;
    for (int round = 0; round < 12; round++) {
        struct view *view =
            with_holes(ground_kind(round % GROUND_KINDS, 70, 67, &dice), &dice, 1 + round, 20);

        assert_bounds_hold(view, 32, 32);
        assert_bounds_hold(view, 64, 16);
        assert_bounds_hold(view, 64, 8);
        view_drop(view);
    }
}

/* What lies below a hole may be anything. */
static void a_spike_under_a_hole_needs_no_triangle(void **state)
{
    struct view *view = ground_flat(65, 65, 32768);
    const uint16_t spike = 65535;
    const uint8_t hole[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    double coarsest, finest;

    (void)state;
    assert_true(draft_write_heights(draft, (struct rect){ 33, 22, 1, 1 }, &spike, 1, &why));
    assert_true(draft_write_holes(draft, (struct rect){ 32, 21, 2, 2 }, hole, 2, &why));
    view = ground_finish(draft, view, &change);
    for (int32_t grid = 8; grid <= 64; grid *= 2) {
        const struct rtin_node node = { 0, 0, 64, grid };

        assert_true(rtin_node_errors(view, NULL, &node, HOLES_ALL, &coarsest, &finest, &why));
        assert_true(coarsest == 0 && finest == 0);
    }
    view_drop(view);
}

static void at_no_error_the_mesh_is_the_surface(void **state)
{
    struct dice dice = { 13 };

    (void)state;
    for (int kind = 0; kind < GROUND_KINDS; kind++) {
        struct view *view = ground_kind(kind, 65, 65, &dice);
        const struct rtin_node node = { 0, 0, 64, 64 };
        struct fault why = { 0 };
        struct mesh mesh;

        mesh_init(&mesh, false);
        assert_true(rtin_node_mesh(view, NULL, &node, HOLES_ALL, 0, &mesh, &why));
        assert_true(mesh.bound == 0);
        assert_true(facets_farthest(view, &mesh, 0) == 0);
        if (kind == 0)
            assert_true(mesh.index_count == 64 * 64 * 6);
        mesh_free(&mesh);
        view_drop(view);
    }
}

static void a_plane_is_two_triangles(void **state)
{
    struct dice dice = { 14 };

    (void)state;
    for (int kind = 6; kind <= 7; kind++) {
        struct view *view = ground_kind(kind, 257, 257, &dice);

        for (int32_t size = 8; size <= 256; size *= 2)
            for (int32_t grid = 8; grid <= size; grid *= 2) {
                const struct rtin_node node = { 256 - size, 0, size, grid };
                struct fault why = { 0 };
                struct mesh mesh;

                mesh_init(&mesh, true);
                assert_true(rtin_node_mesh(view, NULL, &node, HOLES_ALL, 0, &mesh, &why));
                assert_true(mesh.index_count == 6 && mesh.vertex_count == 4 && mesh.bound == 0);
                mesh_free(&mesh);
            }
        view_drop(view);
    }
}

/* All patches of one size at one threshold, as one mesh; where it may end is told by quads. */
static void assert_patches_meet(const struct view *view, struct derived_cache *cache, int32_t size,
                                double max_error)
{
    const struct rect all = view_rect(view);
    const int32_t columns = all.width - 1, rows = all.height - 1;
    uint8_t *drawn = malloc((size_t)columns * (size_t)rows);
    struct cracks_ground ground = { columns, rows, drawn };
    struct cracks_rule rule;
    struct fault why = { 0 };
    struct mesh mesh;

    mesh_init(&mesh, false);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            drawn[y * columns + x] = !view_hole(view, x, y);
    rule = cracks_ground_rule(&ground);
    for (int32_t y = 0; y < rows; y += size)
        for (int32_t x = 0; x < columns; x += size)
            assert_true(rtin_node_mesh(view, cache, &(struct rtin_node){ x, y, size, size },
                                       HOLES_ALL, max_error, &mesh, &why));
    cracks_assert_none(&mesh, &rule);
    mesh_free(&mesh);
    free(drawn);
}

static void patches_meet_without_a_crack(void **state)
{
    struct dice dice = { 15 };

    (void)state;
    for (int round = 0; round < 200; round++) {
        const int32_t columns = dice_between(&dice, 20, 70), rows = dice_between(&dice, 20, 70);
        struct view *view = ground_kind(round % GROUND_KINDS, columns, rows, &dice);
        struct derived_cache *cache = derived_cache_new(1 << 24);

        if (round % 3)
            view = with_holes(view, &dice, round % 5, 9);
        for (int i = 0; i < 3; i++)
            assert_patches_meet(view, cache, 8 << dice_between(&dice, 0, 1),
                                pow(10, dice_real(&dice, -2, 2.5)));
        derived_cache_free(cache);
        view_drop(view);
    }
}

/* Coarse patches meet as well, but for where their own triangles end: areas add up, and inner
 * edges have two triangles. */
static bool ends_at_the_landscape(void *context, const double from[3], const double to[3])
{
    const struct rect *all = context;
    const double right = all->width - 1, bottom = all->height - 1;

    return (from[0] == to[0] && (from[0] == 0 || from[0] == right)) ||
           (from[1] == to[1] && (from[1] == 0 || from[1] == bottom));
}

static void coarse_patches_meet_too(void **state)
{
    struct dice dice = { 16 };

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct view *view = ground_kind(round % GROUND_KINDS, dice_between(&dice, 40, 150),
                                        dice_between(&dice, 40, 150), &dice);
        struct rect all = view_rect(view);
        const struct cracks_rule rule = { ends_at_the_landscape, &all,
                                          (double)(all.width - 1) * (all.height - 1), false };
        const double max_error = pow(10, dice_real(&dice, -2, 2.5));
        struct fault why = { 0 };
        struct mesh mesh;

        mesh_init(&mesh, false);
        for (int32_t y = 0; y < all.height - 1; y += 32)
            for (int32_t x = 0; x < all.width - 1; x += 32)
                assert_true(rtin_node_mesh(view, NULL, &(struct rtin_node){ x, y, 32, 8 },
                                           HOLES_ALL, max_error, &mesh, &why));
        cracks_assert_none(&mesh, &rule);
        mesh_free(&mesh);
        view_drop(view);
    }
}

/* One lattice of patches, and the errors of its vertices by their definition. */
enum { LATTICE_MOST = 129 };

struct lattice {
    const struct view *view;
    int32_t patch, side; /* quads a patch, vertices in all */
    double errors[LATTICE_MOST * LATTICE_MOST];
};

static bool in_lattice(const struct lattice *lattice, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < lattice->side && y < lattice->side;
}

/* The error of the triangle over a hypotenuse with its right angle at a, which needs a. */
static double error_of(struct lattice *lattice, const int32_t a[2], const int32_t b[2],
                       const int32_t c[2])
{
    const int32_t *corners[3] = { a, b, c };
    struct fault why = { 0 };
    struct mesh mesh;
    double error;

    if (!in_lattice(lattice, a[0], a[1]) || !in_lattice(lattice, b[0], b[1]) ||
        !in_lattice(lattice, c[0], c[1]))
        return 0;
    mesh_init(&mesh, false);
    assert_true(mesh_reserve(&mesh, 3, 3, &why));
    for (int i = 0; i < 3; i++)
        mesh_vertex(&mesh, corners[i][0], corners[i][1],
                    view_height(lattice->view, corners[i][0], corners[i][1]));
    mesh_triangle(&mesh, 0, 1, 2);
    error = facets_farthest(lattice->view, &mesh, 0);
    mesh_free(&mesh);
    return error;
}

/* A vertex, or the middle of a quad, between b and c; a and d have the right angles. */
static void put_diamond(struct lattice *lattice, double *error, const int32_t a[2],
                        const int32_t b[2], const int32_t c[2], const int32_t d[2])
{
    const int32_t *ends[2] = { a, d };

    *error = fmax(*error, fmax(error_of(lattice, a, b, c), error_of(lattice, d, c, b)));
    for (int i = 0; i < 2; i++)
        if (in_lattice(lattice, ends[i][0], ends[i][1])) {
            double *above = &lattice->errors[ends[i][1] * lattice->side + ends[i][0]];

            *above = fmax(*above, *error);
        }
}

static void put_square(struct lattice *lattice, int32_t x, int32_t y, int32_t side)
{
    const int32_t nw[2] = { x, y }, ne[2] = { x + side, y }, sw[2] = { x, y + side };
    const int32_t se[2] = { x + side, y + side };
    double centre = 0, *error = &centre;

    if (side > 1)
        error = &lattice->errors[(y + side / 2) * lattice->side + x + side / 2];
    if (side == lattice->patch)
        *error = fmax(*error, fmax(error_of(lattice, ne, nw, se), error_of(lattice, sw, se, nw)));
    else if ((x / side + y / side) % 2)
        put_diamond(lattice, error, nw, sw, ne, se);
    else
        put_diamond(lattice, error, ne, nw, se, sw);
}

static void put_sides(struct lattice *lattice, int32_t x, int32_t y, int32_t half)
{
    const int32_t n[2] = { x, y - half }, s[2] = { x, y + half };
    const int32_t w[2] = { x - half, y }, e[2] = { x + half, y };
    double *error = &lattice->errors[y * lattice->side + x];

    if (x / half % 2)
        put_diamond(lattice, error, n, w, e, s);
    else
        put_diamond(lattice, error, w, s, n, e);
}

static void fill_lattice(struct lattice *lattice, const struct view *view, int32_t patch)
{
    const int32_t all = view_rect(view).width;

    memset(lattice, 0, sizeof *lattice);
    lattice->view = view;
    lattice->patch = patch;
    lattice->side = all;
    for (int32_t side = 1; side <= patch; side *= 2) {
        for (int32_t y = 0; y < all - 1; y += side)
            for (int32_t x = 0; x < all - 1; x += side)
                put_square(lattice, x, y, side);
        for (int32_t y = 0; y < all && side < patch; y += side)
            for (int32_t x = y / side % 2 ? 0 : side; x < all; x += 2 * side)
                put_sides(lattice, x, y, side);
    }
}

static void assert_errors_are(const struct lattice *lattice, const struct rtin_map *map, int32_t x,
                              int32_t y)
{
    const int32_t n = lattice->patch;

    for (int32_t j = 0; j <= n; j++)
        for (int32_t i = 0; i <= n; i++)
            if ((i | j) % n)
                assert_int_equal(map->errors[j * (n + 1) + i],
                                 rtin_pack(lattice->errors[(y + j) * lattice->side + x + i]));
}

static void compare_lattice(int kind, int32_t patch, int32_t patches, struct dice *dice)
{
    static struct lattice lattice;
    const int32_t side = patch * patches + 1;
    struct view *view = ground_kind(kind, side, side, dice);
    struct fault why = { 0 };

    fill_lattice(&lattice, view, patch);
    for (int32_t y = 0; y < side - 1; y += patch)
        for (int32_t x = 0; x < side - 1; x += patch) {
            struct rtin_map *map = rtin_node_map(
                view, NULL, &(struct rtin_node){ x, y, patch, patch }, HOLES_ALL, &why);

            assert_non_null(map);
            assert_errors_are(&lattice, map, x, y);
            derived_drop(&map->derived);
        }
    view_drop(view);
}

static void errors_are_those_of_one_lattice(void **state)
{
    struct dice dice = { 18 };

    (void)state;
    for (int kind = 0; kind < GROUND_KINDS; kind++) {
        compare_lattice(kind, 8, 5, &dice);
        compare_lattice(kind, 16, 3, &dice);
        compare_lattice(kind, 32, 2, &dice);
    }
    compare_lattice(0, 64, 2, &dice);
    compare_lattice(0, 128, 1, &dice);
    compare_lattice(5, 128, 1, &dice);
}

static struct rtin_map *tile_of(const struct view *view, int32_t patch, int32_t x, int32_t y)
{
    static double metres[33 * 33];
    const struct rect all = view_rect(view);
    struct fault why = { 0 };
    struct rtin_map *map;

    if (x < 0 || y < 0 || x + patch >= all.width || y + patch >= all.height)
        return NULL;
    for (int32_t j = 0; j <= patch; j++)
        for (int32_t i = 0; i <= patch; i++)
            metres[j * (patch + 1) + i] = view_height(view, x + i, y + j);
    map = rtin_map_new(patch == 8 ? 3 : patch == 16 ? 4 : 5, metres, &why);
    assert_non_null(map);
    return map;
}

static void assert_tile_keeps(const struct view *view, const struct rtin_map *closed, int32_t x,
                              int32_t y, double max_error)

{
    struct fault why = { 0 };
    struct mesh mesh;

    mesh_init(&mesh, false);
    assert_true(rtin_map_mesh(closed, max_error, &mesh, &why));
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        mesh.at[i][0] += x;
        mesh.at[i][1] += y;
    }
    assert_true(facets_area(&mesh, 0) == 1 << 2 * closed->log2);
    assert_true(facets_farthest(view, &mesh, 0) <= mesh.bound);
    assert_true(mesh.bound <= fmax(max_error, 2 * closed->slack));
    mesh_free(&mesh);
}

/* Never less than by definition, and more by what floats may be off alone. */
static void assert_errors_about(const struct lattice *lattice, const struct rtin_map *map,
                                int32_t x, int32_t y)
{
    const int32_t n = lattice->patch;

    for (int32_t j = 0; j <= n; j++)
        for (int32_t i = 0; i <= n; i++)
            if ((i | j) % n) {
                const double exact = lattice->errors[(y + j) * lattice->side + x + i];
                const int16_t packed = map->errors[j * (n + 1) + i];

                assert_true(packed == 0 ? exact <= 2 * map->slack : rtin_unpack(packed) >= exact);
                assert_true(packed <= rtin_pack(exact + 65536 * 2 / 262144.0));
            }
}

/* Tiles of one landscape, row by row, at one threshold. */
static void assert_tiles_meet(const struct view *view, struct rtin_map *const *closed,
                              int32_t patch, double max_error)
{
    struct rect all = view_rect(view);
    const int32_t quads = all.width - 1, patches = quads / patch;
    const struct cracks_rule rule = { ends_at_the_landscape, &all, (double)quads * quads, false };
    struct fault why = { 0 };
    struct mesh mesh;

    mesh_init(&mesh, false);
    for (int32_t i = 0; i < patches * patches; i++) {
        const size_t first = mesh.vertex_count;

        assert_true(rtin_map_mesh(closed[i], max_error, &mesh, &why));
        for (size_t k = first; k < mesh.vertex_count; k++) {
            mesh.at[k][0] += i % patches * patch;
            mesh.at[k][1] += i / patches * patch;
        }
    }
    cracks_assert_none(&mesh, &rule);
    mesh_free(&mesh);
}

/* The same heights as samples of tiles. */
static void compare_tiles(int kind, int32_t patch, int32_t patches, struct dice *dice)
{
    static struct lattice lattice;
    const int32_t side = patch * patches + 1;
    struct view *view = ground_kind(kind, side, side, dice);
    struct rtin_map *all[16];
    struct fault why = { 0 };

    assert_in_range(patches, 1, 4);
    fill_lattice(&lattice, view, patch);
    for (int32_t y = 0; y < side - 1; y += patch)
        for (int32_t x = 0; x < side - 1; x += patch) {
            struct rtin_map *around[9], *closed;

            for (int32_t i = 0; i < 9; i++)
                around[i] = tile_of(view, patch, x + (i % 3 - 1) * patch, y + (i / 3 - 1) * patch);
            closed = rtin_map_close((const struct rtin_map *const *)around, &why);
            assert_non_null(closed);
            assert_errors_about(&lattice, closed, x, y);
            for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
                assert_tile_keeps(view, closed, x, y, thresholds[i]);
            for (int i = 0; i < 9; i++)
                if (around[i])
                    derived_drop(&around[i]->derived);
            all[y / patch * patches + x / patch] = closed;
        }
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
        assert_tiles_meet(view, all, patch, thresholds[i] * 100);
    for (int32_t i = 0; i < patches * patches; i++)
        derived_drop(&all[i]->derived);
    view_drop(view);
}

static void tiles_of_samples_are_closed_alike(void **state)
{
    struct dice dice = { 19 };

    (void)state;
    for (int kind = 0; kind < GROUND_KINDS; kind++) {
        compare_tiles(kind, 8, 4, &dice);
        compare_tiles(kind, 16, 3, &dice);
        compare_tiles(kind, 32, 2, &dice);
    }
}

/* What a map has besides its errors, byte for byte. */
static void assert_same_own(const struct rtin_map *a, const struct rtin_map *b)
{
    const size_t n = (size_t)1 << a->log2, vertices = (n + 1) * (n + 1);

    assert_true(a->turns == b->turns && !a->quads == !b->quads && !a->raw == !b->raw);
    assert_true(!a->other == !b->other && !a->sides == !b->sides);
    assert_memory_equal(a->errors, b->errors, vertices * sizeof *a->errors);
    assert_memory_equal(a->rest, b->rest, n * n * sizeof *a->rest);
    assert_memory_equal(a->codes, b->codes, vertices * sizeof *a->codes);
    if (a->quads)
        assert_memory_equal(a->quads, b->quads, n * n);
    if (a->raw)
        assert_memory_equal(a->raw, b->raw, vertices * sizeof *a->raw);
    if (a->other)
        assert_memory_equal(a->other, b->other, vertices * sizeof *a->other);
    if (a->sides)
        assert_memory_equal(a->sides, b->sides, n * n * sizeof *a->sides);
}

static void assert_same_as_anew(const struct view *view, struct derived_cache *cache,
                                const struct rtin_node *node, enum hole_rule rule)
{
    struct fault why = { 0 };
    struct rtin_map *kept = rtin_node_map(view, cache, node, rule, &why);
    struct rtin_map *anew = rtin_node_map(view, NULL, node, rule, &why);
    const size_t row = ((size_t)1 << anew->log2) + 1;

    assert_memory_equal(kept->errors, anew->errors, row * row * sizeof *kept->errors);
    assert_same_own(kept->of, anew->of);
    derived_drop(&kept->derived);
    derived_drop(&anew->derived);
}

static struct view *edited(struct view *view, struct dice *dice)
{
    static uint16_t heights[300 * 300];
    static uint8_t holes[300 * 300];
    const struct rect all = view_rect(view);
    const int32_t kind = dice_between(dice, 0, 9);
    struct rect to = dice_rect(dice, all.width, all.height, kind < 3 ? 4 : kind < 8 ? 60 : 300);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    for (int32_t i = 0; i < to.width * to.height; i++) {
        heights[i] = (uint16_t)(kind % 2 ? 40000 : dice_throw(dice));
        holes[i] = kind == 4 && i % 7 < 4;
    }
    if (kind == 4 || kind == 5)
        assert_true(draft_write_holes(
            draft, rect_meet(to, (struct rect){ 0, 0, all.width - 1, all.height - 1 }), holes,
            to.width, &why));
    else
        assert_true(draft_write_heights(draft, to, heights, to.width, &why));
    return ground_finish(draft, view, &change);
}

static void updates_equal_maps_made_anew(void **state)
{
    struct dice dice = { 20 };
    const bool soak = getenv("LANDSCAPED_SOAK");

    (void)state;
    for (int round = 0; round < (soak ? 60 : 6); round++) {
        struct view *view = ground_kind(round % GROUND_KINDS, dice_between(&dice, 100, 300),
                                        dice_between(&dice, 100, 300), &dice);
        struct derived_cache *cache = derived_cache_new(1 << 24);
        const int32_t grid = 16 << dice_between(&dice, 0, 4);
        const int32_t size = round % 4 == 3 ? 2 * grid : grid;
        const struct rtin_node node = { size < view_rect(view).width - 1 ? size : 0, 0, size,
                                        grid };

        view->version = 2; /* as its blocks are stamped: an edit's stamps are later */
        for (int edit = 0; edit < 30; edit++) {
            view = edited(view, &dice);
            if (dice_between(&dice, 0, 3))
                assert_same_as_anew(view, cache, &node, HOLES_ALL);
        }
        derived_cache_free(cache);
        view_drop(view);
    }
}

/* Strides from 2 on, of patches within the landscape and over its border. */
static void coarse_updates_equal_maps_made_anew(void **state)
{
    struct dice dice = { 22 };
    const bool soak = getenv("LANDSCAPED_SOAK");

    (void)state;
    for (int round = 0; round < (soak ? 120 : 16); round++) {
        const int32_t stride = 1 << (1 + round % 7), least = stride < 16 ? 128 / stride : 8;
        const int32_t grid = least << dice_between(&dice, 0, stride < 64 ? 2 : 0);
        const int32_t size = grid * stride;
        struct view *view = ground_kind(round % GROUND_KINDS, dice_between(&dice, 300, 700),
                                        dice_between(&dice, 300, 700), &dice);
        const struct rect all = view_rect(view);
        const struct rtin_node node = { dice_between(&dice, 0, (all.width - 2) / size) * size,
                                        dice_between(&dice, 0, (all.height - 2) / size) * size,
                                        size, grid };
        struct derived_cache *cache = derived_cache_new(1 << 25);

        view->version = 2;
        for (int edit = 0; edit < 12; edit++) {
            view = edited(view, &dice);
            assert_same_as_anew(view, cache, &node, round & 1 ? HOLES_ANY : HOLES_ALL);
        }
        derived_cache_free(cache);
        view_drop(view);
    }
}

/* Far from what moved a triangle errs otherwise when a corner of it did. */
static void a_corner_that_moves_counts_for_all_of_its_triangles(void **state)
{
    struct dice dice = { 23 };
    const struct rtin_node node = { 0, 0, 1024, 64 };
    struct view *view = ground_kind(8, 1025, 1025, &dice);
    struct derived_cache *cache = derived_cache_new(1 << 25);

    (void)state;
    for (int edit = 0; edit < 16; edit++) {
        const int32_t by = 128 << edit % 3;
        const uint16_t code = (uint16_t)dice_between(&dice, 28000, 37000);
        struct fault why = { 0 };
        struct draft *draft = draft_new(view, &why);
        struct change change;

        assert_true(
            draft_write_heights(draft,
                                (struct rect){ dice_between(&dice, 0, 1024 / by) * by,
                                               dice_between(&dice, 0, 1024 / by) * by, 1, 1 },
                                &code, 1, &why));
        view = ground_finish(draft, view, &change);
        assert_same_as_anew(view, cache, &node, HOLES_ALL);
    }
    derived_cache_free(cache);
    view_drop(view);
}

static struct view *with_hole_at(struct view *view, struct rect at)
{
    static uint8_t bytes[16];
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    memset(bytes, 255, sizeof bytes);
    assert_true(draft_write_holes(draft, at, bytes, at.width, &why));
    return ground_finish(draft, view, &change);
}

/* Flat but for one vertex, which two holes, one after the other, leave without a surface. */
static void assert_spike_goes(int32_t side, const struct rtin_node *node, enum hole_rule rule,
                              int32_t x, int32_t y, struct rect first, struct rect last)
{
    struct view *view = ground_flat(side, side, 32768);
    struct derived_cache *cache = derived_cache_new(1 << 24);
    const uint16_t spike = 65535;
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_true(draft_write_heights(draft, (struct rect){ x, y, 1, 1 }, &spike, 1, &why));
    view = with_hole_at(ground_finish(draft, view, &change), first);
    assert_same_as_anew(view, cache, node, rule);
    view = with_hole_at(view, last);
    assert_same_as_anew(view, cache, node, rule);
    derived_cache_free(cache);
    view_drop(view);
}

static void a_hole_counts_for_vertices_of_the_next_block(void **state)
{
    (void)state;
    for (int32_t grid = 8; grid <= 128; grid *= 2) {
        const struct rtin_node node = { 0, 0, 256, grid };

        assert_spike_goes(300, &node, HOLES_ALL, BLOCK_SIDE, 65,
                          (struct rect){ BLOCK_SIDE, 64, 1, 2 },
                          (struct rect){ BLOCK_SIDE - 1, 64, 1, 2 });
        assert_spike_goes(300, &node, HOLES_ALL, 65, BLOCK_SIDE,
                          (struct rect){ 64, BLOCK_SIDE, 2, 1 },
                          (struct rect){ 64, BLOCK_SIDE - 1, 2, 1 });
    }
}

static void a_quad_that_is_left_out_counts_for_its_border(void **state)
{
    const struct rtin_node node = { 0, 0, 2048, 8 };

    (void)state;
    assert_spike_goes(2049, &node, HOLES_ANY, 256, 100, (struct rect){ 10, 10, 1, 1 },
                      (struct rect){ 500, 10, 1, 1 });
}

/* A node's surface row by row, as rtin_measure reads it. */
struct reading {
    const struct view *view;
    const struct rtin_node *node;
    const uint8_t *quads; /* of the grid, or NULL */
};

static bool reads_solid(const struct reading *r, int32_t x, int32_t y)
{
    const struct rtin_node *node = r->node;
    const struct rect all = view_rect(r->view);
    const int32_t stride = node->size / node->grid;

    return x >= 0 && y >= 0 && x < node->size && y < node->size && node->x + x < all.width - 1 &&
           node->y + y < all.height - 1 && !view_hole(r->view, node->x + x, node->y + y) &&
           (!r->quads || r->quads[y / stride * node->grid + x / stride] != RTIN_LEFT_OUT);
}

static bool read_row(void *context, int32_t y, double *heights, double *centres, struct fault *why)
{
    const struct reading *r = context;
    const struct rect all = view_rect(r->view);

    (void)why;
    for (int32_t x = 0; x <= r->node->size && r->node->x + x < all.width; x++) {
        const int32_t east = r->node->x + x, south = r->node->y + y;
        const bool below = reads_solid(r, x, y) || reads_solid(r, x - 1, y);
        const bool above = reads_solid(r, x, y - 1) || reads_solid(r, x - 1, y - 1);

        heights[x] = above || below ? view_height(r->view, east, south) : NAN;
        if (east < all.width - 1)
            centres[x] = reads_solid(r, x, y) ? (view_height(r->view, east, south) +
                                                 view_height(r->view, east + 1, south + 1)) /
                                                    2.0
                                              : NAN;
    }
    return true;
}

/* Every triangle against every vertex in it; of what is left out or narrow it is told. */
static struct rtin_map *measured_plainly(const struct view *view, const struct rtin_node *node,
                                         const struct rtin_map *told)
{
    const int32_t n = node->grid, vertices = (n + 1) * (n + 1);
    const struct rect part = rect_meet(
        (struct rect){ node->x, node->y, node->size + 1, node->size + 1 }, view_rect(view));
    double *grid = calloc((size_t)(2 * vertices + 2 * n * n), sizeof *grid);
    double *errors = grid + vertices, *rest = errors + vertices, *sides = rest + n * n;
    struct reading reading = { view, node, told->quads };
    const struct rtin_field field = { told->log2, node->size / n, part.width, part.height,
                                      grid,       read_row,       &reading };
    struct fault why = { 0 };
    struct rtin_map *own =
        rtin_own_new(told->log2, RTIN_CODES | (told->quads ? RTIN_QUADS : 0), &why);

    assert_non_null(own);
    for (int32_t i = 0; i < vertices; i++)
        grid[i] = told->codes[i];
    if (told->quads)
        memcpy(own->quads, told->quads, (size_t)(n * n));
    assert_true(rtin_measure(&field, errors, rest, sides, &why));
    for (int32_t i = 0; told->quads && i < n * n; i++)
        if (told->quads[i] & RTIN_NARROW)
            rest[i] = rtin_unpack(told->rest[i]);
    rtin_settle(own, errors, rest, sides);
    free(grid);
    return own;
}

static void assert_measured_right(const struct view *view, const struct rtin_node *node,
                                  enum hole_rule rule)
{
    struct fault why = { 0 };
    struct rtin_map *map = rtin_node_map(view, NULL, node, rule, &why), *plain;
    const size_t n = (size_t)node->grid;

    assert_non_null(map);
    plain = measured_plainly(view, node, map->of);
    assert_memory_equal(map->of->rest, plain->rest, n * n * sizeof *plain->rest);
    assert_memory_equal(map->of->errors, plain->errors, (n + 1) * (n + 1) * sizeof *plain->errors);
    derived_drop(&map->derived);
    derived_drop(&plain->derived);
}

static void nothing_that_is_skipped_is_farther(void **state)
{
    static const int32_t nodes[][2] = { { 8, 8 },     { 16, 8 },   { 64, 32 },  { 128, 32 },
                                        { 256, 64 },  { 256, 16 }, { 512, 32 }, { 512, 8 },
                                        { 512, 256 }, { 1024, 8 } };
    struct dice dice = { 21 };
    const bool soak = getenv("LANDSCAPED_SOAK");

    (void)state;
    for (int round = 0; round < (soak ? 200 : 10); round++) {
        const int32_t most = round % 5 == 4 ? 1040 : 560;
        struct view *view = ground_kind(round % GROUND_KINDS, dice_between(&dice, most / 2, most),
                                        dice_between(&dice, most / 2, most), &dice);

        if (round % 3)
            view = with_holes(view, &dice, 1 + round % 5, 150);
        for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
            const int32_t size = nodes[i][0];
            const struct rect all = view_rect(view);
            const struct rtin_node node = { dice_between(&dice, 0, (all.width - 2) / size) * size,
                                            dice_between(&dice, 0, (all.height - 2) / size) * size,
                                            size, nodes[i][1] };

            assert_measured_right(view, &node, round & 1 ? HOLES_ANY : HOLES_ALL);
        }
        view_drop(view);
    }
}

static void errors_pack_upwards(void **state)
{
    struct dice dice = { 17 };

    (void)state;
    assert_true(rtin_pack(0) == 0 && rtin_unpack(0) == 0);
    assert_true(rtin_pack(1e-300) == 1);
    assert_true(rtin_pack(65535) < RTIN_GREATEST);
    for (int i = 0; i < 100000; i++) {
        const double error = ldexp(dice_real(&dice, 0.5, 1), dice_between(&dice, -14, 16));
        const int16_t packed = rtin_pack(error);

        assert_true(rtin_unpack(packed) >= error);
        assert_true(rtin_unpack((int16_t)(packed - 1)) < error);
        assert_true(rtin_unpack(packed) <= error * (1 + 1.0 / 1024));
        assert_true(rtin_pack(rtin_unpack(packed)) == packed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_pack_upwards),
        cmocka_unit_test(a_plane_is_two_triangles),
        cmocka_unit_test(at_no_error_the_mesh_is_the_surface),
        cmocka_unit_test(no_point_lies_beyond_the_bound),
        cmocka_unit_test(holes_are_left_out_and_do_not_count),
        cmocka_unit_test(a_spike_under_a_hole_needs_no_triangle),
        cmocka_unit_test(patches_meet_without_a_crack),
        cmocka_unit_test(coarse_patches_meet_too),
        cmocka_unit_test(errors_are_those_of_one_lattice),
        cmocka_unit_test(nothing_that_is_skipped_is_farther),
        cmocka_unit_test(updates_equal_maps_made_anew),
        cmocka_unit_test(coarse_updates_equal_maps_made_anew),
        cmocka_unit_test(a_corner_that_moves_counts_for_all_of_its_triangles),
        cmocka_unit_test(a_hole_counts_for_vertices_of_the_next_block),
        cmocka_unit_test(a_quad_that_is_left_out_counts_for_its_border),
        cmocka_unit_test(tiles_of_samples_are_closed_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
