/* A real daemon for tests: started on a free loopback port and a fresh folder, ended by its id. */
#ifndef TESTS_SERVER_HARNESS_H
#define TESTS_SERVER_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct served {
    pid_t process;
    int port;
    char url[64];
    char folder[64]; /* holds data/ and log */
};

/* Starts ./landscaped with further options (ends with NULL; may be NULL). NULL when it does not
 * serve. */
struct served *served_start(const char *const *options);
/* The same folder, after served_kill. */
bool served_again(struct served *served, const char *const *options);
/* SIGTERM, and the exit status; -1 when it did not end by itself within 40 s. */
int served_stop(struct served *served);
void served_kill(struct served *served);
/* The last lines that it has logged, to stderr. */
void served_show_log(const struct served *served);
/* Kills it if it lives, removes the folder. */
void served_free(struct served *served);
/* Its helper processes whose name begins so (a name has 15 letters here), at most `most`. */
int served_helpers(const struct served *served, const char *name, pid_t *found, int most);
/* Sends one of them a signal that ends it, and waits until it has ended: a sanitizer's report may
 * take it a while, in which it would still be given work. False when it had ended before. */
bool served_end_helper(pid_t helper, int signal);

/* A connected socket; -1. served_send writes all of it, even when the other end has gone. */
int served_connect(const struct served *served);
bool served_send(int socket, const void *data, size_t length);

/* One answer read from a socket: status 0 when the connection ended without one. */
struct answer {
    int status;
    char head[4096];
    unsigned char *body; /* terminated */
    size_t length;
    double seconds; /* it took */
    bool closed;    /* the server ended the connection after it */
};
/* Waits at most so many seconds. */
void served_receive(int socket, double seconds, struct answer *answer);
/* The value of a header, or NULL; lent until the thread's next call. */
const char *answer_header(const struct answer *answer, const char *name);
void answer_free(struct answer *answer);

/* Sends the head of a request whose body, of so many bytes, is to follow, and waits until the
 * server asks for it: the head has been read then. */
bool served_offer(int socket, const char *method, const char *target, const char *headers,
                  size_t length);

/* A whole exchange on a connection of its own: "GET /v1 HTTP/1.1\r\n…" with its body. */
void served_raw(const struct served *served, const void *request, size_t length,
                struct answer *answer);
/* The usual kind; headers are lines that end in \r\n, or NULL. */
void served_ask(const struct served *served, const char *method, const char *target,
                const char *headers, const void *body, size_t length, struct answer *answer);

/* With a JSON body or none. Fails the test unless the answer has that status. */
void served_demand(const struct served *served, const char *method, const char *target,
                   const char *body, int status, struct answer *answer);
void served_expect(const struct served *served, const char *method, const char *target,
                   const char *body, int status);

/* The value of one line of /metrics, -1 without it; whether it comes to be that within a minute. */
double served_metric(const struct served *served, const char *name);
bool served_metric_becomes(const struct served *served, const char *name, double wanted);

double served_seconds(void);
/* Within this many seconds, anything that waits for nothing has been done, however busy the
 * machine. */
#define SERVED_SOON 10.0

#endif
