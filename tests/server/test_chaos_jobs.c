/* Renderers that crash, are killed, stopped or starved of memory under jobs of pictures: every job
 * ends, each of its views is a whole picture or says why there is none, nothing half lies about,
 * nobody else notices, and the daemon keeps neither descriptors nor dead processes of it.
 * LANDSCAPED_SOAK makes it a hundred jobs of each. */
#include "tests/server/chaos.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VIEWS = 5 };

struct tally {
    int jobs, done, failed, drawn, told, harmed, late; /* late: told outside of a job */
};

static json_t *ask_json(const struct served *served, const char *method, const char *target,
                        const char *body, int status)
{
    struct answer answer;
    json_t *json;

    served_ask(served, method, target, body ? "Content-Type: application/json\r\n" : NULL, body,
               body ? strlen(body) : 0, &answer);
    if (answer.status != status)
        fail_msg("%s %s: %d %.300s", method, target, answer.status, (const char *)answer.body);
    json = json_loads((const char *)answer.body, 0, NULL);
    assert_non_null(json);
    answer_free(&answer);
    return json;
}

static int number(const json_t *json, const char *name)
{
    return (int)json_integer_value(json_object_get(json, name));
}

static const char *text(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));

    return text ? text : "";
}

/* No two views are the same, so that none has the bad name of another. */
static void view_print(int job, int n, char *view, size_t room)
{
    snprintf(view, room,
             "{\"width\":96,\"height\":64,\"camera\":{\"orbit\":{\"azimuth\":%.3f,"
             "\"elevation\":30}}}",
             fmod(job * 3.1 + n * 0.47, 360));
}

static void post(const struct served *served, int job)
{
    char body[2000];
    int length =
        snprintf(body, sizeof body,
                 "{\"kind\":\"render\",\"landscape\":\"hill\",\"id\":\"j%d\",\"views\":[", job);

    for (int n = 0; n < VIEWS; n++) {
        length += snprintf(body + length, sizeof body - (size_t)length, "%s", n ? "," : "");
        view_print(job, n, body + length, sizeof body - (size_t)length);
        length += (int)strlen(body + length);
    }
    snprintf(body + length, sizeof body - (size_t)length, "]}");
    json_decref(ask_json(served, "POST", "/v1/jobs", body, 202));
}

/* Its document, when it has ended. */
static json_t *ended(const struct served *served, int job)
{
    char target[60];

    snprintf(target, sizeof target, "/v1/jobs/j%d?wait=30", job);
    for (int i = 0; i < 6; i++) {
        json_t *document = ask_json(served, "GET", target, NULL, 200);
        const char *state = text(document, "state");

        if (strcmp(state, "queued") && strcmp(state, "running"))
            return document;
        json_decref(document);
    }
    fail_msg("job %d does not end", job);
    return NULL;
}

static int files_in(const struct served *served, int job, const char *below)
{
    char path[200];
    int count = 0;
    DIR *folder;

    snprintf(path, sizeof path, "%s/data/jobs/j%d/%s", served->folder, job, below);
    folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* Whether it is the picture that is drawn when nothing goes wrong. Who was harmed last may only be
 * met now, and says so. */
static void expect_whole(const struct served *served, int job, int n, const struct answer *picture,
                         struct tally *tally)
{
    struct answer calm;
    char view[200];

    view_print(job, n, view, sizeof view);
    for (int i = 0; i <= CHAOS_RENDERERS; i++) {
        served_ask(served, "POST", "/v1/landscapes/hill/render",
                   "Content-Type: application/json\r\n", view, strlen(view), &calm);
        if (!chaos_is_told(&calm))
            break;
        tally->late++;
        answer_free(&calm);
    }
    assert_true(chaos_is_picture(&calm));
    assert_int_equal(calm.length, picture->length);
    assert_memory_equal(calm.body, picture->body, calm.length);
    answer_free(&calm);
}

static void judge_result(const struct served *served, int job, int n, struct tally *tally)
{
    struct answer answer;
    char target[60];

    snprintf(target, sizeof target, "/v1/jobs/j%d/results/%d", job, n);
    served_ask(served, "GET", target, NULL, NULL, 0, &answer);
    if (chaos_is_picture(&answer)) {
        expect_whole(served, job, n, &answer, tally);
        tally->drawn++;
    } else {
        if (!chaos_is_told(&answer))
            fail_msg("%s: %d %.300s", target, answer.status, (const char *)answer.body);
        print_message("view %d of %d: %.300s\n", n, job, (const char *)answer.body);
        tally->told++;
    }
    answer_free(&answer);
}

static void judge(const struct served *served, int job, struct tally *tally)
{
    json_t *document = ended(served, job);
    bool done = !strcmp(text(document, "state"), "done");
    int told = tally->told;

    assert_true(done || !strcmp(text(document, "state"), "failed"));
    assert_int_equal(number(document, "done"), VIEWS);
    assert_int_equal(number(document, "result_count"), VIEWS);
    assert_int_equal(files_in(served, job, "files"), VIEWS);
    assert_int_equal(files_in(served, job, "work"), 0);
    for (int n = 0; n < VIEWS; n++)
        judge_result(served, job, n, tally);
    assert_int_equal(number(document, "failed"), tally->told - told);
    assert_int_equal(number(document, "made"), VIEWS - (tally->told - told));
    assert_int_equal(done, number(document, "made") > 0);
    assert_true(done || text(json_object_get(document, "error"), "detail")[0]);
    tally->jobs++;
    tally->done += done;
    tally->failed += !done;
    json_decref(document);
}

static int descriptors(const struct served *served)
{
    char path[64];
    int count = 0;
    DIR *folder;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)served->process);
    folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Children that have ended and that nobody has buried. */
static int dead(const struct served *served)
{
    pid_t found[64];
    int count = served_helpers(served, "", found, 64), dead = 0;

    for (int i = 0; i < count; i++) {
        char path[64], state = 0;
        FILE *file;

        snprintf(path, sizeof path, "/proc/%d/stat", (int)found[i]);
        file = fopen(path, "r");
        if (file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1)
            dead += state == 'Z';
        if (file)
            fclose(file);
    }
    return dead;
}

/* Both renderers are there and idle: jobs' number, from which it counts down. */
static void call_both(const struct served *served, int job)
{
    pid_t found[CHAOS_RENDERERS];
    struct tally tally = { 0 };

    for (int i = 0; i < 50; i++) {
        post(served, job - i);
        judge(served, job - i, &tally);
        if (served_helpers(served, "landscaped-rend", found, CHAOS_RENDERERS) == CHAOS_RENDERERS)
            break;
    }
    assert_true(served_metric_becomes(served, "landscaped_pictures_waiting", 0));
}

/* One harm a job: to a renderer that waits for it, or soon after the job has come. */
static void make_chaos(int signal, int times, const char *seconds, struct tally *tally)
{
    const char *options[] = { "--renderers", "2", "--render-seconds", seconds, NULL };
    struct served *served = served_start(options);
    struct chaos_others others;
    int before, tries = 0;

    *tally = (struct tally){ 0 };
    assert_non_null(served);
    chaos_hill(served, "hill");
    chaos_hill(served, "meadow");
    call_both(served, -100);
    before = descriptors(served);
    chaos_others_start(&others, served, "meadow");
    for (int i = 0; i < times; i++) {
        bool early = i % 2;

        for (int which = i; early && !chaos_harm(served, signal, which); which++)
            usleep(1000); /* its successor is about to come */
        post(served, i);
        usleep((useconds_t)(i * 7919 % 13) * 1000);
        for (int which = i; !early && !chaos_harm(served, signal, which); which++)
            usleep(1000);
        tally->harmed++;
        judge(served, i, tally);
    }
    chaos_others_stop(&others);
    printf("%s under %d jobs: %d done, %d failed; %d views drawn, %d told why not; %d other "
           "requests, %d disturbed\n",
           signal ? strsignal(signal) : "No memory", tally->jobs, tally->done, tally->failed,
           tally->drawn, tally->told, others.asked, others.disturbed);
    assert_int_equal(others.disturbed, 0);
    assert_true(others.asked > 0);
    call_both(served, -200);
    while ((descriptors(served) > before || dead(served)) && tries++ < 600)
        usleep(100000);
    assert_in_range(descriptors(served), 1, before);
    assert_int_equal(dead(served), 0);
    assert_int_equal(served_stop(served), 0);
    served_free(served);
}

static void crashes_cost_no_view(void **state)
{
    struct tally tally;

    (void)state;
    make_chaos(SIGSEGV, chaos_times(5), "60", &tally);
    assert_int_equal(tally.told + tally.late, 0);
}

static void kills_cost_no_view(void **state)
{
    struct tally tally;

    (void)state;
    make_chaos(SIGKILL, chaos_times(5), "60", &tally);
    assert_int_equal(tally.told + tally.late, 0);
}

static void stops_cost_a_view_at_the_deadline(void **state)
{
    struct tally tally;

    (void)state;
    make_chaos(SIGSTOP, chaos_times(1), "15", &tally);
    assert_in_range(tally.told + tally.late, 0, tally.harmed);
}

static void want_of_memory_costs_at_most_a_view_each(void **state)
{
    struct tally tally;

    (void)state;
    make_chaos(0, chaos_times(4), "60", &tally);
    assert_in_range(tally.told + tally.late, 0, tally.harmed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crashes_cost_no_view),
        cmocka_unit_test(kills_cost_no_view),
        cmocka_unit_test(stops_cost_a_view_at_the_deadline),
        cmocka_unit_test(want_of_memory_costs_at_most_a_view_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
