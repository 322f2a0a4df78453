/* Weights of paint layers as rasters and textures, through their endpoints. */
#include "tests/api/caller.h"

#include <stdlib.h>
#include <string.h>

#include "tests/format/inputs.h"

/* 127 x 127 vertices, four components of one section. */
static const char plain[] = "{\"layout\":{\"components\":[2,2],\"section_quads\":63}}";
#define BASE "/v1/landscapes/plain"
enum { SIDE = 127, VERTICES = SIDE * SIDE };

/* With blended layers a, b and c, and free, which is not. */
static struct caller *begin(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", BASE, plain), 201);
    caller_paint(caller, "plain", "a", true);
    caller_paint(caller, "plain", "b", true);
    caller_paint(caller, "plain", "c", true);
    caller_paint(caller, "plain", "free", false);
    return caller;
}

static int put(struct caller *caller, const char *target, const void *data, size_t length)
{
    caller->type = "application/x-r8";
    return call_bytes(caller, "PUT", target, data, length);
}

/* A file of 127 x 127 weights, decoded by the server itself. */
static void put_file(struct caller *caller, const char *layer, const char *file)
{
    char target[100];
    size_t length;
    unsigned char *data = input_read(file, &length);

    snprintf(target, sizeof target, BASE "/weights/%s", layer);
    caller->type = "image/png";
    assert_int_equal(call_bytes(caller, "PUT", target, data, length), 200);
    free(data);
}

/* A layer's weights, to be freed. */
static uint8_t *layer(struct caller *caller, const char *name)
{
    uint8_t *weights = malloc(VERTICES);
    char target[100];

    snprintf(target, sizeof target, BASE "/weights/%s?format=r8", name);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    assert_int_equal(caller->length, VERTICES);
    memcpy(weights, caller->body, VERTICES);
    return weights;
}

static int weight(struct caller *caller, const char *name, int x, int y)
{
    uint8_t *weights = layer(caller, name);
    int value = weights[y * SIDE + x];

    free(weights);
    return value;
}

/* At every vertex 255 or 0. */
static void assert_sums(struct caller *caller)
{
    uint8_t *a = layer(caller, "a"), *b = layer(caller, "b"), *c = layer(caller, "c");

    for (int i = 0; i < VERTICES; i++) {
        int sum = a[i] + b[i] + c[i];

        assert_true(sum == 255 || sum == 0);
    }
    free(a);
    free(b);
    free(c);
}

/* Two files, as planes for one body. */
static uint8_t *two_files(struct caller *caller, const char *first, const char *second)
{
    uint8_t *planes = malloc(2 * VERTICES), *one;

    for (int i = 0; i < 2; i++) {
        put_file(caller, "free", i ? second : first);
        one = layer(caller, "free");
        memcpy(planes + i * VERTICES, one, VERTICES);
        free(one);
    }
    return planes;
}

/* One layer */

static void a_free_layer_is_written_and_read_as_it_is(void **state)
{
    struct caller *caller = begin(state);
    uint8_t *weights;

    put_file(caller, "free", "weights/a.png");
    assert_int_equal(caller_number(caller, "changed"), SIDE * (SIDE - 1)); /* column 0 is 0 */
    weights = layer(caller, "free");
    for (int i = 0; i < VERTICES; i++)
        assert_int_equal(weights[i], 2 * (i % SIDE));
    free(weights);
    assert_int_equal(
        call(caller, "GET", BASE "/weights/free?x=60&y=3&width=2&height=2&format=r8", NULL), 200);
    assert_memory_equal(caller->body, "\x78\x7a\x78\x7a", 4);
    assert_int_equal(call(caller, "GET", BASE "/weights/free", NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
}

static void a_blended_layer_pushes_the_others(void **state)
{
    static const uint8_t first[1] = { 7 }, some[1] = { 200 }, none[1] = { 0 };
    struct caller *caller = begin(state);

    /* the first paint takes all */
    assert_int_equal(put(caller, BASE "/weights/a?x=5&y=6&width=1&height=1", first, 1), 200);
    assert_int_equal(caller_number(caller, "changed"), 1);
    assert_int_equal(weight(caller, "a", 5, 6), 255);
    assert_int_equal(put(caller, BASE "/weights/b?x=5&y=6&width=1&height=1", some, 1), 200);
    assert_int_equal(weight(caller, "a", 5, 6), 55);
    assert_int_equal(weight(caller, "b", 5, 6), 200);
    /* what goes, goes to the others; where there is no paint, none comes */
    assert_int_equal(put(caller, BASE "/weights/b?x=5&y=6&width=1&height=1", none, 1), 200);
    assert_int_equal(weight(caller, "a", 5, 6), 255);
    assert_int_equal(put(caller, BASE "/weights/c?x=9&y=9&width=1&height=1", none, 1), 200);
    assert_true(json_is_null(caller_member(caller, "dirty")));
    assert_sums(caller);
}

/* Several layers */

/* WGT-11 */
static void planes_of_one_body_come_back_as_they_went(void **state)
{
    struct caller *caller = begin(state);
    uint8_t *planes = two_files(caller, "weights/a.png", "weights/b.png"), *weights;

    assert_int_equal(put(caller, BASE "/weights?layers=b,a&strict=true", planes, 2 * VERTICES),
                     200);
    assert_int_equal(caller_number(caller, "changed"), VERTICES);
    for (int i = 0; i < 2; i++) {
        weights = layer(caller, i ? "a" : "b");
        assert_memory_equal(weights, planes + i * VERTICES, VERTICES);
        free(weights);
    }
    assert_int_equal(call(caller, "GET", BASE "/weights?layers=a,b", NULL), 200);
    assert_int_equal(caller->length, 2 * VERTICES);
    assert_memory_equal(caller->body, planes + VERTICES, VERTICES);
    assert_memory_equal(caller->body + VERTICES, planes, VERTICES);
    assert_int_equal(call(caller, "GET", BASE "/weights?x=126&y=0&width=1&height=1", NULL), 200);
    assert_int_equal(caller->length, 4); /* a, b, c, free */
    assert_memory_equal(caller->body, "\x03\xfc\x00\x03", 4);
    assert_sums(caller);
    free(planes);
}

/* WGT-01 */
static void sums_that_are_not_whole_are_normalised_or_refused(void **state)
{
    struct caller *caller = begin(state);
    uint8_t *planes = two_files(caller, "weights/a.png", "weights/b_sum254.png"), *a, *b;

    put(caller, BASE "/weights?layers=a,b&strict=true", planes, 2 * VERTICES);
    assert_refused(caller, 422, "");
    assert_non_null(strstr(caller->body, "column 0, row 0 add up to 254"));
    assert_int_equal(put(caller, BASE "/weights?layers=a,b", planes, 2 * VERTICES), 200);
    a = layer(caller, "a");
    b = layer(caller, "b");
    for (int i = 0; i < VERTICES; i++) {
        int sum = planes[i] + planes[VERTICES + i];

        assert_int_equal(a[i] + b[i], 255);
        if (sum == 255) {
            assert_int_equal(a[i], planes[i]);
        } else {
            assert_in_range(a[i], planes[i], planes[i] + 1);
        }
    }
    free(a);
    free(b);
    free(planes);
}

/* WGT-01 */
static void two_full_layers_share_and_a_painted_point_takes_all(void **state)
{
    static const uint8_t full[1] = { 255 };
    struct caller *caller = begin(state);
    uint8_t *planes = two_files(caller, "weights/full.png", "weights/full.png");

    assert_int_equal(put(caller, BASE "/weights?layers=a,b", planes, 2 * VERTICES), 200);
    assert_int_equal(weight(caller, "a", 64, 3), 128);
    assert_int_equal(weight(caller, "b", 64, 3), 127);
    assert_int_equal(put(caller, BASE "/weights/a?x=64&y=3&width=1&height=1", full, 1), 200);
    assert_int_equal(weight(caller, "a", 64, 3), 255);
    assert_int_equal(weight(caller, "b", 64, 3), 0);
    assert_sums(caller);
    free(planes);
}

static void layers_that_are_not_named_share_the_rest(void **state)
{
    static const uint8_t three[3] = { 100, 100, 55 }, one[2] = { 55, 140 }, both[2] = { 20, 30 };
    struct caller *caller = begin(state);

    assert_int_equal(put(caller, BASE "/weights?layers=a,b,c&x=1&y=1&width=1&height=1", three, 3),
                     200);
    /* strict: with c's 55 these come to 250 */
    put(caller, BASE "/weights?layers=a,b&x=1&y=1&width=1&height=1&strict=true", one, 2);
    assert_refused(caller, 422, "");
    assert_int_equal(put(caller, BASE "/weights?layers=a,b&x=1&y=1&width=1&height=1", one, 2), 200);
    assert_int_equal(weight(caller, "a", 1, 1), 55);
    assert_int_equal(weight(caller, "b", 1, 1), 140);
    assert_int_equal(weight(caller, "c", 1, 1), 60);
    /* what was read is taken back, strictly too */
    assert_int_equal(call(caller, "GET", BASE "/weights?layers=c,a&x=1&y=1&width=1&height=1", NULL),
                     200);
    assert_memory_equal(caller->body, "\x3c\x37", 2);
    assert_int_equal(
        put(caller, BASE "/weights?layers=c,a&x=1&y=1&width=1&height=1&strict=true", "\x3c\x37", 2),
        200);
    assert_true(json_is_null(caller_member(caller, "dirty")));
    /* where no other layer has any, they are normalised themselves; free ones are set */
    assert_int_equal(put(caller, BASE "/weights?layers=a,free&x=2&y=2&width=1&height=1", both, 2),
                     200);
    assert_int_equal(weight(caller, "a", 2, 2), 255);
    assert_int_equal(weight(caller, "free", 2, 2), 30);
    assert_sums(caller);
}

static void put_picture(struct caller *caller, const char *query, const char *file)
{
    char target[100];
    size_t length;
    unsigned char *data = input_read(file, &length);

    snprintf(target, sizeof target, BASE "/weights?%s", query);
    caller->type = "image/png";
    call_bytes(caller, "PUT", target, data, length);
    free(data);
}

/* WGT-05: A picture's channels are layers; its alpha is one only when it is asked for. */
static void colours_of_a_picture_are_layers(void **state)
{
    static const char *const names[] = { "a", "b", "c", "d" };
    struct caller *caller = begin(state);

    caller_paint(caller, "plain", "d", true);
    put_picture(caller, "layers=a,b,c,d&strict=true", "weights/rgba_127.png");
    assert_int_equal(caller->status, 200);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++)
            assert_int_equal(weight(caller, names[k], i & 1 ? 100 : 10, i & 2 ? 100 : 10),
                             i == k ? 255 : 0);
    }
    put_picture(caller, "layers=a,b,c", "weights/rgba_opaque_127.png");
    assert_int_equal(caller->status, 200);
    assert_int_equal(weight(caller, "a", 10, 10), 200);
    assert_int_equal(weight(caller, "b", 10, 10), 55);
    assert_int_equal(weight(caller, "c", 10, 10), 0);
    assert_int_equal(weight(caller, "d", 10, 10), 0);
    put_picture(caller, "layers=a,b", "weights/rgba_opaque_127.png");
    assert_refused(caller, 422, "");
    assert_string_equal(caller_text(caller, "type"), "/problems/colour-type");
    put_picture(caller, "layers=a,b", "weights/a.png");
    assert_refused(caller, 422, "");
    put_picture(caller, "layers=a,b,c&x=1", "weights/rgba_opaque_127.png");
    assert_refused(caller, 422, "width");
}

/* The same key with another body is another request. */
static void a_repeat_is_known_by_its_bytes_too(void **state)
{
    static const uint8_t one[1] = { 255 }, other[1] = { 254 };
    struct caller *caller = begin(state);

    caller->key = "once";
    assert_int_equal(put(caller, BASE "/weights/free?width=1&height=1", one, 1), 200);
    caller->key = "once";
    put(caller, BASE "/weights/free?width=1&height=1", other, 1);
    assert_refused(caller, 422, "");
    assert_int_equal(weight(caller, "free", 0, 0), 255);
}

/* WGT-03: One value everywhere, or none, is data too. */
static void layers_of_one_value_stay(void **state)
{
    struct caller *caller = begin(state);
    uint8_t *weights;

    put_file(caller, "a", "weights/full.png");
    put_file(caller, "b", "weights/none.png");
    caller_restart(caller);
    weights = layer(caller, "a");
    for (int i = 0; i < VERTICES; i++)
        assert_int_equal(weights[i], 255);
    free(weights);
    weights = layer(caller, "b");
    for (int i = 0; i < VERTICES; i++)
        assert_int_equal(weights[i], 0);
    free(weights);
}

static void what_cannot_be_is_refused_and_changes_nothing(void **state)
{
    static const uint8_t samples[8] = { 0 };
    struct caller *caller = begin(state);
    char version[32];

    snprintf(version, sizeof version, "%s", caller_header(caller, "Landscape-Version") ?: "");
    put(caller, BASE "/weights/aa?width=2&height=2", samples, 4);
    assert_refused(caller, 404, "");
    call(caller, "GET", BASE "/weights/aa", NULL);
    assert_refused(caller, 404, "");
    assert_non_null(strstr(caller->body, "aa"));
    put(caller, BASE "/weights?layers=a,d&width=2&height=2", samples, 8);
    assert_refused(caller, 404, "layers");
    put(caller, BASE "/weights?layers=a,a&width=2&height=2", samples, 8);
    assert_refused(caller, 400, "layers");
    put(caller, BASE "/weights?width=2&height=2", samples, 8);
    assert_refused(caller, 400, "layers");
    put(caller, BASE "/weights?layers=a,b&width=2&height=2", samples, 7);
    assert_refused(caller, 422, "");
    put(caller, BASE "/weights/a?x=126&width=2&height=2", samples, 4);
    assert_refused(caller, 422, "width");
    put(caller, BASE "/weights/a?width=2&height=2&edit_layer=bse", samples, 4);
    assert_refused(caller, 404, "edit_layer");
    call(caller, "GET", BASE "/weights?layers=a,%2e%2e", NULL);
    assert_refused(caller, 404, "layers");
    caller->if_match = "\"1\"";
    assert_int_equal(put(caller, BASE "/weights/a?width=2&height=2", samples, 4), 412);
    assert_int_equal(call(caller, "GET", BASE, NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 5);
}

static void a_key_of_weights_changes_with_them_alone(void **state)
{
    static const uint8_t samples[4] = { 255, 255, 255, 255 };
    struct caller *caller = begin(state);
    char etag[2][256];

    for (int i = 0; i < 2; i++) {
        assert_int_equal(call(caller, "GET", i ? BASE "/weights/b" : BASE "/weights/a", NULL), 200);
        snprintf(etag[i], sizeof etag[i], "%s", caller_header(caller, "ETag"));
    }
    caller->key = "once";
    assert_int_equal(put(caller, BASE "/weights/a?width=2&height=2", samples, 4), 200);
    caller->key = "once";
    assert_int_equal(put(caller, BASE "/weights/a?width=2&height=2", samples, 4), 200);
    assert_int_equal(caller_number(caller, "version"), 6);
    assert_int_equal(put(caller, BASE "/weights/c?width=2&height=2&dry_run=true", samples, 4), 200);
    caller->if_none_match = etag[0];
    assert_int_equal(call(caller, "GET", BASE "/weights/a", NULL), 200);
    caller->if_none_match = etag[1];
    assert_int_equal(call(caller, "GET", BASE "/weights/b", NULL), 304);
    assert_int_equal(weight(caller, "c", 0, 0), 0);
}

/* WGT-09: After a resize paint lands where it is aimed, on the larger landscape and on the smaller.
 */
static void paint_lands_where_it_is_aimed_after_a_resize(void **state)
{
    static const struct {
        int from, to, x;
    } rounds[] = { { 1, 2, 100 }, { 2, 1, 40 } };
    struct caller *caller = *state;

    for (int round = 0; round < 2; round++) {
        int side = 63 * rounds[round].to + 1, painted = 0;
        char body[200];

        snprintf(body, sizeof body, "{\"layout\":{\"components\":[%d,%d],\"section_quads\":63}}",
                 rounds[round].from, rounds[round].from);
        assert_int_equal(call(caller, "PUT", BASE, body), 201);
        caller_paint(caller, "plain", "a", true);
        snprintf(body, sizeof body, "{\"components\":[%d,%d],\"mode\":\"%s\"}", rounds[round].to,
                 rounds[round].to, round ? "clip" : "expand");
        assert_int_equal(call(caller, "POST", BASE "/resize", body), 200);
        snprintf(body, sizeof body,
                 "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"a\",\"path\":[[%d,20]],\"radius\":3,"
                 "\"falloff\":0,\"amount\":255}]}",
                 rounds[round].x);
        assert_int_equal(call(caller, "POST", BASE "/edits?frame=grid", body), 200);
        assert_int_equal(call(caller, "GET", BASE "/weights/a?format=r8", NULL), 200);
        assert_int_equal(caller->length, side * side);
        for (int i = 0; i < side * side; i++) {
            int x = i % side - rounds[round].x, y = i / side - 20;
            int expected = x * x + y * y <= 9 ? 255 : 0;

            assert_int_equal((uint8_t)caller->body[i], expected);
            painted += expected > 0;
        }
        assert_int_equal(painted, 29);
        assert_int_equal(call(caller, "DELETE", BASE, NULL), 204);
    }
}

/* Weights and holes go with the landscape wherever it goes: archives, copies, back and forth. */
static void weights_and_holes_go_along(void **state)
{
    static const uint8_t hole[1] = { 255 };
    struct caller *caller = begin(state);
    uint8_t *planes = two_files(caller, "weights/a.png", "weights/b.png"), *weights;
    char *archive;
    size_t length;

    assert_int_equal(put(caller, BASE "/weights?layers=a,c", planes, 2 * VERTICES), 200);
    assert_int_equal(put(caller, BASE "/holes?x=7&y=7&width=1&height=1", hole, 1), 200);
    assert_int_equal(call(caller, "GET", BASE "/archive", NULL), 200);
    length = caller->length;
    archive = malloc(length);
    memcpy(archive, caller->body, length);
    assert_int_equal(call(caller, "POST", BASE "/undo", NULL), 200);
    assert_int_equal(call(caller, "POST", BASE "/undo", NULL), 200);
    assert_int_equal(weight(caller, "a", 40, 3), 0);
    assert_int_equal(call(caller, "POST", BASE "/redo", NULL), 200);
    weights = layer(caller, "a");
    assert_memory_equal(weights, planes, VERTICES);
    free(weights);
    assert_int_equal(call(caller, "DELETE", BASE, NULL), 204);
    caller->type = "application/octet-stream";
    assert_int_equal(call_bytes(caller, "PUT", BASE "/archive", archive, length), 201);
    caller_restart(caller);
    for (int i = 0; i < 2; i++) {
        weights = layer(caller, i ? "c" : "a");
        assert_memory_equal(weights, planes + i * VERTICES, VERTICES);
        free(weights);
    }
    assert_int_equal(call(caller, "GET", BASE "/holes?x=7&y=7&width=1&height=1&format=r8", NULL),
                     200);
    assert_int_equal((uint8_t)caller->body[0], 255);
    assert_int_equal(call(caller, "GET", BASE "/components/1/1", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "weightmap_allocations")), 3);
    free(planes);
    free(archive);
}

/* Components */

static void components_say_where_their_weights_are(void **state)
{
    static const uint8_t samples[1] = { 90 };
    struct caller *caller = begin(state);

    assert_int_equal(call(caller, "GET", BASE "/components/0/0", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "weightmap_allocations")), 0);
    call(caller, "GET", BASE "/components/0/0/weightmap/0.png", NULL);
    assert_refused(caller, 404, "");
    /* column 63 is the border: both components have it */
    put(caller, BASE "/weights/free?x=63&y=20&width=1&height=1", samples, 1);
    put(caller, BASE "/weights/b?x=10&y=20&width=1&height=1", samples, 1);
    assert_int_equal(call(caller, "GET", BASE "/components/0/0", NULL), 200);
    assert_string_equal(caller_text(caller, "weightmap_allocations.0.layer"), "free");
    assert_int_equal(caller_number(caller, "weightmap_allocations.0.texture"), 0);
    assert_int_equal(caller_number(caller, "weightmap_allocations.0.channel"), 0);
    assert_string_equal(caller_text(caller, "weightmap_allocations.1.layer"), "b");
    assert_int_equal(caller_number(caller, "weightmap_allocations.1.channel"), 1);
    assert_int_equal(caller_number(caller, "weightmap_count"), 1);
    assert_int_equal(call(caller, "GET", BASE "/components/1/0", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "weightmap_allocations")), 1);
    assert_int_equal(call(caller, "GET", BASE "/components/0/0/weightmap/0.png", NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
    call(caller, "GET", BASE "/components/0/0/weightmap/1.png", NULL);
    assert_refused(caller, 404, "");
}

/* Points */

static void a_point_names_its_layer_and_the_runner_up(void **state)
{
    static const uint8_t planes[12] = { 255, 90, 90, 0, 0, 100, 100, 0, 0, 65, 65, 0 };
    struct caller *caller = begin(state);

    assert_int_equal(call(caller, "GET", BASE "/height?x=10&y=10", NULL), 200);
    assert_true(json_is_null(caller_member(caller, "layer")));
    assert_true(json_is_null(caller_member(caller, "weight")));
    assert_int_equal(
        put(caller, BASE "/weights?layers=a,b,c&x=10&y=10&width=2&height=2", planes, 12), 200);
    assert_int_equal(call(caller, "GET", BASE "/height?x=11&y=10", NULL), 200);
    assert_string_equal(caller_text(caller, "layer"), "b");
    assert_int_equal(caller_number(caller, "weight"), 100);
    assert_string_equal(caller_text(caller, "runner_up"), "a");
    assert_int_equal(caller_number(caller, "runner_up_weight"), 90);
    assert_true(json_is_null(caller_member(caller, "physical_material")));
    assert_int_equal(call(caller, "GET", BASE "/height?x=11&y=10&least_weight=95", NULL), 200);
    assert_string_equal(caller_text(caller, "layer"), "b");
    assert_true(json_is_null(caller_member(caller, "runner_up")));
    /* between two vertices the weights are between theirs: a has 172.5, b 50 */
    assert_int_equal(call(caller, "GET", BASE "/height?x=10.5&y=10", NULL), 200);
    assert_string_equal(caller_text(caller, "layer"), "a");
    assert_float_equal(caller_number(caller, "weight"), 172.5, 0);
    assert_int_equal(call(caller, "POST", BASE "/query/heights?fields=layer",
                          "{\"points\":[[11,10],[10,10],[40,40]]}"),
                     200);
    assert_string_equal(caller_text(caller, "points.0.layer"), "b");
    assert_string_equal(caller_text(caller, "points.1.layer"), "a");
    assert_true(json_is_null(caller_member(caller, "points.2.layer")));
}

static void a_point_has_another_key_when_it_is_painted(void **state)
{
    static const uint8_t sample[1] = { 9 };
    struct caller *caller = begin(state);
    char etag[256];

    assert_int_equal(call(caller, "GET", BASE "/height?x=10&y=10", NULL), 200);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    put(caller, BASE "/weights/free?x=10&y=10&width=1&height=1", sample, 1);
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", BASE "/height?x=10&y=10", NULL), 200);
    assert_string_equal(caller_text(caller, "layer"), "free");
}

/* Index maps */

static void index_maps_say_what_they_cost_and_hold_the_weights(void **state)
{
    struct caller *caller = begin(state);
    uint8_t *planes = two_files(caller, "weights/a.png", "weights/b.png");
    const uint8_t *tile;

    assert_int_equal(put(caller, BASE "/weights?layers=a,c", planes, 2 * VERTICES), 200);
    assert_int_equal(call(caller, "GET", BASE "/index-map", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "levels")), 2);
    assert_int_equal(caller_number(caller, "levels.0.across"), 2);
    assert_int_equal(caller_number(caller, "levels.1.down"), 1);
    assert_string_equal(caller_text(caller, "layers.2"), "c");
    assert_int_equal(caller_number(caller, "memory.plain_bytes"), 128 * 128 * 4);
    assert_int_equal(caller_number(caller, "memory.weight_bytes"), 5 * 64 * 64 * 3);
    assert_int_equal(caller_number(caller, "memory.index_bytes"), 5 * 64 * 4);
    assert_int_equal(call(caller, "GET", BASE "/index-map/0/1/0.bin", NULL), 200);
    assert_int_equal(caller->length, 256 + 3 * 64 * 64);
    tile = (const uint8_t *)caller->body;
    /* from column 64 on a has the larger share: 128 and more of 255 */
    assert_memory_equal(tile, "\x00\x02\xff\xff", 4);
    for (int i = 0; i < 64 * 64; i++) {
        int column = 64 + i % 64, a = column < SIDE ? 2 * column : 0;

        if (column == SIDE)
            continue; /* beyond the landscape */
        assert_int_equal(tile[256 + 3 * i], a);
        assert_int_equal(tile[256 + 3 * i + 1], 255 - a);
    }
    call(caller, "GET", BASE "/index-map/2/0/0.bin", NULL);
    assert_refused(caller, 404, "");
    call(caller, "GET", BASE "/index-map/1/1/0.bin", NULL);
    assert_refused(caller, 404, "");
    free(planes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(a_free_layer_is_written_and_read_as_it_is),
        TEST(a_blended_layer_pushes_the_others),
        TEST(planes_of_one_body_come_back_as_they_went),
        TEST(sums_that_are_not_whole_are_normalised_or_refused),
        TEST(two_full_layers_share_and_a_painted_point_takes_all),
        TEST(layers_that_are_not_named_share_the_rest),
        TEST(colours_of_a_picture_are_layers),
        TEST(a_repeat_is_known_by_its_bytes_too),
        TEST(layers_of_one_value_stay),
        TEST(what_cannot_be_is_refused_and_changes_nothing),
        TEST(a_key_of_weights_changes_with_them_alone),
        TEST(paint_lands_where_it_is_aimed_after_a_resize),
        TEST(weights_and_holes_go_along),
        TEST(components_say_where_their_weights_are),
        TEST(a_point_names_its_layer_and_the_runner_up),
        TEST(a_point_has_another_key_when_it_is_painted),
        TEST(index_maps_say_what_they_cost_and_hold_the_weights),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
