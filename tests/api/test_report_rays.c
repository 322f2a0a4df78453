/* What users of such software have met, of rays and what they meet. Each test names its report. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN = 7, OUT = 8, MOST = 60000 };

/* Rays that wait to be cast at once, and what they met. */
struct volley {
    struct caller *caller;
    size_t count;
    double rays[MOST][IN], hits[MOST][OUT];
};

static struct volley *volley_new(struct caller *caller)
{
    struct volley *volley = calloc(1, sizeof *volley);

    volley->caller = caller;
    return volley;
}

static void aim(struct volley *volley, double x, double y, double z, double dx, double dy,
                double dz)
{
    const double ray[IN] = { x, y, z, dx, dy, dz, INFINITY };

    assert_true(volley->count < MOST);
    memcpy(volley->rays[volley->count++], ray, sizeof ray);
}

static void fire(struct volley *volley)
{
    struct caller *caller = volley->caller;

    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST", LAND "/query/raycast", volley->rays,
               volley->count * sizeof *volley->rays);
    assert_int_equal(caller->status, 200);
    assert_int_equal(caller->length, volley->count * sizeof *volley->hits);
    memcpy(volley->hits, caller->body, caller->length);
}

static void missed(const struct volley *volley, size_t i)
{
    const double *ray = volley->rays[i], *hit = volley->hits[i];

    fail_msg("from %.17g, %.17g, %.17g along %.17g, %.17g, %.17g to %.17g, %.17g, %.17g", ray[0],
             ray[1], ray[2], ray[3], ray[4], ray[5], hit[1], hit[2], hit[3]);
}

/* COL-01: on columns, rows and diagonals of the grid. */
static void vertical_rays_never_fall_between_cells(void **state)
{
    struct volley *volley = volley_new(land_begin_with(state, "surface/ramp_diag.png"));
    uint32_t seed = 1;

    for (int line = 0; line <= 126; line++)
        for (int i = 0; i < 200; i++) {
            const double other = 126 * ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216.0;

            aim(volley, line, other, 1000, 0, 0, -1);
            aim(volley, other, line, 1000, 0, 0, -1);
            if (i % 20 == 0 && other + line <= 126) {
                aim(volley, other + line, other, 1000, 0, 0, -1);
                aim(volley, other, other + line, 1000, 0, 0, -1);
            }
        }
    fire(volley);
    for (size_t i = 0; i < volley->count; i++) {
        const double *hit = volley->hits[i];

        if (!(fabs(hit[3] - (2 * (volley->rays[i][0] + volley->rays[i][1]) - 256)) <= 0.001))
            missed(volley, i);
    }
    free(volley);
}

/* COL-02 */
static void slanted_rays_reach_the_rim(void **state)
{
    struct volley *volley = volley_new(land_begin_with(state, "surface/all_mid.png"));

    for (int way = 0; way < 8; way++)
        for (int j = 0; j <= 35; j++)
            for (int i = 0; i <= 35; i++) {
                const double at[2] = { i * 3.6, j * 3.6 };
                const double from[3] = { at[0] + 97.3 * cos(way * M_PI / 4),
                                         at[1] + 97.3 * sin(way * M_PI / 4), 41.7 };

                aim(volley, from[0], from[1], from[2], at[0] - from[0], at[1] - from[1], -from[2]);
            }
    fire(volley);
    for (size_t i = 0; i < volley->count; i++) {
        const double *ray = volley->rays[i], *hit = volley->hits[i];

        if (!(hypot(hit[1] - ray[0] - ray[3], hit[2] - ray[1] - ray[4]) <= 0.001 &&
              fabs(hit[3]) <= 0.001))
            missed(volley, i);
    }
    free(volley);
}

/* Whether a level ray through (x, y) at that height meets anything. */
static bool level_hits(struct caller *caller, double x, double y, double z)
{
    struct volley *volley = volley_new(caller);
    bool hits;

    aim(volley, -50, y, z, 1, 0, 0);
    aim(volley, x, 300, z, 0, -1, 0);
    fire(volley);
    hits = !isnan(volley->hits[0][0]);
    assert_int_equal(hits, !isnan(volley->hits[1][0]));
    free(volley);
    return hits;
}

/* COL-06 */
static void bounds_follow_every_edit(void **state)
{
    static const char up[] =
        "{\"tool\":\"set\",\"height\":200,\"region\":{\"x\":90,\"y\":30,\"width\":1,\"height\":1}}";
    static const char down[] =
        "{\"tool\":\"set\",\"height\":0,\"region\":{\"x\":90,\"y\":30,\"width\":1,\"height\":1}},"
        "{\"tool\":\"set\",\"height\":0,\"region\":{\"x\":40,\"y\":70,\"width\":1,\"height\":1}}";
    struct caller *caller = land_begin_with(state, "surface/spike_interior.png");

    assert_true(level_hits(caller, 40, 70, 127.996));
    assert_false(level_hits(caller, 90, 30, 100));
    land_edit(caller, up);
    assert_true(level_hits(caller, 90, 30, 100));
    land_edit(caller, down);
    assert_false(level_hits(caller, 90, 30, 100));
    assert_false(level_hits(caller, 40, 70, 127.996));
    /* And back: the brush first, then the file's own spike. */
    land_post(caller, LAND "/undo", NULL);
    assert_true(level_hits(caller, 90, 30, 100));
    assert_true(level_hits(caller, 40, 70, 127.996));
    land_post(caller, LAND "/undo", NULL);
    assert_false(level_hits(caller, 90, 30, 100));
    land_post(caller, LAND "/query/raycast",
              "{\"rays\":[{\"origin\":[39,70,10],\"direction\":[1,0,0]},"
              "{\"origin\":[20,70,150],\"direction\":[1,0,-0.5]}]}");
    assert_false(json_is_null(caller_member(caller, "hits.0")));
    assert_false(json_is_null(caller_member(caller, "hits.1")));
}

/* COL-08 */
static void ground_below_zero_is_met_and_faces_up(void **state)
{
    struct volley *volley = volley_new(land_begin_with(state, "surface/below_zero.png"));

    for (int j = 0; j <= 126; j += 3)
        for (int i = 0; i <= 126; i += 3) {
            aim(volley, i, j, 500, 0, 0, -1);
            aim(volley, i, j, -5000, 0, 0, 1);
            aim(volley, 63, 63, 600, i - 63, j - 63, -1800); /* below all of it half way */
        }
    aim(volley, 63, 63, 0, 0, 0, -1);
    fire(volley);
    for (size_t i = 0; i < volley->count; i++)
        if (!(volley->hits[i][0] > 0 && volley->hits[i][6] > 0))
            missed(volley, i);
    assert_float_equal(volley->hits[volley->count - 1][3], -198.97, 0.005);
    free(volley);
}

/* COL-12: 505 x 253, whose blocks end within the last columns and rows. */
static void the_last_column_and_row_are_there(void **state)
{
    struct caller *caller = land_begin_with(state, "size/size_505x253.png");
    struct volley *volley = volley_new(caller);
    double(*points)[2], *z;

    for (int y = 0; y < 253; y++) {
        aim(volley, 504, y * (252 / 253.0), 9000, 0, 0, -1);
        aim(volley, 504, y, 9000, 0, 0, -1);
    }
    for (int x = 0; x < 505; x++) {
        aim(volley, x * (504 / 505.0), 252, 9000, 0, 0, -1);
        aim(volley, x, 252, 9000, 0, 0, -1);
    }
    fire(volley);
    points = malloc(volley->count * sizeof *points);
    for (size_t i = 0; i < volley->count; i++)
        memcpy(points[i], volley->rays[i], sizeof *points);
    caller->type = caller->accept = "application/x-f64";
    call_bytes(caller, "POST", LAND "/query/heights", points, volley->count * sizeof *points);
    assert_int_equal(caller->length, volley->count * sizeof *z);
    z = (double *)(void *)caller->body;
    for (size_t i = 0; i < volley->count; i++)
        if (volley->hits[i][3] != z[i])
            missed(volley, i);
    free(points);
    free(volley);
    /* Level along them, at the height of a vertex there: met at that place or before, on the border
     * and at its height. */
    for (int i = 0; i < 2; i++) {
        static const char *const places[] = { "x=504&y=126", "x=252&y=252" };
        static const char *const level[] = {
            "{\"rays\":[{\"origin\":[504,-9,%.17g],\"direction\":[0,1,0],\"max_distance\":135}]}",
            "{\"rays\":[{\"origin\":[600,252,%.17g],\"direction\":[-1,0,0],\"max_distance\":348}]}"
        };
        char target[120], body[200];
        double at[3];

        snprintf(target, sizeof target, LAND "/height?%s", places[i]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        snprintf(body, sizeof body, level[i], caller_number(caller, "z"));
        land_post(caller, LAND "/query/raycast", body);
        for (size_t k = 0; k < 3; k++)
            at[k] = json_number_value(json_array_get(caller_member(caller, "hits.0.position"), k));
        assert_true(at[i] == (i ? 252 : 504));
        snprintf(target, sizeof target, LAND "/height?x=%.17g&y=%.17g", at[0], at[1]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_float_equal(caller_number(caller, "z"), at[2], 1e-9);
    }
}

/* COL-14: at 100 m the spike of 255.992 m is as wide as its triangles say: all of its six meet
 * at (40, 70), and reach their far edges one quad away. */
static void a_peak_inside_a_cell_is_not_skipped(void **state)
{
    enum { COUNT = 1000 };
    struct caller *caller = land_begin_with(state, "surface/spike_interior.png");
    struct volley *volley = volley_new(caller);
    const double wide = 1 - 100 / 255.992; /* of the slice at 100 m, from the middle */
    size_t hits = 0;

    for (int i = 0; i < COUNT; i++)
        aim(volley, 39.5 + (double)i / COUNT, -100, 100, 0, 1, 0);
    fire(volley);
    for (size_t i = 0; i < COUNT; i++) {
        const double off = fabs(volley->rays[i][0] - 40);

        if (fabs(off - wide) < 1e-4)
            continue; /* the peak is given to a millimetre */
        if (isnan(volley->hits[i][0]) != (off > wide))
            missed(volley, i);
        hits += off < wide;
    }
    assert_true(hits == COUNT);
    volley->count = 0;
    for (int i = 0; i < COUNT; i++)
        aim(volley, 39.3 + 1.4 * i / COUNT, -100, 100, 0, 1, 0);
    fire(volley);
    hits = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const double off = fabs(volley->rays[i][0] - 40);

        if (fabs(off - wide) > 1e-4 && isnan(volley->hits[i][0]) != (off > wide))
            missed(volley, i);
        hits += off < wide;
    }
    assert_true(hits > 800 && hits < COUNT);
    volley->count = 0;
    aim(volley, 40, 70, 1000, 0, 0, -1);
    fire(volley);
    assert_float_equal(volley->hits[0][3], 255.992, 0.0005);
    free(volley);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(vertical_rays_never_fall_between_cells),
        TEST(slanted_rays_reach_the_rim),
        TEST(bounds_follow_every_edit),
        TEST(ground_below_zero_is_met_and_faces_up),
        TEST(the_last_column_and_row_are_there),
        TEST(a_peak_inside_a_cell_is_not_skipped),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
