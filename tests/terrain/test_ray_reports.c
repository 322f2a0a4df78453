/* Rays as users have reported them; after edits, and many at once. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "terrain/query/ray.h"
#include "tests/terrain/ray_dice.h"

static struct ray_hit cast(const struct view *view, struct derived_cache *cache,
                           const struct ray *ray)
{
    const struct ray_ways ways = { 0 };
    struct fault why = { 0 };
    struct ray_hit hit = { 0 };

    assert_true(ray_cast(view, cache, ray, 1, &ways, &hit, NULL, &why));
    return hit;
}

static struct ray down(double x, double y)
{
    return (struct ray){ { x, y, 1000 }, { 0, 0, -1 }, INFINITY };
}

static struct ray between(double x, double y, double z, double to_x, double to_y, double to_z)
{
    return (struct ray){ { x, y, z }, { to_x - x, to_y - y, to_z - z }, INFINITY };
}

/* A ramp of 2 (x + y) - 256 m, 127 x 127. */
static struct view *diagonal_ramp(void)
{
    uint16_t *heights = malloc(sizeof *heights * 127 * 127);
    struct view *view;

    for (int i = 0; i < 127 * 127; i++)
        heights[i] = (uint16_t)(256 * (i % 127 + i / 127));
    view = ground_of(127, 127, heights);
    view->settings->grid.scale[2] = 1;
    free(heights);
    return view;
}

static void assert_on_ramp(const struct view *view, double x, double y)
{
    const struct ray ray = down(x, y);
    struct ray_hit hit = cast(view, NULL, &ray);

    assert_int_equal(hit.status, RAY_HIT);
    assert_float_equal(hit.at[2], 2 * (x + y) - 256, 1e-3);
}

static void col_01_rays_down_on_grid_lines_hit(void **state)
{
    struct view *view = diagonal_ramp();
    struct dice dice = { 1 };

    (void)state;
    for (int32_t line = 0; line <= 126; line++) {
        for (int i = 0; i < 200; i++) {
            const double along = dice_real(&dice, 0, 126);

            assert_on_ramp(view, line, along);
            assert_on_ramp(view, along, line);
            if (line + along <= 126) {
                assert_on_ramp(view, line + along, along);
                assert_on_ramp(view, along, line + along);
            }
        }
    }
    view_drop(view);
}

static void col_02_rays_hit_up_to_the_rim(void **state)
{
    struct view *view = ground_flat(127, 127, GRID_LEVEL_ZERO);
    struct derived_cache *cache = derived_cache_new(1 << 20);
    size_t cast_count = 0;

    (void)state;
    for (int way = 0; way < 8; way++) {
        for (int i = 0; i <= 35; i++) {
            for (int j = 0; j <= 35; j++) {
                const double x = 3.6 * i, y = 3.6 * j;
                const double dx = (way % 3 - 1) * 40.0, dy = (way / 3 - 1) * 40.0;
                const struct ray ray = between(x - dx - 7, y - dy + 3, 50, x, y, 0);
                struct ray_hit hit = cast(view, cache, &ray);

                /* The aim is known to the rounding of the step to it. */
                if (i == 0 || j == 0 || i == 35 || j == 35) {
                    if (hit.status != RAY_HIT)
                        assert_true(fabs(ray.from[0] + ray.along[0] - x) > 0 ||
                                    fabs(ray.from[1] + ray.along[1] - y) > 0);
                    continue;
                }
                assert_int_equal(hit.status, RAY_HIT);
                assert_float_equal(hit.at[0], x, 1e-3);
                assert_float_equal(hit.at[1], y, 1e-3);
                cast_count++;
            }
        }
    }
    /* From halves, on the rim itself, the aim is exact. */
    for (int i = 0; i <= 126; i++) {
        const struct ray rays[] = { between(-20.5, i - 10, 64, 0, i, 0),
                                    between(150.5, i + 8, 64, 126, i, 0),
                                    between(i - 10, -20.5, 64, i, 0, 0),
                                    between(i + 8, 150.5, 64, i, 126, 0) };

        for (size_t k = 0; k < 4; k++)
            assert_int_equal(cast(view, cache, &rays[k]).status, RAY_HIT);
        cast_count += 4;
    }
    assert_true(cast_count > 9000);
    derived_cache_free(cache);
    view_drop(view);
}

/* Level ground with one vertex of the greatest code. */
static struct view *spike(void)
{
    struct view *view = ground_flat(127, 127, GRID_LEVEL_ZERO);
    const uint16_t top = 65535;
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    view->settings->grid.scale[2] = 1;
    assert_true(draft_write_heights(draft, (struct rect){ 40, 70, 1, 1 }, &top, 1, &why));
    return ground_finish(draft, view, &change);
}

static struct view *with_height(struct view *view, int32_t x, int32_t y, uint16_t code)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_true(draft_write_heights(draft, (struct rect){ x, y, 1, 1 }, &code, 1, &why));
    return ground_finish(draft, view, &change);
}

static void col_06_bounds_follow_the_ground(void **state)
{
    const struct ray level = { { 0, 70, 128 }, { 1, 0, 0 }, INFINITY };
    const struct ray other = { { 0, 20, 128 }, { 1, 0, 0 }, INFINITY };
    const struct ray below_top = { { 40.25, 0, 100 }, { 0, 1, 0 }, INFINITY };
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct view *view = spike();

    (void)state;
    assert_int_equal(cast(view, cache, &level).status, RAY_HIT);
    assert_int_equal(cast(view, cache, &other).status, RAY_MISS);
    view = with_height(view, 100, 20, 60000);
    assert_int_equal(cast(view, cache, &other).status, RAY_HIT);
    assert_int_equal(cast(view, cache, &below_top).status, RAY_HIT);
    view = with_height(view, 100, 20, GRID_LEVEL_ZERO);
    view = with_height(view, 40, 70, GRID_LEVEL_ZERO);
    assert_int_equal(cast(view, cache, &level).status, RAY_MISS);
    assert_int_equal(cast(view, cache, &other).status, RAY_MISS);
    assert_int_equal(cast(view, cache, &below_top).status, RAY_MISS);
    view_drop(view);
    derived_cache_free(cache);
}

static void col_08_rays_meet_ground_below_zero(void **state)
{
    uint16_t *heights = malloc(sizeof *heights * 127 * 127);
    struct dice dice = { 8 };
    struct view *view;

    (void)state;
    for (int i = 0; i < 127 * 127; i++)
        heights[i] = (uint16_t)(1000 + dice_throw(&dice) % 12000);
    heights[63 * 127 + 63] = 7300;
    view = ground_of(127, 127, heights);
    view->settings->grid.scale[2] = 1;
    for (int i = 0; i < 2000; i++) {
        const double x = dice_real(&dice, 0, 126), y = dice_real(&dice, 0, 126);
        const struct ray rays[] = { down(x, y), between(63, 63, 500, x, y, -300) };

        for (int k = 0; k < 2; k++) {
            struct ray_hit hit = cast(view, NULL, &rays[k]);

            assert_int_equal(hit.status, RAY_HIT);
            assert_true(hit.normal[2] > 0);
            assert_false(hit.back);
            assert_true(hit.at[2] < 0);
        }
    }
    {
        const struct ray ray = down(63, 63);

        assert_float_equal(cast(view, NULL, &ray).at[2], (7300 - 32768) / 128.0, 1e-9);
    }
    view_drop(view);
    free(heights);
}

static void col_12_sizes_that_halve_badly_have_their_last_lines(void **state)
{
    struct view *view = ground_rough(505, 253, 12);
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct dice dice = { 12 };

    (void)state;
    for (int i = 0; i < 4000; i++) {
        const bool right = i % 2;
        const double along = i % 4 < 2 ? dice_between(&dice, 0, right ? 252 : 504)
                                       : dice_real(&dice, 0, right ? 252 : 504);
        const double x = right ? 504 : along, y = right ? along : 252;
        struct ray ray = down(x, y);
        struct ray_hit hit = cast(view, cache, &ray);
        double z;

        assert_int_equal(hit.status, RAY_HIT);
        assert_true(collide_height(view, x, y, &z, NULL));
        assert_float_equal(hit.at[2], z, 1e-9);
        /* along the rim, just above the ground and down into it */
        ray.from[right] = 0;
        ray.along[right] = 1;
        ray.along[2] = -10;
        assert_int_equal(cast(view, cache, &ray).status, RAY_HIT);
    }
    view_drop(view);
    derived_cache_free(cache);
}

static void col_14_a_peak_within_a_cell_is_seen(void **state)
{
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct view *view = spike();
    const struct ray above = down(40, 70);
    const double top = 32767 / 128.0;
    struct dice dice = { 14 };
    size_t met = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        const double x = dice_real(&dice, 39.5, 40.5);
        const struct ray ray = { { x, 0, 100 }, { 0, 1, 0 }, INFINITY };
        /* As seen along y the spike is a triangle of a quad to each side. */
        const bool crosses = fabs(x - 40) <= 1 - 100 / top;

        assert_int_equal(cast(view, cache, &ray).status, crosses ? RAY_HIT : RAY_MISS);
        assert_int_equal(cast(view, NULL, &ray).status, crosses ? RAY_HIT : RAY_MISS);
        met += crosses;
    }
    assert_true(met > 500);
    assert_float_equal(cast(view, cache, &above).at[2], 255.992, 1e-3);
    view_drop(view);
    derived_cache_free(cache);
}

static void a_ray_from_beyond_all_measure_is_wrong(void **state)
{
    struct view *view = ground_flat(127, 127, GRID_LEVEL_ZERO);
    const struct ray near = between(-1e13, 60, 1e9, 63, 60, 0),
                     far = between(-1e14, 60, 1e9, 63, 60, 0);

    (void)state;
    assert_int_not_equal(cast(view, NULL, &near).status, RAY_WRONG);
    assert_int_equal(cast(view, NULL, &far).status, RAY_WRONG);
    view_drop(view);
}

/* After edits, and many at once */

static struct ray *some_rays(const struct view *view, struct dice *dice, size_t count)
{
    uint16_t *heights = ground_heights(view);
    const struct ray_ground ground = { view_grid(view)->columns, view_grid(view)->rows, heights,
                                       NULL, *view_grid(view) };
    struct ray *rays = malloc(count * sizeof *rays);

    for (size_t i = 0; i < count; i++)
        rays[i] = ray_dice(dice, &ground, (int)(i % RAY_KINDS));
    free(heights);
    return rays;
}

static void assert_same(const struct ray_hit *a, const struct ray_hit *b, bool any)
{
    assert_int_equal(a->status, b->status);
    if (a->status != RAY_HIT || any)
        return;
    assert_int_equal(a->triangle, b->triangle);
    assert_int_equal(a->back, b->back);
    assert_memory_equal(a->at, b->at, sizeof a->at);
    assert_memory_equal(a->normal, b->normal, sizeof a->normal);
    assert_true(a->t == b->t);
}

static void edits_are_seen_through_a_warm_cache(void **state)
{
    enum { COUNT = 1600 };
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct view *view = ground_rough(300, 270, 3);
    struct ray_hit *warm = calloc(COUNT, sizeof *warm), *plain = calloc(COUNT, sizeof *plain);
    const struct ray_ways ways = { 0 };
    struct dice dice = { 3 };
    struct fault why = { 0 };

    (void)state;
    view->version = 10; /* later than the stamps of its blocks */
    for (int round = 0; round < 20; round++) {
        struct ray *rays = some_rays(view, &dice, COUNT);
        const struct rect at = dice_rect(&dice, 300, 270, 140);
        uint16_t *heights = malloc(sizeof *heights * (size_t)rect_area(at));
        struct draft *draft;
        struct change change;

        assert_true(ray_cast(view, cache, rays, COUNT, &ways, warm, NULL, &why));
        assert_true(ray_cast(view, NULL, rays, COUNT, &ways, plain, NULL, &why));
        for (int i = 0; i < COUNT; i++)
            assert_same(&warm[i], &plain[i], false);
        for (int64_t i = 0; i < rect_area(at); i++)
            heights[i] = (uint16_t)(31000 + dice_throw(&dice) % 4000);
        draft = draft_new(view, &why);
        assert_true(draft_write_heights(draft, at, heights, at.width, &why));
        view = ground_finish(draft, view, &change);
        free(heights);
        free(rays);
    }
    free(warm);
    free(plain);
    view_drop(view);
    derived_cache_free(cache);
}

struct crew {
    struct executor executor;
    size_t count;
    void (*piece)(void *work, size_t i);
    void *work;
    _Atomic size_t next;
};

static void *crew_work(void *context)
{
    struct crew *crew = context;

    for (size_t i = crew->next++; i < crew->count; i = crew->next++)
        crew->piece(crew->work, i);
    return NULL;
}

static void crew_run(const struct executor *self, size_t count, void (*piece)(void *work, size_t i),
                     void *work)
{
    struct crew crew = { *self, count, piece, work, 0 };
    pthread_t others[2];

    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&others[i], NULL, crew_work, &crew), 0);
    crew_work(&crew);
    for (int i = 0; i < 2; i++)
        pthread_join(others[i], NULL);
}

static void threads_answer_in_the_order_of_the_rays(void **state)
{
    enum { COUNT = 8000 };
    const struct executor crew = { crew_run };
    struct view *view = ground_rough(400, 300, 4);
    struct ray_hit *many = calloc(COUNT, sizeof *many), *one = calloc(COUNT, sizeof *one);
    struct dice dice = { 4 };
    struct ray *rays = some_rays(view, &dice, COUNT);
    struct fault why = { 0 };

    (void)state;
    for (int any = 0; any < 2; any++) {
        const struct ray_ways ways = { .any = any };
        struct derived_cache *cache = derived_cache_new(1 << 20);

        assert_true(ray_cast(view, cache, rays, COUNT, &ways, many, &crew, &why));
        for (int i = 0; i < COUNT; i++) {
            assert_true(ray_cast(view, NULL, &rays[i], 1, &ways, &one[i], NULL, &why));
            assert_same(&many[i], &one[i], any);
        }
        derived_cache_free(cache);
    }
    free(rays);
    free(many);
    free(one);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(col_01_rays_down_on_grid_lines_hit),
        cmocka_unit_test(col_02_rays_hit_up_to_the_rim),
        cmocka_unit_test(col_06_bounds_follow_the_ground),
        cmocka_unit_test(col_08_rays_meet_ground_below_zero),
        cmocka_unit_test(col_12_sizes_that_halve_badly_have_their_last_lines),
        cmocka_unit_test(col_14_a_peak_within_a_cell_is_seen),
        cmocka_unit_test(a_ray_from_beyond_all_measure_is_wrong),
        cmocka_unit_test(edits_are_seen_through_a_warm_cache),
        cmocka_unit_test(threads_answer_in_the_order_of_the_rays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
