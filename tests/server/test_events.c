/* Event streams from outside: what is told, to whom, how it goes on and how it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/server/listen.h"

static const char json_type[] = "Content-Type: application/json\r\n";

static struct served *serve(const char *const *options)
{
    static const char plain[] = "{\"layout\":{\"components\":[1,1],\"sections_per_component\":1,"
                                "\"section_quads\":63}}";
    struct served *served = served_start(options);
    struct answer answer;

    assert_non_null(served);
    served_ask(served, "PUT", "/v1/landscapes/field", json_type, plain, sizeof plain - 1, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    return served;
}

/* Raises the ground by the least there is, on a connection that is kept; the version that came of
 * it. */
static uint64_t edit_on(int socket)
{
    static const char body[] = "{\"ops\":[{\"tool\":\"raise\",\"region\":{\"x\":3,\"y\":4,"
                               "\"width\":2,\"height\":1},\"amount\":0.0078125}]}";
    char request[512];
    struct answer answer;
    const char *version;
    uint64_t made;
    int length = snprintf(request, sizeof request,
                          "POST /v1/landscapes/field/edits HTTP/1.1\r\nHost: a\r\n%s"
                          "Content-Length: %zu\r\n\r\n%s",
                          json_type, sizeof body - 1, body);

    assert_true(served_send(socket, request, (size_t)length));
    served_receive(socket, 60, &answer);
    assert_int_equal(answer.status, 200);
    version = strstr((char *)answer.body, "\"version\":");
    made = strtoull(version + 10, NULL, 10);
    answer_free(&answer);
    return made;
}

static void edit(const struct served *served, int times)
{
    int socket = served_connect(served);

    for (int i = 0; i < times; i++)
        edit_on(socket);
    close(socket);
}

static void next_is(struct listen *listen, const char *event, uint64_t version)
{
    struct told told;
    char wanted[64];
    enum told_as as = listen_event(listen, 60, &told);

    snprintf(wanted, sizeof wanted, "%" PRIu64, version);
    if (as != TOLD || strcmp(told.event, event) || strcmp(told.id, wanted))
        fail_msg("%d: %s %s where %s %s was expected", as, told.event, told.id, event, wanted);
    snprintf(wanted, sizeof wanted, "{\"version\":%" PRIu64, version);
    assert_int_equal(strncmp(told.data, wanted, strlen(wanted)), 0);
}

static void ends_as(struct listen *listen, enum told_as as)
{
    struct told told;

    assert_int_equal(listen_event(listen, 60, &told), as);
    listen_end(listen);
}

/* ---- what is told ---- */

static void each_version_is_told_once_and_can_be_read(void **state)
{
    struct served *served = serve(NULL);
    struct listen listen;
    struct told told;
    int socket = served_connect(served);

    (void)state;
    assert_true(listen_begin(&listen, served, "field", "", NULL));
    assert_string_equal(answer_header(&listen.head, "Content-Type"), "text/event-stream");
    assert_string_equal(answer_header(&listen.head, "Cache-Control"), "no-store");
    assert_string_equal(answer_header(&listen.head, "Landscape-Version"), "1");
    assert_int_equal(listen_next(&listen, 60, &told), TOLD); /* who is cut now knows where */
    assert_string_equal(told.id, "1");
    assert_string_equal(told.event, "");
    for (uint64_t version = 2; version < 30; version++) {
        struct answer answer;

        assert_int_equal(edit_on(socket), version);
        assert_int_equal(listen_event(&listen, 60, &told), TOLD);
        assert_string_equal(told.event, "change");
        assert_int_equal(strtoull(told.id, NULL, 10), version);
        served_ask(served, "GET", "/v1/landscapes/field", NULL, NULL, 0, &answer);
        assert_true(strtoull(answer_header(&answer, "Landscape-Version"), NULL, 10) >= version);
        answer_free(&answer);
    }
    assert_string_equal(told.data,
                        "{\"version\":29,\"kind\":\"edit\",\"dirty\":{\"x\":3,\"y\":4,\"width\":2,"
                        "\"height\":1},\"changed\":2,\"what\":[\"heights\",\"layers\"],"
                        "\"author\":null,\"tiles\":{\"own\":[[0,0,0,0],[0,0,0,0],[0,0,0,0],"
                        "[0,0,0,0],[0,0,0,0]]}}");
    close(socket);
    listen_end(&listen);
    assert_int_equal(served_stop(served), 0);
    served_free(served);
}

static void other_things_than_heights_are_told(void **state)
{
    static const char title[] = "{\"title\":\"other\"}";
    struct served *served = serve(NULL);
    struct answer answer;
    struct listen listen;
    struct told told;

    (void)state;
    assert_true(listen_begin(&listen, served, "field", "", NULL));
    served_ask(served, "PATCH", "/v1/landscapes/field",
               "Content-Type: application/merge-patch+json\r\n", title, sizeof title - 1, &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    assert_int_equal(listen_event(&listen, 60, &told), TOLD);
    assert_string_equal(told.data, "{\"version\":2,\"kind\":\"edit\",\"dirty\":null,\"changed\":0,"
                                   "\"what\":[\"settings\"],\"author\":null,\"tiles\":null}");
    served_ask(served, "POST", "/v1/landscapes/field/undo", NULL, "", 0, &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    assert_int_equal(listen_event(&listen, 60, &told), TOLD);
    assert_string_equal(told.data, "{\"version\":3,\"kind\":\"undo\",\"dirty\":null,\"changed\":0,"
                                   "\"what\":[\"settings\"],\"author\":null,\"tiles\":null}");
    listen_end(&listen);
    served_free(served);
}

static void nothing_is_told_of_what_changes_nothing(void **state)
{
    static const char raise[] = "{\"ops\":[{\"tool\":\"raise\",\"path\":[[9,9]],\"radius\":4,"
                                "\"amount\":1}]}";
    static const char none[] = "{\"ops\":[{\"tool\":\"raise\",\"path\":[[9,9]],\"radius\":4,"
                               "\"amount\":0}]}";
    static const struct {
        const char *target, *headers, *body;
    } edits[] = {
        { "/v1/landscapes/field/edits", "Idempotency-Key: one\r\n", raise },
        { "/v1/landscapes/field/edits", "Idempotency-Key: one\r\n", raise },
        { "/v1/landscapes/field/edits?dry_run=true", "", raise },
        { "/v1/landscapes/field/edits", "", none },
        { "/v1/landscapes/field/edits", "", raise },
    };
    struct served *served = serve(NULL);
    struct listen listen;

    (void)state;
    assert_true(listen_begin(&listen, served, "field", "", NULL));
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct answer answer;
        char headers[128];

        snprintf(headers, sizeof headers, "%s%s", json_type, edits[i].headers);
        served_ask(served, "POST", edits[i].target, headers, edits[i].body, strlen(edits[i].body),
                   &answer);
        assert_int_equal(answer.status, 200);
        answer_free(&answer);
    }
    next_is(&listen, "change", 2);
    next_is(&listen, "change", 3);
    listen_end(&listen);
    served_free(served);
}

static void each_hears_of_its_own_landscape(void **state)
{
    static const char plain[] = "{\"layout\":{\"components\":[1,1],\"sections_per_component\":1,"
                                "\"section_quads\":7}}";
    static const char raise[] = "{\"ops\":[{\"tool\":\"raise\",\"path\":[[3,3]],\"radius\":2,"
                                "\"amount\":1}]}";
    enum { COUNT = 40 };
    struct served *served = serve(NULL);
    struct listen listens[COUNT];
    struct answer answer;
    char name[32], target[96];

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "own%d", i);
        snprintf(target, sizeof target, "/v1/landscapes/%s", name);
        served_ask(served, "PUT", target, json_type, plain, sizeof plain - 1, &answer);
        assert_int_equal(answer.status, 201);
        answer_free(&answer);
        assert_true(listen_begin(&listens[i], served, name, "", NULL));
    }
    for (int round = 0; round < 3; round++) {
        for (int i = COUNT - 1; i >= 0; i--) {
            snprintf(target, sizeof target, "/v1/landscapes/own%d/edits", i);
            for (int j = 0; j <= i % 3; j++) {
                served_ask(served, "POST", target, json_type, raise, sizeof raise - 1, &answer);
                assert_int_equal(answer.status, 200);
                answer_free(&answer);
            }
        }
    }
    for (int i = 0; i < COUNT; i++) {
        for (int version = 2; version < 2 + 3 * (i % 3 + 1); version++)
            next_is(&listens[i], "change", (uint64_t)version);
        snprintf(target, sizeof target, "/v1/landscapes/own%d", i);
        served_ask(served, "DELETE", target, NULL, NULL, 0, &answer);
        assert_int_equal(answer.status, 204);
        answer_free(&answer);
    }
    for (int i = 0; i < COUNT; i++) {
        struct told told;

        assert_int_equal(listen_event(&listens[i], 60, &told), TOLD);
        assert_string_equal(told.event, "deleted");
        ends_as(&listens[i], TOLD_END);
    }
    served_free(served);
}

/* A token's first line of --new-token is its secret, the second goes into the file. */
static void who_changed_it_is_told_to_those_who_may_read(void **state)
{
    static const char raise[] = "{\"ops\":[{\"tool\":\"raise\",\"path\":[[3,3]],\"radius\":2,"
                                "\"amount\":1}]}";
    char name[] = "/tmp/landscaped-tokens-XXXXXX", secret[128], line[512], headers[512];
    const char *options[] = { "--tokens", name, NULL };
    FILE *to = fdopen(mkstemp(name), "w"), *from = popen("./landscaped --new-token anna edit", "r");
    struct served *served = serve(NULL);
    struct answer answer;
    struct listen listen;
    struct told told;

    (void)state;
    assert_true(fgets(secret, sizeof secret, from) && fgets(line, sizeof line, from));
    secret[strcspn(secret, "\n")] = '\0';
    pclose(from);
    fputs(line, to);
    fclose(to);
    assert_int_equal(served_stop(served), 0);
    assert_true(served_again(served, options));
    assert_false(listen_begin(&listen, served, "field", "", NULL));
    assert_int_equal(listen.head.status, 401);
    listen_end(&listen);
    snprintf(headers, sizeof headers, "Authorization: Bearer %s\r\n", secret);
    assert_true(listen_begin(&listen, served, "field", "", headers));
    snprintf(headers, sizeof headers, "Authorization: Bearer %s\r\n%s", secret, json_type);
    served_ask(served, "POST", "/v1/landscapes/field/edits", headers, raise, sizeof raise - 1,
               &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    assert_int_equal(listen_event(&listen, 60, &told), TOLD);
    assert_non_null(strstr(told.data, "\"author\":\"anna\""));
    listen_end(&listen);
    served_free(served);
    unlink(name);
}

/* ---- going on ---- */

static void who_comes_again_goes_on_where_it_was(void **state)
{
    static const char *const options[] = { "--events-kept", "16", NULL };
    static const struct {
        const char *since, *header;
        uint64_t reset, first; /* a reset at that version, or none; then that change */
    } ways[] = {
        { "", NULL, 0, 41 },
        { "?since=35", NULL, 0, 36 },
        { "?since=40", NULL, 0, 41 },
        { "?since=24", NULL, 0, 25 },
        { "?since=23", NULL, 40, 41 }, /* no longer known */
        { "?since=0", NULL, 40, 41 },
        { "?since=41", NULL, 40, 41 }, /* of another life of it */
        { "", "Last-Event-ID: 38\r\n", 0, 39 },
        { "?since=3", "Last-Event-ID: 38\r\n", 0, 39 },
        { "?since=3", "Last-Event-ID:\r\n", 40, 41 },
        { "", "Last-Event-ID: 9007199254740991\r\n", 40, 41 },
    };
    enum { WAYS = sizeof ways / sizeof *ways };
    struct served *served = serve(options);
    struct listen listens[WAYS];

    (void)state;
    edit(served, 39);
    for (size_t i = 0; i < WAYS; i++)
        assert_true(listen_begin(&listens[i], served, "field", ways[i].since, ways[i].header));
    edit(served, 1);
    for (size_t i = 0; i < WAYS; i++) {
        if (ways[i].reset)
            next_is(&listens[i], "reset", ways[i].reset);
        for (uint64_t version = ways[i].first; version <= 41; version++)
            next_is(&listens[i], "change", version);
        listen_end(&listens[i]);
    }
    served_free(served);
}

/* Even when the daemon was killed meanwhile: the log knows. */
static void who_comes_to_another_daemon_goes_on_too(void **state)
{
    struct served *served = serve(NULL);
    struct listen listens[20];

    (void)state;
    edit(served, 9);
    served_kill(served);
    assert_true(served_again(served, NULL));
    for (int i = 0; i < 20; i++)
        assert_true(listen_begin(&listens[i], served, "field", "", "Last-Event-ID: 4\r\n"));
    edit(served, 1);
    for (int i = 0; i < 20; i++) {
        for (uint64_t version = 5; version <= 11; version++)
            next_is(&listens[i], "change", version);
        listen_end(&listens[i]);
    }
    served_free(served);
}

static void asked_for(const struct served *served, const char *method, const char *target,
                      const char *body, int status)
{
    struct answer answer;

    served_ask(served, method, target, json_type, body, strlen(body), &answer);
    if (answer.status != status)
        fail_msg("%s %s: %d %s", method, target, answer.status, (char *)answer.body);
    answer_free(&answer);
}

/* Followers do not keep a landscape in memory. */
static void what_was_put_away_for_its_memory_still_tells(void **state)
{
    static const char *const options[] = { "--memory-bytes", "1200000", NULL };
    static const char wide[] = "{\"layout\":{\"components\":[4,4],\"sections_per_component\":2,"
                               "\"section_quads\":63}}";
    static const char rough[] = "{\"ops\":[{\"tool\":\"noise\",\"region\":{\"x\":0,\"y\":0,"
                                "\"width\":505,\"height\":505},\"amplitude\":20,\"cell\":9}]}";
    struct served *served = serve(options);
    struct listen listen;

    (void)state;
    assert_true(listen_begin(&listen, served, "field", "", NULL));
    edit(served, 1);
    asked_for(served, "PUT", "/v1/landscapes/wide", wide, 201);
    asked_for(served, "POST", "/v1/landscapes/wide/edits", rough, 200);
    for (int i = 0; served_metric(served, "landscaped_evictions_total") < 1; i++) {
        char to[64];

        assert_true(i < 8);
        snprintf(to, sizeof to, "{\"to\":\"wide%d\"}", i);
        asked_for(served, "POST", "/v1/landscapes/wide/copy", to, 201);
    }
    edit(served, 1); /* the first to go was the one asked for longest ago */
    next_is(&listen, "change", 2);
    next_is(&listen, "change", 3);
    listen_end(&listen);
    served_free(served);
}

static void what_cannot_be_followed_is_refused(void **state)
{
    struct served *served = serve(NULL);
    static const struct {
        const char *landscape, *since, *header;
        int status;
    } wrongs[] = {
        { "nowhere", "", NULL, 404 },
        { "field", "", "Last-Event-ID: x\r\n", 400 },
        { "field", "", "Last-Event-ID: 12345678901234567\r\n", 400 },
        { "field", "?since=-1", NULL, 400 },
        { "field", "?until=1", NULL, 400 },
        { "field", "", "Accept: application/json\r\n", 406 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        struct listen listen;

        assert_false(
            listen_begin(&listen, served, wrongs[i].landscape, wrongs[i].since, wrongs[i].header));
        assert_int_equal(listen.head.status, wrongs[i].status);
        listen_end(&listen);
    }
    assert_true(served_metric(served, "landscaped_event_streams") == 0);
    served_free(served);
}

/* ---- ends ---- */

static void a_deletion_ends_the_stream(void **state)
{
    struct served *served = serve(NULL);
    struct answer answer;
    struct listen listen;
    struct told told;

    (void)state;
    assert_true(listen_begin(&listen, served, "field", "", NULL));
    edit(served, 2);
    served_ask(served, "DELETE", "/v1/landscapes/field", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 204);
    answer_free(&answer);
    next_is(&listen, "change", 2);
    next_is(&listen, "change", 3);
    assert_int_equal(listen_event(&listen, 60, &told), TOLD);
    assert_string_equal(told.event, "deleted");
    assert_string_equal(told.data, "{\"version\":3}");
    assert_true(told.has_id && !*told.id);
    ends_as(&listen, TOLD_END);
    assert_true(served_metric_becomes(served, "landscaped_event_streams", 0));
    served_free(served);
}

static void a_stop_ends_the_streams_and_waits_for_none(void **state)
{
    static const char *const options[] = { "--stop-seconds", "3600", NULL };
    struct served *served = serve(options);
    struct listen listens[100];
    int status = 0;

    (void)state;
    for (int i = 0; i < 100; i++)
        assert_true(listen_begin(&listens[i], served, "field", "", NULL));
    edit(served, 1);
    kill(served->process, SIGTERM);
    for (int i = 0; i < 100; i++) {
        struct told told;

        if (listen_event(&listens[i], 60, &told) == TOLD) /* the change, unless it was too late */
            ends_as(&listens[i], TOLD_END);
        else
            listen_end(&listens[i]);
    }
    assert_int_equal(waitpid(served->process, &status, 0), served->process);
    served->process = 0;
    assert_int_equal(WEXITSTATUS(status), 0);
    served_free(served);
}

static void a_silent_stream_beats_and_a_gone_peer_is_found(void **state)
{
    static const char *const options[] = { "--event-beat-seconds", "1", NULL };
    struct served *served = serve(options);
    struct listen listen;
    struct told told;

    (void)state;
    assert_true(listen_begin(&listen, served, "field", "", NULL));
    assert_int_equal(listen_next(&listen, 60, &told), TOLD);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(listen_next(&listen, 60, &told), TOLD);
        assert_string_equal(told.event, ":");
    }
    assert_true(served_metric(served, "landscaped_event_streams") == 1);
    listen_end(&listen);
    assert_true(served_metric_becomes(served, "landscaped_event_streams", 0));
    assert_true(served_metric(served, "landscaped_event_streams_dropped_total") == 0);
    served_free(served);
}

/* ---- too slow, too many ---- */

/* A connection that the kernel keeps little for. */
static int connect_narrow(const struct served *served)
{
    const struct sockaddr_in address = { .sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)served->port),
                                         .sin_addr = { htonl(INADDR_LOOPBACK) } };
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), little = 1024;

    setsockopt(made, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    assert_int_equal(connect(made, (const struct sockaddr *)&address, sizeof address), 0);
    return made;
}

static void a_slow_reader_is_dropped_and_can_go_on(void **state)
{
    static const char *const options[] = {
        "--event-backlog", "20", "--events-kept", "4096", "--event-beat-seconds", "3600", NULL
    };
    struct served *served = serve(options);
    struct listen slow, quick;
    int socket = served_connect(served);
    uint64_t version = 1, at = 1;
    struct told told;
    char header[64];

    (void)state;
    assert_true(listen_ask(&slow, connect_narrow(served), "field", "", NULL));
    assert_true(listen_begin(&quick, served, "field", "", NULL));
    while (served_metric(served, "landscaped_event_streams_dropped_total") < 1) {
        for (int i = 0; i < 20; i++) {
            version = edit_on(socket);
            next_is(&quick, "change", version); /* nobody else waits for it */
        }
        assert_true(version < 4000);
    }
    while (listen_event(&slow, 60, &told) == TOLD)
        assert_int_equal(strtoull(told.id, NULL, 10), ++at);
    assert_false(slow.ended);
    listen_end(&slow);
    assert_true(at < version);
    snprintf(header, sizeof header, "Last-Event-ID: %" PRIu64 "\r\n", at);
    assert_true(listen_begin(&slow, served, "field", "", header));
    while (at < version)
        next_is(&slow, "change", ++at);
    listen_end(&slow);
    listen_end(&quick);
    close(socket);
    served_free(served);
}

/* One that takes nothing at all is dropped by the beat, however little waits for it. */
static void a_reader_that_takes_nothing_is_dropped(void **state)
{
    static const char *const options[] = {
        "--event-backlog", "1000000", "--events-kept", "100000", "--event-beat-seconds", "1", NULL
    };
    struct served *served = serve(options);
    struct listen slow;
    int socket = served_connect(served);

    (void)state;
    assert_true(listen_ask(&slow, connect_narrow(served), "field", "", NULL));
    for (double end = served_seconds() + 600;
         served_metric(served, "landscaped_event_streams_dropped_total") < 1;) {
        assert_true(served_seconds() < end);
        for (int i = 0; i < 20; i++)
            edit_on(socket);
    }
    listen_end(&slow);
    close(socket);
    served_free(served);
}

struct writer {
    pthread_t thread;
    const struct served *served;
};

static void *write_on(void *context)
{
    edit(((struct writer *)context)->served, 150);
    return NULL;
}

/* Whose sockets were full for a while go on in the middle of an event, and miss none. */
static void late_readers_of_many_writers_hear_all(void **state)
{
    enum { WRITERS = 8, LISTENERS = 40, VERSIONS = WRITERS * 150 };
    static const char *const options[] = { "--event-backlog", "4096", NULL };
    struct served *served = serve(options);
    struct listen listens[LISTENERS];
    struct writer writers[WRITERS];

    (void)state;
    for (int i = 0; i < LISTENERS; i++)
        assert_true(listen_ask(&listens[i], i % 2 ? connect_narrow(served) : served_connect(served),
                               "field", "", NULL));
    for (int i = 0; i < WRITERS; i++) {
        writers[i].served = served;
        assert_int_equal(pthread_create(&writers[i].thread, NULL, write_on, &writers[i]), 0);
    }
    for (int i = 0; i < LISTENERS / 2; i++) /* some while it goes on */
        for (uint64_t version = 2; version <= VERSIONS / 2; version++)
            next_is(&listens[i], "change", version);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i].thread, NULL);
    for (int i = 0; i < LISTENERS; i++) {
        uint64_t first = i < LISTENERS / 2 ? VERSIONS / 2 + 1 : 2;

        for (uint64_t version = first; version <= VERSIONS + 1; version++)
            next_is(&listens[i], "change", version);
        listen_end(&listens[i]);
    }
    assert_true(served_metric(served, "landscaped_event_streams_dropped_total") == 0);
    served_free(served);
}

static void too_many_streams_are_503_with_retry_after(void **state)
{
    static const char *const options[] = { "--event-streams", "3", NULL };
    struct served *served = serve(options);
    struct listen listens[3], more;

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(listen_begin(&listens[i], served, "field", "", NULL));
    assert_false(listen_begin(&more, served, "field", "", NULL));
    assert_int_equal(more.head.status, 503);
    assert_non_null(answer_header(&more.head, "Retry-After"));
    listen_end(&more);
    listen_end(&listens[1]);
    assert_true(served_metric_becomes(served, "landscaped_event_streams", 2));
    assert_true(listen_begin(&listens[1], served, "field", "", NULL));
    for (int i = 0; i < 3; i++)
        listen_end(&listens[i]);
    served_free(served);
}

static void one_address_has_as_many_streams_as_connections(void **state)
{
    static const char *const options[] = { "--connections-per-address", "4", NULL };
    struct served *served = serve(options);
    struct listen listens[4], more;

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_true(listen_begin(&listens[i], served, "field", "", NULL));
    assert_false(listen_begin(&more, served, "field", "", NULL));
    assert_int_equal(more.head.status, 503);
    listen_end(&more);
    listen_end(&listens[0]);
    assert_true(served_metric_becomes(served, "landscaped_event_streams", 3));
    assert_true(listen_begin(&listens[0], served, "field", "", NULL));
    for (int i = 0; i < 4; i++)
        listen_end(&listens[i]);
    assert_true(served_metric_becomes(served, "landscaped_event_streams", 0));
    served_free(served);
}

/* Ten times as many streams as there may be connections, and requests are served as ever. */
static void streams_take_no_room_from_requests(void **state)
{
    static const char *const options[] = { "--connections", "127", NULL };
    static const char ask[] = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    enum { STREAMS = 1270, REQUESTS = 127 };
    struct served *served = serve(options);
    struct listen *listens = calloc(STREAMS, sizeof *listens);
    int sockets[REQUESTS];
    struct answer answer;

    (void)state;
    for (int i = 0; i < STREAMS; i++)
        assert_true(listen_begin(&listens[i], served, "field", "", NULL));
    assert_true(served_metric(served, "landscaped_event_streams") == STREAMS);
    edit(served, 1);
    for (int i = 0; i < REQUESTS; i++) {
        sockets[i] = served_connect(served);
        assert_true(served_send(sockets[i], ask, sizeof ask - 1));
    }
    for (int i = 0; i < REQUESTS; i++) {
        served_receive(sockets[i], 60, &answer);
        assert_int_equal(answer.status, 200);
        answer_free(&answer);
        close(sockets[i]);
    }
    for (int i = 0; i < STREAMS; i++) {
        next_is(&listens[i], "change", 2);
        listen_end(&listens[i]);
    }
    assert_true(served_metric_becomes(served, "landscaped_event_streams", 0));
    free(listens);
    served_free(served);
}

/* ---- the way of HTTP ---- */

static void a_stream_comes_after_what_was_asked_before(void **state)
{
    static const char ask[] = "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n";
    struct served *served = serve(NULL);
    int socket = served_connect(served);
    struct listen listen = { .socket = socket };
    char request[256];
    int length = snprintf(request, sizeof request,
                          "GET /v1/landscapes/field/events HTTP/1.1\r\nHost: a\r\n\r\n");

    (void)state;
    for (int i = 0; i < 200; i++)
        assert_true(served_send(socket, ask, sizeof ask - 1));
    assert_true(served_send(socket, request, (size_t)length));
    for (int i = 0; i < 200; i++) {
        struct answer answer;

        served_receive(socket, 60, &answer);
        assert_int_equal(answer.status, 200);
        assert_non_null(strstr((char *)answer.body, "openapi"));
        answer_free(&answer);
    }
    served_receive(socket, 60, &listen.head);
    assert_string_equal(answer_header(&listen.head, "Content-Type"), "text/event-stream");
    edit(served, 1);
    next_is(&listen, "change", 2);
    listen_end(&listen);
    served_free(served);
}

static void head_and_http_1_0_are_answered_in_their_way(void **state)
{
    static const char old[] = "GET /v1/landscapes/field/events?since=0 HTTP/1.0\r\n\r\n";
    struct served *served = serve(NULL);
    struct answer answer;
    char text[1024];
    int socket;
    size_t used = 0;

    (void)state;
    served_ask(served, "HEAD", "/v1/landscapes/field/events", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_string_equal(answer_header(&answer, "Content-Type"), "text/event-stream");
    assert_null(answer_header(&answer, "Content-Length"));
    answer_free(&answer);
    assert_true(served_metric(served, "landscaped_event_streams") == 0);

    socket = served_connect(served);
    assert_true(served_send(socket, old, sizeof old - 1));
    served_receive(socket, 60, &answer);
    assert_int_equal(answer.status, 200);
    assert_string_equal(answer_header(&answer, "Connection"), "close");
    assert_null(answer_header(&answer, "Transfer-Encoding"));
    answer_free(&answer);
    served_ask(served, "DELETE", "/v1/landscapes/field", NULL, NULL, 0, &answer);
    answer_free(&answer);
    for (ssize_t got; (got = recv(socket, text + used, sizeof text - 1 - used, 0)) > 0;)
        used += (size_t)got;
    text[used] = '\0';
    assert_string_equal(text, "retry: 2000\nid: 0\n\n"
                              "event: reset\nid: 1\ndata: {\"version\":1}\n\n"
                              "event: deleted\nid\ndata: {\"version\":1}\n\n");
    close(socket);
    served_free(served);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_version_is_told_once_and_can_be_read),
        cmocka_unit_test(other_things_than_heights_are_told),
        cmocka_unit_test(nothing_is_told_of_what_changes_nothing),
        cmocka_unit_test(each_hears_of_its_own_landscape),
        cmocka_unit_test(who_changed_it_is_told_to_those_who_may_read),
        cmocka_unit_test(who_comes_again_goes_on_where_it_was),
        cmocka_unit_test(who_comes_to_another_daemon_goes_on_too),
        cmocka_unit_test(what_was_put_away_for_its_memory_still_tells),
        cmocka_unit_test(what_cannot_be_followed_is_refused),
        cmocka_unit_test(a_deletion_ends_the_stream),
        cmocka_unit_test(a_stop_ends_the_streams_and_waits_for_none),
        cmocka_unit_test(a_silent_stream_beats_and_a_gone_peer_is_found),
        cmocka_unit_test(a_slow_reader_is_dropped_and_can_go_on),
        cmocka_unit_test(a_reader_that_takes_nothing_is_dropped),
        cmocka_unit_test(late_readers_of_many_writers_hear_all),
        cmocka_unit_test(too_many_streams_are_503_with_retry_after),
        cmocka_unit_test(one_address_has_as_many_streams_as_connections),
        cmocka_unit_test(streams_take_no_room_from_requests),
        cmocka_unit_test(a_stream_comes_after_what_was_asked_before),
        cmocka_unit_test(head_and_http_1_0_are_answered_in_their_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
