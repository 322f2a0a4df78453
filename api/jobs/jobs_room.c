/* How long jobs that have ended are kept, and how many: the oldest go first. */
#include <string.h>

#include "api/jobs/jobs_inside.h"

/* Those that have ended and are too many, too old or too large: the next one to go, or NULL. */
static struct job *surplus(const struct jobs *jobs)
{
    const struct limits *limits = &jobs->service->limits;
    int64_t ended = 0, bytes = 0;
    struct job *oldest = NULL;

    for (size_t i = 0; i < jobs->count; i++) {
        struct job *job = jobs->table[i];

        bytes += job->counts.bytes;
        if (!job_state_ended(job->state) || job->creating)
            continue;
        ended++;
        if (!oldest || job->ended < oldest->ended)
            oldest = job;
    }
    return oldest && (ended > limits->jobs_kept || bytes > limits->jobs_bytes ||
                      jobs_moment() - oldest->ended > limits->jobs_kept_seconds * 1000)
               ? oldest
               : NULL;
}

/* With the lock. */
static void forget_note(struct jobs *jobs, const struct job *job)
{
    struct forgotten *note = &jobs->forgotten[jobs->forgotten_count++ % JOBS_FORGOTTEN];

    memcpy(note->id, job->id, sizeof note->id);
    memcpy(note->owner, job->owner, sizeof note->owner);
}

bool jobs_forgot(const struct jobs *jobs, const char *id, const struct job_asker *asker)
{
    size_t count = jobs->forgotten_count < JOBS_FORGOTTEN ? jobs->forgotten_count : JOBS_FORGOTTEN;

    for (size_t i = 0; i < count; i++)
        if (!strcmp(jobs->forgotten[i].id, id) &&
            (asker->all || !strcmp(asker->owner ? asker->owner : "", jobs->forgotten[i].owner)))
            return true;
    return false;
}

static void forget(struct jobs *jobs, struct job *job)
{
    struct fault why;

    job_home_remove(jobs->shelf, job->id, &why);
    job_drop(job);
}

bool jobs_make_room(struct jobs *jobs)
{
    struct job *job;
    int64_t bytes = 0;

    do {
        pthread_mutex_lock(&jobs->lock);
        job = jobs->idle ? NULL : surplus(jobs);
        if (job) {
            jobs_take(jobs, job);
            forget_note(jobs, job);
        }
        for (size_t i = 0; !job && i < jobs->count; i++)
            bytes += jobs->table[i]->counts.bytes;
        pthread_mutex_unlock(&jobs->lock);
        if (job)
            forget(jobs, job);
    } while (job);
    return bytes <= jobs->service->limits.jobs_bytes;
}

bool job_remove(struct job *job, struct fault *why)
{
    struct jobs *jobs = job->jobs;
    bool listed, ended;

    pthread_mutex_lock(&jobs->lock);
    ended = job_state_ended(job->state);
    listed = job->listed;
    if (ended && listed)
        jobs_take(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
    if (!ended)
        return fault_set(why, FAULT_CONFLICT, "the job %s has not ended", job->id);
    if (listed)
        forget(jobs, job);
    return true;
}
