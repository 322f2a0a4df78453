#include "terrain/worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terrain/worker/poison.h"
#include "terrain/worker/process.h"

enum worker_state { ABSENT, STARTING, IDLE, BUSY, DYING };
enum { LOOKS = 1 };      /* seconds: whoever was told of a free worker may have left meanwhile */
enum { SLOW_START = 2 }; /* seconds */

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

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, double until)
{
    struct timespec t = { .tv_sec = (time_t)until };

    t.tv_nsec = (long)((until - t.tv_sec) * 1e9);
    pthread_cond_timedwait(cond, lock, &t);
}

static struct worker *find(struct worker_pool *pool, enum worker_state state)
{
    for (int i = 0; i < pool->options.count; i++)
        if (pool->workers[i].state == state)
            return &pool->workers[i];
    return NULL;
}

static int count_state(const struct worker_pool *pool, enum worker_state state)
{
    int found = 0;

    for (int i = 0; i < pool->options.count; i++)
        found += pool->workers[i].state == state;
    return found;
}

/* Those that may be expected soon; one that takes long is no longer counted on. */
static int count_expected(const struct worker_pool *pool)
{
    int found = 0;

    for (int i = 0; i < pool->options.count; i++)
        found += pool->workers[i].state == STARTING && now() < pool->workers[i].since + SLOW_START;
    return found;
}

/* An empty place, when a process is wanted: one is kept warm, more come when jobs wait. */
static struct worker *place_to_fill(struct worker_pool *pool)
{
    int absent = count_state(pool, ABSENT);
    int there = count_state(pool, IDLE) + count_expected(pool);

    if (absent == pool->options.count || pool->waiting + pool->behind > there)
        return find(pool, ABSENT);
    return NULL;
}

static void tell_all(struct worker_pool *pool)
{
    pthread_cond_broadcast(&pool->freed);
    pthread_cond_broadcast(&pool->spare);
}

/* 0.1 s, doubling to 5 s. */
static void back_off(struct worker_pool *pool, int times_before)
{
    double pause = 0.1;

    for (int i = 0; i < times_before && pause < 5; i++)
        pause *= 2;
    pool->not_before = now() + (pause < 5 ? pause : 5);
}

static void start_failed(struct worker_pool *pool, const struct fault *why)
{
    back_off(pool, pool->failed_starts++);
    pool->start_fault = *why;
    pool->numbers.failures++;
    tell_all(pool);
}

/* Whether none is of use at present. */
static bool is_empty(const struct worker_pool *pool)
{
    return count_state(pool, ABSENT) + count_state(pool, STARTING) == pool->options.count;
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
    tell_all(pool);
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
    worker->since = now();
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
    while (count_state(pool, STARTING) > 0)
        pthread_cond_wait(&pool->needed, &pool->lock);
    for (int i = 0; i < pool->options.count; i++)
        if (pool->workers[i].state != ABSENT)
            bury(pool, &pool->workers[i]);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->options.count; i++)
        join_greeter(&pool->workers[i]);
    pthread_mutex_lock(&pool->lock);
}

static void *keep(void *context)
{
    struct worker_pool *pool = context;

    pthread_mutex_lock(&pool->lock);
    while (!pool->stopping) {
        struct worker *dying = find(pool, DYING);
        struct worker *place = place_to_fill(pool);

        join_done(pool);
        if (dying)
            bury(pool, dying);
        else if (place && now() >= pool->not_before)
            fill(pool, place);
        else if (place)
            wait_until(&pool->needed, &pool->lock, pool->not_before);
        else if (count_state(pool, STARTING) > 0) /* another may be wanted instead */
            wait_until(&pool->needed, &pool->lock, now() + SLOW_START);
        else
            pthread_cond_wait(&pool->needed, &pool->lock);
    }
    end_all(pool);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
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
    if ((errno = pthread_create(&pool->keeper, NULL, keep, pool)) != 0) {
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
    tell_all(pool);
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

    while ((worker = find(pool, IDLE)) != NULL) {
        if (process_quiet(&worker->process)) {
            worker->state = BUSY;
            return worker;
        }
        worker->state = DYING;
        pool->numbers.failures++;
        pthread_cond_signal(&pool->needed);
    }
    return NULL;
}

/* Nobody is busy, they only have not come yet: whoever waits then waits for a start, which ends by
 * itself, and may be longer than a job. */
static bool only_starts(struct worker_pool *pool)
{
    return pool->running == 0 && count_state(pool, STARTING) > 0;
}

static bool may_wait(struct worker_pool *pool, double until, struct fault *why)
{
    if (pool->stopping)
        return fault_set(why, FAULT_BUSY, "the server is stopping");
    /* One start that fails may be an accident; two in a row are the answer. */
    if (pool->failed_starts > 1 && count_state(pool, ABSENT) == pool->options.count) {
        *why = pool->start_fault;
        return false;
    }
    if (now() >= until && !only_starts(pool))
        return fault_set(why, FAULT_BUSY, "no helper process became free within %g s",
                         pool->options.deadline);
    return true;
}

/* With the lock. */
static void set_out(struct worker *worker)
{
    struct worker_pool *pool = worker->pool;

    pool->running++;
    worker->until = now() + pool->options.deadline;
    process_limit_time(&worker->process, pool->options.deadline);
}

struct worker *worker_begin(struct worker_pool *pool, struct fault *why)
{
    double until = now() + pool->options.deadline;
    struct worker *worker;

    pthread_mutex_lock(&pool->lock);
    worker = take_idle(pool);
    if (!worker && pool->waiting >= pool->options.waiting_most) {
        fault_set(why, FAULT_BUSY, "%d jobs wait for a helper process already", pool->waiting);
        goto done;
    }
    pool->waiting++;
    while (!worker && may_wait(pool, until, why)) {
        double time = now();

        pthread_cond_signal(&pool->needed);
        wait_until(&pool->freed, &pool->lock, time < until ? until : time + LOOKS);
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
    double until = now() + pool->options.deadline;
    struct worker *worker;

    pthread_mutex_lock(&pool->lock);
    pool->behind++;
    while (!(worker = pool->waiting ? NULL : take_idle(pool)) && may_wait(pool, until, why)) {
        double time = now(), look = time + LOOKS;

        pthread_cond_signal(&pool->needed);
        wait_until(&pool->spare, &pool->lock, look < until || time >= until ? look : until);
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
        back_off(pool, pool->bad_ends - 2);
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
