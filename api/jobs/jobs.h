/* Jobs: work that goes on behind the request that asked for it, on threads of its own.
 *
 * A job is of one version of a landscape, which it holds until it has ended. It is on the disk when
 * it has been posted; queued and half-done ones go on after a restart, if their version can still
 * be had. Those that have ended keep their results until there are too many, or they are too old.
 * Any thread.
 */
#ifndef API_JOBS_JOBS_H
#define API_JOBS_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/jobs/job_kind.h"
#include "terrain/base/executor.h"
#include "terrain/base/watch.h"

struct jobs;
struct job; /* counted */

enum job_state { JOB_QUEUED, JOB_RUNNING, JOB_DONE, JOB_FAILED, JOB_CANCELLED, JOB_STATES };
extern const char *const job_state_words[]; /* ends with NULL */

static inline bool job_state_ended(enum job_state state)
{
    return state >= JOB_DONE;
}

/* Of the service's data folder, with its limits; sets service->jobs. idle: what is there is left
 * alone, but for jobs that are posted now. */
bool jobs_open(struct service *service, const char *folder, bool idle, struct fault *why);
/* Nobody works on them or holds one any more. */
void jobs_close(struct jobs *jobs);

/* The job of a JSON body, held, on the disk, and planned. *there: it was there before. Fails with
 * INPUT and others at a JSON pointer, with BUSY when too many wait, with CONFLICT when the id is
 * another job's. Owner NULL is nobody. */
struct job *jobs_post(struct jobs *jobs, const char *body, size_t length, const char *owner,
                      bool *there, struct fault *why);

/* Who asks: sees his own jobs, or all. */
struct job_asker {
    const char *owner;
    bool all;
};

/* Held; fails with MISSING, or with GONE where it is not long since it was let go. */
struct job *jobs_find(struct jobs *jobs, const char *id, const struct job_asker *asker,
                      struct fault *why);
/* Up to `most` behind `after` ("" begins) in byte order of their ids, held. */
size_t jobs_list(struct jobs *jobs, const char *after, const struct job_asker *asker, size_t most,
                 struct job **list);
struct job *job_hold(struct job *job);
void job_drop(struct job *job);

/* A job as it stands. Texts are the job's. */
struct job_about {
    const char *id, *kind, *landscape, *owner, *request; /* owner NULL is nobody */
    uint64_t version, since;                             /* since 0 is none */
    enum job_state state;
    enum job_priority priority;
    bool cancelling;
    int64_t units, done, made, unchanged, absent, failed, results, bytes;
    double rate;                               /* units a second; NaN when it is not known */
    int64_t created, started, ended, deadline; /* milliseconds since 1970; 0 is not yet */
    struct fault fault;                        /* of FAILED */
    char warning[JOB_WARNING_ROOM];            /* of its first unit that has one, or nothing */
};
void job_about(struct job *job, struct job_about *about);

/* Results from number `first` on, at most `most`; how many. Fails with STORAGE. */
bool job_results(struct job *job, int64_t first, size_t most, struct job_result *results,
                 size_t *count, struct fault *why);
/* The file of a result, to be read; -1 with a fault. */
int job_result_open(struct job *job, const struct job_result *result, struct fault *why);
/* Whether a unit came to nothing; *fault is why. False with *why where that cannot be read. */
bool job_result_failed(const struct job_result *result);
bool job_result_fault(struct job *job, const struct job_result *result, struct fault *fault,
                      struct fault *why);
/* Where its files are, below the data folder. */
#define JOB_FILES "jobs/%s/files"

/* Asks a job to stop: soon it is CANCELLED. What it has finished stays. False when it had ended. */
bool job_cancel(struct job *job);
/* An ended job is gone, with its files. Fails with CONFLICT when it has not ended. */
bool job_remove(struct job *job, struct fault *why);
/* Waits until it has ended, so many seconds at most; too many that wait do not. */
void job_wait(struct job *job, int64_t seconds);

void job_watch(struct job *job, struct watch *watch);
void job_unwatch(struct job *job, struct watch *watch);

/* For a thread that works: the next job, or a recovered one's plan. wait: until there is one. False
 * when there is none, or it is time to end. */
bool jobs_work(struct jobs *jobs, const struct executor *executor, bool wait);
/* Those that work come to an end soon. What they were at goes on after the next start. */
void jobs_stop(struct jobs *jobs);

struct jobs_numbers {
    int64_t states[JOB_STATES];
    int64_t bytes, units, refused; /* units: that were made, same or absent */
    double seconds;                /* of work on jobs */
};
void jobs_numbers(struct jobs *jobs, struct jobs_numbers *numbers);

#endif
