/* Reports of pictures that went wrong elsewhere: REN-02, REN-04, REN-07, REN-09 and REN-11, asked
 * of a real daemon. (REN-01 is in test_renders, REN-12 in test_chaos.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/inputs.h"
#include "tests/server/harness.h"

static const char json[] = "Content-Type: application/json\r\n";

/* The picture's bytes, to be freed. */
static void *draw(const struct served *served, const char *landscape, const char *body,
                  size_t length)
{
    char target[80];
    struct answer answer;
    void *pixels = malloc(length);

    snprintf(target, sizeof target, "/v1/landscapes/%s/render", landscape);
    served_demand(served, "POST", target, body, 200, &answer);
    assert_int_equal(answer.length, length);
    memcpy(pixels, answer.body, length);
    answer_free(&answer);
    return pixels;
}

static void import(const struct served *served, const char *name, const char *file)
{
    size_t length;
    unsigned char *data = input_read(file, &length);
    struct answer answer;
    char target[80];

    snprintf(target, sizeof target, "/v1/landscapes/%s/import", name);
    served_ask(served, "POST", target, "Content-Type: image/png\r\n", data, length, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    free(data);
}

/* REN-02: one context, many threads. */

enum { LANDS = 4, RENDERS = 200, CONNECTIONS = 16, WIDTH = 48, HEIGHT = 32 };

struct crowd {
    struct served *served;
    unsigned char *alone[LANDS * 5];
    _Atomic int next, wrong;
};

static void crowd_body(int which, char body[200])
{
    snprintf(body, 200,
             "{\"width\":%d,\"height\":%d,\"format\":\"raw\",\"camera\":{\"orbit\":"
             "{\"azimuth\":%d,\"elevation\":35}}}",
             WIDTH, HEIGHT, 72 * (which / LANDS));
}

static void *join(void *context)
{
    struct crowd *crowd = context;
    int turn;

    while ((turn = atomic_fetch_add(&crowd->next, 1)) < RENDERS) {
        const int which = turn * 7 % (LANDS * 5);
        char body[200], target[80];
        struct answer answer;

        crowd_body(which, body);
        snprintf(target, sizeof target, "/v1/landscapes/land%d/render", which % LANDS);
        served_ask(crowd->served, "POST", target, json, body, strlen(body), &answer);
        crowd->wrong += answer.status != 200 || answer.length != 4 * WIDTH * HEIGHT ||
                        memcmp(answer.body, crowd->alone[which], answer.length) != 0;
        answer_free(&answer);
    }
    return NULL;
}

static void many_at_once_are_each_alone(void **state)
{
    struct crowd crowd = { .served = *state };
    pthread_t threads[CONNECTIONS];

    for (int i = 0; i < LANDS; i++) {
        char target[80], body[300];

        snprintf(target, sizeof target, "/v1/landscapes/land%d", i);
        served_expect(crowd.served, "PUT", target,
                      "{\"layout\":{\"components\":[1,1],\"sections_per_component\":2,"
                      "\"section_quads\":31}}",
                      201);
        snprintf(target, sizeof target, "/v1/landscapes/land%d/edits", i);
        snprintf(body, sizeof body,
                 "{\"ops\":[{\"tool\":\"raise\",\"path\":[[%d,%d]],\"radius\":25,\"amount\":%d}]}",
                 15 + 10 * i, 45 - 10 * i, 10 + 8 * i);
        served_expect(crowd.served, "POST", target, body, 200);
    }
    for (int i = 0; i < LANDS * 5; i++) {
        char body[200], name[16];

        crowd_body(i, body);
        snprintf(name, sizeof name, "land%d", i % LANDS);
        crowd.alone[i] = draw(crowd.served, name, body, 4 * WIDTH * HEIGHT);
    }
    for (int i = 0; i < CONNECTIONS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, join, &crowd), 0);
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(crowd.wrong, 0);
    for (int i = 0; i < LANDS * 5; i++)
        free(crowd.alone[i]);
}

/* REN-04: rows from the top, whoever draws. A pixel a vertex, from straight above. */

static void expect_heights(const struct served *served, const char *name, int side)
{
    const size_t pixels = (size_t)side * (size_t)side;
    char target[120], body[300];
    struct answer heights;
    float *drawn, *ahead;

    snprintf(target, sizeof target, "/v1/landscapes/%s/heights?format=f32", name);
    served_demand(served, "GET", target, NULL, 200, &heights);
    assert_int_equal(heights.length, 4 * pixels);
    for (int depth = 0; depth < 2; depth++) {
        snprintf(body, sizeof body,
                 "{\"width\":%d,\"height\":%d,\"format\":\"raw\",\"output\":\"%s\","
                 "\"camera\":{\"ortho\":{\"center\":[%g,%g],\"width\":%d}}}",
                 side, side, depth ? "depth" : "height", (side - 1) / 2.0, (side - 1) / 2.0, side);
        *(depth ? &ahead : &drawn) = draw(served, name, body, 4 * pixels);
    }
    for (int y = 1; y < side - 1; y++)
        for (int x = 1; x < side - 1; x++) {
            const int at = y * side + x;
            float right;

            memcpy(&right, heights.body + 4 * at, 4);
            assert_true(fabs(drawn[at] - right) < 0.02);
            assert_true(fabs(ahead[at] + right - ahead[side + 1] - drawn[side + 1]) < 0.05);
        }
    answer_free(&heights);
    free(drawn);
    free(ahead);
}

static void rows_begin_at_the_top_with_every_backend(void **state)
{
    static const char *const backends[] = { "egl-surfaceless", "osmesa" };

    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *const options[] = { "--render-backend", backends[i], NULL };
        struct served *served = served_start(options);

        assert_non_null(served);
        import(served, "corners", "surface/corners_full.png");
        import(served, "flips", "surface/flip_probe.png");
        expect_heights(served, "corners", 127);
        expect_heights(served, "flips", 127);
        assert_int_equal(served_stop(served), 0);
        served_free(served);
    }
}

/* REN-07: the face towards the light is the brighter one. */

static double brightness(const unsigned char *rgba, int side, int from_x, int from_y, int width,
                         int height)
{
    double sum = 0;

    for (int y = from_y; y < from_y + height; y++)
        for (int x = from_x; x < from_x + width; x++)
            for (int c = 0; c < 3; c++)
                sum += rgba[4 * (y * side + x) + c];
    return sum / width / height;
}

static void the_face_towards_the_light_is_brighter(void **state)
{
    static const char *const modes[] = { "lit", "hillshade" };
    enum { SIDE = 127 };
    struct served *served = *state;

    import(served, "ridge", "surface/ridge_x.png");
    for (int mode = 0; mode < 2; mode++)
        for (int from = 0; from < 2; from++) {
            const int azimuth = from ? 90 : 270;
            char body[300];
            unsigned char *rgba;
            double west, east;

            snprintf(body, sizeof body,
                     "{\"width\":%d,\"height\":%d,\"format\":\"raw\",\"mode\":\"%s\","
                     "\"sun\":{\"azimuth\":%d,\"elevation\":45},"
                     "\"camera\":{\"ortho\":{\"center\":[63,63],\"width\":127}}}",
                     SIDE, SIDE, modes[mode], azimuth);
            rgba = draw(served, "ridge", body, 4 * SIDE * SIDE);
            west = brightness(rgba, SIDE, 8, 20, 15, 80);
            east = brightness(rgba, SIDE, 40, 20, 15, 80);
            if (!(from ? east > west + 20 : west > east + 20))
                fail_msg("%s from %d: west %.1f, east %.1f", modes[mode], azimuth, west, east);
            free(rgba);
        }
}

/* REN-09: looking straight down, straight up, and nowhere. */
static void straight_down_has_north_up(void **state)
{
    struct served *served = *state;
    float *ahead;
    unsigned char *rgba;

    import(served, "probe", "surface/flip_probe.png");
    /* What the map shows, a camera far above shows: the same place is highest. */
    ahead = draw(served, "probe",
                 "{\"width\":64,\"height\":64,\"format\":\"raw\",\"output\":\"height\","
                 "\"camera\":{\"position\":[63,63,3000],\"target\":[63,63,0],\"fov\":2}}",
                 4 * 64 * 64);
    for (int i = 0; i < 4; i++) {
        static const char *const places[] = { "x=20&y=20", "x=100&y=20", "x=20&y=100",
                                              "x=100&y=100" };
        static const int columns[] = { 20, 100, 20, 100 }, rows[] = { 20, 20, 100, 100 };
        const double metres = 2 * 3000 * tan(1 * 3.14159265358979 / 180) / 64;
        const int x = (int)floor((columns[i] - 63) / metres + 32);
        const int y = (int)floor((rows[i] - 63) / metres + 32);
        char target[100];
        struct answer answer;
        double z;

        snprintf(target, sizeof target, "/v1/landscapes/probe/height?%s", places[i]);
        served_demand(served, "GET", target, NULL, 200, &answer);
        z = strtod(strstr((char *)answer.body, "\"z\":") + 4, NULL);
        assert_true(fabs(ahead[y * 64 + x] - z) < 12);
        answer_free(&answer);
    }
    free(ahead);
    ahead = draw(served, "probe",
                 "{\"width\":16,\"height\":16,\"format\":\"raw\",\"output\":\"depth\","
                 "\"camera\":{\"position\":[63,63,600],\"target\":[63,63,700]}}",
                 4 * 16 * 16);
    for (int i = 0; i < 256; i++)
        assert_true(isinf(ahead[i]));
    free(ahead);
    rgba = draw(served, "probe",
                "{\"width\":16,\"height\":16,\"format\":\"raw\","
                "\"camera\":{\"position\":[63,63,600],\"target\":[63,63,700]}}",
                4 * 16 * 16);
    for (int i = 0; i < 256; i++) /* sky */
        assert_true(rgba[4 * i + 2] > rgba[4 * i] && rgba[4 * i + 3] == 255);
    free(rgba);
    served_expect(served, "POST", "/v1/landscapes/probe/render",
                  "{\"camera\":{\"position\":[63,63,600],\"target\":[63,63,600]}}", 400);
    served_expect(served, "POST", "/v1/landscapes/probe/render",
                  "{\"camera\":{\"position\":[63,63,600],\"target\":[63,63,0],\"up\":[0,0,0]}}",
                  400);
}

/* REN-11: near ground is not cut away, far ground keeps its order. */

enum { FAR_WIDTH = 64, FAR_HEIGHT = 48 };

/* Metres ahead that rays of the same camera meet, NaN where they meet nothing; -1 where they meet
 * the ground from beneath, having come in where pictures have a side of the model. */
static double *cast(const struct served *served, const double eye[3], const double target[3],
                    double fov)
{
    const size_t count = (size_t)FAR_WIDTH * FAR_HEIGHT;
    double *rays = malloc(count * 7 * sizeof *rays), *ahead = malloc(count * sizeof *ahead);
    double forward[3], right[3], length = 0, flat;
    struct answer answer;
    size_t per_hit;

    for (int i = 0; i < 3; i++) {
        forward[i] = target[i] - eye[i];
        length += forward[i] * forward[i];
    }
    for (int i = 0; i < 3; i++)
        forward[i] /= sqrt(length);
    flat = hypot(forward[0], forward[1]);
    right[0] = -forward[1] / flat;
    right[1] = forward[0] / flat;
    for (size_t i = 0; i < count; i++) {
        const double half = tan(fov / 2 * 3.14159265358979323846 / 180);
        const double across =
            (2 * (i % FAR_WIDTH + 0.5) / FAR_WIDTH - 1) * half * FAR_WIDTH / FAR_HEIGHT;
        const double up = (1 - 2 * (i / FAR_WIDTH + 0.5) / FAR_HEIGHT) * half;
        /* forward x right, y down */
        const double upward[3] = { -forward[2] * forward[0] / flat, -forward[2] * forward[1] / flat,
                                   flat };

        for (int c = 0; c < 3; c++) {
            rays[7 * i + (size_t)c] = eye[c];
            rays[7 * i + 3 + (size_t)c] =
                forward[c] + across * (c < 2 ? right[c] : 0) + up * upward[c];
        }
        rays[7 * i + 6] = INFINITY;
    }
    served_ask(served, "POST", "/v1/landscapes/range/query/raycast",
               "Content-Type: application/x-f64\r\nAccept: application/x-f64\r\n", rays,
               count * 7 * sizeof *rays, &answer);
    assert_int_equal(answer.status, 200);
    per_hit = answer.length / count / sizeof(double);
    for (size_t i = 0; i < count; i++) {
        double hit[6];

        memcpy(hit, answer.body + (i * per_hit + 1) * sizeof(double), sizeof hit);
        ahead[i] = (hit[0] - eye[0]) * forward[0] + (hit[1] - eye[1]) * forward[1] +
                   (hit[2] - eye[2]) * forward[2];
        if (hit[3] * rays[7 * i + 3] + hit[4] * rays[7 * i + 4] + hit[5] * rays[7 * i + 5] > 0)
            ahead[i] = -1;
    }
    answer_free(&answer);
    free(rays);
    return ahead;
}

/* What is drawn lies among what the rays of the pixels around meet; where they meet nothing there
 * is no ground, unless the model shows its sides. */
static void expect_ground(const struct served *served, const double eye[3], const double target[3],
                          double fov, const char *geometry, bool sides)
{
    const int pixels = FAR_WIDTH * FAR_HEIGHT;
    double *right = cast(served, eye, target, fov);
    int wrong = 0, ground = 0;
    char body[400];
    float *drawn;

    snprintf(
        body, sizeof body,
        "{\"width\":%d,\"height\":%d,\"format\":\"raw\",\"output\":\"depth\",\"geometry\":\"%s\","
        "\"camera\":{\"position\":[%.3f,%.3f,%.3f],\"target\":[%.3f,%.3f,%.3f],\"fov\":%g}}",
        FAR_WIDTH, FAR_HEIGHT, geometry, eye[0], eye[1], eye[2], target[0], target[1], target[2],
        fov);
    drawn = draw(served, "range", body, 4 * (size_t)pixels);
    for (int y = 1; y < FAR_HEIGHT - 1; y++)
        for (int x = 1; x < FAR_WIDTH - 1; x++) {
            double low = HUGE_VAL, high = 0;
            int met = 0, beneath = 0, at = y * FAR_WIDTH + x;

            for (int i = 0; i < 9; i++) {
                const double metres = right[at + (i / 3 - 1) * FAR_WIDTH + i % 3 - 1];

                if (isnan(metres))
                    continue;
                met++;
                beneath += metres < 0;
                low = fmin(low, metres);
                high = fmax(high, metres);
            }
            if (beneath)
                continue;
            ground += met == 9;
            if (isinf(drawn[at]))
                wrong += met == 9;
            else
                wrong += met == 0 || (sides && met < 9)
                             ? !sides
                             : drawn[at] < low * 0.999 || drawn[at] > high * 1.001;
        }
    assert_true(ground > pixels / 16);
    if (wrong > pixels / 200)
        fail_msg("%d of %d pixels are not what the rays around them meet", wrong, ground);
    free(right);
    free(drawn);
}

static void near_and_far_ground_is_all_there(void **state)
{
    struct served *served = *state;
    struct answer answer;
    double z;

    served_expect(
        served, "PUT", "/v1/landscapes/range",
        "{\"layout\":{\"components\":[8,8],\"sections_per_component\":2,\"section_quads\":63},"
        "\"scale\":[100,100,16]}",
        201);
    served_expect(served, "POST", "/v1/landscapes/range/edits",
                  "{\"ops\":[{\"tool\":\"noise\",\"region\":{\"x\":0,\"y\":0,\"width\":1009,"
                  "\"height\":1009},\"amplitude\":1500,\"cell\":60,\"seed\":7,\"octaves\":5}]}",
                  200);
    served_demand(served, "GET", "/v1/landscapes/range/height?x=50000&y=50000", NULL, 200, &answer);
    z = strtod(strstr((char *)answer.body, "\"z\":") + 4, NULL);
    answer_free(&answer);
    expect_ground(served, (const double[3]){ 50000, 50000, z + 2 },
                  (const double[3]){ 50900, 50300, z - 20 }, 60, "auto", false);
    expect_ground(served, (const double[3]){ 50000, 250000, 20000 },
                  (const double[3]){ 50400, 50400, 0 }, 12, "full", true);
}

static int begin(void **state)
{
    *state = served_start(NULL);
    return *state ? 0 : -1;
}

static int end(void **state)
{
    const int status = served_stop(*state);

    served_free(*state);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_at_once_are_each_alone),
        cmocka_unit_test(rows_begin_at_the_top_with_every_backend),
        cmocka_unit_test(the_face_towards_the_light_is_brighter),
        cmocka_unit_test(straight_down_has_north_up),
        cmocka_unit_test(near_and_far_ground_is_all_there),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
