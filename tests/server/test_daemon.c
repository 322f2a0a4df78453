/* The process: how it starts, what it refuses, how it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/server/harness.h"

/* Runs a command line to its end; its exit status, and what it printed on both outputs. */
static int run(const char *line, char *said, size_t room)
{
    char command[1024];
    FILE *from;
    size_t used;
    int status;

    snprintf(command, sizeof command, "timeout 20 %s 2>&1", line);
    from = popen(command, "r");
    assert_non_null(from);
    used = fread(said, 1, room - 1, from);
    assert_true(used < room - 1);
    said[used] = '\0';
    status = pclose(from);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void refuses(const char *line, int status, const char *says)
{
    char said[1 << 16]; /* more than any page: who cuts it short ends its writer */

    assert_int_equal(run(line, said, sizeof said), status);
    if (!strstr(said, says))
        fail_msg("%s said: %s", line, said);
}

static void a_wrong_command_line_is_refused_with_the_right_word(void **state)
{
    (void)state;
    refuses("./landscaped --lisen 1", 2, "did you mean --listen");
    refuses("./landscaped listen", 2, "no option");
    refuses("./landscaped --listen", 2, "needs a value");
    refuses("./landscaped --workers 0", 2, "from 1 to 1024");
    refuses("./landscaped --workers many", 2, "whole number");
    refuses("./landscaped --json-body-bytes 12", 2, "1024");
    refuses("./landscaped --log-format xml", 2, "text, json");
    refuses("./landscaped --config /nowhere/at/all", 2, "/nowhere/at/all");
    refuses("./landscaped --new-token anna", 2, "name and scopes");
    refuses("./landscaped --new-token anna everything", 2, "read, edit or admin");
}

static void help_version_and_manual_are_printed(void **state)
{
    (void)state;
    refuses("./landscaped --help", 0, "--cache-bytes");
    refuses("./landscaped --version", 0, "landscaped 0.");
    refuses("./landscaped --manual", 0, ".TH LANDSCAPED 8");
}

static void what_is_not_safe_or_clear_does_not_start(void **state)
{
    static const struct {
        const char *options, *says;
    } wrongs[] = {
        { "--listen 0.0.0.0:0", "--tokens" }, /* others could reach it */
        { "--listen [::]:0", "--tokens" },      { "--listen nonsense", "ADDR:PORT" },
        { "--listen 127.0.0.1:99999", "port" }, { "--public-url maps.example", "https://" },
    };
    char folder[64], line[256];

    (void)state;
    snprintf(folder, sizeof folder, "/tmp/landscaped-never-%d", (int)getpid());
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        snprintf(line, sizeof line, "./landscaped %s --data %s", wrongs[i].options, folder);
        refuses(line, 1, wrongs[i].says);
        assert_int_not_equal(access(folder, F_OK), 0);
    }
}

static void a_folder_belongs_to_one_daemon(void **state)
{
    struct served *served = served_start(NULL);
    char line[256];

    (void)state;
    assert_non_null(served);
    snprintf(line, sizeof line, "./landscaped --listen 127.0.0.1:0 --data %s/data", served->folder);
    refuses(line, 1, "cannot-start");
    served_free(served);
}

static void a_file_configures_and_the_command_line_wins(void **state)
{
    char name[] = "/tmp/landscaped-config-XXXXXX";
    const char *options[] = { "--config", name, "--head-seconds", "7", NULL };
    FILE *to = fdopen(mkstemp(name), "w");
    struct served *served;
    struct answer answer;

    (void)state;
    fprintf(to, "# the limits\n\nhead_seconds = 5\n  idle-seconds=6\ncors_origin = *\n");
    fclose(to);
    served = served_start(options);
    assert_non_null(served);
    served_ask(served, "GET", "/v1/info", NULL, NULL, 0, &answer);
    assert_non_null(strstr((char *)answer.body, "\"head_seconds\":7"));
    assert_non_null(strstr((char *)answer.body, "\"idle_seconds\":6"));
    assert_string_equal(answer_header(&answer, "Access-Control-Allow-Origin"), "*");
    answer_free(&answer);
    served_free(served);
    to = fopen(name, "w");
    fprintf(to, "head_seconds = 5\nnonsense = 1\n");
    fclose(to);
    {
        char line[128];
        snprintf(line, sizeof line, "./landscaped --config %s", name);
        refuses(line, 2, "line 2");
    }
    unlink(name);
}

static void tokens_rule_over_http_too(void **state)
{
    char name[] = "/tmp/landscaped-tokens-XXXXXX", said[1024], token[128], header[256];
    const char *options[] = { "--tokens", name, NULL };
    FILE *to = fdopen(mkstemp(name), "w");
    struct served *served;
    struct answer answer;
    char *line;

    (void)state;
    assert_int_equal(run("./landscaped --new-token anna read", said, sizeof said), 0);
    line = strchr(said, '\n');
    snprintf(token, sizeof token, "%.*s", (int)(line - said), said);
    fprintf(to, "%s", line + 1);
    fclose(to);
    served = served_start(options);
    assert_non_null(served);
    served_ask(served, "GET", "/healthz", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    served_ask(served, "GET", "/v1/info", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 401);
    assert_non_null(answer_header(&answer, "WWW-Authenticate"));
    answer_free(&answer);
    snprintf(header, sizeof header, "Authorization: Bearer %s\r\n", token);
    served_ask(served, "GET", "/v1/info", header, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    served_ask(served, "DELETE", "/v1/landscapes/x", header, NULL, 0, &answer);
    assert_int_equal(answer.status, 403);
    answer_free(&answer);
    served_free(served);
    unlink(name);
}

/* A worker thread that is busy for as long as the test likes: it waits for a stopped decoder. */
struct stall {
    pid_t decoder;
    int socket;
};

static void stall_begin(struct stall *stall, const struct served *served)
{
    static const char grid[] = "ncols 8\nnrows 8\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
                               "1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n"
                               "1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n"
                               "1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n";
    char request[1024];
    int length = snprintf(request, sizeof request,
                          "POST /v1/landscapes/stalled/import HTTP/1.1\r\nHost: a\r\n"
                          "Content-Type: application/octet-stream\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          sizeof grid - 1, grid);

    assert_true(served_metric_becomes(served, "landscaped_decoder_starts_total",
                                      1)); /* it starts beside the daemon */
    assert_int_equal(served_helpers(served, "landscaped-deco", &stall->decoder, 1), 1);
    kill(stall->decoder, SIGSTOP);
    stall->socket = served_connect(served);
    assert_true(served_send(stall->socket, request, (size_t)length));
    assert_true(served_metric_becomes(served, "landscaped_workers_running", 1));
}

static void stall_end(struct stall *stall)
{
    struct answer answer;

    kill(stall->decoder, SIGCONT);
    served_receive(stall->socket, 60, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    close(stall->socket);
}

static const char slow[] = "GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";

/* Too much is refused in words, and never waits without end. */
static void a_full_queue_is_503_with_retry_after(void **state)
{
    static const char *const options[] = { "--workers", "1",          "--requests-in-work",
                                           "4",         "--decoders", "1",
                                           NULL };
    struct served *served = served_start(options);
    int sockets[200];
    struct stall stall;
    struct answer answer;

    (void)state;
    assert_non_null(served);
    stall_begin(&stall, served);
    for (int i = 0; i < 200; i++) {
        sockets[i] = served_connect(served);
        served_send(sockets[i], slow, sizeof slow - 1);
        if (i == 2) /* these find the last places */
            assert_true(served_metric_becomes(served, "landscaped_workers_waiting", 3));
    }
    for (int i = 3; i < 200; i++) {
        served_receive(sockets[i], 60, &answer);
        assert_int_equal(answer.status, 503);
        assert_non_null(answer_header(&answer, "Retry-After"));
        answer_free(&answer);
        close(sockets[i]);
    }
    stall_end(&stall);
    for (int i = 0; i < 3; i++) {
        served_receive(sockets[i], 60, &answer);
        assert_int_equal(answer.status, 200);
        answer_free(&answer);
        close(sockets[i]);
    }
    served_free(served);
}

static void slow_requests_do_not_hold_up_quick_ones(void **state)
{
    static const char *const options[] = { "--workers", "1", "--decoders", "1", NULL };
    struct served *served = served_start(options);
    int sockets[250];
    struct stall stall;
    struct answer answer;

    (void)state;
    assert_non_null(served);
    stall_begin(&stall, served);
    for (int i = 0; i < 250; i++) {
        sockets[i] = served_connect(served);
        served_send(sockets[i], slow, sizeof slow - 1);
    }
    assert_true(served_metric_becomes(served, "landscaped_workers_waiting", 250));
    for (int i = 0; i < 20; i++) { /* whichever thread of the server has the connection */
        served_ask(served, "GET", "/healthz", NULL, NULL, 0, &answer);
        assert_int_equal(answer.status, 200);
        answer_free(&answer);
    }
    assert_true(served_metric(served, "landscaped_workers_waiting") == 250);
    stall_end(&stall);
    for (int i = 0; i < 250; i++)
        close(sockets[i]);
    assert_int_equal(served_stop(served), 0);
    served_free(served);
}

static void log_lines_are_json_when_asked(void **state)
{
    static const char *const options[] = { "--log-format", "json", NULL };
    struct served *served = served_start(options);
    char path[128], line[2048];
    struct answer answer;
    bool found = false;
    FILE *from;

    (void)state;
    assert_non_null(served);
    served_ask(served, "GET", "/v1/\"quoted\"", NULL, NULL, 0, &answer);
    answer_free(&answer);
    assert_int_equal(served_stop(served), 0);
    snprintf(path, sizeof path, "%s/log", served->folder);
    from = fopen(path, "r");
    assert_non_null(from);
    while (fgets(line, sizeof line, from)) {
#ifdef __SANITIZE_THREAD__ /* what it says of the helpers' GDAL and Mesa comes in between */
        if (line[0] != '{')
            continue;
#endif
        assert_int_equal(line[0], '{');
        assert_non_null(strstr(line, "}\n"));
        found = found || (strstr(line, "\"event\":\"request\"") && strstr(line, "\"status\":404") &&
                          strstr(line, "\"method\":\"GET\"") && strstr(line, "\"ms\":"));
    }
    fclose(from);
    assert_true(found);
    served_free(served);
}

static void metrics_count_what_was_asked(void **state)
{
    struct served *served = served_start(NULL);
    struct answer answer;

    (void)state;
    assert_non_null(served);
    for (int i = 0; i < 3; i++) {
        served_ask(served, "GET", "/healthz", NULL, NULL, 0, &answer);
        answer_free(&answer);
    }
    assert_true(served_metric_becomes(
        served, "landscaped_requests_total{method=\"GET\",route=\"/healthz\",status=\"2xx\"}", 3));
    served_ask(served, "GET", "/metrics", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_non_null(strstr((char *)answer.body, "# TYPE landscaped_request_seconds histogram"));
    assert_non_null(strstr((char *)answer.body, "process_resident_memory_bytes "));
    assert_non_null(strstr((char *)answer.body, "landscaped_workers 64\n"));
    answer_free(&answer);
    served_free(served);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_command_line_is_refused_with_the_right_word),
        cmocka_unit_test(help_version_and_manual_are_printed),
        cmocka_unit_test(what_is_not_safe_or_clear_does_not_start),
        cmocka_unit_test(a_folder_belongs_to_one_daemon),
        cmocka_unit_test(a_file_configures_and_the_command_line_wins),
        cmocka_unit_test(tokens_rule_over_http_too),
        cmocka_unit_test(a_full_queue_is_503_with_retry_after),
        cmocka_unit_test(slow_requests_do_not_hold_up_quick_ones),
        cmocka_unit_test(log_lines_are_json_when_asked),
        cmocka_unit_test(metrics_count_what_was_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
