/* The inside of jobs, for the files that share it.
 *
 * jobs.c opens and closes them, jobs_table.c finds them, jobs_post.c takes new ones, jobs_room.c
 * lets old ones go, jobs_work.c says which is next; job_plan.c, job.c, job_record.c and job_run.c
 * are about one: what it is to do, how it stands, how it is written down, and its work. */
#ifndef API_JOBS_JOBS_INSIDE_H
#define API_JOBS_JOBS_INSIDE_H

#include <limits.h>
#include <pthread.h>

#include "api/jobs/jobs.h"

struct job_counts {
    int64_t units, done, made, unchanged, absent, failed, results, bytes;
};

struct job {
    struct jobs *jobs;
    /* never change */
    char id[65], landscape[65], owner[65];
    char *request;
    const struct job_kind *kind;
    enum job_priority priority;
    uint64_t incarnation, version, since;
    int64_t created, deadline; /* milliseconds since 1970 */
    uint64_t order;            /* in which they came */

    /* under jobs->lock */
    int32_t holders;
    bool listed;   /* in the table */
    bool creating; /* not on the disk yet */
    bool wanted;   /* posted again, where those that were there are left alone */
    _Atomic bool cancel;
    _Atomic bool yield; /* runs, and lets a more urgent one go first */
    enum job_state state;
    struct job_counts counts;
    int64_t started, ended;
    int64_t ran_since, ran_from; /* nanoseconds, and units done then, of this process */
    struct fault fault;          /* while it runs, its units' (see job_work) */
    char warning[JOB_WARNING_ROOM];
    struct watch *watches;
    struct job_plan *plan; /* of one that waits or runs; NULL until it is recovered */

    /* of whoever runs it, and of the record */
    int64_t flushed; /* results that are known to be on the disk */
    struct {
        int64_t length;
        uint32_t checksum;
    } writers[JOB_WRITERS];
};

enum { JOBS_FORGOTTEN = 256 };

struct jobs {
    struct service *service;
    int shelf;
    char path[PATH_MAX];
    pthread_mutex_t lock;
    pthread_cond_t more, ended;
    struct job **table; /* in byte order of ids */
    size_t count, room;
    int waiters;
    _Atomic bool stopping;
    bool idle;
    int lingering; /* threads without a job */
    uint64_t last_order;
    int64_t last_made_up; /* second of the last id that was made up, */
    int made_up;          /* and how many were in it */
    int64_t units, refused, worked;
    struct forgotten {
        char id[65], owner[65];
    } forgotten[JOBS_FORGOTTEN]; /* the last that were let go, round and round */
    size_t forgotten_count;
};

int64_t jobs_moment(void); /* milliseconds since 1970 */
int64_t jobs_clock(void);  /* nanoseconds, which only go forward */
#define SECOND INT64_C(1000000000)

/* Nobody holds it any more, or ever did. */
void job_free(struct job *job);

/* The table, with the lock: where an id is or would be; in with a hold, or out without a drop. */
size_t jobs_place(const struct jobs *jobs, const char *id, bool *there);
bool jobs_put(struct jobs *jobs, struct job *job);
void jobs_take(struct jobs *jobs, struct job *job);

/* The body against a version (0: as the body says) of the landscape; the plan is held by the
 * caller. Fails as jobs_post does, and with GONE. */
struct job_plan *job_plan_make(struct jobs *jobs, const char *body, size_t length, uint64_t version,
                               struct fault *why);
void job_plan_free(struct job_plan *plan);

/* The record, for whoever works on the job; it will be in that state after a restart. */
bool job_record_put(struct job *job, enum job_state state, int home, struct fault *why);
bool job_record_take(struct job *job, int home, struct fault *why);

/* Of what has been made, what the list tells beyond the record: after a kill nothing that was told
 * is lost. */
void job_record_recount(struct job *job, int home);
enum fault_code job_fault_code(const char *slug);
/* One more reason, beside those of `count` units: see struct job_work. */
void job_fault_add(struct fault *common, int64_t count, const struct fault *fault);

/* Runs a job that has been taken: its state is RUNNING, and is another one afterwards. */
void job_run(struct job *job, const struct executor *executor);

/* Whoever follows it looks again. With the lock. */
void job_tell(struct job *job);
/* One that has come may be more urgent than those that run. With the lock. */
void jobs_make_way(struct jobs *jobs, const struct job *job);

/* Whether it was let go not long ago, and may have been seen by whoever asks. With the lock. */
bool jobs_forgot(const struct jobs *jobs, const char *id, const struct job_asker *asker);

/* Room for its files, at the cost of older ones. Without the lock. */
bool jobs_make_room(struct jobs *jobs);

#endif
