/* The jobs of whoever asks, or all for an admin, in byte order of their ids. */
#include "api/jobs/job_document.h"
#include "api/service.h"

struct asked {
    int32_t limit;
    const char *after;
};

static const struct field asks[] = {
    FIELD(struct asked, limit, NULL, 1, 1000, "At most so many", .has_value = true, .value = 100),
    FIELD_AS(FIELD_NAME, struct asked, after, "Only ids behind this one: the last answer's next"),
    { .kind = FIELD_END }
};

struct answer {
    struct list jobs;
    const char *next;
};

static const struct field answers[] = {
    FIELD_AS(FIELD_LIST, struct answer, jobs, "The jobs", .shape = &job_document_shape),
    FIELD_AS(FIELD_NAME, struct answer, next,
             "What to send as after= for those that follow, or null"),
    { .kind = FIELD_END }
};

static bool run(struct request *rq, const void *asked_, void *answer_)
{
    const struct asked *asked = asked_;
    struct answer *answer = answer_;
    size_t most = (size_t)asked->limit, count = 0;
    struct job **jobs = arena_new(rq->arena, (most + 1) * sizeof(struct job *));
    struct job_document *documents = arena_new(rq->arena, most * sizeof *documents);
    struct job_asker asker = job_asker_of(rq);
    bool filled = true;

    if (!jobs || !documents)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a list of %zu jobs", most);
    if (rq->service->jobs)
        count =
            jobs_list(rq->service->jobs, asked->after ? asked->after : "", &asker, most + 1, jobs);
    for (size_t i = 0; i < count; i++) {
        filled = filled && (i == most || job_document_fill(rq, jobs[i], &documents[i]));
        job_drop(jobs[i]);
    }
    if (count > most) {
        count = most;
        answer->next = documents[most - 1].id;
    }
    answer->jobs = (struct list){ count, documents };
    return filled;
}

const struct endpoint endpoint_get_jobs = {
    .method = "GET",
    .path = "/v1/jobs",
    .summary = "Jobs: one's own, or all for an admin",
    .example_path = "/v1/jobs",
    .example = "limit=10",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .asks = SHAPE(struct asked, asks),
    .answers = SHAPE(struct answer, answers),
    .run = run,
};
