/* What is seen against every side of every triangle and every vertex, in whole fractions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "terrain/query/sight.h"
#include "terrain/query/viewshed.h"
#include "tests/terrain/ground.h"

enum { SIDE = 13, ROUNDS = 400, PART = 64 /* eyes lie on fractions of a quad and of a code */ };

typedef __int128 wide;

static struct view *scene(struct dice *dice, int32_t kinds, int holes)
{
    const uint8_t hole = 255;
    uint16_t heights[SIDE * SIDE];
    struct view *view;
    struct draft *draft;
    struct change change;
    struct fault why;

    for (int i = 0; i < SIDE * SIDE; i++)
        heights[i] = (uint16_t)(30000 + 128 * dice_between(dice, 0, kinds) / (kinds > 20 ? 50 : 1));
    view = ground_of(SIDE, SIDE, heights);
    draft = draft_new(view, &why);
    for (int i = 0; i < holes; i++) {
        const struct rect at = { dice_between(dice, 0, SIDE - 2), dice_between(dice, 0, SIDE - 2),
                                 1, 1 };

        assert_true(draft_write_holes(draft, at, &hole, 1, &why));
    }
    return ground_finish(draft, view, &change);
}

struct brute {
    const struct view *view;
    bool ignore_holes;
    int64_t eye[3], target[3]; /* in parts */
    double height;             /* in parts: the least at which the target would be seen */
};

static bool solid(const struct brute *brute, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < SIDE - 1 && y < SIDE - 1 &&
           (brute->ignore_holes || !view_hole(brute->view, x, y));
}

static bool is_ground(const struct brute *brute, int32_t x, int32_t y)
{
    return solid(brute, x, y) || solid(brute, x - 1, y) || solid(brute, x, y - 1) ||
           solid(brute, x - 1, y - 1);
}

static void vertex(const struct brute *brute, int32_t x, int32_t y, int64_t at[3])
{
    at[0] = x * PART;
    at[1] = y * PART;
    at[2] = (int64_t)view_height(brute->view, x, y) * PART;
}

static wide cross(const int64_t a[2], const int64_t b[2])
{
    return (wide)a[0] * b[1] - (wide)a[1] * b[0];
}

/* Whether the line is strictly below height p / q at the share n / d of its way; q and d > 0. */
static bool below(struct brute *brute, wide n, wide d, wide p, wide q)
{
    const double share = (double)n / (double)d;
    const double needed =
        (double)brute->eye[2] + ((double)p / (double)q - (double)brute->eye[2]) / share;

    brute->height = fmax(brute->height, needed);
    return (brute->eye[2] * d + (brute->target[2] - brute->eye[2]) * n) * q < p * d;
}

static bool below_vertex(struct brute *brute, const int64_t at[3])
{
    const int64_t way[2] = { brute->target[0] - brute->eye[0], brute->target[1] - brute->eye[1] };
    const int64_t to[2] = { at[0] - brute->eye[0], at[1] - brute->eye[1] };
    const wide n = (wide)way[0] * to[0] + (wide)way[1] * to[1];
    const wide d = (wide)way[0] * way[0] + (wide)way[1] * way[1];

    return cross(way, to) == 0 && n > 0 && n < d && below(brute, n, d, at[2], 1);
}

static bool below_side(struct brute *brute, const int64_t a[3], const int64_t b[3])
{
    const int64_t way[2] = { brute->target[0] - brute->eye[0], brute->target[1] - brute->eye[1] };
    const int64_t to[2] = { a[0] - brute->eye[0], a[1] - brute->eye[1] };
    const int64_t side[2] = { b[0] - a[0], b[1] - a[1] };
    wide d = cross(way, side), n = cross(to, side), m = cross(to, way);

    if (d == 0)
        return false;
    if (d < 0) {
        d = -d;
        n = -n;
        m = -m;
    }
    return n > 0 && n < d && m >= 0 && m <= d &&
           below(brute, n, d, a[2] * d + (b[2] - a[2]) * m, d);
}

static bool seen(struct brute *brute)
{
    static const int32_t steps[3][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 } };
    bool hidden = false;

    brute->height = (double)brute->target[2];
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            int64_t a[3], b[3];

            vertex(brute, x, y, a);
            if (is_ground(brute, x, y))
                hidden |= below_vertex(brute, a);
            for (int k = 0; k < 3; k++) {
                const int32_t x2 = x + steps[k][0], y2 = y + steps[k][1];
                const bool there = solid(brute, x, y) || (k == 0 && solid(brute, x, y - 1)) ||
                                   (k == 1 && solid(brute, x - 1, y));

                if (x2 >= SIDE || y2 >= SIDE || !there)
                    continue;
                vertex(brute, x2, y2, b);
                hidden |= below_side(brute, a, b);
            }
        }
    return !hidden;
}

/* On vertices, on sides, in quads, near and outside; on the ground, close above it and high. */
static void throw_eye(struct dice *dice, const struct view *view, int64_t eye[3])
{
    const int kind = dice_between(dice, 0, 4), fine = kind == 0 ? PART : kind == 1 ? PART / 2 : 1;
    const int lift = dice_between(dice, 0, 3);
    double z = 30000;

    for (int k = 0; k < 2; k++)
        eye[k] = kind == 4 ? dice_between(dice, -5 * PART, (SIDE + 5) * PART)
                           : dice_between(dice, 0, (SIDE - 1) * PART / fine) * fine;
    if (kind == 2)
        eye[1] = eye[0];
    if (view_code_at(view, (double)eye[0] / PART, (double)eye[1] / PART, &z))
        z = ceil(z * PART) / PART;
    eye[2] = llround(z * PART) + (lift == 0   ? 0
                                  : lift == 1 ? dice_between(dice, 0, 128 * PART)
                                  : lift == 2 ? 128 * PART * (int64_t)dice_between(dice, 0, 3)
                                              : dice_between(dice, 0, 4000 * PART));
}

static void check(const struct view *view, struct dice *dice, struct rect over, bool ignore_holes)
{
    const struct grid *grid = view_grid(view);
    const int64_t raised = dice_between(dice, 0, 2) ? 0 : dice_between(dice, 0, 300 * PART);
    const struct viewshed_options options = {
        (double)raised / PART / 128, INFINITY, 0, ignore_holes, true, 0
    };
    struct brute brute = { view, ignore_holes, { 0 }, { 0 }, 0 };
    struct viewshed viewshed;
    struct fault why;
    double eye[3];
    int64_t count = 0;

    throw_eye(dice, view, brute.eye);
    eye[0] = (double)brute.eye[0] / PART;
    eye[1] = (double)brute.eye[1] / PART;
    eye[2] = grid_metres(grid, (double)brute.eye[2] / PART);
    if (!viewshed_see(view, eye, over, &options, NULL, &viewshed, &why))
        fail_msg("%s", why.detail);
    for (int32_t j = 0; j < over.height; j++)
        for (int32_t i = 0; i < over.width; i++) {
            const int64_t at = (int64_t)j * over.width + i;
            const float lacks = viewshed.lacks[at];
            bool wanted;

            vertex(&brute, over.x + i, over.y + j, brute.target);
            brute.target[2] += raised;
            wanted = is_ground(&brute, over.x + i, over.y + j) && seen(&brute);
            if ((viewshed.seen[at] == 255) != wanted)
                fail_msg("%d, %d from %.17g, %.17g, %.17g m: %d", over.x + i, over.y + j, eye[0],
                         eye[1], eye[2], viewshed.seen[at]);
            count += wanted;
            if (!is_ground(&brute, over.x + i, over.y + j)) {
                assert_true(isnan(lacks));
                continue;
            }
            assert_true(wanted ? lacks == 0 : lacks > 0);
            if (!wanted) {
                const double metres = (brute.height - (double)brute.target[2]) / PART / 128;

                if (!(fabs(lacks - metres) <= 1e-6 * metres + 1e-7))
                    fail_msg("%d, %d from %.17g, %.17g, %.17g m: %.9g, not %.9g", over.x + i,
                             over.y + j, eye[0], eye[1], eye[2], lacks, metres);
            }
        }
    assert_true(viewshed.count == count);
    viewshed_free(&viewshed);
}

static void it_is_every_side_and_vertex(void **state)
{
    struct dice dice = { 11 };

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        static const int32_t kinds[] = { 0, 1, 3, 200 };
        static const int holes[] = { 0, 15, 110 }; /* the last leaves islands */
        struct view *view = scene(&dice, kinds[round % 4], holes[round / 4 % 3]);
        const struct rect over = round % 2 ? dice_rect(&dice, SIDE, SIDE, SIDE) : view_rect(view);

        check(view, &dice, over, round % 5 == 0);
        view_drop(view);
    }
}

/* Steps, cones, plains and roughness, with holes in places. */
static uint16_t ground_kind(struct dice *dice, int kind, int32_t x, int32_t y)
{
    switch (kind) {
    case 0:
        return (uint16_t)(30000 + 128 * dice_between(dice, 0, 1));
    case 1:
        return (uint16_t)(30000 + 4 * x + 9 * y);
    case 2:
        return (uint16_t)(30000 + 64 * (x / 9 % 2) * (y / 7 % 3));
    case 3:
        return (uint16_t)(30000 + 6 * llround(hypot(x - 60, y - 40)));
    default:
        return (uint16_t)(30000 + llround(800 * sin(x / 11.0) * cos(y / 8.0)) +
                          dice_between(dice, 0, 60));
    }
}

enum { WIDE = 120 };

static struct view *wide_scene(struct dice *dice, int kind, int holes)
{
    static uint16_t heights[WIDE * WIDE];
    static const uint8_t hole[9] = { 255, 255, 255, 255, 255, 255, 255, 255, 255 };
    struct view *view;
    struct draft *draft;
    struct change change;
    struct fault why;

    for (int32_t i = 0; i < WIDE * WIDE; i++)
        heights[i] = ground_kind(dice, kind, i % WIDE, i / WIDE);
    view = ground_of(WIDE, WIDE, heights);
    draft = draft_new(view, &why);
    for (int i = 0; i < holes; i++) {
        const struct rect at = { dice_between(dice, 0, WIDE - 4), dice_between(dice, 0, WIDE - 4),
                                 dice_between(dice, 1, 3), dice_between(dice, 1, 3) };

        assert_true(draft_write_holes(draft, at, hole, 3, &why));
    }
    return ground_finish(draft, view, &change);
}

/* The sides of a view without bends, from scratch. */
static struct sight_ground walked_ground(const struct view *view, double *heights, uint8_t *sides)
{
    for (int32_t y = 0; y < WIDE; y++)
        for (int32_t x = 0; x < WIDE; x++) {
            const bool south_east = x < WIDE - 1 && y < WIDE - 1 && !view_hole(view, x, y);
            const bool north_east = x < WIDE - 1 && y > 0 && !view_hole(view, x, y - 1);
            const bool south_west = x > 0 && y < WIDE - 1 && !view_hole(view, x - 1, y);
            const bool north_west = x > 0 && y > 0 && !view_hole(view, x - 1, y - 1);

            heights[y * WIDE + x] = view_height(view, x, y) * SIGHT_UNIT;
            sides[y * WIDE + x] =
                (uint8_t)((north_east || south_east ? SIGHT_EAST : 0) |
                          (south_west || south_east ? SIGHT_SOUTH : 0) |
                          (south_east ? SIGHT_DIAGONAL : 0) |
                          (north_east || south_east || south_west || north_west ? 128 : 0));
        }
    return (struct sight_ground){ WIDE, WIDE, heights, 65536 * SIGHT_UNIT, sides, NULL };
}

/* What the horizon says is what a walk to each vertex says, also where rounding cannot tell. */
static void the_horizon_is_every_line_of_sight(void **state)
{
    static double heights[WIDE * WIDE];
    static uint8_t sides[WIDE * WIDE];
    const int rounds = getenv("LANDSCAPED_SOAK") ? 2000 : 60;
    struct dice dice = { 17 };

    (void)state;
    for (int round = 0; round < rounds; round++) {
        struct view *view = wide_scene(&dice, round % 5, round % 4 * 20);
        const struct sight_ground ground = walked_ground(view, heights, sides);
        const struct viewshed_options options = { .radius = INFINITY,
                                                  .target_height = dice_between(&dice, 0, 1),
                                                  .heights = round & 1 };
        const int64_t part = (int64_t)1 << (SIGHT_BITS - (round % 7) * 3);
        struct viewshed viewshed;
        int64_t eye[3];
        double at[3], code = 30000;
        int64_t crossed = 0;
        struct fault why;

        for (int k = 0; k < 2; k++)
            eye[k] =
                dice_between(&dice, -3, (int32_t)((WIDE + 3) * SIGHT_UNIT / (double)part)) * part;
        at[0] = (double)eye[0] / SIGHT_UNIT;
        at[1] = (double)eye[1] / SIGHT_UNIT;
        view_code_at(view, at[0], at[1], &code);
        eye[2] = (int64_t)ceil(code * SIGHT_UNIT) +
                 (int64_t)(128 * SIGHT_UNIT) * dice_between(&dice, 0, 8) / 2;
        at[2] = grid_metres(view_grid(view), (double)eye[2] / SIGHT_UNIT);
        if (!viewshed_see(view, at, view_rect(view), &options, NULL, &viewshed, &why))
            fail_msg("%s", why.detail);
        for (int32_t i = 0; i < WIDE * WIDE; i++) {
            const int64_t target[3] = {
                (int64_t)(i % WIDE) << SIGHT_BITS, (int64_t)(i / WIDE) << SIGHT_BITS,
                (int64_t)heights[i] +
                    (int64_t)(options.target_height * SIGHT_UNIT * 128 / view_grid(view)->scale[2])
            };
            const bool wanted = sides[i] && sight_free(&ground, eye, target, &crossed);

            if ((viewshed.seen[i] != 0) != wanted)
                fail_msg("round %d: %d, %d from %.17g, %.17g, %.17g m", round, i % WIDE, i / WIDE,
                         at[0], at[1], at[2]);
            if (viewshed.lacks && sides[i] && !wanted) {
                const double lack =
                    (sight_height(&ground, eye, target, &crossed) - (double)target[2]) /
                    SIGHT_UNIT / 128 * view_grid(view)->scale[2];

                assert_true(fabs(viewshed.lacks[i] - lack) <= 1e-6 * lack + 1e-7);
            }
        }
        viewshed_free(&viewshed);
        view_drop(view);
    }
}

static struct viewshed see(const struct view *view, const double eye[3],
                           const struct viewshed_options *options)
{
    struct viewshed viewshed;
    struct fault why;

    if (!viewshed_see(view, eye, view_rect(view), options, NULL, &viewshed, &why))
        fail_msg("%s", why.detail);
    return viewshed;
}

/* From the ground itself all of a plain is seen, and all of a slope. */
static void a_plain_is_seen_from_its_ground(void **state)
{
    enum { N = 150 };
    static uint16_t heights[N * N];

    (void)state;
    for (int slope = 0; slope < 2; slope++) {
        struct viewshed viewshed;
        struct view *view;
        double eye[3] = { 40.3, 77.1, 0 };

        for (int i = 0; i < N * N; i++)
            heights[i] = (uint16_t)(30000 + slope * (3 * (i % N) + 7 * (i / N)));
        view = ground_of(N, N, heights);
        eye[2] = grid_metres(view_grid(view), 30000 + slope * (3 * eye[0] + 7 * eye[1]) + 1e-5);
        viewshed = see(view, eye, &(struct viewshed_options){ .radius = INFINITY });
        assert_int_equal(viewshed.count, N * N);
        viewshed_free(&viewshed);
        view_drop(view);
    }
}

/* Planes of all slopes that meet in ridges and ditches, with pits and posts, and the eye exactly in
 * one of them: each vertex against a walk that tries every side. */
static uint16_t facet(const int32_t (*planes)[3], int count, int32_t x, int32_t y, bool least)
{
    int32_t best = 0;

    for (int k = 0; k < count; k++) {
        const int32_t h = 30000 + planes[k][0] + planes[k][1] * x + planes[k][2] * y;

        best = k == 0 || (least ? h < best : h > best) ? h : best;
    }
    return (uint16_t)best;
}

static void throw_facets(struct dice *dice, uint16_t *heights, int count, int32_t planes[3][3])
{
    const bool least = dice_between(dice, 0, 1);

    for (int k = 0; k < count; k++) {
        planes[k][0] = dice_between(dice, -300, 300);
        planes[k][1] = dice_between(dice, -20, 20);
        planes[k][2] = dice_between(dice, -20, 20);
    }
    for (int32_t i = 0; i < WIDE * WIDE; i++)
        heights[i] = facet((const int32_t(*)[3])planes, count, i % WIDE, i / WIDE, least);
    for (int k = dice_between(dice, 0, 4); k > 0; k--)
        heights[dice_between(dice, 0, WIDE * WIDE - 1)] += (uint16_t)dice_between(dice, -1, 1);
}

static struct view *faceted_scene(struct dice *dice, uint16_t *heights, int holes)
{
    const uint8_t hole = 255;
    struct view *view = ground_of(WIDE, WIDE, heights);
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    struct change change;

    for (; holes > 0; holes--) {
        const struct rect at = { dice_between(dice, 0, WIDE - 2), dice_between(dice, 0, WIDE - 2),
                                 1, 1 };

        assert_true(draft_write_holes(draft, at, &hole, 1, &why));
    }
    return ground_finish(draft, view, &change);
}

/* In the first plane or at a vertex, also beside the ground; in it to the last bit, or a little
 * above. */
static void throw_eye_in_plane(struct dice *dice, int32_t planes[3][3], int fine, int64_t eye[3])
{
    const int64_t part = (int64_t)1 << (SIGHT_BITS - fine);

    for (int k = 0; k < 2; k++)
        eye[k] = dice_between(dice, -(9 << fine), (WIDE + 9) << fine) * part;
    eye[2] = (30000 + planes[0][0]) * (int64_t)SIGHT_UNIT + planes[0][1] * eye[0] +
             planes[0][2] * eye[1] + dice_between(dice, 0, 4) / 4;
}

static void an_eye_in_a_plane_sees_what_every_walk_sees(void **state)
{
    static double walked[WIDE * WIDE];
    static uint8_t sides[WIDE * WIDE];
    static uint16_t heights[WIDE * WIDE];
    const int rounds = getenv("LANDSCAPED_SOAK") ? 4000 : 40;
    struct dice dice = { 23 };
    int64_t looked = 0;

    (void)state;
    for (int round = 0; round < rounds; round++) {
        const struct viewshed_options options = { .radius = INFINITY, .heights = round & 1 };
        int32_t planes[3][3];
        int64_t eye[3], crossed = 0;
        struct sight_ground ground;
        struct viewshed viewshed;
        struct view *view;
        struct fault why;
        double at[3];

        throw_facets(&dice, heights, round % 3 + 1, planes);
        view = faceted_scene(&dice, heights, round % 4 == 3 ? 6 : 0);
        ground = walked_ground(view, walked, sides);
        throw_eye_in_plane(&dice, planes, round % 5 * 2, eye);
        at[0] = (double)eye[0] / SIGHT_UNIT;
        at[1] = (double)eye[1] / SIGHT_UNIT;
        at[2] = grid_metres(view_grid(view), (double)eye[2] / SIGHT_UNIT);
        if (!viewshed_see(view, at, view_rect(view), &options, NULL, &viewshed, &why)) {
            assert_int_equal(why.code, FAULT_IMPOSSIBLE); /* another plane is above the eye */
            view_drop(view);
            continue;
        }
        looked++;
        for (int32_t i = 0; i < WIDE * WIDE; i++) {
            const int64_t target[3] = { (int64_t)(i % WIDE) << SIGHT_BITS,
                                        (int64_t)(i / WIDE) << SIGHT_BITS, (int64_t)walked[i] };
            const bool wanted = sides[i] && sight_free(&ground, eye, target, &crossed);

            if ((viewshed.seen[i] != 0) != wanted)
                fail_msg("round %d: %d, %d from %.17g, %.17g, %.17g m", round, i % WIDE, i / WIDE,
                         at[0], at[1], at[2]);
            if (viewshed.lacks && sides[i] && !wanted) {
                const double lack =
                    (sight_height(&ground, eye, target, &crossed) - (double)target[2]) /
                    SIGHT_UNIT / 128 * view_grid(view)->scale[2];

                assert_true(fabs(viewshed.lacks[i] - lack) <= 1e-6 * lack + 1e-7);
            }
        }
        viewshed_free(&viewshed);
        view_drop(view);
    }
    assert_true(looked > rounds / 3);
}

/* All of a large slope is in line with an eye on it, and yet few sides are tried for each vertex.
 * What is tried is counted, and more than is allowed is refused. */
static void a_large_slope_costs_little(void **state)
{
    enum { N = 505, LEAST = 250000 };
    uint16_t *heights = malloc((size_t)N * N * sizeof *heights);
    struct viewshed_options options = { .radius = INFINITY, .heights = true };
    const double places[][2] = { { 40.25, 77.5 }, { 252, 252 }, { 0, 0 }, { -3.5, 516 } };

    (void)state;
    for (int k = 0; k < 8; k++) {
        const int slope = k / 4;
        double eye[3] = { places[k % 4][0], places[k % 4][1], 0 };
        struct viewshed viewshed;
        struct view *view;
        struct fault why;

        for (int i = 0; i < N * N; i++)
            heights[i] = (uint16_t)(30000 + slope * (3 * (i % N) + 7 * (i / N)));
        view = ground_of(N, N, heights);
        eye[2] = grid_metres(view_grid(view), 30000 + slope * (3 * eye[0] + 7 * eye[1]));
        options.most_crossings = 0;
        viewshed = see(view, eye, &options);
        assert_int_equal(viewshed.count, N * N);
        /* from beyond the landscape many lines begin in its small squares along the border */
        assert_true(viewshed.crossings < (k % 4 == 3 ? 120 : 20) * (int64_t)N * N);
        assert_true(viewshed.pieces < 4 * N);
        options.most_crossings = viewshed.crossings;
        viewshed_free(&viewshed);
        if (options.most_crossings > LEAST) {
            viewshed = see(view, eye, &options);
            viewshed_free(&viewshed);
            options.most_crossings--;
            assert_false(viewshed_see(view, eye, view_rect(view), &options, NULL, &viewshed, &why));
            assert_int_equal(why.code, FAULT_LIMIT);
        }
        view_drop(view);
    }
    free(heights);
}

/* A wall hides what lies behind it, and tells how high it reaches. */
static void a_wall_casts_a_shadow(void **state)
{
    enum { N = 101, WALL = 50 };
    static uint16_t heights[N * N];
    const double eye[3] = { 40, 50, 2 };
    struct viewshed viewshed;
    struct view *view;

    (void)state;
    for (int i = 0; i < N * N; i++)
        heights[i] = (uint16_t)(32768 + (i % N == WALL ? 128 * 5 : 0)); /* 5 m */
    view = ground_of(N, N, heights);
    viewshed = see(view, eye, &(struct viewshed_options){ .radius = 30, .heights = true });
    for (int i = 0; i < N * N; i++) {
        const int x = i % N, y = i / N;
        const bool near = hypot(x - 40, y - 50) <= 30;

        assert_int_equal(viewshed.seen[i], near && x <= WALL ? 255 : 0);
        if (!near)
            assert_true(isnan(viewshed.lacks[i]));
        else if (x > WALL) /* the line over the wall's top, ten metres away */
            if (!(fabs(viewshed.lacks[i] - (2 + 0.3 * (x - 40))) < 1e-5))
                fail_msg("%d, %d: %.9g", x, y, viewshed.lacks[i]);
    }
    viewshed_free(&viewshed);
    view_drop(view);
}

/* A level sea is seen up to its horizon, sqrt(2 R h) away: h / bend is the square of that. */
static void the_earth_hides_what_lies_behind_the_horizon(void **state)
{
    enum { N = 301 };
    const double eye[3] = { 0, 0, 2 };
    const double bend = 2.0 / (200.0 * 200.0);
    struct view *view = ground_flat(N, N, 32768);
    struct viewshed viewshed = see(
        view, eye, &(struct viewshed_options){ .radius = INFINITY, .bend = bend, .heights = true });

    (void)state;
    for (int i = 0; i < N * N; i++) {
        const double away = hypot(i % N, i / N);

        if (away < 199)
            assert_int_equal(viewshed.seen[i], 255);
        if (away > 201)
            assert_int_equal(viewshed.seen[i], 0);
        if (away > 220) /* the tangent at the horizon */
            assert_true(fabs(viewshed.lacks[i] - bend * (away - 200) * (away - 200)) < 1e-3);
    }
    viewshed_free(&viewshed);
    view_drop(view);
}

static void an_eye_in_the_ground_is_refused(void **state)
{
    struct view *view = ground_flat(20, 20, 32768);
    const struct viewshed_options options = { .radius = INFINITY };
    const double below_ground[3] = { 3, 3, -0.1 }, far[3] = { 1e9, 0, 5 }, high[3] = { 3, 3, 1e30 };
    const double *const eyes[] = { below_ground, far, high };
    struct viewshed viewshed;

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct fault why = { 0 };

        assert_false(viewshed_see(view, eyes[i], view_rect(view), &options, NULL, &viewshed, &why));
        assert_int_equal(why.code, FAULT_IMPOSSIBLE);
    }
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_every_side_and_vertex),
        cmocka_unit_test(the_horizon_is_every_line_of_sight),
        cmocka_unit_test(a_plain_is_seen_from_its_ground),
        cmocka_unit_test(an_eye_in_a_plane_sees_what_every_walk_sees),
        cmocka_unit_test(a_large_slope_costs_little),
        cmocka_unit_test(a_wall_casts_a_shadow),
        cmocka_unit_test(the_earth_hides_what_lies_behind_the_horizon),
        cmocka_unit_test(an_eye_in_the_ground_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
