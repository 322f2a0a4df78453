/* Undo, redo, versions, snapshots and differences, through their endpoints. */
#include "tests/api/caller.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plain[] = "{\"layout\":{\"components\":[2,1],\"sections_per_component\":2,"
                            "\"section_quads\":31},\"scale\":[2,2,1],\"height\":10}";
static const char home[] = "/v1/landscapes/plain";

static struct caller *begin(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", home, plain), 201);
    return caller;
}

static int ask(struct caller *caller, const char *method, const char *path, const char *body)
{
    char target[256];

    snprintf(target, sizeof target, "%s/%s", home, path);
    return call(caller, method, target, body);
}

/* Raises a square of 4 vertices a side by so many metres. */
static uint64_t raise_by(struct caller *caller, const char *author, int x, int y, double amount)
{
    char body[256], path[128];

    snprintf(body, sizeof body,
             "{\"ops\":[{\"tool\":\"raise\",\"amount\":%g,\"region\":{\"x\":%d,\"y\":%d,"
             "\"width\":4,\"height\":4}}]}",
             amount, x, y);
    snprintf(path, sizeof path, "edits?author=%s", author);
    assert_int_equal(ask(caller, "POST", path, body), 200);
    return (uint64_t)caller_number(caller, "version");
}

static double height_at(struct caller *caller, int x, int y, int version)
{
    char path[128], more[32] = "";

    if (version)
        snprintf(more, sizeof more, "&version=%d", version);
    snprintf(path, sizeof path, "height?frame=grid&x=%d&y=%d%s", x, y, more);
    assert_int_equal(ask(caller, "GET", path, NULL), 200);
    return caller_number(caller, "z");
}

static void undo_and_redo_are_changes_that_lead_back_and_forth(void **state)
{
    struct caller *caller = begin(state);

    raise_by(caller, "anna", 3, 4, 5);
    raise_by(caller, "anna", 3, 4, 1);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 4);
    assert_int_equal(caller_number(caller, "dirty.x"), 3);
    assert_int_equal(caller_number(caller, "dirty.height"), 4);
    assert_int_equal(caller_number(caller, "changed"), 16);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "4");
    assert_float_equal(height_at(caller, 3, 4, 0), 15, 0);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 10, 0);
    ask(caller, "POST", "undo", NULL);
    assert_refused(caller, 409, "");
    assert_string_equal(caller_text(caller, "type"), "/problems/nothing-to-undo");
    assert_int_equal(ask(caller, "POST", "redo", NULL), 200);
    assert_int_equal(ask(caller, "POST", "redo", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 16, 0);
    ask(caller, "POST", "redo", NULL);
    assert_refused(caller, 409, "");
    assert_string_equal(caller_text(caller, "type"), "/problems/nothing-to-redo");
}

static void a_new_edit_ends_what_could_be_redone(void **state)
{
    struct caller *caller = begin(state);

    raise_by(caller, "anna", 3, 4, 5);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    raise_by(caller, "anna", 30, 4, 5);
    ask(caller, "POST", "redo", NULL);
    assert_refused(caller, 409, "");
}

static void both_go_on_after_a_restart(void **state)
{
    struct caller *caller = begin(state);

    raise_by(caller, "anna", 3, 4, 5);
    raise_by(caller, "anna", 3, 4, 1);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    caller_restart(caller);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 10, 0);
    caller_restart(caller);
    assert_int_equal(ask(caller, "POST", "redo", NULL), 200);
    assert_int_equal(ask(caller, "POST", "redo", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 16, 0);
    assert_int_equal(ask(caller, "GET", "versions", NULL), 200);
    assert_int_equal(caller_number(caller, "newest"), 7);
}

static void changes_by_undo_are_guarded_like_others(void **state)
{
    struct caller *caller = begin(state);

    raise_by(caller, "anna", 3, 4, 5);
    assert_int_equal(ask(caller, "POST", "undo?dry_run=true", NULL), 200);
    assert_int_equal(caller_number(caller, "changed"), 16);
    assert_float_equal(height_at(caller, 3, 4, 0), 15, 0);
    caller->if_match = "\"1\"";
    ask(caller, "POST", "undo", NULL);
    assert_refused(caller, 412, "");
    caller->if_match = "\"2\"";
    caller->key = "once";
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    caller->key = "once";
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 3);
    caller->key = "once";
    ask(caller, "POST", "redo", NULL);
    assert_refused(caller, 422, "");
    ask(caller, "POST", "undo", "{}");
    assert_refused(caller, 400, "");
}

static void an_author_takes_back_the_own_change_alone(void **state)
{
    struct caller *caller = begin(state);

    raise_by(caller, "anna", 3, 4, 5);
    raise_by(caller, "bo", 40, 4, 7);
    assert_int_equal(ask(caller, "POST", "undo?author=anna", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 10, 0);
    assert_float_equal(height_at(caller, 40, 4, 0), 17, 0);
    ask(caller, "POST", "undo?author=anna", NULL);
    assert_refused(caller, 409, "");
    assert_int_equal(ask(caller, "POST", "redo?author=anna", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 15, 0);
    raise_by(caller, "bo", 6, 7, 2); /* meets anna's at one vertex */
    ask(caller, "POST", "undo?author=anna", NULL);
    assert_refused(caller, 409, "");
    assert_string_equal(caller_text(caller, "type"), "/problems/conflict");
    assert_non_null(strstr(caller_text(caller, "detail"), "version 6 by bo"));
    assert_non_null(strstr(caller_text(caller, "detail"), "x 6, y 7, 4 x 4"));
    assert_int_equal(ask(caller, "POST", "undo?author=bo", NULL), 200);
    assert_int_equal(ask(caller, "POST", "undo?author=anna", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 10, 0);
}

static void versions_tell_who_what_when_and_where(void **state)
{
    struct caller *caller = begin(state);

    raise_by(caller, "anna", 3, 4, 5);
    raise_by(caller, "bo", 40, 4, 7);
    assert_int_equal(ask(caller, "PATCH", "?author=eve", "{\"title\":\"Hills\"}"), 404);
    assert_int_equal(
        call(caller, "PATCH", "/v1/landscapes/plain?author=eve", "{\"title\":\"Hills\"}"), 200);
    assert_int_equal(ask(caller, "POST", "undo?author=bo", NULL), 200);
    assert_int_equal(ask(caller, "GET", "versions?limit=3", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "versions")), 3);
    assert_int_equal(caller_number(caller, "next"), 3);
    assert_int_equal(caller_number(caller, "newest"), 5);
    assert_int_equal(caller_number(caller, "oldest"), 1);
    assert_int_equal(caller_number(caller, "undo"), 4);
    assert_string_equal(caller_text(caller, "versions.0.kind"), "undo");
    assert_int_equal(caller_number(caller, "versions.0.of"), 3);
    assert_string_equal(caller_text(caller, "versions.1.author"), "eve");
    assert_string_equal(caller_text(caller, "versions.1.what.0"), "settings");
    assert_true(json_is_null(caller_member(caller, "versions.1.dirty")));
    assert_true(json_is_true(caller_member(caller, "versions.2.undone")));
    assert_string_equal(caller_text(caller, "versions.2.tools.0"), "raise");
    assert_int_equal(caller_number(caller, "versions.2.dirty.x"), 40);
    assert_int_equal(caller_number(caller, "versions.2.changed"), 16);
    assert_int_equal(strlen(caller_text(caller, "versions.2.at")), 24);
    assert_int_equal(ask(caller, "GET", "versions?limit=3&before=3", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "versions")), 1);
    assert_string_equal(caller_text(caller, "versions.0.author"), "anna");
    assert_true(json_is_null(caller_member(caller, "next")));
    ask(caller, "GET", "versions?limit=0", NULL);
    assert_refused(caller, 400, "limit");
}

static void an_older_version_is_read_from_memory_or_from_the_log(void **state)
{
    struct caller *caller = begin(state);

    for (int i = 0; i < 80; i++)
        raise_by(caller, "anna", 3, 4, 1);
    assert_float_equal(height_at(caller, 3, 4, 81), 90, 0);
    assert_float_equal(height_at(caller, 3, 4, 2), 11, 0);
    caller_restart(caller);
    assert_float_equal(height_at(caller, 3, 4, 40), 49, 0);
    assert_string_equal(caller_header(caller, "Landscape-Version"), "40");
    ask(caller, "GET", "height?x=1&y=1&version=90", NULL);
    assert_refused(caller, 404, "version");
}

static void a_snapshot_is_kept_found_restored_and_removed(void **state)
{
    struct caller *caller = begin(state);

    raise_by(caller, "anna", 3, 4, 5);
    assert_int_equal(ask(caller, "POST", "snapshots?author=anna",
                         "{\"name\":\"first\",\"title\":\"Erste Höhe\"}"),
                     201);
    assert_string_equal(caller_header(caller, "Location"), "/v1/landscapes/plain/snapshots/first");
    assert_int_equal(caller_number(caller, "version"), 2);
    ask(caller, "POST", "snapshots", "{\"name\":\"first\"}");
    assert_refused(caller, 409, "/name");
    caller->if_match = "\"7\"";
    ask(caller, "POST", "snapshots", "{\"name\":\"second\"}");
    assert_refused(caller, 412, "");
    raise_by(caller, "bo", 3, 4, 5);
    caller_restart(caller);
    assert_int_equal(ask(caller, "GET", "snapshots", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "snapshots")), 1);
    assert_string_equal(caller_text(caller, "snapshots.0.title"), "Erste Höhe");
    assert_string_equal(caller_text(caller, "snapshots.0.author"), "anna");
    assert_int_equal(ask(caller, "POST", "snapshots/first/restore", NULL), 200);
    assert_int_equal(caller_number(caller, "version"), 4);
    assert_float_equal(height_at(caller, 3, 4, 0), 15, 0);
    assert_int_equal(ask(caller, "GET", "versions?limit=1", NULL), 200);
    assert_string_equal(caller_text(caller, "versions.0.kind"), "restore");
    assert_int_equal(caller_number(caller, "versions.0.of"), 2);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 20, 0);
    assert_int_equal(ask(caller, "GET", "snapshots/first", NULL), 200);
    assert_int_equal(ask(caller, "DELETE", "snapshots/first", NULL), 204);
    ask(caller, "GET", "snapshots/first", NULL);
    assert_refused(caller, 404, "");
    ask(caller, "POST", "snapshots/first/restore", NULL);
    assert_refused(caller, 404, "");
    ask(caller, "DELETE", "snapshots/first", NULL);
    assert_refused(caller, 404, "");
}

static void snapshots_are_so_many_and_no_more(void **state)
{
    struct caller *caller = begin(state);
    char body[64];

    for (int i = 0; i < 100; i++) {
        snprintf(body, sizeof body, "{\"name\":\"s%d\"}", i);
        assert_int_equal(ask(caller, "POST", "snapshots", body), 201);
    }
    ask(caller, "POST", "snapshots", "{\"name\":\"more\"}");
    assert_refused(caller, 413, "");
    ask(caller, "POST", "snapshots", "{\"name\":\".no\"}");
    assert_refused(caller, 400, "/name");
    ask(caller, "POST", "snapshots", "{\"name\":\"later\",\"version\":9}");
    assert_refused(caller, 413, "");
    assert_int_equal(ask(caller, "DELETE", "snapshots/s7", NULL), 204);
    ask(caller, "POST", "snapshots", "{\"name\":\"later\",\"version\":9}");
    assert_refused(caller, 410, "");
}

static void a_difference_is_told_in_numbers_and_as_a_raster(void **state)
{
    struct caller *caller = begin(state);
    float metres[36];

    raise_by(caller, "anna", 3, 4, 5);
    raise_by(caller, "bo", 40, 4, -2);
    assert_int_equal(ask(caller, "POST", "edits",
                         "{\"ops\":[{\"tool\":\"hole\",\"region\":{\"x\":10,\"y\":10,\"width\":3,"
                         "\"height\":2}}]}"),
                     200);
    assert_int_equal(ask(caller, "GET", "difference?from=1", NULL), 200);
    assert_int_equal(caller_number(caller, "to"), 4);
    assert_int_equal(caller_number(caller, "heights_changed"), 32);
    assert_int_equal(caller_number(caller, "holes_opened"), 6);
    assert_int_equal(caller_number(caller, "holes_closed"), 0);
    assert_int_equal(caller_number(caller, "weights_changed"), 0);
    assert_int_equal(caller_number(caller, "changed"), 38);
    assert_int_equal(caller_number(caller, "dirty.x"), 3);
    assert_int_equal(caller_number(caller, "dirty.width"), 41);
    assert_float_equal(caller_number(caller, "least"), -2, 0);
    assert_float_equal(caller_number(caller, "greatest"), 5, 0);
    assert_float_equal(caller_number(caller, "raised"), 16 * 5 * 4, 0);
    assert_float_equal(caller_number(caller, "lowered"), 16 * 2 * 4, 0);
    assert_int_equal(ask(caller, "GET", "difference?from=4&to=1&x=10&y=10&width=4&height=4", NULL),
                     200);
    assert_int_equal(caller_number(caller, "holes_closed"), 6);
    assert_int_equal(caller_number(caller, "heights_changed"), 0);
    assert_int_equal(
        ask(caller, "GET", "difference?from=1&to=2&x=2&y=3&width=6&height=6&format=f32", NULL),
        200);
    assert_int_equal(caller->length, sizeof metres);
    memcpy(metres, caller->body, sizeof metres);
    for (int i = 0; i < 36; i++) {
        bool raised = i % 6 >= 1 && i % 6 < 5 && i / 6 >= 1 && i / 6 < 5;

        assert_float_equal(metres[i], raised ? 5 : 0, 0);
    }
    ask(caller, "GET", "difference?from=9", NULL);
    assert_refused(caller, 404, "from");
    ask(caller, "GET", "difference?from=1&to=9", NULL);
    assert_refused(caller, 404, "to");
    ask(caller, "GET", "difference", NULL);
    assert_refused(caller, 400, "from");
    ask(caller, "GET", "difference?from=1&x=500", NULL);
    assert_int_equal(caller->status, 422);
}

static void layers_settings_and_sizes_are_undone_too(void **state)
{
    struct caller *caller = begin(state);

    assert_int_equal(ask(caller, "POST", "edit-layers", "{\"name\":\"road\"}"), 201);
    assert_int_equal(ask(caller, "POST", "edits",
                         "{\"edit_layer\":\"road\",\"ops\":[{\"tool\":\"raise\",\"amount\":3,"
                         "\"region\":{\"x\":3,\"y\":4,\"width\":4,\"height\":4}}]}"),
                     200);
    assert_int_equal(ask(caller, "DELETE", "edit-layers/road", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 10, 0);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 13, 0);
    caller_restart(caller);
    assert_int_equal(ask(caller, "POST", "redo", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 10, 0);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_int_equal(ask(caller, "PATCH", "edit-layers/road", "{\"locked\":true}"), 200);
    ask(caller, "POST", "snapshots/none/restore", NULL);
    assert_refused(caller, 404, "");
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/resize",
                          "{\"components\":[3,1],\"mode\":\"expand\"}"),
                     423);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200); /* the lock */
    assert_int_equal(ask(caller, "POST", "resize", "{\"components\":[3,1],\"mode\":\"expand\"}"),
                     200);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_int_equal(call(caller, "GET", home, NULL), 200);
    assert_int_equal(caller_number(caller, "layout.components.0"), 2);
    assert_float_equal(height_at(caller, 3, 4, 0), 13, 0);
    caller_restart(caller);
    assert_int_equal(ask(caller, "POST", "redo", NULL), 200);
    assert_int_equal(call(caller, "GET", home, NULL), 200);
    assert_int_equal(caller_number(caller, "layout.components.0"), 3);
    assert_float_equal(height_at(caller, 3, 4, 0), 13, 0);
    assert_float_equal(height_at(caller, 3, 4, 2), 10, 0);
}

/* The sums of the components, which tell heights, holes and weights. */
static json_t *sums(struct caller *caller)
{
    json_t *all, *one;
    size_t i;

    assert_int_equal(ask(caller, "GET", "checksums", NULL), 200);
    all = json_deep_copy(caller_member(caller, "checksums"));
    json_array_foreach(all, i, one) json_object_del(one, "version");
    return all;
}

static char *settings_of(struct caller *caller)
{
    static const char *const names[] = { "title",  "layout", "scale", "origin",
                                         "layers", "bounds", "crs",   "edit_layers" };
    json_t *all = json_object();
    char *text;

    assert_int_equal(call(caller, "GET", home, NULL), 200);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_set(all, names[i], caller_member(caller, names[i]));
    text = json_dumps(all, JSON_SORT_KEYS);
    json_decref(all);
    return text;
}

/* Makes the change, takes it back, makes it again: what can be seen is as it was each time, from
 * memory and from the log. */
static void back_and_forth(struct caller *caller, const char *what, bool restart)
{
    json_t *after = sums(caller), *now;
    char *settings = settings_of(caller), *settings_now;

    if (restart)
        caller_restart(caller);
    if (ask(caller, "POST", "undo", NULL) != 200)
        fail_msg("%s: %s", what, caller->body);
    now = sums(caller);
    settings_now = settings_of(caller);
    if (json_equal(after, now) && strcmp(settings, settings_now) == 0)
        fail_msg("undoing %s changed nothing", what);
    json_decref(now);
    free(settings_now);
    if (restart)
        caller_restart(caller);
    assert_int_equal(ask(caller, "POST", "redo", NULL), 200);
    now = sums(caller);
    settings_now = settings_of(caller);
    if (!json_equal(after, now))
        fail_msg("%s made again is another ground", what);
    assert_string_equal(settings, settings_now);
    json_decref(after);
    json_decref(now);
    free(settings);
    free(settings_now);
}

static void every_kind_of_change_is_undone(void **state)
{
    static const struct {
        const char *method, *path, *body;
    } changes[] = {
        { "POST", "layers", "{\"name\":\"grass\"}" },
        { "POST", "layers", "{\"name\":\"rock\"}" },
        { "POST", "edits",
          "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":255,\"region\":{\"x\":0,"
          "\"y\":0,\"width\":90,\"height\":40}},{\"tool\":\"noise\",\"amplitude\":4,\"cell\":9,"
          "\"seed\":3,\"region\":{\"x\":0,\"y\":0,\"width\":125,\"height\":63}}]}" },
        { "PATCH", "layers/rock", "{\"physical_material\":\"stone\"}" },
        { "POST", "edit-layers", "{\"name\":\"road\",\"blend\":\"alpha\"}" },
        { "POST", "edits",
          "{\"edit_layer\":\"road\",\"ops\":[{\"tool\":\"set\",\"height\":12,\"region\":{\"x\":5,"
          "\"y\":5,\"width\":60,\"height\":9}},{\"tool\":\"paint\",\"layer\":\"rock\","
          "\"target\":200,\"region\":{\"x\":5,\"y\":5,\"width\":60,\"height\":9}},{\"tool\":"
          "\"hole\",\"region\":{\"x\":8,\"y\":6,\"width\":3,\"height\":3}}]}" },
        { "PATCH", "edit-layers/road", "{\"alpha\":0.5}" },
        { "PATCH", "edit-layers/road", "{\"position\":0}" },
        { "PATCH", "edit-layers/road", "{\"visible\":false}" },
        { "PATCH", "edit-layers/road", "{\"visible\":true,\"alpha\":1}" },
        { "POST", "edit-layers/road/duplicate", "{\"name\":\"road2\"}" },
        { "POST", "edit-layers/road2/collapse", NULL },
        { "POST", "edit-layers/road/clear", "{\"heights\":true}" },
        { "DELETE", "edit-layers/road", NULL },
        { "DELETE", "layers/rock?heir=grass", NULL },
        { "PUT", "heights?x=3&y=3", "{\"rows\":[[1,2],[3,4]]}" },
        { "POST", "resize", "{\"components\":[3,2],\"mode\":\"expand\"}" },
        { "PATCH", "", "{\"title\":\"Hills\",\"origin\":[1,2,3]}" },
    };
    struct caller *caller = begin(state);

    for (int restart = 0; restart < 2; restart++) {
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            char target[100];

            snprintf(target, sizeof target, "%s%s%s", home, *changes[i].path ? "/" : "",
                     changes[i].path);
            if (call(caller, changes[i].method, target, changes[i].body) / 100 != 2)
                fail_msg("%s %s: %s", changes[i].method, target, caller->body);
            back_and_forth(caller, changes[i].path, restart);
        }
        if (restart == 0) { /* again from the beginning, by undoing all of it */
            while (ask(caller, "POST", "undo", NULL) == 200)
                ;
            assert_string_equal(caller_text(caller, "type"), "/problems/nothing-to-undo");
        }
    }
}

static void an_import_and_an_archive_are_undone_too(void **state)
{
    struct caller *caller = begin(state);
    uint16_t *codes = calloc(125 * 63, sizeof *codes);
    size_t length;
    char *archive;

    raise_by(caller, "anna", 3, 4, 5);
    assert_int_equal(ask(caller, "GET", "archive", NULL), 200);
    length = caller->length;
    archive = malloc(length);
    memcpy(archive, caller->body, length);
    for (int i = 0; i < 125 * 63; i++)
        codes[i] = (uint16_t)(30000 + i);
    caller->type = "application/x-r16";
    if (call_bytes(caller, "POST",
                   "/v1/landscapes/plain/import?replace=true&width=125&height=63&author=eve", codes,
                   125 * 63 * 2) != 200)
        fail_msg("%s", caller->body);
    back_and_forth(caller, "an import", false);
    back_and_forth(caller, "an import", true);
    caller->type = "application/vnd.landscaped.archive";
    assert_int_equal(
        call_bytes(caller, "PUT", "/v1/landscapes/plain/archive?author=eve", archive, length), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 15, 0);
    back_and_forth(caller, "an archive", false);
    back_and_forth(caller, "an archive", true);
    assert_int_equal(ask(caller, "GET", "versions?limit=1", NULL), 200);
    assert_int_equal(ask(caller, "POST", "undo?author=eve", NULL), 200);
    assert_int_equal(ask(caller, "POST", "undo?author=eve", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 15, 0);
    free(codes);
    free(archive);
}

static void road_edit(struct caller *caller, const char *author)
{
    char path[64];

    snprintf(path, sizeof path, "edits?author=%s", author);
    assert_int_equal(ask(caller, "POST", path,
                         "{\"edit_layer\":\"road\",\"ops\":[{\"tool\":\"raise\",\"amount\":3,"
                         "\"region\":{\"x\":3,\"y\":4,\"width\":4,\"height\":4}}]}"),
                     200);
}

static void a_locked_a_removed_and_a_used_layer_are_in_an_authors_way(void **state)
{
    struct caller *caller = begin(state);

    assert_int_equal(ask(caller, "POST", "edit-layers?author=cy", "{\"name\":\"road\"}"), 201);
    road_edit(caller, "anna");
    ask(caller, "POST", "undo?author=cy", NULL);
    assert_refused(caller, 409, "");
    assert_non_null(strstr(caller_text(caller, "detail"), "version 3 by anna"));
    assert_int_equal(ask(caller, "PATCH", "edit-layers/road?author=bo", "{\"locked\":true}"), 200);
    ask(caller, "POST", "undo?author=anna", NULL);
    assert_refused(caller, 423, "");
    assert_int_equal(ask(caller, "POST", "undo?author=bo", NULL), 200);
    assert_int_equal(ask(caller, "DELETE", "edit-layers/road?author=bo", NULL), 200);
    ask(caller, "POST", "undo?author=anna", NULL);
    assert_refused(caller, 409, "");
    assert_float_equal(height_at(caller, 3, 4, 0), 10, 0);
    assert_int_equal(ask(caller, "POST", "undo?author=bo", NULL), 200);
    assert_float_equal(height_at(caller, 3, 4, 0), 13, 0);
    assert_int_equal(ask(caller, "POST", "undo?author=anna", NULL), 200);
    assert_int_equal(ask(caller, "POST", "undo?author=cy", NULL), 200);
    assert_int_equal(ask(caller, "GET", "edit-layers/road", NULL), 404);
}

static void paint_by(struct caller *caller, const char *author, const char *layer, int x)
{
    char path[64], body[256];

    snprintf(path, sizeof path, "edits?author=%s", author);
    snprintf(body, sizeof body,
             "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"%s\",\"target\":255,\"region\":{\"x\":%d,"
             "\"y\":5,\"width\":9,\"height\":9}}]}",
             layer, x);
    assert_int_equal(ask(caller, "POST", path, body), 200);
}

/* Both layers are in the component, at places of their own. */
static void assert_both_in_component(struct caller *caller)
{
    const char *one = "weightmap_allocations.0", *other = "weightmap_allocations.1";
    char members[4][64];
    double place[2];

    assert_int_equal(ask(caller, "GET", "components/0/0", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "weightmap_allocations")), 2);
    snprintf(members[0], 64, "%s.texture", one);
    snprintf(members[1], 64, "%s.channel", one);
    snprintf(members[2], 64, "%s.texture", other);
    snprintf(members[3], 64, "%s.channel", other);
    place[0] = caller_number(caller, members[0]) * 4 + caller_number(caller, members[1]);
    place[1] = caller_number(caller, members[2]) * 4 + caller_number(caller, members[3]);
    assert_true(place[0] != place[1]);
    assert_true(place[0] < 4 && place[1] < 4);
}

/* What anna's paint had taken for the whole component others use meanwhile, too. */
static void authors_who_paint_in_one_component_keep_its_textures(void **state)
{
    struct caller *caller = begin(state);

    caller_paint(caller, "plain", "grass", true);
    caller_paint(caller, "plain", "rock", true);
    paint_by(caller, "anna", "grass", 5);
    paint_by(caller, "bo", "rock", 25);
    paint_by(caller, "bo", "grass", 40);
    assert_both_in_component(caller);
    assert_int_equal(ask(caller, "POST", "undo?author=anna", NULL), 200);
    assert_both_in_component(caller);
    assert_int_equal(ask(caller, "POST", "redo?author=anna", NULL), 200);
    assert_both_in_component(caller);
    assert_int_equal(ask(caller, "POST", "undo?author=anna", NULL), 200);
    assert_int_equal(ask(caller, "POST", "undo?author=bo", NULL), 200);
    assert_int_equal(ask(caller, "GET", "components/0/0", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "weightmap_allocations")), 1);
    caller_restart(caller);
    assert_int_equal(ask(caller, "POST", "redo?author=anna", NULL), 200);
    assert_both_in_component(caller);
}

/* What one strong ETag has named, in this process or an earlier one. */
struct named {
    char etag[256];
    char *body;
    size_t length;
};

enum { NAMED_MOST = 64 };

static void name_body(struct caller *caller, struct named *named, size_t *count, const char *path)
{
    const char *etag;
    size_t i = 0;

    assert_int_equal(ask(caller, "GET", path, NULL), 200);
    etag = caller_header(caller, "ETag");
    assert_non_null(etag);
    while (i < *count && strcmp(named[i].etag, etag) != 0)
        i++;
    if (i < *count) {
        assert_int_equal(named[i].length, caller->length);
        assert_memory_equal(named[i].body, caller->body, caller->length);
        return;
    }
    assert_true(*count < NAMED_MOST);
    named[*count].length = caller->length;
    named[*count].body = malloc(caller->length + 1);
    memcpy(named[*count].body, caller->body, caller->length);
    snprintf(named[(*count)++].etag, sizeof named->etag, "%s", etag);
}

static void name_all(struct caller *caller, struct named *named, size_t *count, int version)
{
    static const char *const paths[] = { "checksums",          "components/0/0",       "archive",
                                         "heights?format=r16", "weights?layers=grass", "layers" };
    char path[128];

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(path, sizeof path, "%s%cversion=%d", paths[i], strchr(paths[i], '?') ? '&' : '?',
                 version);
        name_body(caller, named, count, path);
    }
}

/* From memory, after a restart, and made again from the log. */
static void one_etag_names_one_body_however_the_version_came_to_be(void **state)
{
    struct caller *caller = begin(state);
    struct named named[NAMED_MOST];
    size_t count = 0;
    int version;

    assert_int_equal(ask(caller, "POST", "layers", "{\"name\":\"grass\"}"), 201);
    raise_by(caller, "anna", 3, 4, 5);
    assert_int_equal(ask(caller, "POST", "edits",
                         "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":255,"
                         "\"region\":{\"x\":0,\"y\":0,\"width\":30,\"height\":30}},"
                         "{\"tool\":\"hole\",\"region\":{\"x\":9,\"y\":9,\"width\":3,"
                         "\"height\":3}}]}"),
                     200);
    assert_int_equal(ask(caller, "POST", "undo", NULL), 200);
    assert_int_equal(ask(caller, "PATCH", "layers/grass", "{\"debug_color\":\"#204060\"}"), 200);
    version = (int)raise_by(caller, "anna", 40, 4, 5);
    name_all(caller, named, &count, version);
    name_all(caller, named, &count, version - 2);
    caller_restart(caller);
    name_all(caller, named, &count, version);
    for (int i = 0; i < 80; i++)
        raise_by(caller, "anna", i, 20, 1);
    name_all(caller, named, &count, version);
    name_all(caller, named, &count, version - 2);
    for (size_t i = 0; i < count; i++)
        free(named[i].body);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(undo_and_redo_are_changes_that_lead_back_and_forth),
        TEST(one_etag_names_one_body_however_the_version_came_to_be),
        TEST(a_new_edit_ends_what_could_be_redone),
        TEST(both_go_on_after_a_restart),
        TEST(changes_by_undo_are_guarded_like_others),
        TEST(an_author_takes_back_the_own_change_alone),
        TEST(versions_tell_who_what_when_and_where),
        TEST(an_older_version_is_read_from_memory_or_from_the_log),
        TEST(a_snapshot_is_kept_found_restored_and_removed),
        TEST(snapshots_are_so_many_and_no_more),
        TEST(a_difference_is_told_in_numbers_and_as_a_raster),
        TEST(layers_settings_and_sizes_are_undone_too),
        TEST(every_kind_of_change_is_undone),
        TEST(an_import_and_an_archive_are_undone_too),
        TEST(authors_who_paint_in_one_component_keep_its_textures),
        TEST(a_locked_a_removed_and_a_used_layer_are_in_an_authors_way),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
