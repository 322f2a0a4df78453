/* Statistics, cut and fill of regions, against every vertex and every triangle one by one: the
 * triangles' corners in three dimensions, clipped and added in long doubles. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/earthwork.h"
#include "terrain/query/statistics.h"

enum { COLUMNS = 190, ROWS = 148, CORNERS = 24 };

typedef long double real;

/* A polygon in the plane, with a height above something at each corner. */
struct sheet {
    int count;
    real at[CORNERS][3];
};

/* The part of it where the signed distance is at least 0. */
static struct sheet cut(const struct sheet *from, real (*side)(const void *, const real[3]),
                        const void *context)
{
    struct sheet to = { 0 };

    for (int i = 0; i < from->count; i++) {
        const real *p = from->at[i], *q = from->at[(i + 1) % from->count];
        const real a = side(context, p), b = side(context, q);

        if (a >= 0)
            memcpy(to.at[to.count++], p, sizeof to.at[0]);
        if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
            for (int k = 0; k < 3; k++)
                to.at[to.count][k] = (a * q[k] - b * p[k]) / (a - b);
            to.count++;
        }
    }
    return to;
}

static real up(const void *context, const real at[3])
{
    return *(const int *)context * at[2];
}

/* The integral of the height over it, and its area. */
static real integral(const struct sheet *sheet, real *area)
{
    real sum = 0, all = 0;

    for (int i = 1; i + 1 < sheet->count; i++) {
        const real *a = sheet->at[0], *b = sheet->at[i], *c = sheet->at[i + 1];
        const real part = fabsl((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;

        all += part;
        sum += part * (a[2] + b[2] + c[2]) / 3;
    }
    *area = all;
    return sum;
}

/* Edges of a triangle in the plane, its corners clockwise or not. */
struct corner {
    const double (*at)[2];
    int k;
    real turn;
};

static real beside(const void *context, const real p[3])
{
    const struct corner *corner = context;
    const double *a = corner->at[corner->k], *b = corner->at[(corner->k + 1) % 3];

    return corner->turn *
           (((real)b[0] - a[0]) * (p[1] - a[1]) - ((real)b[1] - a[1]) * (p[0] - a[0]));
}

struct sums {
    int64_t vertices, changed;
    real sum, squares, plan, surface, above, below, area_above, area_below;
    double least, greatest;
    int32_t least_at[2], greatest_at[2];
};

static void add_sheet(const struct sheet *sheet, real sign, real steep, struct sums *sums)
{
    const int above = 1, below = -1;
    struct sheet part;
    real area;

    integral(sheet, &area);
    sums->plan += sign * area;
    sums->surface += sign * area * steep;
    part = cut(sheet, up, &above);
    sums->above += sign * integral(&part, &area);
    sums->area_above += sign * area;
    part = cut(sheet, up, &below);
    sums->below -= sign * integral(&part, &area);
    sums->area_below += sign * area;
}

/* Whether a triangle lies wholly to one side, only to save time. */
static bool apart(const struct sheet *sheet, const double fan[3][2])
{
    for (int k = 0; k < 2; k++)
        if (fmax(fan[0][k], fmax(fan[1][k], fan[2][k])) < (double)sheet->at[0][k] ||
            fmin(fan[0][k], fmin(fan[1][k], fan[2][k])) > (double)sheet->at[2][k])
            return true;
    return false;
}

/* The polygon as triangles round its first point, each with its turn: what they add up to is the
 * polygon, whatever its form, unless its sides cross. */
static void add_cut_sheet(const struct sheet *sheet, const double (*points)[2], int count,
                          real steep, struct sums *sums)
{
    for (int i = 1; i + 1 < count; i++) {
        const double fan[3][2] = { { points[0][0], points[0][1] },
                                   { points[i][0], points[i][1] },
                                   { points[i + 1][0], points[i + 1][1] } };
        const real turn = ((real)fan[1][0] - fan[0][0]) * (fan[2][1] - fan[0][1]) -
                          ((real)fan[2][0] - fan[0][0]) * (fan[1][1] - fan[0][1]);
        struct sheet part;

        if (apart(sheet, fan))
            continue;
        part = *sheet;
        for (int k = 0; k < 3 && turn != 0; k++)
            part = cut(&part, beside,
                       &(struct corner){ (const double(*)[2])fan, k, turn > 0 ? 1 : -1 });
        if (turn != 0)
            add_sheet(&part, turn > 0 ? 1 : -1, steep, sums);
    }
}

/* In the polygon or on its border. */
static bool holds(const double (*points)[2], int count, double x, double y)
{
    bool inside = false;

    for (int i = 0; i < count; i++) {
        const double *a = points[i], *b = points[(i + 1) % count];
        const real turn = ((real)b[0] - a[0]) * (y - a[1]) - ((real)b[1] - a[1]) * ((real)x - a[0]);

        if (turn == 0 && x >= fmin(a[0], b[0]) && x <= fmax(a[0], b[0]) && y >= fmin(a[1], b[1]) &&
            y <= fmax(a[1], b[1]))
            return true;
        if ((a[1] > y) != (b[1] > y) && (turn > 0) == (b[1] > a[1]))
            inside = !inside;
    }
    return inside;
}

/* Heights over which something is asked: metres at each vertex, and where there is none. */
struct model {
    const struct view *view, *other; /* later less earlier, if there is another */
    struct rect over;
    const double (*points)[2];
    int count;
    double plane[3];
};

static bool solid(const struct model *model, int32_t i, int32_t j)
{
    const struct rect all = view_rect(model->view);

    return i >= 0 && j >= 0 && i < all.width - 1 && j < all.height - 1 &&
           !view_hole(model->view, i, j) && !(model->other && view_hole(model->other, i, j));
}

static real metres(const struct model *model, int32_t x, int32_t y)
{
    const real here = grid_metres(view_grid(model->view), view_height(model->view, x, y));

    return model->other
               ? here - (real)grid_metres(view_grid(model->other), view_height(model->other, x, y))
               : here - ((real)model->plane[0] + (real)model->plane[1] * x +
                         (real)model->plane[2] * y);
}

static void count_vertex(const struct model *model, int32_t x, int32_t y, struct sums *sums)
{
    const double z = model->other
                         ? (double)metres(model, x, y)
                         : grid_metres(view_grid(model->view), view_height(model->view, x, y));

    if (!solid(model, x, y) && !solid(model, x - 1, y) && !solid(model, x, y - 1) &&
        !solid(model, x - 1, y - 1))
        return;
    if (sums->vertices == 0 || z < sums->least) {
        sums->least = z;
        sums->least_at[0] = x;
        sums->least_at[1] = y;
    }
    if (sums->vertices == 0 || z > sums->greatest) {
        sums->greatest = z;
        sums->greatest_at[0] = x;
        sums->greatest_at[1] = y;
    }
    sums->vertices++;
    sums->changed += z != 0;
    sums->sum += z;
    sums->squares += (real)z * z;
}

static void count_triangle(const struct model *model, int32_t x, int32_t y, int south_west,
                           struct sums *sums)
{
    const struct grid *grid = view_grid(model->view);
    const int32_t at[3][2] = { { x, y }, { x + !south_west, y + south_west }, { x + 1, y + 1 } };
    struct sheet sheet = { .count = 3 };
    real a[3], b[3], z[3], cross[3];

    for (int k = 0; k < 3; k++) {
        sheet.at[k][0] = at[k][0];
        sheet.at[k][1] = at[k][1];
        sheet.at[k][2] = metres(model, at[k][0], at[k][1]);
        z[k] = grid_metres(grid, view_height(model->view, at[k][0], at[k][1]));
    }
    for (int k = 0; k < 2; k++) {
        a[k] = (at[1][k] - at[0][k]) * (real)grid->scale[k];
        b[k] = (at[2][k] - at[0][k]) * (real)grid->scale[k];
    }
    a[2] = z[1] - z[0];
    b[2] = z[2] - z[0];
    for (int k = 0; k < 3; k++)
        cross[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    cross[0] = sqrtl(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) /
               ((real)grid->scale[0] * grid->scale[1]);
    if (model->points)
        add_cut_sheet(&sheet, model->points, model->count, cross[0], sums);
    else
        add_sheet(&sheet, 1, cross[0], sums);
}

static struct sums recount(const struct model *model)
{
    const struct rect over = model->over;
    struct sums sums = { 0 };

    for (int32_t y = over.y; y < over.y + over.height; y++)
        for (int32_t x = over.x; x < over.x + over.width; x++) {
            if (!model->points || holds(model->points, model->count, x, y))
                count_vertex(model, x, y, &sums);
            if (x < over.x + over.width - 1 && y < over.y + over.height - 1 && solid(model, x, y))
                for (int k = 0; k < 2; k++)
                    count_triangle(model, x, y, k, &sums);
        }
    return sums;
}

/* Equal but for the rounding of what they are sums of. */
static void assert_near(double told, real counted, double of)
{
    if (!(fabsl(told - counted) <= 1e-11L * of))
        fail_msg("%.17g is not %.17Lg (of %g)", told, counted, of);
}

static void reversed(const struct executor *self, size_t count, void (*piece)(void *, size_t),
                     void *work)
{
    (void)self;
    while (count > 0)
        piece(work, --count);
}

static const struct executor backwards = { reversed };

static struct statistics ask(const struct view *view, const struct region *region,
                             const double plane[3])
{
    struct statistics_asked asked = { true, true, true, true, { 0 }, false };
    struct statistics told, again;
    struct fault why = { 0 };

    memcpy(asked.plane, plane, sizeof asked.plane);
    assert_true(statistics_of(view, region, &asked, NULL, &told, &why));
    assert_true(statistics_of(view, region, &asked, &backwards, &again, &why));
    assert_memory_equal(told.codes, again.codes, STATISTICS_CODES * sizeof *told.codes);
    statistics_free(&again);
    again.codes = told.codes;
    assert_memory_equal(&told, &again, sizeof told);
    return told;
}

static void assert_told(const struct model *model, const struct statistics *told)
{
    const struct sums counted = recount(model);
    const struct grid *grid = view_grid(model->view);
    const double quad = grid->scale[0] * grid->scale[1];
    const double area = 1 + (double)rect_area(model->over);
    const double volume = area * (double)(counted.greatest - counted.least + 1000);

    assert_int_equal(told->vertices, counted.vertices);
    if (counted.vertices > 0) {
        const real mean = counted.sum / counted.vertices;
        const real spread = counted.squares / counted.vertices - mean * mean;

        assert_true(told->least == counted.least && told->greatest == counted.greatest);
        assert_memory_equal(told->least_at, counted.least_at, sizeof told->least_at);
        assert_memory_equal(told->greatest_at, counted.greatest_at, sizeof told->greatest_at);
        assert_near(told->mean, mean, 1000);
        assert_near(told->deviation * told->deviation, spread, 1e6);
    } else {
        assert_true(isnan(told->mean) && isnan(told->least) && isnan(told->deviation));
    }
    assert_near(told->plan_area / quad, counted.plan, area);
    assert_near(told->surface_area / quad, counted.surface, area * 300);
    assert_near(told->above / quad, counted.above, volume);
    assert_near(told->below / quad, counted.below, volume);
    assert_near(told->area_above / quad, counted.area_above, area);
    assert_near(told->area_below / quad, counted.area_below, area);
}

/* Rough in places, flat in others, with holes and a scale of its own. */
static struct view *ground_make(struct dice *dice, bool holes)
{
    struct view *view = ground_rough(COLUMNS, ROWS, dice_throw(dice));
    struct settings *settings = settings_copy(view->settings);
    const struct rect all = view_rect(view);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft;
    uint16_t *flat = calloc((size_t)rect_area(all), sizeof *flat);
    uint8_t *gaps = malloc((size_t)rect_area(all));

    settings->grid.scale[0] = 2;
    settings->grid.scale[1] = 1.5;
    settings->grid.scale[2] = 0.75;
    settings->grid.origin[2] = 100;
    draft = draft_new(view, &why);
    assert_true(draft && draft_settings(draft, &settings, &why));
    for (int i = 0; i < 4; i++) {
        struct rect at = dice_rect(dice, all.width, all.height, 90);
        uint16_t code = (uint16_t)dice_between(dice, 30000, 40000);

        for (int64_t k = 0; k < rect_area(at); k++)
            flat[k] = code;
        assert_true(draft_write_heights(draft, at, flat, at.width, &why));
    }
    for (int i = 0; holes && i < 3; i++) {
        struct rect at = dice_rect(dice, all.width - 1, all.height - 1, 30);

        for (int64_t k = 0; k < rect_area(at); k++)
            gaps[k] = dice_between(dice, 0, 3) ? 255 : 0;
        assert_true(draft_write_holes(draft, at, gaps, at.width, &why));
    }
    free(flat);
    free(gaps);
    return ground_finish(draft, view, &change);
}

static void plane_throw(struct dice *dice, int round, double plane[3])
{
    plane[0] = dice_real(dice, -100, 300);
    plane[1] = round % 2 ? dice_real(dice, -2, 2) : 0;
    plane[2] = round % 2 ? dice_real(dice, -2, 2) : 0;
}

static void rectangles_are_the_sum_of_their_vertices_and_triangles(void **state)
{
    struct dice dice = { 5 };

    (void)state;
    for (int round = 0; round < 16; round++) {
        struct view *view = ground_make(&dice, round % 3);
        const struct rect all = view_rect(view);
        struct model model = { .view = view,
                               .over =
                                   round % 4 ? dice_rect(&dice, all.width, all.height, 140) : all };
        struct region region;
        struct statistics told;

        if (round % 8 == 1)
            model.over.width = model.over.height = 1;
        plane_throw(&dice, round, model.plane);
        region = region_rect(model.over);
        told = ask(view, &region, model.plane);
        assert_told(&model, &told);
        statistics_free(&told);
        view_drop(view);
    }
}

/* A star round a place: simple, and as jagged as it likes. */
static void star_throw(struct dice *dice, int count, struct rect all, bool whole,
                       double (*points)[2])
{
    const double x = dice_real(dice, 0, all.width), y = dice_real(dice, 0, all.height);

    for (int i = 0; i < count; i++) {
        const double angle = 2 * M_PI * (i + dice_real(dice, 0, 0.9)) / count;
        const double far = dice_real(dice, 1, 110);

        points[i][0] = x + far * cos(angle);
        points[i][1] = y + far * sin(angle);
        for (int k = 0; whole && k < 2; k++)
            points[i][k] = round(points[i][k]);
    }
}

/* Also of whole numbers, whose sides run through vertices and along quads; rounding may make those
 * touch themselves, but then crossings would make an unfair judge, so such have few points. */
static void polygons_are_cut_out_of_triangles(void **state)
{
    struct dice dice = { 11 };

    (void)state;
    for (int round = 0; round < 24; round++) {
        struct view *view = ground_make(&dice, round % 3);
        struct model model = { .view = view, .over = view_rect(view) };
        const int count = round % 2 ? 3 : dice_between(&dice, 3, 40);
        double points[40][2];
        struct region region;
        struct statistics told;
        struct fault why = { 0 };

        star_throw(&dice, count, model.over, round % 2, points);
        model.points = (const double(*)[2])points;
        model.count = count;
        plane_throw(&dice, round / 2, model.plane);
        assert_true(region_polygon(view, model.points, (size_t)count, &region, &why));
        told = ask(view, &region, model.plane);
        assert_told(&model, &told);
        statistics_free(&told);
        region_fini(&region);
        view_drop(view);
    }
}

static struct statistics of_polygon(const struct view *view, const double (*points)[2],
                                    size_t count, const double plane[3])
{
    struct region region;
    struct fault why = { 0 };
    struct statistics told;

    assert_true(region_polygon(view, points, count, &region, &why));
    told = ask(view, &region, plane);
    region_fini(&region);
    return told;
}

static void a_polygon_along_a_rectangle_is_the_rectangle(void **state)
{
    struct dice dice = { 23 };
    struct view *view = ground_make(&dice, true);

    (void)state;
    for (int round = 0; round < 50; round++) {
        struct rect over = dice_rect(&dice, COLUMNS, ROWS, 200);
        const double x0 = over.x, y0 = over.y, x1 = x0 + over.width - 1, y1 = y0 + over.height - 1;
        const double ring[5][2] = { { x0, y0 }, { x1, y0 }, { x1, y1 }, { x0, y1 }, { x0, y0 } };
        const struct region region = region_rect(over);
        double plane[3];
        struct statistics one, other;

        plane_throw(&dice, round, plane);
        one = ask(view, &region, plane);
        other = of_polygon(view, ring, round % 2 ? 5 : 4, plane);
        assert_memory_equal(one.codes, other.codes, STATISTICS_CODES * sizeof *one.codes);
        assert_int_equal(one.vertices, other.vertices);
        assert_memory_equal(one.least_at, other.least_at, sizeof one.least_at);
        assert_true(one.mean == other.mean || one.vertices == 0);
        assert_float_equal(one.plan_area, other.plan_area, 0);
        assert_near(one.surface_area, other.surface_area, one.surface_area);
        assert_near(one.above, other.above, one.above + one.below);
        assert_near(one.below, other.below, one.above + one.below);
        statistics_free(&one);
        statistics_free(&other);
    }
    view_drop(view);
}

/* Two windows that share a row of vertices; what is above less what is below does not depend on
 * where the plane lies but for its height times the area. */
static void parts_add_up_and_planes_differ_by_their_height(void **state)
{
    struct dice dice = { 31 };
    struct view *view = ground_make(&dice, true);

    (void)state;
    for (int round = 0; round < 30; round++) {
        const int32_t split = dice_between(&dice, 1, ROWS - 2);
        const double plane[3] = { dice_real(&dice, -50, 250), 0, 0 }, sea[3] = { -1000, 0, 0 };
        const struct region north = region_rect((struct rect){ 0, 0, COLUMNS, split + 1 });
        const struct region south = region_rect((struct rect){ 0, split, COLUMNS, ROWS - split });
        const struct region all = region_rect(view_rect(view));
        struct statistics a = ask(view, &north, plane), b = ask(view, &south, plane);
        struct statistics c = ask(view, &all, plane), d = ask(view, &all, sea);

        assert_near(a.plan_area + b.plan_area, c.plan_area, c.plan_area);
        assert_near(a.surface_area + b.surface_area, c.surface_area, c.surface_area);
        assert_near(a.above + b.above, c.above, c.above);
        assert_near(a.below + b.below, c.below, c.below);
        assert_near(c.above - c.below, (real)d.above - (plane[0] + 1000) * (real)c.plan_area,
                    d.above);
        assert_near(c.area_above + c.area_below, c.plan_area, c.plan_area);
        statistics_free(&a);
        statistics_free(&b);
        statistics_free(&c);
        statistics_free(&d);
    }
    view_drop(view);
}

/* A slope of 3 in 4 each way: everything is known beforehand. */
static void a_tilted_plane_has_the_numbers_of_one(void **state)
{
    uint16_t *codes = malloc(sizeof *codes * COLUMNS * ROWS);
    const struct region region = region_rect((struct rect){ 0, 0, 101, 101 });
    const double flat[3] = { 0, 0, 0 }, same[3] = { 0, 0.75, 0 }, over[3] = { 2, 0.75, 0 };
    struct statistics told;
    struct view *view;

    (void)state;
    for (int32_t i = 0; i < COLUMNS * ROWS; i++)
        codes[i] = (uint16_t)(32768 + 96 * (i % COLUMNS));
    view = ground_of(COLUMNS, ROWS, codes);
    told = ask(view, &region, flat);
    assert_float_equal(told.plan_area, 10000, 0);
    assert_near(told.surface_area, 12500, 12500);
    assert_near(told.above, 375000, 375000);
    assert_float_equal(told.below, 0, 0);
    assert_float_equal(told.mean, 37.5, 0);
    assert_float_equal(statistics_percentile(&told, view_grid(view), 50), 37.5, 0);
    assert_float_equal(statistics_percentile(&told, view_grid(view), 0), 0, 0);
    assert_float_equal(statistics_percentile(&told, view_grid(view), 100), 75, 0);
    statistics_free(&told);
    told = ask(view, &region, same);
    assert_float_equal(told.above, 0, 0);
    assert_float_equal(told.below, 0, 0);
    statistics_free(&told);
    told = ask(view, &region, over);
    assert_near(told.below, 20000, 20000);
    statistics_free(&told);
    free(codes);
    view_drop(view);
}

static int by_value(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static void percentiles_and_bins_are_those_of_sorted_heights(void **state)
{
    struct dice dice = { 41 };
    struct view *view = ground_make(&dice, false);
    const struct grid *grid = view_grid(view);
    const double none[3] = { 0 };

    (void)state;
    for (int round = 0; round < 40; round++) {
        const struct rect over = dice_rect(&dice, COLUMNS, ROWS, round % 2 ? 6 : 190);
        const size_t count = (size_t)rect_area(over);
        const struct region region = region_rect(over);
        struct statistics told = ask(view, &region, none);
        uint16_t *codes = malloc(count * sizeof *codes);
        uint64_t bins[7], expected[7] = { 0 };
        const double percent = round % 5 ? dice_real(&dice, 0, 100) : 25.0 * (round % 4);
        const double place = percent / 100 * (double)(count - 1);
        const size_t low = (size_t)place, high = low + 1 < count ? low + 1 : low;
        const double from = told.least, to = round % 3 ? told.greatest : told.least + 20;

        view_read_heights(view, over, codes, over.width);
        qsort(codes, count, sizeof *codes, by_value);
        assert_near(
            statistics_percentile(&told, grid, percent),
            grid_metres(grid, codes[low] + (place - (double)low) * (codes[high] - codes[low])), 1);
        for (size_t i = 0; i < count; i++) {
            const double z = grid_metres(grid, codes[i]), width = (to - from) / 7;
            int bin = 6;

            while (bin > 0 && z < from + bin * width)
                bin--;
            if (z <= to)
                expected[bin]++;
        }
        statistics_bins(&told, grid, from, to, 7, bins);
        if (to > from)
            assert_memory_equal(bins, expected, sizeof bins);
        else
            assert_int_equal(bins[0], count);
        free(codes);
        statistics_free(&told);
    }
    view_drop(view);
}

/* What only summaries are asked for is the same as when every vertex is looked at. */
static void summaries_tell_what_a_recount_tells(void **state)
{
    struct dice dice = { 43 };
    struct view *view = ground_rough(442, 316, 3);
    const double none[3] = { 0 };

    (void)state;
    for (int round = 0; round < 30; round++) {
        const struct region region =
            region_rect(round % 5 ? dice_rect(&dice, 442, 316, 440) : view_rect(view));
        const struct statistics_asked little = { 0 };
        struct statistics told, full = ask(view, &region, none);
        struct fault why = { 0 };

        assert_true(statistics_of(view, &region, &little, &backwards, &told, &why));
        assert_int_equal(told.vertices, full.vertices);
        assert_true(told.least == full.least && told.greatest == full.greatest &&
                    told.mean == full.mean && told.plan_area == full.plan_area);
        assert_memory_equal(told.least_at, full.least_at, sizeof told.least_at);
        assert_memory_equal(told.greatest_at, full.greatest_at, sizeof told.greatest_at);
        statistics_free(&full);
    }
    view_drop(view);
}

/* Even-odd: a bow tie is two triangles, a ring's overlap is outside, squares that touch at a corner
 * or share a side are both there. */
static void sides_may_touch_and_cross(void **state)
{
    static const double bow[4][2] = { { 10, 10 }, { 50, 50 }, { 50, 10 }, { 10, 50 } };
    static const double touch[8][2] = { { 0, 0 },   { 20, 0 },  { 20, 20 }, { 40, 20 },
                                        { 40, 40 }, { 20, 40 }, { 20, 20 }, { 0, 20 } };
    static const double twice[8][2] = { { 10, 10 }, { 20, 10 }, { 20, 20 }, { 10, 20 },
                                        { 10, 10 }, { 20, 10 }, { 20, 20 }, { 10, 20 } };
    static const double slit[6][2] = { { 10.5, 10.5 }, { 20.5, 10.5 }, { 20.5, 20.5 },
                                       { 30.5, 20.5 }, { 20.5, 20.5 }, { 10.5, 20.5 } };
    static const double curl[6][2] = { { 10.3, 80 },  { 60.7, 80 }, { 60.7, 120 },
                                       { 30.2, 120 }, { 30.2, 60 }, { 10.3, 60 } };
    const double none[3] = { -1000, 0, 0 };
    struct view *view = ground_flat(COLUMNS, ROWS, 32768);
    struct statistics told;

    (void)state;
    told = of_polygon(view, bow, 4, none);
    assert_near(told.plan_area, 800, 800);
    assert_int_equal(told.vertices, 2 * 21 * 21 - 1); /* rows of 41, 39 … 1 … 41 from the sides */
    statistics_free(&told);
    told = of_polygon(view, touch, 8, none);
    assert_near(told.plan_area, 800, 800);
    assert_int_equal(told.vertices, 2 * 21 * 21 - 1);
    statistics_free(&told);
    told = of_polygon(view, twice, 8, none);
    assert_near(told.plan_area, 0, 100);
    statistics_free(&told);
    told = of_polygon(view, slit, 6, none);
    assert_near(told.plan_area, 100, 100);
    assert_int_equal(told.vertices, 100);
    statistics_free(&told);
    told = of_polygon(view, curl, 6, none);
    assert_near(told.plan_area, (60.7 - 30.2) * 40 + (30.2 - 10.3) * 20, 2000);
    statistics_free(&told);
    view_drop(view);
}

static void what_lies_outside_is_nothing(void **state)
{
    static const double away[3][2] = { { -50, -50 }, { -10, -50 }, { -10, -10 } };
    static const double around[4][2] = {
        { -9e6, -9e6 }, { 9e6, -9e6 }, { 9e6, 9e6 }, { -9e6, 9e6 }
    };
    const double none[3] = { 0 };
    struct view *view = ground_flat(COLUMNS, ROWS, 33000);
    struct statistics told = of_polygon(view, away, 3, none);
    struct region region;
    struct fault why = { 0 };
    const double bad[3][2] = { { 0, 0 }, { NAN, 0 }, { 1, 1 } };

    (void)state;
    assert_int_equal(told.vertices, 0);
    assert_true(isnan(told.mean) && told.plan_area == 0);
    assert_true(isnan(statistics_percentile(&told, view_grid(view), 50)));
    statistics_free(&told);
    told = of_polygon(view, around, 4, none);
    assert_int_equal(told.vertices, COLUMNS * ROWS);
    assert_near(told.plan_area, (COLUMNS - 1) * (ROWS - 1), COLUMNS * ROWS);
    statistics_free(&told);
    assert_false(region_polygon(view, around, 2, &region, &why));
    assert_int_equal(why.code, FAULT_INPUT);
    assert_false(region_polygon(view, bad, 3, &region, &why));
    assert_int_equal(why.code, FAULT_INPUT);
    view_drop(view);
}

/* Cut and fill */

static struct view *edited(const struct view *view, struct dice *dice, int edits)
{
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(view, &why);
    struct view *after;

    for (int i = 0; i < edits; i++) {
        struct rect at = dice_rect(dice, COLUMNS - 1, ROWS - 1, 40);
        uint16_t *codes = malloc((size_t)rect_area(at) * sizeof *codes);
        uint8_t *gaps = calloc((size_t)rect_area(at), 1);

        for (int64_t k = 0; k < rect_area(at); k++) {
            codes[k] = (uint16_t)dice_between(dice, 32000, 34000);
            gaps[k] = dice_between(dice, 0, 20) ? 0 : 255;
        }
        assert_true(draft_write_heights(draft, at, codes, at.width, &why));
        if (i % 2)
            assert_true(draft_write_holes(draft, at, gaps, at.width, &why));
        free(codes);
        free(gaps);
    }
    after = draft_finish(draft, &change, &why);
    draft_free(draft);
    return after;
}

static struct earthwork move(const struct view *from, const struct view *to,
                             const struct region *region)
{
    struct earthwork told, again;
    struct fault why = { 0 };

    assert_true(earthwork_of(from, to, region, false, NULL, &told, &why));
    assert_true(earthwork_of(from, to, region, false, &backwards, &again, &why));
    assert_memory_equal(&told, &again, sizeof told);
    return told;
}

static void assert_moved(const struct model *model, const struct earthwork *told)
{
    const struct sums counted = recount(model);
    const struct grid *grid = view_grid(model->view);
    const double quad = grid->scale[0] * grid->scale[1];
    const double area = (double)rect_area(model->over), volume = area * 500;

    assert_near(told->fill / quad, counted.above, volume);
    assert_near(told->cut / quad, counted.below, volume);
    assert_int_equal(told->changed, counted.changed);
    assert_near(told->rise, counted.changed ? fmax(counted.greatest, 0) : 0, 500);
    assert_near(told->fall, counted.changed ? fmax(-counted.least, 0) : 0, 500);
    if (counted.greatest > 0)
        assert_memory_equal(told->rise_at, counted.greatest_at, sizeof told->rise_at);
    else
        assert_int_equal(told->rise_at[0], -1);
    if (counted.least < 0)
        assert_memory_equal(told->fall_at, counted.least_at, sizeof told->fall_at);
}

static void earth_moved_is_what_each_triangle_gained_and_lost(void **state)
{
    struct dice dice = { 51 };

    (void)state;
    for (int round = 0; round < 12; round++) {
        struct view *from = ground_make(&dice, round % 3);
        struct view *to = edited(from, &dice, 1 + round % 4);
        struct model model = { .view = to, .other = from, .over = view_rect(from) };
        double points[12][2];
        struct region region;
        struct fault why = { 0 };
        struct earthwork told, back;

        if (round % 2) {
            star_throw(&dice, 12, model.over, false, points);
            model.points = (const double(*)[2])points;
            model.count = 12;
            assert_true(region_polygon(to, model.points, 12, &region, &why));
        } else {
            model.over = dice_rect(&dice, COLUMNS, ROWS, 150);
            region = region_rect(model.over);
        }
        told = move(from, to, &region);
        assert_moved(&model, &told);
        back = move(to, from, &region);
        assert_true(back.cut == told.fill && back.fill == told.cut && back.rise == told.fall &&
                    back.cut_area == told.fill_area);
        back = move(to, to, &region);
        assert_true(back.cut == 0 && back.fill == 0 && back.changed == 0 && back.cut_area == 0);
        region_fini(&region);
        view_drop(from);
        view_drop(to);
    }
}

/* Without holes that come and go. */
static void fill_less_cut_is_the_difference_of_volumes(void **state)
{
    struct dice dice = { 61 };
    struct view *from = ground_make(&dice, true), *half = edited(from, &dice, 1);
    struct view *to = edited(half, &dice, 1);
    const struct region region = region_rect(view_rect(from));
    const double sea[3] = { -1000, 0, 0 };
    struct statistics before = ask(from, &region, sea), after = ask(to, &region, sea);
    struct earthwork told = move(from, to, &region);

    (void)state;
    assert_true(told.cut + told.fill > 0);
    assert_near(told.fill - told.cut, (real)after.above - before.above, after.above);
    statistics_free(&before);
    statistics_free(&after);
    view_drop(half);
    view_drop(from);
    view_drop(to);
}

/* Sides that run through more rows, or cut more quads, than anybody needs; along columns, where
 * they cut nothing, and slanting. */
static void polygons_that_take_too_long_are_refused(void **state)
{
    enum { SIDES = 80000 };
    struct view *ground = ground_flat(130, 130, 7);
    double(*points)[2] = malloc(SIDES * sizeof *points);
    const struct statistics_asked asked = { 0 };

    (void)state;
    assert_non_null(points);
    for (int slant = 0; slant < 2; slant++) {
        struct fault why = { 0 };
        struct statistics told;
        struct earthwork moved;
        struct region region;

        for (int i = 0; i < SIDES; i++) {
            points[i][0] = slant ? (i % 2) * 129 : i / 2 % 128;
            points[i][1] = slant ? i * 129. / SIDES : (i + i / 2) % 2 * 129;
        }
        assert_true(region_polygon(ground, (const double(*)[2])points, SIDES, &region, &why));
        assert_false(statistics_of(ground, &region, &asked, &backwards, &told, &why));
        assert_int_equal(why.code, FAULT_LIMIT);
        why = (struct fault){ 0 };
        assert_false(earthwork_of(ground, ground, &region, false, NULL, &moved, &why));
        assert_int_equal(why.code, FAULT_LIMIT);
        region_fini(&region);
    }
    free(points);
    view_drop(ground);
}

static void versions_of_other_sizes_are_refused(void **state)
{
    struct view *one = ground_flat(64, 64, 7), *other = ground_flat(127, 64, 7);
    const struct region region = region_rect(view_rect(one));
    struct earthwork told;
    struct fault why = { 0 };

    (void)state;
    assert_false(earthwork_of(one, other, &region, false, NULL, &told, &why));
    assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    view_drop(one);
    view_drop(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_are_the_sum_of_their_vertices_and_triangles),
        cmocka_unit_test(polygons_are_cut_out_of_triangles),
        cmocka_unit_test(a_polygon_along_a_rectangle_is_the_rectangle),
        cmocka_unit_test(parts_add_up_and_planes_differ_by_their_height),
        cmocka_unit_test(a_tilted_plane_has_the_numbers_of_one),
        cmocka_unit_test(percentiles_and_bins_are_those_of_sorted_heights),
        cmocka_unit_test(summaries_tell_what_a_recount_tells),
        cmocka_unit_test(sides_may_touch_and_cross),
        cmocka_unit_test(what_lies_outside_is_nothing),
        cmocka_unit_test(earth_moved_is_what_each_triangle_gained_and_lost),
        cmocka_unit_test(fill_less_cut_is_the_difference_of_volumes),
        cmocka_unit_test(polygons_that_take_too_long_are_refused),
        cmocka_unit_test(versions_of_other_sizes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
