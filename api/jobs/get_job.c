/* How a job is getting on. */
#include "api/jobs/job_document.h"

static bool run(struct request *rq, const void *asked_, void *answer)
{
    const struct job_path *asked = asked_;
    struct job *job = job_of(rq, asked->job);
    bool filled;

    if (!job)
        return false;
    if (asked->wait)
        job_wait(job, asked->wait);
    filled = job_document_fill(rq, job, answer);
    job_drop(job);
    return filled;
}

const struct endpoint endpoint_get_job = {
    .method = "GET",
    .path = "/v1/jobs/{job}",
    .summary = "A job: its state, how far it has come, and its first results",
    .example_path = "/v1/jobs/demo",
    .example = "wait=30",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .asks = &job_path_wait_shape,
    .answers = &job_document_shape,
    .run = run,
};
