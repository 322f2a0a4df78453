/* Slope, aspect and curvature against surfaces whose derivatives are known. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/landform.h"

/* z = (r x^2 + t y^2) / 2 + s x y + p x + q y in metres, x east and y south. */
struct quadric {
    double r, s, t, p, q;
};

static void window_of(const struct quadric *z, const struct grid *grid, double window[9])
{
    for (int k = 0; k < 9; k++) {
        double x = (k % 3 - 1) * grid->scale[0], y = (k / 3 - 1) * grid->scale[1];
        double metres = (z->r * x * x + z->t * y * y) / 2 + z->s * x * y + z->p * x + z->q * y;

        window[k] = grid_code(grid, metres);
    }
}

static void forms_of(const struct quadric *z, const struct grid *grid, double forms[LANDFORMS])
{
    double window[9];

    window_of(z, grid, window);
    landform_window(window, grid, forms);
}

static struct grid grid_of(double x, double y, double z)
{
    return (struct grid){ 9, 9, { x, y, z }, { 3, 5, 7 } };
}

static void a_plane_has_its_slope_and_aspect_and_no_bend(void **state)
{
    /* compass points, and the rises whose way down they are */
    static const struct {
        double east, south, aspect;
    } ways[] = { { 0, 1, 0 },    { -1, 1, 45 },  { -1, 0, 90 }, { -1, -1, 135 },
                 { 0, -1, 180 }, { 1, -1, 225 }, { 1, 0, 270 }, { 1, 1, 315 } };
    const struct grid grid = grid_of(2, 3, 0.5);

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (double steep = 0.01; steep < 20; steep *= 3) {
            const struct quadric plane = { .p = steep * ways[i].east, .q = steep * ways[i].south };
            double forms[LANDFORMS];

            forms_of(&plane, &grid, forms);
            assert_float_equal(forms[LANDFORM_SLOPE], atan(hypot(plane.p, plane.q)) * 180 / M_PI,
                               1e-9);
            assert_float_equal(forms[LANDFORM_ASPECT], ways[i].aspect, 1e-9);
            assert_float_equal(forms[LANDFORM_PLAN], 0, 1e-9);
            assert_float_equal(forms[LANDFORM_PROFILE], 0, 1e-9);
            assert_float_equal(forms[LANDFORM_MEAN], 0, 1e-9);
        }
    }
}

static void level_ground_faces_nowhere(void **state)
{
    const struct grid grid = grid_of(2, 3, 0.5);
    const struct quadric dome = { .r = -0.02, .t = -0.02 };
    double forms[LANDFORMS], flat[9];

    (void)state;
    for (int k = 0; k < 9; k++)
        flat[k] = 65535;
    landform_window(flat, &grid, forms);
    assert_true(forms[LANDFORM_SLOPE] == 0 && forms[LANDFORM_MEAN] == 0);
    assert_false(signbit(forms[LANDFORM_MEAN]));
    assert_true(isnan(forms[LANDFORM_ASPECT]) && isnan(forms[LANDFORM_PLAN]));
    assert_true(isnan(forms[LANDFORM_PROFILE]));
    /* the top of a dome: a sphere of radius 50 */
    forms_of(&dome, &grid, forms);
    assert_true(forms[LANDFORM_SLOPE] == 0 && isnan(forms[LANDFORM_ASPECT]));
    assert_float_equal(forms[LANDFORM_MEAN], 0.02, 1e-12);
}

/* By turning the frame to the way down: z along it bends by its second derivative there. */
static void curvatures_are_those_of_the_section_and_the_contour(void **state)
{
    struct dice dice = { 7 };

    (void)state;
    for (int i = 0; i < 5000; i++) {
        const struct grid grid =
            grid_of(dice_real(&dice, 0.3, 4), dice_real(&dice, 0.3, 4), dice_real(&dice, 0.2, 2));
        const struct quadric z = { dice_real(&dice, -1, 1), dice_real(&dice, -1, 1),
                                   dice_real(&dice, -1, 1), dice_real(&dice, -2, 2),
                                   dice_real(&dice, -2, 2) };
        const double steep = hypot(z.p, z.q), c = -z.p / steep, d = -z.q / steep;
        /* second derivatives down the slope, along the contour, and the first down the slope */
        const double down = z.r * c * c + 2 * z.s * c * d + z.t * d * d;
        const double along = z.r * d * d - 2 * z.s * c * d + z.t * c * c;
        const double stretch = 1 + steep * steep;
        double forms[LANDFORMS];

        forms_of(&z, &grid, forms);
        assert_float_equal(forms[LANDFORM_PROFILE], -down / pow(stretch, 1.5),
                           1e-8 * (1 + fabs(down)));
        assert_float_equal(forms[LANDFORM_PLAN], -along / steep, 1e-8 * (1 + fabs(along / steep)));
        /* principal curvatures need not be these two, but any square pair has the same sum */
        assert_float_equal(forms[LANDFORM_MEAN],
                           -(down / pow(stretch, 1.5) + along / sqrt(stretch)) / 2, 1e-8);
    }
}

static void domes_are_convex_and_bowls_concave(void **state)
{
    const struct grid grid = grid_of(1, 1, 1);
    double forms[LANDFORMS];

    (void)state;
    /* 10 east of the top of z = -x^2 / 100 - y^2 / 100 */
    forms_of(&(const struct quadric){ -0.02, 0, -0.02, -0.2, 0 }, &grid, forms);
    assert_true(forms[LANDFORM_PROFILE] > 0 && forms[LANDFORM_MEAN] > 0);
    assert_float_equal(forms[LANDFORM_PLAN], 0.1, 1e-9); /* contours are circles of radius 10 */
    forms_of(&(const struct quadric){ 0.02, 0, 0.02, 0.2, 0 }, &grid, forms);
    assert_true(forms[LANDFORM_PROFILE] < 0 && forms[LANDFORM_MEAN] < 0);
    assert_float_equal(forms[LANDFORM_PLAN], -0.1, 1e-9);
    /* a saddle: on the way down it is convex one way and gathers the other */
    forms_of(&(const struct quadric){ -0.02, 0, 0.02, -0.2, 0 }, &grid, forms);
    assert_true(forms[LANDFORM_PROFILE] > 0 && forms[LANDFORM_PLAN] < 0);
}

static void assert_same(const double *a, const double *b)
{
    for (int what = 0; what < LANDFORMS; what++) {
        if (isnan(a[what]) || isnan(b[what]))
            assert_true(isnan(a[what]) && isnan(b[what]));
        else
            assert_memory_equal(a + what, b + what, sizeof *a);
    }
}

static void rows_windows_and_places_agree(void **state)
{
    enum { COLUMNS = 613, ROWS = 40 };
    struct view *view = ground_rough(COLUMNS, ROWS, 8);
    const struct grid *grid = view_grid(view);
    const int64_t stride = COLUMNS + 2;
    double *codes = malloc((size_t)stride * (ROWS + 2) * sizeof *codes);
    double(*rows)[COLUMNS] = malloc(LANDFORMS * sizeof *rows);

    (void)state;
    view->settings->grid.scale[1] = 1.7;
    landform_read(view, (struct rect){ -1, -1, COLUMNS + 2, ROWS + 2 }, codes, stride);
    for (int32_t y = 0; y < ROWS; y++) {
        const double *north = codes + y * stride;

        for (int what = 0; what < LANDFORMS; what++)
            landform_row((enum landform)what, grid, north, north + stride, north + 2 * stride,
                         COLUMNS, rows[what]);
        for (int32_t x = 0; x < COLUMNS; x++) {
            double window[9], forms[LANDFORMS], here[LANDFORMS], row[LANDFORMS];

            for (int k = 0; k < 9; k++)
                window[k] = north[k / 3 * stride + x + k % 3];
            for (int what = 0; what < LANDFORMS; what++)
                row[what] = rows[what][x];
            assert_float_equal(window[4], view_height(view, x, y), 0);
            landform_window(window, grid, forms);
            assert_same(forms, row);
            assert_true(landform_at(view, (const double[2]){ x, y }, here));
            assert_same(forms, here);
        }
    }
    free(codes);
    free(rows);
    view_drop(view);
}

static void a_plane_is_the_same_at_its_border_and_between_vertices(void **state)
{
    enum { COLUMNS = 140, ROWS = 130 };
    uint16_t *heights = malloc(COLUMNS * ROWS * sizeof *heights);
    struct dice dice = { 9 };
    struct view *view;

    (void)state;
    for (int32_t i = 0; i < COLUMNS * ROWS; i++)
        heights[i] = (uint16_t)(20000 + 128 * (i % COLUMNS) - 64 * (i / COLUMNS));
    view = ground_of(COLUMNS, ROWS, heights);
    for (int i = 0; i < 3000; i++) {
        double at[2] = { dice_real(&dice, 0, COLUMNS - 1), dice_real(&dice, 0, ROWS - 1) };
        double forms[LANDFORMS];

        if (i % 3 == 0)
            at[0] = i & 1 ? 0 : COLUMNS - 1;
        if (i % 4 == 0)
            at[1] = i & 1 ? 0 : ROWS - 1;
        assert_true(landform_at(view, at, forms));
        assert_float_equal(forms[LANDFORM_SLOPE], atan(hypot(1, 0.5)) * 180 / M_PI, 1e-8);
        assert_float_equal(forms[LANDFORM_ASPECT], 270 - atan(0.5) * 180 / M_PI, 1e-8);
        assert_float_equal(forms[LANDFORM_MEAN], 0, 1e-8);
    }
    free(heights);
    view_drop(view);
}

static void slopes_change_without_a_step(void **state)
{
    struct view *view = ground_rough(60, 50, 4);
    struct dice dice = { 10 };

    (void)state;
    for (int i = 0; i < 3000; i++) {
        const double at[2] = { dice_real(&dice, 0, 58), dice_real(&dice, 0, 48) };
        const double beside[2] = { at[0] + 1e-9, at[1] + 1e-9 };
        double a[LANDFORMS], b[LANDFORMS];

        assert_true(landform_at(view, at, a) && landform_at(view, beside, b));
        assert_float_equal(a[LANDFORM_SLOPE], b[LANDFORM_SLOPE], 1e-4);
        assert_float_equal(a[LANDFORM_MEAN], b[LANDFORM_MEAN], 1e-4);
    }
    view_drop(view);
}

static void outside_there_is_no_form(void **state)
{
    struct view *view = ground_rough(60, 50, 4);
    double forms[LANDFORMS];

    (void)state;
    assert_false(landform_at(view, (const double[2]){ -1e-9, 3 }, forms));
    assert_false(landform_at(view, (const double[2]){ 3, 49.0001 }, forms));
    assert_false(landform_at(view, (const double[2]){ NAN, 3 }, forms));
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_has_its_slope_and_aspect_and_no_bend),
        cmocka_unit_test(level_ground_faces_nowhere),
        cmocka_unit_test(curvatures_are_those_of_the_section_and_the_contour),
        cmocka_unit_test(domes_are_convex_and_bowls_concave),
        cmocka_unit_test(rows_windows_and_places_agree),
        cmocka_unit_test(a_plane_is_the_same_at_its_border_and_between_vertices),
        cmocka_unit_test(slopes_change_without_a_step),
        cmocka_unit_test(outside_there_is_no_form),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
