/* XY offsets through their endpoints, and through whatever carries a landscape. */
#include "tests/api/caller.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/offset.h"

/* 125 x 63 vertices. */
static const char plain[] = "{\"layout\":{\"components\":[2,1],\"sections_per_component\":2,"
                            "\"section_quads\":31}}";
static const char offsets[] = "/v1/landscapes/plain/offsets";
enum { COLUMNS = 125, ROWS = 63, VERTICES = COLUMNS * ROWS, PAIR = 4 };

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

    snprintf(target, sizeof target, "%s?%s", offsets, query);
    caller->type = type;
    return call_bytes(caller, "PUT", target, data, length);
}

static int put_pairs(struct caller *caller, const char *query, const void *data, size_t length)
{
    return put(caller, query, "application/x-r16", data, length);
}

/* Pairs of a landscape's every vertex, little-endian; the caller's body has them. */
static const uint8_t *all_of(struct caller *caller, const char *id, int vertices)
{
    char target[100];

    snprintf(target, sizeof target, "/v1/landscapes/%s/offsets?format=r16", id);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    assert_int_equal(caller->length, vertices * PAIR);
    return (const uint8_t *)caller->body;
}

static const uint8_t *all(struct caller *caller)
{
    return all_of(caller, "plain", VERTICES);
}

static int number_at(const uint8_t *pairs, int vertex, int axis)
{
    return pairs[PAIR * vertex + 2 * axis] | pairs[PAIR * vertex + 2 * axis + 1] << 8;
}

static void fill(uint8_t *pairs, uint32_t seed)
{
    for (int i = 0; i < VERTICES * PAIR; i++) {
        seed = seed * 1664525 + 1013904223;
        pairs[i] = (uint8_t)(i % 2 ? 0x7f + (seed >> 30) % 2 : seed >> 24);
    }
}

static void there_are_none_until_they_are_put(void **state)
{
    static const uint8_t pair[] = { 0x12, 0x81, 0xcd, 0x7b };
    struct caller *caller = begin(state);
    const uint8_t *now = all(caller);

    for (int i = 0; i < VERTICES * 2; i++)
        assert_int_equal(number_at(now, i / 2, i % 2), OFFSET_REST);
    assert_int_equal(put_pairs(caller, "x=7&y=5&width=1&height=1", pair, sizeof pair), 200);
    assert_int_equal(caller_number(caller, "changed"), 1);
    assert_int_equal(caller_number(caller, "dirty.x"), 7);
    assert_int_equal(caller_number(caller, "dirty.height"), 1);
    now = all(caller);
    for (int i = 0; i < VERTICES; i++) {
        bool there = i == 5 * COLUMNS + 7;

        assert_int_equal(number_at(now, i, 0), there ? 0x8112 : OFFSET_REST);
        assert_int_equal(number_at(now, i, 1), there ? 0x7bcd : OFFSET_REST);
    }
}

static void a_picture_holds_both_numbers_and_comes_back(void **state)
{
    static uint8_t pairs[VERTICES * PAIR], zero[VERTICES * PAIR];
    struct caller *caller = begin(state);
    size_t length;
    char *picture;

    fill(pairs, 1);
    assert_int_equal(put_pairs(caller, "width=125&height=63", pairs, sizeof pairs), 200);
    assert_int_equal(call(caller, "GET", offsets, NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
    length = caller->length;
    picture = malloc(length);
    memcpy(picture, caller->body, length);
    assert_int_equal(put_pairs(caller, "width=125&height=63", zero, sizeof zero), 200);
    assert_memory_equal(all(caller), zero, sizeof zero);
    assert_int_equal(put(caller, "", "image/png", picture, length), 200);
    assert_memory_equal(all(caller), pairs, sizeof pairs);
    assert_int_equal(put(caller, "", "image/png", picture, length), 200);
    assert_int_equal(caller_number(caller, "version"), 4); /* nothing to change */
    free(picture);
}

static void they_are_undone_redone_and_outlive_a_restart(void **state)
{
    static uint8_t first[VERTICES * PAIR], second[VERTICES * PAIR];
    struct caller *caller = begin(state);

    fill(first, 2);
    fill(second, 3);
    assert_int_equal(put_pairs(caller, "width=125&height=63", first, sizeof first), 200);
    assert_int_equal(put_pairs(caller, "width=125&height=63", second, sizeof second), 200);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/undo", NULL), 200);
    assert_memory_equal(all(caller), first, sizeof first);
    caller_restart(caller);
    assert_memory_equal(all(caller), first, sizeof first);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/redo", NULL), 200);
    assert_memory_equal(all(caller), second, sizeof second);
    caller_restart(caller);
    assert_memory_equal(all(caller), second, sizeof second);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/offsets?format=r16&version=2", NULL),
                     200);
    assert_memory_equal(caller->body, first, sizeof first);
    /* and back to none */
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/undo", NULL), 200);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/undo", NULL), 200);
    assert_int_equal(number_at(all(caller), 77, 1), OFFSET_REST);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/components/0/0", NULL), 200);
    assert_true(json_is_false(caller_member(caller, "xy_offsets")));
}

static void archives_and_copies_have_them(void **state)
{
    static uint8_t pairs[VERTICES * PAIR];
    struct caller *caller = begin(state);
    size_t length;
    char *archive;

    fill(pairs, 4);
    assert_int_equal(put_pairs(caller, "width=125&height=63", pairs, sizeof pairs), 200);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/copy", "{\"to\":\"twin\"}"), 201);
    assert_memory_equal(all_of(caller, "twin", VERTICES), pairs, sizeof pairs);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/archive", NULL), 200);
    length = caller->length;
    archive = malloc(length);
    memcpy(archive, caller->body, length);
    caller->type = "application/vnd.landscaped.archive";
    assert_int_equal(call_bytes(caller, "PUT", "/v1/landscapes/back/archive", archive, length),
                     201);
    assert_memory_equal(all_of(caller, "back", VERTICES), pairs, sizeof pairs);
    caller_restart(caller);
    assert_memory_equal(all_of(caller, "back", VERTICES), pairs, sizeof pairs);
    free(archive);
}

static void resize(struct caller *caller, const char *body)
{
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/resize", body), 200);
}

static void more_and_less_ground_keeps_them(void **state)
{
    static uint8_t pairs[VERTICES * PAIR];
    struct caller *caller = begin(state);
    const uint8_t *now;

    fill(pairs, 5);
    assert_int_equal(put_pairs(caller, "width=125&height=63", pairs, sizeof pairs), 200);
    resize(caller, "{\"components\":[3,2],\"anchor\":\"south-east\",\"mode\":\"expand\"}");
    now = all_of(caller, "plain", 187 * 125);
    for (int i = 0; i < VERTICES; i++)
        assert_memory_equal(now + ((i / COLUMNS + 62) * 187 + i % COLUMNS + 62) * PAIR,
                            pairs + i * PAIR, PAIR);
    resize(caller, "{\"components\":[2,1],\"anchor\":\"south-east\",\"mode\":\"clip\"}");
    assert_memory_equal(all(caller), pairs, sizeof pairs);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/undo", NULL), 200);
    all_of(caller, "plain", 187 * 125);
}

/* A quad of a finer grid is shorter: the number of quads grows, the metres stay. */
static void other_grids_keep_them_as_long_in_metres(void **state)
{
    static uint8_t pairs[VERTICES * PAIR];
    struct caller *caller = begin(state);
    const uint8_t *now;

    for (int i = 0; i < VERTICES; i++) {
        uint16_t xy[2] = { offset_encode(0.25), offset_encode(-0.5) };

        for (int k = 0; k < PAIR; k++)
            pairs[PAIR * i + k] = (uint8_t)(xy[k / 2] >> 8 * (k % 2));
    }
    assert_int_equal(put_pairs(caller, "width=125&height=63", pairs, sizeof pairs), 200);
    resize(caller, "{\"components\":[4,3],\"mode\":\"resample\"}");
    now = all_of(caller, "plain", 249 * 187);
    for (int i = 0; i < 249 * 187; i++) {
        assert_int_equal(number_at(now, i, 0), offset_encode(0.5));
        assert_int_equal(number_at(now, i, 1), offset_encode(-1.5));
    }
}

static void etags_follow_offsets_alone(void **state)
{
    static const uint8_t pair[] = { 0, 0x81, 0, 0x81 };
    struct caller *caller = begin(state);
    char heights[256], read[256], component[256];

    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/heights?format=r16", NULL), 200);
    snprintf(heights, sizeof heights, "%s", caller_header(caller, "ETag"));
    assert_int_equal(call(caller, "GET", offsets, NULL), 200);
    snprintf(read, sizeof read, "%s", caller_header(caller, "ETag"));
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/components/1/0", NULL), 200);
    snprintf(component, sizeof component, "%s", caller_header(caller, "ETag"));
    assert_int_equal(caller_number(caller, "versions.offsets"), 0);
    assert_int_equal(put_pairs(caller, "x=1&y=1&width=1&height=1", pair, sizeof pair), 200);
    caller->if_none_match = heights;
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/heights?format=r16", NULL), 304);
    caller->if_none_match = read;
    assert_int_equal(call(caller, "GET", offsets, NULL), 200);
    caller->if_none_match = component;
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/components/1/0", NULL), 200);
    assert_true(json_is_true(caller_member(caller, "xy_offsets")));
}

struct named {
    char etag[256], *body;
    size_t length;
};

static struct named named_read(struct caller *caller, const char *target)
{
    struct named named = { .length = 0 };

    assert_int_equal(call(caller, "GET", target, NULL), 200);
    snprintf(named.etag, sizeof named.etag, "%s", caller_header(caller, "ETag"));
    named.length = caller->length;
    named.body = malloc(caller->length);
    memcpy(named.body, caller->body, caller->length);
    return named;
}

static bool named_same(const struct named *a, const struct named *b)
{
    return a->length == b->length && memcmp(a->body, b->body, a->length) == 0;
}

/* An offset anywhere tells in a mesh that is elsewhere too: how far that is off is not known then.
 */
static void meshes_are_named_by_offsets_too(void **state)
{
    static const char *const targets[] = {
        "/v1/landscapes/plain/export?format=glb",
        "/v1/landscapes/plain/export?format=obj",
        "/v1/landscapes/plain/export?format=stl",
        "/v1/landscapes/plain/export?format=glb&lod=1&x=70&y=10&width=30&height=30",
        "/v1/landscapes/plain/export?format=glb&max_error=0.5",
        "/v1/landscapes/plain/components/0/0/mesh.glb",
        "/v1/landscapes/plain/components/1/0/mesh.glb?lod=1",
    };
    enum { TARGETS = sizeof targets / sizeof targets[0], STATES = 4 };
    static const uint8_t pair[] = { 0, 0x81, 0, 0x81 };
    struct caller *caller = begin(state);
    struct named named[TARGETS][STATES];

    for (int turn = 0; turn < STATES; turn++) {
        if (turn == 3)
            caller_restart(caller);
        else if (turn == 2)
            assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/undo", NULL), 200);
        else if (turn == 1)
            assert_int_equal(put_pairs(caller, "x=1&y=1&width=1&height=1", pair, sizeof pair), 200);
        for (int i = 0; i < TARGETS; i++)
            named[i][turn] = named_read(caller, targets[i]);
    }
    for (int i = 0; i < TARGETS; i++) {
        for (int turn = 0; turn < STATES; turn++)
            for (int other = 0; other < turn; other++)
                assert_true(strcmp(named[i][turn].etag, named[i][other].etag) != 0 ||
                            named_same(&named[i][turn], &named[i][other]));
        assert_true(named_same(&named[i][0], &named[i][2]));
        assert_true(named_same(&named[i][0], &named[i][3]));
    }
    for (int i = 0; i < 3; i++)
        assert_false(named_same(&named[i][0], &named[i][1]));
    for (int i = 0; i < TARGETS * STATES; i++)
        free(named[i / STATES][i % STATES].body);
}

static void what_does_not_fit_is_refused_and_changes_nothing(void **state)
{
    static const uint8_t pairs[16];
    struct caller *caller = begin(state);

    put_pairs(caller, "x=124&width=2&height=1", pairs, 8);
    assert_refused(caller, 422, "width");
    put_pairs(caller, "y=63&width=1&height=1", pairs, 4);
    assert_refused(caller, 422, "y");
    put_pairs(caller, "width=2&height=2", pairs, 15);
    assert_refused(caller, 422, "");
    put_pairs(caller, "width=2", pairs, 8);
    assert_refused(caller, 400, "height");
    put_pairs(caller, "width=2&height=2&edit_layer=base", pairs, 16);
    assert_refused(caller, 400, "edit_layer");
    put(caller, "", "image/png", pairs, 16);
    assert_refused(caller, 422, "");
    put(caller, "", "application/x-r8", pairs, 16);
    assert_refused(caller, 415, "");
    call(caller, "GET", "/v1/landscapes/plain/offsets?width=126", NULL);
    assert_refused(caller, 422, "width");
    caller->if_match = "\"9\"";
    assert_int_equal(put_pairs(caller, "width=2&height=2", pairs, 16), 412);
    assert_int_equal(put_pairs(caller, "width=2&height=2&dry_run=true", pairs, 16), 200);
    assert_int_equal(number_at(all(caller), 0, 0), OFFSET_REST);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "1");
}

/* The log of changes says what changed; an edit of heights elsewhere in time does not touch them.
 */
static void authors_take_back_their_own(void **state)
{
    static uint8_t pairs[VERTICES * PAIR];
    struct caller *caller = begin(state);

    fill(pairs, 6);
    assert_int_equal(put_pairs(caller, "width=125&height=63&author=anna", pairs, sizeof pairs),
                     200);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/edits?author=eve&frame=grid",
                          "{\"ops\":[{\"tool\":\"raise\",\"path\":[[20,20]],\"radius\":9,"
                          "\"amount\":3}]}"),
                     200);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/undo?author=anna", NULL), 200);
    assert_int_equal(number_at(all(caller), 20 * COLUMNS + 20, 0), OFFSET_REST);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/height?x=20&y=20&frame=grid", NULL),
                     200);
    assert_true(caller_number(caller, "z") > 2.9);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/undo?author=eve", NULL), 200);
    assert_int_equal(put_pairs(caller, "width=125&height=63&author=anna", pairs, sizeof pairs),
                     200);
    fill(pairs, 7);
    assert_int_equal(put_pairs(caller, "width=125&height=63&author=eve", pairs, sizeof pairs), 200);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/undo?author=anna", NULL), 409);
    assert_memory_equal(all(caller), pairs, sizeof pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(there_are_none_until_they_are_put),
        TEST(a_picture_holds_both_numbers_and_comes_back),
        TEST(they_are_undone_redone_and_outlive_a_restart),
        TEST(archives_and_copies_have_them),
        TEST(more_and_less_ground_keeps_them),
        TEST(other_grids_keep_them_as_long_in_metres),
        TEST(etags_follow_offsets_alone),
        TEST(meshes_are_named_by_offsets_too),
        TEST(what_does_not_fit_is_refused_and_changes_nothing),
        TEST(authors_take_back_their_own),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
