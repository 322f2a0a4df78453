/* Rays: what they meet first. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/ray.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_are_answered_as_in_the_reference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
