/* Edits, heights at points, and components, through their endpoints. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"
#include "terrain/edit/mask.h"

static const char plain[] =
    "{\"layout\":{\"components\":[2,1],\"sections_per_component\":2,"
    "\"section_quads\":31},\"scale\":[2,2,1],\"origin\":[1000,500,10],\"height\":10}";
static const char edits[] = "/v1/landscapes/plain/edits";

static struct caller *begin(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain", plain), 201);
    return caller;
}

/* Height at a grid position, and NaN where the answer is null. */
static double height_at(struct caller *caller, double x, double y)
{
    char target[128];

    snprintf(target, sizeof target, "/v1/landscapes/plain/height?frame=grid&x=%.17g&y=%.17g", x, y);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    return caller_number(caller, "z");
}

static void an_edit_answers_what_changed(void **state)
{
    struct caller *caller = begin(state);

    assert_int_equal(call(caller, "POST", edits,
                          "{\"ops\":[{\"tool\":\"set\",\"region\":{\"x\":3,\"y\":4,\"width\":5,"
                          "\"height\":6},\"height\":12.5},{\"tool\":\"raise\",\"amount\":1,"
                          "\"region\":{\"x\":3,\"y\":4,\"width\":5,\"height\":1}}]}"),
                     200);
    assert_int_equal(caller_number(caller, "version"), 2);
    assert_int_equal(caller_number(caller, "dirty.x"), 3);
    assert_int_equal(caller_number(caller, "dirty.y"), 4);
    assert_int_equal(caller_number(caller, "dirty.width"), 5);
    assert_int_equal(caller_number(caller, "dirty.height"), 6);
    assert_int_equal(caller_number(caller, "changed"), 30);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "2");
    assert_float_equal(height_at(caller, 4, 4), 13.5, 0);
    assert_float_equal(height_at(caller, 4, 9), 12.5, 0);
    assert_float_equal(height_at(caller, 4, 10), 10, 0);
}

static void an_edit_without_effect_keeps_the_version(void **state)
{
    struct caller *caller = begin(state);

    assert_int_equal(call(caller, "POST", edits,
                          "{\"ops\":[{\"tool\":\"raise\",\"path\":[[-5000,-5000]],\"radius\":3,"
                          "\"amount\":1}]}"),
                     200);
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_true(json_is_null(caller_member(caller, "dirty")));
    assert_int_equal(caller_number(caller, "changed"), 0);
}

static void a_dry_run_answers_the_same_and_changes_nothing(void **state)
{
    static const char body[] = "{\"ops\":[{\"tool\":\"noise\",\"region\":{\"x\":0,\"y\":0,"
                               "\"width\":40,\"height\":40},\"amplitude\":5,\"cell\":7}]}";
    struct caller *caller = begin(state);
    char *dry;

    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/edits?dry_run=true", body), 200);
    dry = strdup(caller->body);
    assert_float_equal(height_at(caller, 20, 20), 10, 0);
    assert_int_equal(call(caller, "POST", edits, body), 200);
    assert_string_equal(caller->body, dry);
    assert_int_equal(caller_number(caller, "version"), 2);
    free(dry);
}

static void positions_are_in_the_frame_that_is_named(void **state)
{
    struct caller *caller = begin(state);

    /* local (1040, 540) is column 20, row 20 at 2 m a quad */
    assert_int_equal(call(caller, "POST", edits,
                          "{\"ops\":[{\"tool\":\"raise\",\"path\":[[1040,540]],\"radius\":1,"
                          "\"falloff\":0,\"amount\":3}]}"),
                     200);
    assert_int_equal(caller_number(caller, "dirty.x"), 20);
    assert_int_equal(caller_number(caller, "changed"), 1);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/edits?frame=grid",
                          "{\"ops\":[{\"tool\":\"raise\",\"path\":[[30,7]],\"radius\":1,"
                          "\"falloff\":0,\"amount\":3}]}"),
                     200);
    assert_int_equal(caller_number(caller, "dirty.x"), 30);
    assert_int_equal(caller_number(caller, "dirty.y"), 7);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/edits?frame=lonlat",
                          "{\"ops\":[{\"tool\":\"raise\",\"path\":[[30,7]],\"radius\":1,"
                          "\"amount\":3}]}"),
                     422);
}

static void a_plane_of_three_points_is_in_the_frame_too(void **state)
{
    struct caller *caller = begin(state);

    assert_int_equal(call(caller, "POST", edits,
                          "{\"ops\":[{\"tool\":\"flatten\",\"region\":{\"x\":0,\"y\":0,"
                          "\"width\":125,\"height\":63},\"plane\":[[1000,500,0],[1100,500,50],"
                          "[1000,600,25]]}]}"),
                     200);
    assert_float_equal(height_at(caller, 0, 0), 0, 1.0 / 128);
    assert_float_equal(height_at(caller, 50, 0), 50, 1.0 / 128);
    assert_float_equal(height_at(caller, 10, 40), 10 + 20, 1.0 / 128);
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"flatten\",\"region\":{\"x\":0,\"y\":0,\"width\":9,\"height\":9},"
         "\"plane\":[[1000,500,0],[1100,500]]}]}");
    assert_refused(caller, 400, "/ops/0/plane/1");
}

static void changes_are_guarded_by_version_and_key(void **state)
{
    static const char body[] = "{\"ops\":[{\"tool\":\"raise\",\"region\":{\"x\":0,\"y\":0,"
                               "\"width\":9,\"height\":9},\"amount\":1}]}";
    struct caller *caller = begin(state);

    caller->if_match = "\"7\"";
    assert_int_equal(call(caller, "POST", edits, body), 412);
    assert_float_equal(height_at(caller, 4, 4), 10, 0);
    caller->if_match = "\"1\"";
    caller->key = "once";
    assert_int_equal(call(caller, "POST", edits, body), 200);
    caller->key = "once";
    assert_int_equal(call(caller, "POST", edits, body), 200);
    assert_int_equal(caller_number(caller, "version"), 2);
    assert_float_equal(height_at(caller, 4, 4), 11, 0);
}

static void wrong_ops_are_refused_where_they_are_wrong(void **state)
{
    static const struct {
        const char *body;
        int status;
        const char *place;
    } wrong[] = {
        { "{}", 400, "/ops" },
        { "{\"ops\":[]}", 400, "/ops" },
        { "{\"ops\":[{}]}", 400, "/ops/0/tool" },
        { "{\"ops\":[{\"tool\":\"rise\"}]}", 400, "/ops/0/tool" },
        { "{\"ops\":[{\"tool\":\"raise\"}]}", 400, "/ops/0/amount" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1}]}", 400, "/ops/0/path" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"path\":[[1,2]]}]}", 400, "/ops/0/radius" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"path\":[],\"radius\":1}]}", 400,
          "/ops/0/path" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"path\":[[1]],\"radius\":1}]}", 400,
          "/ops/0/path/0" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":NaN,\"path\":[[1,2]],\"radius\":1}]}", 400,
          "/ops/0/amount" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1e400,\"path\":[[1,2]],\"radius\":1}]}", 400,
          "/ops/0/amount" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"path\":[[1,2]],\"radius\":-1}]}", 400,
          "/ops/0/radius" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"path\":[[1,2]],\"radius\":1,"
          "\"falloff\":1.5}]}",
          400, "/ops/0/falloff" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"path\":[[1,2]],\"radius\":1,"
          "\"colour\":1}]}",
          400, "/ops/0/colour" },
        { "{\"ops\":[{\"tool\":\"set\",\"height\":1,\"region\":{\"x\":0,\"y\":0,\"width\":1,"
          "\"height\":1}},{\"tool\":\"set\",\"height\":1,\"region\":{\"x\":124,\"y\":0,"
          "\"width\":2,\"height\":1}}]}",
          422, "/ops/1/region" },
        { "{\"edit_layer\":\"paths\",\"ops\":[{\"tool\":\"set\",\"height\":1,\"region\":{\"x\":0,"
          "\"y\":0,\"width\":1,\"height\":1}}]}",
          404, "/edit_layer" },
        { "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"path\":[[0,0],[1e8,0]],\"radius\":1,"
          "\"spacing\":0.001}]}",
          413, "/ops/0/spacing" },
    };
    struct caller *caller = begin(state);

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        call(caller, "POST", edits, wrong[i].body);
        assert_refused(caller, wrong[i].status, wrong[i].place);
    }
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain", NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 1);
}

static void limits_on_ops_and_vertices_hold(void **state)
{
    struct caller *caller = begin(state);

    caller->service.limits.edit_vertices = 1000;
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":40,"
         "\"height\":40}}]}");
    assert_refused(caller, 413, "/ops/0");
    caller->service.limits.edit_ops = 1;
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":4,"
         "\"height\":4}},{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":4,"
         "\"height\":4}}]}");
    assert_refused(caller, 413, "/ops");
}

/* Metres are metres: what lies at (10, 5) there comes to (1020, 530) here, of another scale and
 * origin. */
static void ground_is_copied_from_another_landscape(void **state)
{
    struct caller *caller = begin(state);

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/fine",
                          "{\"layout\":{\"components\":[1,1],\"section_quads\":63},"
                          "\"scale\":[0.5,0.5,2]}"),
                     201);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/fine/edits",
                          "{\"ops\":[{\"tool\":\"set\",\"height\":17.5,\"path\":[[10,5]],"
                          "\"radius\":3,\"falloff\":0}]}"),
                     200);
    assert_int_equal(call(caller, "POST", edits,
                          "{\"ops\":[{\"tool\":\"clone\",\"landscape\":\"fine\",\"from\":[10,5],"
                          "\"path\":[[1020,530]],\"radius\":5,\"falloff\":0}]}"),
                     200);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/height?x=1020&y=530", NULL), 200);
    assert_float_equal(caller_number(caller, "z"), 17.5, 0);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/height?x=1022&y=532", NULL), 200);
    assert_float_equal(caller_number(caller, "z"), 17.5, 0);
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"clone\",\"landscape\":\"fin\",\"path\":[[1020,530]],\"radius\":5}]"
         "}");
    assert_refused(caller, 404, "/ops/0/landscape");
}

static void every_brush_does_its_example(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/square",
                          "{\"layout\":{\"components\":[1,1],\"section_quads\":63}}"),
                     201);
    caller_paint(caller, "square", "rock", true);
    caller_paint(caller, "square", "grass", true);
    caller->type = "application/x-r8";
    assert_int_equal(
        call_bytes(caller, "PUT", "/v1/rasters/demo?width=2&height=2", "\0\377\200\1", 4), 201);
    call(caller, "POST", "/v1/landscapes/square/edits",
         "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":255,\"region\":{\"x\":0,"
         "\"y\":0,\"width\":64,\"height\":64}}]}");
    assert_int_equal(caller_number(caller, "changed"), 64 * 64);
    for (int i = 0; i < brush_count; i++) {
        char body[512];

        /* ground for those that need a slope to show */
        call(caller, "POST", "/v1/landscapes/square/edits",
             "{\"ops\":[{\"tool\":\"noise\",\"amplitude\":20,\"cell\":9,\"region\":{\"x\":0,"
             "\"y\":0,\"width\":64,\"height\":64}}]}");
        assert_true(caller_number(caller, "changed") > 1000);
        snprintf(body, sizeof body, "{\"ops\":[%s]}", brushes[i]->example);
        if (call(caller, "POST", "/v1/landscapes/square/edits?frame=grid", body) != 200)
            fail_msg("%s: %s", brushes[i]->name, caller->body);
        if (caller_number(caller, "changed") < 50)
            fail_msg("%s: %s", brushes[i]->name, caller->body);
    }
}

/* What a member may not be, whatever its kind. */
static const char *const no_values[] = { "NaN", "Infinity", "-Infinity", "1e999", "\"x\"",
                                         "[]",  "{}",       "null",      "true",  "" };

struct bending {
    struct caller *caller;
    const struct brush *brush;
    const struct mask *mask; /* instead of a brush */
};

/* Names may be "x", also where one alone stands for a mask, and a mirror's axis is. */
static bool may_be_x(const struct field *field)
{
    for (int i = 0; field->kind == FIELD_CHOICE && field->words[i]; i++)
        if (!strcmp(field->words[i], "x"))
            return true;
    return field->kind == FIELD_NAME || field->kind == FIELD_TEXT ||
           (field->variants && field->variants->plain);
}

static const char raise[] =
    "{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":0,\"y\":0,\"width\":9,"
    "\"height\":9},\"mask\":";

/* The brush's example, or a raise through the mask's, with one member replaced by each of what is
 * no value. */
static bool bend_member(const struct field *field, int index, void *context)
{
    struct bending *bending = context;
    const struct mask *mask = bending->mask;
    json_t *op = json_loads(mask ? mask->example : bending->brush->example, 0, NULL);
    char *rest, place[80];

    (void)index;
    json_object_del(op, field->name);
    rest = json_dumps(op, JSON_COMPACT);
    snprintf(place, sizeof place, "/ops/0/%s%s", mask ? "mask/" : "", field->name);
    for (size_t i = 0; i < sizeof no_values / sizeof *no_values; i++) {
        char body[1024];
        json_t *at;

        if ((!strcmp(no_values[i], "\"x\"") && may_be_x(field)) ||
            (!strcmp(no_values[i], "true") && field->kind == FIELD_BOOL))
            continue;
        snprintf(body, sizeof body, "{\"ops\":[%s{\"%s\":%s,%s%s]}", mask ? raise : "", field->name,
                 no_values[i], rest + 1, mask ? "}" : "");
        call(bending->caller, "POST", "/v1/landscapes/square/edits", body);
        at = json_object_get(bending->caller->json, "pointer");
        /* what breaks the JSON itself is told by its byte */
        if (bending->caller->status != 400 ||
            (i > 3 && no_values[i][0] &&
             (!at || strncmp(json_string_value(at), place, strlen(place)))))
            fail_msg("%s: %s", body, bending->caller->body);
    }
    free(rest);
    json_decref(op);
    return true;
}

static void every_member_of_every_brush_and_mask_refuses_what_is_no_value(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/square",
                          "{\"layout\":{\"components\":[1,1],\"section_quads\":63}}"),
                     201);
    for (int i = 0; i < brush_count; i++) {
        struct bending bending = { caller, brushes[i], NULL };

        shape_each(brushes[i]->takes, bend_member, &bending);
    }
    for (int i = 0; i < mask_count; i++) {
        struct bending bending = { caller, NULL, masks[i] };

        shape_each(masks[i]->takes, bend_member, &bending);
    }
    assert_int_equal(call(caller, "GET", "/v1/landscapes/square", NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 1);
}

/* 127 x 127 vertices, each of the code that rise says for a column more. */
static struct caller *begin_ramp(void **state, uint16_t first, uint16_t rise)
{
    struct caller *caller = *state;
    static uint16_t codes[127 * 127];

    for (int i = 0; i < 127 * 127; i++)
        codes[i] = (uint16_t)(first + i % 127 * rise);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain",
                          "{\"layout\":{\"components\":[1,1],\"sections_per_component\":2,"
                          "\"section_quads\":63}}"),
                     201);
    caller->type = "application/x-r16";
    assert_int_equal(call_bytes(caller, "PUT", "/v1/landscapes/plain/heights?width=127&height=127",
                                codes, sizeof codes),
                     200);
    return caller;
}

static double code_at(struct caller *caller, double x, double y)
{
    return height_at(caller, x, y) * 128 + 32768;
}

/* NUM-01 */
static void the_lowest_ground_stays_the_lowest(void **state)
{
    static const char *const ops[] = {
        "{\"tool\":\"smooth\",\"region\":{\"x\":0,\"y\":0,\"width\":127,\"height\":127}}",
        "{\"tool\":\"smooth\",\"kernel\":\"gauss\",\"path\":[[0,0],[63,126]],\"radius\":40}",
        "{\"tool\":\"flatten\",\"target\":-256,\"path\":[[60,60]],\"radius\":40}",
        "{\"tool\":\"lower\",\"amount\":0.001,\"path\":[[60,60]],\"radius\":40}",
        "{\"tool\":\"lower\",\"amount\":1e9,\"path\":[[60,60]],\"radius\":40}",
        "{\"tool\":\"raise\",\"amount\":-1e9,\"path\":[[60,60]],\"radius\":40}",
        "{\"tool\":\"expression\",\"expression\":\"h - 0.001\",\"path\":[[60,60]],\"radius\":40}",
        "{\"tool\":\"expression\",\"expression\":\"-1e300\",\"path\":[[60,60]],\"radius\":40}",
        "{\"tool\":\"expression\",\"expression\":\"0/0\",\"path\":[[60,60]],\"radius\":40}",
    };
    struct caller *caller = begin_ramp(state, 0, 0);

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        char body[300];

        snprintf(body, sizeof body, "{\"ops\":[%s]}", ops[i]);
        assert_int_equal(call(caller, "POST", edits, body), 200);
        assert_int_equal(caller_number(caller, "changed"), 0);
    }
}

/* Heights */

/* COL-04, COL-10 */
static void heights_lie_between_those_of_the_vertices_up_to_the_last(void **state)
{
    struct caller *caller = begin_ramp(state, 0, 512);

    assert_float_equal(code_at(caller, 10, 3), 5120, 1e-9);
    assert_float_equal(code_at(caller, 10.25, 3), 5248, 1e-9);
    assert_float_equal(code_at(caller, 10.5, 3), 5376, 1e-9);
    assert_float_equal(code_at(caller, 10.999, 3), 5631.488, 1e-6);
    assert_float_equal(code_at(caller, 126, 0), 64512, 1e-9);
    assert_float_equal(code_at(caller, 126, 126), 64512, 1e-9);
    assert_float_equal(code_at(caller, 125.999, 126), 64511.488, 1e-6);
    assert_float_equal(code_at(caller, 0, 126), 0, 1e-9);
}

/* COL-08 */
static void ground_below_zero_faces_up(void **state)
{
    struct caller *caller = begin_ramp(state, 1000, 100);

    assert_float_equal(height_at(caller, 63, 63), -198.96875, 1e-9);
    assert_true(caller_number(caller, "normal.2") > 0);
    assert_true(caller_number(caller, "normal.0") < 0);
}

/* NUM-12 */
static void flat_ground_faces_straight_up(void **state)
{
    struct caller *caller = begin_ramp(state, 0, 0);

    assert_float_equal(height_at(caller, 0, 0), -256, 0);
    assert_float_equal(caller_number(caller, "normal.0"), 0, 0);
    assert_float_equal(caller_number(caller, "normal.1"), 0, 0);
    assert_float_equal(caller_number(caller, "normal.2"), 1, 0);
}

static void a_point_has_height_and_normal(void **state)
{
    struct caller *caller = begin(state);

    call(caller, "POST", "/v1/landscapes/plain/edits?frame=grid",
         "{\"ops\":[{\"tool\":\"flatten\",\"region\":{\"x\":0,\"y\":0,\"width\":125,"
         "\"height\":63},\"plane\":[[0,0,10],[100,0,210],[0,50,10]]}]}");
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/height?x=1015&y=520.5", NULL), 200);
    assert_float_equal(caller_number(caller, "z"), 25, 1e-9);
    assert_float_equal(caller_number(caller, "normal.0"), -sqrt(0.5), 1e-9);
    assert_float_equal(caller_number(caller, "normal.1"), 0, 1e-9);
    assert_float_equal(caller_number(caller, "normal.2"), sqrt(0.5), 1e-9);
    assert_true(json_is_false(caller_member(caller, "hole")));
    assert_true(json_is_null(caller_member(caller, "layer")));
    assert_true(json_is_null(caller_member(caller, "physical_material")));
}

static void beyond_the_landscape_there_is_no_height(void **state)
{
    struct caller *caller = begin(state);

    call(caller, "GET", "/v1/landscapes/plain/height?x=999&y=520", NULL);
    assert_refused(caller, 404, "");
    assert_string_equal(caller_text(caller, "type"), "/problems/outside-landscape");
    assert_string_equal(caller_text(caller, "detail"),
                        "x 999, y 520 is outside the landscape, which lies from x 1000, y 500 to "
                        "x 1248, y 624");
    call(caller, "GET", "/v1/landscapes/plain/height?frame=grid&x=124.5&y=3", NULL);
    assert_refused(caller, 404, "");
    call(caller, "GET", "/v1/landscapes/plain/height?x=1001", NULL);
    assert_refused(caller, 400, "y");
    call(caller, "GET", "/v1/landscapes/plain/height?x=nan&y=2", NULL);
    assert_refused(caller, 400, "x");
}

static void the_etag_of_a_height_changes_with_its_quad_alone(void **state)
{
    struct caller *caller = begin(state);
    char etag[128];

    height_at(caller, 3.5, 3.5);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":124,\"y\":62,\"width\":1,"
         "\"height\":1}}]}");
    caller->if_none_match = etag;
    /* one block holds all of this small landscape, so its stamp may move; the answer may not lie */
    if (call(caller, "GET", "/v1/landscapes/plain/height?frame=grid&x=3.5&y=3.5", NULL) != 304)
        assert_float_equal(caller_number(caller, "z"), 10, 0);
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"region\":{\"x\":4,\"y\":4,\"width\":1,"
         "\"height\":1}}]}");
    caller->if_none_match = etag;
    assert_int_equal(
        call(caller, "GET", "/v1/landscapes/plain/height?frame=grid&x=3.5&y=3.5", NULL), 200);
}

static void a_batch_answers_in_order_and_null_outside(void **state)
{
    struct caller *caller = begin(state);

    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/query/heights",
                          "{\"points\":[[1000,500],[0,0],[1248,624],[1248.001,624]]}"),
                     200);
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_int_equal(json_array_size(caller_member(caller, "heights")), 4);
    assert_float_equal(caller_number(caller, "heights.0"), 10, 0);
    assert_true(json_is_null(caller_member(caller, "heights.1")));
    assert_float_equal(caller_number(caller, "heights.2"), 10, 0);
    assert_true(json_is_null(caller_member(caller, "heights.3")));
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/query/heights", "{\"points\":[]}"),
                     200);
    assert_int_equal(json_array_size(caller_member(caller, "heights")), 0);
}

static void a_batch_may_ask_for_more(void **state)
{
    struct caller *caller = begin(state);

    assert_int_equal(call(caller, "POST",
                          "/v1/landscapes/plain/query/heights?frame=grid&fields=triangle,normal",
                          "{\"points\":[[1.75,1.5],[-1,0],[1.25,1.5]]}"),
                     200);
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_int_equal(caller_number(caller, "points.0.triangle"), 2 * 125 - 2 + 2);
    assert_int_equal(caller_number(caller, "points.2.triangle"), 2 * 125 - 2 + 3);
    assert_float_equal(caller_number(caller, "points.0.z"), 10, 0);
    assert_float_equal(caller_number(caller, "points.0.normal.2"), 1, 0);
    assert_null(json_object_get(caller_member(caller, "points.0"), "layer"));
    assert_true(json_is_null(caller_member(caller, "points.1")));
    call(caller, "POST", "/v1/landscapes/plain/query/heights?fields=normal,colour",
         "{\"points\":[[1,1]]}");
    assert_refused(caller, 400, "fields");
}

static void a_batch_is_answered_in_kind_or_not_at_all(void **state)
{
    struct caller *caller = begin(state);
    const float pair[2] = { 1, 2 };

    caller->accept = "application/x-f32";
    assert_int_equal(
        call(caller, "POST", "/v1/landscapes/plain/query/heights", "{\"points\":[[1,2]]}"), 406);
    caller->type = "application/x-f32";
    caller->accept = "application/json";
    assert_int_equal(call_bytes(caller, "POST", "/v1/landscapes/plain/query/heights", pair, 8),
                     406);
    caller->type = "application/x-f32";
    assert_int_equal(
        call_bytes(caller, "POST", "/v1/landscapes/plain/query/heights?version=1", pair, 8), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/x-f32");
    assert_int_equal(caller->length, 4);
    caller->type = "application/x-f32";
    assert_int_equal(call_bytes(caller, "POST", "/v1/landscapes/plain/query/heights", pair, 0),
                     200);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/x-f32");
    assert_int_equal(caller->length, 0);
}

static void a_batch_has_an_etag_of_its_points_and_version(void **state)
{
    static const char one[] = "{\"points\":[[1,2]]}", other[] = "{\"points\":[[1,3]]}";
    static const char query[] = "/v1/landscapes/plain/query/heights";
    struct caller *caller = begin(state);
    char first[96];

    assert_int_equal(call(caller, "POST", query, one), 200);
    assert_non_null(caller_header(caller, "ETag"));
    snprintf(first, sizeof first, "%s", caller_header(caller, "ETag"));
    call(caller, "POST", query, one);
    assert_string_equal(caller_header(caller, "ETag"), first);
    call(caller, "POST", query, other);
    assert_string_not_equal(caller_header(caller, "ETag"), first);
    caller->if_none_match = first;
    assert_int_equal(call(caller, "POST", query, one), 200); /* 304 is for GET and HEAD */
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"raise\",\"region\":{\"x\":0,\"y\":0,\"width\":4,\"height\":4},"
         "\"amount\":1}]}");
    assert_int_equal(caller_number(caller, "version"), 2);
    call(caller, "POST", query, one);
    assert_string_not_equal(caller_header(caller, "ETag"), first);
}

static void binary_batches_are_the_json_ones(void **state)
{
    enum { COUNT = 9000 };
    static double wide[2 * COUNT];
    static float narrow[2 * COUNT];
    struct caller *caller = begin(state);
    static double z[COUNT];

    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"noise\",\"amplitude\":20,\"cell\":9,\"region\":{\"x\":0,\"y\":0,"
         "\"width\":125,\"height\":63}}]}");
    for (int i = 0; i < COUNT; i++) {
        narrow[2 * i] = (float)(990 + i * 7919 % 2700 / 10.0);
        narrow[2 * i + 1] = (float)(490 + i * 104729 % 1400 / 10.0);
        wide[2 * i] = (double)narrow[2 * i];
        wide[2 * i + 1] = (double)narrow[2 * i + 1];
    }
    wide[2 * 17] = NAN;
    narrow[2 * 17] = NAN;
    caller->type = "application/x-f64";
    assert_int_equal(
        call_bytes(caller, "POST", "/v1/landscapes/plain/query/heights", wide, sizeof wide), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/x-f64");
    assert_int_equal(caller->length, sizeof z);
    memcpy(z, caller->body, sizeof z);
    caller->type = "application/x-f32";
    assert_int_equal(
        call_bytes(caller, "POST", "/v1/landscapes/plain/query/heights", narrow, sizeof narrow),
        200);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/x-f32");
    assert_int_equal(caller->length, COUNT * 4);
    for (int i = 0; i < COUNT; i++) {
        float one;

        memcpy(&one, caller->body + 4 * i, sizeof one);
        assert_true(isnan(z[i]) ? isnan(one) : one == (float)z[i]);
    }
    assert_true(isnan(z[17]));
    for (int i = 0; i < COUNT; i += 397) {
        double at[2] = { (wide[2 * i] - 1000) / 2, (wide[2 * i + 1] - 500) / 2 };
        bool on = at[0] >= 0 && at[1] >= 0 && at[0] <= 124 && at[1] <= 62;

        assert_int_equal(isnan(z[i]), !on);
        if (on)
            assert_float_equal(height_at(caller, at[0], at[1]), z[i], 1e-9);
    }
}

static void points_may_be_written_in_any_way_that_json_has(void **state)
{
    static const struct {
        const char *points;
        double z; /* NaN: refused */
    } rows[] = {
        { "[[1002,504]]", 32 },
        { "[ [ 1002 , 504 ] ]", 32 },
        { "[[1.002e3,50.4E+1]]", 32 },
        { "[[1002.0000000000000000000000,504.0]]", 32 },
        { "[[1002.00000000,\n504]]", 32 },
        { "[[1000.0000000000001,500]]", 30 },
        { "[[1000.5,500]]", 30.5 },
        { "[[01002,504]]", NAN },
        { "[[1002.,504]]", NAN },
        { "[[.5,504]]", NAN },
        { "[[+1002,504]]", NAN },
        { "[[1002,504.5.5]]", NAN },
        { "[[1002,504,1]]", NAN },
        { "[[1002,504],]", NAN },
        { "[[1002,]]", NAN },
        { "[[1002,-]]", NAN },
        { "[[1002,504", NAN },
        { "[[1002,504]", NAN },
        { "[[1002,504]]]", NAN },
        { "[[0x3ea,504]]", NAN },
        { "[[1002,1e999]]", NAN },
    };
    struct caller *caller = begin(state);

    call(caller, "POST", "/v1/landscapes/plain/edits?frame=grid",
         "{\"ops\":[{\"tool\":\"flatten\",\"region\":{\"x\":0,\"y\":0,\"width\":125,"
         "\"height\":63},\"plane\":[[0,0,30],[10,0,50],[0,10,30]]}]}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[256];

        snprintf(body, sizeof body, "{\"points\":%s}", rows[i].points);
        call(caller, "POST", "/v1/landscapes/plain/query/heights", body);
        if (caller->status != (isnan(rows[i].z) ? 400 : 200))
            fail_msg("%s: %s", rows[i].points, caller->body);
        if (caller->status == 200)
            assert_float_equal(caller_number(caller, "heights.0"), rows[i].z, 1e-9);
    }
}

static void heights_are_printed_to_the_nanometre(void **state)
{
    struct caller *caller = begin(state);

    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"noise\",\"amplitude\":200,\"cell\":9,\"region\":{\"x\":0,\"y\":0,"
         "\"width\":125,\"height\":63}}]}");
    for (int i = 0; i < 40; i++) {
        double points[50][2], z[50];
        char body[50 * 50], *at = body;

        at += sprintf(at, "{\"points\":[");
        for (int k = 0; k < 50; k++) {
            points[k][0] = (i * 50 + k) * 7919 % 12400 / 100.0;
            points[k][1] = (i * 50 + k) * 104729 % 6200 / 100.0;
            at += sprintf(at, "%s[%.2f,%.2f]", k ? "," : "", points[k][0], points[k][1]);
        }
        strcpy(at, "]}");
        caller->type = "application/x-f64";
        call_bytes(caller, "POST", "/v1/landscapes/plain/query/heights?frame=grid", points,
                   sizeof points);
        memcpy(z, caller->body, sizeof z);
        assert_int_equal(
            call(caller, "POST", "/v1/landscapes/plain/query/heights?frame=grid", body), 200);
        for (int k = 0; k < 50; k++) {
            const json_t *printed = json_array_get(caller_member(caller, "heights"), (size_t)k);

            assert_float_equal(json_number_value(printed), z[k], 0.51e-9);
        }
    }
}

static void wrong_batches_are_refused(void **state)
{
    struct caller *caller = begin(state);
    static const char path[] = "/v1/landscapes/plain/query/heights";

    call(caller, "POST", path, "{\"points\":[[1]]}");
    assert_refused(caller, 400, "/points/0");
    call(caller, "POST", path, "{\"points\":[[1,\"2\"]]}");
    assert_true(caller->status == 400);
    call(caller, "POST", path, "{}");
    assert_refused(caller, 400, "/points");
    caller->type = "application/x-f32";
    call_bytes(caller, "POST", path, "123456789012", 12);
    assert_refused(caller, 400, "");
    caller->type = "application/x-f32";
    call_bytes(caller, "POST", "/v1/landscapes/plain/query/heights?fields=normal", "12345678", 8);
    assert_refused(caller, 400, "fields");
    caller->type = "text/plain";
    call_bytes(caller, "POST", path, "12345678", 8);
    assert_refused(caller, 415, "");
    caller->service.limits.query_points = 2;
    call(caller, "POST", path, "{\"points\":[[1,2],[1,2],[1,2]]}");
    assert_refused(caller, 413, "/points");
    caller->type = "application/x-f64";
    call_bytes(caller, "POST", path, "123456781234567812345678123456781234567812345678", 48);
    assert_refused(caller, 413, "");
}

/* Components */

static void a_component_says_where_it_is_and_what_it_has(void **state)
{
    struct caller *caller = begin(state);

    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"set\",\"height\":12,\"region\":{\"x\":70,\"y\":3,\"width\":2,"
         "\"height\":1}}]}");
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/components/1/0", NULL), 200);
    assert_int_equal(caller_number(caller, "component.0"), 1);
    assert_int_equal(caller_number(caller, "vertices.x"), 62);
    assert_int_equal(caller_number(caller, "vertices.width"), 63);
    assert_float_equal(caller_number(caller, "bounds.min.0"), 1124, 0);
    assert_float_equal(caller_number(caller, "bounds.max.0"), 1248, 0);
    assert_float_equal(caller_number(caller, "bounds.min.2"), 10, 0);
    assert_float_equal(caller_number(caller, "bounds.max.2"), 12, 0);
    assert_int_equal(caller_number(caller, "versions.heights"), 2);
    assert_int_equal(caller_number(caller, "versions.holes"), 1);
    assert_int_equal(json_array_size(caller_member(caller, "lods")), 5);
    assert_int_equal(caller_number(caller, "lods.4.triangles"), 8);
    assert_int_equal(json_array_size(caller_member(caller, "weightmap_allocations")), 0);
    assert_int_equal(call(caller, "GET", caller_text(caller, "links.heights"), NULL), 200);
    call(caller, "GET", "/v1/landscapes/plain/components/2/0", NULL);
    assert_refused(caller, 404, "");
    call(caller, "GET", "/v1/landscapes/plain/components/x/0", NULL);
    assert_refused(caller, 400, "cx");
}

static void a_components_texture_is_a_png_of_each_mip(void **state)
{
    struct caller *caller = begin(state);

    for (int mip = 0; mip < 5; mip++) {
        char target[128];

        snprintf(target, sizeof target, "/v1/landscapes/plain/components/0/0/heightmap.png?mip=%d",
                 mip);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
        assert_memory_equal(caller->body, "\x89PNG\r\n\x1a\n", 8);
        assert_int_equal((unsigned char)caller->body[19], 64 >> mip);
        assert_int_equal(caller->body[25], 6); /* RGBA */
    }
    call(caller, "GET", "/v1/landscapes/plain/components/0/0/heightmap.png?mip=5", NULL);
    assert_refused(caller, 422, "mip");
    call(caller, "GET", "/v1/landscapes/plain/components/0/0/heightmap.png?mip=8", NULL);
    assert_refused(caller, 400, "mip");
    call(caller, "GET", "/v1/landscapes/plain/components/0/1/heightmap.png", NULL);
    assert_refused(caller, 404, "");
}

static void assert_told(struct caller *caller, const char *words)
{
    if (!strstr(caller_text(caller, "detail"), words))
        fail_msg("no \"%s\" in: %s", words, caller_text(caller, "detail"));
}

static void what_is_mistyped_is_told_with_what_there_is(void **state)
{
    struct caller *caller = begin(state);

    call(caller, "POST", edits, "{\"ops\":[{\"tool\":\"rase\"}]}");
    assert_refused(caller, 400, "/ops/0/tool");
    assert_told(caller, "hole, unhole, paint, unpaint; did you mean \"raise\"?");
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"expression\",\"formula\":\"h\",\"path\":[[1,1]]}]}");
    assert_refused(caller, 400, "/ops/0/formula");
    assert_told(caller, "only path, radius, ");
    call(caller, "POST", edits,
         "{\"ops\":[{\"tool\":\"raise\",\"amount\":1,\"path\":[[1,1]],\"radius\":3},]}");
    assert_refused(caller, 400, "/ops/1");
    assert_told(caller, "malformed");
    call(caller, "GET", "/v1/landscapes/plan", NULL);
    assert_refused(caller, 404, "");
    assert_told(caller, "did you mean plain?");
    call(caller, "GET", "/v1/landscapes/zzzzzzz", NULL);
    assert_refused(caller, 404, "");
    assert_null(strstr(caller_text(caller, "detail"), "mean"));
    for (int i = 0; i < 2; i++)
        assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/snapshots",
                              i ? "{\"name\":\"first\"}" : "{\"name\":\"fourth\"}"),
                         201);
    call(caller, "POST", "/v1/landscapes/plain/snapshots/firts/restore", NULL);
    assert_refused(caller, 404, "");
    assert_told(caller, "there is no snapshot firts; did you mean first?");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(an_edit_answers_what_changed),
        TEST(an_edit_without_effect_keeps_the_version),
        TEST(a_dry_run_answers_the_same_and_changes_nothing),
        TEST(positions_are_in_the_frame_that_is_named),
        TEST(a_plane_of_three_points_is_in_the_frame_too),
        TEST(changes_are_guarded_by_version_and_key),
        TEST(wrong_ops_are_refused_where_they_are_wrong),
        TEST(what_is_mistyped_is_told_with_what_there_is),
        TEST(limits_on_ops_and_vertices_hold),
        TEST(ground_is_copied_from_another_landscape),
        TEST(every_brush_does_its_example),
        TEST(every_member_of_every_brush_and_mask_refuses_what_is_no_value),
        TEST(the_lowest_ground_stays_the_lowest),
        TEST(heights_lie_between_those_of_the_vertices_up_to_the_last),
        TEST(ground_below_zero_faces_up),
        TEST(flat_ground_faces_straight_up),
        TEST(a_point_has_height_and_normal),
        TEST(beyond_the_landscape_there_is_no_height),
        TEST(the_etag_of_a_height_changes_with_its_quad_alone),
        TEST(a_batch_answers_in_order_and_null_outside),
        TEST(a_batch_may_ask_for_more),
        TEST(a_batch_is_answered_in_kind_or_not_at_all),
        TEST(a_batch_has_an_etag_of_its_points_and_version),
        TEST(binary_batches_are_the_json_ones),
        TEST(points_may_be_written_in_any_way_that_json_has),
        TEST(heights_are_printed_to_the_nanometre),
        TEST(wrong_batches_are_refused),
        TEST(a_component_says_where_it_is_and_what_it_has),
        TEST(a_components_texture_is_a_png_of_each_mip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
