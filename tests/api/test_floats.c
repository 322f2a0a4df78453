/* Binary bodies, piece by piece. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/queries/floats.h"
#include "api/service.h"

enum { IN = 3, OUT = 2 };

struct work {
    double wrong; /* the item that begins with it fails */
    size_t pieces;
};

/* Item (a, b, c) has the answer (a + b, c), none where a is odd. */
static bool piece_run(void *context, const struct floats_piece *piece, struct fault *why)
{
    struct work *work = context;

    work->pieces++;
    for (size_t i = 0; i < piece->count; i++) {
        const double *in = piece->in + IN * i;
        double *out = piece->out + OUT * i;

        if (in[0] == work->wrong) {
            fault_set(why, FAULT_INPUT, "item %zu of %zu", i, piece->first);
            return fault_at(why, "/things/%zu/at", i);
        }
        if (fmod(in[0], 2) != 0)
            continue;
        out[0] = in[0] + in[1];
        out[1] = in[2];
        piece->statuses[i] = 7;
    }
    return true;
}

static const struct floats layout = {
    .items = "things", .limit = "query_points", .in = IN, .out = OUT, .piece = piece_run
};

/* Threads may take pieces in any order: the worst is the last first. */
static void backwards(const struct executor *self, size_t count, void (*piece)(void *, size_t),
                      void *work)
{
    (void)self;
    while (count--)
        piece(work, count);
}

static struct service service;
static struct request rq;

static bool ask(const void *body, size_t length, int media, bool statuses, struct work *work,
                bool split)
{
    static const struct executor executor = { backwards };

    limits_init(&service.limits);
    service.executor = split ? &executor : NULL;
    bytes_free(&rq.bytes);
    rq = (struct request){
        .service = &service, .body_data = body, .body_length = length, .media_in = media
    };
    return floats_run(&rq, &layout, statuses, work);
}

static double at(const unsigned char *from, size_t i, bool wide)
{
    double wider;
    float narrow;

    memcpy(&wider, from + i * 8 * wide, sizeof wider * wide);
    memcpy(&narrow, from + i * 4, sizeof narrow);
    return wide ? wider : (double)narrow;
}

static void check(size_t count, bool wide, bool statuses, bool split)
{
    size_t size = wide ? sizeof(double) : sizeof(float);
    unsigned char *room = malloc(count * IN * size + 1), *body = room + 1; /* aligned for nothing */
    struct work work = { .wrong = -1 };

    for (size_t i = 0; i < count * IN; i++) {
        double value = (double)(i / IN) + (double)(i % IN) * 0.25;
        float narrow = (float)value;

        memcpy(body + i * size, wide ? (void *)&value : (void *)&narrow, size);
    }
    assert_true(
        ask(body, count * IN * size, wide ? FLOATS_F64 : FLOATS_F32, statuses, &work, split));
    assert_int_equal(rq.bytes.length, count * OUT * size + (statuses ? count : 0));
    for (size_t i = 0; i < count; i++) {
        double sum = at(rq.bytes.data, OUT * i, wide), third = at(rq.bytes.data, OUT * i + 1, wide);

        if (i % 2 ? !isnan(sum) || !isnan(third) : sum != 2.0 * i + 0.25 || third != i + 0.5)
            fail_msg("item %zu of %zu: %g, %g", i, count, sum, third);
        if (statuses && rq.bytes.data[count * OUT * size + i] != (i % 2 ? 0 : 7))
            fail_msg("status of item %zu of %zu", i, count);
    }
    free(room);
}

static void every_item_has_its_answer(void **state)
{
    static const size_t counts[] = { 0, 1, 2, 2456, 2457, 2458, 4915, 10000 };

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int how = 0; how < 8; how++)
            check(counts[i], how & 1, how & 2, how & 4);
}

static void a_part_of_an_item_is_refused(void **state)
{
    unsigned char body[64] = { 0 };
    struct work work = { .wrong = -1 };

    (void)state;
    for (size_t length = 0; length < sizeof body; length++) {
        char said[32];

        snprintf(said, sizeof said, "%zu bytes are", length);
        assert_true(ask(body, length, FLOATS_F32, true, &work, true) == (length % 12 == 0));
        if (length % 12 == 0)
            continue;
        assert_int_equal(rq.fault.code, FAULT_INPUT);
        assert_non_null(strstr(rq.fault.detail, said));
        assert_non_null(strstr(rq.fault.detail, "things of 12 bytes"));
    }
    assert_false(ask(body, 36, FLOATS_F64, false, &work, true));
    assert_non_null(strstr(rq.fault.detail, "things of 24 bytes"));
}

static void too_many_items_are_refused_by_the_limits_name(void **state)
{
    size_t length = (size_t)1000001 * 12;
    unsigned char *body = calloc(1, length);
    struct work work = { .wrong = -1 };

    (void)state;
    assert_false(ask(body, length, FLOATS_F32, false, &work, true));
    assert_int_equal(rq.fault.code, FAULT_LIMIT);
    assert_string_equal(rq.fault.detail,
                        "1000001 things came; at most 1000000 are answered (query_points)");
    assert_int_equal(work.pieces, 0);
    assert_true(ask(body, length - 12, FLOATS_F32, false, &work, true));
    free(body);
}

/* The first in the body, not the first that was found; by its place in the body. */
static void the_first_wrong_item_is_named(void **state)
{
    size_t count = 20000;
    float *body = calloc(count * IN, sizeof *body);
    struct work work = { .wrong = 5 };

    (void)state;
    body[IN * 6001] = body[IN * 15000] = 5;
    for (int split = 0; split < 2; split++) {
        assert_false(ask(body, count * IN * sizeof *body, FLOATS_F32, false, &work, split));
        assert_string_equal(rq.fault.place, "/things/6001/at");
        assert_int_equal(rq.bytes.length, 0);
    }
    free(body);
}

static int finish(void **state)
{
    (void)state;
    bytes_free(&rq.bytes);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_has_its_answer),
        cmocka_unit_test(a_part_of_an_item_is_refused),
        cmocka_unit_test(too_many_items_are_refused_by_the_limits_name),
        cmocka_unit_test(the_first_wrong_item_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, finish);
}
