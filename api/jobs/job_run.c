/* A job's work: batches of units, made at once and taken in order as soon as they can be; what it
 * has come to is written down from time to time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/jobs/jobs_inside.h"
#include "terrain/landscape_feed.h"

#define NOTE_EVERY (2 * SECOND)
#define LOOK_EVERY (SECOND / 4)

enum outcome { WENT_ON, ENDED, STOPPED };

struct run {
    struct job *job;
    struct job_work work;
    const struct executor *executor;
    struct job_counts counts;
    int64_t flushed; /* results that are known to be on the disk */
    int64_t noted;   /* when it was last written down */
    int64_t looked;  /* and when it was last looked at */
    char path[PATH_MAX + 80];
};

struct batch {
    struct run *run;
    int64_t first;
    size_t count;
    struct unit {
        struct job_piece piece;
        struct fault fault;
        bool made, ready;
    } * units;
    pthread_mutex_t lock;
    size_t taken;
    bool taking; /* somebody is */
    enum outcome outcome;
    struct fault *why;
};

static bool is_wanted(const struct job *job)
{
    return job_plan_wanted(job->plan) && !atomic_load(&job->yield) &&
           !atomic_load(&job->jobs->stopping);
}

/* ---- writing down ---- */

static bool results_flush(struct run *run, struct fault *why)
{
    struct job_result result;
    char path[JOB_NAME_ROOM + 8];
    bool flushed = true;

    for (; flushed && run->flushed < run->work.results; run->flushed++) {
        int64_t length;
        int file;

        if (pread(run->work.list.file, &result, sizeof result,
                  run->flushed * (int64_t)sizeof result) != sizeof result)
            return fault_errno(why, FAULT_STORAGE, "reading the list of results");
        snprintf(path, sizeof path, "files/%s", result.name);
        file = job_file_open(run->work.home, path, &length, why);
        flushed =
            file >= 0 && (fsync(file) == 0 || fault_errno(why, FAULT_STORAGE, "flushing %s", path));
        if (file >= 0)
            close(file);
    }
    return flushed;
}

static int64_t bytes_sum(const struct run *run)
{
    int64_t bytes = run->work.bytes;

    for (int i = 0; run->job->kind->writers[i]; i++)
        bytes += run->work.writers[i].file >= 0 ? run->work.writers[i].length : 0;
    return bytes;
}

/* What has been done is seen by whoever asks. */
static void counts_show(struct run *run)
{
    struct job *job = run->job;
    int64_t before;

    run->counts.results = run->work.results;
    run->counts.bytes = bytes_sum(run);
    pthread_mutex_lock(&job->jobs->lock);
    before = job->counts.units ? job->counts.done * 1000 / job->counts.units : 0;
    if (before != (run->counts.units ? run->counts.done * 1000 / run->counts.units : 0) ||
        job->counts.results != run->counts.results)
        job_tell(job);
    job->jobs->units += run->counts.done - job->counts.done;
    job->counts = run->counts;
    job->fault = run->work.common;
    pthread_mutex_unlock(&job->jobs->lock);
}

/* Everything so far is on the disk, and the record says so. */
static bool note(struct run *run, struct fault *why)
{
    struct job *job = run->job;
    bool noted = results_flush(run, why) && job_writer_flush(&run->work.list, why);

    for (int i = 0; noted && job->kind->writers[i]; i++) {
        if (run->work.writers[i].file >= 0)
            noted = job_writer_flush(&run->work.writers[i], why);
        job->writers[i].length = run->work.writers[i].length;
        job->writers[i].checksum = run->work.writers[i].checksum;
    }
    job->flushed = run->flushed;
    run->noted = jobs_clock();
    return noted && job_record_put(job, JOB_QUEUED, run->work.home, why);
}

/* ---- beginning ---- */

static void writers_close(struct run *run)
{
    for (int i = 0; i < JOB_WRITERS; i++)
        job_writer_close(&run->work.writers[i]);
    job_writer_close(&run->work.list);
}

static bool writers_open(struct run *run, struct fault *why)
{
    const struct job *job = run->job;
    bool opened = job_writer_open(run->work.home, "list",
                                  run->counts.results * (int64_t)sizeof(struct job_result), 0,
                                  &run->work.list, why);

    for (int i = 0; opened && job->kind->writers[i]; i++)
        opened = job_writer_open(run->work.home, job->kind->writers[i], job->writers[i].length,
                                 job->writers[i].checksum, &run->work.writers[i], why);
    if (!opened)
        writers_close(run);
    run->work.results = run->counts.results;
    run->flushed = job->flushed;
    return opened;
}

static bool begin_anew(struct run *run, struct fault *why)
{
    struct job *job = run->job;

    run->counts = (struct job_counts){ .units = job->plan->units };
    run->work.bytes = run->work.made = 0;
    run->work.common.code = FAULT_NONE;
    job->flushed = 0;
    for (int i = 0; i < JOB_WRITERS; i++) {
        job->writers[i].length = 0;
        job->writers[i].checksum = 0;
    }
    return job_home_clear(run->work.home, true, why) && writers_open(run, why) &&
           (!job->kind->begin || job->kind->begin(&run->work, why));
}

/* From where the record says; from the beginning where its files say otherwise. */
static bool begin(struct run *run, struct fault *why)
{
    struct job *job = run->job;
    struct fault missing;

    run->counts = job->counts;
    run->counts.units = job->plan->units;
    run->work.made = run->counts.made;
    run->work.common = job->fault;
    run->work.bytes = run->counts.bytes;
    for (int i = 0; job->kind->writers[i]; i++)
        run->work.bytes -= job->writers[i].length;
    if (!run->counts.done || !writers_open(run, &missing))
        return begin_anew(run, why);
    return true;
}

/* ---- going on ---- */

static bool is_deleted(const struct job_plan *plan)
{
    struct landscape_news news;

    landscape_feed_read(plan->landscape, 0, 0, NULL, &news);
    return news.deleted;
}

/* Whether it may go on; or why it has come to its end. */
static enum outcome look(struct run *run, struct fault *why)
{
    struct job *job = run->job;

    if (!is_wanted(job))
        return STOPPED;
    if (is_deleted(job->plan)) {
        fault_set(why, FAULT_MISSING, "the landscape %s was deleted while the job was at it",
                  job->landscape);
        return ENDED;
    }
    if (jobs_moment() > job->deadline) {
        fault_set(why, FAULT_DEADLINE,
                  "the job has not ended by its deadline; %" PRId64 " of %" PRId64
                  " units were done",
                  run->counts.done, run->counts.units);
        return ENDED;
    }
    if (!jobs_make_room(job->jobs)) {
        fault_set(why, FAULT_FULL,
                  "the files of all jobs have reached %" PRId64 " bytes (jobs_bytes)",
                  job->jobs->service->limits.jobs_bytes);
        return ENDED;
    }
    return WENT_ON;
}

/* The job remembers what units lack, and is written down with it at once. */
static bool warning_take(struct run *run, const char *warning, struct fault *why)
{
    struct job *job = run->job;

    if (!warning[0] || job->warning[0])
        return true;
    pthread_mutex_lock(&job->jobs->lock);
    snprintf(job->warning, sizeof job->warning, "%s", warning);
    pthread_mutex_unlock(&job->jobs->lock);
    return note(run, why);
}

static bool piece_take(struct run *run, int64_t number, const struct job_piece *piece,
                       struct fault *why)
{
    const struct job_kind *kind = run->job->kind;
    bool made = piece->is == PIECE_MADE;

    run->work.made = run->counts.made + made;
    if ((made || piece->is == PIECE_FAILED) && !kind->take(&run->work, number, piece, why))
        return false;
    if (piece->is == PIECE_FAILED)
        job_fault_add(&run->work.common, run->counts.failed, &piece->fault);
    run->counts.made += made;
    run->counts.failed += piece->is == PIECE_FAILED;
    run->counts.unchanged += piece->is == PIECE_UNCHANGED;
    run->counts.absent += piece->is == PIECE_ABSENT;
    run->counts.done++;
    return warning_take(run, piece->warning, why);
}

static enum outcome unit_take(struct run *run, int64_t number, const struct unit *unit,
                              struct fault *why)
{
    if (!unit->made) {
        *why = unit->fault;
        return is_wanted(run->job) ? ENDED : STOPPED;
    }
    if (!piece_take(run, number, &unit->piece, why))
        return ENDED;
    counts_show(run);
    if (jobs_clock() - run->noted > NOTE_EVERY && !note(run, why))
        return ENDED;
    if (jobs_clock() - run->looked < LOOK_EVERY)
        return WENT_ON;
    run->looked = jobs_clock();
    return look(run, why);
}

/* With the lock, which is let go meanwhile: all that are next and ready. One that was asked to stop
 * takes those that are made already. */
static void ready_take(struct batch *batch)
{
    while (batch->taken < batch->count && batch->units[batch->taken].ready &&
           batch->outcome != ENDED) {
        struct unit *unit = &batch->units[batch->taken];
        enum outcome outcome;

        pthread_mutex_unlock(&batch->lock);
        outcome = unit_take(batch->run, batch->first + (int64_t)batch->taken, unit, batch->why);
        bytes_free(&unit->piece.bytes);
        pthread_mutex_lock(&batch->lock);
        if (outcome != WENT_ON)
            batch->outcome = outcome;
        if (!unit->made)
            break;
        batch->taken++;
    }
}

static void unit_make(void *context, size_t i)
{
    struct batch *batch = context;
    const struct job *job = batch->run->job;
    struct unit *unit = &batch->units[i];
    bool wanted;

    pthread_mutex_lock(&batch->lock);
    wanted = batch->outcome == WENT_ON && is_wanted(job);
    pthread_mutex_unlock(&batch->lock);
    if (wanted)
        unit->made =
            job->kind->make(job->plan, batch->first + (int64_t)i, &unit->piece, &unit->fault);
    pthread_mutex_lock(&batch->lock);
    unit->ready = true;
    if (!batch->taking) {
        batch->taking = true;
        ready_take(batch);
        batch->taking = false;
    }
    pthread_mutex_unlock(&batch->lock);
}

static enum outcome batch_run(struct run *run, struct batch *batch)
{
    int64_t left = run->counts.units - run->counts.done;

    batch->first = run->counts.done;
    batch->count =
        left < (int64_t)run->job->plan->together ? (size_t)left : run->job->plan->together;
    batch->taken = 0;
    memset(batch->units, 0, batch->count * sizeof *batch->units);
    executor_run(run->executor, batch->count, unit_make, batch);
    for (size_t i = batch->taken; i < batch->count; i++)
        bytes_free(&batch->units[i].piece.bytes);
    counts_show(run);
    return batch->outcome;
}

static enum outcome units_run(struct run *run, struct batch *batch, struct fault *why)
{
    enum outcome outcome = look(run, why);

    while (outcome == WENT_ON && run->counts.done < run->counts.units) {
        outcome = batch_run(run, batch);
        if (outcome == WENT_ON)
            outcome = look(run, why);
    }
    return outcome;
}

static enum outcome all_run(struct run *run, struct fault *why)
{
    struct batch batch = { .run = run, .why = why };
    enum outcome outcome = ENDED;

    batch.units = calloc(run->job->plan->together, sizeof *batch.units);
    pthread_mutex_init(&batch.lock, NULL);
    if (batch.units)
        outcome = units_run(run, &batch, why);
    else
        fault_set(why, FAULT_MEMORY, "no memory for the work of a job");
    pthread_mutex_destroy(&batch.lock);
    free(batch.units);
    return outcome;
}

/* ---- the end ---- */

/* The job as it will be known from now on. Its files are on the disk before its state is told. */
static void settle(struct run *run, enum job_state state, const struct fault *fault)
{
    struct job *job = run->job;
    struct fault why = { 0 };
    bool kept = run->work.home < 0 ||
                (job_home_clear(run->work.home, false, &why) &&
                 (run->work.list.file < 0 ||
                  (results_flush(run, &why) && job_writer_flush(&run->work.list, &why))));

    run->counts.results = run->work.results;
    run->counts.bytes = run->work.bytes;
    for (int i = 0; i < JOB_WRITERS; i++)
        job->writers[i].length = 0;
    pthread_mutex_lock(&job->jobs->lock);
    job->jobs->units += run->counts.done - job->counts.done;
    job->counts = run->counts;
    job->ended = jobs_moment();
    job->fault = *fault;
    pthread_mutex_unlock(&job->jobs->lock);
    kept = kept && (run->work.home < 0 || job_record_put(job, state, run->work.home, &why));
    pthread_mutex_lock(&job->jobs->lock);
    job->state = state;
    if (!kept && state == JOB_DONE) {
        job->state = JOB_FAILED;
        job->fault = why;
    }
    job_tell(job);
    pthread_cond_broadcast(&job->jobs->ended);
    pthread_mutex_unlock(&job->jobs->lock);
}

/* Whoever asked for the end, the process or a client. */
static void stop(struct run *run)
{
    static const struct fault none;
    struct job *job = run->job;
    struct fault why;

    if (atomic_load(&job->cancel)) {
        settle(run, JOB_CANCELLED, &none);
        return;
    }
    note(run, &why);
    pthread_mutex_lock(&job->jobs->lock);
    job->state = JOB_QUEUED;
    pthread_mutex_unlock(&job->jobs->lock);
}

void job_run(struct job *job, const struct executor *executor)
{
    static const struct fault none;
    struct run run = { .job = job, .executor = executor, .noted = jobs_clock() };
    struct fault why = { 0 };
    enum outcome outcome = ENDED;

    for (int i = 0; i < JOB_WRITERS; i++)
        run.work.writers[i].file = -1;
    run.work.list.file = -1;
    run.work.plan = job->plan;
    snprintf(run.path, sizeof run.path, "%s/%s", job->jobs->path, job->id);
    run.work.path = run.path;
    run.work.home = job_home_open(job->jobs->shelf, job->id, &why);
    if (run.work.home >= 0 && begin(&run, &why)) {
        counts_show(&run);
        outcome = all_run(&run, &why);
    }
    if (outcome == WENT_ON && !job->kind->finish(&run.work, &why))
        outcome = ENDED;
    if (outcome == STOPPED)
        stop(&run);
    else
        settle(&run, outcome == WENT_ON ? JOB_DONE : JOB_FAILED, outcome == WENT_ON ? &none : &why);
    writers_close(&run);
    if (run.work.home >= 0)
        close(run.work.home);
}
