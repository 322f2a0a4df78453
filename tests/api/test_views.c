/* Jobs of pictures: each view is what a request of its own answers, whatever happens meanwhile. */
#include "tests/api/studio.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/pictures/formats.h"
#include "tests/server/fault_io.h"
#include "tests/terrain/dice.h"

enum { BODY_ROOM = 16384 };

/* Known to lead nowhere only when it is drawn. */
#define NOWHERE "\"camera\":{\"position\":[1,2,3],\"target\":[1,2,3]}"

static void each_view_is_what_a_request_answers(void **state)
{
    static const char *const views[] = {
        "{" MAP ",\"camera\":{\"fit\":true,\"elevation\":90}}",
        "{" SMALL ",\"camera\":{\"orbit\":{\"azimuth\":20}},\"format\":\"webp\"}",
        "{" SMALL ",\"camera\":{\"position\":[-50,-50,400],\"target\":[60,60,0]},"
        "\"format\":\"jpeg\",\"sun\":{\"azimuth\":90}}",
        "{" MAP ",\"camera\":{\"ortho\":{\"center\":[60,70],\"width\":50}},\"format\":\"raw\"}",
        "{" SMALL ",\"output\":\"depth\",\"format\":\"raw\"}",
    };
    static const char *const media[] = { "image/png", "image/webp", "image/jpeg",
                                         "application/octet-stream", "application/octet-stream" };
    static const char *const names[] = { "0000.png", "0001.webp", "0002.jpeg", "0003.raw",
                                         "0004.raw" };
    struct caller *caller = studio_begin(state);
    char body[BODY_ROOM];
    int length = snprintf(body, sizeof body,
                          "{\"kind\":\"render\",\"id\":\"a\",\"landscape\":\"land\",\"views\":[");

    for (int i = 0; i < 5; i++)
        length +=
            snprintf(body + length, sizeof body - (size_t)length, "%s%s", i ? "," : "", views[i]);
    snprintf(body + length, sizeof body - (size_t)length, "]}");
    shop_post(caller, body);
    assert_int_equal((int)caller_number(caller, "units"), 5);
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":300," LAND_ALL "}");
    shop_work(caller);
    assert_string_equal(shop_state(caller, "a"), "done");
    assert_int_equal((int)caller_number(caller, "result_count"), 5);
    for (int i = 0; i < 5; i++) {
        char path[40];

        assert_int_equal(call(caller, "GET", "/v1/jobs/a", NULL), 200);
        snprintf(path, sizeof path, "results.%d.name", i);
        assert_string_equal(caller_text(caller, path), names[i]);
        assert_studio_result(caller, "a", i, views[i], "?version=1");
        snprintf(path, sizeof path, "/v1/jobs/a/results/%d", i);
        call(caller, "GET", path, NULL);
        assert_string_equal(caller_header(caller, "Content-Type"), media[i]);
    }
}

static void every_format_is_a_result_of_its_type(void **state)
{
    struct caller *caller = studio_begin(state);
    char body[300], view[100];

    for (int i = 0; i < PICTURE_FORMATS; i++) {
        snprintf(view, sizeof view, "{" SMALL ",\"format\":\"%s\"}", picture_formats[i].name);
        snprintf(body, sizeof body, RENDER("\"id\":\"a\",\"views\":[%s]"), view);
        shop_make(caller, body);
        assert_studio_result(caller, "a", 0, view, "");
        call(caller, "GET", "/v1/jobs/a/results/0", NULL);
        assert_string_equal(caller_header(caller, "Content-Type"), picture_format_media[i]);
        assert_int_equal(call(caller, "DELETE", "/v1/jobs/a", NULL), 204);
    }
}

/* Each member comes from the view that names it, else from what all share. */
static void a_view_takes_on_what_it_does_not_say(void **state)
{
    static const char *const members[][2] = {
        { "\"width\":7", "\"width\":9" },
        { "\"height\":8", "\"height\":6" },
        { "\"format\":\"raw\"", "\"format\":\"webp\"" },
        { "\"camera\":{\"fit\":true,\"elevation\":90}",
          "\"camera\":{\"ortho\":{\"center\":[60,50],\"width\":80}}" },
        { "\"mode\":\"normals\"", "\"mode\":\"lit\"" },
        { "\"transparent\":true", "\"transparent\":false" },
        { "\"sun\":{\"azimuth\":10}", "\"sun\":{\"elevation\":10}" },
    };
    enum { MEMBERS = sizeof members / sizeof *members, VIEWS = 12 };
    struct caller *caller = studio_begin(state);
    char body[BODY_ROOM], merged[VIEWS][800];
    struct dice dice = { 7 };
    int length = snprintf(body, sizeof body,
                          "{\"views\":["); /* before what they share, and before the kind */
    int32_t shared = 0;

    for (int i = 0; i < MEMBERS; i++)
        shared |= dice_between(&dice, 0, 2) ? 1 << i : 0;
    for (int v = 0; v < VIEWS; v++) {
        int own = 0, all = snprintf(merged[v], sizeof merged[v], "{\"quality\":50");

        length += snprintf(body + length, sizeof body - (size_t)length, "%s{", v ? "," : "");
        for (int i = 0; i < MEMBERS; i++) {
            bool says = dice_between(&dice, 0, 1);

            if (says)
                length += snprintf(body + length, sizeof body - (size_t)length, "%s%s",
                                   own++ ? "," : "", members[i][1]);
            if (says || shared >> i & 1)
                all += snprintf(merged[v] + all, sizeof merged[v] - (size_t)all, ",%s",
                                members[i][says]);
        }
        length += snprintf(body + length, sizeof body - (size_t)length, "}");
        snprintf(merged[v] + all, sizeof merged[v] - (size_t)all, "}");
    }
    length += snprintf(body + length, sizeof body - (size_t)length, "],\"view\":{\"quality\":50");
    for (int i = 0; i < MEMBERS; i++)
        if (shared >> i & 1)
            length += snprintf(body + length, sizeof body - (size_t)length, ",%s", members[i][0]);
    snprintf(body + length, sizeof body - (size_t)length,
             "},\"kind\":\"render\",\"id\":\"a\",\"landscape\":\"land\"}");
    shop_make(caller, body);
    for (int v = 0; v < VIEWS; v++)
        assert_studio_result(caller, "a", v, merged[v], "");
}

static void positions_are_in_the_frame(void **state)
{
    struct caller *caller = studio_begin(state);

    land_post(caller, LAND "/edits",
              "{\"ops\":[{\"tool\":\"raise\",\"amount\":4,\"path\":[[20,30]],\"radius\":6}]}");
    call(caller, "PATCH", LAND, "{\"scale\":[3,2,1],\"origin\":[100,50,0]}");
    shop_make(caller, RENDER("\"id\":\"a\",\"frame\":\"grid\",\"view\":{" MAP "},"
                             "\"views\":[{\"camera\":{\"ortho\":{\"center\":[30,40],"
                             "\"width\":60}}}]"));
    assert_studio_result(caller, "a", 0,
                         "{" MAP ",\"camera\":{\"ortho\":{\"center\":[30,40],\"width\":60}}}",
                         "?frame=grid");
    assert_studio_result(
        caller, "a", 0, "{" MAP ",\"camera\":{\"ortho\":{\"center\":[190,130],\"width\":60}}}", "");
}

static void a_turntable_goes_around_once(void **state)
{
    struct caller *caller = studio_begin(state);
    char view[400];

    shop_make(caller, RENDER("\"id\":\"a\",\"view\":{" SMALL ",\"camera\":{\"fov\":50}},"
                             "\"turntable\":{\"frames\":4,\"elevation\":40,\"distance\":150,"
                             "\"from\":30,\"target\":[40,50,10]}"));
    assert_int_equal(shop_count(caller, "a", "result_count"), 4);
    for (int i = 0; i < 4; i++) {
        snprintf(view, sizeof view,
                 "{" SMALL ",\"camera\":{\"fov\":50,\"orbit\":{\"azimuth\":%d,\"elevation\":40,"
                 "\"distance\":150,\"target\":[40,50,10]}}}",
                 30 + 90 * i);
        assert_studio_result(caller, "a", i, view, "");
    }
    shop_make(caller, RENDER("\"id\":\"b\",\"view\":{" SMALL "},"
                             "\"turntable\":{\"frames\":3,\"from\":350,\"to\":370}"));
    for (int i = 0; i < 3; i++) {
        snprintf(view, sizeof view, "{" SMALL ",\"camera\":{\"orbit\":{\"azimuth\":%d}}}",
                 (350 + 10 * i) % 360);
        assert_studio_result(caller, "b", i, view, "");
    }
    shop_make(caller, RENDER("\"id\":\"c\",\"view\":{" SMALL "},"
                             "\"turntable\":{\"frames\":1,\"from\":10,\"to\":50}"));
    assert_studio_result(caller, "c", 0, "{" SMALL ",\"camera\":{\"orbit\":{\"azimuth\":10}}}", "");
}

static void a_path_passes_its_keys(void **state)
{
    struct caller *caller = studio_begin(state);
    static const char *const keys[] = { "\"position\":[-50,-50,400],\"target\":[60,60,0]",
                                        "\"position\":[100,-80,300],\"target\":[50,60,20]",
                                        "\"position\":[200,90,350],\"target\":[60,70,0]" };
    char body[1000], view[300];

    snprintf(body, sizeof body,
             RENDER("\"id\":\"a\",\"view\":{" SMALL "},\"path\":{\"frames_per_second\":4,"
                    "\"keys\":[{%s,\"time\":1},{%s,\"time\":2},{%s,\"time\":3.6}]}"),
             keys[0], keys[1], keys[2]);
    shop_make(caller, body);
    assert_int_equal(shop_count(caller, "a", "result_count"), 11); /* 1, 1.25 to 3.5 */
    for (int k = 0; k < 2; k++) {
        snprintf(view, sizeof view, "{" SMALL ",\"camera\":{%s}}", keys[k]);
        assert_studio_result(caller, "a", 4 * k, view, "");
    }
}

/* ---- what goes wrong ---- */

static void what_no_pictures_can_be_is_refused_at_its_place(void **state)
{
    static const struct {
        const char *body;
        int status;
        const char *place;
    } wrong[] = {
        { "{\"kind\":\"render\",\"landscape\":\"land\"}", 400, "/views" },
        { RENDER("\"views\":[]"), 400, "/views" },
        { RENDER("\"views\":[{\"widht\":3}]"), 400, "/views/0/widht" },
        { RENDER("\"views\":[{},{\"camera\":{\"fit\":true,\"orbit\":{}}}]"), 400,
          "/views/1/camera" },
        { RENDER("\"views\":[{},{},{\"width\":0}]"), 400, "/views/2/width" },
        { RENDER("\"views\":[{\"width\":30000,\"height\":30000}]"), 413, "/views/0/width" },
        { RENDER("\"views\":[{\"output\":\"depth\",\"format\":\"jpeg\"}]"), 400,
          "/views/0/format" },
        { RENDER("\"views\":[{}],\"turntable\":{\"frames\":3}"), 400, "/turntable" },
        { RENDER("\"views\":[{" NOWHERE "}],\"frame\":\"lonlat\""), 422,
          "/views/0/camera/position" },
        { RENDER("\"views\":[{}],\"package\":\"mbtiles\""), 400, "/package" },
        { RENDER("\"turntable\":{}"), 400, "/turntable/frames" },
        { RENDER("\"turntable\":{\"frames\":0}"), 400, "/turntable/frames" },
        { RENDER("\"turntable\":{\"frames\":10001}"), 413, "/turntable/frames" },
        { RENDER("\"turntable\":{\"frames\":2},\"view\":{\"camera\":{\"fit\":true}}"), 400,
          "/view/camera" },
        { RENDER("\"turntable\":{\"frames\":2},\"view\":{\"mode\":\"lid\"}"), 400, "/view/mode" },
        { RENDER("\"path\":{\"keys\":[]}"), 400, "/path/keys" },
        { RENDER("\"path\":{\"keys\":[{\"position\":[0,0,0],\"target\":[1,1,1]}]}"), 400,
          "/path/keys/0/time" },
        { RENDER("\"path\":{\"keys\":[{\"position\":[0,0,0],\"target\":[1,1,1],\"time\":1},"
                 "{\"position\":[0,0,0],\"target\":[1,1,1],\"time\":1}]}"),
          400, "/path/keys/1/time" },
        { RENDER("\"path\":{\"keys\":[{\"position\":[0,0,0],\"target\":[1,1,1],\"time\":0},"
                 "{\"position\":[0,0,9],\"target\":[1,1,1],\"time\":500}]}"),
          413, "/path/frames_per_second" },
        { RENDER("\"views\":[{}],\"version\":9"), 404, "/version" },
    };
    struct caller *caller = studio_begin(state);

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        print_message("%s\n", wrong[i].body);
        call(caller, "POST", "/v1/jobs", wrong[i].body);
        assert_refused(caller, wrong[i].status, wrong[i].place);
    }
    caller->service.limits.job_views = 2;
    call(caller, "POST", "/v1/jobs", RENDER("\"views\":[{},{},{}]"));
    assert_refused(caller, 413, "/views");
    caller->service.renderer = NULL;
    call(caller, "POST", "/v1/jobs", RENDER("\"views\":[{}]"));
    assert_refused(caller, 503, "");
    assert_int_equal(call(caller, "GET", "/v1/jobs", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "jobs")), 0);
}

static void a_view_that_fails_does_so_alone(void **state)
{
    struct caller *caller = studio_begin(state);

    shop_make(caller, RENDER("\"id\":\"a\",\"view\":{" MAP ",\"camera\":{\"fit\":true,"
                             "\"elevation\":90}},\"views\":[{},{" NOWHERE "},{},{" NOWHERE "}]"));
    assert_string_equal(shop_state(caller, "a"), "done");
    assert_int_equal((int)caller_number(caller, "done"), 4);
    assert_int_equal((int)caller_number(caller, "made"), 2);
    assert_int_equal((int)caller_number(caller, "failed"), 2);
    assert_int_equal((int)caller_number(caller, "result_count"), 4);
    assert_int_equal(json_array_size(caller_member(caller, "failures")), 2);
    assert_int_equal((int)caller_number(caller, "failures.0.n"), 1);
    assert_int_equal((int)caller_number(caller, "failures.1.n"), 3);
    assert_int_equal((int)caller_number(caller, "failures.0.error.status"), 400);
    assert_string_equal(caller_text(caller, "failures.0.error.pointer"), "/views/1/camera");
    assert_string_equal(caller_text(caller, "results.1.media_type"), "application/problem+json");
    assert_true(json_is_null(caller_member(caller, "results.0.error")));
    call(caller, "GET", "/v1/jobs/a/results/1", NULL);
    assert_refused(caller, 400, "/views/1/camera");
    assert_studio_result(caller, "a", 2, "{" MAP ",\"camera\":{\"fit\":true,\"elevation\":90}}",
                         "");
    caller_restart(caller);
    assert_int_equal(shop_count(caller, "a", "failed"), 2);
}

static void where_every_view_fails_the_job_does(void **state)
{
    struct caller *caller = studio_begin(state);

    shop_post(caller, RENDER("\"id\":\"a\",\"views\":[{" NOWHERE "},{" NOWHERE "}]"));
    shop_work(caller);
    assert_string_equal(shop_state(caller, "a"), "failed");
    assert_int_equal((int)caller_number(caller, "failed"), 2);
    assert_int_equal(json_array_size(caller_member(caller, "failures")), 2);
}

/* Allowed by the limits, and more than the renderers of these tests draw. */
#define VAST "\"width\":5000,\"height\":4000"

static void assert_failed(struct caller *caller, int status, const char *place)
{
    assert_string_equal(shop_state(caller, "cut"), "failed");
    assert_int_equal((int)caller_number(caller, "error.status"), status);
    if (place)
        assert_string_equal(caller_text(caller, "error.pointer"), place);
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 204);
}

static void a_job_without_a_picture_fails_as_its_views_do(void **state)
{
    static const struct {
        const char *views, *place;
        int status;
    } jobs[] = {
        { "{" NOWHERE "}", "/views/0/camera", 400 },
        { "{" NOWHERE "},{" NOWHERE "}", "/views/0/camera", 400 },
        { "{" VAST "}", NULL, 413 },
        { "{" VAST "},{" VAST "},{" VAST "}", NULL, 413 },
        { "{" NOWHERE "},{" VAST "}", NULL, 503 },
        { "{" VAST "},{" NOWHERE "},{" VAST "}", NULL, 503 },
    };
    struct caller *caller = studio_begin(state);
    char body[600];

    for (size_t i = 0; i < 2 * sizeof jobs / sizeof *jobs; i++) {
        snprintf(body, sizeof body, RENDER("\"id\":\"cut\",\"package\":\"%s\",\"views\":[%s]"),
                 i % 2 ? "tar" : "folder", jobs[i / 2].views);
        print_message("%s\n", body);
        shop_post(caller, body);
        shop_work(caller);
        assert_failed(caller, jobs[i / 2].status, jobs[i / 2].place);
    }
}

/* A raster that has gone is told by the job as by a picture, and still after a restart. */
static void what_a_picture_is_short_for_is_told(void **state)
{
    struct caller *caller = studio_begin(state);
    char *cloth, warning[200];
    size_t length;

    cloth =
        studio_draw(caller, "{" MAP ",\"camera\":{\"fit\":true,\"elevation\":90}}", "", &length);
    caller->type = "image/png";
    assert_int_equal(call_bytes(caller, "PUT", "/v1/rasters/cloth", cloth, length), 201);
    free(cloth);
    land_post(caller, LAND "/layers", "{\"name\":\"cloth\",\"material\":{\"albedo\":\"cloth\"}}");
    shop_make(caller, RENDER("\"id\":\"whole\",\"views\":[{" SMALL "}]"));
    call(caller, "GET", "/v1/jobs/whole", NULL);
    assert_true(json_is_null(caller_member(caller, "warning")));
    assert_int_equal(call(caller, "DELETE", "/v1/rasters/cloth", NULL), 204);
    free(studio_draw(caller, "{" SMALL "}", "", &length));
    snprintf(warning, sizeof warning, "%s", caller_header(caller, "Landscape-Warning"));
    assert_non_null(strstr(warning, "cloth"));
    shop_make(caller, RENDER("\"id\":\"a\",\"views\":[{" MAP "},{" SMALL "},{" SMALL "}]"));
    for (int i = 0; i < 2; i++) {
        call(caller, "GET", "/v1/jobs/a", NULL);
        assert_string_equal(caller_text(caller, "warning"), warning);
        caller_restart(caller);
    }
    shop_make(caller, RENDER("\"id\":\"maps\",\"views\":[{" MAP "}]")); /* shows no materials */
    call(caller, "GET", "/v1/jobs/maps", NULL);
    assert_true(json_is_null(caller_member(caller, "warning")));
}

/* ---- disturbances ---- */

enum { MANY = 40 };
/* Maps along a line: views of their own that need no GL. */
static void post_maps(struct caller *caller, const char *id, const char *land, const char *more)
{
    char body[BODY_ROOM];
    int length = snprintf(body, sizeof body,
                          "{\"kind\":\"render\",\"id\":\"%s\",\"landscape\":\"%s\"%s,\"view\":{" MAP
                          "},\"views\":[",
                          id, land, more);

    for (int i = 0; i < MANY; i++)
        length += snprintf(body + length, sizeof body - (size_t)length,
                           "%s{\"camera\":{\"ortho\":{\"center\":[%d,%d],\"width\":40}}}",
                           i ? "," : "", 20 + i, 100 - i);
    snprintf(body + length, sizeof body - (size_t)length, "]}");
    shop_post(caller, body);
}

static void assert_map(struct caller *caller, const char *id, int i, const char *query)
{
    char view[200];

    snprintf(view, sizeof view,
             "{" MAP ",\"camera\":{\"ortho\":{\"center\":[%d,%d],\"width\":40}}}", 20 + i, 100 - i);
    assert_studio_result(caller, id, i, view, query);
}

static void cancel(struct caller *caller)
{
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 202);
}

static void a_cancel_leaves_exactly_what_is_finished(void **state)
{
    struct caller *caller = studio_begin(state);
    struct dice dice = { 11 };

    for (int round = 0; round < 5; round++) {
        int at = dice_between(&dice, 0, MANY - 1);

        post_maps(caller, "cut", "land", "");
        shop_disturb(caller, at, cancel);
        assert_string_equal(shop_state(caller, "cut"), "cancelled");
        assert_int_equal(shop_count(caller, "cut", "result_count"), at);
        assert_int_equal(shop_count(caller, "cut", "done"), at);
        assert_int_equal(shop_files(caller, "cut", "files"), at);
        assert_int_equal(shop_files(caller, "cut", "work"), 0);
        if (at)
            assert_map(caller, "cut", at - 1, "");
        assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 204);
    }
}

static void stop(struct caller *caller)
{
    atomic_store(&caller->service.stopping, true);
}

static void what_is_finished_is_not_drawn_again_after_a_restart(void **state)
{
    struct caller *caller = studio_begin(state);
    struct dice dice = { 12 };

    for (int round = 0; round < 4; round++) {
        int at = dice_between(&dice, 1, MANY - 1);

        post_maps(caller, "cut", "land", round % 2 ? ",\"package\":\"tar\"" : "");
        shop_disturb(caller, at, stop);
        atomic_store(&caller->service.stopping, false);
        land_edit(caller, "{\"tool\":\"raise\",\"amount\":3," LAND_ALL "}");
        caller_restart(caller);
        assert_int_equal(shop_count(caller, "cut", "done"), at);
        shop_disturb(caller, -1, NULL); /* its plan */
        assert_int_equal(shop_disturb(caller, -1, NULL), MANY - at);
        assert_string_equal(shop_state(caller, "cut"), "done");
        assert_int_equal(shop_count(caller, "cut", "result_count"), round % 2 ? 2 : MANY);
        if (round % 2 == 0) {
            char query[40];

            snprintf(query, sizeof query, "?version=%d", round + 1);
            for (int i = 0; i < MANY; i += 7)
                assert_map(caller, "cut", i, query);
        }
        assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 204);
    }
}

static void shell(const char *format, const char *folder)
{
    char command[800];

    snprintf(command, sizeof command, format, folder, folder, folder);
    assert_int_equal(system(command), 0);
}

static void put_aside(struct caller *caller)
{
    shell("cp -a %s/jobs/cut %s/aside", caller->folder);
}

/* As a process that is killed leaves it: the record is from when it was posted, and half of a
 * picture is under way. */
static void a_kill_loses_nothing_that_was_told(void **state)
{
    struct caller *caller = studio_begin(state);
    struct dice dice = { 13 };

    for (int round = 0; round < 3; round++) {
        int at = dice_between(&dice, 2, MANY - 1);

        post_maps(caller, "cut", "land", "");
        shop_disturb(caller, at, put_aside);
        shell("rm -r %s/jobs/cut && mv %s/aside %s/jobs/cut", caller->folder);
        shell("echo half >%s/jobs/cut/work/next", caller->folder);
        if (round == 1) { /* and the last picture never got there */
            shell("rm %s/jobs/cut/files/$(ls %s/jobs/cut/files | tail -n 1)", caller->folder);
            at--;
        }
        if (round == 2) { /* or not whole */
            shell("echo >>%s/jobs/cut/files/$(ls %s/jobs/cut/files | tail -n 1)", caller->folder);
            at--;
        }
        caller_restart(caller);
        assert_string_equal(shop_state(caller, "cut"), "queued");
        assert_int_equal(shop_count(caller, "cut", "result_count"), at);
        shop_disturb(caller, -1, NULL); /* its plan */
        assert_int_equal(shop_disturb(caller, -1, NULL), MANY - at);
        assert_string_equal(shop_state(caller, "cut"), "done");
        assert_int_equal(shop_files(caller, "cut", "files"), MANY);
        for (int i = 0; i < MANY; i += 7)
            assert_map(caller, "cut", i, "");
        assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 204);
    }
}

/* Why its views failed is remembered by who stops, and found again by who was killed. */
static void a_job_that_goes_on_knows_how_its_views_failed(void **state)
{
    struct caller *caller = studio_begin(state);
    char body[600];

    for (int i = 0; i < 6; i++) {
        bool killed = i >= 4, differ = i % 2;

        snprintf(body, sizeof body,
                 RENDER("\"id\":\"cut\",\"package\":\"%s\",\"views\":[{" VAST "},{%s},{" VAST "}]"),
                 i < 2 ? "tar" : "folder", differ ? NOWHERE : VAST);
        shop_post(caller, body);
        shop_disturb(caller, 2, killed ? put_aside : stop);
        atomic_store(&caller->service.stopping, false);
        if (killed)
            shell("rm -r %s/jobs/cut && mv %s/aside %s/jobs/cut", caller->folder);
        caller_restart(caller);
        assert_int_equal(shop_count(caller, "cut", "failed"), 2);
        shop_work(caller);
        assert_failed(caller, differ ? 503 : 413, NULL);
    }
}

static void delete_land(struct caller *caller)
{
    assert_int_equal(call(caller, "DELETE", LAND, NULL), 204);
}

/* Drawn at once, in whatever order: they come out in theirs, and a cancel in between leaves those
 * before the first that is missing. */
static void many_at_once_come_out_in_their_order(void **state)
{
    struct caller *caller = studio_begin(state);
    struct dice dice = { 14 };

    for (int round = 0; round < 4; round++) {
        int at = round ? dice_between(&dice, 0, MANY - 1) : -1, count;

        post_maps(caller, "cut", "land", "");
        shop_crowd(caller, at, cancel);
        assert_string_equal(shop_state(caller, "cut"), round ? "cancelled" : "done");
        count = (int)caller_number(caller, "result_count");
        assert_true(round ? count <= at + 4 : count == MANY);
        assert_int_equal((int)caller_number(caller, "done"), count);
        assert_int_equal(shop_files(caller, "cut", "files"), count);
        assert_int_equal(shop_files(caller, "cut", "work"), 0);
        for (int i = 0; i < count; i += 5)
            assert_map(caller, "cut", i, "");
        assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 204);
    }
    /* and with GL, by two renderers */
    shop_post(caller, RENDER("\"id\":\"gl\",\"view\":{" SMALL "},\"turntable\":{\"frames\":12}"));
    shop_crowd(caller, -1, NULL);
    assert_string_equal(shop_state(caller, "gl"), "done");
    for (int i = 0; i < 12; i += 4) {
        char view[200];

        snprintf(view, sizeof view, "{" SMALL ",\"camera\":{\"orbit\":{\"azimuth\":%d}}}", 30 * i);
        assert_studio_result(caller, "gl", i, view, "");
    }
}

/* Four views, while one write or flush of the job's files finds the disk full; whether one did. */
static bool full_at(struct caller *caller, int nth)
{
    bool posted, happened;

    fault_io_nth(nth, ENOSPC);
    posted = call(caller, "POST", "/v1/jobs",
                  RENDER("\"id\":\"a\",\"view\":{" MAP "},\"views\":[{\"camera\":{\"ortho\":{"
                         "\"center\":[20,100],\"width\":40}}},{\"camera\":{\"ortho\":{"
                         "\"center\":[21,99],\"width\":40}}},{\"camera\":{\"ortho\":{\"center\":["
                         "22,98],\"width\":40}}},{\"camera\":{\"ortho\":{\"center\":[23,97],"
                         "\"width\":40}}}]")) == 202;
    if (!posted)
        assert_int_equal(caller->status, 507);
    shop_work(caller);
    happened = fault_io_happened();
    fault_io_nth(0, 0);
    assert_int_equal(call(caller, "GET", "/v1/jobs/a", NULL), posted ? 200 : 404);
    if (!posted)
        return happened;
    if (strcmp(caller_text(caller, "state"), "done")) {
        assert_string_equal(caller_text(caller, "state"), "failed");
        assert_int_equal((int)caller_number(caller, "error.status"), 507);
    } else {
        assert_int_equal((int)caller_number(caller, "made"), 4);
    }
    assert_int_equal(shop_files(caller, "a", "files"), shop_count(caller, "a", "result_count"));
    assert_int_equal(shop_files(caller, "a", "work"), 0);
    for (int i = 0, count = (int)shop_count(caller, "a", "result_count"); i < count; i++)
        assert_map(caller, "a", i, "");
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/a", NULL), 204);
    return happened;
}

static void on_a_full_disk_what_is_there_is_whole(void **state)
{
    struct caller *caller = studio_begin(state);
    char jobs[400], full[PATH_MAX];
    int nth = 1;

    snprintf(jobs, sizeof jobs, "%s/jobs", caller->folder);
    assert_non_null(realpath(jobs, full));
    setenv("FAULT_IO_FOLDER", full, 1);
    while (full_at(caller, nth))
        nth++;
    unsetenv("FAULT_IO_FOLDER");
    assert_true(nth > 12);
}

static void jobs_of_two_landscapes_do_not_meet(void **state)
{
    struct caller *caller = studio_begin(state);

    land_post(caller, LAND "/copy", "{\"to\":\"other\"}");
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":30," LAND_ALL "}");
    post_maps(caller, "a", "land", "");
    post_maps(caller, "b", "other", "");
    shop_disturb(caller, MANY / 3, delete_land);
    assert_string_equal(shop_state(caller, "a"), "failed");
    assert_int_equal((int)caller_number(caller, "error.status"), 404);
    assert_true(shop_count(caller, "a", "result_count") >= MANY / 3);
    assert_int_equal(shop_files(caller, "a", "files"), shop_count(caller, "a", "result_count"));
    shop_work(caller);
    assert_string_equal(shop_state(caller, "b"), "done");
    assert_int_equal((int)caller_number(caller, "result_count"), MANY);
}

static void all_pictures_in_one_file(void **state)
{
    struct caller *caller = studio_begin(state);
    size_t length, bytes, at = 0, count = 0;
    const char *data, *name;
    char *tar, *alone, wanted[40];
    size_t its;

    shop_make(caller,
              RENDER("\"id\":\"a\",\"package\":\"tar\",\"view\":{" MAP ",\"camera\":{"
                     "\"fit\":true,\"elevation\":90}},\"views\":[{},{" NOWHERE "},{\"width\":"
                     "3}]"));
    tar = shop_result(caller, "a", "land-pictures.tar", &length);
    assert_non_null(tar);
    while ((name = shop_tar_next(tar, length, &at, &data, &bytes))) {
        snprintf(wanted, sizeof wanted, count == 3 ? "manifest.txt" : "%04zu.%s", count,
                 count == 1 ? "json" : "png");
        assert_string_equal(name, wanted);
        count++;
    }
    assert_int_equal(count, 4);
    data = shop_tar_find(tar, length, "0002.png", &bytes);
    alone = studio_draw(caller,
                        "{\"width\":3,\"height\":10,\"mode\":\"normals\",\"camera\":{\"fit\":true,"
                        "\"elevation\":90}}",
                        "", &its);
    assert_non_null(data);
    assert_int_equal(bytes, its);
    assert_memory_equal(data, alone, its);
    free(alone);
    free(tar);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, caller_begin, caller_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(each_view_is_what_a_request_answers),
        EACH(every_format_is_a_result_of_its_type),
        EACH(a_view_takes_on_what_it_does_not_say),
        EACH(positions_are_in_the_frame),
        EACH(a_turntable_goes_around_once),
        EACH(a_path_passes_its_keys),
        EACH(what_no_pictures_can_be_is_refused_at_its_place),
        EACH(a_view_that_fails_does_so_alone),
        EACH(where_every_view_fails_the_job_does),
        EACH(a_job_without_a_picture_fails_as_its_views_do),
        EACH(what_a_picture_is_short_for_is_told),
        EACH(a_cancel_leaves_exactly_what_is_finished),
        EACH(what_is_finished_is_not_drawn_again_after_a_restart),
        EACH(a_kill_loses_nothing_that_was_told),
        EACH(a_job_that_goes_on_knows_how_its_views_failed),
        EACH(many_at_once_come_out_in_their_order),
        EACH(on_a_full_disk_what_is_there_is_whole),
        EACH(jobs_of_two_landscapes_do_not_meet),
        EACH(all_pictures_in_one_file),
    };

    return cmocka_run_group_tests(tests, studio_start, studio_stop);
}
