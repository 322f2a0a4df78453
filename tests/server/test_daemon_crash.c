/* A real daemon under eight clients that edit: killed, and on a disk that fails and fills up.
 * What it answered with 2xx is there afterwards, and nothing is there by half.
 * LANDSCAPED_SOAK=1 makes the rounds many. */
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/server/crash_ground.h"
#include "tests/server/harness.h"

enum { CLIENTS = 8 };

/* One client, its squares, and what it was answered. */
struct client {
    struct served *served;
    pthread_t thread;
    int number;
    int32_t acked, tried;
    _Atomic int64_t acks, refusals;
    uint64_t version; /* of the last answer */
    char wrong[300];  /* an answer that may not be */
    char last[300];   /* refusal */
    _Atomic bool *stop;
};

struct bench {
    struct served *served;
    struct client clients[CLIENTS];
    _Atomic bool stop;
    char control[4200];
    int rounds;
    int64_t acks, refusals, lost, halves;
    double longest_start, all_starts;
    unsigned seed;
};

static int length_of_edit(const struct client *client, int32_t code, char *body, size_t room)
{
    struct rect a = crash_ground_square(client->number, 0),
                b = crash_ground_square(client->number, 1);
    double metres = (code - 32768) / 128.0;

    return snprintf(body, room,
                    "{\"ops\":[{\"tool\":\"set\",\"height\":%.7f,\"region\":{\"x\":%d,\"y\":%d,"
                    "\"width\":%d,\"height\":%d}},{\"tool\":\"set\",\"height\":%.7f,\"region\":"
                    "{\"x\":%d,\"y\":%d,\"width\":%d,\"height\":%d}}]}",
                    metres, a.x, a.y, a.width, a.height, metres, b.x, b.y, b.width, b.height);
}

/* The number behind a member's name; 0 when it is not there. */
static uint64_t member(const struct answer *answer, const char *name)
{
    const char *at = answer->body ? strstr((const char *)answer->body, name) : NULL;

    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* False when the connection is of no more use. */
static bool edit_once(struct client *client, int socket)
{
    char body[600], request[1000];
    struct answer answer = { 0 };
    int status;
    int length = length_of_edit(client, ++client->tried, body, sizeof body);

    length = snprintf(request, sizeof request,
                      "POST /v1/landscapes/ground/edits HTTP/1.1\r\nHost: localhost\r\n"
                      "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
                      length, body);
    if (!served_send(socket, request, (size_t)length))
        return false;
    served_receive(socket, 30, &answer);
    status = answer.status;
    if (answer.status == 200) {
        uint64_t version = member(&answer, "\"version\":");

        if (version <= client->version)
            snprintf(client->wrong, sizeof client->wrong, "version %" PRIu64 " behind %" PRIu64,
                     version, client->version);
        client->version = version;
        client->acked = client->tried;
        client->acks++;
    } else if (answer.status) {
        if (answer.status != 500 && answer.status != 503 && answer.status != 507)
            snprintf(client->wrong, sizeof client->wrong, "%d: %.250s", answer.status, answer.body);
        snprintf(client->last, sizeof client->last, "%.250s", answer.body);
        client->refusals++;
        usleep(2000);
    }
    answer_free(&answer);
    return status != 0;
}

static void *edit_on(void *context)
{
    struct client *client = context;
    int socket = served_connect(client->served);

    client->version = 0;
    while (socket >= 0 && !atomic_load(client->stop) && edit_once(client, socket))
        ;
    if (socket >= 0)
        close(socket);
    return NULL;
}

static void go(struct bench *bench)
{
    atomic_store(&bench->stop, false);
    for (int i = 0; i < CLIENTS; i++)
        assert_int_equal(
            pthread_create(&bench->clients[i].thread, NULL, edit_on, &bench->clients[i]), 0);
}

/* Until any client has been refused once, or answered, more often than that. */
static void wait_for(struct bench *bench, bool refused, int64_t than)
{
    int64_t sum = than;

    for (int i = 0; sum <= than; i++) {
        if (i == 600) {
            served_show_log(bench->served);
            fail_msg("%" PRId64 " %s within 30 s; refused was %s", sum,
                     refused ? "refused" : "acknowledged", bench->clients[0].last);
        }
        usleep(50000);
        sum = 0;
        for (int j = 0; j < CLIENTS; j++)
            sum += refused ? bench->clients[j].refusals : bench->clients[j].acks;
    }
}

static void stop(struct bench *bench)
{
    atomic_store(&bench->stop, true);
    for (int i = 0; i < CLIENTS; i++) {
        struct client *client = &bench->clients[i];

        pthread_join(client->thread, NULL);
        if (client->wrong[0])
            fail_msg("client %d was answered %s", i, client->wrong);
        bench->acks += client->acks;
        bench->refusals += client->refusals;
        client->acks = client->refusals = 0;
    }
}

/* The one code of both squares of a client; -1 when they are not all one, which is told. Both are
 * read at once: what was refused because the disk failed may come to be after all, at any time. */
static int32_t code_of(struct bench *bench, int number)
{
    const struct client *client = &bench->clients[number];
    struct rect squares[2] = { crash_ground_square(number, 0), crash_ground_square(number, 1) };
    struct rect both = rect_join(squares[0], squares[1]);
    struct answer answer = { 0 };
    char target[200];
    int32_t first = -1;

    snprintf(target, sizeof target,
             "/v1/landscapes/ground/heights?format=r16&x=%d&y=%d&width=%d&height=%d", both.x,
             both.y, both.width, both.height);
    served_ask(bench->served, "GET", target, NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_int_equal(answer.length, rect_area(both) * 2);
    for (int i = 0; i < 2 * CRASH_SIDE * CRASH_SIDE && first >= -1; i++) {
        const struct rect *square = &squares[i / (CRASH_SIDE * CRASH_SIDE)];
        int32_t x = square->x + i % CRASH_SIDE, y = square->y + i / CRASH_SIDE % CRASH_SIDE;
        const uint8_t *at = answer.body + 2 * ((y - both.y) * both.width + x - both.x);
        int32_t code = at[0] | at[1] << 8;

        first = i ? first : code;
        if (code == first)
            continue;
        print_message("client %d: code %d at %d, %d, %d before; %d acknowledged, %d tried\n",
                      number, code, x, y, first, client->acked, client->tried);
        first = -2;
    }
    answer_free(&answer);
    return first;
}

static void compare(struct bench *bench)
{
    for (int i = 0; i < CLIENTS; i++) {
        struct client *client = &bench->clients[i];
        int32_t code = code_of(bench, i);

        bench->halves += code < 0;
        bench->lost += code >= 0 && (code < client->acked || code > client->tried);
        client->acked = code;
    }
}

/* Starts it again, and waits until the landscape answers. */
static void again(struct bench *bench)
{
    double began = served_seconds();
    struct answer answer = { 0 };

    assert_true(served_again(bench->served, NULL));
    served_ask(bench->served, "GET", "/v1/landscapes/ground", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    answer_free(&answer);
    began = served_seconds() - began;
    bench->all_starts += began;
    bench->longest_start = began > bench->longest_start ? began : bench->longest_start;
}

static void disk(const struct bench *bench, const char *line)
{
    char fresh[4300];
    int file;

    snprintf(fresh, sizeof fresh, "%s.new", bench->control);
    file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, line, strlen(line)), strlen(line));
    close(file);
    assert_int_equal(rename(fresh, bench->control), 0);
}

/* The daemon's data folder fails as the control file says. */
static void preload(const struct bench *bench)
{
    char library[4200], folder[4200];
    ssize_t length = readlink("/proc/self/exe", library, 4000);

    assert_true(length > 0);
    library[length] = '\0';
    strcpy(strrchr(library, '/') + 1, "fault_io.so");
    assert_non_null(realpath(bench->served->folder, folder));
    setenv("FAULT_IO_FOLDER", strcat(folder, "/data"), 1);
    setenv("FAULT_IO_CONTROL", bench->control, 1);
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
    setenv("LD_PRELOAD", library, 1);
}

static int begin(void **state)
{
    static const char body[] = "{\"layout\":{\"components\":[16,8],\"section_quads\":63}}";
    struct bench *bench = calloc(1, sizeof *bench);
    struct answer answer = { 0 };

    bench->rounds = getenv("LANDSCAPED_SOAK") ? 200 : 5;
    bench->served = served_start(NULL);
    assert_non_null(bench->served);
    assert_non_null(realpath(bench->served->folder, bench->control));
    strcat(bench->control, "/control");
    served_ask(bench->served, "PUT", "/v1/landscapes/ground", "Content-Type: application/json\r\n",
               body, strlen(body), &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    for (int i = 0; i < CLIENTS; i++)
        bench->clients[i] = (struct client){ .served = bench->served,
                                             .number = i,
                                             .acked = 32768,
                                             .tried = 32768,
                                             .stop = &bench->stop };
    *state = bench;
    return 0;
}

static int end(void **state)
{
    struct bench *bench = *state;

    unsetenv("LD_PRELOAD");
    served_free(bench->served);
    free(bench);
    return 0;
}

static void report(const struct bench *bench, const char *what)
{
    print_message("%s: %d rounds, %" PRId64 " acknowledged, %" PRId64 " refused, %" PRId64
                  " lost, %" PRId64 " half applied, start to first answer %.0f ms on average, "
                  "%.0f ms at most\n",
                  what, bench->rounds, bench->acks, bench->refusals, bench->lost, bench->halves,
                  bench->all_starts / bench->rounds * 1e3, bench->longest_start * 1e3);
    assert_true(bench->acks > 0);
    assert_int_equal(bench->lost, 0);
    assert_int_equal(bench->halves, 0);
}

static void no_edit_that_was_answered_is_lost_by_kill_9(void **state)
{
    struct bench *bench = *state;

    for (int round = 0; round < bench->rounds; round++) {
        go(bench);
        usleep(50000 + (unsigned)rand_r(&bench->seed) % 400000);
        served_kill(bench->served);
        stop(bench);
        again(bench);
        compare(bench);
    }
    report(bench, "daemon, kill -9");
}

static void a_failing_disk_refuses_edits_and_serves_reads(void **state)
{
    static const char *const kinds[] = { "EIO 30 0\n", "EIO 0 200\n", "ENOSPC 1000 0\n",
                                         "EIO 300 300\n", "ENOSPC 100 100\n" };
    struct bench *bench = *state;

    disk(bench, "OK\n");
    served_kill(bench->served);
    preload(bench);
    again(bench);
    bench->all_starts = 0;
    for (int round = 0; round < bench->rounds; round++) {
        struct answer answer = { 0 };

        disk(bench, kinds[round % (int)(sizeof kinds / sizeof *kinds)]);
        go(bench);
        wait_for(bench, true, 0);
        usleep(200000);
        served_ask(bench->served, "GET", "/v1/landscapes/ground/height?x=20&y=120", NULL, NULL, 0,
                   &answer); /* reads go on */
        assert_int_equal(answer.status, 200);
        answer_free(&answer);
        stop(bench);
        compare(bench);
        disk(bench, "OK\n"); /* and edits, when it is well again */
        go(bench);
        wait_for(bench, false, CLIENTS);
        stop(bench);
        if (round % 2) {
            served_kill(bench->served);
            again(bench);
        }
        compare(bench);
    }
    report(bench, "daemon, failing disk");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(no_edit_that_was_answered_is_lost_by_kill_9),
        TEST(a_failing_disk_refuses_edits_and_serves_reads),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests_name("daemon crash", tests, NULL, NULL);
}
