/* Ends a job, or takes one that has ended away. */
#include "api/jobs/job_document.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct job *job = job_of(rq, ((const struct job_path *)asked)->job);
    bool done;

    if (!job)
        return false;
    if (job_cancel(job)) {
        rq->status = 202;
        done = job_document_fill(rq, job, answer);
    } else {
        rq->status = 204;
        done = job_remove(job, &rq->fault);
    }
    job_drop(job);
    return done;
}

static const int statuses[] = { 202, 204, 0 };

const struct endpoint endpoint_delete_job = {
    .method = "DELETE",
    .path = "/v1/jobs/{job}",
    .summary = "Cancel a job, whose finished results stay; or remove one that has ended, with them",
    .example_path = "/v1/jobs/demo",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .asks = &job_path_shape,
    .answers = &job_document_shape,
    .statuses = statuses,
    .run = run,
};
