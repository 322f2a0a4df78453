/* Jobs as such: posted, found, disturbed, cancelled, kept and forgotten. */
#include "tests/api/shop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/tokens.h"
#include "tests/store/scratch.h"

#define TILES(more) "{\"kind\":\"tiles\",\"landscape\":\"land\",\"set\":\"terrain-rgb\"" more "}"

enum { FINE = 4 }; /* 127 vertices have 1 + 1 + 4 + 16 + 64 tiles at zooms 0 to 4 */
#define ALL_TILES  86
#define FINE_TILES ",\"maxzoom\":4"

/* Rough ground, so that every tile is another one. */
static struct caller *begin(void **state)
{
    return land_begin_with(state, "png/gray16_asym_127.png");
}

static void a_job_is_answered_before_it_is_done(void **state)
{
    struct caller *caller = begin(state);
    const char *id = shop_post(caller, TILES(",\"id\":\"first\""));

    assert_string_equal(id, "first");
    assert_string_equal(caller_header(caller, "Location"), "/v1/jobs/first");
    assert_string_equal(caller_text(caller, "state"), "queued");
    assert_int_equal((int)caller_number(caller, "progress"), 0);
    assert_int_equal((int)caller_number(caller, "version"), 1);
    assert_int_equal(call(caller, "GET", "/v1/jobs/first/results/0", NULL), 404);
    shop_work(caller);
    assert_string_equal(shop_state(caller, id), "done");
    assert_int_equal((int)caller_number(caller, "progress"), 1);
    assert_int_equal((int)caller_number(caller, "made"), 1);
    assert_string_equal(caller_text(caller, "request.set"), "terrain-rgb");
}

static void a_result_has_an_etag_and_a_type(void **state)
{
    struct caller *caller = begin(state);
    char etag[64];

    shop_make(caller, TILES(",\"id\":\"a\""));
    assert_int_equal(call(caller, "GET", "/v1/jobs/a/results/0", NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "application/x-tar");
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    caller->if_none_match = etag;
    assert_int_equal(call(caller, "GET", "/v1/jobs/a/results/0", NULL), 304);
    assert_int_equal(call(caller, "GET", "/v1/jobs/a/results/1", NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "text/plain");
    call(caller, "GET", "/v1/jobs/a/results/2", NULL);
    assert_refused(caller, 404, "n");
}

static void what_no_job_can_be_is_refused_at_its_place(void **state)
{
    static const struct {
        const char *body;
        int status;
        const char *place;
    } wrong[] = {
        { "{}", 400, "/kind" },
        { "[]", 400, "" },
        { "{\"kind\":\"tile\",\"landscape\":\"land\"}", 400, "/kind" },
        { "{\"kind\":\"tiles\",\"set\":\"slope\"}", 400, "/landscape" },
        { "{\"kind\":\"tiles\",\"landscape\":\"land\"}", 400, "/set" },
        { "{\"kind\":\"tiles\",\"landscape\":\"lend\",\"set\":\"slope\"}", 404, "/landscape" },
        { "{\"kind\":\"tiles\",\"landscape\":\"land\",\"set\":\"slopes\"}", 400, "/set" },
        { TILES(",\"pieces\":[1,1]"), 400, "/pieces" },
        { TILES(",\"id\":\".a\""), 400, "/id" },
        { TILES(",\"priority\":\"urgent\""), 400, "/priority" },
        { TILES(",\"version\":2"), 404, "/version" },
        { TILES(",\"since\":2"), 404, "/since" },
        { TILES(",\"format\":\"gif\""), 400, "/format" },
        { TILES(",\"options\":\"fil=1\""), 400, "/options" },
        { TILES(",\"options\":\"fill=high\""), 400, "/options" },
        { TILES(",\"options\":\"version=1\""), 400, "/options" },
        { TILES(",\"minzoom\":5"), 422, "/minzoom" },
        { TILES(",\"maxzoom\":5"), 422, "/maxzoom" },
        { TILES(",\"minzoom\":3,\"maxzoom\":2"), 400, "/minzoom" },
        { TILES(",\"bounds\":[10,10,0,20]"), 400, "/bounds" },
        { TILES(",\"bounds\":[170,-85,180,-80]"), 422, "/bounds" },
        { TILES(",\"bounds\":[0,0,1]"), 400, "/bounds" },
        { TILES(",\"package\":\"zip\""), 400, "/package" },
        { "{\"kind\":\"export\",\"landscape\":\"land\",\"format\":\"tif\"}", 400, "/format" },
        { "{\"kind\":\"export\",\"landscape\":\"land\",\"x\":127}", 422, "/x" },
        { "{\"kind\":\"export\",\"landscape\":\"land\",\"x\":1,\"width\":127}", 422, "/width" },
        { "{\"kind\":\"export\",\"landscape\":\"land\",\"pieces\":[127,1]}", 422, "/pieces/0" },
        { "{\"kind\":\"export\",\"landscape\":\"land\",\"pieces\":[1,127]}", 422, "/pieces/1" },
        { "{\"kind\":\"export\",\"landscape\":\"land\",\"piece\":[1,2]}", 400, "/piece/0" },
        { "{\"kind\":\"export\",\"landscape\":\"land\",\"pieces\":[1,1],\"piece\":[2,2]}", 400,
          "/piece" },
    };
    struct caller *caller = begin(state);

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        print_message("%s\n", wrong[i].body);
        call(caller, "POST", "/v1/jobs", wrong[i].body);
        assert_refused(caller, wrong[i].status, wrong[i].place);
    }
    assert_int_equal(call(caller, "GET", "/v1/jobs", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "jobs")), 0);
}

static void too_many_units_are_refused(void **state)
{
    struct caller *caller = begin(state);

    caller->service.limits.job_units = ALL_TILES - 1;
    call(caller, "POST", "/v1/jobs", TILES(FINE_TILES));
    assert_refused(caller, 413, "/maxzoom");
    caller->service.limits.job_units = ALL_TILES;
    shop_make(caller, TILES(FINE_TILES ",\"id\":\"a\""));
    assert_int_equal(shop_count(caller, "a", "units"), ALL_TILES);
}

static void the_same_body_under_an_id_is_the_same_job(void **state)
{
    struct caller *caller = begin(state);

    shop_make(caller, TILES(",\"id\":\"a\""));
    shop_post(caller, TILES(",\"id\":\"a\""));
    assert_string_equal(caller_text(caller, "state"), "done");
    call(caller, "POST", "/v1/jobs", TILES(",\"id\":\"a\",\"package\":\"folder\""));
    assert_refused(caller, 409, "/id");
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/a", NULL), 204);
    assert_int_equal(call(caller, "GET", "/v1/jobs/a", NULL), 404);
    assert_int_equal(shop_files(caller, "a", "files"), -1);
    shop_make(caller, TILES(",\"id\":\"a\",\"package\":\"folder\""));
}

static void ids_that_are_made_up_are_in_order(void **state)
{
    struct caller *caller = begin(state);
    char before[65] = "", target[100] = "/v1/jobs?limit=3";
    size_t seen = 0;

    for (int i = 0; i < 8; i++) {
        const char *id = shop_post(caller, TILES(""));

        assert_true(strcmp(before, id) < 0);
        snprintf(before, sizeof before, "%s", id);
    }
    for (;;) {
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        seen += json_array_size(caller_member(caller, "jobs"));
        if (json_is_null(caller_member(caller, "next")))
            break;
        snprintf(target, sizeof target, "/v1/jobs?limit=3&after=%s", caller_text(caller, "next"));
    }
    assert_int_equal(seen, 8);
    shop_work(caller);
}

static void a_full_queue_refuses(void **state)
{
    struct caller *caller = begin(state);

    caller->service.limits.jobs_waiting = 2;
    shop_post(caller, TILES(",\"id\":\"a\""));
    shop_post(caller, TILES(",\"id\":\"b\""));
    assert_int_equal(call(caller, "POST", "/v1/jobs", TILES("")), 503);
    assert_non_null(caller_header(caller, "Retry-After"));
    shop_post(caller, TILES(",\"id\":\"b\"")); /* which is there already */
    jobs_work(caller->service.jobs, NULL, false);
    shop_post(caller, TILES(""));
    shop_work(caller);
}

static void the_more_urgent_job_begins(void **state)
{
    struct caller *caller = begin(state);
    static const char *const ids[] = { "high1", "high2", "normal", "low" };

    shop_post(caller, TILES(",\"id\":\"low\",\"priority\":\"low\""));
    shop_post(caller, TILES(",\"id\":\"normal\""));
    shop_post(caller, TILES(",\"id\":\"high1\",\"priority\":\"high\""));
    shop_post(caller, TILES(",\"id\":\"high2\",\"priority\":\"high\""));
    for (int i = 0; i < 4; i++) {
        assert_string_equal(shop_state(caller, ids[i]), "queued");
        assert_true(jobs_work(caller->service.jobs, NULL, false));
        assert_string_equal(shop_state(caller, ids[i]), "done");
    }
}

static void post_urgent(struct caller *caller)
{
    shop_post(caller, TILES(FINE_TILES ",\"id\":\"urgent\",\"priority\":\"high\""));
}

static void post_another(struct caller *caller)
{
    shop_post(caller, TILES(FINE_TILES ",\"id\":\"another\""));
}

/* One that runs is put off, and goes on where it was. */
static void a_more_urgent_job_goes_first(void **state)
{
    struct caller *caller = begin(state);

    shop_post(caller, TILES(FINE_TILES ",\"id\":\"first\",\"package\":\"folder\""));
    assert_int_equal(shop_disturb(caller, 20, post_another), ALL_TILES); /* no more urgent */
    assert_string_equal(shop_state(caller, "first"), "done");
    shop_disturb(caller, 30, post_urgent);
    assert_string_equal(shop_state(caller, "another"), "queued");
    assert_int_equal(shop_count(caller, "another", "done"), 30);
    assert_true(jobs_work(caller->service.jobs, NULL, false));
    assert_string_equal(shop_state(caller, "urgent"), "done");
    assert_int_equal(shop_disturb(caller, -1, NULL), ALL_TILES - 30);
    assert_string_equal(shop_state(caller, "another"), "done");
}

static void of_equal_jobs_the_first_to_come_begins(void **state)
{
    struct caller *caller = begin(state);
    char body[200], id[8];

    for (int i = 9; i >= 0; i--) {
        snprintf(body, sizeof body, TILES(",\"id\":\"j%d\""), i);
        shop_post(caller, body);
        if (i == 5)
            caller_restart(caller);
    }
    for (int i = 9; i >= 5; i--)
        assert_true(jobs_work(caller->service.jobs, NULL, false)); /* their plans */
    for (int i = 9; i >= 0; i--) {
        snprintf(id, sizeof id, "j%d", i);
        assert_string_equal(shop_state(caller, id), "queued");
        assert_true(jobs_work(caller->service.jobs, NULL, false));
        assert_string_equal(shop_state(caller, id), "done");
    }
}

static void only_so_many_ended_jobs_are_kept(void **state)
{
    struct caller *caller = begin(state);
    char body[200];

    caller->service.limits.jobs_kept = 3;
    for (int i = 0; i < 10; i++) {
        struct timespec moment = { 0, 2000000 }; /* they end in different milliseconds */

        snprintf(body, sizeof body, TILES(",\"id\":\"j%d\""), i);
        shop_make(caller, body);
        nanosleep(&moment, NULL);
    }
    assert_int_equal(call(caller, "GET", "/v1/jobs", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "jobs")), 3);
    assert_string_equal(caller_text(caller, "jobs.0.id"), "j7");
    assert_int_equal(shop_files(caller, "j6", "files"), -1);
    assert_int_equal(shop_files(caller, "j7", "files"), 2);
    caller_restart(caller);
    assert_string_equal(shop_state(caller, "j9"), "done");
}

static void files_have_room_at_the_cost_of_older_ones(void **state)
{
    struct caller *caller = begin(state);
    int64_t bytes;

    shop_make(caller, TILES(FINE_TILES ",\"id\":\"a\""));
    bytes = shop_count(caller, "a", "bytes");
    caller->service.limits.jobs_bytes = bytes * 3 / 2;
    shop_make(caller, TILES(FINE_TILES ",\"id\":\"b\""));
    assert_int_equal(call(caller, "GET", "/v1/jobs/a", NULL), 410);
    assert_int_equal(call(caller, "GET", "/v1/jobs/a/results/0", NULL), 410);
    assert_int_equal(call(caller, "GET", "/v1/jobs/c", NULL), 404);
    caller->service.limits.jobs_bytes = bytes / 2;
    shop_post(caller, TILES(FINE_TILES ",\"id\":\"c\""));
    shop_work(caller);
    assert_string_equal(shop_state(caller, "c"), "failed");
    assert_int_equal((int)caller_number(caller, "error.status"), 507);
    assert_int_equal(shop_files(caller, "c", "files"), 0);
    assert_int_equal(shop_files(caller, "c", "work"), 0);
}

/* ---- disturbances ---- */

static void cancel(struct caller *caller)
{
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 202);
    assert_true(json_is_true(caller_member(caller, "cancelling")));
}

static void cancelled_at_half_a_tar_leaves_nothing(void **state)
{
    struct caller *caller = begin(state);

    shop_post(caller, TILES(FINE_TILES ",\"id\":\"cut\""));
    shop_disturb(caller, ALL_TILES / 2, cancel);
    assert_string_equal(shop_state(caller, "cut"), "cancelled");
    assert_int_equal((int)caller_number(caller, "result_count"), 0);
    assert_int_equal(shop_files(caller, "cut", "files"), 0);
    assert_int_equal(shop_files(caller, "cut", "work"), 0);
    caller_restart(caller);
    assert_string_equal(shop_state(caller, "cut"), "cancelled");
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 204);
}

/* Of a folder the finished tiles stay: those before the one at which it was cancelled. */
static void cancelled_at_half_a_folder_keeps_what_is_finished(void **state)
{
    enum { HALF = ALL_TILES / 2 };
    struct caller *caller = begin(state);

    shop_post(caller, TILES(FINE_TILES ",\"package\":\"folder\",\"id\":\"cut\""));
    shop_disturb(caller, HALF, cancel);
    assert_string_equal(shop_state(caller, "cut"), "cancelled");
    assert_int_equal((int)caller_number(caller, "result_count"), HALF);
    assert_int_equal(shop_files(caller, "cut", "files"), HALF);
    assert_int_equal(shop_files(caller, "cut", "work"), 0);
    assert_int_equal(call(caller, "GET", "/v1/jobs/cut/results/42", NULL), 200);
    assert_int_equal(call(caller, "GET", "/v1/jobs/cut/results/43", NULL), 404);
}

static void a_job_that_waits_is_cancelled_at_once(void **state)
{
    struct caller *caller = begin(state);

    shop_post(caller, TILES(",\"id\":\"cut\""));
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 202);
    assert_string_equal(caller_text(caller, "state"), "cancelled");
    assert_false(jobs_work(caller->service.jobs, NULL, false));
}

static void raise_all(struct caller *caller)
{
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":3," LAND_ALL "}");
}

/* Whatever happens meanwhile, all is of the version that it began with. */
static void an_edit_does_not_change_a_job_that_runs(void **state)
{
    static const char *const packages[] = { "tar", "mbtiles" };
    struct caller *caller = begin(state);

    for (int i = 0; i < 2; i++) {
        char body[200], *plain, *edited;
        size_t length, again;

        snprintf(body, sizeof body, TILES(FINE_TILES ",\"package\":\"%s\",\"id\":\"p%d\""),
                 packages[i], i);
        shop_make(caller, body);
        plain = shop_result(caller, i ? "p1" : "p0", packages[i], &length);
        snprintf(body, sizeof body, TILES(FINE_TILES ",\"package\":\"%s\",\"id\":\"e%d\""),
                 packages[i], i);
        shop_post(caller, body);
        shop_disturb(caller, ALL_TILES / 2, raise_all);
        assert_string_equal(shop_state(caller, i ? "e1" : "e0"), "done");
        edited = shop_result(caller, i ? "e1" : "e0", packages[i], &again);
        assert_int_equal(length, again);
        assert_memory_equal(plain, edited, length);
        free(plain);
        free(edited);
    }
    assert_int_equal((int)land_version(caller), 3);
}

static void delete_land(struct caller *caller)
{
    assert_int_equal(call(caller, "DELETE", LAND, NULL), 204);
}

static void deletion_of_the_landscape_fails_the_job(void **state)
{
    struct caller *caller = begin(state);

    shop_post(caller, TILES(FINE_TILES ",\"id\":\"a\""));
    shop_disturb(caller, 2, delete_land);
    assert_string_equal(shop_state(caller, "a"), "failed");
    assert_non_null(strstr(caller_text(caller, "error.detail"), "land was deleted"));
    assert_int_equal(shop_files(caller, "a", "files"), 0);
    assert_int_equal(shop_files(caller, "a", "work"), 0);
}

static void stop(struct caller *caller)
{
    atomic_store(&caller->service.stopping, true);
}

/* Stopped after two thirds and begun again by another process, which makes what is missing. */
static void a_job_goes_on_after_a_restart(void **state)
{
    static const char *const packages[] = { "tar", "folder", "mbtiles" };
    struct caller *caller = begin(state);

    for (int i = 0; i < 3; i++) {
        char body[200], whole[8], cut[8], *a, *b;
        size_t length, again;

        snprintf(whole, sizeof whole, "w%d", i);
        snprintf(cut, sizeof cut, "c%d", i);
        snprintf(body, sizeof body, TILES(FINE_TILES ",\"package\":\"%s\",\"id\":\"%s\""),
                 packages[i], whole);
        shop_make(caller, body);
        snprintf(body, sizeof body, TILES(FINE_TILES ",\"package\":\"%s\",\"id\":\"%s\""),
                 packages[i], cut);
        shop_post(caller, body);
        shop_disturb(caller, 70, stop);
        atomic_store(&caller->service.stopping, false);
        assert_string_equal(shop_state(caller, cut), "queued");
        assert_int_equal((int)caller_number(caller, "done"), 70);
        raise_all(caller);
        caller_restart(caller);
        assert_string_equal(shop_state(caller, cut), "queued");
        shop_disturb(caller, -1, NULL); /* its plan */
        assert_int_equal(shop_disturb(caller, -1, NULL), ALL_TILES - 70);
        assert_string_equal(shop_state(caller, cut), "done");
        assert_int_equal(shop_files(caller, cut, "files"), shop_files(caller, whole, "files"));
        a = shop_result(caller, whole, i == 1 ? "4/7/7.png" : packages[i], &length);
        b = shop_result(caller, cut, i == 1 ? "4/7/7.png" : packages[i], &again);
        assert_int_equal(length, again);
        assert_memory_equal(a, b, length);
        free(a);
        free(b);
        a = shop_result(caller, whole, "manifest.txt", &length);
        b = shop_result(caller, cut, "manifest.txt", &again);
        assert_int_equal(length, again);
        assert_memory_equal(a, b, length);
        free(a);
        free(b);
        assert_int_equal(call(caller, "POST", LAND "/undo", NULL), 200);
    }
}

/* Before unit 64 it waits, so that this unit is written down; before unit 130 the job's files are
 * put aside, as a process that is killed there would leave them: with 65 units written down (more,
 * if it is slow), and 130 in the files. */
static int64_t unit_at;
static const struct caller *unit_of;

static void shell(const char *format, const char *folder)
{
    char command[800];

    snprintf(command, sizeof command, format, folder, folder, folder);
    assert_int_equal(system(command), 0);
}

static void put_aside(const struct executor *self, size_t count,
                      void (*piece)(void *work, size_t i), void *work)
{
    struct timespec longer = { 2, 100000000 };

    (void)self;
    for (size_t i = 0; i < count; i++, unit_at++) {
        if (unit_at == 64)
            nanosleep(&longer, NULL);
        if (unit_at == 130)
            shell("cp -a %s/jobs/cut %s/aside", unit_of->folder);
        piece(work, i);
    }
}

static void what_was_not_written_down_is_made_again(void **state)
{
    static const char *const packages[] = { "tar", "folder", "mbtiles" };
    static const struct executor executor = { put_aside };
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", LAND,
                          "{\"layout\":{\"components\":[4,4],\"section_quads\":63},"
                          "\"crs\":\"EPSG:4326\",\"bounds\":[10.1,46.2,11.7,47.3]}"),
                     201);
    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":60,\"cell\":20,\"seed\":5," LAND_ALL "}");
    for (int i = 0; i < 3; i++) {
        char body[200], *whole, *again;
        size_t length, its;

        snprintf(body, sizeof body, TILES(",\"maxzoom\":12,\"package\":\"%s\",\"id\":\"cut\""),
                 packages[i]);
        shop_post(caller, body);
        unit_at = 0;
        unit_of = caller;
        assert_true(jobs_work(caller->service.jobs, &executor, false));
        assert_true(unit_at > 160);
        assert_string_equal(shop_state(caller, "cut"), "done");
        whole = shop_result(caller, "cut", i == 1 ? "manifest.txt" : packages[i], &length);
        shell("rm -r %s/jobs/cut && mv %s/aside %s/jobs/cut", caller->folder);
        caller_restart(caller);
        assert_string_equal(shop_state(caller, "cut"), "queued");
        assert_true(caller_number(caller, "done") >= 65 && caller_number(caller, "done") <= 130);
        assert_true(shop_files(caller, "cut", i == 1 ? "files" : "work") >= (i == 1 ? 130 : 2));
        shop_work(caller);
        assert_string_equal(shop_state(caller, "cut"), "done");
        again = shop_result(caller, "cut", i == 1 ? "manifest.txt" : packages[i], &its);
        assert_int_equal(length, its);
        assert_memory_equal(whole, again, length);
        assert_int_equal(shop_count(caller, "cut", "result_count"), i == 1 ? unit_at + 2 : 2);
        assert_int_equal(shop_files(caller, "cut", "files"), i == 1 ? unit_at + 2 : 2);
        assert_int_equal(call(caller, "DELETE", "/v1/jobs/cut", NULL), 204);
        free(whole);
        free(again);
    }
}

static void after_a_restart_a_landscape_of_the_same_name_will_not_do(void **state)
{
    struct caller *caller = begin(state);

    shop_post(caller, TILES(",\"id\":\"a\""));
    begin(state); /* deletes it and makes it again */
    caller_restart(caller);
    shop_work(caller);
    assert_string_equal(shop_state(caller, "a"), "failed");
    assert_non_null(strstr(caller_text(caller, "error.detail"), "another one has its name"));
}

static void a_record_that_is_damaged_is_no_job(void **state)
{
    struct caller *caller = begin(state);
    char path[400];
    FILE *record;

    shop_make(caller, TILES(",\"id\":\"a\""));
    shop_make(caller, TILES(",\"id\":\"b\""));
    snprintf(path, sizeof path, "%s/jobs/a/record", caller->folder);
    record = fopen(path, "r+b");
    fseek(record, 40, SEEK_SET);
    fputc(0x55, record);
    fclose(record);
    caller_restart(caller);
    assert_int_equal(call(caller, "GET", "/v1/jobs/a", NULL), 404);
    assert_string_equal(shop_state(caller, "b"), "done");
}

static void linger(struct caller *caller)
{
    struct timespec longer = { 1, 100000000 };

    (void)caller;
    nanosleep(&longer, NULL);
}

static void a_deadline_fails_a_job_that_is_late(void **state)
{
    struct caller *caller = begin(state);

    shop_post(caller, TILES(FINE_TILES ",\"id\":\"a\",\"deadline_seconds\":1"));
    shop_disturb(caller, 3, linger);
    assert_string_equal(shop_state(caller, "a"), "failed");
    assert_int_equal((int)caller_number(caller, "error.status"), 504);
    assert_int_equal(shop_files(caller, "a", "files"), 0);
}

/* ---- whose they are ---- */

static void jobs_are_their_owners_and_admins(void **state)
{
    static const char *const names[] = { "anna", "bert", "root" };
    static const char *const scopes[] = { "edit", "edit", "admin" };
    struct caller *caller = begin(state);
    char token[TOKEN_ROOM], line[TOKEN_LINE_ROOM], bearer[3][TOKEN_ROOM + 8], path[400];
    struct tokens *tokens;
    struct fault why;
    FILE *file;

    snprintf(path, sizeof path, "%s/tokens", caller->folder);
    file = fopen(path, "w");
    for (int i = 0; i < 3; i++) {
        assert_true(token_make(names[i], scopes[i], token, line, &why));
        snprintf(bearer[i], sizeof bearer[i], "Bearer %s", token);
        fprintf(file, "%s\n", line);
    }
    fclose(file);
    assert_true(tokens_load(path, &tokens, &why));
    caller->service.tokens = tokens;
    caller->authorization = bearer[0];
    assert_int_equal(call(caller, "POST", "/v1/jobs", TILES(",\"id\":\"hers\"")), 202);
    assert_string_equal(caller_text(caller, "owner"), "anna");
    caller->authorization = bearer[1];
    assert_int_equal(call(caller, "GET", "/v1/jobs/hers", NULL), 404);
    caller->authorization = bearer[1];
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/hers", NULL), 404);
    caller->authorization = bearer[1];
    assert_int_equal(call(caller, "GET", "/v1/jobs/hers/events", NULL), 404);
    caller->authorization = bearer[1];
    assert_int_equal(call(caller, "GET", "/v1/jobs", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "jobs")), 0);
    caller->authorization = bearer[2];
    assert_int_equal(call(caller, "GET", "/v1/jobs", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "jobs")), 1);
    caller->authorization = bearer[2];
    assert_int_equal(call(caller, "DELETE", "/v1/jobs/hers", NULL), 202);
    caller->authorization = bearer[0];
    assert_int_equal(call(caller, "GET", "/v1/jobs/hers", NULL), 200);
    assert_string_equal(caller_text(caller, "state"), "cancelled");
    caller->service.tokens = NULL;
    tokens_free(tokens);
}

static void a_hundred_small_jobs_are_done(void **state)
{
    struct caller *caller = begin(state);

    for (int i = 0; i < 100; i++)
        shop_post(caller, i % 2 ? TILES("") : "{\"kind\":\"export\",\"landscape\":\"land\"}");
    shop_work(caller);
    assert_int_equal(call(caller, "GET", "/v1/jobs?limit=1000", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "jobs")), 100);
    for (int i = 0; i < 100; i++) {
        char path[40];

        snprintf(path, sizeof path, "jobs.%d.state", i);
        assert_string_equal(caller_text(caller, path), "done");
    }
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, caller_begin, caller_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(a_job_is_answered_before_it_is_done),
        EACH(a_result_has_an_etag_and_a_type),
        EACH(what_no_job_can_be_is_refused_at_its_place),
        EACH(too_many_units_are_refused),
        EACH(the_same_body_under_an_id_is_the_same_job),
        EACH(ids_that_are_made_up_are_in_order),
        EACH(a_full_queue_refuses),
        EACH(the_more_urgent_job_begins),
        EACH(a_more_urgent_job_goes_first),
        EACH(of_equal_jobs_the_first_to_come_begins),
        EACH(only_so_many_ended_jobs_are_kept),
        EACH(files_have_room_at_the_cost_of_older_ones),
        EACH(cancelled_at_half_a_tar_leaves_nothing),
        EACH(cancelled_at_half_a_folder_keeps_what_is_finished),
        EACH(a_job_that_waits_is_cancelled_at_once),
        EACH(an_edit_does_not_change_a_job_that_runs),
        EACH(deletion_of_the_landscape_fails_the_job),
        EACH(a_job_goes_on_after_a_restart),
        EACH(what_was_not_written_down_is_made_again),
        EACH(after_a_restart_a_landscape_of_the_same_name_will_not_do),
        EACH(a_record_that_is_damaged_is_no_job),
        EACH(a_deadline_fails_a_job_that_is_late),
        EACH(jobs_are_their_owners_and_admins),
        EACH(a_hundred_small_jobs_are_done),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
