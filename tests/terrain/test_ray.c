/* Rays: what they meet first. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/ray.h"
#include "tests/terrain/ray_dice.h"
#include "tests/terrain/vectors.h"

/* The reference's field: 27 x 23 vertices with holes. */
static struct view *reference_field(const json_t *field)
{
    int32_t width = vectors_int(field, "w"), height = vectors_int(field, "h");
    uint16_t *heights = vectors_codes(json_object_get(field, "heights"));
    struct view *view = ground_of(width, height, heights);
    const json_t *visibility = json_object_get(field, "visibility");
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    for (int32_t i = 0; i < width * height; i++) {
        uint8_t hole = vectors_at(visibility, (size_t)i) >= 170;

        assert_true(
            draft_write_holes(draft, (struct rect){ i % width, i / width, 1, 1 }, &hole, 1, &why));
    }
    view = ground_finish(draft, view, &change);
    for (size_t i = 0; i < 3; i++) {
        view->settings->grid.scale[i] = vectors_at(json_object_get(field, "scale"), i);
        view->settings->grid.origin[i] = vectors_at(json_object_get(field, "origin"), i);
    }
    free(heights);
    return view;
}

static struct ray_hit cast_one(const struct view *view, const struct ray *ray)
{
    const struct ray_ways ways = { 0 };
    struct fault why = { 0 };
    struct ray_hit hit = { 0 };

    assert_true(ray_cast(view, NULL, ray, 1, &ways, &hit, NULL, &why));
    return hit;
}

static void rays_are_answered_as_in_the_reference(void **state)
{
    json_t *file = vectors_open("12_collision"), *field = json_object_get(file, "field"), *row;
    struct view *view = reference_field(field);
    const struct grid *grid = view_grid(view);
    size_t i, hits = 0;

    (void)state;
    json_array_foreach(json_object_get(field, "rays"), i, row)
    {
        const json_t *expected = json_object_get(row, "hit");
        struct ray ray;
        struct ray_hit hit;

        for (size_t k = 0; k < 3; k++) {
            ray.from[k] = vectors_at(json_object_get(row, "o"), k);
            ray.along[k] = vectors_at(json_object_get(row, "d"), k);
        }
        grid_from_local(grid, ray.from, ray.from);
        for (int k = 0; k < 2; k++)
            ray.along[k] /= grid->scale[k];
        ray.reach = vectors_real(row, "tmax");
        hit = cast_one(view, &ray);
        assert_int_equal(hit.status == RAY_HIT, !json_is_null(expected));
        if (json_is_null(expected))
            continue;
        hits++;
        assert_float_equal(hit.t, vectors_real(expected, "t"), 1e-9 * (1 + fabs(hit.t)));
        assert_int_equal(hit.triangle, vectors_real(expected, "tri"));
        assert_int_equal(hit.back, vectors_real(expected, "back"));
        for (size_t k = 0; k < 3; k++)
            assert_float_equal(hit.normal[k], vectors_at(json_object_get(expected, "normal"), k),
                               1e-4);
    }
    assert_true(hits > 0);
    view_drop(view);
    json_decref(file);
}

/* Against the judge */

struct land {
    struct view *view;
    struct ray_ground ground;
    uint16_t *heights;
    uint8_t *holes;
};

static void land_init(struct land *land, struct dice *dice, int32_t columns, int32_t rows, int kind,
                      bool holes)
{
    const int32_t quads = (columns - 1) * (rows - 1);
    struct fault why = { 0 };
    struct change change;

    land->heights = malloc((size_t)columns * (size_t)rows * sizeof *land->heights);
    ray_dice_heights(dice, kind, columns, rows, land->heights);
    land->view = ground_of(columns, rows, land->heights);
    land->holes = calloc((size_t)quads, 1);
    if (holes) {
        struct draft *draft = draft_new(land->view, &why);

        for (int32_t i = 0; i < quads; i++)
            land->holes[i] = dice_throw(dice) % 3 == 0;
        assert_true(draft_write_holes(draft, (struct rect){ 0, 0, columns - 1, rows - 1 },
                                      land->holes, columns - 1, &why));
        land->view = ground_finish(draft, land->view, &change);
    }
    land->view->settings->grid.scale[2] = dice_between(dice, 0, 3) ? 1 : 0.7;
    land->view->settings->grid.origin[2] = dice_between(dice, -2, 2) * 12.5;
    land->ground = (struct ray_ground){ columns, rows, land->heights, land->holes,
                                        land->view->settings->grid };
}

static void land_fini(struct land *land)
{
    view_drop(land->view);
    free(land->heights);
    free(land->holes);
}

static void assert_judged(const struct land *land, const struct ray *ray, bool ignore_holes,
                          const struct ray_hit *hit)
{
    const struct ray_verdict verdict = ray_judge(&land->ground, ray, ignore_holes);
    bool right = hit->status == verdict.status;

    if (right && verdict.status == RAY_HIT)
        right = hit->triangle == verdict.triangle && hit->back == verdict.back &&
                fabs(hit->t - verdict.t) <= 1e-9 * fabs(verdict.t);
    if (right)
        return;
    print_error("from %a %a %a along %a %a %a reach %a: %d, triangle %lld, back %d, t %.17g; "
                "judged %d, %lld, %d, %.17g\n",
                ray->from[0], ray->from[1], ray->from[2], ray->along[0], ray->along[1],
                ray->along[2], ray->reach, hit->status, (long long)hit->triangle, hit->back, hit->t,
                verdict.status, (long long)verdict.triangle, verdict.back, verdict.t);
    fail();
}

static void assert_same(const struct ray_hit *a, const struct ray_hit *b)
{
    assert_int_equal(a->status, b->status);
    if (a->status != RAY_HIT)
        return;
    assert_int_equal(a->triangle, b->triangle);
    assert_int_equal(a->back, b->back);
    assert_true(a->t == b->t);
}

static void cast_and_judge(const struct land *land, struct dice *dice, size_t count,
                           size_t statuses[5])
{
    const struct ray_ways ways = { .ignore_holes = dice_between(dice, 0, 3) == 0 };
    struct ray *rays = malloc(count * sizeof *rays);
    struct ray_hit *hits = calloc(count, sizeof *hits), *cached = calloc(count, sizeof *cached);
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct fault why = { 0 };

    for (size_t i = 0; i < count; i++)
        rays[i] = ray_dice(dice, &land->ground, (int)(i % RAY_KINDS));
    assert_true(ray_cast(land->view, NULL, rays, count, &ways, hits, NULL, &why));
    assert_true(ray_cast(land->view, cache, rays, count, &ways, cached, NULL, &why));
    for (size_t i = 0; i < count; i++) {
        assert_judged(land, &rays[i], ways.ignore_holes, &hits[i]);
        assert_same(&hits[i], &cached[i]);
        statuses[hits[i].status]++;
    }
    free(rays);
    free(hits);
    free(cached);
    derived_cache_free(cache);
}

/* 10^5 rays; 10^7 with LANDSCAPED_SOAK, or a tenth of these, the one of ten that LANDSCAPED_TENTH
 * (0 to 9) says, where there are as many processors. */
static void rays_of_every_kind_are_answered_as_the_judge_says(void **state)
{
    static const int32_t sizes[][2] = { { 2, 2 },   { 2, 40 },  { 40, 2 },   { 3, 3 },
                                        { 9, 8 },   { 40, 30 }, { 17, 33 },  { 129, 7 },
                                        { 6, 150 }, { 64, 40 }, { 131, 20 }, { 300, 5 } };
    const size_t count = 400, kinds = sizeof sizes / sizeof *sizes;
    const char *tenth = getenv("LANDSCAPED_TENTH");
    const size_t rounds = !getenv("LANDSCAPED_SOAK") ? 250 : tenth ? 2500 : 25000;
    struct dice dice = { !getenv("LANDSCAPED_SOAK") ? 1
                                                    : 99 + (tenth ? strtoul(tenth, NULL, 10) : 0) };
    size_t statuses[5] = { 0 };

    (void)state;
    for (size_t i = 0; i < rounds; i++) {
        struct land land;

        land_init(&land, &dice, sizes[i % kinds][0], sizes[i % kinds][1],
                  dice_between(&dice, 0, GROUND_KINDS - 1), dice_between(&dice, 0, 1));
        cast_and_judge(&land, &dice, count, statuses);
        land_fini(&land);
    }
    for (int status = 0; status < 5; status++)
        assert_true(statuses[status] > rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_are_answered_as_in_the_reference),
        cmocka_unit_test(rays_of_every_kind_are_answered_as_the_judge_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
