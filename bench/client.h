/* For benchmarks: a process to load, and keep-alive connections to load it with.
 * Trouble ends the program with a sentence; a benchmark has nobody to report to. */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct target {
    pid_t pid;
    int port;
};

/* ./landscaped on a free port of loopback, with its store in that folder. */
struct target target_daemon(const char *folder);
/* A bare libmicrohttpd server that answers every GET with the same persistent body. */
struct target target_hello(const void *body, size_t length);
void target_end(struct target *target);

double target_cpu(const struct target *target);       /* seconds of CPU so far, user and system */
int64_t target_resident(const struct target *target); /* bytes */
double seconds(void);                                 /* a monotonic clock */

struct connection {
    int socket;
    char *room;
    size_t size, used;
};

void connection_open(struct connection *connection, const struct target *target);
void connection_close(struct connection *connection);

struct answer {
    int status;
    const unsigned char *body; /* until the connection's next request */
    size_t length;
};

/* One request and its answer. type may be NULL when there is no body. */
struct answer request(struct connection *connection, const char *method, const char *path,
                      const char *type, const void *body, size_t length);
/* The same, ending the program unless the status is 2xx. */
struct answer demand(struct connection *connection, const char *method, const char *path,
                     const char *type, const void *body, size_t length);

/* The middle of count numbers, which it sorts. */
double median(double *numbers, size_t count);

#endif
