#include "terrain/worker/pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LOOKS = 1 }; /* seconds: whoever was told of a free worker may have left meanwhile */

double pool_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

void pool_wait(pthread_cond_t *cond, pthread_mutex_t *lock, double until)
{
    struct timespec t = { .tv_sec = (time_t)until };

    t.tv_nsec = (long)((until - t.tv_sec) * 1e9);
    pthread_cond_timedwait(cond, lock, &t);
}

struct worker *pool_find(struct worker_pool *pool, enum worker_state state)
{
    for (int i = 0; i < pool->options.count; i++)
        if (pool->workers[i].state == state)
            return &pool->workers[i];
    return NULL;
}

int pool_count(const struct worker_pool *pool, enum worker_state state)
{
    int found = 0;

    for (int i = 0; i < pool->options.count; i++)
        found += pool->workers[i].state == state;
    return found;
}

bool pool_notice_dead(struct worker_pool *pool)
{
    bool any = false;

    for (int i = 0; i < pool->options.count; i++) {
        struct worker *worker = &pool->workers[i];

        if (worker->state != IDLE || process_quiet(&worker->process))
            continue;
        worker->state = DYING;
        pool->numbers.failures++;
        any = true;
    }
    return any;
}

void pool_tell_all(struct worker_pool *pool)
{
    pthread_cond_broadcast(&pool->freed);
    pthread_cond_broadcast(&pool->spare);
}

void pool_back_off(struct worker_pool *pool, int times_before)
{
    double pause = 0.1;

    for (int i = 0; i < times_before && pause < 5; i++)
        pause *= 2;
    pool->not_before = pool_now() + (pause < 5 ? pause : 5);
}

static void pool_free(struct worker_pool *pool)
{
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->freed);
    pthread_cond_destroy(&pool->spare);
    pthread_cond_destroy(&pool->needed);
    free(pool->program);
    poison_free(pool->poison);
    free(pool->workers);
    free(pool);
}

static struct worker_pool *pool_new(const struct worker_options *options)
{
    struct worker_pool *pool = calloc(1, sizeof *pool);
    pthread_condattr_t monotonic;

    if (!pool)
        return NULL;
    pool->options = *options;
    pool->workers = calloc((size_t)options->count, sizeof *pool->workers);
    pool->poison = poison_new();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->freed, &monotonic);
    pthread_cond_init(&pool->spare, &monotonic);
    pthread_cond_init(&pool->needed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    for (int i = 0; pool->workers && i < options->count; i++)
        pool->workers[i].pool = pool;
    return pool;
}

bool worker_pool_start(const struct worker_options *options, struct worker_pool **result,
                       struct fault *why)
{
    struct worker_pool *pool = pool_new(options);

    if (!pool || !pool->workers || !pool->poison) {
        fault_set(why, FAULT_MEMORY, "no memory for %d helper processes", options->count);
        goto fail;
    }
    pool->program = process_find(options->program, why);
    if (!pool->program)
        goto fail;
    if ((errno = pthread_create(&pool->keeper, NULL, pool_keep, pool)) != 0) {
        fault_errno(why, FAULT_WORKER, "starting a thread for %s", options->program);
        goto fail;
    }
    *result = pool;
    return true;

fail:
    if (pool)
        pool_free(pool);
    return false;
}

void worker_pool_stop(struct worker_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->needed);
    pool_tell_all(pool);
    pthread_mutex_unlock(&pool->lock);
    pthread_join(pool->keeper, NULL);
    pool_free(pool);
}

void worker_pool_hello(struct worker_pool *pool, char *text, size_t room)
{
    pthread_mutex_lock(&pool->lock);
    snprintf(text, room, "%s", pool->hello);
    pthread_mutex_unlock(&pool->lock);
}

void worker_pool_numbers(struct worker_pool *pool, struct worker_numbers *numbers)
{
    pthread_mutex_lock(&pool->lock);
    *numbers = pool->numbers;
    numbers->poisonous = poison_count(pool->poison);
    numbers->running = pool->running;
    numbers->waiting = pool->waiting;
    numbers->behind = pool->behind;
    pthread_mutex_unlock(&pool->lock);
}

/* An idle worker that is alive; those that died while idle are left to the keeper. */
static struct worker *take_idle(struct worker_pool *pool)
{
    struct worker *worker;

    if (pool_notice_dead(pool))
        pthread_cond_signal(&pool->needed);
    worker = pool_find(pool, IDLE);
    if (worker)
        worker->state = BUSY;
    return worker;
}

/* Nobody is busy, they only have not come yet: whoever waits then waits for a start, which ends by
 * itself, and may be longer than a job. */
static bool only_starts(struct worker_pool *pool)
{
    return pool->running == 0 && pool_count(pool, STARTING) > 0;
}

static bool may_wait(struct worker_pool *pool, double until, struct fault *why)
{
    if (pool->stopping)
        return fault_set(why, FAULT_BUSY, "the server is stopping");
    /* One start that fails may be an accident; two in a row are the answer. */
    if (pool->failed_starts > 1 && pool_count(pool, ABSENT) == pool->options.count) {
        *why = pool->start_fault;
        return false;
    }
    if (pool_now() >= until && !only_starts(pool))
        return fault_set(why, FAULT_BUSY, "no helper process became free within %g s",
                         pool->options.deadline);
    return true;
}

/* With the lock. */
static void set_out(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;

    pool->running++;
    worker->until = pool_now() + pool->options.deadline;
    process_limit_time(&worker->process, pool->options.deadline);
}

struct worker *worker_begin(struct worker_pool *pool, struct fault *why)
{
    double until = pool_now() + pool->options.deadline;
    struct worker *worker;

    pthread_mutex_lock(&pool->lock);
    worker = take_idle(pool);
    if (!worker && pool->waiting >= pool->options.waiting_most) {
        fault_set(why, FAULT_BUSY, "%d jobs wait for a helper process already", pool->waiting);
        goto done;
    }
    pool->waiting++;
    while (!worker && may_wait(pool, until, why)) {
        double time = pool_now();

        pthread_cond_signal(&pool->needed);
        pool_wait(&pool->freed, &pool->lock, time < until ? until : time + LOOKS);
        worker = take_idle(pool);
    }
    pool->waiting--;
    if (worker)
        set_out(worker);
    if (!pool->waiting && pool->behind)
        pthread_cond_signal(&pool->spare);

done:
    pthread_mutex_unlock(&pool->lock);
    return worker;
}

struct worker *worker_begin_behind(struct worker_pool *pool, struct fault *why)
{
    double until = pool_now() + pool->options.deadline;
    struct worker *worker;

    pthread_mutex_lock(&pool->lock);
    pool->behind++;
    while (!(worker = pool->waiting ? NULL : take_idle(pool)) && may_wait(pool, until, why)) {
        double time = pool_now(), look = time + LOOKS;

        pthread_cond_signal(&pool->needed);
        pool_wait(&pool->spare, &pool->lock, look < until || time >= until ? look : until);
    }
    pool->behind--;
    if (worker)
        set_out(worker);
    pthread_mutex_unlock(&pool->lock);
    return worker;
}

static bool went(struct worker *worker, bool well, const struct fault *why)
{
    worker->failed = !well;
    worker->died = !well && why->code == FAULT_WORKER;
    return well;
}

bool worker_send(struct worker *worker, const struct worker_message *message, struct fault *why)
{
    if (worker->failed)
        return fault_set(why, FAULT_WORKER, "the helper process has failed already");
    return went(worker, process_send(&worker->process, message, worker->until, why), why);
}

bool worker_receive(struct worker *worker, struct worker_message *message, struct fault *why)
{
    if (worker->failed)
        return fault_set(why, FAULT_WORKER, "the helper process has failed already");
    return went(worker, process_receive(&worker->process, message, worker->until, why), why);
}

/* Whether it has served long enough, or has grown. */
static bool spent(const struct worker *worker)
{
    const struct worker_options *options = &worker->pool->options;

    return (options->jobs_before_renewal > 0 && worker->jobs >= options->jobs_before_renewal) ||
           (options->resident_most > 0 &&
            process_resident(&worker->process) > options->resident_most);
}

/* A single bad end is made good at once; more of them in a row are paced. */
static void count_end(struct worker_pool *pool, bool sound)
{
    if (sound) {
        pool->bad_ends = 0;
        return;
    }
    pool->numbers.failures++;
    if (pool->bad_ends++ > 0)
        pool_back_off(pool, pool->bad_ends - 2);
}

void worker_end(struct worker *worker, bool sound)
{
    struct worker_pool *pool;
    bool renewed;

    if (!worker)
        return;
    pool = worker->pool;
    sound = sound && !worker->failed;
    worker->jobs++;
    renewed = sound && spent(worker);
    pthread_mutex_lock(&pool->lock);
    pool->running--;
    pool->numbers.jobs++;
    pool->numbers.renewals += renewed;
    count_end(pool, sound);
    if (!sound || renewed) {
        worker->state = DYING;
        pthread_cond_signal(&pool->needed);
    } else {
        worker->state = IDLE;
        pthread_cond_signal(pool->waiting ? &pool->freed : &pool->spare);
    }
    pthread_mutex_unlock(&pool->lock);
}

bool worker_died(const struct worker *worker)
{
    return worker->died;
}

struct poison *worker_poison(struct worker_pool *pool)
{
    return pool->poison;
}

double worker_poison_seconds(const struct worker_pool *pool)
{
    return pool->options.poison_seconds;
}

uint64_t worker_serial(const struct worker *worker)
{
    return worker->serial;
}
