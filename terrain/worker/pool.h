/* A pool of helper processes, inside: what those who take and return them (worker.c) and the thread
 * that starts and buries them (keeper.c) share. All of a pool is under its lock, but for a worker
 * that is BUSY, which is its taker's. */
#ifndef WORKER_POOL_H
#define WORKER_POOL_H

#include <pthread.h>

#include "terrain/worker/poison.h"
#include "terrain/worker/process.h"
#include "terrain/worker/worker.h"

enum worker_state { ABSENT, STARTING, IDLE, BUSY, DYING };

struct worker {
    struct worker_pool *pool;
    enum worker_state state;
    struct process process;
    uint64_t serial;
    int jobs;
    double until; /* the running job's deadline */
    bool failed;  /* its job went wrong: it is not to be used again */
    bool died;    /* by itself */
    /* Of its start: who waits for the hello, to be joined, and a descriptor that ends the wait. */
    pthread_t greeter;
    bool greeted;
    int leash;
    double since;
};

/* One thread, the keeper, starts and buries processes: a helper asks the kernel to be killed
 * when its parent ends, and the kernel takes the thread that started it for the parent. A thread
 * of its own waits for each one's hello, so that one that is slow to start keeps nobody waiting. */
struct worker_pool {
    struct worker_options options;
    char *program;
    pthread_mutex_t lock;
    pthread_cond_t freed;  /* a worker is idle, or starting failed */
    pthread_cond_t spare;  /* the same, and nobody waits who is not behind */
    pthread_cond_t needed; /* the keeper has something to do */
    pthread_t keeper;
    bool stopping;
    struct worker *workers;
    int waiting, running;
    int behind;        /* that let others go first */
    int failed_starts; /* in a row */
    int bad_ends;      /* jobs that cost a process, in a row */
    double not_before; /* the next start */
    struct poison *poison;
    struct fault start_fault;
    uint64_t next_serial;
    char hello[4096];
    struct worker_numbers numbers;
};

/* Monotonic seconds, and a wait until then or until the condition is signalled. */
double pool_now(void);
void pool_wait(pthread_cond_t *cond, pthread_mutex_t *lock, double until);

/* With the lock: one in that state, or NULL; how many are. */
struct worker *pool_find(struct worker_pool *pool, enum worker_state state);
int pool_count(const struct worker_pool *pool, enum worker_state state);

/* With the lock: those that died while idle are dying from now on, for the keeper to bury. Whether
 * there are any. */
bool pool_notice_dead(struct worker_pool *pool);

/* With the lock: wakes all who wait for a worker. */
void pool_tell_all(struct worker_pool *pool);

/* With the lock: nothing is started for 0.1 s, doubled so many times, 5 s at most. */
void pool_back_off(struct worker_pool *pool, int times_before);

/* The keeper: starts and buries processes until the pool is stopping, then ends all. */
void *pool_keep(void *pool);

#endif
