#include "terrain/worker/pool.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    SLOW_START = 2, /* seconds */
    ROUNDS = 5      /* seconds between looks at those that are idle: nobody says when one dies */
};

/* Those that may be expected soon; one that takes long is no longer counted on. */
static int count_expected(const struct worker_pool *pool)
{
    int found = 0;

    for (int i = 0; i < pool->options.count; i++)
        found +=
            pool->workers[i].state == STARTING && pool_now() < pool->workers[i].since + SLOW_START;
    return found;
}

/* An empty place, when a process is wanted: one is kept warm, more come when jobs wait. */
static struct worker *place_to_fill(struct worker_pool *pool)
{
    int absent = pool_count(pool, ABSENT);
    int there = pool_count(pool, IDLE) + count_expected(pool);

    if (absent == pool->options.count || pool->waiting + pool->behind > there)
        return pool_find(pool, ABSENT);
    return NULL;
}

static void start_failed(struct worker_pool *pool, const struct fault *why)
{
    pool_back_off(pool, pool->failed_starts++);
    pool->start_fault = *why;
    pool->numbers.failures++;
    pool_tell_all(pool);
}

/* Whether none is of use at present. */
static bool is_empty(const struct worker_pool *pool)
{
    return pool_count(pool, ABSENT) + pool_count(pool, STARTING) == pool->options.count;
}

static void begin_service(struct worker_pool *pool, struct worker *worker,
                          const struct process *process)
{
    pool->failed_starts = 0;
    pool->start_fault = (struct fault){ 0 };
    worker->process = *process;
    worker->serial = ++pool->next_serial;
    worker->jobs = 0;
    worker->failed = worker->died = false;
    worker->state = IDLE;
    pool_tell_all(pool);
}

/* Waits for the hello of one that has been started; a thread of its own. */
static void *greet(void *context)
{
    struct worker *worker = context;
    struct worker_pool *pool = worker->pool;
    struct process process = worker->process;
    char hello[sizeof pool->hello] = "";
    struct fault why = { 0 };
    bool started = process_greet(&process, pool->program, hello, sizeof hello, &why);

    if (started && pool->options.accepts && !pool->options.accepts(hello, &why)) {
        process_end(&process, NULL, 0);
        started = false;
    }
    pthread_mutex_lock(&pool->lock);
    pool->numbers.starts++;
    /* What one says that is of no use is what all of them say, while there is none that is. */
    if (hello[0] && (started || is_empty(pool)))
        memcpy(pool->hello, hello, sizeof hello);
    close(worker->leash);
    if (started) {
        begin_service(pool, worker, &process);
    } else {
        worker->state = ABSENT;
        start_failed(pool, &why);
    }
    pthread_cond_signal(&pool->needed);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void join_greeter(struct worker *worker)
{
    if (worker->greeted)
        pthread_join(worker->greeter, NULL);
    worker->greeted = false;
}

/* Of those that have said hello or will not: their threads are about to return, if they have not.
 * Locked. */
static void join_done(struct worker_pool *pool)
{
    for (int i = 0; i < pool->options.count; i++)
        if (pool->workers[i].state != STARTING)
            join_greeter(&pool->workers[i]);
}

/* Starts a process for the place; false when there was none to start. Unlocked. */
static bool start(struct worker_pool *pool, struct worker *worker, struct fault *why)
{
    const struct worker_options *options = &pool->options;

    if (!process_start(&worker->process, pool->program, options->arguments, options->memory_bytes,
                       why))
        return false;
    worker->leash = fcntl(worker->process.socket, F_DUPFD_CLOEXEC, 0);
    worker->greeted =
        worker->leash >= 0 && pthread_create(&worker->greeter, NULL, greet, worker) == 0;
    if (worker->greeted)
        return true;
    if (worker->leash >= 0)
        close(worker->leash);
    process_end(&worker->process, NULL, 0);
    return fault_set(why, FAULT_WORKER, "no thread or descriptor to start %s with", pool->program);
}

/* Called and returns locked. */
static void fill(struct worker_pool *pool, struct worker *worker)
{
    struct fault why = { 0 };
    bool started;

    worker->state = STARTING;
    worker->since = pool_now();
    pthread_mutex_unlock(&pool->lock);
    started = start(pool, worker, &why);
    pthread_mutex_lock(&pool->lock);
    if (started)
        return;
    worker->state = ABSENT;
    pool->numbers.starts++;
    start_failed(pool, &why);
}

static void bury(struct worker_pool *pool, struct worker *worker)
{
    struct process process = worker->process;

    pthread_mutex_unlock(&pool->lock);
    process_end(&process, NULL, 0);
    pthread_mutex_lock(&pool->lock);
    worker->state = ABSENT;
}

/* Those that have not said hello yet are not waited for. */
static void end_all(struct worker_pool *pool)
{
    for (int i = 0; i < pool->options.count; i++)
        if (pool->workers[i].state == STARTING)
            shutdown(pool->workers[i].leash, SHUT_RDWR);
    while (pool_count(pool, STARTING) > 0)
        pthread_cond_wait(&pool->needed, &pool->lock);
    for (int i = 0; i < pool->options.count; i++)
        if (pool->workers[i].state != ABSENT)
            bury(pool, &pool->workers[i]);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->options.count; i++)
        join_greeter(&pool->workers[i]);
    pthread_mutex_lock(&pool->lock);
}

void *pool_keep(void *context)
{
    struct worker_pool *pool = context;

    pthread_mutex_lock(&pool->lock);
    while (!pool->stopping) {
        struct worker *dying, *place;

        pool_notice_dead(pool);
        dying = pool_find(pool, DYING);
        place = place_to_fill(pool);
        join_done(pool);
        if (dying)
            bury(pool, dying);
        else if (place && pool_now() >= pool->not_before)
            fill(pool, place);
        else if (place)
            pool_wait(&pool->needed, &pool->lock, pool->not_before);
        else if (pool_count(pool, STARTING) > 0) /* another may be wanted instead */
            pool_wait(&pool->needed, &pool->lock, pool_now() + SLOW_START);
        else
            pool_wait(&pool->needed, &pool->lock, pool_now() + ROUNDS);
    }
    end_all(pool);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}
