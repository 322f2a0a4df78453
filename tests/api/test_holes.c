/* Holes as rasters of quads, through their endpoints. */
#include "tests/api/caller.h"

#include <stdlib.h>
#include <string.h>

#include "tests/format/inputs.h"

/* 125 x 63 vertices, so 124 x 62 quads. */
static const char plain[] = "{\"layout\":{\"components\":[2,1],\"sections_per_component\":2,"
                            "\"section_quads\":31}}";
static const char holes[] = "/v1/landscapes/plain/holes";
enum { COLUMNS = 124, ROWS = 62 };

static struct caller *begin(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain", plain), 201);
    return caller;
}

static int put(struct caller *caller, const char *query, const char *type, const void *data,
               size_t length)
{
    char target[200];

    snprintf(target, sizeof target, "%s?%s", holes, query);
    caller->type = type;
    return call_bytes(caller, "PUT", target, data, length);
}

static int put_r8(struct caller *caller, const char *query, const void *data, size_t length)
{
    return put(caller, query, "application/x-r8", data, length);
}

/* All holes; the caller's body has them. */
static const uint8_t *all(struct caller *caller)
{
    char target[100];

    snprintf(target, sizeof target, "%s?format=r8", holes);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    assert_int_equal(caller->length, COLUMNS * ROWS);
    return (const uint8_t *)caller->body;
}

static void samples_from_170_on_are_holes(void **state)
{
    static const uint8_t samples[6] = { 0, 1, 169, 170, 254, 255 };
    struct caller *caller = begin(state);
    const uint8_t *now;

    assert_int_equal(put_r8(caller, "x=10&y=5&width=3&height=2", samples, 6), 200);
    assert_int_equal(caller_number(caller, "version"), 2);
    assert_int_equal(caller_number(caller, "changed"), 3);
    assert_int_equal(caller_number(caller, "dirty.y"), 6);
    assert_int_equal(caller_number(caller, "dirty.width"), 3);
    now = all(caller);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        int x = i % COLUMNS - 10, y = i / COLUMNS - 5;

        assert_int_equal(now[i], y == 1 && x >= 0 && x < 3 ? 255 : 0);
    }
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/height?x=10.5&y=6.5", NULL), 200);
    assert_true(json_is_true(caller_member(caller, "hole")));
}

static void solid_samples_close_what_was_open(void **state)
{
    static uint8_t open[COLUMNS * ROWS], one;
    struct caller *caller = begin(state);
    const uint8_t *now;

    memset(open, 255, sizeof open);
    assert_int_equal(put_r8(caller, "width=124&height=62", open, sizeof open), 200);
    assert_int_equal(caller_number(caller, "changed"), COLUMNS * ROWS);
    assert_int_equal(put_r8(caller, "x=123&y=61&width=1&height=1", &one, 1), 200);
    now = all(caller);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        assert_int_equal(now[i], i < COLUMNS * ROWS - 1 ? 255 : 0);
}

static void a_picture_comes_back_as_it_went(void **state)
{
    static uint8_t samples[COLUMNS * ROWS];
    struct caller *caller = begin(state);
    size_t length;
    char *picture;

    for (int i = 0; i < COLUMNS * ROWS; i++)
        samples[i] = i * i % 7 > 3 ? 255 : 0;
    assert_int_equal(put_r8(caller, "width=124&height=62", samples, sizeof samples), 200);
    assert_int_equal(call(caller, "GET", holes, NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
    length = caller->length;
    picture = malloc(length);
    memcpy(picture, caller->body, length);
    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/plain", NULL), 204);
    begin(state);
    assert_int_equal(put(caller, "", "image/png", picture, length), 200);
    assert_memory_equal(all(caller), samples, sizeof samples);
    assert_int_equal(put(caller, "", "image/png", picture, length), 200);
    assert_int_equal(caller_number(caller, "version"), 2);
    free(picture);
}

static void what_does_not_fit_is_refused_and_changes_nothing(void **state)
{
    static const uint8_t samples[8] = { 255, 255, 255, 255, 255, 255, 255, 255 };
    struct caller *caller = begin(state);
    size_t length;
    unsigned char *deep = input_read("png/gray16_asym_127.png", &length);

    put_r8(caller, "x=123&y=0&width=2&height=1", samples, 2);
    assert_refused(caller, 422, "width");
    put_r8(caller, "x=124&y=0&width=1&height=1", samples, 1);
    assert_refused(caller, 422, "x");
    put_r8(caller, "x=0&y=62&width=1&height=1", samples, 1);
    assert_refused(caller, 422, "y");
    put_r8(caller, "width=2&height=2", samples, 3);
    assert_refused(caller, 422, "");
    put_r8(caller, "width=2", samples, 2);
    assert_refused(caller, 400, "height");
    put_r8(caller, "width=2&height=2&edit_layer=basis", samples, 4);
    assert_refused(caller, 404, "edit_layer");
    put(caller, "", "image/png", samples, 8);
    assert_refused(caller, 422, "");
    put(caller, "", "image/png", deep, length);
    assert_refused(caller, 422, "");
    assert_string_equal(caller_text(caller, "type"), "/problems/colour-type");
    put(caller, "", "application/x-r16", samples, 8);
    assert_refused(caller, 415, "");
    call(caller, "GET", "/v1/landscapes/plain/holes?width=125", NULL);
    assert_refused(caller, 422, "width");
    for (int i = 0; i < COLUMNS * ROWS; i++)
        assert_int_equal(all(caller)[i], 0);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "1");
    free(deep);
}

static void changes_are_guarded_and_tried_dry(void **state)
{
    static const uint8_t samples[2] = { 255, 255 };
    struct caller *caller = begin(state);
    char etag[256];

    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/holes?format=r8", NULL), 200);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    assert_int_equal(put_r8(caller, "width=2&height=1&dry_run=true", samples, 2), 200);
    assert_int_equal(caller_number(caller, "changed"), 2);
    assert_int_equal(caller_number(caller, "version"), 2);
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/holes?format=r8", NULL), 304);
    caller->if_match = "\"5\"";
    assert_int_equal(put_r8(caller, "width=2&height=1", samples, 2), 412);
    caller->key = "once";
    assert_int_equal(put_r8(caller, "width=2&height=1", samples, 2), 200);
    caller->key = "once";
    assert_int_equal(put_r8(caller, "width=2&height=1", samples, 2), 200);
    assert_int_equal(caller_number(caller, "version"), 2);
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/holes?format=r8", NULL), 200);
    caller_restart(caller);
    assert_int_equal(all(caller)[1], 255);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(samples_from_170_on_are_holes),
        TEST(solid_samples_close_what_was_open),
        TEST(a_picture_comes_back_as_it_went),
        TEST(what_does_not_fit_is_refused_and_changes_nothing),
        TEST(changes_are_guarded_and_tried_dry),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
