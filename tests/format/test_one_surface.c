/* One surface: at any place of any landscape, holes and all, every mesh of LOD 0 met by a vertical
 * line, the height query alone and in a batch, rays from above and below, the collision heightfield
 * and its list of triangles, and the pixel of a tile that lies there, say the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "terrain/collide.h"
#include "terrain/format/tile_set.h"
#include "terrain/lod/component_mesh.h"
#include "terrain/lod/rtin.h"
#include "terrain/lod/window_mesh.h"
#include "tests/terrain/ground.h"

enum { LANDSCAPES = 12, LANDSCAPES_LONG = 300, ROUNDS = 6, TILE = 256, FINER = 3, HOLES_SIDE = 60 };

/* What is compared: z and whether there is ground at all. */
struct answer {
    bool solid;
    double z;
};

static const double scales[][3] = { { 1, 1, 1 }, { 30, 25, 0.25 }, { 0.7, 1.3, 3.1 } };

/* Hills, cliffs of the whole range, ledges that are level; holes here and there. */
static struct view *land(struct dice *dice)
{
    const struct layout layout = { { dice_between(dice, 1, 3), dice_between(dice, 1, 3) },
                                   dice_between(dice, 1, 2),
                                   31 };
    const double *scale = scales[dice_between(dice, 0, 2)];
    const int32_t columns = layout.components[0] * layout.sections * layout.section_quads + 1;
    const int32_t rows = layout.components[1] * layout.sections * layout.section_quads + 1;
    uint16_t *heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    const double wave = dice_real(dice, 0.02, 0.5);
    struct fault why = { 0 };
    struct change change;
    struct view *view;
    struct draft *draft;

    assert_non_null(heights);
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            heights[y * columns + x] =
                (x / 16 + y / 16) % 7 == 3 ? 40000
                : (x / 16 + y / 16) % 7 == 5
                    ? (uint16_t)dice_between(dice, 0, 65535)
                    : (uint16_t)(32768 + 9000 * sin(x * wave) * cos(y * wave) +
                                 dice_between(dice, 0, 300));
    view = ground_laid_out(&layout, scale, heights);
    draft = draft_new(view, &why);
    assert_non_null(draft);
    for (int i = dice_between(dice, 0, 12); i > 0; i--) {
        const struct rect rect = dice_rect(dice, columns - 1, rows - 1, HOLES_SIDE);
        uint8_t holes[HOLES_SIDE * HOLES_SIDE];

        for (int k = 0; k < HOLES_SIDE * HOLES_SIDE; k++)
            holes[k] = (uint8_t)dice_between(dice, 0, 1);
        assert_true(draft_write_holes(draft, rect, holes, rect.width, &why));
    }
    free(heights);
    view = ground_finish(draft, view, &change);
    view->incarnation = dice_throw(dice); /* no cache takes it for the one before */
    return view;
}

/* Twice the area of the corner at b, in the grid. */
static double turn(const double a[3], const double b[3], double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Whether a triangle has the place in plan, within rounding; the code of its plane there. */
static bool over(const double a[3], const double b[3], const double c[3], double x, double y,
                 double *code)
{
    const double whole = turn(a, b, c[0], c[1]);
    const double shares[3] = { turn(b, c, x, y) / whole, turn(c, a, x, y) / whole,
                               turn(a, b, x, y) / whole };

    for (int k = 0; k < 3; k++)
        if (!(shares[k] >= -1e-12))
            return false;
    *code = shares[0] * a[2] + shares[1] * b[2] + shares[2] * c[2];
    return true;
}

static struct answer mesh_answer(const struct view *view, const struct mesh *mesh, double x,
                                 double y)
{
    struct answer answer = { false, NAN };

    for (size_t i = 0; i < mesh->index_count; i += 3) {
        const uint32_t *corners = mesh->indices + i;
        double code, z;

        if (!over(mesh->at[corners[0]], mesh->at[corners[1]], mesh->at[corners[2]], x, y, &code))
            continue;
        z = grid_metres(view_grid(view), code);
        if (answer.solid && !(fabs(z - answer.z) < 1e-7))
            fail_msg("two triangles of a mesh over one place, at %.12g and %.12g", z, answer.z);
        answer = (struct answer){ true, z };
    }
    return answer;
}

/* All meshes of LOD 0. The finest mesh of right triangles has half of the quads split the other
 * way and a vertex in their middles, so that it is the surface all the same. */
enum { MESHES = 3 };
static void meshes_make(const struct view *view, struct mesh meshes[MESHES])
{
    const struct window_grid whole = { view_rect(view), 1, HOLES_ANY };
    const struct layout *layout = &view->settings->layout;
    struct fault why = { 0 };

    for (int k = 0; k < MESHES; k++)
        mesh_init(&meshes[k], false);
    assert_true(window_mesh(view, &whole, &meshes[0], &why));
    for (int32_t cy = 0; cy < layout->components[1]; cy++)
        for (int32_t cx = 0; cx < layout->components[0]; cx++)
            assert_true(component_mesh(view, cx, cy, 0, HOLES_ANY, &meshes[1], &why));
    for (int32_t y = 0; y < view_grid(view)->rows - 1; y += 64)
        for (int32_t x = 0; x < view_grid(view)->columns - 1; x += 64)
            assert_true(rtin_node_mesh(view, NULL, &(struct rtin_node){ x, y, 64, 64 }, HOLES_ANY,
                                       0, &meshes[2], &why));
}

static struct answer height_answer(const struct view *view, const double at[2])
{
    struct surface surface;
    struct fault why = { 0 };
    double z;
    bool hole;

    assert_true(collide_surface(view, at, &surface, &why));
    assert_true(collide_height(view, at[0], at[1], &z, &hole));
    assert_true(z == surface.z && hole == surface.hole);
    return (struct answer){ !surface.hole, surface.z };
}

static struct answer batch_answer(const struct view *view, const double at[2])
{
    uint8_t status;
    double z;

    collide_heights(view, at, 1, &(struct collide_ways){ 0 }, &z, &status, NULL);
    assert_true((status == RAY_HIT) == !isnan(z));
    return (struct answer){ status == RAY_HIT, z };
}

static struct answer ray_answer(const struct view *view, struct derived_cache *cache,
                                const double at[2], double from, double along)
{
    const struct ray ray = { { at[0], at[1], from }, { 0, 0, along }, INFINITY };
    struct ray_hit hit;
    struct fault why = { 0 };

    assert_true(ray_cast(view, cache, &ray, 1, &(struct ray_ways){ 0 }, &hit, NULL, &why));
    if (hit.status != RAY_HIT) {
        assert_int_equal(hit.status, RAY_HOLE);
        return (struct answer){ false, NAN };
    }
    assert_true(hit.back == (along > 0) && hit.at[0] == at[0] && hit.at[1] == at[1]);
    return (struct answer){ true, hit.at[2] };
}

static struct answer collision_answer(const struct view *view, const double at[2])
{
    struct collision collision;
    struct collision_point point;
    struct surface surface;
    struct fault why = { 0 };

    assert_true(collision_init(&collision, view, 0, NULL, NULL, &why));
    assert_true(collision_point(&collision, at, &point, &why));
    assert_true(collide_surface(view, at, &surface, &why));
    assert_true(point.triangle == surface.triangle);
    return (struct answer){ !point.hole, point.z };
}

static void compare(const char *what, const struct view *view, const double at[2], struct answer is,
                    struct answer should, double within)
{
    if (is.solid != should.solid || (is.solid && !(fabs(is.z - should.z) <= within)))
        fail_msg("%s at %.17g, %.17g of %d x %d: %s %.12g m, where the height is %s %.12g m", what,
                 at[0], at[1], view_grid(view)->columns, view_grid(view)->rows,
                 is.solid ? "solid" : "a hole", is.z, should.solid ? "solid" : "a hole", should.z);
}

/* Pixels that hold 24 bits a sample, decoded as their clients do. */
static double terrarium(const uint8_t *rgb)
{
    return rgb[0] * 256.0 + rgb[1] + rgb[2] / 256.0 - 32768;
}

static double terrain_rgb(const uint8_t *rgb)
{
    return (rgb[0] * 65536.0 + rgb[1] * 256.0 + rgb[2]) / 10 - 10000;
}

struct pixels {
    double z[TILE * TILE];
    uint8_t *terrarium, *terrain_rgb;
};

static void pixels_paint(const struct view *view, const struct tile *tile, struct pixels *pixels)
{
    const struct tile_look look = {
        .fill = -9000, .sun_azimuth = 315, .sun_elevation = 45, .exaggeration = 1, .steepest = 60
    };
    struct fault why = { 0 };

    assert_true(tile_heights(view, tile, NAN, pixels->z, &why));
    pixels->terrarium = malloc(3 * TILE * TILE);
    pixels->terrain_rgb = malloc(3 * TILE * TILE);
    assert_true(tile_set_terrarium.paint(view, tile, &look, pixels->terrarium, &why));
    assert_true(tile_set_terrain_rgb.paint(view, tile, &look, pixels->terrain_rgb, &why));
}

static int solids, hollows;

/* Everything at the centre of one pixel of a tile of the landscape's own grid. */
static void place_check(const struct view *view, struct derived_cache *cache,
                        const struct mesh *meshes, const struct pixels *pixels,
                        const struct tile *tile, int i, int j)
{
    static const char *const names[MESHES] = { "the window's mesh", "the components' mesh",
                                               "the mesh of right triangles" };
    const double finer = 1 << FINER;
    const double at[2] = { (tile->x * TILE + i + 0.5) / finer - 0.5,
                           (tile->y * TILE + j + 0.5) / finer - 0.5 };
    const double top = grid_metres(view_grid(view), 70000);
    const double bottom = grid_metres(view_grid(view), -5000);
    const struct grid *grid = view_grid(view);
    struct answer height;

    if (!(at[0] >= 0 && at[1] >= 0 && at[0] <= grid->columns - 1 && at[1] <= grid->rows - 1))
        return;
    height = height_answer(view, at);
    solids += height.solid;
    hollows += !height.solid;
    for (int k = 0; k < MESHES; k++)
        compare(names[k], view, at, mesh_answer(view, &meshes[k], at[0], at[1]), height, 1e-7);
    compare("the batch", view, at, batch_answer(view, at), height, 0);
    compare("the ray from above", view, at, ray_answer(view, cache, at, top, -3), height, 1e-9);
    compare("the ray from below", view, at, ray_answer(view, cache, at, bottom, 0.1), height, 1e-9);
    compare("the ray without a cache", view, at, ray_answer(view, NULL, at, top, -1), height, 1e-9);
    compare("the collision heightfield", view, at, collision_answer(view, at), height, 0);
    if (!height.solid)
        return; /* tiles show the ground beneath holes */
    compare("the tile's sample", view, at, (struct answer){ true, pixels->z[j * TILE + i] }, height,
            0);
    compare("the terrarium pixel", view, at,
            (struct answer){ true, terrarium(pixels->terrarium + 3 * (j * TILE + i)) }, height,
            0.5 / 256 + 1e-9);
    compare("the terrain-rgb pixel", view, at,
            (struct answer){ true, terrain_rgb(pixels->terrain_rgb + 3 * (j * TILE + i)) }, height,
            0.05 + 1e-9);
}

static void land_check(const struct view *view, struct derived_cache *cache, struct dice *dice)
{
    const struct grid *grid = view_grid(view);
    struct mesh meshes[MESHES];
    struct pixels *pixels = malloc(sizeof *pixels);
    struct fault why = { 0 };
    int32_t native, finest;

    assert_non_null(pixels);
    assert_true(tile_zooms(view, &native, &finest, &why));
    meshes_make(view, meshes);
    for (int round = 0; round < ROUNDS; round++) {
        const struct tile tile =
            TILE_AT(native + FINER, dice_between(dice, 0, (grid->columns << FINER) / TILE),
                    dice_between(dice, 0, (grid->rows << FINER) / TILE), TILE);

        if (tile.x * TILE >= grid->columns << FINER || tile.y * TILE >= grid->rows << FINER)
            continue;
        pixels_paint(view, &tile, pixels);
        for (int k = 0; k < 12; k++)
            place_check(view, cache, meshes, pixels, &tile, dice_between(dice, 0, TILE - 1),
                        dice_between(dice, 0, TILE - 1));
        free(pixels->terrarium);
        free(pixels->terrain_rgb);
    }
    for (int k = 0; k < MESHES; k++)
        mesh_free(&meshes[k]);
    free(pixels);
}

static void all_say_the_same(void **state)
{
    const int count = getenv("LANDSCAPED_SOAK") ? LANDSCAPES_LONG : LANDSCAPES;
    struct derived_cache *cache = derived_cache_new(64 << 20);
    struct dice dice = { 20261130 };

    (void)state;
    assert_non_null(cache);
    for (int i = 0; i < count; i++) {
        struct view *view = land(&dice);

        land_check(view, cache, &dice);
        view_drop(view);
    }
    derived_cache_free(cache);
    print_message("%d places on the ground, %d in holes\n", solids, hollows);
    assert_true(solids > 20 * count && hollows > 4 * count);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_say_the_same) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
