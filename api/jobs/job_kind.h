/* A kind of job: one file that ends in one constant struct, and one row of jobs.def.
 *
 * A job is units of work on one version of a landscape, numbered from 0, which are made at once in
 * any order and taken in theirs. What it makes follows from its body and that version alone, so
 * that a job that was cut off goes on with the units that are missing, and comes out the same.
 */
#ifndef API_JOBS_JOB_KIND_H
#define API_JOBS_JOB_KIND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/service.h"
#include "terrain/base/arena.h"
#include "terrain/base/field.h"
#include "terrain/store/job_files.h"

enum job_priority { PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH };

/* The members of every kind's body: its first member is this. */
struct job_asked {
    const char *id, *landscape;
    int64_t version, deadline_seconds;
    int priority;
};
extern const struct shape job_asked_shape;
extern const struct variant_set job_variants; /* of whole bodies */
extern const struct shape job_body_shape;

/* What a job is to do, found right: frozen, and held for as long as the job waits or runs. */
struct job_plan {
    struct service *service;
    const struct job_kind *kind;
    struct landscape *landscape; /* held, and so are these */
    struct view *view,
        *since;           /* the version that it is of; one that it is compared with, or NULL */
    struct view **others; /* further ones that units need */
    size_t other_count;
    const struct job_asked *asked;
    struct arena arena;         /* the body's texts and the kind's own */
    const char *body;           /* as it was posted, for as long as the plan is being made */
    size_t length;              /* of it */
    const _Atomic bool *cancel; /* the job's; NULL before it is one */
    /* filled by the kind */
    void *own;
    int64_t units;
    size_t together; /* units that are given out at once: so many may be in memory */
};

/* Whether anybody still wants what comes of it: for work that waits. */
static inline bool job_plan_wanted(const struct job_plan *plan)
{
    return !(plan->cancel && atomic_load(plan->cancel)) && !atomic_load(&plan->service->stopping);
}

/* For a kind's plan: that version is held too. Fails with LIMIT (job_versions), and as
 * landscape_view_at does. */
bool job_plan_hold(struct job_plan *plan, uint64_t version, struct fault *why);
/* One that is, lent; NULL when it is not. */
const struct view *job_plan_version(const struct job_plan *plan, uint64_t version);

enum { JOB_WRITERS = 2, JOB_NAME_ROOM = 112, JOB_MEDIA_ROOM = 64, JOB_WARNING_ROOM = 192 };

/* What became of one unit: FAILED has a fault, which is this unit's alone. */
enum job_piece_kind { PIECE_MADE, PIECE_UNCHANGED, PIECE_ABSENT, PIECE_FAILED };
struct job_piece {
    enum job_piece_kind is;
    struct fault fault;
    struct bytes bytes;
    char warning[JOB_WARNING_ROOM]; /* why it is not all that was meant, or nothing */
    const char *media;              /* constant text */
    char ending[12];                /* of its file: "png" */
};

/* A result: a file of the job's that is complete. */
struct job_result {
    char name[JOB_NAME_ROOM]; /* below files/ */
    char media[JOB_MEDIA_ROOM];
    int64_t length;
    uint32_t checksum; /* CRC-32C */
};

/* A job under way, for the thread that runs it. */
struct job_work {
    const struct job_plan *plan;
    int home;
    const char *path;                       /* of the home, for what wants a path */
    struct job_writer writers[JOB_WRITERS]; /* what grows unit by unit, kept over a restart */
    struct job_writer list;
    int64_t results;
    int64_t bytes; /* that its files have */
    int64_t made;  /* units, with what came of them */
    /* Why the first of its units came to nothing, while others that did have the same kind of
     * reason; none (code 0) when none did, or when they differ. */
    struct fault common;
};

/* Fail with STORAGE or FULL. _put writes a whole file too, _problem one that tells why there is
 * none; _move takes one out of work/. A file that is in files/ is whole, and in the list. */
bool job_result_add(struct job_work *work, const struct job_result *result, struct fault *why);
bool job_result_put(struct job_work *work, const char *name, const char *media, const void *data,
                    size_t length, struct fault *why);
bool job_result_problem(struct job_work *work, const char *name, const struct fault *fault,
                        struct fault *why);
bool job_result_move(struct job_work *work, const char *from, const char *name, const char *media,
                     struct fault *why);

struct job_kind {
    const char *name;
    /* Finds the body right, or refuses it with a JSON pointer; fills what the plan leaves to the
     * kind. Cheap: POST waits for it. */
    bool (*plan)(struct job_plan *plan, struct fault *why);
    /* Before the first unit: may begin the writers. NULL does nothing. */
    bool (*begin)(struct job_work *work, struct fault *why);
    /* Any thread. */
    bool (*make)(const struct job_plan *plan, int64_t unit, struct job_piece *piece,
                 struct fault *why);
    /* In the order of units, one at a time on any thread; of those that were made or have failed.
     */
    bool (*take)(struct job_work *work, int64_t unit, const struct job_piece *piece,
                 struct fault *why);
    /* After the last. What is in work/ then is removed. May be called again after a restart. */
    bool (*finish)(struct job_work *work, struct fault *why);
    /* Names in work/ of the writers; ends with NULL. */
    const char *writers[JOB_WRITERS + 1];
    bool listed; /* where it has results before its end, each unit has one, in their order */
};

#define JOB(name) extern const struct job_kind job_kind_##name;
#include "api/jobs/jobs.def"
#undef JOB
extern const struct job_kind *const job_kinds[];

/* For kinds that hand out what a route answers: its answer to the plan's version (or to another),
 * as a piece. Without `piece` only its stamp. Faults stand at /options, unless the parameter is
 * among `members`, which end with NULL; without `members` the query is not read strictly. */
bool job_read(const struct job_plan *plan, const struct view *view, const char *target,
              const char *const *members, struct job_piece *piece, uint64_t *stamp,
              struct fault *why);

#endif
