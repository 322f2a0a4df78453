/* What becomes of a job, told as it happens: server-sent events.
 *
 * A place counts results and, within them, thousandths of the way: 1024 for each result, and how
 * many thousandths are done; 1023 of them stand for the end. Both only grow.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/jobs/job_document.h"
#include "api/json_write.h"

enum { RETRY_MILLISECONDS = 2000, STEPS = 1024, END = STEPS - 1, RESULTS_AT_ONCE = 32 };

static bool event_add(struct stream_batch *batch, uint64_t place)
{
    batch->events[batch->count].place = place;
    batch->events[batch->count++].end = batch->text.length;
    return true;
}

static bool result_print(struct stream_batch *batch, const struct job_about *about, int64_t n,
                         const struct job_result *result, struct fault *why)
{
    uint64_t place = (uint64_t)(n + 1) * STEPS;

    return bytes_print(&batch->text, why,
                       "event: result\nid: %" PRIu64 "\ndata: {\"n\":%" PRId64 ",\"name\":", place,
                       n) &&
           json_write_text(result->name, &batch->text, why) &&
           bytes_print(&batch->text, why,
                       ",\"bytes\":%" PRId64
                       ",\"failed\":%s,\"href\":\"/v1/jobs/%s/results/%" PRId64 "\"}\n\n",
                       result->length, job_result_failed(result) ? "true" : "false", about->id,
                       n) &&
           event_add(batch, place);
}

static bool progress_print(struct stream_batch *batch, const struct job_about *about,
                           uint64_t place, bool ended, struct fault *why)
{
    double progress = about->state == JOB_DONE ? 1
                      : about->units           ? (double)about->done / (double)about->units
                                               : 0;

    if (!bytes_print(&batch->text, why,
                     "event: %s\nid: %" PRIu64 "\ndata: {\"state\":\"%s\",\"progress\":%.4f,"
                     "\"units\":%" PRId64 ",\"done\":%" PRId64 ",\"made\":%" PRId64
                     ",\"failed\":%" PRId64 ",\"bytes\":%" PRId64,
                     ended ? "done" : "progress", place, job_state_words[about->state], progress,
                     about->units, about->done, about->made, about->failed, about->bytes))
        return false;
    if (about->rate > 0 &&
        !bytes_print(&batch->text, why, ",\"rate\":%.6g,\"seconds_left\":%.6g", about->rate,
                     (double)(about->units - about->done) / about->rate))
        return false;
    if (about->state == JOB_FAILED && (!bytes_print(&batch->text, why, ",\"detail\":") ||
                                       !json_write_text(about->fault.detail, &batch->text, why)))
        return false;
    return bytes_print(&batch->text, why, "}\n\n") && event_add(batch, place);
}

/* Results that were not told; a file that is gone with its job tells none. */
static bool results_print(struct stream_batch *batch, struct job *job,
                          const struct job_about *about, int64_t told, struct fault *why)
{
    struct job_result results[RESULTS_AT_ONCE];
    struct fault gone;
    size_t count;

    if (!job_results(job, told, RESULTS_AT_ONCE, results, &count, &gone))
        return true;
    for (size_t i = 0; i < count; i++)
        if (!result_print(batch, about, told + (int64_t)i, &results[i], why))
            return false;
    batch->more = told + (int64_t)count < about->results;
    return true;
}

static bool events_read(void *of, uint64_t place, struct stream_batch *batch, struct fault *why)
{
    int64_t told = (int64_t)(place / STEPS);
    uint64_t now, step;
    struct job_about about;
    bool ended;

    job_about(of, &about);
    ended = job_state_ended(about.state);
    batch->text.length = batch->count = 0;
    batch->more = batch->ended = false;
    if (told < about.results && !results_print(batch, of, &about, told, why))
        return false;
    if (batch->more)
        return true;
    step = ended ? END : about.units ? (uint64_t)(about.done * 1000 / about.units) : 0;
    now = (uint64_t)about.results * STEPS + step;
    if (now > place && !progress_print(batch, &about, now, ended, why))
        return false;
    batch->ended = ended;
    return true;
}

static void events_watch(void *of, struct watch *watch)
{
    job_watch(of, watch);
}

static void events_unwatch(void *of, struct watch *watch)
{
    job_unwatch(of, watch);
}

static void events_drop(void *of)
{
    job_drop(of);
}

static const struct stream_kind events_kind = { events_read, events_watch, events_unwatch,
                                                events_drop };

static bool run(struct request *rq, const void *asked, void *answer)
{
    const char *last = rq->last_event_id;
    uint64_t place = 0;
    struct job *job;

    (void)answer;
    if (last && *last) {
        if (strlen(last) > 18 || last[strspn(last, "0123456789")])
            return REFUSE(rq, FAULT_INPUT,
                          "The Last-Event-ID here is the id of an event: a number");
        place = strtoull(last, NULL, 10);
    }
    job = job_of(rq, ((const struct job_path *)asked)->job);
    if (!job)
        return false;
    if (!bytes_print(&rq->bytes, &rq->fault, "retry: %d\nid: %" PRIu64 "\n\n", RETRY_MILLISECONDS,
                     place)) {
        job_drop(job);
        return false;
    }
    rq->stream = (struct stream){ &events_kind, job, place };
    return true;
}

static const char *const media_out[] = { "text/event-stream", NULL };

const struct endpoint endpoint_get_job_events = {
    .method = "GET",
    .path = "/v1/jobs/{job}/events",
    .summary = "Server-sent events of a job: result for each, progress, and done at the end, "
               "whatever it was",
    .example_path = "/v1/jobs/demo/events",
    .scope = SCOPE_READ,
    .pace = QUICK,
    .asks = &job_path_shape,
    .media_out = media_out,
    .unversioned = true,
    .stream = true,
    .run = run,
};
