#include "server/workers.h"

#include <pthread.h>
#include <stdlib.h>

#include "server/clock.h"

/* Only what is used is there. The thread sanitizer takes most of one MiB for itself. */
enum { STACK_BYTES = 1 << 21 };

struct workers {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct job *first, **last;
    int waiting_most;
    int64_t wait_most; /* nanoseconds */
    bool stopping;
    struct workers_numbers numbers;
    pthread_t threads[];
};

/* With the lock. NULL when it is time to end. */
static struct job *job_take(struct workers *workers, bool *late)
{
    struct job *job;

    while (!workers->first && !workers->stopping)
        pthread_cond_wait(&workers->more, &workers->lock);
    job = workers->first;
    if (!job)
        return NULL;
    workers->first = job->next;
    if (!workers->first)
        workers->last = &workers->first;
    workers->numbers.waiting--;
    workers->numbers.running++;
    workers->numbers.jobs++;
    *late = workers->stopping || clock_now() - job->since > workers->wait_most;
    workers->numbers.late += *late;
    return job;
}

static void *work(void *context)
{
    struct workers *workers = context;
    struct job *job;
    bool late;

    pthread_mutex_lock(&workers->lock);
    while ((job = job_take(workers, &late))) {
        pthread_mutex_unlock(&workers->lock);
        job->run(job, late);
        pthread_mutex_lock(&workers->lock);
        workers->numbers.running--;
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

bool workers_start(int threads, int waiting_most, int64_t wait_seconds, struct workers **made,
                   struct fault *why)
{
    struct workers *workers = calloc(1, sizeof *workers + (size_t)threads * sizeof(pthread_t));
    pthread_attr_t attributes;

    if (!workers)
        return fault_set(why, FAULT_MEMORY, "No memory for %d threads", threads);
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->more, NULL);
    workers->last = &workers->first;
    workers->waiting_most = waiting_most;
    workers->wait_most = wait_seconds * CLOCK_SECOND;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&workers->threads[i], &attributes, work, workers))
            break;
        workers->numbers.threads++;
    }
    pthread_attr_destroy(&attributes);
    if (workers->numbers.threads < threads) {
        fault_set(why, FAULT_MEMORY, "Only %d of %d worker threads could be started",
                  workers->numbers.threads, threads);
        workers_stop(workers);
        return false;
    }
    *made = workers;
    return true;
}

void workers_stop(struct workers *workers)
{
    if (!workers)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->stopping = true;
    pthread_cond_broadcast(&workers->more);
    pthread_mutex_unlock(&workers->lock);
    for (int i = 0; i < workers->numbers.threads; i++)
        pthread_join(workers->threads[i], NULL);
    pthread_cond_destroy(&workers->more);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}

bool workers_add(struct workers *workers, struct job *job)
{
    bool taken;

    job->next = NULL;
    job->since = clock_now();
    pthread_mutex_lock(&workers->lock);
    taken = !workers->stopping &&
            workers->numbers.waiting + workers->numbers.running < workers->waiting_most;
    if (taken) {
        *workers->last = job;
        workers->last = &job->next;
        workers->numbers.waiting++;
        pthread_cond_signal(&workers->more);
    } else {
        workers->numbers.refused++;
    }
    pthread_mutex_unlock(&workers->lock);
    return taken;
}

void workers_numbers(struct workers *workers, struct workers_numbers *numbers)
{
    pthread_mutex_lock(&workers->lock);
    *numbers = workers->numbers;
    pthread_mutex_unlock(&workers->lock);
}
