#include "api/jobs/jobs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/jobs/jobs_inside.h"
#include "api/json_read.h"

enum { WAITERS_MOST = 16, LOOK_SECONDS = 60 };
#define SECOND INT64_C(1000000000)

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

/* ---- plans ---- */

void job_plan_free(struct job_plan *plan)
{
    if (!plan)
        return;
    view_drop(plan->view);
    view_drop(plan->since);
    landscape_drop(plan->landscape);
    arena_free(&plan->arena);
    free(plan);
}

static bool plan_fill(struct job_plan *plan, const char *body, size_t length, uint64_t version,
                      struct fault *why)
{
    struct variant *variant = arena_new(&plan->arena, sizeof *variant);

    if (!variant)
        return fault_set(why, FAULT_MEMORY, "No memory for a job");
    if (!json_read(&job_body_shape, body, length, &plan->arena, variant, why))
        return false;
    plan->kind = job_kinds[variant->chosen];
    plan->asked = variant->members;
    version = version ? version : (uint64_t)plan->asked->version;
    plan->landscape = landscapes_find(plan->service->landscapes, plan->asked->landscape, why);
    if (!plan->landscape)
        return fault_at(why, "/landscape");
    plan->view = version ? landscape_view_at(plan->landscape, version, why)
                         : landscape_view(plan->landscape);
    if (!plan->view)
        return fault_at(why, "/version");
    return plan->kind->plan(plan, why);
}

struct job_plan *job_plan_make(struct jobs *jobs, const char *body, size_t length, uint64_t version,
                               struct fault *why)
{
    struct job_plan *plan = calloc(1, sizeof *plan);

    if (!plan) {
        fault_set(why, FAULT_MEMORY, "No memory for a job");
        return NULL;
    }
    plan->service = jobs->service;
    plan->arena.limit = (size_t)jobs->service->limits.request_memory_bytes;
    if (plan_fill(plan, body, length, version, why))
        return plan;
    job_plan_free(plan);
    return NULL;
}

/* ---- one job ---- */

static void job_free(struct job *job)
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
        .results = job->counts.results,
        .bytes = job->counts.bytes,
        .rate = NAN,
        .created = job->created,
        .started = job->started,
        .ended = job->ended,
        .deadline = job->deadline,
        .fault = job->fault,
    };
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

/* ---- the table; all with the lock ---- */

static size_t place_of(const struct jobs *jobs, const char *id, bool *there)
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

static bool table_put(struct jobs *jobs, struct job *job)
{
    bool there;
    size_t place = place_of(jobs, job->id, &there);

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

static void table_take(struct jobs *jobs, struct job *job)
{
    bool there;
    size_t place = place_of(jobs, job->id, &there);

    if (!there || !job->listed)
        return;
    jobs->count--;
    memmove(jobs->table + place, jobs->table + place + 1,
            (jobs->count - place) * sizeof(struct job *));
    job->listed = false;
}

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
        if (job)
            table_take(jobs, job);
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
        table_take(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
    if (!ended)
        return fault_set(why, FAULT_CONFLICT, "the job %s has not ended", job->id);
    if (listed)
        forget(jobs, job);
    return true;
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
    place = place_of(jobs, id, &there);
    if (there && is_seen(jobs->table[place], asker)) {
        job = jobs->table[place];
        job->holders++;
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
    place = place_of(jobs, after, &there);
    for (place += there; place < jobs->count && count < most; place++)
        if (is_seen(jobs->table[place], asker)) {
            list[count] = jobs->table[place];
            list[count++]->holders++;
        }
    pthread_mutex_unlock(&jobs->lock);
    return count;
}

/* ---- posting ---- */

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
    while (place_of(jobs, id, &there), there);
}

/* The job that has the id already, held, or a refusal; false when the id is free. */
static bool repeated(struct jobs *jobs, const struct job *job, struct job **found,
                     struct fault *why)
{
    bool there;
    size_t place = place_of(jobs, job->id, &there);
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
    entered = table_put(jobs, job) || fault_set(why, FAULT_MEMORY, "No memory for a job");
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
    if (written)
        pthread_cond_signal(&jobs->more);
    else
        table_take(jobs, job);
    pthread_mutex_unlock(&jobs->lock);
    if (written)
        return job;
    job_drop(job); /* the table's */
    job_drop(job);
    return NULL;
}

/* ---- opening and closing ---- */

static bool recover(void *context, const char *id)
{
    struct jobs *jobs = context;
    struct job *job = calloc(1, sizeof *job);
    struct fault why;
    int home = job_home_open(jobs->shelf, id, &why);
    bool whole = job && home >= 0 && job_record_take(job, home, &why) && !strcmp(job->id, id);

    if (home >= 0)
        close(home);
    if (!whole) { /* never posted, or of no use any more */
        if (job)
            job_free(job);
        if (!jobs->idle)
            job_home_remove(jobs->shelf, id, &why);
        return true;
    }
    job->jobs = jobs;
    if (!table_put(jobs, job))
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

/* ---- working ---- */

/* Those that were recovered get their versions back before any runs: the longer that takes, the
 * less of the log may be left. With the lock; NULL when none waits. */
static struct job *next_one(const struct jobs *jobs)
{
    struct job *best = NULL;

    for (size_t i = 0; i < jobs->count; i++) {
        struct job *job = jobs->table[i];

        if (job->state != JOB_QUEUED || job->creating || (!job->plan && jobs->idle && !job->wanted))
            continue;
        if (!best || (!job->plan && best->plan) ||
            (!job->plan == !best->plan &&
             (job->priority > best->priority ||
              (job->priority == best->priority && job->created < best->created))))
            best = job;
    }
    return best;
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
           !(job = next_one(jobs)) && wait)
        linger(jobs);
    if (!job) {
        pthread_mutex_unlock(&jobs->lock);
        return false;
    }
    job->holders++;
    job->state = JOB_RUNNING;
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
