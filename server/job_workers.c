#include "server/job_workers.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "server/splitter.h"

enum { NICENESS = 10, STACK_BYTES = 1 << 21 /* as other workers */ };

struct job_workers {
    struct jobs *jobs;
    struct splitter *splitter;
    int count;
    pthread_t threads[];
};

static void *work(void *context)
{
    struct job_workers *workers = context;

    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS);
    while (jobs_work(workers->jobs, splitter_executor(workers->splitter), true))
        ;
    return NULL;
}

bool job_workers_start(struct jobs *jobs, int threads, int helpers, struct job_workers **made,
                       struct fault *why)
{
    struct job_workers *workers = calloc(1, sizeof *workers + (size_t)threads * sizeof(pthread_t));
    pthread_attr_t attributes;

    if (!workers)
        return fault_set(why, FAULT_MEMORY, "No memory for %d threads", threads);
    workers->jobs = jobs;
    if (!splitter_start(helpers, NICENESS, &workers->splitter, why)) {
        free(workers);
        return false;
    }
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (workers->count < threads &&
           !pthread_create(&workers->threads[workers->count], &attributes, work, workers))
        workers->count++;
    pthread_attr_destroy(&attributes);
    if (!workers->count) {
        job_workers_stop(workers);
        return fault_set(why, FAULT_MEMORY, "No thread for jobs could be started");
    }
    *made = workers;
    return true;
}

void job_workers_stop(struct job_workers *workers)
{
    if (!workers)
        return;
    jobs_stop(workers->jobs);
    for (int i = 0; i < workers->count; i++)
        pthread_join(workers->threads[i], NULL);
    splitter_stop(workers->splitter);
    free(workers);
}
