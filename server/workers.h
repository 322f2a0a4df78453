/* The threads that slow requests run on: a bounded queue, so that too much is refused and
 * never waits without end. Any thread. */
#ifndef SERVER_WORKERS_H
#define SERVER_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"

struct workers;

/* A job waits in the caller's memory until it has run. */
struct job {
    struct job *next;
    /* late: it waited longer than it may, or the pool is stopping; refuse instead of working. */
    void (*run)(struct job *job, bool late);
    int64_t since; /* nanoseconds */
};

bool workers_start(int threads, int waiting_most, int64_t wait_seconds, struct workers **workers,
                   struct fault *why);
/* Jobs that still wait run as late ones; returns when all have ended. */
void workers_stop(struct workers *workers);

/* False when the queue is full; the job was not taken then. */
bool workers_add(struct workers *workers, struct job *job);

struct workers_numbers {
    int64_t jobs, refused, late;
    int threads, waiting, running;
};
void workers_numbers(struct workers *workers, struct workers_numbers *numbers);

#endif
