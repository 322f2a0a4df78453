/* The landscapes' own endpoints: make, look, change, copy, archive, delete. */
#include "tests/api/caller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plain[] = "{\"layout\":{\"components\":[2,1],\"sections_per_component\":2,"
                            "\"section_quads\":31},\"height\":10,\"title\":\"A plain\"}";
static const char placed[] = "{\"layout\":{\"components\":[1,1],\"section_quads\":63},"
                             "\"crs\":\"EPSG:32633\",\"bounds\":[500000,5000000,500630,5001260]}";

static void create(struct caller *caller)
{
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain", plain), 201);
}

static void a_new_landscape_answers_its_document(void **state)
{
    struct caller *caller = *state;

    create(caller);
    assert_string_equal(caller_header(caller, "Location"), "/v1/landscapes/plain");
    assert_string_equal(caller_header(caller, "Landscape-Version"), "1");
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain", NULL), 200);
    assert_string_equal(caller_header(caller, "ETag"), "\"1\"");
    assert_string_equal(caller_text(caller, "id"), "plain");
    assert_string_equal(caller_text(caller, "title"), "A plain");
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_int_equal(caller_number(caller, "size.0"), 125);
    assert_int_equal(caller_number(caller, "size.1"), 63);
    assert_int_equal(caller_number(caller, "layout.sections_per_component"), 2);
    assert_float_equal(caller_number(caller, "height_range.0"), 10, 0);
    assert_float_equal(caller_number(caller, "height_range.1"), 10, 0);
    assert_float_equal(caller_number(caller, "scale.2"), 1, 0);
    assert_true(json_is_null(caller_member(caller, "crs")));
    assert_true(json_is_null(caller_member(caller, "bounds")));
    assert_true(json_is_null(caller_member(caller, "data_bounds")));
    assert_true(caller_number(caller, "memory_bytes") >= 0);
    assert_int_equal(json_array_size(caller_member(caller, "layers")), 0);
    assert_string_equal(caller_text(caller, "edit_layers.0.name"), "base");
    assert_string_equal(caller_text(caller, "links.self"), "/v1/landscapes/plain");
}

/* Those that are no resource to GET say which methods they know. */
static void a_document_links_to_what_there_is(void **state)
{
    struct caller *caller = *state;
    const char *name;
    json_t *links, *link;

    create(caller);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain", NULL), 200);
    links = json_incref(caller_member(caller, "links"));
    assert_true(json_object_size(links) > 30);
    json_object_foreach(links, name, link)
    {
        if (strcmp(name, "events") == 0)
            continue; /* does not end */
        call(caller, "GET", json_string_value(link), NULL);
        assert_null(strstr(caller->body, "There is nothing at"));
        assert_int_not_equal(caller->status, 404);
        assert_int_not_equal(caller->status, 500);
    }
    json_decref(links);
}

static void the_same_body_again_is_fine_and_another_is_a_conflict(void **state)
{
    struct caller *caller = *state;

    create(caller);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain", plain), 200);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain",
                          "{\"title\":\"A plain\", \"height\":1e1,\"layout\":{\"section_quads\":31,"
                          "\"sections_per_component\":2,\"components\":[2,1]}}"),
                     200);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain",
                          "{\"layout\":{\"components\":[1,1],\"section_quads\":31}}"),
                     409);
    assert_refused(caller, 409, "");
    caller_restart(caller);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain", plain), 200);
    caller->if_none_match = "*";
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain", plain), 412);
}

static void a_wrong_body_is_refused_where_it_is_wrong(void **state)
{
    static const struct {
        const char *body;
        int status;
        const char *place;
    } wrong[] = {
        { "{}", 400, "/layout" },
        { "{\"layout\":{}}", 400, "/layout/components" },
        { "{\"layout\":{\"components\":[0,1]}}", 400, "/layout/components/0" },
        { "{\"layout\":{\"components\":[1,1],\"section_quads\":64}}", 400,
          "/layout/section_quads" },
        { "{\"layout\":{\"components\":[1,1],\"sections_per_component\":3}}", 400,
          "/layout/sections_per_component" },
        { "{\"layout\":{\"components\":[1,1]},\"tilte\":\"x\"}", 400, "/tilte" },
        { "{\"layout\":{\"components\":[1,1]},\"title\":\"x\",\"title\":\"y\"}", 400, "/title" },
        { "{\"layout\":{\"components\":[1,1]},\"scale\":[1,1]}", 400, "/scale" },
        { "{\"layout\":{\"components\":[1,1]},\"scale\":[1,0,1]}", 400, "/scale/1" },
        { "{\"layout\":{\"components\":[1,1]},\"height\":NaN}", 400, "/height" },
        { "{\"layout\":{\"components\":[1,1]},\"height\":256}", 422, "/height" },
        { "{\"layout\":{\"components\":[1,1]},\"height\":-257}", 422, "/height" },
        { "{\"layout\":{\"components\":[300,1]}}", 422, "/layout/components" },
        { "{\"layout\":{\"components\":[1,1]},\"crs\":\"EPSG:3857\"}", 400, "/bounds" },
        { "{\"layout\":{\"components\":[1,1]},\"bounds\":[0,0,1,1]}", 400, "/crs" },
        { "{\"layout\":{\"components\":[1,1]},\"crs\":\"utm\",\"bounds\":[0,0,1,1]}", 400, "/crs" },
        { "{\"layout\":{\"components\":[1,1]},\"crs\":\"EPSG:1\",\"bounds\":[0,0,1,1]}", 422,
          "/crs" },
        { "{\"layout\":{\"components\":[1,1]},\"crs\":\"EPSG:3857\",\"bounds\":[2,0,1,1]}", 400,
          "/bounds" },
        { "{\"layout\":{\"components\":[1,1]},\"layers\":[\"grass\",{\"name\":\"grass\"}]}", 409,
          "/layers/1/name" },
        { "{\"layout\":{\"components\":[1,1]},\"layers\":[\"gr ass\"]}", 400, "/layers/0" },
        { "{\"layout\":{\"components\":[1,1]},\"layers\":[{\"name\":\"a\",\"debug_color\":"
          "\"red\"}]}",
          400, "/layers/0/debug_color" },
        { "{\"layout\":{\"components\":[1,1]},\"layers\":[{\"name\":\"a\",\"fill\":true},"
          "{\"name\":\"b\",\"fill\":true}]}",
          422, "/layers/1/fill" },
    };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        call(caller, "PUT", "/v1/landscapes/wrong", wrong[i].body);
        assert_refused(caller, wrong[i].status, wrong[i].place);
        assert_int_equal(call(caller, "GET", "/v1/landscapes/wrong", NULL), 404);
    }
}

static void steps_follow_from_the_bounds_and_cannot_be_set(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/placed", placed), 201);
    assert_float_equal(caller_number(caller, "scale.0"), 10, 1e-9);
    assert_float_equal(caller_number(caller, "scale.1"), 20, 1e-9);
    assert_float_equal(caller_number(caller, "data_bounds.3"), 5001260, 0);
    call(caller, "PATCH", "/v1/landscapes/placed", "{\"scale\":[11,20,2]}");
    assert_refused(caller, 422, "/scale/0");
    assert_non_null(strstr(caller_text(caller, "detail"), "[10, 20, 2]"));
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/placed", "{\"scale\":[10,20,2]}"), 200);
    assert_float_equal(caller_number(caller, "scale.2"), 2, 0);
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/placed",
                          "{\"bounds\":[500000,5000000,501260,5001260]}"),
                     200);
    assert_float_equal(caller_number(caller, "scale.0"), 20, 1e-9);
    call(caller, "PATCH", "/v1/landscapes/placed", "{\"crs\":null}");
    assert_refused(caller, 400, "/crs");
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/placed",
                          "{\"crs\":null,\"bounds\":null,\"scale\":null}"),
                     200);
    assert_float_equal(caller_number(caller, "scale.0"), 1, 0);
    assert_true(json_is_null(caller_member(caller, "crs")));
}

static void a_patch_is_a_version_and_null_is_the_default(void **state)
{
    struct caller *caller = *state;

    create(caller);
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain",
                          "{\"title\":\"B\",\"origin\":[1,2,3],\"collision_mip\":2}"),
                     200);
    assert_int_equal(caller_number(caller, "version"), 2);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "2");
    assert_string_equal(caller_text(caller, "title"), "B");
    assert_float_equal(caller_number(caller, "origin.1"), 2, 0);
    assert_float_equal(caller_number(caller, "height_range.0"), 13, 0);
    caller->type = "application/merge-patch+json";
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain",
                          "{\"title\":null,\"origin\":null,\"collision_mip\":null}"),
                     200);
    assert_string_equal(caller_text(caller, "title"), "");
    assert_float_equal(caller_number(caller, "origin.1"), 0, 0);
    assert_int_equal(caller_number(caller, "collision_mip"), 0);
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain", "{}"), 200);
    assert_int_equal(caller_number(caller, "version"), 3);
    call(caller, "PATCH", "/v1/landscapes/plain", "{\"collision_mip\":7}");
    assert_refused(caller, 400, "/collision_mip");
    call(caller, "PATCH", "/v1/landscapes/plain", "{\"version\":9}");
    assert_refused(caller, 400, "/version");
    caller_restart(caller);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain", NULL), 200);
    assert_string_equal(caller_header(caller, "ETag"), "\"3\"");
}

static void conditions_are_kept(void **state)
{
    struct caller *caller = *state;

    create(caller);
    caller->if_none_match = "\"1\"";
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain", NULL), 304);
    assert_int_equal(caller->length, 0);
    caller->if_match = "\"2\"";
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain", "{\"title\":\"C\"}"), 412);
    caller->if_match = "\"1\"";
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain", "{\"title\":\"C\"}"), 200);
    caller->if_match = "\"1\"";
    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/plain", NULL), 412);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain?version=1", NULL), 200);
    assert_string_equal(caller_text(caller, "title"), "A plain");
    assert_string_equal(caller_header(caller, "Landscape-Version"), "1");
    call(caller, "GET", "/v1/landscapes/plain?version=3", NULL);
    assert_refused(caller, 404, "version");
    caller->if_match = "\"7\", \"2\"";
    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/plain", NULL), 204);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain", NULL), 404);
    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/plain", NULL), 404);
    caller->if_match = "*";
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain", plain), 412);
}

static void a_title_changes_no_answer_about_the_ground(void **state)
{
    static const char *const grounds[] = { "/v1/landscapes/plain/height?x=1&y=1",
                                           "/v1/landscapes/plain/heights?format=r16",
                                           "/v1/landscapes/plain/tiles/terrarium/0/0/0.png" };
    struct caller *caller = *state;
    char before[96];

    create(caller);
    for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) {
        assert_int_equal(call(caller, "GET", grounds[i], NULL), 200);
        snprintf(before, sizeof before, "%s", caller_header(caller, "ETag"));
        assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain",
                              i % 2 ? "{\"title\":\"C\"}" : "{\"title\":\"D\"}"),
                         200);
        assert_int_equal(call(caller, "GET", grounds[i], NULL), 200);
        assert_string_equal(caller_header(caller, "ETag"), before);
        assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain",
                              i % 2 ? "{\"origin\":[0,0,4]}" : "{\"origin\":[0,0,5]}"),
                         200);
        assert_int_equal(call(caller, "GET", grounds[i], NULL), 200);
        assert_string_not_equal(caller_header(caller, "ETag"), before);
    }
}

static void a_key_repeats_a_patch(void **state)
{
    struct caller *caller = *state;

    create(caller);
    for (int i = 0; i < 2; i++) {
        caller->key = "once";
        assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain", "{\"title\":\"D\"}"), 200);
        assert_int_equal(caller_number(caller, "version"), 2);
    }
    caller->key = "once";
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain", "{\"title\":\"E\"}"), 422);
}

static void the_list_goes_on_where_it_stopped(void **state)
{
    struct caller *caller = *state;
    char target[64];

    for (int i = 0; i < 5; i++) {
        snprintf(target, sizeof target, "/v1/landscapes/l%d", i);
        assert_int_equal(call(caller, "PUT", target, plain), 201);
    }
    assert_int_equal(call(caller, "GET", "/v1/landscapes?limit=3", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "landscapes")), 3);
    assert_string_equal(caller_text(caller, "next"), "l2");
    assert_int_equal(call(caller, "GET", "/v1/landscapes?limit=3&after=l2", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "landscapes")), 2);
    assert_string_equal(caller_text(caller, "landscapes.1.id"), "l4");
    assert_string_equal(caller_text(caller, "landscapes.1.title"), "A plain");
    assert_true(json_is_null(caller_member(caller, "next")));
    assert_int_equal(call(caller, "GET", "/v1/landscapes?limit=0", NULL), 400);
    assert_refused(caller, 400, "limit");
}

static void a_copy_is_a_landscape_of_its_own(void **state)
{
    struct caller *caller = *state;

    create(caller);
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/plain", "{\"title\":\"F\"}"), 200);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/copy", "{\"to\":\"other\"}"), 201);
    assert_string_equal(caller_header(caller, "Location"), "/v1/landscapes/other");
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_string_equal(caller_text(caller, "title"), "F");
    call(caller, "POST", "/v1/landscapes/plain/copy", "{\"to\":\"other\"}");
    assert_refused(caller, 409, "/to");
    call(caller, "POST", "/v1/landscapes/plain/copy", "{\"to\":\"a/b\"}");
    assert_refused(caller, 400, "/to");
    assert_int_equal(call(caller, "POST", "/v1/landscapes/none/copy", "{\"to\":\"b\"}"), 404);
    assert_int_equal(call(caller, "DELETE", "/v1/landscapes/plain", NULL), 204);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/other", NULL), 200);
}

static void another_size_is_an_edit(void **state)
{
    struct caller *caller = *state;

    create(caller);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/resize?dry_run=true",
                          "{\"components\":[3,2],\"mode\":\"expand\"}"),
                     200);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain", NULL), 200);
    assert_int_equal(caller_number(caller, "layout.components.0"), 2);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/resize",
                          "{\"components\":[3,2],\"mode\":\"expand\",\"anchor\":\"south-east\"}"),
                     200);
    assert_int_equal(caller_number(caller, "version"), 2);
    caller_restart(caller);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain", NULL), 200);
    assert_int_equal(caller_number(caller, "layout.components.0"), 3);
    assert_int_equal(caller_number(caller, "layout.components.1"), 2);
    assert_int_equal(caller_number(caller, "version"), 2);
    call(caller, "POST", "/v1/landscapes/plain/resize",
         "{\"components\":[2,2],\"mode\":\"expand\"}");
    assert_refused(caller, 422, "/components/0");
    call(caller, "POST", "/v1/landscapes/plain/resize",
         "{\"components\":[1000,1000],\"mode\":\"expand\"}");
    assert_refused(caller, 422, "/components");
    call(caller, "POST", "/v1/landscapes/plain/resize",
         "{\"components\":[2,2],\"mode\":\"clip\",\"anchor\":\"middle\"}");
    assert_refused(caller, 400, "/anchor");
    caller->if_match = "\"1\"";
    call(caller, "POST", "/v1/landscapes/plain/resize", "{\"components\":[1,1],\"mode\":\"clip\"}");
    assert_refused(caller, 412, "");
}

static void an_archive_restores_what_it_was_made_of(void **state)
{
    struct caller *caller = *state;
    size_t length;
    char *archive;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/placed", placed), 201);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/placed/archive", NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Disposition"),
                        "attachment; filename=\"placed.landscape\"");
    length = caller->length;
    archive = malloc(length);
    memcpy(archive, caller->body, length);
    caller->type = "application/vnd.landscaped.archive";
    assert_int_equal(call_bytes(caller, "PUT", "/v1/landscapes/back/archive", archive, length),
                     201);
    assert_string_equal(caller_text(caller, "crs"), "EPSG:32633");
    assert_int_equal(caller_number(caller, "version"), 1);
    assert_int_equal(call(caller, "PATCH", "/v1/landscapes/back", "{\"title\":\"G\"}"), 200);
    caller->type = "application/octet-stream";
    assert_int_equal(call_bytes(caller, "PUT", "/v1/landscapes/back/archive", archive, length),
                     200);
    assert_string_equal(caller_text(caller, "title"), "");
    assert_int_equal(caller_number(caller, "version"), 3);
    create(caller);
    caller->type = "application/octet-stream";
    assert_int_equal(call_bytes(caller, "PUT", "/v1/landscapes/plain/archive", archive, length),
                     409);
    caller->type = "application/octet-stream";
    assert_int_equal(call_bytes(caller, "PUT", "/v1/landscapes/cut/archive", archive, length - 3),
                     400);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/cut", NULL), 404);
    free(archive);
}

static void the_store_takes_no_more_than_its_limit(void **state)
{
    struct caller *caller = *state;

    caller->service.limits.landscapes = 1;
    create(caller);
    assert_int_equal(call(caller, "PUT", "/v1/landscapes/more", plain), 507);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/copy", "{\"to\":\"more\"}"), 507);
}

static void a_mistyped_path_is_told_what_is_there(void **state)
{
    static const struct {
        const char *path, *wrong, *meant;
    } slips[] = {
        { "/v1/landscape", "\"landscape\", segment 2", "landscapes" },
        { "/v1/landscapes/plain/tiles/terarium/0/0/0.png", "\"terarium\", segment 5", "terrarium" },
        { "/v1/landscapes/plain/quadtree/0/0/0.glbb", "\"0.glbb\", segment 7", NULL },
        { "/v1/landscapes/plain/query/hieghts", "\"hieghts\", segment 5", "heights" },
        { "/v2/info", "\"v2\", segment 1", "v1" },
        { "/v1/landscapes/plain/hight", "\"hight\", segment 4", "height" },
    };
    struct caller *caller = *state;
    char meant[80];

    create(caller);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        assert_int_equal(call(caller, "GET", slips[i].path, NULL), 404);
        assert_non_null(strstr(caller_text(caller, "detail"), slips[i].wrong));
        snprintf(meant, sizeof meant, "did you mean %s?", slips[i].meant ? slips[i].meant : "");
        assert_true(!slips[i].meant || strstr(caller_text(caller, "detail"), meant));
    }
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/query", NULL), 404);
    assert_non_null(strstr(caller_text(caller, "detail"), "longer ones"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(a_mistyped_path_is_told_what_is_there),
        TEST(a_new_landscape_answers_its_document),
        TEST(a_document_links_to_what_there_is),
        TEST(the_same_body_again_is_fine_and_another_is_a_conflict),
        TEST(a_wrong_body_is_refused_where_it_is_wrong),
        TEST(steps_follow_from_the_bounds_and_cannot_be_set),
        TEST(a_patch_is_a_version_and_null_is_the_default),
        TEST(conditions_are_kept),
        TEST(a_title_changes_no_answer_about_the_ground),
        TEST(a_key_repeats_a_patch),
        TEST(the_list_goes_on_where_it_stopped),
        TEST(a_copy_is_a_landscape_of_its_own),
        TEST(another_size_is_an_edit),
        TEST(an_archive_restores_what_it_was_made_of),
        TEST(the_store_takes_no_more_than_its_limit),
    };

    return cmocka_run_group_tests_name("landscapes", tests, NULL, NULL);
}
