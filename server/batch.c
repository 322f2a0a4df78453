#include "server/batch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "terrain/base/bytes.h"

enum { BODY_MOST = 1 << 20, PERCENT_EVERY = 5 };

static bool body_read(const char *name, struct bytes *body, struct fault *why)
{
    FILE *from = strcmp(name, "-") ? fopen(name, "re") : stdin;
    char chunk[4096];
    bool read = from != NULL;
    size_t got;

    if (!from)
        return fault_errno(why, FAULT_INPUT, "opening the job %s", name);
    while (read && (got = fread(chunk, 1, sizeof chunk, from)) > 0)
        read = bytes_add(body, chunk, got, why) &&
               (body->length <= BODY_MOST ||
                fault_set(why, FAULT_INPUT, "The job %s has more than %d bytes", name, BODY_MOST));
    if (from != stdin)
        fclose(from);
    return read;
}

static void complain(const struct fault *fault)
{
    fprintf(stderr, "landscaped: %s%s%s\n", fault->detail, fault->place[0] ? ", at " : "",
            fault->place);
}

static void progress_print(const struct job_about *about)
{
    fprintf(stderr, "%s: %.0f %%, %" PRId64 " of %" PRId64, about->id,
            about->units ? floor((double)about->done * 100 / (double)about->units) : 0, about->done,
            about->units);
    if (about->rate > 0)
        fprintf(stderr, ", %.0f a second, %.0f s left", about->rate,
                (double)(about->units - about->done) / about->rate);
    fputc('\n', stderr);
}

static void results_print(struct job *job, const char *folder)
{
    struct job_result result;
    struct job_about about;
    struct fault why;
    size_t count;

    job_about(job, &about);
    for (int64_t n = 0; n < about.results && job_results(job, n, 1, &result, &count, &why) && count;
         n++)
        printf("%s/" JOB_FILES "/%s\n", folder, about.id, result.name);
}

static int end(struct job *job, const char *folder)
{
    struct job_about about;

    job_about(job, &about);
    results_print(job, folder);
    fprintf(stderr,
            "%s: %s; %" PRId64 " made, %" PRId64 " unchanged, %" PRId64 " absent, %" PRId64
            " bytes\n",
            about.id, job_state_words[about.state], about.made, about.unchanged, about.absent,
            about.bytes);
    if (about.state == JOB_FAILED)
        complain(&about.fault);
    return about.state == JOB_DONE ? 0 : 1;
}

static void follow(struct job *job, const sigset_t *signals)
{
    const struct timespec moment = { 0, 50000000 };
    int64_t told = -1;
    struct job_about about;

    for (job_about(job, &about); !job_state_ended(about.state); job_about(job, &about)) {
        int64_t step =
            about.units ? about.done * 100 / about.units / PERCENT_EVERY * PERCENT_EVERY : 0;

        if (step != told && about.state == JOB_RUNNING) {
            progress_print(&about);
            told = step;
        }
        if (sigtimedwait(signals, NULL, &moment) > 0)
            job_cancel(job);
    }
}

int batch_run(struct jobs *jobs, const char *folder, const char *file, const sigset_t *signals)
{
    struct bytes body = { 0 };
    struct fault why = { 0 };
    struct job *job = NULL;
    bool there;
    int status;

    if (body_read(file, &body, &why))
        job = jobs_post(jobs, (char *)body.data, body.length, NULL, &there, &why);
    bytes_free(&body);
    if (!job) {
        complain(&why);
        return why.code == FAULT_STORAGE || why.code == FAULT_FULL || why.code == FAULT_MEMORY ? 1
                                                                                               : 2;
    }
    follow(job, signals);
    status = end(job, folder);
    job_drop(job);
    return status;
}
