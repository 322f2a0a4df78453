#include "api/jobs/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/jobs/jobs_inside.h"

const char *const job_state_words[] = { "queued", "running", "done", "failed", "cancelled", NULL };

static int64_t clock_read(clockid_t which)
{
    struct timespec now;

    clock_gettime(which, &now);
    return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

int64_t jobs_moment(void)
{
    return clock_read(CLOCK_REALTIME) / 1000000;
}

int64_t jobs_clock(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

static bool recover(void *context, const char *id)
{
    struct jobs *jobs = context;
    struct job *job = calloc(1, sizeof *job);
    struct fault why;
    int home = job_home_open(jobs->shelf, id, &why);
    bool whole = job && home >= 0 && job_record_take(job, home, &why) && !strcmp(job->id, id);

    if (job)
        job->jobs = jobs;
    if (whole && !job_state_ended(job->state) && !jobs->idle)
        job_record_recount(job, home);
    if (home >= 0)
        close(home);
    if (!whole) { /* never posted, or of no use any more */
        if (job)
            job_free(job);
        if (!jobs->idle)
            job_home_remove(jobs->shelf, id, &why);
        return true;
    }
    if (job->order > jobs->last_order)
        jobs->last_order = job->order;
    if (!jobs_put(jobs, job))
        job_free(job);
    return true;
}

bool jobs_open(struct service *service, const char *folder, bool idle, struct fault *why)
{
    struct jobs *jobs = calloc(1, sizeof *jobs);
    pthread_condattr_t attributes;
    char path[PATH_MAX];

    if (!jobs)
        return fault_set(why, FAULT_MEMORY, "No memory for jobs");
    jobs->service = service;
    jobs->idle = idle;
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&jobs->more, &attributes);
    pthread_cond_init(&jobs->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    jobs->shelf = job_shelf_open(folder, why);
    if (jobs->shelf >= 0 &&
        (!realpath(folder, path) ||
         snprintf(jobs->path, sizeof jobs->path, "%s/jobs", path) >= (int)sizeof jobs->path)) {
        fault_errno(why, FAULT_STORAGE, "finding the folder %s", folder);
        close(jobs->shelf);
        jobs->shelf = -1;
    }
    if (jobs->shelf < 0 || !job_shelf_each(jobs->shelf, recover, jobs, why)) {
        jobs_close(jobs);
        return false;
    }
    service->jobs = jobs;
    jobs_make_room(jobs);
    return true;
}

void jobs_close(struct jobs *jobs)
{
    if (!jobs)
        return;
    if (jobs->service->jobs == jobs)
        jobs->service->jobs = NULL;
    for (size_t i = 0; i < jobs->count; i++)
        job_free(jobs->table[i]);
    free(jobs->table);
    if (jobs->shelf >= 0)
        close(jobs->shelf);
    pthread_cond_destroy(&jobs->more);
    pthread_cond_destroy(&jobs->ended);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

void jobs_numbers(struct jobs *jobs, struct jobs_numbers *numbers)
{
    *numbers = (struct jobs_numbers){ 0 };
    pthread_mutex_lock(&jobs->lock);
    for (size_t i = 0; i < jobs->count; i++) {
        numbers->states[jobs->table[i]->state]++;
        numbers->bytes += jobs->table[i]->counts.bytes;
    }
    numbers->units = jobs->units;
    numbers->refused = jobs->refused;
    numbers->seconds = (double)jobs->worked / (double)SECOND;
    pthread_mutex_unlock(&jobs->lock);
}
