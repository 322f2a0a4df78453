/* Jobs whose pictures compare two versions: both are the job's from the moment that it is taken. */
#include "tests/api/studio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/landscape.h"

#define DIFF          "\"width\":12,\"height\":10,\"mode\":\"diff\",\"range\":[-20,20]"
#define ABOVE         "\"camera\":{\"fit\":true,\"elevation\":90}"
#define WITH(version) "{" DIFF "," ABOVE ",\"against\":" version "}"

enum { EDITS = 80 }; /* more than memory keeps */

static void edit(struct caller *caller, int i)
{
    char op[300];

    snprintf(op, sizeof op,
             "{\"tool\":\"noise\",\"amplitude\":9,\"cell\":7,\"seed\":%d," LAND_ALL "}", i);
    land_edit(caller, op);
}

/* Whatever was done is on the disk, and what the log may forget is forgotten. */
static void rest(struct caller *caller)
{
    while (landscapes_work(caller->service.landscapes))
        ;
}

/* So that a short log is kept. */
static void shorten(struct caller *caller)
{
    caller->limits.history_bytes = 4000;
    caller->limits.idle = 1e-9;
    caller_restart(caller);
}

/* The first versions are neither in memory nor in the log any more, unless somebody holds them. */
static void forget_the_first(struct caller *caller)
{
    for (int i = 0; i < EDITS; i++)
        edit(caller, i);
    for (int version = 4; version < 8; version++) {
        char target[60];

        snprintf(target, sizeof target, LAND "?version=%d", version);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
    }
    rest(caller);
}

static void assert_gone(struct caller *caller, const char *version)
{
    char target[100];

    snprintf(target, sizeof target, LAND "?version=%s", version);
    assert_int_equal(call(caller, "GET", target, NULL), 410);
}

static void a_version_that_there_is_not_is_refused_at_its_view(void **state)
{
    static const struct {
        const char *views;
        int status;
        const char *place;
    } wrong[] = {
        { "\"views\":[" WITH("999") "]", 404, "/views/0/against" },
        { "\"views\":[{}," WITH("1") "," WITH("3") "]", 404, "/views/2/against" },
        { "\"view\":{\"mode\":\"diff\",\"against\":999},\"turntable\":{\"frames\":2}", 404,
          "/view/against" },
        { "\"views\":[{\"mode\":\"diff\"}]", 400, "/views/0/against" },
        { "\"views\":[{},{\"mode\":\"lit\",\"against\":1}]", 400, "/views/1/against" },
        { "\"views\":[{\"mode\":\"collision\",\"mip\":9}]", 400, "/views/0/mip" },
    };
    struct caller *caller = studio_begin(state);

    edit(caller, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char body[600];

        snprintf(body, sizeof body, RENDER("%s"), wrong[i].views);
        print_message("%s\n", body);
        call(caller, "POST", "/v1/jobs", body);
        assert_refused(caller, wrong[i].status, wrong[i].place);
    }
    assert_int_equal(call(caller, "GET", "/v1/jobs", NULL), 200);
    assert_int_equal(json_array_size(caller_member(caller, "jobs")), 0);
}

static void a_version_of_another_size_is_refused_at_its_view(void **state)
{
    struct caller *caller = studio_begin(state);

    land_post(caller, LAND "/resize", "{\"components\":[1,1],\"mode\":\"clip\"}");
    call(caller, "POST", "/v1/jobs", RENDER("\"views\":[" WITH("2") "," WITH("1") "]"));
    assert_refused(caller, 400, "/views/1/against");
}

static void a_version_that_the_log_has_forgotten_is_refused_at_its_view(void **state)
{
    struct caller *caller = studio_begin(state);

    shorten(caller);
    forget_the_first(caller);
    assert_gone(caller, "2");
    call(caller, "POST", "/v1/jobs", RENDER("\"views\":[{}," WITH("2") "]"));
    assert_refused(caller, 410, "/views/1/against");
}

static void only_so_many_versions_are_held(void **state)
{
    struct caller *caller = studio_begin(state);

    edit(caller, 1);
    edit(caller, 2);
    caller->service.limits.job_versions = 2;
    call(caller, "POST", "/v1/jobs",
         RENDER("\"views\":[" WITH("1") "," WITH("2") "," WITH("1") "," WITH("3") "]"));
    assert_refused(caller, 413, "/views/3/against");
    shop_make(caller, RENDER("\"id\":\"a\",\"views\":[" WITH("1") "," WITH("3") "," WITH("1") "]"));
    assert_int_equal(shop_count(caller, "a", "made"), 3);
    caller->service.limits.job_versions = 0;
    call(caller, "POST", "/v1/jobs", RENDER("\"views\":[" WITH("1") "]"));
    assert_refused(caller, 413, "/views/0/against");
}

/* The same pictures as a request answers, after the versions have gone. */
static void what_is_compared_with_is_held(void **state)
{
    struct caller *caller = studio_begin(state);
    char *wanted[2];
    size_t lengths[2];

    edit(caller, 1);
    edit(caller, 2);
    edit(caller, 3);
    wanted[0] = studio_draw(caller, WITH("1"), "?version=3", &lengths[0]);
    wanted[1] = studio_draw(caller, WITH("2"), "?version=3", &lengths[1]);
    assert_true(lengths[0] != lengths[1] || memcmp(wanted[0], wanted[1], lengths[0]));
    shorten(caller);
    shop_post(caller, RENDER("\"id\":\"a\",\"version\":3,\"views\":[" WITH("1") "," WITH(
                          "2") "," WITH("1") "]"));
    forget_the_first(caller);
    assert_gone(caller, "1");
    assert_gone(caller, "2");
    shop_work(caller);
    assert_string_equal(shop_state(caller, "a"), "done");
    assert_int_equal(shop_count(caller, "a", "made"), 3);
    for (int n = 0; n < 3; n++) {
        char target[60];

        snprintf(target, sizeof target, "/v1/jobs/a/results/%d", n);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_int_equal(caller->length, lengths[n % 2]);
        assert_memory_equal(caller->body, wanted[n % 2], lengths[n % 2]);
    }
    free(wanted[0]);
    free(wanted[1]);
}

static void after_a_restart_they_are_held_again(void **state)
{
    struct caller *caller = studio_begin(state);
    char *wanted;
    size_t length;

    edit(caller, 1);
    wanted = studio_draw(caller, WITH("1"), "", &length);
    shop_post(caller, RENDER("\"id\":\"a\",\"views\":[" WITH("1") "," WITH("1") "]"));
    shorten(caller);
    shop_disturb(caller, -1, NULL); /* its plan */
    forget_the_first(caller);
    assert_gone(caller, "1");
    shop_work(caller);
    assert_string_equal(shop_state(caller, "a"), "done");
    assert_int_equal(call(caller, "GET", "/v1/jobs/a/results/1", NULL), 200);
    assert_int_equal(caller->length, length);
    assert_memory_equal(caller->body, wanted, length);
    free(wanted);
}

/* The log was cut between the end of the one process and the plan of the other; a snapshot holds
 * what is drawn, but not what it is compared with. */
static void a_job_whose_version_has_gone_meanwhile_says_so(void **state)
{
    struct caller *caller = studio_begin(state);

    edit(caller, 1);
    land_post(caller, LAND "/snapshots", "{\"name\":\"two\"}");
    shop_post(caller, RENDER("\"id\":\"a\",\"views\":[{}," WITH("1") "]"));
    shorten(caller);
    forget_the_first(caller);
    shop_work(caller);
    assert_string_equal(shop_state(caller, "a"), "failed");
    assert_int_equal(shop_count(caller, "a", "error.status"), 410);
    assert_string_equal(caller_text(caller, "error.pointer"), "/views/1/against");
    assert_int_equal(call(caller, "GET", LAND "?version=2", NULL), 200);
    assert_int_equal(shop_files(caller, "a", "files"), 0);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, caller_begin, caller_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EACH(a_version_that_there_is_not_is_refused_at_its_view),
        EACH(a_version_of_another_size_is_refused_at_its_view),
        EACH(a_version_that_the_log_has_forgotten_is_refused_at_its_view),
        EACH(only_so_many_versions_are_held),
        EACH(what_is_compared_with_is_held),
        EACH(after_a_restart_they_are_held_again),
        EACH(a_job_whose_version_has_gone_meanwhile_says_so),
    };

    return cmocka_run_group_tests(tests, studio_start, studio_stop);
}
