/* What a job has made so far. */
#include <math.h>

#include "api/jobs/job_document.h"

struct asked {
    struct job_path path;
    int32_t limit;
    int64_t from;
};

static const struct field asks[] = { FIELD(struct asked, limit, NULL, 1, 1000, "At most so many",
                                           .has_value = true, .value = 100),
                                     FIELD(struct asked, from, NULL, 0, 9007199254740992.0,
                                           "From this number on: the last answer's next"),
                                     { .kind = FIELD_END } };

static const struct shape shape = { .name = "job_results_asked",
                                    .size = sizeof(struct asked),
                                    .fields = asks,
                                    .base = &job_path_wait_shape,
                                    .given = -1 };

struct answer {
    struct list results;
    double next; /* NaN is none */
};

static const struct field answers[] = {
    FIELD_AS(FIELD_LIST, struct answer, results, "The results", .shape = &job_result_shape),
    FIELD(struct answer, next, NULL, 0, 0, "What to send as from= for those that follow, or null"),
    { .kind = FIELD_END }
};

static bool run(struct request *rq, const void *asked_, void *answer_)
{
    const struct asked *asked = asked_;
    struct answer *answer = answer_;
    struct job *job = job_of(rq, asked->path.job);
    struct job_about about;
    bool filled;

    if (!job)
        return false;
    if (asked->path.wait)
        job_wait(job, asked->path.wait);
    job_about(job, &about);
    filled = job_results_fill(rq, job, asked->from, (size_t)asked->limit, &answer->results);
    job_drop(job);
    answer->next = (double)(asked->from + (int64_t)answer->results.count);
    if (answer->next >= (double)about.results)
        answer->next = NAN;
    return filled;
}

const struct endpoint endpoint_get_job_results = {
    .method = "GET",
    .path = "/v1/jobs/{job}/results",
    .summary = "The results of a job so far",
    .example_path = "/v1/jobs/demo/results",
    .example = "wait=30&limit=10",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .asks = &shape,
    .answers = SHAPE(struct answer, answers),
    .run = run,
};
