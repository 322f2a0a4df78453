/* What listeners cost: the latency of an edit with 1,000 event streams on its landscape against
 * none, back to back and at the pace of a brush, and the daemon's resident bytes a stream.
 *
 * The readers are a process of its own, which yields to the daemon as readers elsewhere would.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/client.h"

enum { LISTENERS = 1000, IDLE = 4000, ROUNDS = 15, EDITS = 100, PACED = 40, PACE_US = 16667 };

static const char ask[] = "GET /v1/landscapes/ground/events HTTP/1.1\r\nHost: a\r\n\r\n";

static int stream_open(const struct target *daemon)
{
    const struct sockaddr_in address = { .sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)daemon->port),
                                         .sin_addr = { htonl(INADDR_LOOPBACK) } };
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (made < 0 || connect(made, (const struct sockaddr *)&address, sizeof address) < 0 ||
        send(made, ask, sizeof ask - 1, MSG_NOSIGNAL) != sizeof ask - 1) {
        perror("bench_events: a stream");
        _exit(1);
    }
    return made;
}

/* Reads all streams until a byte comes on `from`, then says on `to` how many events came. */
static void read_all(const struct target *daemon, int count, int from, int to)
{
    struct epoll_event ready[256], wanted = { .events = EPOLLIN };
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    int64_t events = 0;
    char text[65536];

    setpriority(PRIO_PROCESS, 0, 19);
    for (int i = 0; i < count; i++) {
        wanted.data.fd = stream_open(daemon);
        if (recv(wanted.data.fd, text, sizeof text, 0) < 12 || memcmp(text + 9, "200", 3))
            _exit(1);
        epoll_ctl(epoll, EPOLL_CTL_ADD, wanted.data.fd, &wanted);
    }
    wanted.data.fd = from;
    epoll_ctl(epoll, EPOLL_CTL_ADD, from, &wanted);
    if (write(to, &events, sizeof events) < 0)
        _exit(1);
    for (bool more = true; more;) {
        int found = epoll_wait(epoll, ready, 256, -1);

        for (int i = 0; i < found; i++) {
            ssize_t got = read(ready[i].data.fd, text, sizeof text - 1);

            if (got <= 0)
                _exit(1);
            text[got] = '\0';
            more = more && ready[i].data.fd != from;
            for (char *at = text; (at = strstr(at, "event: change")) != NULL; at++)
                events++;
        }
    }
    if (write(to, &events, sizeof events) < 0)
        _exit(1);
    _exit(0);
}

struct readers {
    pid_t process;
    int to, from;
};

static struct readers readers_start(const struct target *daemon, int count)
{
    struct readers readers;
    int there[2], back[2];
    int64_t ready;

    if (pipe(there) < 0 || pipe(back) < 0) {
        perror("bench_events: pipe");
        exit(1);
    }
    readers = (struct readers){ fork(), there[1], back[0] };
    if (!readers.process) {
        close(there[1]);
        close(back[0]);
        read_all(daemon, count, there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    if (read(readers.from, &ready, sizeof ready) != sizeof ready) {
        fprintf(stderr, "bench_events: the readers failed\n");
        exit(1);
    }
    return readers;
}

static int64_t readers_end(struct readers *readers)
{
    int64_t events = -1;

    if (write(readers->to, "", 1) != 1 ||
        read(readers->from, &events, sizeof events) != sizeof events) {
        fprintf(stderr, "bench_events: the readers were cut\n");
        exit(1);
    }
    close(readers->to);
    close(readers->from);
    waitpid(readers->process, NULL, 0);
    return events;
}

/* The median of the latencies of so many edits, that begin so far apart. */
static double latency(struct connection *connection, int edits, unsigned pace_us)
{
    double *times = malloc((size_t)edits * sizeof *times), middle;
    char body[256];

    for (int i = 0; i < edits; i++) {
        double began = seconds();

        snprintf(body, sizeof body,
                 "{\"ops\":[{\"tool\":\"raise\",\"path\":[[%d.25,%d.5]],\"radius\":64,"
                 "\"amount\":%s0.5}]}",
                 100 + i * 37 % 800, 100 + i * 53 % 800, i & 1 ? "-" : "");
        demand(connection, "POST", "/v1/landscapes/ground/edits?frame=grid", "application/json",
               body, strlen(body));
        times[i] = seconds() - began;
        if (pace_us && times[i] < pace_us * 1e-6)
            usleep(pace_us - (unsigned)(times[i] * 1e6));
    }
    middle = median(times, (size_t)edits);
    free(times);
    return middle;
}

static void bench_latency(const struct target *daemon, const char *what, int edits,
                          unsigned pace_us)
{
    double none[ROUNDS], many[ROUNDS], ratios[ROUNDS], cpu = 0;
    struct connection connection;
    int64_t events = 0;

    connection_open(&connection, daemon);
    latency(&connection, 50, 0);
    for (int i = 0; i < ROUNDS; i++) {
        struct readers readers;
        double before;

        none[i] = latency(&connection, edits, pace_us);
        readers = readers_start(daemon, LISTENERS);
        before = target_cpu(daemon);
        many[i] = latency(&connection, edits, pace_us);
        cpu += target_cpu(daemon) - before;
        usleep(500000); /* what is still on its way */
        events += readers_end(&readers);
        ratios[i] = many[i] / none[i];
    }
    connection_close(&connection);
    printf("edit R=64 %s: p50 %.2f ms, with %d listeners %.2f ms, ratio %.2f (aim 1.3); "
           "%.1f%% of the events came, %.2f CPU ms of the daemon an edit\n",
           what, median(none, ROUNDS) * 1e3, LISTENERS, median(many, ROUNDS) * 1e3,
           median(ratios, ROUNDS), 100.0 * (double)events / ((double)ROUNDS * edits * LISTENERS),
           cpu * 1e3 / (ROUNDS * edits));
}

static void bench_memory(const struct target *daemon)
{
    struct readers some = readers_start(daemon, 50), many; /* what the first of all cost */
    int64_t before = target_resident(daemon), after;

    many = readers_start(daemon, IDLE);
    usleep(300000);
    after = target_resident(daemon);
    readers_end(&many);
    readers_end(&some);
    printf("idle listeners: %.0f bytes resident each, of %d (aim 8192)\n",
           (double)(after - before) / IDLE, IDLE);
}

int main(int count, char **words)
{
    static const char body[] = "{\"layout\":{\"components\":[8,8],\"sections_per_component\":2,"
                               "\"section_quads\":63}}";
    char made[] = "bench-data-XXXXXX";
    const char *folder = count > 1 ? words[1] : mkdtemp(made);
    struct rlimit room;
    struct target daemon;
    struct connection connection;

    if (!folder) {
        perror("mkdtemp");
        return 1;
    }
    if (getrlimit(RLIMIT_NOFILE, &room) == 0) {
        room.rlim_cur = room.rlim_max;
        setrlimit(RLIMIT_NOFILE, &room);
    }
    daemon = target_daemon(folder);
    connection_open(&connection, &daemon);
    demand(&connection, "PUT", "/v1/landscapes/ground", "application/json", body, sizeof body - 1);
    connection_close(&connection);
    bench_memory(&daemon);
    bench_latency(&daemon, "back to back", EDITS, 0);
    bench_latency(&daemon, "60 a second", PACED, PACE_US);
    target_end(&daemon);
    if (count == 1)
        printf("the store that this made is %s; remove it\n", folder);
    return 0;
}
