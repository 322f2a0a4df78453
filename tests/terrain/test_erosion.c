/* Erosion: what it conserves, what it cannot do, and that the cut of its work does not show. */
#include "tests/terrain/tooling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hills of a few sizes, steep enough to slide. */
static struct view *steep(int32_t columns, int32_t rows)
{
    uint16_t *heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    struct view *view;

    assert_non_null(heights);
    for (int32_t i = 0; i < columns * rows; i++) {
        double x = i % columns, y = i / columns;
        double z = 60 * tool_noise(x / 61, y / 61, 1) + 20 * tool_noise(x / 17, y / 17, 2) +
                   5 * tool_noise(x / 6, y / 6, 3);

        heights[i] = (uint16_t)tool_rested(32768 + 128 * z);
    }
    view = ground_of(columns, rows, heights);
    free(heights);
    return view;
}

static struct op *eroding(const char *tool, struct rect region)
{
    struct op *op = tool_on_region(tool, region);

    op_integer(op, "iterations", 4);
    op_integer(op, "seed", 5);
    op_integer(op, "run", 12);
    return op;
}

static const char *const erosions[] = { "erosion", "hydro_erosion" };

static void erosion_does_not_show_how_its_area_was_cut(void **state)
{
    struct view *before = steep(430, 330);

    (void)state;
    for (int tool = 0; tool < 2; tool++) {
        static const struct rect parts[] = { { 0, 0, 130, 330 },    { 250, 127, 20, 140 },
                                             { 100, 90, 300, 240 }, { 429, 329, 1, 1 },
                                             { 0, 0, 429, 329 },    { 200, 128, 1, 128 } };
        struct view *whole = tool_done(before, eroding(erosions[tool], view_rect(before)), NULL);

        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            struct view *part = tool_done(before, eroding(erosions[tool], parts[i]), NULL);

            for (int32_t k = 0; k < rect_area(parts[i]); k++) {
                int32_t x = parts[i].x + k % parts[i].width, y = parts[i].y + k / parts[i].width;

                if (view_height(part, x, y) != view_height(whole, x, y))
                    fail_msg("%s, part %zu: (%d, %d)", erosions[tool], i, x, y);
            }
            view_drop(part);
        }
        view_drop(whole);
    }
    view_drop(before);
}

/* The ground between the lowest and the highest of the vertices at most r away. */
static void range_around(const struct view *view, int32_t x, int32_t y, int32_t r, int32_t *least,
                         int32_t *most)
{
    *least = 65535;
    *most = 0;
    for (int32_t j = y - r; j <= y + r; j++) {
        for (int32_t i = x - r; i <= x + r; i++) {
            if (i < 0 || j < 0 || i >= view_rect(view).width || j >= view_rect(view).height)
                continue;
            *least = view_height(view, i, j) < *least ? view_height(view, i, j) : *least;
            *most = view_height(view, i, j) > *most ? view_height(view, i, j) : *most;
        }
    }
}

static void erosion_makes_no_pits_and_no_spikes(void **state)
{
    struct view *grounds[2] = { steep(150, 140), ground_rough(150, 140, 16) };

    (void)state;
    for (int round = 0; round < 4; round++) {
        const struct view *before = grounds[round / 2];
        struct op *op = eroding(erosions[round % 2], view_rect(before));
        struct view *after;
        int64_t moved = 0;

        op_integer(op, "iterations", 1);
        op_real(op, "threshold", 5);
        op_real(op, "rain", 2);
        op_real(op, "capacity", 40);
        op_real(op, "dissolving", 1);
        after = tool_done(before, op, NULL);
        for (int32_t y = 0; y < 140; y++) {
            for (int32_t x = 0; x < 150; x++) {
                int32_t least, most;

                /* one rain stays among the nine around, three sweeps among those 7 quads off */
                range_around(before, x, y, round % 2 ? 1 : 7, &least, &most);
                assert_true(view_height(after, x, y) >= least);
                assert_true(view_height(after, x, y) <= most);
                moved += view_height(after, x, y) != view_height(before, x, y);
            }
        }
        assert_true(moved > 10000);
        view_drop(after);
    }
    view_drop(grounds[0]);
    view_drop(grounds[1]);
}

/* Pair by pair: half of a vertex's neighbours, and what passes to or from each. */
static void slide_pairs(int64_t *heights, int32_t columns, int32_t rows, int32_t stride,
                        const double rest[3])
{
    static const int32_t ways[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 1 } };
    size_t bytes = (size_t)columns * (size_t)rows * sizeof *heights;
    int64_t *moved = calloc(1, bytes);

    assert_non_null(moved);
    for (int32_t i = 0; i < columns * rows; i++) {
        for (int way = 0; way < 4; way++) {
            int32_t x = i % columns + ways[way][0] * stride,
                    y = i / columns + ways[way][1] * stride;
            int64_t high, low, passes;

            if (x < 0 || x >= columns || y >= rows)
                continue;
            high = heights[i];
            low = heights[y * columns + x];
            passes = llabs(high - low) - (int64_t)(rest[way < 2 ? way : 2] * stride);
            passes = passes > 0 ? passes / (way < 2 ? 8 : 16) : 0;
            moved[i] += high > low ? -passes : passes;
            moved[y * columns + x] += high > low ? passes : -passes;
        }
    }
    for (int32_t i = 0; i < columns * rows; i++)
        heights[i] += moved[i];
    free(moved);
}

static void rubble_slides_pair_by_pair_and_none_is_lost(void **state)
{
    enum { COLUMNS = 290, ROWS = 270, COUNT = COLUMNS * ROWS };
    struct view *before = steep(COLUMNS, ROWS);
    int64_t *heights = malloc(COUNT * sizeof *heights), sum = 0, codes = 0;

    (void)state;
    assert_non_null(heights);
    before->settings->grid.scale[0] = 0.8;
    before->settings->grid.scale[2] = 0.5;
    for (int metres = 0; metres < 2; metres++) {
        double rise = 128 / 0.5 * 4096 * (metres ? 0.4 : tan(30 * acos(-1) / 180));
        double rest[3] = { metres ? rise : rise * 0.8, rise,
                           rise * (metres ? sqrt(2) : sqrt(0.64 + 1)) };
        struct op *op = tool_on_region("erosion", view_rect(before));
        struct view *after;

        op_real(op, "threshold", metres ? 0.4 : 30);
        op_word(op, "unit", metres ? "m" : "degrees");
        op_integer(op, "iterations", 9);
        after = tool_done(before, op, NULL);
        sum = codes = 0;
        for (int32_t i = 0; i < COUNT; i++) {
            heights[i] = view_height(before, i % COLUMNS, i / COLUMNS) * 4096;
            sum += heights[i];
        }
        for (int32_t i = 0; i < 27; i++)
            slide_pairs(heights, COLUMNS, ROWS, 4 >> i % 3, rest);
        for (int32_t i = 0; i < COUNT; i++) {
            sum -= heights[i];
            assert_int_equal(view_height(after, i % COLUMNS, i / COLUMNS),
                             (heights[i] + 2048) >> 12);
            codes += view_height(after, i % COLUMNS, i / COLUMNS) -
                     view_height(before, i % COLUMNS, i / COLUMNS);
        }
        assert_int_equal(sum, 0);
        assert_true(llabs(codes) <= COUNT / 100); /* roundings, which nearly even out */
        view_drop(after);
    }
    free(heights);
    view_drop(before);
}

static double steepest(const struct view *view)
{
    double most = 0;

    for (int32_t y = 0; y < view_rect(view).height; y++) {
        for (int32_t x = 1; x < view_rect(view).width; x++)
            most = fmax(most, abs(view_height(view, x, y) - view_height(view, x - 1, y)) / 128.0);
    }
    return most;
}

static void slopes_come_to_rest_at_the_threshold(void **state)
{
    uint16_t *heights = malloc(200 * 60 * sizeof *heights);
    struct op *op = tool_on_region("erosion", (struct rect){ 0, 0, 200, 60 });
    struct view *cliff, *after, *again;
    struct change change;
    struct fault why = { 0 };
    struct draft *draft;

    (void)state;
    assert_non_null(heights);
    for (int32_t i = 0; i < 200 * 60; i++)
        heights[i] = i % 200 < 100 ? 40000 : 40000 - 10 * 128;
    cliff = ground_of(200, 60, heights);
    op_real(op, "threshold", 35);
    op_integer(op, "iterations", 100);
    after = tool_done(cliff, op, NULL);
    assert_float_equal(steepest(after), tan(35 * acos(-1) / 180), 0.02);
    assert_int_equal(view_height(after, 20, 30), 40000); /* level ground stays */
    assert_int_equal(view_height(after, 180, 30), 40000 - 1280);
    /* ground at rest is left as it is */
    op = tool_on_region("erosion", (struct rect){ 0, 0, 200, 60 });
    op_real(op, "threshold", 37);
    draft = draft_new(after, &why);
    assert_true(brush_apply_all(draft, &op->variant, 1, &why));
    again = ground_finish(draft, view_hold(after), &change);
    assert_int_equal(change.vertices, 0);
    op_free(op);
    free(heights);
    view_drop(cliff);
    view_drop(after);
    view_drop(again);
}

static void a_threshold_is_a_slope(void **state)
{
    struct view *flat = ground_flat(64, 64, 32768);
    struct op *op = tool_on_region("erosion", (struct rect){ 0, 0, 64, 64 });

    (void)state;
    op_real(op, "threshold", 90);
    tool_refused(flat, op, FAULT_INPUT, "/0/threshold");
    op = tool_on_region("erosion", (struct rect){ 0, 0, 64, 64 });
    op_real(op, "threshold", 1e6);
    op_word(op, "unit", "m");
    view_drop(tool_done(flat, op, NULL));
    op = tool_on_region("hydro_erosion", (struct rect){ 0, 0, 64, 64 });
    op_integer(op, "iterations", 64);
    op_integer(op, "run", 64);
    tool_refused(flat, op, FAULT_INPUT, "/0/iterations");
    view_drop(flat);
}

static void work_goes_by_area_and_iterations(void **state)
{
    struct view *flat = ground_flat(200, 200, 32768);

    (void)state;
    for (int tool = 0; tool < 2; tool++) {
        for (int more = 0; more < 2; more++) {
            /* a dab alone costs 1,600 vertices; its surroundings and iterations all the more */
            struct op *op = eroding(erosions[tool], (struct rect){ 80, 80, 40, 40 });
            struct fault why = { 0 };
            struct draft *draft = draft_new(flat, &why);

            draft_limit(draft, more ? 8000000 : 20000);
            assert_int_equal(brush_apply_all(draft, &op->variant, 1, &why), more);
            assert_int_equal(why.code, more ? FAULT_NONE : FAULT_LIMIT);
            draft_free(draft);
            op_free(op);
        }
    }
    view_drop(flat);
}

/* ---- rain, droplet by droplet ---- */

enum { WIDE_RAIN = 170, HIGH_RAIN = 150, ALL_RAIN = WIDE_RAIN * HIGH_RAIN };

struct storm {
    double heights[ALL_RAIN]; /* in 4096ths of a code */
    double soil[ALL_RAIN];    /* laid, as whole numbers of them */
    double quads;             /* one of them, in quads */
    double capacity, evaporation, dissolving, deposition, inertia;
    int run;
};

/* The surface and how it falls eastward and southward at a place, in quads. Sums are taken in the
 * tool's order: a droplet on a ridge goes another way for a last bit. */
static double storm_height(const struct storm *storm, double x, double y, double falls[2])
{
    int i = (int)x, j = (int)y;
    const double *at = storm->heights + j * WIDE_RAIN + i;
    double nw = at[0] * storm->quads, ne = at[1] * storm->quads;
    double sw = at[WIDE_RAIN] * storm->quads, se = at[WIDE_RAIN + 1] * storm->quads;
    double fx = x - i, fy = y - j, twist = se - sw - ne + nw;
    double top = nw + (ne - nw) * fx, bottom = sw + (se - sw) * fx;

    falls[0] = nw - ne - twist * fy;
    falls[1] = nw - sw - twist * fx;
    return top + (bottom - top) * fy;
}

static void storm_lay(struct storm *storm, double x, double y, double soil)
{
    double units = soil / storm->quads, south = units * (y - (int)y);

    for (int c = 0; c < 4; c++) {
        double across = c & 1 ? x - (int)x : 1 - (x - (int)x);
        int at = ((int)y + (c >> 1)) * WIDE_RAIN + (int)x + (c & 1);

        storm->soil[at] += trunc((c & 2 ? south : units - south) * across);
    }
}

static bool storm_inside(double x, double y)
{
    return x >= 0 && y >= 0 && x < WIDE_RAIN - 1 && y < HIGH_RAIN - 1;
}

static void storm_drop(struct storm *storm, double x, double y)
{
    double east = 0, south = 0, square = 0, water = 1, soil = 0;

    if (!storm_inside(x, y))
        return;
    for (int quad = 0; quad < storm->run; quad++) {
        double falls[2], ahead[2], fall, laid, room, steep, length;
        double height = storm_height(storm, x, y, falls);

        steep = sqrt(falls[0] * falls[0] + falls[1] * falls[1]);
        if (steep > 0) {
            east = east * storm->inertia + falls[0] * ((1 - storm->inertia) / steep);
            south = south * storm->inertia + falls[1] * ((1 - storm->inertia) / steep);
        }
        length = sqrt(east * east + south * south);
        if (length <= 1e-9)
            break;
        east *= 1 / length;
        south *= 1 / length;
        if (!storm_inside(x + east, y + south))
            return;
        fall = height - storm_height(storm, x + east, y + south, ahead);
        square = 0.7 * square + fmax(fall, 0);
        room = 0.4 * storm->capacity * water * fmax(fall, 0.01) * sqrt(square);
        if (fall <= 0)
            laid = fmin(soil, -fall);
        else if (soil > room)
            laid = (soil - room) * storm->deposition;
        else
            laid = -fmin((room - soil) * storm->dissolving, fall);
        storm_lay(storm, x, y, laid);
        soil -= laid;
        water *= 1 - storm->evaporation;
        x += east;
        y += south;
    }
    storm_lay(storm, x, y, soil);
}

static int near(int i, int count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* The soil spread over the 25 vertices around, and no vertex beyond the nine around it. */
static void storm_settle(struct storm *storm)
{
    static const double weights[] = { 1, 4, 6, 4, 1 };
    static double now[ALL_RAIN];

    for (int i = 0; i < ALL_RAIN; i++) {
        double sum = 0, least = INFINITY, most = -INFINITY;

        for (int k = 0; k < 25; k++) {
            int x = near(i % WIDE_RAIN + k % 5 - 2, WIDE_RAIN);
            int y = near(i / WIDE_RAIN + k / 5 - 2, HIGH_RAIN);

            sum += weights[k % 5] * weights[k / 5] * storm->soil[y * WIDE_RAIN + x];
            if (abs(k % 5 - 2) < 2 && abs(k / 5 - 2) < 2) {
                least = fmin(least, storm->heights[y * WIDE_RAIN + x]);
                most = fmax(most, storm->heights[y * WIDE_RAIN + x]);
            }
        }
        now[i] = fmin(fmax(storm->heights[i] + floor((sum + 128) / 256), least), most);
    }
    memcpy(storm->heights, now, sizeof now);
}

static void storm_rain(struct storm *storm, uint32_t seed, int iterations, double rain)
{
    for (uint32_t i = 0; i < (uint32_t)iterations; i++) {
        memset(storm->soil, 0, sizeof storm->soil);
        for (uint32_t drop = 0; drop < rain; drop++) {
            uint32_t key = tool_hash(i, drop, seed);

            for (uint32_t at = 0; at < ALL_RAIN; at++) {
                uint32_t x = at % WIDE_RAIN, y = at / WIDE_RAIN, place = tool_hash(x, y, ~key);

                if (tool_hash(x, y, key) / 4294967296.0 < rain - drop)
                    storm_drop(storm, x + (place >> 16) / 65536.0, y + (place & 65535) / 65536.0);
            }
        }
        storm_settle(storm);
    }
}

static void water_does_what_its_droplets_do_one_by_one(void **state)
{
    struct view *before = steep(WIDE_RAIN, HIGH_RAIN), *after;
    struct storm *storm = calloc(1, sizeof *storm);
    struct op *op = tool_on_region("hydro_erosion", view_rect(before));
    int64_t dug = 0, laid = 0;

    (void)state;
    assert_non_null(storm);
    before->settings->grid.scale[0] = 1.5;
    before->settings->grid.scale[1] = 0.75;
    before->settings->grid.scale[2] = 0.8;
    *storm = (struct storm){ .quads = 0.8 / 128 / 4096 / sqrt(1.5 * 0.75),
                             .capacity = 1.5,
                             .evaporation = 0.03,
                             .dissolving = 0.2,
                             .deposition = 0.15,
                             .inertia = 0.35,
                             .run = 20 };
    for (int i = 0; i < ALL_RAIN; i++)
        storm->heights[i] = view_height(before, i % WIDE_RAIN, i / WIDE_RAIN) * 4096.0;
    storm_rain(storm, 77, 3, 1.25);
    op_real(op, "capacity", 1.5);
    op_real(op, "evaporation", 0.03);
    op_real(op, "dissolving", 0.2);
    op_real(op, "deposition", 0.15);
    op_real(op, "inertia", 0.35);
    op_integer(op, "run", 20);
    op_integer(op, "seed", 77);
    op_integer(op, "iterations", 3);
    op_real(op, "rain", 1.25);
    after = tool_done(before, op, NULL);
    for (int i = 0; i < ALL_RAIN; i++) {
        int32_t is = view_height(after, i % WIDE_RAIN, i / WIDE_RAIN);
        int32_t was = view_height(before, i % WIDE_RAIN, i / WIDE_RAIN);

        if (is != tool_rested(storm->heights[i] / 4096))
            fail_msg("(%d, %d) is %d, not %.4f", i % WIDE_RAIN, i / WIDE_RAIN, is,
                     storm->heights[i] / 4096);
        dug += is < was;
        laid += is > was;
    }
    assert_true(dug > ALL_RAIN / 5 && laid > ALL_RAIN / 5);
    free(storm);
    view_drop(before);
    view_drop(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(erosion_does_not_show_how_its_area_was_cut),
        cmocka_unit_test(erosion_makes_no_pits_and_no_spikes),
        cmocka_unit_test(rubble_slides_pair_by_pair_and_none_is_lost),
        cmocka_unit_test(slopes_come_to_rest_at_the_threshold),
        cmocka_unit_test(a_threshold_is_a_slope),
        cmocka_unit_test(work_goes_by_area_and_iterations),
        cmocka_unit_test(water_does_what_its_droplets_do_one_by_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
