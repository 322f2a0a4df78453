/* A renderer that does not keep to render/wire.h: how is told by the height of the picture, the
 * number of a lie. Of any other height it answers with nothing drawn. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "render/wire.h"
#include "terrain/worker/worker.h"

enum { DAEMON = 3, TOO_MANY = 100, TOO_LONG = 100000, AHEAD = 20 };

static void say(const void *data, size_t length)
{
    if (send(DAEMON, data, length, MSG_NOSIGNAL) < 0)
        exit(1);
}

static void say_done(void)
{
    struct wire_done done = { .kind = WIRE_DONE };

    say(&done, sizeof done);
}

static void say_want(uint32_t count, uint32_t place)
{
    struct wire_want want = { .kind = WIRE_WANT, .count = count };

    for (int i = 0; i < WIRE_TILES_MOST; i++)
        want.places[i] = place;
    say(&want, sizeof want);
}

static void nothing_at_all(void)
{
    say("", 0);
}

static void one_byte(void)
{
    say("\3", 1);
}

static void an_answer_cut_short(void)
{
    struct wire_done done = { .kind = WIRE_DONE };

    say(&done, sizeof done - 1);
}

static void an_answer_of_no_kind(void)
{
    struct wire_done done = { .kind = 77 };

    say(&done, sizeof done);
}

static void what_the_daemon_says(void)
{
    struct wire_draw draw = { .kind = WIRE_DRAW };

    say(&draw, sizeof draw);
}

static void no_tiles_wanted(void)
{
    say_want(0, 0);
}

static void too_many_tiles_wanted(void)
{
    say_want(WIRE_TILES_MOST + 1, 0);
}

static void countless_tiles_wanted(void)
{
    say_want(UINT32_MAX, 0);
}

static void a_tile_wanted_that_is_none(void)
{
    say_want(1, WIRE_NONE);
}

static void the_same_tile_for_ever(void)
{
    struct worker_message message = { 0 };

    do {
        worker_message_fini(&message);
        say_want(WIRE_TILES_MOST, 0);
    } while (worker_next(&message));
}

/* The next one is wanted before the last one has come, so that there is always something to read.
 */
static void tiles_wanted_ahead(void)
{
    say_want(1, 0);
    the_same_tile_for_ever();
}

static void too_long_an_answer(void)
{
    static char long_one[TOO_LONG];

    say(long_one, sizeof long_one);
}

/* More than a message may bring, and as many as it may. */
static void with_descriptors(int count)
{
    char room[CMSG_SPACE(sizeof(int) * TOO_MANY)] = { 0 };
    struct wire_done done = { .kind = WIRE_DONE };
    struct iovec data = { &done, sizeof done - 1 };
    struct msghdr head = { .msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = room,
                           .msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count) };
    struct cmsghdr *part = CMSG_FIRSTHDR(&head);

    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    for (int i = 0; i < count; i++)
        ((int *)(void *)CMSG_DATA(part))[i] = STDERR_FILENO;
    if (sendmsg(DAEMON, &head, MSG_NOSIGNAL) < 0)
        exit(1);
}

static void too_many_descriptors(void)
{
    with_descriptors(TOO_MANY);
}

static void many_descriptors(void)
{
    with_descriptors(WORKER_DESCRIPTORS_MOST);
}

/* Text without an end that is none, under a code that there is not. */
static void a_failure_of_no_kind(void)
{
    struct wire_failed failed = { .kind = WIRE_FAILED, .code = 0x7fffffff };

    memset(failed.detail, 0xff, sizeof failed.detail);
    say(&failed, sizeof failed);
}

static void no_answer(void)
{
    for (;;)
        pause();
}

static void a_closed_socket(void)
{
    close(DAEMON);
    no_answer();
}

/* From the one without an answer on they end at the deadline. */
static void (*const lies[])(void) = { nothing_at_all,
                                      one_byte,
                                      an_answer_cut_short,
                                      an_answer_of_no_kind,
                                      what_the_daemon_says,
                                      no_tiles_wanted,
                                      too_many_tiles_wanted,
                                      countless_tiles_wanted,
                                      a_tile_wanted_that_is_none,
                                      too_long_an_answer,
                                      too_many_descriptors,
                                      many_descriptors,
                                      a_failure_of_no_kind,
                                      a_closed_socket,
                                      no_answer,
                                      the_same_tile_for_ever,
                                      tiles_wanted_ahead };
enum { LIES = sizeof lies / sizeof *lies };

/* Those that are answers, but for what comes of them. */
enum { TWICE = 100, NUMBERS };

static void two_answers(void)
{
    say_done();
    say_done();
}

static void numbers_that_are_none(void)
{
    struct wire_done done = { .kind = WIRE_DONE,
                              .tiles_loaded = UINT32_MAX,
                              .triangles = UINT64_MAX,
                              .ground = UINT64_MAX,
                              .seconds = NAN };

    say(&done, sizeof done);
}

static uint32_t height_of(const struct worker_message *message)
{
    struct fault why = { 0 };
    const struct wire_scene *scene;
    struct wire_draw order;
    uint32_t height;

    memcpy(&order, message->data, sizeof order);
    scene = worker_memory_map(message->descriptors[0], order.scene_bytes, &why);
    if (!scene)
        exit(1);
    height = scene->height;
    worker_memory_unmap(scene, order.scene_bytes);
    return height;
}

int main(void)
{
    struct worker_message message;

    worker_hello("lying\tapi\tvendor\trenderer\t128");
    while (worker_next(&message)) {
        uint32_t height = height_of(&message);

        if (height >= 1 && height <= LIES)
            lies[height - 1]();
        else if (height == TWICE)
            two_answers();
        else if (height == NUMBERS)
            numbers_that_are_none();
        else
            say_done();
        worker_message_fini(&message);
    }
    return 0;
}
