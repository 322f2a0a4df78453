/* Writers side by side, with and without If-Match, and kill -9 among them: what they saw is the
 * history of one register, and who followed the events saw each version once, in order.
 * LANDSCAPED_SOAK makes it long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/server/linear.h"
#include "tests/server/listen.h"

/* ---- the checker itself ---- */

static struct linear_op write_of(uint32_t value, uint64_t if_match, double begun, double ended,
                                 uint64_t version)
{
    return (struct linear_op){ LINEAR_WRITE, LINEAR_DONE, begun, ended, if_match, version, value };
}

static struct linear_op lost(uint32_t value, uint64_t if_match, double begun, double ended)
{
    return (struct linear_op){ LINEAR_WRITE, LINEAR_UNKNOWN, begun, ended, if_match, 0, value };
}

static struct linear_op refused(uint32_t value, uint64_t if_match, double begun, double ended)
{
    return (struct linear_op){ LINEAR_WRITE, LINEAR_REFUSED, begun, ended, if_match, 0, value };
}

static struct linear_op read_of(uint64_t version, uint32_t value, double begun, double ended)
{
    return (struct linear_op){ LINEAR_READ, LINEAR_DONE, begun, ended, 0, version, value };
}

#define HISTORY(...)   ((struct linear_op[]){ __VA_ARGS__ })
#define CHECK(history) checks((history), sizeof(history) / sizeof(struct linear_op))

/* The register begins at version 1 with 100. */
static bool checks(const struct linear_op *history, size_t count)
{
    struct linear_op *ops = malloc(count * sizeof *ops);
    char wrong[256] = "";
    bool fits;

    memcpy(ops, history, count * sizeof *ops);
    fits = linear_check(ops, count, 1, 100, wrong);
    assert_true(fits == !*wrong);
    free(ops);
    return fits;
}

static void the_checker_takes_what_can_be(void **state)
{
    (void)state;
    assert_true(CHECK(HISTORY(read_of(1, 100, 0, 1))));
    /* one after another, and at once in either order */
    assert_true(CHECK(HISTORY(write_of(1, 1, 0, 1, 2), write_of(2, 2, 2, 3, 3))));
    assert_true(CHECK(HISTORY(write_of(1, 0, 0, 5, 3), write_of(2, 0, 0, 5, 2))));
    /* a read beside a write may see it or not */
    assert_true(CHECK(HISTORY(write_of(1, 1, 0, 5, 2), read_of(1, 100, 1, 2))));
    assert_true(CHECK(HISTORY(write_of(1, 1, 0, 5, 2), read_of(2, 1, 1, 2))));
    assert_true(CHECK(HISTORY(write_of(1, 1, 0, 1, 2), refused(2, 1, 2, 3))));
    assert_true(CHECK(HISTORY(write_of(1, 1, 0, 3, 2), refused(2, 1, 2, 4))));
    /* an unknown write: in, out, or where a version lacks its maker */
    assert_true(CHECK(HISTORY(lost(1, 1, 0, 2), read_of(2, 1, 3, 4))));
    assert_true(CHECK(HISTORY(lost(1, 1, 0, 2), read_of(1, 100, 3, 4))));
    assert_true(CHECK(HISTORY(lost(1, 0, 0, 2), write_of(2, 0, 3, 4, 3))));
    assert_true(CHECK(
        HISTORY(lost(1, 0, 0, 9), lost(2, 1, 0, 9), lost(3, 0, 0, 9), write_of(4, 0, 9, 10, 5))));
}

static void the_checker_finds_what_cannot_be(void **state)
{
    (void)state;
    /* one version twice, or on another than was said */
    assert_false(CHECK(HISTORY(write_of(1, 1, 0, 5, 2), write_of(2, 1, 0, 5, 2))));
    assert_false(CHECK(HISTORY(write_of(1, 0, 0, 5, 2), write_of(2, 1, 0, 5, 3))));
    assert_false(CHECK(HISTORY(write_of(1, 0, 0, 1, 1))));
    /* against time */
    assert_false(CHECK(HISTORY(write_of(1, 0, 0, 1, 3), write_of(2, 0, 2, 3, 2))));
    assert_false(CHECK(HISTORY(write_of(1, 1, 0, 1, 2), read_of(1, 100, 2, 3))));
    assert_false(CHECK(HISTORY(write_of(1, 1, 4, 5, 2), read_of(2, 1, 2, 3))));
    assert_false(
        CHECK(HISTORY(write_of(1, 1, 0, 9, 2), read_of(2, 1, 2, 3), read_of(1, 100, 4, 5))));
    /* what nobody wrote, or was refused, or belongs to another version */
    assert_false(CHECK(HISTORY(read_of(1, 7, 0, 1))));
    assert_false(CHECK(HISTORY(read_of(2, 100, 0, 1))));
    assert_false(CHECK(HISTORY(refused(1, 1, 0, 1), read_of(2, 1, 2, 3))));
    assert_false(
        CHECK(HISTORY(write_of(1, 1, 0, 1, 2), write_of(2, 2, 2, 3, 3), read_of(3, 1, 4, 5))));
    /* a refusal without a reason */
    assert_false(CHECK(HISTORY(read_of(1, 100, 0, 1), refused(1, 1, 2, 3), read_of(1, 100, 4, 5))));
    /* a version that nobody can have made: there is none, it was too late, it was for another */
    assert_false(CHECK(HISTORY(write_of(1, 0, 0, 1, 3))));
    assert_false(CHECK(HISTORY(write_of(1, 0, 0, 1, 3), lost(2, 0, 2, 3))));
    assert_false(CHECK(HISTORY(lost(2, 2, 0, 1), write_of(1, 0, 2, 3, 3))));
    assert_false(CHECK(HISTORY(lost(2, 0, 0, 1), write_of(1, 0, 2, 3, 4))));
    /* an unknown write that came after the crash */
    assert_false(CHECK(HISTORY(lost(1, 0, 0, 2), read_of(1, 100, 3, 4), read_of(2, 1, 5, 6))));
}

/* ---- writers, readers and listeners ---- */

enum {
    WRITERS = 16,
    READERS = 2,
    LISTENERS = 2,
    KILLS = 10,
    ACKS_EACH = 6 /* of each writer before it is killed */
};

static const uint32_t first_value = 0x80008000; /* 0 m, and 0 m */

struct run {
    struct served *served;
    _Atomic bool over;           /* the daemon is being killed, or all is done */
    _Atomic uint32_t next_value; /* each is written once */
    _Atomic int acks;            /* of this daemon */
    _Atomic int wrongs;
    uint64_t until; /* listeners: up to which version; 0 is until it is over */
};

/* Whoever does things, with what came of them. */
struct client {
    struct run *run;
    pthread_t thread;
    int socket;
    unsigned seed;
    uint64_t known; /* version */
    struct linear_op *ops;
    size_t count, room;
    /* of a listener */
    uint64_t told;
    int reconnects;
};

static void wrong(struct run *run, const char *what, const struct answer *answer)
{
    if (atomic_fetch_add(&run->wrongs, 1) < 5)
        fprintf(stderr, "%s: %d %.300s\n", what, answer->status,
                answer->body ? (const char *)answer->body : "");
}

static struct linear_op *op_new(struct client *client, enum linear_kind kind)
{
    if (client->count == client->room) {
        client->room = client->room ? client->room * 2 : 256;
        client->ops = realloc(client->ops, client->room * sizeof *client->ops);
        assert_non_null(client->ops);
    }
    client->ops[client->count] =
        (struct linear_op){ .kind = kind, .outcome = LINEAR_UNKNOWN, .begun = served_seconds() };
    return &client->ops[client->count++];
}

/* False when the connection is of no use any more. */
static bool exchange(struct client *client, const char *head, const char *body,
                     struct answer *answer)
{
    char request[2048];
    int length = snprintf(request, sizeof request,
                          "%sHost: a\r\nContent-Type: application/json\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          head, strlen(body), body);

    *answer = (struct answer){ 0 };
    if (!served_send(client->socket, request, (size_t)length))
        return false;
    served_receive(client->socket, 120, answer);
    return answer->status != 0;
}

/* The number is written in two halves, either side of a seam between blocks, by two ops. */
static bool write_one(struct client *client, bool matching)
{
    uint32_t value = atomic_fetch_add(&client->run->next_value, 1);
    struct linear_op *op = op_new(client, LINEAR_WRITE);
    char head[256], body[512], match[64] = "";
    struct answer answer;
    bool answered;

    op->value = value;
    op->if_match = matching ? client->known : 0;
    if (matching)
        snprintf(match, sizeof match, "If-Match: \"%" PRIu64 "\"\r\n", client->known);
    snprintf(head, sizeof head, "POST /v1/landscapes/field/edits HTTP/1.1\r\n%s", match);
    snprintf(body, sizeof body,
             "{\"ops\":[{\"tool\":\"set\",\"region\":{\"x\":126,\"y\":10,\"width\":4,\"height\":1},"
             "\"height\":%.7f},{\"tool\":\"set\",\"region\":{\"x\":126,\"y\":11,\"width\":4,"
             "\"height\":1},\"height\":%.7f}]}",
             ((int)(value & 0xffff) - 32768) / 128.0, ((int)(value >> 16) - 32768) / 128.0);
    answered = exchange(client, head, body, &answer);
    op->ended = served_seconds();
    if (answer.status == 200) {
        op->outcome = LINEAR_DONE;
        op->version = client->known =
            strtoull(strstr((char *)answer.body, "\"version\":") + 10, NULL, 10);
        atomic_fetch_add(&client->run->acks, 1);
    } else if (answer.status == 412) {
        op->outcome = LINEAR_REFUSED;
        client->known = 0;
    } else if (answered) {
        wrong(client->run, "a write", &answer);
        answered = false;
    }
    answer_free(&answer);
    return answered;
}

static uint16_t code_of(const struct answer *answer, int i)
{
    return (uint16_t)(answer->body[2 * i] | answer->body[2 * i + 1] << 8);
}

static bool read_one(struct client *client)
{
    struct linear_op *op = op_new(client, LINEAR_READ);
    struct answer answer;
    bool answered = exchange(client,
                             "GET /v1/landscapes/field/heights?x=126&y=10&width=4&height=2"
                             "&format=r16 HTTP/1.1\r\n",
                             "", &answer);

    op->ended = served_seconds();
    if (answer.status == 200 && answer.length == 16) {
        op->outcome = LINEAR_DONE;
        op->version = client->known =
            strtoull(answer_header(&answer, "Landscape-Version"), NULL, 10);
        op->value = (uint32_t)code_of(&answer, 0) | (uint32_t)code_of(&answer, 4) << 16;
        for (int i = 0; i < 8; i++) /* half a write is none */
            if (code_of(&answer, i) != code_of(&answer, i / 4 * 4))
                wrong(client->run, "a torn read", &answer);
    } else if (answered) {
        wrong(client->run, "a read", &answer);
        answered = false;
    }
    answer_free(&answer);
    return answered;
}

static void *write_on(void *context)
{
    struct client *client = context;
    bool well;

    client->socket = served_connect(client->run->served);
    client->known = 0;
    do {
        int dice = rand_r(&client->seed) % 20;

        if (dice < 3)
            well = write_one(client, false);
        else
            well = (client->known || read_one(client)) && write_one(client, true);
    } while (well && !atomic_load(&client->run->over));
    close(client->socket);
    return NULL;
}

static void *read_on(void *context)
{
    struct client *client = context;

    client->socket = served_connect(client->run->served);
    while (read_one(client) && !atomic_load(&client->run->over))
        ;
    close(client->socket);
    return NULL;
}

/* Takes one event; false when it has to connect again. */
static bool hear(struct client *client, struct listen *listen)
{
    struct answer nothing = { 0 };
    struct told told;
    enum told_as as = listen_event(listen, 0.1, &told);
    uint64_t version = strtoull(told.id, NULL, 10);

    if (as != TOLD)
        return as == TOLD_NOTHING;
    if (!strcmp(told.event, "change") && version == client->told + 1) {
        client->told = version;
    } else {
        nothing.status = (int)version;
        wrong(client->run, told.event, &nothing);
    }
    return true;
}

static bool heard_enough(const struct client *client)
{
    return client->run->until ? client->told >= client->run->until
                              : atomic_load(&client->run->over);
}

/* Hangs up now and then, and goes on where it was. */
static void *listen_on(void *context)
{
    struct client *client = context;

    while (!heard_enough(client)) {
        int patience = rand_r(&client->seed) % 200;
        struct listen listen;
        char header[64];

        snprintf(header, sizeof header, "Last-Event-ID: %" PRIu64 "\r\n", client->told);
        if (listen_begin(&listen, client->run->served, "field", "", header)) {
            while (!heard_enough(client) && patience-- && hear(client, &listen))
                ;
            client->reconnects++;
        } else {
            usleep(10000);
        }
        listen_end(&listen);
    }
    return NULL;
}

struct crowd {
    struct client clients[WRITERS + READERS + LISTENERS];
    int writers;
};

static void crowd_each(struct crowd *crowd, bool start)
{
    for (int i = 0; i < WRITERS + READERS + LISTENERS; i++) {
        struct client *client = &crowd->clients[i];
        void *(*run)(void *) = i < WRITERS ? write_on : i < WRITERS + READERS ? read_on : listen_on;

        if (i >= crowd->writers && i < WRITERS)
            continue;
        if (start)
            assert_int_equal(pthread_create(&client->thread, NULL, run, client), 0);
        else
            pthread_join(client->thread, NULL);
    }
}

/* What a killed daemon has not answered cannot happen once it is dead. */
static void unknown_until(struct crowd *crowd, double moment)
{
    for (int i = 0; i < WRITERS + READERS; i++) {
        struct client *client = &crowd->clients[i];

        if ((i < crowd->writers || i >= WRITERS) && client->count &&
            client->ops[client->count - 1].outcome == LINEAR_UNKNOWN)
            client->ops[client->count - 1].ended = moment;
    }
}

static void one_life(struct run *run, struct crowd *crowd, int life)
{
    double end = served_seconds() + 120;

    crowd->writers = 2 + life * (WRITERS - 2) / (KILLS - 1);
    crowd->writers = crowd->writers > WRITERS ? 2 + life % (WRITERS - 1) : crowd->writers;
    atomic_store(&run->over, false);
    atomic_store(&run->acks, 0);
    crowd_each(crowd, true);
    while (atomic_load(&run->acks) < ACKS_EACH * crowd->writers && served_seconds() < end)
        usleep(1000);
    usleep((unsigned)rand() % 100000);
    atomic_store(&run->over, true);
    served_kill(run->served);
    crowd_each(crowd, false);
    unknown_until(crowd, served_seconds());
}

static uint64_t version_now(const struct served *served)
{
    struct answer answer;
    uint64_t version;

    served_ask(served, "GET", "/v1/landscapes/field", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    version = strtoull(answer_header(&answer, "Landscape-Version"), NULL, 10);
    answer_free(&answer);
    return version;
}

/* Those who followed hear what is left. */
static void listeners_finish(struct run *run, struct crowd *crowd)
{
    run->until = version_now(run->served);
    for (int i = WRITERS + READERS; i < WRITERS + READERS + LISTENERS; i++) {
        listen_on(&crowd->clients[i]);
        assert_int_equal(crowd->clients[i].told, run->until);
    }
}

static void history_is_linear(struct crowd *crowd, uint64_t last)
{
    struct linear_op *all = NULL;
    size_t count = 0, done = 0, unknown = 0;
    char why[256];

    for (int i = 0; i < WRITERS + READERS; i++) {
        const struct client *client = &crowd->clients[i];

        all = realloc(all, (count + client->count + 1) * sizeof *all);
        memcpy(all + count, client->ops, client->count * sizeof *all);
        count += client->count;
    }
    for (size_t i = 0; i < count; i++) {
        done += all[i].outcome == LINEAR_DONE && all[i].kind == LINEAR_WRITE;
        unknown += all[i].outcome == LINEAR_UNKNOWN && all[i].kind == LINEAR_WRITE;
    }
    print_message("%zu operations to version %" PRIu64 ": %zu writes done, %zu unknown\n",
                  count - 1, last, done, unknown);
    assert_true(done > 0);
    if (!linear_check(all, count, 1, first_value, why))
        fail_msg("not linearizable: %s", why);
    free(all);
}

static void writers_and_kills_leave_one_history(void **state)
{
    static const char plain[] = "{\"layout\":{\"components\":[2,1],\"sections_per_component\":2,"
                                "\"section_quads\":63}}";
    int lives = getenv("LANDSCAPED_SOAK") ? 20 * KILLS : KILLS;
    struct run run = { .served = served_start(NULL), .next_value = 1 };
    struct crowd *crowd = calloc(1, sizeof *crowd);
    struct client last = { .run = &run };
    struct answer answer;

    (void)state;
    assert_non_null(run.served);
    served_ask(run.served, "PUT", "/v1/landscapes/field", "Content-Type: application/json\r\n",
               plain, sizeof plain - 1, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
    for (int i = 0; i < WRITERS + READERS + LISTENERS; i++)
        crowd->clients[i] = (struct client){ .run = &run, .seed = (unsigned)i + 1, .told = 1 };
    for (int life = 0; life < lives; life++) {
        one_life(&run, crowd, life);
        assert_true(served_again(run.served, NULL));
    }
    listeners_finish(&run, crowd);
    last.socket = served_connect(run.served);
    assert_true(read_one(&last));
    close(last.socket);
    assert_int_equal(last.ops->version, run.until);
    crowd->clients[WRITERS].ops =
        realloc(crowd->clients[WRITERS].ops,
                (crowd->clients[WRITERS].count + 1) * sizeof(struct linear_op));
    crowd->clients[WRITERS].ops[crowd->clients[WRITERS].count++] = *last.ops;
    free(last.ops);
    history_is_linear(crowd, run.until);
    for (int i = WRITERS + READERS; i < WRITERS + READERS + LISTENERS; i++)
        print_message("a listener came %d times\n", crowd->clients[i].reconnects);
    assert_int_equal(atomic_load(&run.wrongs), 0);
    for (int i = 0; i < WRITERS + READERS + LISTENERS; i++)
        free(crowd->clients[i].ops);
    free(crowd);
    served_free(run.served);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_takes_what_can_be),
        cmocka_unit_test(the_checker_finds_what_cannot_be),
        cmocka_unit_test(writers_and_kills_leave_one_history),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
