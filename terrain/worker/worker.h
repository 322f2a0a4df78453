/* Helper processes that may die: decoders of hostile files, renderers.
 *
 * A pool starts a program a few times over a Unix socket. A job is one message with
 * descriptors (sealed memfds) and one answer with descriptors, under a deadline: a
 * worker that dies, hangs or answers nonsense costs its job a fault and is replaced; the
 * daemon and every other job go on. The first replacement comes at once; while starts fail or
 * jobs end badly in a row they are 0.1 s apart, doubling to 5 s. A worker that has done enough
 * jobs or holds too much memory is replaced too. Any thread; a job blocks.
 */
#ifndef TERRAIN_WORKER_WORKER_H
#define TERRAIN_WORKER_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"

enum { WORKER_MESSAGE_MOST = 65536, WORKER_DESCRIPTORS_MOST = 64 };

struct worker_pool;

struct worker_options {
    const char *program; /* "landscaped-decode": found beside this executable, else in libexecdir */
    const char *const *arguments; /* or NULL; ends with NULL */
    int count;                    /* processes at most, started on demand and kept */
    double deadline;              /* seconds for one job */
    int64_t memory_bytes;         /* RLIMIT_AS of each */
    int jobs_before_renewal;      /* 0 is never */
    int64_t resident_most;        /* bytes; one that holds more after a job is replaced; 0: never */
    double poison_seconds;        /* a job that killed two is refused; 0: not remembered */
    int waiting_most;             /* jobs that may wait for a process; beyond it BUSY */
    /* Whether a process that greets so is of use, else the start has failed, and why; NULL: all
     * are. */
    bool (*accepts)(const char *hello, struct fault *why);
};

bool worker_pool_start(const struct worker_options *options, struct worker_pool **pool,
                       struct fault *why);
void worker_pool_stop(struct worker_pool *pool);

/* Something for the worker to see at start before any job, or a look at what it said when it
 * started; see worker_hello. Empty text before the first start. */
void worker_pool_hello(struct worker_pool *pool, char *text, size_t room);

struct worker_message {
    unsigned char *data;
    size_t length;
    int descriptors[WORKER_DESCRIPTORS_MOST];
    int count;
};

/* One job with a process that nobody else uses meanwhile: the exchange may go back and forth
 * (send, receive, send, …) under one deadline. worker_end gives the process back; after a
 * failure it is killed and replaced. It waits for one as long as a job may take, and for the first
 * one to have started. Fails with BUSY, WORKER or DEADLINE. */
struct worker;
struct worker *worker_begin(struct worker_pool *pool, struct fault *why);
/* The same for work that goes on behind others': it begins when nobody else waits, and is none of
 * those that may wait. BUSY after the deadline. */
struct worker *worker_begin_behind(struct worker_pool *pool, struct fault *why);
bool worker_send(struct worker *worker, const struct worker_message *message, struct fault *why);
bool worker_receive(struct worker *worker, struct worker_message *message, struct fault *why);
void worker_end(struct worker *worker, bool sound);
uint64_t worker_serial(const struct worker *worker); /* another one after each restart */

/* Whether it has ended by itself during the job: not at the deadline, not for an answer that made
 * no sense. */
bool worker_died(const struct worker *worker);

/* A job that may be done again because doing it changes nothing. One death costs a second try with
 * another process; a second one makes the job poison: it is refused with POISON and a reference,
 * this time and, for a while, whenever a job of the same name comes.
 *
 *     trial = { .pool = …, .name = …, .length = … };
 *     if (!worker_trial(&trial, why)) return false;
 *     do {
 *         worker = worker_begin(…);
 *         done = worker && …exchange…;
 *         died = worker && worker_died(worker);
 *         worker_end(worker, …);
 *     } while (!done && died && worker_trial_again(&trial, why));
 */
struct worker_trial {
    struct worker_pool *pool;
    const void *name; /* bytes that tell the job from all others; they stay until the trial ends */
    size_t length;
    int deaths;
};
bool worker_trial(struct worker_trial *trial, struct fault *why);
bool worker_trial_again(struct worker_trial *trial, struct fault *why);

/* Memory to hand over: a memfd of that size, sealed against shrinking and growing
 * (and writing, once worker_memory_seal), and a look at one that came, its size checked. */
int worker_memory(size_t size, void **mapped, struct fault *why);
bool worker_memory_seal(int descriptor, void *mapped, size_t size, struct fault *why);
const void *worker_memory_map(int descriptor, size_t size, struct fault *why);
void worker_memory_unmap(const void *mapped, size_t size);

struct worker_numbers {
    int64_t jobs, failures, starts, renewals, poisonous;
    int running, waiting, behind;
};
void worker_pool_numbers(struct worker_pool *pool, struct worker_numbers *numbers);

/* In the worker process: the socket is descriptor 3. worker_sandbox gives up what a worker
 * of that kind does not need (no new files, sockets or processes); false when it could not. */
bool worker_hello(const char *text);
bool worker_next(struct worker_message *message); /* false: the daemon is gone, exit */
bool worker_answer(const struct worker_message *message);
void worker_message_fini(struct worker_message *message);
enum worker_kind { WORKER_DECODES, WORKER_RENDERS, WORKER_PAINTS /* renders in software */ };
bool worker_sandbox(enum worker_kind kind);

#endif
