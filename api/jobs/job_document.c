#include "api/jobs/job_document.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "api/history/history.h"
#include "api/status.h"
#include "api/tokens.h"

enum { FIRST_RESULTS = 20, RESULTS_AT_ONCE = 64, WAIT_MOST = 30 };

static const struct field result_rows[] = {
    FIELD(struct job_result_document, n, NULL, 0, 0, "Its number"),
    FIELD(struct job_result_document, name, NULL, 0, 0, "Its file's name, below the folder"),
    FIELD(struct job_result_document, media_type, NULL, 0, 0, "What it is"),
    FIELD(struct job_result_document, bytes, "bytes", 0, 0, "How long it is"),
    FIELD(struct job_result_document, checksum, NULL, 0, 0, "CRC-32C of its bytes, in hexadecimal"),
    FIELD(struct job_result_document, href, NULL, 0, 0, "Where it is"),
    FIELD(struct job_result_document, error, NULL, 0, 0,
          "Why there is none, as a problem, which is what its address answers; or null"),
    { .kind = FIELD_END }
};

const struct shape job_result_shape = { .name = "job_result",
                                        .size = sizeof(struct job_result_document),
                                        .fields = result_rows,
                                        .given = -1 };

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct job_document, id, "The job's id"),
    FIELD(struct job_document, kind, NULL, 0, 0, "What kind of job it is"),
    FIELD(struct job_document, landscape, NULL, 0, 0, "The landscape that it is of"),
    FIELD(struct job_document, version, NULL, 0, 0, "The version that all of its output is of"),
    FIELD(struct job_document, since, NULL, 0, 0, "The version that it is compared with, or null"),
    FIELD(struct job_document, state, NULL, 0, 0, "queued, running, done, failed or cancelled"),
    FIELD(struct job_document, cancelling, NULL, 0, 0, "It was asked to stop, and is about to"),
    FIELD(struct job_document, priority, NULL, 0, 0, "low, normal or high"),
    FIELD(struct job_document, owner, NULL, 0, 0, "Whose token posted it, or null"),
    FIELD(struct job_document, progress, NULL, 0, 1, "The share of its units that are done"),
    FIELD(struct job_document, units, NULL, 0, 0, "Tiles, pieces or views that it looks at"),
    FIELD(struct job_document, done, NULL, 0, 0, "Units that it is through with:"),
    FIELD(struct job_document, made, NULL, 0, 0, "those that were made,"),
    FIELD(struct job_document, unchanged, NULL, 0, 0, "that are what they were at `since`,"),
    FIELD(struct job_document, absent, NULL, 0, 0, "that do not touch the landscape,"),
    FIELD(struct job_document, failed, NULL, 0, 0,
          "and that came to nothing, while others went on"),
    FIELD(struct job_document, bytes, "bytes", 0, 0, "What its files have"),
    FIELD(struct job_document, rate, "units/s", 0, 0, "While it runs, or null"),
    FIELD(struct job_document, seconds_left, "s", 0, 0, "At that rate, or null"),
    FIELD(struct job_document, created, NULL, 0, 0, "When it was posted, in UTC"),
    FIELD(struct job_document, started, NULL, 0, 0, "When it first ran, or null"),
    FIELD(struct job_document, ended, NULL, 0, 0, "When it ended, or null"),
    FIELD(struct job_document, deadline, NULL, 0, 0, "When it fails if it has not ended"),
    FIELD(struct job_document, folder, NULL, 0, 0, "Its results, below the data folder"),
    FIELD(struct job_document, result_count, NULL, 0, 0, "How many results there are"),
    FIELD_AS(FIELD_LIST, struct job_document, results, "The first of its results",
             .shape = &job_result_shape),
    FIELD_AS(FIELD_LIST, struct job_document, failures, "The first that came to nothing",
             .shape = &job_result_shape),
    FIELD(struct job_document, error, NULL, 0, 0, "Why it failed, as a problem, or null"),
    FIELD(struct job_document, warning, NULL, 0, 0,
          "What the first of its pictures that is not all that was meant is short for, as "
          "Landscape-Warning says it of a picture; or null"),
    FIELD(struct job_document, request, NULL, 0, 0, "The body that was posted"),
    { .kind = FIELD_END }
};

const struct shape job_document_shape = {
    .name = "job_document", .size = sizeof(struct job_document), .fields = rows, .given = -1
};

static const struct field path_rows[] = { FIELD_AS(FIELD_NAME, struct job_path, job, "The job's id",
                                                   .in_path = true, .required = true),
                                          { .kind = FIELD_END } };

const struct shape job_path_shape = {
    .name = "job_path", .size = sizeof(struct job_path), .fields = path_rows, .given = -1
};

static const struct field wait_rows[] = {
    FIELD(struct job_path, wait, "s", 0, WAIT_MOST,
          "Answers when the job has ended, or after so long, whichever is first"),
    { .kind = FIELD_END }
};

const struct shape job_path_wait_shape = { .name = "job_path_wait",
                                           .size = sizeof(struct job_path),
                                           .fields = wait_rows,
                                           .base = &job_path_shape,
                                           .given = -1 };

struct job_asker job_asker_of(struct request *rq)
{
    const struct tokens *tokens = rq->service->tokens;
    const char *name;
    struct fault why;

    return (struct job_asker){
        rq->token_name, !tokens || authorize(tokens, SCOPE_ADMIN, rq->authorization, &name, &why)
    };
}

/* Held until the request ends would be long: its holder drops it. */
struct job *job_of(struct request *rq, const char *id)
{
    struct job_asker asker = job_asker_of(rq);

    if (rq->service->jobs)
        return jobs_find(rq->service->jobs, id, &asker, &rq->fault);
    REFUSE(rq, FAULT_BUSY, "This server takes no jobs");
    return NULL;
}

static bool problem_fill(struct request *rq, const struct fault *fault, struct json_text *to)
{
    struct bytes text = { 0 };
    bool filled = problem_write(fault, &text, &rq->fault) && bytes_add(&text, "", 1, &rq->fault);

    if (filled)
        to->text = arena_text(rq->arena, (char *)text.data);
    bytes_free(&text);
    return filled;
}

static bool result_fill(struct request *rq, struct job *job, const char *id, int64_t n,
                        const struct job_result *result, struct job_result_document *document)
{
    struct fault fault;

    *document = (struct job_result_document){
        .n = n,
        .name = arena_text(rq->arena, result->name),
        .media_type = arena_text(rq->arena, result->media),
        .bytes = result->length,
        .checksum = arena_print(rq->arena, "%08" PRIx32, result->checksum),
        .href = arena_print(rq->arena, "/v1/jobs/%s/results/%" PRId64, id, n),
    };
    return !job_result_failed(result) || (job_result_fault(job, result, &fault, &rq->fault) &&
                                          problem_fill(rq, &fault, &document->error));
}

bool job_failures_fill(struct request *rq, struct job *job, size_t most, struct list *list)
{
    struct job_result_document *documents = arena_new(rq->arena, most * sizeof *documents);
    struct job_result results[RESULTS_AT_ONCE];
    struct job_about about;
    size_t count, found = 0;

    job_about(job, &about);
    if (!documents)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a list of results");
    for (int64_t n = 0; about.failed && n < about.results && found < most; n += (int64_t)count) {
        if (!job_results(job, n, RESULTS_AT_ONCE, results, &count, &rq->fault))
            return false;
        for (size_t i = 0; i < count && found < most; i++)
            if (job_result_failed(&results[i]) &&
                !result_fill(rq, job, about.id, n + (int64_t)i, &results[i], &documents[found++]))
                return false;
    }
    *list = (struct list){ found, documents };
    return true;
}

bool job_results_fill(struct request *rq, struct job *job, int64_t first, size_t most,
                      struct list *list)
{
    struct job_result *results = arena_new(rq->arena, (most + !most) * sizeof *results);
    struct job_result_document *documents =
        arena_new(rq->arena, (most + !most) * sizeof *documents);
    struct job_about about;
    size_t count;

    job_about(job, &about);
    if (!results || !documents)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a list of results");
    if (!job_results(job, first, most, results, &count, &rq->fault))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!result_fill(rq, job, about.id, first + (int64_t)i, &results[i], &documents[i]))
            return false;
    *list = (struct list){ count, documents };
    return true;
}

static const char *moment(struct request *rq, int64_t milliseconds)
{
    return milliseconds ? history_moment(rq, milliseconds) : NULL;
}

bool job_document_fill(struct request *rq, struct job *job, struct job_document *document)
{
    static const char *const priorities[] = { "low", "normal", "high" };
    struct job_about about;

    job_about(job, &about);
    *document = (struct job_document){
        .id = arena_text(rq->arena, about.id),
        .kind = about.kind,
        .landscape = arena_text(rq->arena, about.landscape),
        .owner = about.owner ? arena_text(rq->arena, about.owner) : NULL,
        .state = job_state_words[about.state],
        .priority = priorities[about.priority],
        .folder = arena_print(rq->arena, JOB_FILES, about.id),
        .version = (double)about.version,
        .since = about.since ? (double)about.since : NAN,
        .progress = about.state == JOB_DONE ? 1
                    : about.units           ? (double)about.done / (double)about.units
                                            : 0,
        .rate = about.rate,
        .seconds_left = (double)(about.units - about.done) / about.rate,
        .cancelling = about.cancelling,
        .units = about.units,
        .done = about.done,
        .made = about.made,
        .unchanged = about.unchanged,
        .absent = about.absent,
        .failed = about.failed,
        .bytes = about.bytes,
        .result_count = about.results,
        .created = moment(rq, about.created),
        .started = moment(rq, about.started),
        .ended = moment(rq, about.ended),
        .deadline = moment(rq, about.deadline),
        .warning = about.warning[0] ? arena_text(rq->arena, about.warning) : NULL,
        .request = { arena_text(rq->arena, about.request) },
    };
    if (!document->id || !document->landscape || !document->folder || !document->request.text)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a job's document");
    return (about.state != JOB_FAILED || problem_fill(rq, &about.fault, &document->error)) &&
           job_results_fill(rq, job, 0, FIRST_RESULTS, &document->results) &&
           job_failures_fill(rq, job, FIRST_RESULTS, &document->failures);
}
