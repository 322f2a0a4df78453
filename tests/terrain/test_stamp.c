/* Stamps, worked out again vertex by vertex. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"

enum { COLUMNS = 140, ROWS = 150 };

static struct view *stamped(const struct view *view, const struct op *op,
                            const struct sources *sources)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    draft_lend(draft, sources);
    if (!brush_apply_all(draft, &op->variant, 1, &why))
        fail_msg("%s %s", why.place, why.detail);
    return ground_finish(draft, view_hold(view), &change);
}

static void refused(const struct view *view, const struct op *op, const struct sources *sources,
                    enum fault_code code, const char *place)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);

    draft_lend(draft, sources);
    assert_false(brush_apply_all(draft, &op->variant, 1, &why));
    assert_int_equal(why.code, code);
    assert_string_equal(why.place, place);
    draft_free(draft);
}

struct stamping {
    double middle[2], half[2]; /* grid coordinates; metres before it is scaled */
    double rotation, scale;    /* degrees */
    double black, white;       /* codes */
    double radius, falloff;    /* of a dab; radius 0 is a region */
    const char *blend;
};

/* One dab or region, on heights as numbers; NAN where rounding decides. */
static double slow_height(const struct view *view, const struct stamping *as, int32_t x, int32_t y,
                          double height)
{
    const double *scale = view_grid(view)->scale;
    double turn = as->rotation * acos(-1) / 180;
    double east = (x - as->middle[0]) * scale[0], south = (y - as->middle[1]) * scale[1];
    double u = (cos(turn) * east + sin(turn) * south) / (as->half[0] * as->scale);
    double v = (cos(turn) * south - sin(turn) * east) / (as->half[1] * as->scale);
    double force = as->radius > 0
                       ? falloff_at(FALLOFF_SMOOTH, hypot(east, south), as->radius, as->falloff)
                       : 1;
    double laid, to;

    if (fabs(fmax(fabs(u), fabs(v)) - 1) < 1e-6)
        return NAN;
    if (fabs(u) > 1 || fabs(v) > 1)
        return height;
    laid = as->black +
           (as->white - as->black) * mask_picture_at((u + 1) / 2 * (mask_picture.width - 1),
                                                     (v + 1) / 2 * (mask_picture.height - 1));
    to = !strcmp(as->blend, "add")   ? height + laid
         : !strcmp(as->blend, "min") ? fmin(height, laid)
         : !strcmp(as->blend, "max") ? fmax(height, laid)
                                     : laid;
    return fmin(fmax(height + (to - height) * force, 0), 65535);
}

/* How many of the vertices that were looked at have changed. */
static int assert_as_slow(const struct view *before, const struct view *after,
                          const struct stamping *as)
{
    int told = 0, changed = 0;

    for (int32_t i = 0; i < COLUMNS * ROWS; i += 3) {
        int32_t x = i % COLUMNS, y = i / COLUMNS;
        double slow = slow_height(before, as, x, y, view_height(before, x, y));

        if (isnan(slow))
            continue;
        assert_float_equal(view_height(after, x, y), slow, 0.5001);
        changed += view_height(after, x, y) != view_height(before, x, y);
        told++;
    }
    assert_true(told > COLUMNS * ROWS / 4);
    return changed;
}

static const char *const blends[] = { "add", "min", "max", "blend" };

static struct view *ground(void)
{
    struct view *view = ground_rough(COLUMNS, ROWS, 8);

    view->settings->grid.scale[0] = 1.5;
    view->settings->grid.scale[2] = 2;
    return view;
}

static void a_stamp_lies_on_its_dab_turned_and_scaled(void **state)
{
    struct view *view = ground();
    struct dice dice = { 41 };
    int seen = 0;

    (void)state;
    for (int round = 0; round < 24; round++) {
        /* the picture is 23 x 17 samples: its longer side is the diameter */
        struct stamping as = { .middle = { dice_real(&dice, 30, 110), dice_real(&dice, -5, 120) },
                               .rotation = dice_real(&dice, -400, 400),
                               .scale = dice_real(&dice, 0.4, 1.6),
                               .radius = dice_real(&dice, 30, 80),
                               .falloff = dice_real(&dice, 0, 1),
                               .blend = blends[round % 4] };
        double base = dice_real(&dice, -50, 50), amplitude = dice_real(&dice, -50, 50);
        struct op *op = op_new("stamp");
        struct view *changed;

        as.half[0] = as.radius;
        as.half[1] = as.radius * 16 / 22;
        as.black = round % 4 ? 32768 + base * 64 : base * 64;
        as.white = round % 4 ? 32768 + amplitude * 64 : amplitude * 64;
        op_name(op, "image", "picture");
        op_path(op, (const double(*)[2]) & as.middle, 1);
        op_real(op, "radius", as.radius);
        op_real(op, "falloff", as.falloff);
        op_real(op, "rotation", as.rotation);
        op_real(op, "scale", as.scale);
        op_word(op, "blend", as.blend);
        op_real(op, "base", base);
        op_real(op, "amplitude", amplitude);
        changed = stamped(view, op, &mask_sources);
        seen += assert_as_slow(view, changed, &as);
        view_drop(changed);
        op_free(op);
    }
    assert_true(seen > 10000);
    view_drop(view);
}

static void a_stamp_is_stretched_over_its_region(void **state)
{
    struct view *view = ground();
    struct dice dice = { 42 };

    (void)state;
    for (int round = 0; round < 16; round++) {
        struct rect region = { dice_between(&dice, 0, 50), dice_between(&dice, 0, 50),
                               dice_between(&dice, 30, 90), dice_between(&dice, 30, 100) };
        struct stamping as = { .rotation = round < 8 ? 0 : dice_real(&dice, 0, 360),
                               .scale = round < 8 ? 1 : dice_real(&dice, 0.5, 2),
                               .white = 65535,
                               .blend = blends[round % 4] };
        struct op *op = op_new("stamp");
        struct view *changed;

        as.middle[0] = region.x + (region.width - 1) / 2.0;
        as.middle[1] = region.y + (region.height - 1) / 2.0;
        as.half[0] = (region.width - 1) / 2.0 * 1.5;
        as.half[1] = (region.height - 1) / 2.0;
        op_name(op, "image", "picture"); /* without base and amplitude: codes */
        op_region(op, region);
        op_real(op, "rotation", as.rotation);
        op_real(op, "scale", as.scale);
        op_word(op, "blend", as.blend);
        changed = stamped(view, op, &mask_sources);
        for (int32_t i = 0; i < COLUMNS * ROWS; i++) {
            int32_t x = i % COLUMNS, y = i / COLUMNS;
            bool inside = x >= region.x && y >= region.y && x < region.x + region.width &&
                          y < region.y + region.height;
            double slow = slow_height(view, &as, x, y, view_height(view, x, y));

            if (!inside)
                assert_int_equal(view_height(changed, x, y), view_height(view, x, y));
            else if (!isnan(slow))
                assert_float_equal(view_height(changed, x, y), slow, 0.5001);
        }
        view_drop(changed);
        op_free(op);
    }
    view_drop(view);
}

/* Heights as a raster, laid back in their place. */

static struct image map;

static const struct image *lend_map(void *context, const char *name, enum image_channel channel,
                                    struct fault *why)
{
    (void)context;
    (void)name;
    (void)channel;
    (void)why;
    return &map;
}

static void heights_that_went_out_come_back_by_a_stamp(void **state)
{
    const struct sources sources = { .image = lend_map };
    struct view *view = ground_rough(COLUMNS, ROWS, 3), *flat = ground_flat(COLUMNS, ROWS, 9);
    uint16_t *heights = ground_heights(view);
    struct op *op = op_new("stamp");
    struct view *changed;

    (void)state;
    map = (struct image){ COLUMNS, ROWS, heights };
    op_name(op, "image", "map");
    op_region(op, view_rect(view));
    op_word(op, "blend", "blend");
    changed = stamped(flat, op, &sources);
    for (int32_t i = 0; i < COLUMNS * ROWS; i++)
        assert_int_equal(view_height(changed, i % COLUMNS, i / COLUMNS), heights[i]);
    op_free(op);
    view_drop(changed);
    view_drop(flat);
    view_drop(view);
    free(heights);
}

static void every_dab_of_a_path_gets_the_whole_stamp(void **state)
{
    static const uint16_t white[4] = { 65535, 65535, 65535, 65535 };
    const double path[3][2] = { { 20, 20 }, { 60, 20 }, { 60, 20 } };
    const struct sources sources = { .image = lend_map };
    struct view *view = ground_flat(100, 100, 1000), *changed;
    struct op *op = op_new("stamp");

    (void)state;
    map = (struct image){ 2, 2, white };
    op_name(op, "image", "map");
    op_path(op, path, 3);
    op_real(op, "radius", 10);
    op_real(op, "falloff", 0);
    op_real(op, "base", 0);
    op_real(op, "amplitude", 2);
    changed = stamped(view, op, &sources);
    assert_int_equal(view_height(changed, 20, 20), 1000 + 256);
    assert_int_equal(view_height(changed, 60, 25), 1000 + 512);
    assert_int_equal(view_height(changed, 40, 20), 1000);
    op_free(op);
    view_drop(changed);
    view_drop(view);
}

/* One sample, one row, one column, one vertex: nothing is divided by nothing. */
static void the_smallest_rasters_and_regions_are_stamped(void **state)
{
    static const uint16_t samples[3] = { 100, 200, 300 };
    static const int32_t sizes[][2] = { { 1, 1 }, { 3, 1 }, { 1, 3 } };
    const struct sources sources = { .image = lend_map };
    struct view *view = ground_flat(50, 50, 0);

    (void)state;
    for (int size = 0; size < 3; size++) {
        for (int32_t side = 1; side < 10; side += 4) {
            struct op *op = op_new("stamp");
            struct view *changed;

            map = (struct image){ sizes[size][0], sizes[size][1], samples };
            op_name(op, "image", "map");
            op_region(op, (struct rect){ 10, 10, side, side });
            changed = stamped(view, op, &sources);
            assert_int_equal(view_height(changed, 10 + side / 2, 10 + side / 2),
                             size == 0 ? 100 : 200);
            assert_int_equal(view_height(changed, 9, 10), 0);
            assert_int_equal(view_height(changed, 10 + side, 10), 0);
            view_drop(changed);
            op_free(op);
        }
    }
    view_drop(view);
}

static void what_rows_cannot_say_is_refused_at_its_member(void **state)
{
    const double path[1][2] = { { 20, 20 } };
    struct view *view = ground_flat(64, 64, 0);
    struct op *op = op_new("stamp");

    (void)state;
    op_name(op, "image", "none");
    op_path(op, path, 1);
    refused(view, op, &mask_sources, FAULT_INPUT, "/0/radius");
    op_real(op, "radius", 5);
    refused(view, op, NULL, FAULT_MISSING, "/0/image");
    op_real(op, "base", 1);
    refused(view, op, &mask_sources, FAULT_INPUT, "/0/amplitude");
    op_free(op);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamp_lies_on_its_dab_turned_and_scaled),
        cmocka_unit_test(a_stamp_is_stretched_over_its_region),
        cmocka_unit_test(heights_that_went_out_come_back_by_a_stamp),
        cmocka_unit_test(every_dab_of_a_path_gets_the_whole_stamp),
        cmocka_unit_test(the_smallest_rasters_and_regions_are_stamped),
        cmocka_unit_test(what_rows_cannot_say_is_refused_at_its_member),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
