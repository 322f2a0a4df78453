/* Brushes against the reference, and what all of them have in common. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"
#include "tests/terrain/vectors.h"

/* The view after the op, or NULL and why. The view given stays. */
static struct view *after(const struct view *view, const struct op *op, struct change *change,
                          struct fault *why)
{
    struct draft *draft = draft_new(view, why);

    assert_non_null(draft);
    draft_lend(draft, &mask_sources);
    if (!brush_apply_all(draft, &op->variant, 1, why)) {
        draft_free(draft);
        return NULL;
    }
    return ground_finish(draft, view_hold(view), change);
}

/* Applies and frees the op, takes the view. */
static struct view *applied(struct view *view, struct op *op, struct change *change)
{
    struct fault why = { 0 };
    struct view *changed = after(view, op, change, &why);

    if (!changed)
        fail_msg("%s %s", why.place, why.detail);
    view_drop(view);
    op_free(op);
    return changed;
}

static void refused(const struct view *view, struct op *op, enum fault_code code, const char *place)
{
    struct fault why = { 0 };
    struct change change;

    assert_null(after(view, op, &change, &why));
    assert_int_equal(why.code, code);
    assert_string_equal(why.place, place);
    assert_true(why.detail[0] != '\0');
    op_free(op);
}

static void assert_codes(const struct view *view, const json_t *expected)
{
    uint16_t *heights = ground_heights(view), *codes = vectors_codes(expected);
    int64_t count = rect_area(view_rect(view));

    assert_int_equal(json_array_size(expected), count);
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(heights[i], codes[i]);
    free(heights);
    free(codes);
}

static const char *text(const json_t *object, const char *member)
{
    const char *value = json_string_value(json_object_get(object, member));

    assert_non_null(value);
    return value;
}

/* At scale 1 a code is 1/128 m. */
static double metres(double codes)
{
    return codes / 128;
}

static void dab(struct op *op, double x, double y, double radius)
{
    const double path[1][2] = { { x, y } };

    assert_true(op_path(op, path, 1));
    assert_true(op_real(op, "radius", radius));
}

static void reference_dab(struct op *op, const json_t *brush)
{
    dab(op, vectors_real(brush, "x"), vectors_real(brush, "y"), vectors_real(brush, "radius"));
    assert_true(op_real(op, "falloff", vectors_real(brush, "falloff")));
    assert_true(op_word(op, "shape", text(brush, "kind")));
}

static void reference_ramp(struct op *op, const json_t *stroke)
{
    for (int end = 0; end < 2; end++) {
        const json_t *p = json_object_get(stroke, end ? "p1" : "p0");
        const double point[3] = { vectors_at(p, 0), vectors_at(p, 1),
                                  metres(vectors_at(p, 2) - 32768) };

        assert_true(op_point3(op, end ? "to" : "from", point));
    }
    assert_true(op_real(op, "width", vectors_real(stroke, "width")));
    assert_true(op_real(op, "falloff", vectors_real(stroke, "side")));
}

static struct op *reference_op(const json_t *stroke)
{
    const char *name = text(stroke, "op");
    double amount = json_number_value(json_object_get(stroke, "amount"));
    struct op *op;

    if (strcmp(name, "sculpt") == 0)
        name = amount < 0 ? "lower" : "raise";
    op = op_new(name);
    assert_non_null(op);
    if (strcmp(name, "ramp") == 0) {
        reference_ramp(op, stroke);
        return op;
    }
    reference_dab(op, json_object_get(stroke, "brush"));
    if (strcmp(name, "raise") == 0 || strcmp(name, "lower") == 0) {
        assert_true(op_real(op, "amount", metres(fabs(amount))));
    } else if (strcmp(name, "flatten") == 0) {
        assert_true(op_real(op, "target", metres(vectors_real(stroke, "target") - 32768)));
        assert_true(op_real(op, "strength", vectors_real(stroke, "strength")));
        assert_true(op_word(op, "mode", text(stroke, "mode")));
    } else if (strcmp(name, "smooth") == 0) {
        assert_true(op_integer(op, "kernel_radius", vectors_int(stroke, "r")));
        assert_true(op_real(op, "strength", vectors_real(stroke, "strength")));
        assert_true(op_word(op, "kernel", text(stroke, "kernel")));
    } else {
        assert_string_equal(name, "noise");
        assert_true(op_real(op, "amplitude", metres(vectors_real(stroke, "amplitude"))));
        assert_true(op_real(op, "cell", vectors_real(stroke, "cell")));
        assert_true(op_integer(op, "seed", vectors_int(stroke, "seed")));
    }
    return op;
}

static void strokes_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("14_brushes"), *stroke;
    int32_t width = vectors_int(file, "w"), height = vectors_int(file, "h");
    uint16_t *heights = vectors_codes(json_object_get(file, "heights"));
    struct change change;
    struct view *view;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "strokes"), i, stroke)
    {
        view = applied(ground_of(width, height, heights), reference_op(stroke), &change);
        assert_codes(view, json_object_get(stroke, "out"));
        view_drop(view);
    }
    assert_true(i >= 14);
    stroke = json_object_get(file, "clamp");
    view = applied(ground_flat(width, height, (uint16_t)vectors_int(stroke, "base")),
                   reference_op(stroke), &change);
    assert_codes(view, json_object_get(stroke, "out"));
    view_drop(view);
    free(heights);
    json_decref(file);
}

static void falloffs_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("14_brushes"), *row;
    static const char *const names[] = { "smooth", "linear", "spherical", "tip" };
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "falloff"), i, row)
    {
        const char *kind = json_string_value(json_array_get(row, 0));
        enum falloff_shape shape = FALLOFF_SMOOTH;

        while (strcmp(names[shape], kind) != 0)
            shape++;
        assert_float_equal(
            falloff_at(shape, vectors_at(row, 1), vectors_at(row, 2), vectors_at(row, 3)),
            vectors_at(row, 4), 1e-6);
    }
    json_decref(file);
}

static void noise_is_that_of_the_reference(void **state)
{
    json_t *file = vectors_open("14_brushes"), *row;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(file, "noise"), i, row)
    {
        int32_t x = (int32_t)vectors_at(row, 0), y = (int32_t)vectors_at(row, 1);
        struct op *op = op_new("noise");
        struct change change;
        struct view *view;

        op_region(op, (struct rect){ x, y, 1, 1 });
        op_real(op, "amplitude", 200);
        op_real(op, "cell", vectors_at(row, 2));
        op_integer(op, "seed", (int64_t)vectors_at(row, 3));
        view = applied(ground_flat(128, 128, 32768), op, &change);
        assert_float_equal(view_height(view, x, y), 32768 + 25600 * vectors_at(row, 4), 0.501);
        view_drop(view);
    }
    json_decref(file);
}

/* What all brushes have in common */

static struct op *random_op(int brush, const struct view *view, struct dice *dice)
{
    struct op *op = op_random(brush, view_rect(view), dice);

    assert_non_null(op);
    return op;
}

/* Vertices farther from every point of the op than its reach. Exact for regions and dabs. */
static bool beyond_reach(const struct op *op, const struct grid *grid, int32_t x, int32_t y)
{
    const struct where *where = op->variant.members;
    const double(*points)[2] = where->path.items;

    if (where->path.count == 0)
        return x < where->region.x || y < where->region.y ||
               x >= where->region.x + where->region.width ||
               y >= where->region.y + where->region.height;
    for (size_t i = 0; i < where->path.count; i++) {
        /* the line to the next point, or the point alone */
        const double *a = points[i], *b = points[i + (i + 1 < where->path.count)];
        double ax = a[0] * grid->scale[0], ay = a[1] * grid->scale[1];
        double bx = b[0] * grid->scale[0] - ax, by = b[1] * grid->scale[1] - ay;
        double px = x * grid->scale[0] - ax, py = y * grid->scale[1] - ay;
        double length = bx * bx + by * by, t = length > 0 ? (px * bx + py * by) / length : 0;

        if (where->spacing == 0)
            t = 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        px -= t * bx;
        py -= t * by;
        if (px * px + py * py <= where->radius * where->radius)
            return false;
    }
    return true;
}

static bool same_at(const struct view *a, const struct view *b, int32_t x, int32_t y)
{
    for (int paint = 0; paint < OPS_PAINTS; paint++) {
        if (ground_weight(a, paint, x, y) != ground_weight(b, paint, x, y))
            return false;
    }
    return view_height(a, x, y) == view_height(b, x, y) && view_hole(a, x, y) == view_hole(b, x, y);
}

/* Holes and paint here and there, for brushes that change them. */
static struct view *varied(struct view *view, struct dice *dice)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    assert_non_null(draft);
    for (int i = 0; i < 3; i++) {
        struct rect to = dice_rect(dice, view_rect(view).width - 1, view_rect(view).height - 1, 60);
        uint8_t holes[60 * 60];

        memset(holes, i == 1 ? 0 : 255, sizeof holes);
        assert_true(draft_write_holes(draft, to, holes, to.width, &why));
    }
    for (int i = 0; i < 8; i++) {
        struct op *op = op_new("paint");

        op_region(op, dice_rect(dice, view_rect(view).width, view_rect(view).height, 100));
        op_name(op, "layer", ops_paints[i % OPS_PAINTS]);
        op_real(op, "amount", dice_between(dice, 1, 255));
        assert_true(brush_apply_all(draft, &op->variant, 1, &why));
        op_free(op);
    }
    view = ground_finish(draft, view, &change);
    view->version = 1;
    return view;
}

static void every_brush_touches_only_its_area(void **state)
{
    struct dice dice = { 11 };

    (void)state;
    for (int brush = 0; brush < brush_count; brush++) {
        if (brushes[brush]->takes->base != &where_shape)
            continue;
        for (int round = 0; round < 12; round++) {
            struct view *view = varied(ground_rough(150, 140, (uint64_t)round), &dice);
            struct view *changed;
            struct op *op;
            struct change change;
            struct fault why = { 0 };
            int64_t vertices = 0;
            struct rect dirty = { 0 };

            view->settings->grid.scale[0] = dice_real(&dice, 0.5, 2);
            view->settings->grid.scale[1] = dice_real(&dice, 0.5, 2);
            op = random_op(brush, view, &dice);
            changed = after(view, op, &change, &why);
            assert_non_null(changed);
            for (int32_t i = 0; i < 150 * 140; i++) {
                int32_t x = i % 150, y = i / 150;

                if (same_at(view, changed, x, y))
                    continue;
                assert_false(beyond_reach(op, view_grid(view), x, y));
                vertices++;
                dirty = rect_join(dirty, (struct rect){ x, y, 1, 1 });
            }
            assert_int_equal(change.vertices, vertices);
            assert_memory_equal(&change.dirty, &dirty, sizeof dirty);
            ground_assert_sound(changed);
            op_free(op);
            view_drop(changed);
            view_drop(view);
        }
    }
}

static void every_brush_gives_the_same_bytes_twice(void **state)
{
    struct dice dice = { 12 };

    (void)state;
    for (int brush = 0; brush < brush_count; brush++) {
        for (int round = 0; round < 10; round++) {
            struct view *view = ground_rough(200, 180, 3), *one, *two;
            struct op *op = random_op(brush, view, &dice);
            struct bytes difference = { 0 };
            struct change change;
            struct fault why = { 0 };

            one = after(view, op, &change, &why);
            two = after(view, op, &change, &why);
            assert_true(one && two);
            assert_true(difference_write(one, two, &difference, &why));
            assert_int_equal(difference.length, 16);
            bytes_free(&difference);
            op_free(op);
            view_drop(one);
            view_drop(two);
            view_drop(view);
        }
    }
}

/* The same ops on a landscape that is larger by whole blocks to the west and north: what lies where
 * may not change what comes out. */
static void blocks_do_not_show_in_what_a_brush_does(void **state)
{
    struct dice dice = { 13 };
    enum { SHIFT = 75 };

    (void)state;
    for (int round = 0; round < 40; round++) {
        static const char *const names[] = { "raise", "smooth", "flatten", "set" };
        double path[1][2] = { { dice_real(&dice, 60, 120), dice_real(&dice, 60, 120) } };
        struct view *views[2];

        for (int shifted = 0; shifted < 2; shifted++) {
            struct view *view = ground_flat(200 + SHIFT, 200 + SHIFT, 30000);
            struct fault why = { 0 };
            struct draft *draft = draft_new(view, &why);
            struct op *op = op_new(names[round % 4]);
            struct change change;

            for (int32_t y = 0; y < 200; y++) {
                uint16_t row[200];

                for (int32_t x = 0; x < 200; x++)
                    row[x] = (uint16_t)(30000 + x * y % 977);
                assert_true(draft_write_heights(
                    draft, (struct rect){ shifted * SHIFT, y + shifted * SHIFT, 200, 1 }, row, 200,
                    &why));
            }
            view = ground_finish(draft, view, &change);
            path[0][0] += shifted * SHIFT;
            path[0][1] += shifted * SHIFT;
            op_path(op, (const double(*)[2])path, 1);
            op_real(op, "radius", 50);
            op_real(op, "amount", 3);
            op_real(op, "target", 3);
            op_real(op, "height", 3);
            op_integer(op, "kernel_radius", 9);
            op_word(op, "kernel", round % 8 < 4 ? "box" : "gauss");
            views[shifted] = applied(view, op, &change);
        }
        for (int32_t y = 60; y < 120; y++) {
            for (int32_t x = 60; x < 120; x++)
                assert_int_equal(view_height(views[0], x, y),
                                 view_height(views[1], x + SHIFT, y + SHIFT));
        }
        view_drop(views[0]);
        view_drop(views[1]);
    }
}

static void distances_are_metres_whatever_the_scale(void **state)
{
    struct view *view = ground_flat(60, 60, 32768);
    struct op *op = op_new("raise");
    struct change change;

    (void)state;
    view->settings->grid.scale[0] = 2;
    view->settings->grid.scale[1] = 0.5;
    view->settings->grid.scale[2] = 4;
    dab(op, 30, 30, 10);
    op_real(op, "falloff", 0);
    op_real(op, "amount", 8);
    view = applied(view, op, &change);
    assert_int_equal(change.dirty.x, 25);
    assert_int_equal(change.dirty.width, 11);
    assert_int_equal(change.dirty.y, 10);
    assert_int_equal(change.dirty.height, 41);
    assert_int_equal(view_height(view, 30, 30), 32768 + 8 * 128 / 4);
    view_drop(view);
}

/* Holes */

static void a_hole_is_a_quad_whose_north_west_vertex_has_force(void **state)
{
    struct view *view = ground_flat(40, 30, 32768);
    struct op *op = op_new("hole");
    struct change change;
    int32_t quads = 0;

    (void)state;
    dab(op, 39, 12, 6); /* linear: a half of the force 3 quads from the middle */
    op_real(op, "falloff", 1);
    op_word(op, "shape", "linear");
    view = applied(view, op, &change);
    for (int32_t y = 0; y < 29; y++) {
        for (int32_t x = 0; x < 39; x++) {
            bool near = (x - 39) * (x - 39) + (y - 12) * (y - 12) < 9;

            assert_int_equal(view_hole(view, x, y), near);
            quads += near;
        }
    }
    assert_int_equal(change.vertices, quads);
    ground_assert_sound(view);
    op = op_new("unhole");
    op_region(op, (struct rect){ 38, 0, 2, 30 });
    view = applied(view, op, &change);
    assert_int_equal(change.vertices, 5);
    assert_int_equal(change.dirty.x, 38);
    assert_int_equal(change.dirty.width, 1);
    assert_false(view_hole(view, 38, 12));
    assert_true(view_hole(view, 37, 12));
    view_drop(view);
}

/* The last row and column of vertices name no quad. */
static void no_quad_lies_beyond_the_border(void **state)
{
    struct view *view = ground_flat(140, 130, 32768);
    struct op *op = op_new("hole");
    struct change change;

    (void)state;
    op_region(op, view_rect(view));
    view = applied(view, op, &change);
    assert_int_equal(change.vertices, 139 * 129);
    for (int32_t x = 0; x < 140; x++)
        assert_int_equal(tree_value(&view->planes[PLANE_HOLES], x, 129), 0);
    ground_assert_sound(view);
    view_drop(view);
}

/* Dabs */

static void dabs_follow_the_line_at_their_spacing(void **state)
{
    /* 30 quads east, then 40 south: dabs at 0, 7, 14 .. 70 m along it */
    const double path[3][2] = { { 10, 10 }, { 40, 10 }, { 40, 50 } };
    struct op *op = op_new("raise");
    struct change change;
    struct view *view;

    (void)state;
    op_path(op, path, 3);
    op_real(op, "radius", 0.4);
    op_real(op, "falloff", 0);
    op_real(op, "spacing", 5);
    op_real(op, "amount", 1);
    view = applied(ground_flat(64, 64, 0), op, &change);
    assert_int_equal(change.vertices, 15);
    for (int32_t x = 10; x <= 40; x++)
        assert_int_equal(view_height(view, x, 10), x % 5 == 0 ? 128 : 0);
    for (int32_t y = 15; y <= 50; y++)
        assert_int_equal(view_height(view, 40, y), y % 5 == 0 ? 128 : 0);
    view_drop(view);
}

static void each_dab_is_rounded_before_the_next(void **state)
{
    const double path[5][2] = { { 5, 5 }, { 5, 5 }, { 5, 5 }, { 5, 5 }, { 5, 5 } };
    struct op *op = op_new("raise");
    struct change change;
    struct view *view;

    (void)state;
    op_path(op, path, 5);
    op_real(op, "radius", 1);
    op_real(op, "amount", 0.4 / 128);
    view = applied(ground_flat(16, 16, 7), op, &change);
    assert_int_equal(change.vertices, 0); /* 0.4 codes round to nothing, five times */
    assert_int_equal(view->version, 1);
    view_drop(view);
}

static void ops_of_one_edit_follow_each_other(void **state)
{
    struct view *view = ground_flat(16, 16, 32768);
    struct op *ops[2] = { op_new("set"), op_new("raise") };
    struct variant variants[2];
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    (void)state;
    for (int i = 0; i < 2; i++) {
        op_region(ops[i], (struct rect){ 2, 3, 4, 5 });
        variants[i] = ops[i]->variant;
    }
    op_real(ops[0], "height", 10);
    op_real(ops[1], "amount", 0.5);
    assert_true(brush_apply_all(draft, variants, 2, &why));
    view = ground_finish(draft, view, &change);
    assert_int_equal(view_height(view, 2, 3), 32768 + 1344);
    assert_int_equal(change.vertices, 20);
    /* the second op's fault is at the second op */
    draft = draft_new(view, &why);
    op_region(ops[1], (struct rect){ 2, 3, 4, 500 });
    variants[1] = ops[1]->variant;
    assert_false(brush_apply_all(draft, variants, 2, &why));
    assert_string_equal(why.place, "/1/region");
    draft_free(draft);
    op_free(ops[0]);
    op_free(ops[1]);
    view_drop(view);
}

static void far_and_huge_dabs_are_quick_and_safe(void **state)
{
    static const double far[][3] = {
        { 1e9, 5, 3 }, { -1e9, -1e9, 1e8 }, { 5, 1e300, 1e9 }, { 0, 0, 1e9 }, { 1e7, 1e7, 1e9 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        for (int shape = 0; shape < 2; shape++) {
            struct op *op = op_new("set");
            struct change change;
            struct view *view;

            dab(op, far[i][0], far[i][1], far[i][2]);
            op_real(op, "falloff", shape);
            op_real(op, "height", -1e9);
            view = applied(ground_flat(300, 300, 9), op, &change);
            assert_int_equal(change.vertices, i < 3 ? 0 : 90000);
            view_drop(view);
        }
    }
}

static void heights_saturate_and_never_wrap(void **state)
{
    static const char *const tools[] = { "raise", "lower", "set", "noise", "flatten" };
    static const double extremes[] = { 1e9, -1e9, 600, -600 };

    (void)state;
    for (int tool = 0; tool < 5; tool++) {
        for (int extreme = 0; extreme < 4; extreme++) {
            for (int top = 0; top < 2; top++) {
                uint16_t code = top ? 65535 : 0;
                double sign = tool == 1 ? -1 : 1;
                bool up = extremes[extreme] * sign > 0;
                struct op *op = op_new(tools[tool]);
                struct change change;
                struct view *view;

                op_region(op, (struct rect){ 0, 0, 40, 40 });
                op_real(op, "amount", extremes[extreme]);
                op_real(op, "height", extremes[extreme]);
                op_real(op, "target", extremes[extreme]);
                op_real(op, "amplitude", extremes[extreme]);
                op_real(op, "cell", 3);
                view = applied(ground_flat(40, 40, code), op, &change);
                for (int32_t i = 0; i < 1600 && tool != 3; i++)
                    assert_int_equal(view_height(view, i % 40, i / 40), up ? 65535 : 0);
                view_drop(view);
            }
        }
    }
}

static void smoothing_flat_ground_leaves_it_flat_to_the_border(void **state)
{
    static const double places[][2] = { { 0, 0 }, { 126, 63 }, { 63, 126 }, { 126, 126 } };

    (void)state;
    for (int i = 0; i < 4; i++) {
        for (int gauss = 0; gauss < 2; gauss++) {
            static const uint16_t codes[] = { 0, 40000, 65535 };

            for (int c = 0; c < 3; c++) {
                struct op *op = op_new("smooth");
                struct change change;
                struct view *view;

                dab(op, places[i][0], places[i][1], 30);
                op_integer(op, "kernel_radius", 64);
                op_word(op, "kernel", gauss ? "gauss" : "box");
                view = applied(ground_flat(127, 127, codes[c]), op, &change);
                assert_int_equal(change.vertices, 0);
                view_drop(view);
            }
        }
    }
}

/* The mean of a window, vertex by vertex. */
static double mean_around(const struct view *view, int32_t x, int32_t y, int32_t r, bool gauss)
{
    double sum = 0, weights = 0, sigma = r / 2.0;

    for (int32_t j = y - r; j <= y + r; j++) {
        for (int32_t i = x - r; i <= x + r; i++) {
            double square = (i - x) * (i - x) + (j - y) * (j - y);
            double weight = gauss ? exp(-square / (2 * sigma * sigma)) : 1;

            if (i < 0 || j < 0 || i >= view_rect(view).width || j >= view_rect(view).height)
                continue;
            sum += weight * view_height(view, i, j);
            weights += weight;
        }
    }
    return sum / weights;
}

static void smoothing_takes_the_mean_of_what_is_on_the_landscape(void **state)
{
    (void)state;
    for (int32_t r = 1; r < 40; r += 6) {
        for (int gauss = 0; gauss < 2; gauss++) {
            struct view *before = ground_rough(170, 150, (uint64_t)r);
            struct op *op = op_new("smooth");
            struct change change;
            struct view *view;

            op_region(op, view_rect(before));
            op_integer(op, "kernel_radius", r);
            op_word(op, "kernel", gauss ? "gauss" : "box");
            view = applied(view_hold(before), op, &change);
            for (int32_t y = 0; y < 150; y += 7) {
                for (int32_t x = 0; x < 170; x += y % 2 ? 3 : 5)
                    assert_float_equal(view_height(view, x, y), mean_around(before, x, y, r, gauss),
                                       0.5001);
            }
            view_drop(view);
            view_drop(before);
        }
    }
}

static void flatten_goes_to_planes_terraces_and_what_it_picks(void **state)
{
    const double plane[3][3] = { { 0, 0, 1 }, { 10, 0, 3 }, { 0, 10, 6 } };
    struct op *op = op_new("flatten");
    struct change change;
    struct view *view;

    (void)state;
    op_region(op, (struct rect){ 0, 0, 50, 50 });
    op_plane(op, plane);
    view = applied(ground_rough(50, 50, 1), op, &change);
    for (int32_t i = 0; i < 2500; i++)
        assert_int_equal(view_height(view, i % 50, i / 50),
                         floor(32768 + 128 * (1 + 0.2 * (i % 50) + 0.5 * (i / 50)) + 0.5));
    op = op_new("flatten");
    op_region(op, (struct rect){ 0, 0, 50, 50 });
    op_real(op, "terrace", 4);
    view = applied(view, op, &change);
    for (int32_t i = 0; i < 2500; i++)
        assert_int_equal((view_height(view, i % 50, i / 50) - 32768) % 512, 0);
    op = op_new("flatten");
    dab(op, 49, 49, 100);
    op_real(op, "falloff", 0);
    op_real(op, "target", NAN);
    view = applied(view, op, &change);
    for (int32_t i = 0; i < 2500; i++)
        assert_int_equal(view_height(view, i % 50, i / 50), view_height(view, 49, 49));
    assert_int_equal(view_height(view, 0, 0), 32768 + 36 * 128);
    view_drop(view);
}

static void octaves_keep_the_amplitude_and_kinds_their_side(void **state)
{
    static const char *const kinds[] = { "value", "billow", "ridged" };

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct op *op = op_new("noise");
        struct change change;
        struct view *view;
        double sum = 0;

        op_region(op, (struct rect){ 0, 0, 256, 256 });
        op_real(op, "amplitude", 100);
        op_real(op, "cell", 20);
        op_integer(op, "octaves", 6);
        op_word(op, "kind", kinds[kind]);
        view = applied(ground_flat(256, 256, 32768), op, &change);
        for (int32_t i = 0; i < 65536; i++) {
            double z = (view_height(view, i % 256, i / 256) - 32768) / 128.0;

            assert_true(z >= -100 && z <= 100);
            sum += z / 65536;
        }
        assert_true(kind == 0 ? fabs(sum) < 15 : kind == 1 ? sum < -15 : sum > 15);
        view_drop(view);
    }
}

static void a_ramp_is_graded_from_end_to_end(void **state)
{
    const double from[3] = { 20, 30, 0 }, to[3] = { 220, 130, 50 };
    struct op *op = op_new("ramp");
    struct change change;
    struct view *view;

    (void)state;
    op_point3(op, "from", from);
    op_point3(op, "to", to);
    op_real(op, "width", 20);
    op_real(op, "falloff", 0);
    view = applied(ground_flat(250, 250, 0), op, &change);
    for (int32_t i = 0; i <= 100; i++)
        assert_int_equal(view_height(view, 20 + 2 * i, 30 + i), 32768 + i * 64);
    assert_int_equal(view_height(view, 18, 29), 0);
    assert_int_equal(view_height(view, 222, 131), 0);
    /* a rectangle of about 223.6 x 20 m */
    assert_true(change.vertices > 4300 && change.vertices < 4700);
    view_drop(view);
}

/* Refusals */

static void what_rows_cannot_say_is_refused_at_its_member(void **state)
{
    const double path[2][2] = { { 500, 5 }, { 5, 5 } };
    const double line[3][3] = { { 0, 0, 1 }, { 1, 1, 3 }, { 5, 5, 6 } };
    const double point[3] = { 3, 3, 3 };
    struct view *view = ground_flat(64, 64, 0);
    struct op *op = op_new("raise");

    (void)state;
    refused(view, op, FAULT_INPUT, "/0/path");
    op = op_new("raise");
    op_path(op, path, 2);
    refused(view, op, FAULT_INPUT, "/0/radius");
    op = op_new("raise");
    op_path(op, path, 2);
    op_real(op, "radius", 2);
    op_region(op, (struct rect){ 0, 0, 2, 2 });
    refused(view, op, FAULT_INPUT, "/0/region");
    op = op_new("set");
    op_region(op, (struct rect){ 60, 60, 5, 2 });
    refused(view, op, FAULT_IMPOSSIBLE, "/0/region");
    op = op_new("set");
    op_region(op, (struct rect){ -1, 0, INT32_MAX, 2 });
    refused(view, op, FAULT_IMPOSSIBLE, "/0/region");
    op = op_new("flatten");
    op_region(op, (struct rect){ 0, 0, 2, 2 });
    refused(view, op, FAULT_INPUT, "/0/target");
    op = op_new("flatten");
    op_region(op, (struct rect){ 0, 0, 2, 2 });
    op_real(op, "target", 2);
    op_real(op, "terrace", 2);
    refused(view, op, FAULT_INPUT, "/0/target");
    op = op_new("flatten");
    op_region(op, (struct rect){ 0, 0, 2, 2 });
    op_real(op, "target", NAN);
    refused(view, op, FAULT_INPUT, "/0/target");
    op = op_new("flatten");
    op_path(op, path, 2);
    op_real(op, "radius", 2);
    op_real(op, "target", NAN);
    refused(view, op, FAULT_IMPOSSIBLE, "/0/target");
    op = op_new("flatten");
    op_region(op, (struct rect){ 0, 0, 2, 2 });
    op_plane(op, line);
    refused(view, op, FAULT_INPUT, "/0/plane");
    op = op_new("ramp");
    op_point3(op, "from", point);
    op_point3(op, "to", point);
    op_real(op, "width", 2);
    refused(view, op, FAULT_INPUT, "/0/to");
    view_drop(view);
}

static void work_beyond_the_limit_is_refused(void **state)
{
    const double path[2][2] = { { 0, 0 }, { 63, 63 } }, far[1][2] = { { 1e6, 1e6 } };
    struct view *view = ground_flat(64, 64, 0);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct op *op = op_new("raise");

    (void)state;
    op_path(op, path, 2);
    op_real(op, "amount", 1);
    op_real(op, "radius", 5);
    op_real(op, "spacing", 1e-9);
    assert_false(brush_apply_all(draft, &op->variant, 1, &why)); /* 1e11 dabs */
    assert_int_equal(why.code, FAULT_LIMIT);
    assert_string_equal(why.place, "/0/spacing");
    draft_free(draft);
    draft = draft_new(view, &why);
    draft_limit(draft, 1000000);
    op_real(op, "spacing", 1e-6);
    assert_false(brush_apply_all(draft, &op->variant, 1, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    draft_free(draft);
    /* dabs beside the landscape are not free either */
    draft = draft_new(view, &why);
    draft_limit(draft, 64);
    op_path(op, far, 1);
    assert_true(brush_apply_all(draft, &op->variant, 1, &why));
    assert_false(brush_apply_all(draft, &op->variant, 1, &why));
    draft_free(draft);
    op_free(op);
    view_drop(view);
}

/* Ops of the same 64 small dabs, and the least that each of them counts as: what a dab reads and
 * works out beside the vertices that it touches. */
static void what_costs_more_than_it_touches_counts_as_more(void **state)
{
    static const struct {
        const char *tool, *word_of, *word, *number_of;
        double real;
        int64_t number, least;
    } dear[] = {
        { "smooth", "kernel", "box", "kernel_radius", 1, 64, 4000 },
        { "smooth", "kernel", "gauss", "kernel_radius", 1, 64, 12000 },
        { "sharpen", "kernel", "gauss", "kernel_radius", 1, 64, 12000 },
        { "noise", "kind", "perlin", "octaves", 3, 8, 400 },
        { "generate", "generator", "fbm", "octaves", 3, 12, 600 },
        { "hole", NULL, NULL, NULL, 0, 0, 4000 }, /* unpacks one */
        { "unhole", NULL, NULL, NULL, 0, 0, 4000 },
        { "raise", NULL, NULL, NULL, 0, 0, 4000 }, /* makes a block each time, for nothing */
    };
    struct view *view = ground_flat(300, 300, 32768);
    double path[64][2];

    (void)state;
    for (int i = 0; i < 64; i++)
        path[i][0] = path[i][1] = 150;
    for (size_t i = 0; i < sizeof dear / sizeof *dear; i++) {
        for (int enough = 0; enough < 2; enough++) {
            struct fault why = { 0 };
            struct draft *draft = draft_new(view, &why);
            struct op *op = op_new(dear[i].tool);

            op_path(op, (const double(*)[2])path, 64);
            op_real(op, "radius", 3);
            op_real(op, "cell", 5);
            op_real(op, "scale", 5);
            op_real(op, "amount", dear[i].real);
            op_real(op, "amplitude", dear[i].real);
            if (dear[i].word)
                assert_true(op_word(op, dear[i].word_of, dear[i].word));
            if (dear[i].number)
                assert_true(op_integer(op, dear[i].number_of, dear[i].number));
            draft_limit(draft, 64 * dear[i].least * (enough ? 8 : 1));
            assert_int_equal(brush_apply_all(draft, &op->variant, 1, &why), enough);
            assert_int_equal(why.code, enough ? FAULT_NONE : FAULT_LIMIT);
            op_free(op);
            draft_free(draft);
        }
    }
    view_drop(view);
}

static void every_brush_has_its_row_in_full(void **state)
{
    (void)state;
    assert_int_equal(brush_variants.count, brush_count);
    assert_string_equal(brush_variants.tag, "tool");
    for (int i = 0; i < brush_count; i++) {
        json_error_t error;
        json_t *example = json_loads(brushes[i]->example, 0, &error);

        assert_string_equal(brushes[i]->name, brush_variants.words[i]);
        assert_ptr_equal(brushes[i]->takes, brush_variants.shapes[i]);
        assert_true(brushes[i]->summary[0] != '\0');
        assert_string_equal(json_string_value(json_object_get(example, "tool")), brushes[i]->name);
        json_decref(example);
    }
    assert_null(brush_variants.words[brush_count]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strokes_are_those_of_the_reference),
        cmocka_unit_test(falloffs_are_those_of_the_reference),
        cmocka_unit_test(noise_is_that_of_the_reference),
        cmocka_unit_test(every_brush_touches_only_its_area),
        cmocka_unit_test(every_brush_gives_the_same_bytes_twice),
        cmocka_unit_test(blocks_do_not_show_in_what_a_brush_does),
        cmocka_unit_test(distances_are_metres_whatever_the_scale),
        cmocka_unit_test(a_hole_is_a_quad_whose_north_west_vertex_has_force),
        cmocka_unit_test(no_quad_lies_beyond_the_border),
        cmocka_unit_test(dabs_follow_the_line_at_their_spacing),
        cmocka_unit_test(each_dab_is_rounded_before_the_next),
        cmocka_unit_test(ops_of_one_edit_follow_each_other),
        cmocka_unit_test(far_and_huge_dabs_are_quick_and_safe),
        cmocka_unit_test(heights_saturate_and_never_wrap),
        cmocka_unit_test(smoothing_flat_ground_leaves_it_flat_to_the_border),
        cmocka_unit_test(smoothing_takes_the_mean_of_what_is_on_the_landscape),
        cmocka_unit_test(flatten_goes_to_planes_terraces_and_what_it_picks),
        cmocka_unit_test(octaves_keep_the_amplitude_and_kinds_their_side),
        cmocka_unit_test(a_ramp_is_graded_from_end_to_end),
        cmocka_unit_test(what_rows_cannot_say_is_refused_at_its_member),
        cmocka_unit_test(work_beyond_the_limit_is_refused),
        cmocka_unit_test(what_costs_more_than_it_touches_counts_as_more),
        cmocka_unit_test(every_brush_has_its_row_in_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
