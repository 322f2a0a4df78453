/* The collision heightfield at coarser mips: the reference's numbers, and its error by brute force.
 */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "terrain/query/collision.h"
#include "terrain/query/collision_error.h"
#include "tests/terrain/vectors.h"

/* The view, which is dropped, with these bytes as holes: a byte a quad. */
static struct view *holed(struct view *view, const uint8_t *holes)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct rect quads = view_rect(view);
    struct change change;

    quads.width--;
    quads.height--;
    assert_true(draft_write_holes(draft, quads, holes, quads.width, &why));
    return ground_finish(draft, view, &change);
}

static struct view *reference_ground(const json_t *coarse)
{
    struct layout layout = { { vectors_int(coarse, "nx"), vectors_int(coarse, "ny") },
                             vectors_int(coarse, "s"),
                             vectors_int(coarse, "q") };
    const double unit[3] = { 1, 1, 1 };
    const json_t *visibility = json_object_get(coarse, "visibility");
    const int32_t columns = layout_columns(&layout), rows = layout_rows(&layout);
    uint16_t *heights = vectors_codes(json_object_get(coarse, "heights"));
    uint8_t *holes = malloc((size_t)columns * (size_t)rows);
    struct view *view = ground_laid_out(&layout, unit, heights);

    for (int32_t y = 0; y < rows - 1; y++)
        for (int32_t x = 0; x < columns - 1; x++)
            holes[y * (columns - 1) + x] = vectors_at(visibility, (size_t)(y * columns + x)) >= 170;
    view = holed(view, holes);
    free(heights);
    free(holes);
    return view;
}

/* The holes of a level are listed by their quads; those of mip 0 are the landscape's. */
static void assert_holes_are_listed(const struct collision *grid, const json_t *listed)
{
    const struct rect quads = { 0, 0, grid->columns - 1, grid->rows - 1 };
    uint8_t *holes = malloc((size_t)rect_area(quads));
    const json_t *quad;
    size_t i;

    collision_holes(grid, quads, holes, quads.width);
    assert_true(json_array_size(listed) > 0);
    json_array_foreach(listed, i, quad)
    {
        uint8_t *hole =
            &holes[(int32_t)vectors_at(quad, 1) * quads.width + (int32_t)vectors_at(quad, 0)];

        assert_int_equal(*hole, 255);
        *hole = 0;
    }
    for (int64_t k = 0; k < rect_area(quads); k++)
        assert_int_equal(holes[k], 0);
    free(holes);
}

static uint16_t *all_codes(const struct collision *grid)
{
    uint16_t *codes = malloc((size_t)grid->columns * (size_t)grid->rows * sizeof *codes);
    struct fault why = { 0 };

    assert_true(collision_heights(grid, (struct rect){ 0, 0, grid->columns, grid->rows }, codes,
                                  grid->columns, &why));
    return codes;
}

static void assert_level_is_the_reference(const struct view *view, const json_t *level)
{
    const json_t *heights = json_object_get(level, "heights"), *row;
    const size_t queries = json_array_size(json_object_get(level, "queries"));
    struct collision grid;
    struct fault why = { 0 };
    uint16_t *codes;
    size_t i, count;

    assert_true(collision_init(&grid, view, vectors_int(level, "mip"), NULL, NULL, &why));
    assert_int_equal(grid.columns, vectors_int(level, "w"));
    assert_int_equal(grid.rows, vectors_int(level, "h"));
    assert_float_equal(grid.spacing, vectors_real(level, "spacing"), 1e-12);
    if (grid.mip > 0)
        assert_holes_are_listed(&grid, json_object_get(level, "holes"));
    codes = all_codes(&grid);
    count = (size_t)grid.columns * (size_t)grid.rows;
    if (json_is_array(heights))
        for (size_t k = 0; k < count; k++)
            assert_int_equal(codes[k], vectors_at(heights, k));
    else
        assert_int_equal(vectors_crc16(codes, count), (uint32_t)vectors_real(level, "heights"));
    free(codes);
    assert_true(queries > 0);
    json_array_foreach(json_object_get(level, "queries"), i, row)
    {
        const double at[2] = { vectors_at(row, 0), vectors_at(row, 1) };
        struct collision_point point;

        assert_true(collision_point(&grid, at, &point, &why));
        assert_int_equal(point.hole, json_is_null(json_array_get(row, 2)));
        if (point.hole)
            continue;
        assert_int_equal(point.triangle, vectors_at(row, 3));
        assert_float_equal(point.z, vectors_at(row, 2), 1e-5 * (1 + fabs(point.z)));
    }
}

static void coarser_mips_are_those_of_the_reference(void **state)
{
    json_t *file = vectors_open("12_collision"), *coarse = json_object_get(file, "coarse"), *level;
    struct view *view = reference_ground(coarse);
    size_t i;

    (void)state;
    assert_true(json_array_size(json_object_get(coarse, "levels")) > 1);
    json_array_foreach(json_object_get(coarse, "levels"), i, level)
        assert_level_is_the_reference(view, level);
    view_drop(view);
    json_decref(file);
}

/* Rough, with smooth parts, and with holes of all sizes. */
static struct view *rough(const struct layout *layout, struct dice *dice, bool with_holes)
{
    const double scale[3] = { 2, 3, 4 };
    const int32_t columns = layout_columns(layout), rows = layout_rows(layout);
    uint16_t *heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    uint8_t *holes = calloc((size_t)columns * (size_t)rows, 1);
    struct view *view;

    for (int32_t i = 0; i < columns * rows; i++)
        heights[i] = (uint16_t)(30000 + 300 * (i % columns % 17) +
                                (i / columns > rows / 2 ? dice_between(dice, 0, 6000) : 0));
    for (int k = 0; with_holes && k < columns * rows / 40; k++) {
        struct rect hole = dice_rect(dice, columns - 1, rows - 1, 3);

        for (int32_t y = hole.y; y < hole.y + hole.height; y++)
            for (int32_t x = hole.x; x < hole.x + hole.width; x++)
                holes[y * (columns - 1) + x] = 1;
    }
    view = holed(ground_laid_out(layout, scale, heights), holes);
    free(heights);
    free(holes);
    return view;
}

/* By how much they are apart around a place: on whichever side both are solid. */
static double apart_around(const struct collision *grid, double x, double y)
{
    enum { SIDES = 12 };
    const double step = 1e-7, turn = 6.283185307179586 / SIDES;
    double most = 0;

    for (int k = 0; k < SIDES; k++) {
        const double at[2] = { x + step * cos(turn * k + 0.1), y + step * sin(turn * k + 0.1) };
        struct collision_point point;
        struct fault why;
        double z;
        bool hole;

        if (!collide_height(grid->view, at[0], at[1], &z, &hole) || hole ||
            !collision_point(grid, at, &point, &why) || point.hole)
            continue;
        most = fmax(most, fabs(z - point.z));
    }
    return most;
}

/* All places where a line of either grid, or a diagonal, meets another: in doubles, and by asking
 * the two surfaces. */
static double brute_error(const struct collision *grid, struct rect vertices)
{
    const int32_t q = grid->section_quads, steps = grid->section_steps;
    const int32_t across = vertices.width - 1, down = vertices.height - 1;
    double most = 0;

    for (int32_t a = 0; a <= across * steps; a++) {
        if (a % steps != 0 && a % q != 0)
            continue;
        for (int32_t b = 0; b <= down * steps; b++) {
            const bool line = b % steps == 0 || b % q == 0;
            const bool diagonal = (a - b) % steps == 0 || (a - b) % q == 0;

            if (line || diagonal)
                most = fmax(most, apart_around(grid, vertices.x + (double)a / steps,
                                               vertices.y + (double)b / steps));
        }
    }
    for (int32_t b = 0; b <= down * steps; b++) {
        if (b % steps != 0 && b % q != 0)
            continue;
        for (int32_t a = 0; a <= across * steps; a++)
            if ((a - b) % steps == 0 || (a - b) % q == 0)
                most = fmax(most, apart_around(grid, vertices.x + (double)a / steps,
                                               vertices.y + (double)b / steps));
    }
    return most;
}

static void errors_are_what_brute_force_finds(void **state)
{
    static const struct layout layouts[] = { { { 2, 1 }, 2, 7 }, { { 1, 2 }, 1, 15 } };
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct dice dice = { 12 };

    (void)state;
    for (size_t k = 0; k < 4; k++) {
        const struct layout *layout = &layouts[k / 2];
        struct view *view = rough(layout, &dice, k & 1);
        const int32_t quads = layout_component_quads(layout);

        for (int32_t mip = 0; mip < collision_mips(view); mip++) {
            struct collision grid;
            struct fault why = { 0 };
            double errors[2], all, greatest = 0;

            assert_true(collision_init(&grid, view, mip, k & 1 ? cache : NULL, NULL, &why));
            assert_true(collision_errors(
                &grid, (struct rect){ 0, 0, layout->components[0], layout->components[1] }, errors,
                &why));
            for (int c = 0; c < 2; c++) {
                const struct rect own = { layout->components[0] == 2 ? c * quads : 0,
                                          layout->components[1] == 2 ? c * quads : 0, quads + 1,
                                          quads + 1 };
                const double brute = brute_error(&grid, own);

                /* A step to the side costs at most its part of the steepest slope. */
                assert_float_equal(errors[c], brute, 1e-4);
                greatest = fmax(greatest, errors[c]);
            }
            assert_true(collision_error(
                &grid, (struct rect){ 0, 0, layout->components[0], layout->components[1] }, &all,
                &why));
            assert_true(mip == 0 ? greatest == 0 : greatest > 10);
            assert_float_equal(all, greatest, 0);
        }
        view_drop(view);
        derived_cache_free(cache);
        cache = derived_cache_new(1 << 20);
    }
    derived_cache_free(cache);
}

/* The height of one of a section's two grids at a place that is on no line; NaN in a hole. */
static double grid_height(const uint16_t *heights, const uint8_t *holes, int32_t side, double x,
                          double y)
{
    const int32_t i = (int32_t)floor(x), j = (int32_t)floor(y);
    const uint16_t *nw = heights + j * (side + 1) + i, *sw = nw + side + 1;
    const double fx = x - i, fy = y - j;

    if (x <= 0 || y <= 0 || x >= side || y >= side || holes[j * side + i])
        return NAN;
    return fx > fy ? nw[0] * (1 - fx) + nw[1] * (fx - fy) + sw[1] * fy
                   : nw[0] * (1 - fy) + sw[0] * (fy - fx) + sw[1] * fx;
}

static double brute_section(const struct collision_section *section)
{
    const double step = 1e-6;
    double most = 0;

    for (int32_t at = 0; at < 22 * 22 * 12; at++) {
        const double turn = 6.283185307179586 * (at % 12) / 12 + 0.1;
        const double x = at / 12 % 22 / 3.0 + step * cos(turn);
        const double y = at / 12 / 22 / 3.0 + step * sin(turn);
        const double fine = grid_height(section->heights, section->holes, section->quads, x, y);
        const double coarse =
            grid_height(section->coarse, section->coarse_holes, section->steps,
                        x * section->steps / section->quads, y * section->steps / section->quads);

        if (fine == fine && coarse == coarse)
            most = fmax(most, fabs(fine - coarse));
    }
    return most;
}

/* Grids that have nothing to do with each other, mostly holes, so that each kind of meeting of
 * lines is the furthest off some time. */
static void any_two_grids_are_measured(void **state)
{
    struct dice dice = { 99 };

    (void)state;
    for (int k = 0; k < 1000; k++) {
        uint16_t heights[64], coarse[16];
        uint8_t holes[49], coarse_holes[9];
        const struct collision_section section = { 7,      k & 1 ? 3 : 1, heights,
                                                   coarse, holes,         coarse_holes };
        double error;

        for (int i = 0; i < 64; i++)
            heights[i] = (uint16_t)dice_between(&dice, 20000, k & 2 ? 20000 : 24000);
        for (int i = 0; i < 16; i++)
            coarse[i] = (uint16_t)dice_between(&dice, 0, 65535);
        for (int i = 0; i < 49; i++)
            holes[i] = dice_between(&dice, 0, 9) < 8;
        for (int i = 0; i < 9; i++)
            coarse_holes[i] = dice_between(&dice, 0, 9) < 3;
        error = (double)collision_section_error(&section) / (section.quads * section.steps);
        assert_float_equal(error, brute_section(&section), 1);
    }
}

/* No point anywhere is further apart than the error says. */
static void nowhere_is_the_surface_further_off(void **state)
{
    const struct layout layout = { { 2, 2 }, 2, 31 };
    struct derived_cache *cache = derived_cache_new(1 << 22);
    struct dice dice = { 7 };
    struct view *view = rough(&layout, &dice, true);

    (void)state;
    for (int32_t mip = 1; mip < collision_mips(view); mip++) {
        struct collision grid;
        struct fault why = { 0 };
        double error, most = 0;

        assert_true(collision_init(&grid, view, mip, cache, NULL, &why));
        assert_true(collision_error(&grid, (struct rect){ 0, 0, 2, 2 }, &error, &why));
        for (int i = 0; i < 20000; i++) {
            const double at[2] = { dice_real(&dice, 0, 124), dice_real(&dice, 0, 124) };
            struct collision_point point;
            bool hole;
            double z;

            assert_true(collide_height(view, at[0], at[1], &z, &hole));
            assert_true(collision_point(&grid, at, &point, &why));
            if (!hole && !point.hole)
                most = fmax(most, fabs(z - point.z));
        }
        assert_true(most <= error * (1 + 1e-12));
        assert_true(most > error / 3);
    }
    view_drop(view);
    derived_cache_free(cache);
}

/* An executor that takes the pieces from the back. */
static void run_backwards(const struct executor *self, size_t count,
                          void (*piece)(void *work, size_t i), void *work)
{
    (void)self;
    while (count > 0)
        piece(work, --count);
}

static void windows_are_parts_of_the_whole(void **state)
{
    const struct executor backwards = { run_backwards };
    const struct layout layout = { { 3, 2 }, 2, 15 };
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct dice dice = { 3 };
    struct view *view = rough(&layout, &dice, true);

    (void)state;
    for (int32_t mip = 0; mip < collision_mips(view); mip++) {
        struct collision grid;
        struct fault why = { 0 };
        uint16_t *all;
        uint8_t *holes;

        assert_true(collision_init(&grid, view, mip, cache, &backwards, &why));
        all = all_codes(&grid);
        holes = malloc((size_t)(grid.columns - 1) * (size_t)(grid.rows - 1));
        collision_holes(&grid, (struct rect){ 0, 0, grid.columns - 1, grid.rows - 1 }, holes,
                        grid.columns - 1);
        for (int i = 0; i < 200; i++) {
            struct rect window = dice_rect(&dice, grid.columns, grid.rows, 40);
            uint16_t *codes = malloc((size_t)rect_area(window) * sizeof *codes);
            uint8_t *marks = malloc((size_t)rect_area(window));
            const struct rect quads = { window.x, window.y, window.width - 1, window.height - 1 };

            assert_true(collision_heights(&grid, window, codes, window.width, &why));
            collision_holes(&grid, quads, marks, window.width);
            for (int32_t y = 0; y < window.height; y++)
                for (int32_t x = 0; x < window.width; x++) {
                    assert_int_equal(codes[y * window.width + x],
                                     all[(window.y + y) * grid.columns + window.x + x]);
                    if (x < quads.width && y < quads.height)
                        assert_int_equal(marks[y * window.width + x],
                                         holes[(window.y + y) * (grid.columns - 1) + window.x + x]);
                }
            free(codes);
            free(marks);
        }
        free(all);
        free(holes);
    }
    view_drop(view);
    derived_cache_free(cache);
}

/* What is kept is never of an older surface, and what an edit did not touch is not made again. */
static void an_edit_is_seen_where_it_is(void **state)
{
    const struct layout layout = { { 2, 1 }, 1, 127 };
    const struct rect both = { 0, 0, 2, 1 }, spot = { 200, 50, 3, 3 };
    struct derived_cache *cache = derived_cache_new(1 << 20);
    struct dice dice = { 5 };
    struct view *view = rough(&layout, &dice, false);
    uint16_t codes[9];
    struct fault why = { 0 };
    struct derived_numbers before, after;
    struct collision grid;
    struct change change;
    struct draft *draft;
    double errors[2], old[2];

    (void)state;
    assert_true(collision_init(&grid, view, 2, cache, NULL, &why));
    assert_true(collision_errors(&grid, both, old, &why));
    derived_numbers(cache, &before);
    draft = draft_new(view, &why);
    for (int i = 0; i < 9; i++)
        codes[i] = i & 1 ? 65535 : 0;
    assert_true(draft_write_heights(draft, spot, codes, 3, &why));
    view = ground_finish(draft, view, &change);
    assert_true(collision_init(&grid, view, 2, cache, NULL, &why));
    assert_true(collision_errors(&grid, both, errors, &why));
    derived_numbers(cache, &after);
    assert_float_equal(errors[0], old[0], 0);
    assert_true(errors[1] > 500);
    assert_int_equal(after.misses - before.misses, 1);
    view_drop(view);
    derived_cache_free(cache);
}

static void a_mip_that_is_not_there_is_named(void **state)
{
    const struct layout layout = { { 1, 1 }, 1, 7 };
    struct dice dice = { 5 };
    struct view *view = rough(&layout, &dice, false);
    struct fault why = { 0 };
    struct collision grid;

    (void)state;
    assert_int_equal(collision_mips(view), 3);
    assert_false(collision_init(&grid, view, 3, NULL, NULL, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    assert_non_null(strstr(why.detail, "nearest is 2"));
    assert_false(collision_init(&grid, view, -1, NULL, NULL, &why));
    assert_non_null(strstr(why.detail, "nearest is 0"));
    assert_true(collision_init(&grid, view, 2, NULL, NULL, &why));
    {
        const double beyond[][2] = { { 7.001, 0 }, { 0, -1e-9 }, { NAN, 1 }, { 1, INFINITY } };
        struct collision_point point = { .z = -7 };

        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
            assert_false(collision_point(&grid, beyond[i], &point, &why));
            assert_int_equal(why.code, FAULT_RANGE);
            assert_float_equal(point.z, -7, 0);
        }
    }
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coarser_mips_are_those_of_the_reference),
        cmocka_unit_test(errors_are_what_brute_force_finds),
        cmocka_unit_test(any_two_grids_are_measured),
        cmocka_unit_test(nowhere_is_the_surface_further_off),
        cmocka_unit_test(windows_are_parts_of_the_whole),
        cmocka_unit_test(an_edit_is_seen_where_it_is),
        cmocka_unit_test(a_mip_that_is_not_there_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
