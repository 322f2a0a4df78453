/* Checksums of components, against a recount vertex by vertex with a checksum of our own. */
#include "tests/api/caller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/component.h"

static const char body[] = "{\"layout\":{\"components\":[3,2],\"sections_per_component\":2,"
                           "\"section_quads\":31}}";
enum { QUADS = 62, ACROSS = 3, DOWN = 2 };

static int begin(void **state)
{
    int failed = caller_begin(state);

    return failed ? failed : call(*state, "PUT", "/v1/landscapes/ground", body) != 201;
}

/* Bit by bit, as the definition has it. */
static uint32_t crc(uint32_t sum, const void *data, size_t length)
{
    const unsigned char *bytes = data;

    sum = ~sum;
    for (size_t i = 0; i < length; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0x82F63B78u : 0);
    }
    return ~sum;
}

struct sums {
    uint32_t heights, holes, weights;
};

static uint32_t layer_sum(uint32_t sum, const struct paint_layer *layer, const struct tree *weights,
                          struct rect rect)
{
    uint32_t with = crc(sum, layer->name, strlen(layer->name) + 1);
    bool any = false;

    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            unsigned char weight = (unsigned char)tree_value(weights, x, y);

            any = any || weight;
            with = crc(with, &weight, 1);
        }
    }
    return any ? with : sum;
}

static struct sums recount(const struct view *view, int32_t cx, int32_t cy)
{
    struct rect rect = { cx * QUADS, cy * QUADS, QUADS + 1, QUADS + 1 };
    const struct stack *stack = view->settings->stack;
    struct sums sums = { 0, 0, 0 };

    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            uint16_t code = view_height(view, x, y);
            unsigned char bytes[2] = { (unsigned char)(code & 255), (unsigned char)(code >> 8) };
            unsigned char hole = x < rect.x + QUADS && view_hole(view, x, y) ? 255 : 0;

            sums.heights = crc(sums.heights, bytes, 2);
            if (x < rect.x + QUADS && y < rect.y + QUADS)
                sums.holes = crc(sums.holes, &hole, 1);
        }
    }
    for (int i = 0; i < stack->paint_count; i++) {
        const struct tree *weights = view_weights(view, stack->paints[i].id);

        if (weights)
            sums.weights = layer_sum(sums.weights, &stack->paints[i], weights, rect);
    }
    return sums;
}

static struct view *view_of(struct caller *caller)
{
    struct fault why = { 0 };
    struct landscape *landscape = landscapes_find(caller->service.landscapes, "ground", &why);
    struct view *view;

    assert_non_null(landscape);
    view = landscape_view(landscape);
    landscape_drop(landscape);
    return view;
}

static double number(const json_t *one, const char *name)
{
    const json_t *value = json_object_get(one, name);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* Every entry of the last answer is what a recount says. */
static void entries_are_sound(struct caller *caller)
{
    struct view *view = view_of(caller);
    const json_t *list = caller_member(caller, "checksums");

    assert_true(caller_number(caller, "version") == (double)view->version);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i), *at = json_object_get(one, "component");
        int32_t cx = (int32_t)json_number_value(json_array_get(at, 0));
        int32_t cy = (int32_t)json_number_value(json_array_get(at, 1));
        struct sums wanted = recount(view, cx, cy);

        assert_true(number(one, "heights") == wanted.heights);
        assert_true(number(one, "holes") == wanted.holes);
        assert_true(number(one, "weights") == wanted.weights);
        assert_true(number(one, "version") <= (double)view->version);
    }
    view_drop(view);
}

static bool add_layers(void *context, struct draft *draft, struct fault *why)
{
    struct settings *settings = settings_copy(draft_view(draft)->settings);
    struct stack *stack = stack_copy(settings->stack);

    (void)context;
    assert_true(stack_add_paint(stack, "grass", why) && stack_add_paint(stack, "rock", why));
    stack_drop(settings->stack);
    settings->stack = stack;
    return draft_settings(draft, &settings, why);
}

static void layers(struct caller *caller)
{
    const struct landscape_change asked = { .make = add_layers };
    struct landscape_changed changed;
    struct fault why = { 0 };
    struct landscape *landscape = landscapes_find(caller->service.landscapes, "ground", &why);

    assert_non_null(landscape);
    if (!landscape_change(landscape, &asked, &changed, &why))
        fail_msg("%s", why.detail);
    landscape_drop(landscape);
}

static void edit(struct caller *caller, const char *ops)
{
    if (call(caller, "POST", "/v1/landscapes/ground/edits", ops) != 200)
        fail_msg("%s: %s", ops, caller->body);
}

static void sums_are_what_a_recount_says(void **state)
{
    static const char *const edits[] = {
        "{\"ops\":[{\"tool\":\"raise\",\"path\":[[62,62]],\"radius\":9,\"amount\":3}]}",
        "{\"ops\":[{\"tool\":\"noise\",\"region\":{\"x\":0,\"y\":0,\"width\":187,\"height\":125},"
        "\"amplitude\":20,\"cell\":9,\"seed\":4}]}",
        "{\"ops\":[{\"tool\":\"hole\",\"path\":[[61.5,30]],\"radius\":4}]}",
        "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"rock\",\"path\":[[124,40]],\"radius\":12,"
        "\"amount\":255}]}",
        "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"grass\",\"path\":[[120,44]],\"radius\":12,"
        "\"amount\":200}]}",
    };
    struct caller *caller = *state;

    layers(caller);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        edit(caller, edits[i]);
        assert_int_equal(call(caller, "GET", "/v1/landscapes/ground/checksums", NULL), 200);
        assert_int_equal(json_array_size(caller_member(caller, "checksums")), ACROSS * DOWN);
        entries_are_sound(caller);
    }
    assert_true(caller_number(caller, "checksums.0.weights") == 0);
    assert_true(caller_number(caller, "checksums.1.weights") != 0);
    assert_true(caller_number(caller, "checksums.2.weights") != 0);
    assert_true(caller_number(caller, "components.0") == ACROSS);
    assert_true(caller_number(caller, "components.1") == DOWN);
    assert_true(caller_number(caller, "settings") == 2);
}

/* What differs between two moments is among the components after the first. */
static void what_changed_since_is_never_left_out(void **state)
{
    struct caller *caller = *state;
    struct sums before[ACROSS * DOWN];
    struct view *view = view_of(caller);

    for (int i = 0; i < ACROSS * DOWN; i++)
        before[i] = recount(view, i % ACROSS, i / ACROSS);
    view_drop(view);
    edit(caller, "{\"ops\":[{\"tool\":\"raise\",\"path\":[[150,20]],\"radius\":5,\"amount\":1}]}");
    assert_int_equal(call(caller, "GET", "/v1/landscapes/ground/checksums?since=1", NULL), 200);
    entries_are_sound(caller);
    view = view_of(caller);
    for (int i = 0; i < ACROSS * DOWN; i++) {
        struct sums now = recount(view, i % ACROSS, i / ACROSS);
        const json_t *list = caller_member(caller, "checksums");
        bool listed = false;

        for (size_t j = 0; j < json_array_size(list); j++) {
            const json_t *at = json_object_get(json_array_get(list, j), "component");

            listed = listed || (json_number_value(json_array_get(at, 0)) == i % ACROSS &&
                                json_number_value(json_array_get(at, 1)) == i / ACROSS);
        }
        assert_true(listed || memcmp(&now, &before[i], sizeof now) == 0);
    }
    view_drop(view);
    assert_true(json_array_size(caller_member(caller, "checksums")) < ACROSS * DOWN);
    call(caller, "GET", "/v1/landscapes/ground/checksums?since=2", NULL);
    assert_int_equal(json_array_size(caller_member(caller, "checksums")), 0);
    call(caller, "GET", "/v1/landscapes/ground/checksums?since=900", NULL);
    assert_int_equal(json_array_size(caller_member(caller, "checksums")), 0);
}

static void a_window_takes_the_components_that_it_meets(void **state)
{
    static const struct {
        const char *window;
        int count, first[2];
    } windows[] = {
        { "x=0&y=0&width=1&height=1", 1, { 0, 0 } },
        { "x=62&y=0&width=1&height=1", 2, { 0, 0 } }, /* the border is of both */
        { "x=63&y=0&width=1&height=1", 1, { 1, 0 } },
        { "x=61&y=61&width=3&height=3", 4, { 0, 0 } },
        { "x=62&y=62&width=1&height=1", 4, { 0, 0 } },
        { "x=186&y=124&width=1&height=1", 1, { 2, 1 } },
        { "x=100&y=100", 2, { 1, 1 } },
    };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        char target[128];

        snprintf(target, sizeof target, "/v1/landscapes/ground/checksums?%s", windows[i].window);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_int_equal(json_array_size(caller_member(caller, "checksums")), windows[i].count);
        assert_true(caller_number(caller, "checksums.0.component.0") == windows[i].first[0]);
        assert_true(caller_number(caller, "checksums.0.component.1") == windows[i].first[1]);
        entries_are_sound(caller);
    }
    call(caller, "GET", "/v1/landscapes/ground/checksums?x=187", NULL);
    assert_refused(caller, 422, "x");
    call(caller, "GET", "/v1/landscapes/ground/checksums?since=-1", NULL);
    assert_refused(caller, 400, "since");
    caller->service.limits.query_points = 5;
    call(caller, "GET", "/v1/landscapes/ground/checksums", NULL);
    assert_refused(caller, 413, "");
    assert_int_equal(call(caller, "GET", "/v1/landscapes/ground/checksums?height=60", NULL), 200);
}

static void the_etag_is_kept_until_something_changes(void **state)
{
    struct caller *caller = *state;
    char etag[100];

    call(caller, "GET", "/v1/landscapes/ground/checksums", NULL);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", "/v1/landscapes/ground/checksums", NULL), 304);
    edit(caller, "{\"ops\":[{\"tool\":\"raise\",\"path\":[[150,20]],\"radius\":5,\"amount\":1}]}");
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", "/v1/landscapes/ground/checksums", NULL), 200);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, caller_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(sums_are_what_a_recount_says),
        CASE(what_changed_since_is_never_left_out),
        CASE(a_window_takes_the_components_that_it_meets),
        CASE(the_etag_is_kept_until_something_changes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
