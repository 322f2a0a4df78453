#include "bench/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

struct target target_daemon(const char *folder)
{
    struct target target;
    int out[2];
    char line[256];
    FILE *said;

    if (pipe(out) < 0)
        die("pipe: %s", strerror(errno));
    target.pid = fork();
    if (target.pid == 0) {
        dup2(out[1], 1);
        close(out[0]);
        close(out[1]);
        execl("./landscaped", "landscaped", "--listen", "127.0.0.1:0", "--data", folder,
              "--log-level", "error", (char *)NULL);
        die("./landscaped: %s", strerror(errno));
    }
    close(out[1]);
    said = fdopen(out[0], "r");
    if (!fgets(line, sizeof line, said) ||
        sscanf(line, "landscaped listening on http://127.0.0.1:%d", &target.port) != 1)
        die("the daemon did not say where it listens");
    fclose(said);
    return target;
}

static enum MHD_Result hello(void *body, struct MHD_Connection *connection, const char *url,
                             const char *method, const char *version, const char *data,
                             size_t *length, void **seen)
{
    (void)url, (void)method, (void)version, (void)data, (void)length;
    if (!*seen) {
        *seen = body;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, body);
}

struct target target_hello(const void *body, size_t length)
{
    struct target target;
    int out[2];

    if (pipe(out) < 0)
        die("pipe: %s", strerror(errno));
    target.pid = fork();
    if (target.pid == 0) {
        struct MHD_Response *response =
            MHD_create_response_from_buffer(length, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY);
        struct sockaddr_in loopback = { .sin_family = AF_INET,
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        struct MHD_Daemon *daemon =
            MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, hello, response,
                             MHD_OPTION_SOCK_ADDR, &loopback, MHD_OPTION_THREAD_POOL_SIZE, 2u,
                             MHD_OPTION_CONNECTION_LIMIT, 254u, MHD_OPTION_END);
        const union MHD_DaemonInfo *info;

        if (!daemon)
            die("the floor's server did not start");
        info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
        target.port = info->port;
        if (write(out[1], &target.port, sizeof target.port) != sizeof target.port)
            die("pipe: %s", strerror(errno));
        for (;;)
            pause();
    }
    if (read(out[0], &target.port, sizeof target.port) != sizeof target.port)
        die("the floor's server did not start");
    close(out[0]);
    close(out[1]);
    return target;
}

void target_end(struct target *target)
{
    kill(target->pid, SIGTERM);
    waitpid(target->pid, NULL, 0);
}

double target_cpu(const struct target *target)
{
    clockid_t clock;
    struct timespec used;

    if (clock_getcpuclockid(target->pid, &clock) != 0 || clock_gettime(clock, &used) < 0)
        die("no CPU clock of process %d", (int)target->pid);
    return used.tv_sec + used.tv_nsec * 1e-9;
}

int64_t target_resident(const struct target *target)
{
    char path[64];
    long pages = 0, resident = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)target->pid);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2)
        die("%s: %s", path, strerror(errno));
    fclose(file);
    return (int64_t)resident * sysconf(_SC_PAGESIZE);
}

void connection_open(struct connection *connection, const struct target *target)
{
    struct sockaddr_in there = { .sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                 .sin_port = htons((uint16_t)target->port) };
    int yes = 1;

    *connection = (struct connection){ .size = 1 << 16 };
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    connection->room = malloc(connection->size);
    if (!connection->room || connect(connection->socket, (void *)&there, sizeof there) < 0)
        die("connect: %s", strerror(errno));
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

void connection_close(struct connection *connection)
{
    close(connection->socket);
    free(connection->room);
}

static void send_all(int socket, const void *data, size_t length)
{
    const char *from = data;

    while (length > 0) {
        ssize_t sent = send(socket, from, length, MSG_NOSIGNAL);

        if (sent < 0)
            die("send: %s", strerror(errno));
        from += sent;
        length -= (size_t)sent;
    }
}

/* Reads until `wanted` bytes are there, or, with wanted 0, until a head's end is. */
static size_t fill(struct connection *connection, size_t wanted)
{
    for (;;) {
        ssize_t got;

        if (wanted && connection->used >= wanted)
            return wanted;
        if (!wanted) {
            char *end = memmem(connection->room, connection->used, "\r\n\r\n", 4);

            if (end)
                return (size_t)(end + 4 - connection->room);
        }
        if (connection->size < (wanted ? wanted : connection->used + 1)) {
            connection->size = wanted ? wanted : connection->size * 2;
            connection->room = realloc(connection->room, connection->size);
            if (!connection->room)
                die("out of memory");
        }
        got = recv(connection->socket, connection->room + connection->used,
                   connection->size - connection->used, 0);
        if (got <= 0)
            die("the server hung up");
        connection->used += (size_t)got;
    }
}

struct answer request(struct connection *connection, const char *method, const char *path,
                      const char *type, const void *body, size_t length)
{
    char head[1024];
    struct answer answer = { 0 };
    size_t head_length;
    const char *found;
    int printed = snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: bench\r\n", method, path);

    if (type)
        printed += snprintf(head + printed, sizeof head - printed,
                            "Content-Type: %s\r\nContent-Length: %zu\r\n", type, length);
    printed += snprintf(head + printed, sizeof head - printed, "\r\n");
    send_all(connection->socket, head, (size_t)printed);
    if (length)
        send_all(connection->socket, body, length);

    connection->used = 0;
    head_length = fill(connection, 0);
    if (sscanf(connection->room, "HTTP/1.1 %d", &answer.status) != 1)
        die("no status line");
    connection->room[head_length - 1] = 0;
    found = strcasestr(connection->room, "\r\nContent-Length:");
    answer.length = found ? strtoul(found + 17, NULL, 10) : 0;
    fill(connection, head_length + answer.length);
    answer.body = (const unsigned char *)connection->room + head_length;
    return answer;
}

struct answer demand(struct connection *connection, const char *method, const char *path,
                     const char *type, const void *body, size_t length)
{
    struct answer answer = request(connection, method, path, type, body, length);

    if (answer.status / 100 != 2)
        die("%s %s: %d %.*s", method, path, answer.status, (int)answer.length, answer.body);
    return answer;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double median(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, ascending);
    return numbers[count / 2];
}
