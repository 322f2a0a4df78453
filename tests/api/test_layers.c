/* Edit layers and paint layers through their endpoints. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/stack.h"

#define LAND "/v1/landscapes/land"

static int begin(void **state)
{
    struct caller *caller;

    if (caller_begin(state))
        return -1;
    caller = *state;
    return call(caller, "PUT", LAND,
                "{\"layout\":{\"components\":[2,2],\"section_quads\":31},"
                "\"layers\":[{\"name\":\"grass\",\"fill\":true},\"rock\",\"sand\","
                "{\"name\":\"wet\",\"blended\":false}]}") == 201
               ? 0
               : -1;
}

static void raise(struct caller *caller, const char *layer, double x, double y, double amount)
{
    char body[256];

    snprintf(body, sizeof body,
             "{\"edit_layer\":\"%s\",\"ops\":[{\"tool\":\"raise\",\"path\":[[%g,%g]],\"radius\":6,"
             "\"amount\":%g}]}",
             layer, x, y, amount);
    assert_int_equal(call(caller, "POST", LAND "/edits", body), 200);
}

static double height_at(struct caller *caller, double x, double y)
{
    char target[128];

    snprintf(target, sizeof target, LAND "/height?x=%g&y=%g", x, y);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    return caller_number(caller, "z");
}

static void add(struct caller *caller, const char *body)
{
    assert_int_equal(call(caller, "POST", LAND "/edit-layers", body), 201);
}

static void a_landscape_begins_with_base_alone(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "GET", LAND "/edit-layers", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "edit_layers")), 1);
    assert_string_equal(caller_text(caller, "edit_layers.0.name"), "base");
    assert_string_equal(caller_text(caller, "edit_layers.0.blend"), "additive");
    assert_int_equal(call(caller, "GET", LAND "/edit-layers/base", NULL), 200);
    assert_non_null(caller_header(caller, "ETag"));
    assert_int_equal(call(caller, "GET", LAND "/edit-layers/bases", NULL), 404);
    assert_non_null(strstr(caller_text(caller, "detail"), "base is"));
}

static void a_layer_is_added_where_it_says(void **state)
{
    struct caller *caller = *state;

    add(caller, "{\"name\":\"roads\",\"blend\":\"alpha\",\"alpha\":0.5,\"weights_alpha\":0.25}");
    assert_string_equal(caller_header(caller, "Location"), LAND "/edit-layers/roads");
    assert_int_equal(caller_number(caller, "version"), 2);
    assert_int_equal(caller_number(caller, "edit_layer.position"), 1);
    assert_float_equal(caller_number(caller, "edit_layer.weights_alpha"), 0.25, 0);
    add(caller, "{\"name\":\"rivers\",\"before\":\"roads\",\"subtract\":[\"rock\"]}");
    assert_int_equal(caller_number(caller, "edit_layer.position"), 1);
    assert_string_equal(caller_text(caller, "edit_layer.subtract.0"), "rock");
    add(caller, "{\"name\":\"lowest\",\"position\":0}");
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    assert_string_equal(caller_text(caller, "edit_layers.0.name"), "lowest");
    assert_string_equal(caller_text(caller, "edit_layers.1.name"), "base");
    assert_string_equal(caller_text(caller, "edit_layers.2.name"), "rivers");
    assert_string_equal(caller_text(caller, "edit_layers.3.name"), "roads");
    assert_string_equal(caller_text(caller, "layers.3.name"), "wet");
}

static void layers_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *body;
        int status;
        const char *place;
    } cases[] = {
        { "{}", 400, "/name" },
        { "{\"name\":\"a b\"}", 400, "/name" },
        { "{\"name\":\"base\"}", 409, "/name" },
        { "{\"name\":\"a\",\"alpha\":1.5}", 400, "/alpha" },
        { "{\"name\":\"a\",\"blend\":\"add\"}", 400, "/blend" },
        { "{\"name\":\"a\",\"before\":\"nobody\"}", 404, "/before" },
        { "{\"name\":\"a\",\"before\":\"base\",\"position\":0}", 400, "/before" },
        { "{\"name\":\"a\",\"subtract\":[\"grass\",\"gras\"]}", 404, "/subtract/1" },
        { "{\"name\":\"a\",\"opacity\":1}", 400, "/opacity" },
    };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        call(caller, "POST", LAND "/edit-layers", cases[i].body);
        assert_refused(caller, cases[i].status, cases[i].place);
    }
    for (int i = 1; i < EDIT_LAYERS_MOST; i++) {
        char body[64];

        snprintf(body, sizeof body, "{\"name\":\"layer-%d\"}", i);
        add(caller, body);
    }
    call(caller, "POST", LAND "/edit-layers", "{\"name\":\"one-more\"}");
    assert_refused(caller, 413, "");
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "edit_layers")), EDIT_LAYERS_MOST);
}

static void edits_go_to_their_layer_and_show_as_it_counts(void **state)
{
    struct caller *caller = *state;

    raise(caller, "base", 20, 20, 4);
    add(caller, "{\"name\":\"hills\"}");
    raise(caller, "hills", 20, 20, 8);
    assert_float_equal(height_at(caller, 20, 20), 12, 0);
    assert_int_equal(call(caller, "PATCH", LAND "/edit-layers/hills", "{\"alpha\":0.5}"), 200);
    assert_float_equal(height_at(caller, 20, 20), 8, 0);
    assert_int_equal(call(caller, "PATCH", LAND "/edit-layers/hills", "{\"alpha\":-1}"), 200);
    assert_float_equal(height_at(caller, 20, 20), -4, 0);
    assert_int_equal(call(caller, "PATCH", LAND "/edit-layers/hills", "{\"visible\":false}"), 200);
    assert_float_equal(height_at(caller, 20, 20), 4, 0);
    assert_int_equal(call(caller, "PATCH", LAND "/edit-layers/hills",
                          "{\"visible\":null,\"alpha\":null,\"name\":\"mounds\"}"),
                     200);
    assert_string_equal(caller_text(caller, "edit_layer.name"), "mounds");
    assert_string_equal(caller_text(caller, "edit_layer.holds.0"), "heights");
    assert_float_equal(height_at(caller, 20, 20), 12, 0);
    assert_int_equal(call(caller, "DELETE", LAND "/edit-layers/mounds", NULL), 200);
    assert_true(json_is_null(caller_member(caller, "edit_layer")));
    assert_true(caller_number(caller, "changed") > 0);
    assert_float_equal(height_at(caller, 20, 20), 4, 0);
    call(caller, "POST", LAND "/edits",
         "{\"edit_layer\":\"mounds\",\"ops\":[{\"tool\":\"raise\",\"path\":[[9,9]],\"radius\":3,"
         "\"amount\":1}]}");
    assert_refused(caller, 404, "/edit_layer");
    call(caller, "PUT", LAND "/heights?x=0&y=0&edit_layer=mound", "{\"rows\":[[1]]}");
    assert_refused(caller, 404, "edit_layer");
}

static void a_locked_layer_refuses(void **state)
{
    static const struct {
        const char *method, *target, *body;
    } refused[] = {
        { "DELETE", LAND "/edit-layers/hills", NULL },
        { "POST", LAND "/edit-layers/hills/clear", NULL },
        { "POST", LAND "/edit-layers/hills/collapse", NULL },
        { "POST", LAND "/edit-layers/above/collapse", NULL },
        { "PATCH", LAND "/edit-layers/hills", "{\"alpha\":0.5}" },
        { "PATCH", LAND "/edit-layers/hills", "{\"blend\":\"alpha\"}" },
        { "PATCH", LAND "/edit-layers/hills", "{\"subtract\":[\"rock\"]}" },
        { "PUT", LAND "/heights?x=0&y=0&edit_layer=hills", "{\"rows\":[[1]]}" },
        { "POST", LAND "/edits",
          "{\"edit_layer\":\"hills\",\"ops\":[{\"tool\":\"set\",\"region\":{\"x\":0,\"y\":0,"
          "\"width\":2,\"height\":2},\"height\":3}]}" },
    };
    struct caller *caller = *state;
    double version;

    add(caller, "{\"name\":\"hills\"}");
    add(caller, "{\"name\":\"above\"}");
    raise(caller, "hills", 20, 20, 8);
    assert_int_equal(call(caller, "PATCH", LAND "/edit-layers/hills", "{\"locked\":true}"), 200);
    version = caller_number(caller, "version");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (call(caller, refused[i].method, refused[i].target, refused[i].body) != 423)
            fail_msg("%s %s: %d", refused[i].method, refused[i].target, caller->status);
        assert_true(strstr(caller_text(caller, "detail"), "hills") != NULL);
    }
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    assert_float_equal(caller_number(caller, "version"), version, 0);
    assert_int_equal(call(caller, "PATCH", LAND "/edit-layers/hills", "{\"position\":2}"), 200);
    assert_int_equal(
        call(caller, "POST", LAND "/edit-layers/hills/duplicate", "{\"name\":\"copy\"}"), 201);
    assert_true(json_is_false(caller_member(caller, "edit_layer.locked")));
    assert_int_equal(
        call(caller, "PATCH", LAND "/edit-layers/hills", "{\"locked\":false,\"alpha\":0.5}"), 200);
}

static void base_stays(void **state)
{
    struct caller *caller = *state;

    call(caller, "DELETE", LAND "/edit-layers/base", NULL);
    assert_refused(caller, 409, "");
    call(caller, "PATCH", LAND "/edit-layers/base", "{\"name\":\"ground\"}");
    assert_refused(caller, 409, "/name");
    call(caller, "POST", LAND "/edit-layers/base/collapse", NULL);
    assert_refused(caller, 409, "");
    assert_int_equal(call(caller, "PATCH", LAND "/edit-layers/base", "{\"name\":\"base\"}"), 200);
}

static void a_layer_is_cleared_in_part(void **state)
{
    struct caller *caller = *state;

    add(caller, "{\"name\":\"hills\"}");
    raise(caller, "hills", 20, 20, 8);
    raise(caller, "hills", 40, 40, 8);
    assert_int_equal(call(caller, "POST", LAND "/edit-layers/hills/clear",
                          "{\"region\":{\"x\":10,\"y\":10,\"width\":20,\"height\":20}}"),
                     200);
    assert_float_equal(height_at(caller, 20, 20), 0, 0);
    assert_float_equal(height_at(caller, 40, 40), 8, 0);
    assert_int_equal(call(caller, "POST", LAND "/edit-layers/hills/clear", "{\"heights\":false}"),
                     200);
    assert_float_equal(height_at(caller, 40, 40), 8, 0);
    call(caller, "POST", LAND "/edit-layers/hills/clear",
         "{\"region\":{\"x\":60,\"y\":10,\"width\":20,\"height\":20}}");
    assert_refused(caller, 422, "/region");
    assert_int_equal(call(caller, "POST", LAND "/edit-layers/hills/clear", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "edit_layer.holds")), 0);
    assert_float_equal(height_at(caller, 40, 40), 0, 0);
}

static void collapsing_keeps_every_height(void **state)
{
    struct caller *caller = *state;
    char *before;
    size_t length;

    raise(caller, "base", 25, 22, 3.3);
    add(caller, "{\"name\":\"hills\",\"alpha\":0.37}");
    add(caller, "{\"name\":\"cover\",\"blend\":\"alpha\",\"alpha\":0.61}");
    raise(caller, "hills", 20, 20, 8.7);
    raise(caller, "cover", 24, 20, -5.1);
    caller->accept = "application/x-r16";
    assert_int_equal(call(caller, "GET", LAND "/heights", NULL), 200);
    length = caller->length;
    before = malloc(length);
    memcpy(before, caller->body, length);
    assert_int_equal(call(caller, "POST", LAND "/edit-layers/hills/collapse", NULL), 200);
    assert_string_equal(caller_text(caller, "edit_layer.name"), "base");
    assert_int_equal(call(caller, "POST", LAND "/edit-layers/cover/collapse", NULL), 200);
    caller->accept = "application/x-r16";
    assert_int_equal(call(caller, "GET", LAND "/heights", NULL), 200);
    assert_memory_equal(caller->body, before, length);
    free(before);
    assert_int_equal(call(caller, "GET", LAND "/edit-layers", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "edit_layers")), 1);
}

static void layers_survive_a_restart(void **state)
{
    struct caller *caller = *state;
    char *told;

    add(caller, "{\"name\":\"hills\",\"alpha\":0.5,\"subtract\":[\"sand\"]}");
    raise(caller, "hills", 20, 20, 8);
    assert_int_equal(call(caller, "GET", LAND "/edit-layers", NULL), 200);
    told = strdup(caller->body);
    caller_restart(caller);
    assert_int_equal(call(caller, "GET", LAND "/edit-layers", NULL), 200);
    assert_string_equal(caller->body, told);
    assert_float_equal(height_at(caller, 20, 20), 4, 0);
    free(told);
}

static void changes_of_layers_are_changes_like_others(void **state)
{
    struct caller *caller = *state;

    caller->if_match = "\"7\"";
    assert_int_equal(call(caller, "POST", LAND "/edit-layers", "{\"name\":\"a\"}"), 412);
    assert_int_equal(call(caller, "POST", LAND "/edit-layers?dry_run=true", "{\"name\":\"a\"}"),
                     201);
    assert_string_equal(caller_text(caller, "edit_layer.name"), "a");
    assert_int_equal(call(caller, "GET", LAND "/edit-layers/a", NULL), 404);
    for (int i = 0; i < 2; i++) {
        caller->key = "once";
        add(caller, "{\"name\":\"a\"}");
        assert_int_equal(caller_number(caller, "version"), 2);
        assert_string_equal(caller_text(caller, "edit_layer.name"), "a");
    }
    caller->key = "once";
    assert_int_equal(call(caller, "POST", LAND "/edit-layers", "{\"name\":\"b\"}"), 422);
}

/* On a landscape of several blocks, whose trees have branches. */
static void a_layer_holds_nothing_once_it_is_taken_back(void **state)
{
    static const char body[] = "{\"edit_layer\":\"ruts\",\"ops\":[{\"tool\":\"raise\","
                               "\"path\":[[100,100]],\"radius\":40,\"amount\":3},"
                               "{\"tool\":\"hole\",\"path\":[[100,100]],\"radius\":9},"
                               "{\"tool\":\"paint\",\"layer\":\"moss\",\"path\":[[100,100]],"
                               "\"radius\":40,\"amount\":255}]}";
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/wide",
                          "{\"layout\":{\"components\":[2,2],\"section_quads\":127},"
                          "\"layers\":[\"moss\"]}"),
                     201);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/wide/edit-layers", "{\"name\":\"ruts\"}"),
                     201);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/wide/edits", body), 200);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/wide/edit-layers/ruts", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "holds")), 3);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/wide/undo", NULL), 200);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/wide/edit-layers/ruts", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "holds")), 0);

    /* what is made again from the log tells the same */
    assert_int_equal(call(caller, "POST", "/v1/landscapes/wide/redo", NULL), 200);
    caller_restart(caller);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/wide/undo", NULL), 200);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/wide/edit-layers/ruts", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "holds")), 0);
}

static void contributions_add_up_to_the_height(void **state)
{
    struct caller *caller = *state;
    const json_t *layers, *layer;
    double sum;
    size_t i;

    raise(caller, "base", 25, 22, 3.3);
    add(caller, "{\"name\":\"hills\",\"alpha\":0.37}");
    add(caller, "{\"name\":\"cover\",\"blend\":\"alpha\",\"alpha\":0.61}");
    add(caller, "{\"name\":\"hidden\",\"visible\":false}");
    raise(caller, "hills", 20, 20, 8.7);
    raise(caller, "cover", 24, 20, -5.1);
    raise(caller, "hidden", 24, 20, 50);
    assert_int_equal(call(caller, "GET", LAND "/height?x=22.3&y=20.6&contributions=true", NULL),
                     200);
    layers = caller_member(caller, "contributions.layers");
    assert_int_equal(json_array_size(layers), 4);
    sum = caller_number(caller, "contributions.level");
    json_array_foreach(layers, i, layer)
    {
        sum += json_number_value(json_object_get(layer, "metres"));
        assert_float_equal(sum, json_number_value(json_object_get(layer, "sum")), 1e-9);
    }
    assert_float_equal(sum + caller_number(caller, "contributions.rounding"),
                       caller_number(caller, "z"), 1e-9);
    assert_true(fabs(caller_number(caller, "contributions.rounding")) <= 0.5 / 128);
    assert_float_equal(caller_number(caller, "contributions.layers.3.metres"), 0, 0);
    assert_true(caller_number(caller, "contributions.layers.2.mask") > 0);
    assert_true(json_is_null(caller_member(caller, "contributions.layers.1.mask")));
    assert_int_equal(call(caller, "GET", LAND "/height?x=22.3&y=20.6", NULL), 200);
    assert_true(json_is_null(caller_member(caller, "contributions")));
}

/* ---- paint layers ---- */

static void paint_layers_are_told_with_statistics(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "GET", LAND "/layers", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "layers")), 4);
    assert_true(json_is_null(caller_member(caller, "layers.0.statistics")));
    assert_true(json_is_false(caller_member(caller, "layers.3.blended")));
    assert_int_equal(call(caller, "GET", LAND "/layers/grass?statistics=true", NULL), 200);
    assert_float_equal(caller_number(caller, "statistics.coverage"), 1, 0);
    assert_float_equal(caller_number(caller, "statistics.mean"), 255, 0);
    assert_int_equal(call(caller, "POST", LAND "/edits",
                          "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"rock\",\"target\":51,"
                          "\"region\":{\"x\":0,\"y\":0,\"width\":63,\"height\":7}}]}"),
                     200);
    assert_int_equal(call(caller, "GET", LAND "/layers?statistics=true", NULL), 200);
    assert_float_equal(caller_number(caller, "layers.1.statistics.coverage"), 7.0 / 63, 1e-12);
    assert_float_equal(caller_number(caller, "layers.1.statistics.mean"), 51 * 7.0 / 63, 1e-9);
    assert_int_equal(caller_number(caller, "layers.0.statistics.least"), 204);
}

static void put_raster(struct caller *caller, const char *name)
{
    static const uint8_t texels[2][2][3] = { 0 };
    struct picture_about about;
    struct fault why;
    bool replaced;

    assert_true(
        gallery_put(caller->service.gallery, name, 2, 2, 3, texels, NULL, &about, &replaced, &why));
}

/* What is named is there when it is named; what goes away later is told. */
static void a_raster_that_is_not_there_is_told(void **state)
{
    static const char *const members[] = { "albedo", "normal", "height", "roughness" };
    struct caller *caller = *state;
    struct fault why;
    double version;

    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    version = caller_number(caller, "version");
    put_raster(caller, "cliffs");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char body[100], place[40];

        snprintf(body, sizeof body, "{\"material\":{\"%s\":\"clifs\"}}", members[i]);
        snprintf(place, sizeof place, "/material/%s", members[i]);
        call(caller, "PATCH", LAND "/layers/rock", body);
        assert_refused(caller, 404, place);
        assert_non_null(strstr(caller->body, "did you mean cliffs"));
        snprintf(body, sizeof body, "{\"name\":\"new\",\"material\":{\"%s\":\"clifs\"}}",
                 members[i]);
        call(caller, "POST", LAND "/layers", body);
        assert_refused(caller, 404, place);
    }
    call(caller, "PUT", "/v1/landscapes/other",
         "{\"layout\":{\"components\":[1,1],\"sections_per_component\":1,\"section_quads\":63},"
         "\"layers\":[{\"name\":\"a\"},{\"name\":\"b\",\"material\":{\"normal\":\"clifs\"}}]}");
    assert_refused(caller, 404, "/layers/1/material/normal");
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    assert_float_equal(caller_number(caller, "version"), version, 0);

    assert_int_equal(call(caller, "PATCH", LAND "/layers/rock",
                          "{\"material\":{\"albedo\":\"cliffs\",\"height\":\"cliffs\"}}"),
                     200);
    assert_int_equal(json_array_size(caller_member(caller, "layer.material.missing")), 0);
    assert_int_equal(call(caller, "GET", LAND "/layers/rock", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "material.missing")), 0);
    {
        char tag[96];

        snprintf(tag, sizeof tag, "%s", caller_header(caller, "ETag"));
        assert_true(gallery_remove(caller->service.gallery, "cliffs", NULL, &why));
        caller->if_none_match = tag;
        assert_int_equal(call(caller, "GET", LAND "/layers/rock", NULL), 200);
    }
    assert_string_equal(caller_text(caller, "material.albedo"), "cliffs");
    assert_string_equal(caller_text(caller, "material.missing.0"), "albedo");
    assert_string_equal(caller_text(caller, "material.missing.1"), "height");
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    assert_non_null(strstr(caller->body, "\"missing\":[\"albedo\",\"height\"]"));
    /* Other members can still be changed. */
    assert_int_equal(call(caller, "PATCH", LAND "/layers/rock", "{\"material\":{\"tiling\":3}}"),
                     200);
}

static void a_paint_layer_is_changed_in_part(void **state)
{
    struct caller *caller = *state;

    put_raster(caller, "cliffs");
    assert_int_equal(
        call(caller, "PATCH", LAND "/layers/rock",
             "{\"name\":\"cliff\",\"physical_material\":\"stone\",\"debug_color\":"
             "\"#0A0b0c\",\"material\":{\"color\":\"#ff8000\",\"albedo\":\"cliffs\"}}"),
        200);
    assert_string_equal(caller_text(caller, "layer.name"), "cliff");
    assert_string_equal(caller_text(caller, "layer.debug_color"), "#0a0b0c");
    assert_int_equal(call(caller, "PATCH", LAND "/layers/cliff",
                          "{\"material\":{\"tiling\":2.5,\"albedo\":null}}"),
                     200);
    assert_string_equal(caller_text(caller, "layer.material.color"), "#ff8000");
    assert_float_equal(caller_number(caller, "layer.material.tiling"), 2.5, 0);
    assert_true(json_is_null(caller_member(caller, "layer.material.albedo")));
    assert_string_equal(caller_text(caller, "layer.physical_material"), "stone");
    call(caller, "PATCH", LAND "/layers/cliff", "{\"debug_color\":\"#12345\"}");
    assert_refused(caller, 400, "/debug_color");
    call(caller, "PATCH", LAND "/layers/cliff", "{\"material\":{\"color\":\"12345678\"}}");
    assert_refused(caller, 400, "/material/color");
    call(caller, "PATCH", LAND "/layers/cliff", "{\"name\":\"sand\"}");
    assert_refused(caller, 409, "/name");
    call(caller, "PATCH", LAND "/layers/clif", "{}");
    assert_refused(caller, 404, "");
}

static int weight(struct caller *caller, const char *layer, int x, int y)
{
    char target[160];

    snprintf(target, sizeof target, LAND "/weights/%s?x=%d&y=%d&width=1&height=1&format=r8", layer,
             x, y);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    return (unsigned char)caller->body[0];
}

static void an_heir_takes_all_or_the_others_share(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "POST", LAND "/edits",
                          "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"rock\",\"target\":100,"
                          "\"region\":{\"x\":0,\"y\":0,\"width\":10,\"height\":10}},"
                          "{\"tool\":\"paint\",\"layer\":\"sand\",\"target\":55,"
                          "\"region\":{\"x\":0,\"y\":0,\"width\":5,\"height\":10}}]}"),
                     200);
    call(caller, "DELETE", LAND "/layers/rock?heir=wet", NULL);
    assert_refused(caller, 422, "heir");
    call(caller, "DELETE", LAND "/layers/rock?heir=rock", NULL);
    assert_refused(caller, 422, "heir");
    call(caller, "DELETE", LAND "/layers/rock?heir=nobody", NULL);
    assert_refused(caller, 404, "heir");
    assert_int_equal(weight(caller, "rock", 2, 2) + weight(caller, "sand", 2, 2) +
                         weight(caller, "grass", 2, 2),
                     255);
    assert_int_equal(call(caller, "DELETE", LAND "/layers/rock?heir=sand", NULL), 200);
    assert_string_equal(caller_text(caller, "layer.name"), "sand");
    assert_int_equal(weight(caller, "sand", 7, 2), 100);
    assert_int_equal(weight(caller, "grass", 7, 2), 155);
    assert_int_equal(weight(caller, "sand", 2, 2) + weight(caller, "grass", 2, 2), 255);
    assert_int_equal(call(caller, "DELETE", LAND "/layers/grass", NULL), 200);
    assert_int_equal(weight(caller, "sand", 7, 2), 255);
    assert_int_equal(weight(caller, "sand", 60, 60), 255);
    assert_int_equal(call(caller, "GET", LAND "/layers/grass", NULL), 404);
}

static void a_layer_that_is_no_longer_blended_leaves_the_others_their_sum(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "POST", LAND "/edits",
                          "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"rock\",\"target\":100,"
                          "\"region\":{\"x\":0,\"y\":0,\"width\":10,\"height\":10}}]}"),
                     200);
    assert_int_equal(call(caller, "PATCH", LAND "/layers/rock", "{\"blended\":false}"), 200);
    assert_int_equal(weight(caller, "rock", 2, 2), 100);
    assert_int_equal(weight(caller, "grass", 2, 2), 255);
    assert_int_equal(call(caller, "PATCH", LAND "/layers/rock", "{\"blended\":true}"), 200);
    assert_int_equal(weight(caller, "rock", 2, 2) + weight(caller, "grass", 2, 2), 255);
}

static void a_landscape_has_at_most_256_paint_layers(void **state)
{
    struct caller *caller = *state;

    for (int i = 4; i < PAINT_LAYERS_MOST; i++) {
        char body[64];

        snprintf(body, sizeof body, "{\"name\":\"paint-%d\"}", i);
        assert_int_equal(call(caller, "POST", LAND "/layers", body), 201);
    }
    call(caller, "POST", LAND "/layers", "{\"name\":\"one-more\"}");
    assert_refused(caller, 413, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_landscape_begins_with_base_alone, begin, caller_end),
        cmocka_unit_test_setup_teardown(a_layer_is_added_where_it_says, begin, caller_end),
        cmocka_unit_test_setup_teardown(layers_that_cannot_be_are_refused, begin, caller_end),
        cmocka_unit_test_setup_teardown(edits_go_to_their_layer_and_show_as_it_counts, begin,
                                        caller_end),
        cmocka_unit_test_setup_teardown(a_locked_layer_refuses, begin, caller_end),
        cmocka_unit_test_setup_teardown(base_stays, begin, caller_end),
        cmocka_unit_test_setup_teardown(a_layer_is_cleared_in_part, begin, caller_end),
        cmocka_unit_test_setup_teardown(collapsing_keeps_every_height, begin, caller_end),
        cmocka_unit_test_setup_teardown(layers_survive_a_restart, begin, caller_end),
        cmocka_unit_test_setup_teardown(changes_of_layers_are_changes_like_others, begin,
                                        caller_end),
        cmocka_unit_test_setup_teardown(a_layer_holds_nothing_once_it_is_taken_back, begin,
                                        caller_end),
        cmocka_unit_test_setup_teardown(contributions_add_up_to_the_height, begin, caller_end),
        cmocka_unit_test_setup_teardown(paint_layers_are_told_with_statistics, begin, caller_end),
        cmocka_unit_test_setup_teardown(a_raster_that_is_not_there_is_told, begin, caller_end),
        cmocka_unit_test_setup_teardown(a_paint_layer_is_changed_in_part, begin, caller_end),
        cmocka_unit_test_setup_teardown(an_heir_takes_all_or_the_others_share, begin, caller_end),
        cmocka_unit_test_setup_teardown(
            a_layer_that_is_no_longer_blended_leaves_the_others_their_sum, begin, caller_end),
        cmocka_unit_test_setup_teardown(a_landscape_has_at_most_256_paint_layers, begin,
                                        caller_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
