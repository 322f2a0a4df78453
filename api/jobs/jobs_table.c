/* The table of all jobs, in byte order of their ids, and who sees which. */
#include <stdlib.h>
#include <string.h>

#include "api/jobs/jobs_inside.h"

size_t jobs_place(const struct jobs *jobs, const char *id, bool *there)
{
    size_t low = 0, high = jobs->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (strcmp(jobs->table[middle]->id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *there = low < jobs->count && !strcmp(jobs->table[low]->id, id);
    return low;
}

bool jobs_put(struct jobs *jobs, struct job *job)
{
    bool there;
    size_t place = jobs_place(jobs, job->id, &there);

    if (jobs->count == jobs->room) {
        size_t room = jobs->room ? 2 * jobs->room : 64;
        struct job **larger = realloc(jobs->table, room * sizeof(struct job *));

        if (!larger)
            return false;
        jobs->table = larger;
        jobs->room = room;
    }
    memmove(jobs->table + place + 1, jobs->table + place,
            (jobs->count - place) * sizeof(struct job *));
    jobs->table[place] = job;
    jobs->count++;
    job->listed = true;
    job->holders++;
    return true;
}

void jobs_take(struct jobs *jobs, struct job *job)
{
    bool there;
    size_t place = jobs_place(jobs, job->id, &there);

    if (!there || !job->listed)
        return;
    jobs->count--;
    memmove(jobs->table + place, jobs->table + place + 1,
            (jobs->count - place) * sizeof(struct job *));
    job->listed = false;
}

static bool is_seen(const struct job *job, const struct job_asker *asker)
{
    return !job->creating &&
           (asker->all || (asker->owner ? !strcmp(asker->owner, job->owner) : !job->owner[0]));
}

static bool missing(const struct jobs *jobs, const char *id, const struct job_asker *asker,
                    struct fault *why)
{
    const char **names = malloc((jobs->count + 1) * sizeof *names), *near = NULL;
    size_t count = 0;

    for (size_t i = 0; names && i < jobs->count; i++)
        if (is_seen(jobs->table[i], asker))
            names[count++] = jobs->table[i]->id;
    if (names)
        near = word_nearest(id, names, count);
    fault_set(why, FAULT_MISSING,
              near ? "There is no job %s; did you mean %s?" : "There is no job %s", id, near);
    free(names);
    return false;
}

struct job *jobs_find(struct jobs *jobs, const char *id, const struct job_asker *asker,
                      struct fault *why)
{
    struct job *job = NULL;
    size_t place;
    bool there;

    pthread_mutex_lock(&jobs->lock);
    place = jobs_place(jobs, id, &there);
    if (there && is_seen(jobs->table[place], asker)) {
        job = jobs->table[place];
        job->holders++;
    } else if (jobs_forgot(jobs, id, asker)) {
        fault_set(why, FAULT_GONE,
                  "The job %s had ended and was let go with its results (jobs_kept_seconds, "
                  "jobs_kept, jobs_bytes)",
                  id);
    } else {
        missing(jobs, id, asker, why);
    }
    pthread_mutex_unlock(&jobs->lock);
    return job;
}

size_t jobs_list(struct jobs *jobs, const char *after, const struct job_asker *asker, size_t most,
                 struct job **list)
{
    size_t place, count = 0;
    bool there;

    pthread_mutex_lock(&jobs->lock);
    place = jobs_place(jobs, after, &there);
    for (place += there; place < jobs->count && count < most; place++)
        if (is_seen(jobs->table[place], asker)) {
            list[count] = jobs->table[place];
            list[count++]->holders++;
        }
    pthread_mutex_unlock(&jobs->lock);
    return count;
}
