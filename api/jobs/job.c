/* One job: held, followed, looked at, cancelled, and waited for. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/jobs/jobs_inside.h"

enum { WAITERS_MOST = 16 };

void job_free(struct job *job)
{
    job_plan_free(job->plan);
    free(job->request);
    free(job);
}

struct job *job_hold(struct job *job)
{
    pthread_mutex_lock(&job->jobs->lock);
    job->holders++;
    pthread_mutex_unlock(&job->jobs->lock);
    return job;
}

void job_drop(struct job *job)
{
    struct jobs *jobs;
    bool last;

    if (!job)
        return;
    jobs = job->jobs;
    pthread_mutex_lock(&jobs->lock);
    last = !--job->holders;
    pthread_mutex_unlock(&jobs->lock);
    if (last)
        job_free(job);
}

void job_tell(struct job *job)
{
    watch_wake_all(job->watches);
}

void job_watch(struct job *job, struct watch *watch)
{
    pthread_mutex_lock(&job->jobs->lock);
    job->holders++;
    watch_add(&job->watches, watch);
    pthread_mutex_unlock(&job->jobs->lock);
}

void job_unwatch(struct job *job, struct watch *watch)
{
    pthread_mutex_lock(&job->jobs->lock);
    watch_remove(watch);
    pthread_mutex_unlock(&job->jobs->lock);
    job_drop(job);
}

void job_about(struct job *job, struct job_about *about)
{
    int64_t since;

    pthread_mutex_lock(&job->jobs->lock);
    *about = (struct job_about){
        .id = job->id,
        .kind = job->kind->name,
        .landscape = job->landscape,
        .owner = job->owner[0] ? job->owner : NULL,
        .request = job->request,
        .version = job->version,
        .since = job->since,
        .state = job->state,
        .priority = job->priority,
        .cancelling = atomic_load(&job->cancel) && !job_state_ended(job->state),
        .units = job->counts.units,
        .done = job->counts.done,
        .made = job->counts.made,
        .unchanged = job->counts.unchanged,
        .absent = job->counts.absent,
        .failed = job->counts.failed,
        .results = job->counts.results,
        .bytes = job->counts.bytes,
        .rate = NAN,
        .created = job->created,
        .started = job->started,
        .ended = job->ended,
        .deadline = job->deadline,
        .fault = job->fault,
    };
    memcpy(about->warning, job->warning, sizeof about->warning);
    since = jobs_clock() - job->ran_since;
    /* One from before this process is planned anew first, and has not run in it then. */
    if (job->state == JOB_RUNNING && job->ran_since && since > 0 &&
        job->counts.done > job->ran_from)
        about->rate = (double)(job->counts.done - job->ran_from) * (double)SECOND / (double)since;
    pthread_mutex_unlock(&job->jobs->lock);
}

bool job_results(struct job *job, int64_t first, size_t most, struct job_result *results,
                 size_t *count, struct fault *why)
{
    struct job_about about;
    int home, file = -1;
    int64_t length;
    size_t bytes;
    bool read_all;

    job_about(job, &about);
    *count = 0;
    if (first >= about.results || !most)
        return true;
    *count = (size_t)(about.results - first) < most ? (size_t)(about.results - first) : most;
    bytes = *count * sizeof *results;
    home = job_home_open(job->jobs->shelf, job->id, why);
    if (home >= 0) {
        file = job_file_open(home, "list", &length, why);
        close(home);
    }
    if (file < 0)
        return false;
    read_all = pread(file, results, bytes, first * (int64_t)sizeof *results) == (ssize_t)bytes ||
               fault_set(why, FAULT_STORAGE, "the list of results of %s cannot be read", job->id);
    close(file);
    for (size_t i = 0; read_all && i < *count; i++)
        results[i].name[JOB_NAME_ROOM - 1] = results[i].media[JOB_MEDIA_ROOM - 1] = '\0';
    return read_all;
}

int job_result_open(struct job *job, const struct job_result *result, struct fault *why)
{
    char path[JOB_NAME_ROOM + 8];
    int home = job_home_open(job->jobs->shelf, job->id, why), file;
    int64_t length;

    if (home < 0)
        return -1;
    snprintf(path, sizeof path, "files/%s", result->name);
    file = job_file_open(home, path, &length, why);
    close(home);
    if (file >= 0 && length != result->length) {
        close(file);
        fault_set(why, FAULT_STORAGE, "the result %s has %" PRId64 " bytes instead of %" PRId64,
                  result->name, length, result->length);
        return -1;
    }
    return file;
}

bool job_cancel(struct job *job)
{
    struct jobs *jobs = job->jobs;
    struct job_plan *plan = NULL;
    struct fault why;
    bool alive, waiting;
    int home;

    pthread_mutex_lock(&jobs->lock);
    alive = !job_state_ended(job->state);
    waiting = job->state == JOB_QUEUED;
    if (alive)
        atomic_store(&job->cancel, true);
    if (waiting) {
        job->state = JOB_CANCELLED;
        job->ended = jobs_moment();
        plan = job->plan;
        job->plan = NULL;
        job_tell(job);
        pthread_cond_broadcast(&jobs->ended);
    }
    pthread_mutex_unlock(&jobs->lock);
    job_plan_free(plan);
    if (!waiting)
        return alive;
    home = job_home_open(jobs->shelf, job->id, &why);
    if (home >= 0) {
        job_home_clear(home, false, &why);
        job_record_put(job, JOB_CANCELLED, home, &why);
        close(home);
    }
    return true;
}

void job_wait(struct job *job, int64_t seconds)
{
    struct jobs *jobs = job->jobs;
    int64_t end = jobs_clock() + seconds * SECOND;

    pthread_mutex_lock(&jobs->lock);
    if (jobs->waiters < WAITERS_MOST) {
        jobs->waiters++;
        while (!job_state_ended(job->state) && jobs_clock() < end &&
               !atomic_load(&jobs->service->stopping)) {
            int64_t then = jobs_clock() + SECOND / 4;
            struct timespec until;

            then = then < end ? then : end;
            until = (struct timespec){ then / SECOND, then % SECOND };
            pthread_cond_timedwait(&jobs->ended, &jobs->lock, &until);
        }
        jobs->waiters--;
    }
    pthread_mutex_unlock(&jobs->lock);
}
