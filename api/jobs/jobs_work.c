/* Which job is next, and the thread that works on it. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "api/jobs/jobs_inside.h"

enum { LOOK_SECONDS = 60 };

/* Which of two that wait is before the other. Those that were recovered get their versions back
 * before any runs: the longer that takes, the less of the log may be left. */
static bool is_before(const struct job *job, const struct job *other)
{
    if (!job->plan != !other->plan)
        return !job->plan;
    if (job->priority != other->priority)
        return job->priority > other->priority;
    return job->order != other->order ? job->order < other->order : job->created < other->created;
}

/* With the lock; NULL when none waits. */
static struct job *next_one(const struct jobs *jobs)
{
    struct job *best = NULL;

    for (size_t i = 0; i < jobs->count; i++) {
        struct job *job = jobs->table[i];

        if (job->state != JOB_QUEUED || job->creating || (!job->plan && jobs->idle && !job->wanted))
            continue;
        if (!best || is_before(job, best))
            best = job;
    }
    return best;
}

void jobs_make_way(struct jobs *jobs, const struct job *job)
{
    struct job *least = NULL;

    for (size_t i = 0; i < jobs->count && !jobs->lingering; i++) {
        struct job *other = jobs->table[i];

        if (other->state == JOB_RUNNING && other->plan && !atomic_load(&other->yield) &&
            other->priority < job->priority && (!least || other->priority < least->priority))
            least = other;
    }
    if (least)
        atomic_store(&least->yield, true);
}

/* The plan of one that was there before this process. */
static void plan_again(struct job *job)
{
    struct jobs *jobs = job->jobs;
    struct fault why = { 0 };
    struct job_plan *plan =
        job_plan_make(jobs, job->request, strlen(job->request), job->version, &why);
    bool right = plan && plan->view->incarnation == job->incarnation;
    int home = -1;

    if (plan && !right)
        fault_set(&why, FAULT_MISSING, "the landscape %s was deleted; another one has its name",
                  job->landscape);
    if (!right) {
        job_plan_free(plan);
        plan = NULL;
        home = job_home_open(jobs->shelf, job->id, &(struct fault){ 0 });
    }
    pthread_mutex_lock(&jobs->lock);
    job->plan = plan;
    if (plan)
        plan->cancel = &job->cancel;
    job->state = JOB_QUEUED;
    if (!right) {
        job->fault = why;
        job->ended = jobs_moment();
    }
    pthread_mutex_unlock(&jobs->lock);
    if (right)
        return;
    if (home >= 0) {
        job_home_clear(home, false, &why);
        job_record_put(job, JOB_FAILED, home, &why);
        close(home);
    }
    pthread_mutex_lock(&jobs->lock);
    job->state = JOB_FAILED;
    job_tell(job);
    pthread_cond_broadcast(&jobs->ended);
    pthread_mutex_unlock(&jobs->lock);
}

static void plan_drop(struct job *job)
{
    struct job_plan *plan;

    pthread_mutex_lock(&job->jobs->lock);
    plan = job_state_ended(job->state) ? job->plan : NULL;
    if (plan)
        job->plan = NULL;
    pthread_mutex_unlock(&job->jobs->lock);
    job_plan_free(plan);
}

/* Waits a while for a job to come. With the lock. */
static void linger(struct jobs *jobs)
{
    struct timespec until;
    int64_t then = jobs_clock() + LOOK_SECONDS * SECOND;

    until = (struct timespec){ then / SECOND, then % SECOND };
    if (pthread_cond_timedwait(&jobs->more, &jobs->lock, &until) == ETIMEDOUT) {
        pthread_mutex_unlock(&jobs->lock);
        jobs_make_room(jobs); /* age alone may end them */
        pthread_mutex_lock(&jobs->lock);
    }
}

bool jobs_work(struct jobs *jobs, const struct executor *executor, bool wait)
{
    struct job *job = NULL;
    int64_t began = 0;
    bool planned;

    pthread_mutex_lock(&jobs->lock);
    while (!atomic_load(&jobs->stopping) && !atomic_load(&jobs->service->stopping) &&
           !(job = next_one(jobs)) && wait) {
        jobs->lingering++;
        linger(jobs);
        jobs->lingering--;
    }
    if (!job) {
        pthread_mutex_unlock(&jobs->lock);
        return false;
    }
    job->holders++;
    job->state = JOB_RUNNING;
    atomic_store(&job->yield, false);
    planned = job->plan != NULL;
    if (planned) {
        began = jobs_clock();
        job->ran_since = began;
        job->ran_from = job->counts.done;
        if (!job->started)
            job->started = jobs_moment();
        job_tell(job);
    }
    pthread_mutex_unlock(&jobs->lock);
    if (planned) {
        job_run(job, executor);
        plan_drop(job);
        pthread_mutex_lock(&jobs->lock);
        jobs->worked += jobs_clock() - began;
        pthread_mutex_unlock(&jobs->lock);
        jobs_make_room(jobs);
    } else {
        plan_again(job);
    }
    job_drop(job);
    return true;
}

void jobs_stop(struct jobs *jobs)
{
    pthread_mutex_lock(&jobs->lock);
    atomic_store(&jobs->stopping, true);
    pthread_cond_broadcast(&jobs->more);
    pthread_cond_broadcast(&jobs->ended);
    pthread_mutex_unlock(&jobs->lock);
}
