/* A job comes: its id, its place in the table, and its record on the disk. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/jobs/jobs_inside.h"

static size_t alive_count(const struct jobs *jobs)
{
    size_t alive = 0;

    for (size_t i = 0; i < jobs->count; i++)
        alive += !job_state_ended(jobs->table[i]->state);
    return alive;
}

/* When, and which of that second: in the order in which they were posted. */
static void id_make_up(struct jobs *jobs, char id[65])
{
    time_t now = (time_t)(jobs_moment() / 1000);
    char text[32];
    struct tm at;
    bool there;

    if (now > jobs->last_made_up) {
        jobs->last_made_up = now;
        jobs->made_up = 0;
    }
    now = (time_t)jobs->last_made_up;
    gmtime_r(&now, &at);
    strftime(text, sizeof text, "%Y%m%dT%H%M%S", &at);
    do
        snprintf(id, 65, "%s-%04d", text, ++jobs->made_up);
    while (jobs_place(jobs, id, &there), there);
}

/* The job that has the id already, held, or a refusal; false when the id is free. */
static bool repeated(struct jobs *jobs, const struct job *job, struct job **found,
                     struct fault *why)
{
    bool there;
    size_t place = jobs_place(jobs, job->id, &there);
    struct job *other = there ? jobs->table[place] : NULL;

    if (!there)
        return false;
    if (!other->creating && !strcmp(other->request, job->request) &&
        !strcmp(other->owner, job->owner)) {
        other->holders++;
        other->wanted = true;
        pthread_cond_signal(&jobs->more);
        *found = other;
        return true;
    }
    fault_set(why, FAULT_CONFLICT, "There is another job %s; take another id, or delete it",
              job->id);
    fault_at(why, "/id");
    return true;
}

/* Into the table, not yet to be seen. False with *found or a fault. */
static bool enter(struct jobs *jobs, struct job *job, struct job **found, struct fault *why)
{
    bool entered = false;

    pthread_mutex_lock(&jobs->lock);
    if (!job->id[0])
        id_make_up(jobs, job->id);
    else if (repeated(jobs, job, found, why))
        goto done;
    if ((int64_t)alive_count(jobs) >= jobs->service->limits.jobs_waiting) {
        jobs->refused++;
        fault_set(why, FAULT_BUSY,
                  "%" PRId64 " jobs wait or run already (jobs_waiting); try again later",
                  jobs->service->limits.jobs_waiting);
        goto done;
    }
    job->order = ++jobs->last_order;
    entered = jobs_put(jobs, job) || fault_set(why, FAULT_MEMORY, "No memory for a job");
done:
    pthread_mutex_unlock(&jobs->lock);
    return entered;
}

static bool write_down(struct job *job, struct fault *why)
{
    int home = job_home_make(job->jobs->shelf, job->id, why);
    bool written = home >= 0 && job_record_put(job, JOB_QUEUED, home, why);

    if (home >= 0)
        close(home);
    if (home >= 0 && !written)
        job_home_remove(job->jobs->shelf, job->id, &(struct fault){ 0 });
    return written;
}

static struct job *job_new(struct jobs *jobs, const char *body, size_t length, const char *owner,
                           struct job_plan *plan)
{
    const struct job_asked *asked = plan->asked;
    const struct limits *limits = &jobs->service->limits;
    struct job *job = calloc(1, sizeof *job);
    int64_t seconds = limits->job_seconds;

    if (!job)
        return NULL;
    if (asked->deadline_seconds && asked->deadline_seconds < seconds)
        seconds = asked->deadline_seconds;
    job->jobs = jobs;
    job->holders = 1;
    job->creating = true;
    job->kind = plan->kind;
    job->priority = (enum job_priority)asked->priority;
    job->incarnation = plan->view->incarnation;
    job->version = plan->view->version;
    job->since = plan->since ? plan->since->version : 0;
    job->created = jobs_moment();
    job->deadline = job->created + seconds * 1000;
    job->counts.units = plan->units;
    snprintf(job->id, sizeof job->id, "%s", asked->id ? asked->id : "");
    snprintf(job->landscape, sizeof job->landscape, "%s", asked->landscape);
    snprintf(job->owner, sizeof job->owner, "%s", owner ? owner : "");
    job->request = strndup(body, length);
    if (!job->request) {
        free(job);
        return NULL;
    }
    job->plan = plan;
    plan->cancel = &job->cancel;
    return job;
}

struct job *jobs_post(struct jobs *jobs, const char *body, size_t length, const char *owner,
                      bool *there, struct fault *why)
{
    struct job_plan *plan = job_plan_make(jobs, body, length, 0, why);
    struct job *job, *found = NULL;
    bool written;

    *there = false;
    if (!plan)
        return NULL;
    job = job_new(jobs, body, length, owner, plan);
    if (!job) {
        job_plan_free(plan);
        fault_set(why, FAULT_MEMORY, "No memory for a job");
        return NULL;
    }
    jobs_make_room(jobs);
    if (!enter(jobs, job, &found, why)) {
        *there = found != NULL;
        job_drop(job);
        return found;
    }
    written = write_down(job, why);
    pthread_mutex_lock(&jobs->lock);
    job->creating = false;
    if (written) {
        pthread_cond_signal(&jobs->more);
        jobs_make_way(jobs, job);
    } else {
        jobs_take(jobs, job);
    }
    pthread_mutex_unlock(&jobs->lock);
    if (written)
        return job;
    job_drop(job); /* the table's */
    job_drop(job);
    return NULL;
}
