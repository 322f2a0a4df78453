/* Tools against slow recounts of their own: what each does, vertex by vertex. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"
#include "tests/terrain/ops.h"

/* The view after the op, or NULL and why. The view given stays. */
static struct view *tried(const struct view *view, const struct op *op,
                          const struct sources *sources, struct fault *why)
{
    struct draft *draft = draft_new(view, why);
    struct change change;

    assert_non_null(draft);
    draft_lend(draft, sources);
    if (!brush_apply_all(draft, &op->variant, 1, why)) {
        draft_free(draft);
        return NULL;
    }
    return ground_finish(draft, view_hold(view), &change);
}

/* The same, freeing the op; the view given stays. */
static struct view *done(const struct view *view, struct op *op, const struct sources *sources)
{
    struct fault why = { 0 };
    struct view *after = tried(view, op, sources, &why);

    if (!after)
        fail_msg("%s %s", why.place, why.detail);
    op_free(op);
    return after;
}

static void refused(const struct view *view, struct op *op, enum fault_code code, const char *place)
{
    struct fault why = { 0 };

    assert_null(tried(view, op, NULL, &why));
    assert_int_equal(why.code, code);
    assert_string_equal(why.place, place);
    assert_true(why.detail[0] != '\0');
    op_free(op);
}

static struct op *on_region(const char *tool, struct rect region)
{
    struct op *op = op_new(tool);

    assert_non_null(op);
    assert_true(op_region(op, region));
    return op;
}

static struct op *on_dab(const char *tool, double x, double y, double radius)
{
    const double path[1][2] = { { x, y } };
    struct op *op = op_new(tool);

    assert_non_null(op);
    assert_true(op_path(op, path, 1));
    assert_true(op_real(op, "radius", radius));
    return op;
}

/* How every computed height comes to rest. */
static int32_t rested(double code)
{
    return code < 0 ? 0 : code > 65535 ? 65535 : (int32_t)floor(code + 0.5);
}

static double force_at(const struct op *op, const struct view *view, int32_t x, int32_t y)
{
    const struct where *where = op->variant.members;
    const double *middle = where->path.items;
    const double *scale = view_grid(view)->scale;
    double across, down;

    if (where->path.count == 0)
        return x >= where->region.x && y >= where->region.y &&
               x < where->region.x + where->region.width &&
               y < where->region.y + where->region.height;
    across = (x - middle[0]) * scale[0];
    down = (y - middle[1]) * scale[1];
    return falloff_at((enum falloff_shape)where->shape, sqrt(across * across + down * down),
                      where->radius, where->falloff);
}

/* What a tool should make of one vertex, given that f says how strongly it acts. */
typedef double expect(const struct view *before, const struct op *op, int32_t x, int32_t y,
                      double f);

static void assert_all(const struct view *before, struct op *op, const struct sources *sources,
                       expect *expected)
{
    struct fault why = { 0 };
    struct view *after = tried(before, op, sources, &why);

    if (!after)
        fail_msg("%s %s", why.place, why.detail);
    for (int32_t y = 0; y < view_rect(before).height; y++) {
        for (int32_t x = 0; x < view_rect(before).width; x++) {
            double f = force_at(op, before, x, y);
            double code = f > 0 ? expected(before, op, x, y, f) : view_height(before, x, y);
            int32_t is = view_height(after, x, y);

            /* two orders of the same sums may round to either side of a half */
            if (is != rested(code) &&
                !(fabs(code + 0.5 - is) < 1e-6 || fabs(code - 0.5 - is) < 1e-6))
                fail_msg("(%d, %d) is %d, not %.9g", x, y, is, code);
        }
    }
    view_drop(after);
    op_free(op);
}

/* ---- sharpen, contrast ---- */

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

static double sharpened(const struct view *before, const struct op *op, int32_t x, int32_t y,
                        double f)
{
    double h = view_height(before, x, y);
    bool gauss = ((const struct where *)op->variant.members)->path.count > 0;

    return h + (h - mean_around(before, x, y, 5, gauss)) * f * 0.75;
}

static void sharpening_goes_away_from_the_mean(void **state)
{
    struct view *before = ground_rough(150, 140, 4);

    (void)state;
    for (int gauss = 0; gauss < 2; gauss++) {
        struct op *op = gauss ? on_dab("sharpen", 120.3, 110.7, 45)
                              : on_region("sharpen", (struct rect){ 3, 0, 147, 133 });

        op_integer(op, "kernel_radius", 5);
        op_word(op, "kernel", gauss ? "gauss" : "box");
        op_real(op, "strength", 0.75);
        assert_all(before, op, NULL, sharpened);
    }
    view_drop(before);
}

static double level; /* code, of the recount at hand */

static double stretched(const struct view *before, const struct op *op, int32_t x, int32_t y,
                        double f)
{
    double h = view_height(before, x, y);

    (void)op;
    return h + (h - level) * f * 1.25;
}

static void contrast_is_about_a_level_or_the_mean_by_force(void **state)
{
    struct view *before = ground_rough(150, 140, 5);
    struct op *op = on_dab("contrast", 127.5, 100.25, 38);
    double forces = 0, sum = 0;

    (void)state;
    for (int32_t i = 0; i < 150 * 140; i++) {
        double f = force_at(op, before, i % 150, i / 150);

        forces += f;
        sum += f * view_height(before, i % 150, i / 150);
    }
    level = sum / forces;
    op_real(op, "factor", 2.25);
    assert_all(before, op, NULL, stretched);
    level = 32768 + 12 * 128;
    op = on_region("contrast", (struct rect){ 100, 20, 50, 100 });
    op_real(op, "factor", 2.25);
    op_real(op, "level", 12);
    assert_all(before, op, NULL, stretched);
    view_drop(before);
}

static void contrast_of_none_levels_to_the_mean(void **state)
{
    struct view *before = ground_rough(90, 80, 6), *after;
    struct op *op = on_region("contrast", (struct rect){ 0, 0, 90, 80 });
    double sum = 0;

    (void)state;
    op_real(op, "factor", 0);
    after = done(before, op, NULL);
    for (int32_t i = 0; i < 7200; i++)
        sum += view_height(before, i % 90, i / 90);
    for (int32_t i = 0; i < 7200; i++)
        assert_int_equal(view_height(after, i % 90, i / 90), rested(sum / 7200));
    view_drop(before);
    view_drop(after);
}

/* ---- clone ---- */

/* Blended from the four vertices around; NaN off the landscape. */
static double blended(const struct view *view, double x, double y)
{
    int32_t i = (int32_t)floor(x), j = (int32_t)floor(y);
    double sum = 0;

    if (x < 0 || y < 0 || x > view_rect(view).width - 1 || y > view_rect(view).height - 1)
        return NAN;
    for (int32_t c = 0; c < 4; c++) {
        double weight = (c & 1 ? x - i : 1 - (x - i)) * (c & 2 ? y - j : 1 - (y - j));

        if (weight > 0)
            sum += weight * view_height(view, i + (c & 1), j + (c >> 1));
    }
    return sum;
}

static double shifted[2];

static double cloned(const struct view *before, const struct op *op, int32_t x, int32_t y, double f)
{
    double h = view_height(before, x, y), to = blended(before, x + shifted[0], y + shifted[1]);

    (void)op;
    return isnan(to) ? h : h + (to - h) * f;
}

static void a_clone_is_what_lay_at_its_source(void **state)
{
    struct view *before = ground_rough(200, 180, 7);
    static const double froms[][2] = { { 20, 30 }, { 61.25, 122.5 }, { 199, 0 }, { 118, 105 } };

    (void)state;
    for (size_t i = 0; i < sizeof froms / sizeof *froms; i++) {
        struct op *op = on_dab("clone", 126, 100, 40);

        shifted[0] = froms[i][0] - 126;
        shifted[1] = froms[i][1] - 100;
        op_point(op, "from", froms[i]);
        assert_all(before, op, NULL, cloned);
        op = on_region("clone", (struct rect){ 126, 100, 70, 40 });
        op_point(op, "from", froms[i]);
        assert_all(before, op, NULL, cloned);
    }
    view_drop(before);
}

static double cloned_upon(const struct view *before, const struct op *op, int32_t x, int32_t y,
                          double f)
{
    double h = view_height(before, x, y), to = blended(before, x + shifted[0], y + shifted[1]);
    double rise = blended(before, 126, 100) - blended(before, 126 + shifted[0], 100 + shifted[1]);

    (void)op;
    return isnan(to) ? h : h + (to + rise - h) * f * 0.5;
}

static void a_relative_clone_keeps_the_height_of_its_ground(void **state)
{
    const double from[2] = { 20.5, 30 }, outside[2] = { -3, 30 };
    struct view *before = ground_rough(200, 180, 8);
    struct op *op = on_dab("clone", 126, 100, 40);

    (void)state;
    shifted[0] = from[0] - 126;
    shifted[1] = from[1] - 100;
    op_point(op, "from", from);
    op_word(op, "heights", "relative");
    op_real(op, "strength", 0.5);
    assert_all(before, op, NULL, cloned_upon);
    op = on_dab("clone", 126, 100, 40);
    op_point(op, "from", outside);
    op_word(op, "heights", "relative");
    refused(before, op, FAULT_IMPOSSIBLE, "/0/from");
    op = on_dab("clone", -5, 100, 40);
    op_point(op, "from", from);
    op_word(op, "heights", "relative");
    refused(before, op, FAULT_IMPOSSIBLE, "/0/path");
    op = on_dab("clone", 5, 100, 40);
    refused(before, op, FAULT_INPUT, "/0/from");
    view_drop(before);
}

static const struct view *other_landscape(void *context, const char *id, struct fault *why)
{
    if (strcmp(id, "other") == 0)
        return context;
    fault_set(why, FAULT_MISSING, "there is no landscape %s; other is", id);
    return NULL;
}

static const struct view *other;
static double size;

static double copied(const struct view *before, const struct op *op, int32_t x, int32_t y, double f)
{
    const struct grid *to = view_grid(before), *of = view_grid(other);
    double h = view_height(before, x, y), metres[2] = { -40, 25 }, at[2], code;

    (void)op;
    metres[0] += (x - 30) * to->scale[0] / size;
    metres[1] += (y - 20) * to->scale[1] / size;
    grid_from_local(of, metres, at);
    code = blended(other, at[0], at[1]);
    return isnan(code) ? h : h + (grid_code(to, grid_metres(of, code)) - h) * f;
}

static void a_copy_from_another_landscape_keeps_its_metres(void **state)
{
    struct view *before = ground_rough(160, 150, 9), *source = ground_rough(140, 190, 10);
    struct sources sources = { .context = source, .landscape = other_landscape };
    const double from[2] = { -39, 10 }; /* at (-40, 25) m */
    struct fault why = { 0 };
    struct op *op;

    (void)state;
    before->settings->grid.scale[1] = 2;
    before->settings->grid.origin[0] = -1;
    before->settings->grid.origin[1] = 5;
    source->settings->grid.scale[0] = 0.8;
    source->settings->grid.scale[1] = 1.5;
    source->settings->grid.scale[2] = 0.5;
    source->settings->grid.origin[0] = -70;
    source->settings->grid.origin[2] = 11;
    other = source;
    for (size = 0.5; size <= 2; size *= 2) {
        op = on_region("clone", (struct rect){ 30, 20, 100, 90 });
        op_point(op, "from", from);
        op_real(op, "scale", size);
        op_name(op, "landscape", "other");
        assert_all(before, op, &sources, copied);
    }
    op = on_region("clone", (struct rect){ 30, 20, 100, 90 });
    op_name(op, "landscape", "none");
    assert_null(tried(before, op, &sources, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    assert_string_equal(why.place, "/0/landscape");
    op_free(op);
    view_drop(before);
    view_drop(source);
}

/* ---- mirror ---- */

static double mirrored_place[3]; /* axis across, axis down, sign of what stays */

static double mirrored(const struct view *before, const struct op *op, int32_t x, int32_t y,
                       double f)
{
    const double mx = 60.5, my = 70; /* of 41..80 x 50..90 */
    bool across = mirrored_place[0] > 0, down = mirrored_place[1] > 0;
    double side = down ? y - my : x - mx, h = view_height(before, x, y), to;

    (void)op;
    if (down && across && side == 0)
        side = x - mx;
    to = view_height(before, across ? (int32_t)(2 * mx) - x : x, down ? (int32_t)(2 * my) - y : y);
    return side * mirrored_place[2] > 0 ? h : h + (to - h) * f;
}

static void a_mirror_reflects_across_the_middle_of_its_region(void **state)
{
    static const char *const axes[] = { "x", "y", "xy" };
    static const char *const keeps[] = { "none", "first", "second" };
    struct view *before = ground_rough(150, 140, 11);

    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int keep = 0; keep < 3; keep++) {
            struct op *op = on_region("mirror", (struct rect){ 41, 50, 40, 41 });

            mirrored_place[0] = axis != 1;
            mirrored_place[1] = axis != 0;
            mirrored_place[2] = keep == 1 ? -1 : keep == 2 ? 1 : 0;
            op_word(op, "axis", axes[axis]);
            op_word(op, "keep", keeps[keep]);
            assert_all(before, op, NULL, mirrored);
        }
    }
    view_drop(before);
}

static double across_line(const struct view *before, const struct op *op, int32_t x, int32_t y,
                          double f)
{
    /* in metres the line goes from (20, 30) to (110, 90): along (3, 2) */
    const double *scale = view_grid(before)->scale;
    double px = x * scale[0] - 20, py = y * scale[1] - 30, t = (3 * px + 2 * py) / 13;
    double qx = 2 * 3 * t - px, qy = 2 * 2 * t - py, h = view_height(before, x, y);
    double to = blended(before, (qx + 20) / scale[0], (qy + 30) / scale[1]);

    (void)op;
    return isnan(to) || 3 * py - 2 * px < 0 ? h : h + (to - h) * f;
}

static void a_mirror_reflects_across_a_line_in_metres(void **state)
{
    struct view *before = ground_rough(150, 140, 12);
    struct op *op = on_dab("mirror", 60, 50, 48);
    double line[2][2] = { { 40, 20 }, { 220, 60 } }, level_line[2][2] = { { 5, 5 }, { 5, 5 } };

    (void)state;
    before->settings->grid.scale[0] = 0.5;
    before->settings->grid.scale[1] = 1.5;
    op_line(op, (const double(*)[2])line);
    op_word(op, "keep", "first");
    assert_all(before, op, NULL, across_line);
    op = on_dab("mirror", 60, 50, 48);
    op_line(op, (const double(*)[2])level_line);
    refused(before, op, FAULT_INPUT, "/0/line");
    op = on_dab("mirror", 60, 50, 48);
    op_word(op, "axis", "y");
    op_line(op, (const double(*)[2])line);
    refused(before, op, FAULT_INPUT, "/0/line");
    view_drop(before);
}

static void reflecting_twice_changes_nothing(void **state)
{
    struct view *before = ground_rough(150, 140, 13), *once, *twice;
    struct bytes difference = { 0 };
    struct fault why = { 0 };

    (void)state;
    once = done(before, on_region("mirror", (struct rect){ 10, 20, 130, 117 }), NULL);
    twice = done(once, on_region("mirror", (struct rect){ 10, 20, 130, 117 }), NULL);
    for (int32_t i = 0; i < 150 * 140; i++)
        assert_int_equal(view_height(twice, i % 150, i / 150),
                         view_height(before, i % 150, i / 150));
    assert_true(difference_write(before, once, &difference, &why));
    assert_true(difference.length > 10000);
    bytes_free(&difference);
    view_drop(before);
    view_drop(once);
    view_drop(twice);
}

/* ---- noise and generators ---- */

static uint32_t hash32(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = (x * 0x8da6b343u) ^ (y * 0xd8163841u) ^ (seed * 0xcb1ab31fu);

    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return h ^ (h >> 16);
}

/* Gradient noise at a position counted in cells. */
static double gradient_noise(double x, double y, uint32_t seed)
{
    double fx = x - floor(x), fy = y - floor(y), sum = 0;

    for (uint32_t c = 0; c < 4; c++) {
        uint32_t i = (uint32_t)(int64_t)floor(x) + (c & 1),
                 j = (uint32_t)(int64_t)floor(y) + (c >> 1);
        double turn = 2 * acos(-1) * (hash32(i, j, seed) >> 28) / 16;
        double dx = fx - (c & 1), dy = fy - (c >> 1), wx = 1 - fabs(dx), wy = 1 - fabs(dy);

        wx = wx * wx * wx * (wx * (wx * 6 - 15) + 10);
        wy = wy * wy * wy * (wy * (wy * 6 - 15) + 10);
        sum += wx * wy * (cos(turn) * dx + sin(turn) * dy);
    }
    return sum * sqrt(2);
}

static double bumped(const struct view *before, const struct op *op, int32_t x, int32_t y, double f)
{
    double sum = 0, all = 0;

    (void)op;
    for (int o = 0; o < 4; o++) {
        double share = 1.0 / (1 << o), cell = 13.7 * share;

        sum += share * gradient_noise(x / cell, y / cell, 5 + (uint32_t)o);
        all += share;
    }
    return view_height(before, x, y) + 20 * 128 * sum / all * f;
}

static void perlin_noise_has_slopes_at_the_points_of_its_lattice(void **state)
{
    struct view *before = ground_rough(150, 140, 14);
    struct op *op = on_dab("noise", 126, 60, 50);

    (void)state;
    op_real(op, "amplitude", 20);
    op_real(op, "cell", 13.7);
    op_integer(op, "seed", 5);
    op_integer(op, "octaves", 4);
    op_word(op, "kind", "perlin");
    assert_all(before, op, NULL, bumped);
    view_drop(before);
}

static struct op *generating(const char *generator, struct rect region)
{
    struct op *op = on_region("generate", region);

    op_word(op, "generator", generator);
    op_real(op, "amplitude", 100);
    op_real(op, "scale", 40);
    op_integer(op, "seed", 9);
    return op;
}

/* What the rows promise of hills, ridges and billows: octaves of gradient noise. */
static double generated(int kind, int32_t x, int32_t y, const double scale[2])
{
    double sum = 0, all = 0, weight = 1, share = 1, size_now = 40;

    for (uint32_t o = 0; o < 7; o++) {
        double east = x * scale[0] / size_now, south = y * scale[1] / size_now;
        double turn = (o + 1) * atan2(3, 4), n, crest;

        n = gradient_noise(east * cos(turn) - south * sin(turn) + hash32(0, o, ~9u) / 4294967296.0,
                           east * sin(turn) + south * cos(turn) + hash32(1, o, ~9u) / 4294967296.0,
                           9 + o);
        crest = (1 - fabs(n)) * (1 - fabs(n)) * weight;
        sum += share * (kind == 0 ? n : kind == 1 ? crest : fabs(n));
        weight = crest * 2 < 1 ? crest * 2 : 1;
        all += share;
        share /= 2;
        size_now /= 2;
    }
    return sum / all;
}

static int kind_now;

static double made(const struct view *before, const struct op *op, int32_t x, int32_t y, double f)
{
    (void)op;
    (void)f;
    return 32768 + 128 * (-7 + 100 * generated(kind_now, x, y, view_grid(before)->scale));
}

static double made_upon(const struct view *before, const struct op *op, int32_t x, int32_t y,
                        double f)
{
    (void)op;
    return view_height(before, x, y) +
           f * 128 * 100 * generated(kind_now, x, y, view_grid(before)->scale);
}

static void hills_ridges_and_billows_are_octaves_of_noise(void **state)
{
    static const char *const names[] = { "fbm", "ridged", "billow" };
    struct view *before = ground_rough(150, 140, 15);

    (void)state;
    before->settings->grid.scale[0] = 0.75;
    for (kind_now = 0; kind_now < 3; kind_now++) {
        struct op *op = generating(names[kind_now], (struct rect){ 90, 100, 60, 38 });

        op_real(op, "level", -7);
        assert_all(before, op, NULL, made);
        op = on_dab("generate", 100, 130, 20);
        op_word(op, "generator", names[kind_now]);
        op_real(op, "amplitude", 100);
        op_real(op, "scale", 40);
        op_integer(op, "seed", 9);
        op_word(op, "blend", "add");
        assert_all(before, op, NULL, made_upon);
    }
    view_drop(before);
}

/* The height in metres, of the generator's amplitude, at a share of the way from the middle. */
static double profile(const struct view *view, double far, double turn)
{
    double x = 100 + 100 * far * cos(turn), y = 90 + 90 * far * sin(turn);

    return (view_height(view, (int32_t)floor(x + 0.5), (int32_t)floor(y + 0.5)) - 32768) / 12800.0;
}

static void a_crater_has_a_floor_a_rim_and_a_skirt(void **state)
{
    struct view *flat = ground_flat(201, 181, 32768), *view;
    double crests = 0, floors = 0;

    (void)state;
    view = done(flat, generating("crater", view_rect(flat)), NULL);
    for (double turn = 0; turn < 6.28; turn += 0.1) {
        double crest = -1;

        for (double far = 0; far < 1; far += 0.005)
            crest = fmax(crest, profile(view, far, turn));
        crests += crest / 63;
        floors += profile(view, 0.1, turn) / 63;
        assert_true(crest > 0.15 && crest < 0.25);
        assert_true(fabs(profile(view, 0.99, turn)) < 0.02);
        assert_true(profile(view, 0.75, turn) > 0.02);
    }
    assert_true(crests > 0.18 && crests < 0.22);
    assert_float_equal(floors, -0.8, 0.001);
    view_drop(flat);
    view_drop(view);
}

static void an_island_stands_in_the_sea_all_around(void **state)
{
    struct view *flat = ground_flat(201, 181, 32768), *view;
    int64_t land = 0;

    (void)state;
    view = done(flat, generating("island", view_rect(flat)), NULL);
    for (int32_t y = 0; y < 181; y++) {
        for (int32_t x = 0; x < 201; x++) {
            double across = (x - 100) / 100.0, down = (y - 90) / 90.0;
            int32_t code = view_height(view, x, y);

            assert_true(code <= 32768 + 12800 * 1.2);
            if (across * across + down * down >= 1)
                assert_int_equal(code, 32768);
            land += code > 32768 + 640;
        }
    }
    assert_true(land > 201 * 181 / 4 && land < 201 * 181 * 3 / 4);
    assert_true(profile(view, 0, 0) > 0.5);
    view_drop(flat);
    view_drop(view);
}

static void another_seed_is_other_ground(void **state)
{
    static const char *const names[] = { "fbm", "ridged", "billow", "island", "crater" };
    struct view *flat = ground_flat(101, 91, 32768);

    (void)state;
    for (int i = 0; i < 5; i++) {
        struct op *op = generating(names[i], view_rect(flat));
        struct view *one = done(flat, generating(names[i], view_rect(flat)), NULL), *two;
        int64_t differ = 0;

        op_integer(op, "seed", 10);
        two = done(flat, op, NULL);
        for (int32_t k = 0; k < 101 * 91; k++)
            differ += view_height(one, k % 101, k / 101) != view_height(two, k % 101, k / 101);
        assert_true(differ > 101 * 91 / 3);
        view_drop(one);
        view_drop(two);
    }
    view_drop(flat);
}

/* ---- erosion ---- */

/* Hills of a few sizes, steep enough to slide. */
static struct view *steep(int32_t columns, int32_t rows)
{
    uint16_t *heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    struct view *view;

    assert_non_null(heights);
    for (int32_t i = 0; i < columns * rows; i++) {
        double x = i % columns, y = i / columns;
        double z = 60 * gradient_noise(x / 61, y / 61, 1) + 20 * gradient_noise(x / 17, y / 17, 2) +
                   5 * gradient_noise(x / 6, y / 6, 3);

        heights[i] = (uint16_t)rested(32768 + 128 * z);
    }
    view = ground_of(columns, rows, heights);
    free(heights);
    return view;
}

static struct op *eroding(const char *tool, struct rect region)
{
    struct op *op = on_region(tool, region);

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
        struct view *whole = done(before, eroding(erosions[tool], view_rect(before)), NULL);

        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            struct view *part = done(before, eroding(erosions[tool], parts[i]), NULL);

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
        after = done(before, op, NULL);
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
        struct op *op = on_region("erosion", view_rect(before));
        struct view *after;

        op_real(op, "threshold", metres ? 0.4 : 30);
        op_word(op, "unit", metres ? "m" : "degrees");
        op_integer(op, "iterations", 9);
        after = done(before, op, NULL);
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
    struct op *op = on_region("erosion", (struct rect){ 0, 0, 200, 60 });
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
    after = done(cliff, op, NULL);
    assert_float_equal(steepest(after), tan(35 * acos(-1) / 180), 0.02);
    assert_int_equal(view_height(after, 20, 30), 40000); /* level ground stays */
    assert_int_equal(view_height(after, 180, 30), 40000 - 1280);
    /* ground at rest is left as it is */
    op = on_region("erosion", (struct rect){ 0, 0, 200, 60 });
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
    struct op *op = on_region("erosion", (struct rect){ 0, 0, 64, 64 });

    (void)state;
    op_real(op, "threshold", 90);
    refused(flat, op, FAULT_INPUT, "/0/threshold");
    op = on_region("erosion", (struct rect){ 0, 0, 64, 64 });
    op_real(op, "threshold", 1e6);
    op_word(op, "unit", "m");
    view_drop(done(flat, op, NULL));
    op = on_region("hydro_erosion", (struct rect){ 0, 0, 64, 64 });
    op_integer(op, "iterations", 64);
    op_integer(op, "run", 64);
    refused(flat, op, FAULT_INPUT, "/0/iterations");
    view_drop(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sharpening_goes_away_from_the_mean),
        cmocka_unit_test(contrast_is_about_a_level_or_the_mean_by_force),
        cmocka_unit_test(contrast_of_none_levels_to_the_mean),
        cmocka_unit_test(a_clone_is_what_lay_at_its_source),
        cmocka_unit_test(a_relative_clone_keeps_the_height_of_its_ground),
        cmocka_unit_test(a_copy_from_another_landscape_keeps_its_metres),
        cmocka_unit_test(a_mirror_reflects_across_the_middle_of_its_region),
        cmocka_unit_test(a_mirror_reflects_across_a_line_in_metres),
        cmocka_unit_test(reflecting_twice_changes_nothing),
        cmocka_unit_test(perlin_noise_has_slopes_at_the_points_of_its_lattice),
        cmocka_unit_test(hills_ridges_and_billows_are_octaves_of_noise),
        cmocka_unit_test(a_crater_has_a_floor_a_rim_and_a_skirt),
        cmocka_unit_test(an_island_stands_in_the_sea_all_around),
        cmocka_unit_test(another_seed_is_other_ground),
        cmocka_unit_test(erosion_does_not_show_how_its_area_was_cut),
        cmocka_unit_test(erosion_makes_no_pits_and_no_spikes),
        cmocka_unit_test(rubble_slides_pair_by_pair_and_none_is_lost),
        cmocka_unit_test(slopes_come_to_rest_at_the_threshold),
        cmocka_unit_test(a_threshold_is_a_slope),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
