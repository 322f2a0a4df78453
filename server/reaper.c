#include "server/reaper.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/clock.h"
#include "server/log.h"

enum { LINGERING_MOST = 64, LINGER_BYTES_MOST = 64 << 20 };
#define LINGER_MOST (2 * CLOCK_SECOND)
#define LOOK_EVERY  (CLOCK_SECOND / 10)

struct lingering {
    int socket;
    int64_t deadline, bytes;
};

struct reaper {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    struct line *lines;
    struct lingering lingering[LINGERING_MOST];
    int lingering_count;
    int64_t line_count, cut;
    bool stopping;
    int nowhere[2]; /* a pair of sockets, for lines whose own was taken */
};

/* With the lock: a cut line stays on the list until its connection leaves. What the client has not
 * taken is forgotten, or the kernel would keep it for as long as the client likes. */
static void lines_cut(struct reaper *reaper, int64_t now)
{
    const struct linger forget = { .l_onoff = 1, .l_linger = 0 };

    for (struct line *line = reaper->lines; line; line = line->next) {
        if (now <= atomic_load(&line->deadline))
            continue;
        setsockopt(line->socket, SOL_SOCKET, SO_LINGER, &forget, sizeof forget);
        shutdown(line->socket, SHUT_RDWR);
        atomic_store(&line->deadline, LINE_FOREVER);
        reaper->cut++;
    }
}

/* Reads what has come; false when the client is done or out of patience. */
static bool linger_read(struct lingering *one, int64_t now)
{
    char sink[16384];
    ssize_t got;

    while ((got = recv(one->socket, sink, sizeof sink, MSG_DONTWAIT)) > 0) {
        one->bytes += got;
        if (one->bytes > LINGER_BYTES_MOST)
            return false;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR) && now < one->deadline;
}

static void lingering_read(struct reaper *reaper, int64_t now)
{
    for (int i = 0; i < reaper->lingering_count; i++) {
        if (linger_read(&reaper->lingering[i], now))
            continue;
        close(reaper->lingering[i].socket);
        reaper->lingering[i--] = reaper->lingering[--reaper->lingering_count];
    }
}

static void *reap(void *context)
{
    struct reaper *reaper = context;

    pthread_mutex_lock(&reaper->lock);
    while (!reaper->stopping) {
        int64_t now = clock_now(), then;
        struct timespec until;

        pthread_mutex_unlock(&reaper->lock);
        log_tick(); /* may wait for whoever reads the log */
        pthread_mutex_lock(&reaper->lock);
        lines_cut(reaper, now);
        lingering_read(reaper, now);
        then = now + (reaper->lingering_count ? LOOK_EVERY / 10 : LOOK_EVERY);
        until = (struct timespec){ then / CLOCK_SECOND, then % CLOCK_SECOND };
        pthread_cond_timedwait(&reaper->wake, &reaper->lock, &until);
    }
    pthread_mutex_unlock(&reaper->lock);
    return NULL;
}

static void nowhere_close(struct reaper *reaper)
{
    close(reaper->nowhere[0]);
    close(reaper->nowhere[1]);
}

bool reaper_start(struct reaper **made, struct fault *why)
{
    struct reaper *reaper = calloc(1, sizeof *reaper);
    pthread_condattr_t attributes;

    if (!reaper)
        return fault_set(why, FAULT_MEMORY, "No memory for the table of connections");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, reaper->nowhere) < 0) {
        free(reaper);
        return fault_errno(why, FAULT_INTERNAL, "making a pair of sockets");
    }
    pthread_mutex_init(&reaper->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&reaper->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&reaper->thread, NULL, reap, reaper)) {
        nowhere_close(reaper);
        free(reaper);
        return fault_set(why, FAULT_MEMORY, "No thread for the deadlines of connections");
    }
    log_gather(true);
    *made = reaper;
    return true;
}

void reaper_stop(struct reaper *reaper)
{
    if (!reaper)
        return;
    pthread_mutex_lock(&reaper->lock);
    reaper->stopping = true;
    pthread_cond_signal(&reaper->wake);
    pthread_mutex_unlock(&reaper->lock);
    pthread_join(reaper->thread, NULL);
    log_gather(false);
    for (int i = 0; i < reaper->lingering_count; i++)
        close(reaper->lingering[i].socket);
    nowhere_close(reaper);
    pthread_cond_destroy(&reaper->wake);
    pthread_mutex_destroy(&reaper->lock);
    free(reaper);
}

struct line *reaper_enter(struct reaper *reaper, int socket, int64_t deadline)
{
    struct line *line = calloc(1, sizeof *line);

    if (!line)
        return NULL;
    line->socket = socket;
    atomic_store(&line->deadline, deadline);
    pthread_mutex_lock(&reaper->lock);
    line->next = reaper->lines;
    line->at = &reaper->lines;
    if (line->next)
        line->next->at = &line->next;
    reaper->lines = line;
    reaper->line_count++;
    pthread_mutex_unlock(&reaper->lock);
    return line;
}

/* With the lock: a second descriptor keeps the socket alive after the library has closed its own.
 */
static void linger(struct reaper *reaper, int socket)
{
    int kept = reaper->lingering_count < LINGERING_MOST ? fcntl(socket, F_DUPFD_CLOEXEC, 0) : -1;

    if (kept < 0)
        return;
    shutdown(kept, SHUT_WR);
    reaper->lingering[reaper->lingering_count++] =
        (struct lingering){ kept, clock_now() + LINGER_MOST, 0 };
    pthread_cond_signal(&reaper->wake);
}

void reaper_leave(struct reaper *reaper, struct line *line)
{
    if (!line)
        return;
    pthread_mutex_lock(&reaper->lock);
    *line->at = line->next;
    if (line->next)
        line->next->at = line->at;
    reaper->line_count--;
    if (atomic_load(&line->linger))
        linger(reaper, line->socket);
    pthread_mutex_unlock(&reaper->lock);
    free(line);
}

int reaper_take(struct reaper *reaper, struct line *line)
{
    int taken;

    pthread_mutex_lock(&reaper->lock);
    atomic_store(&line->deadline, LINE_FOREVER);
    taken = fcntl(line->socket, F_DUPFD_CLOEXEC, 0);
    if (taken >= 0 && dup3(reaper->nowhere[0], line->socket, O_CLOEXEC) < 0) {
        close(taken);
        taken = -1;
    }
    pthread_mutex_unlock(&reaper->lock);
    return taken;
}

int64_t reaper_cut(struct reaper *reaper)
{
    int64_t cut;

    pthread_mutex_lock(&reaper->lock);
    cut = reaper->cut;
    pthread_mutex_unlock(&reaper->lock);
    return cut;
}

int64_t reaper_lines(struct reaper *reaper)
{
    int64_t lines;

    pthread_mutex_lock(&reaper->lock);
    lines = reaper->line_count;
    pthread_mutex_unlock(&reaper->lock);
    return lines;
}
