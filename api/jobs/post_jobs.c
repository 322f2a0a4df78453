/* A job: long work, answered before it is done. */
#include "api/jobs/job_document.h"
#include "api/service.h"

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct job *job;
    bool there, filled;

    (void)asked;
    if (!rq->service->jobs)
        return REFUSE(rq, FAULT_BUSY, "This server takes no jobs");
    job = jobs_post(rq->service->jobs, rq->body_data, rq->body_length, rq->token_name, &there,
                    &rq->fault);
    if (!job)
        return false;
    filled = job_document_fill(rq, job, answer);
    job_drop(job);
    rq->status = 202;
    rq->location = arena_print(rq->arena, "/v1/jobs/%s", ((struct job_document *)answer)->id);
    return filled;
}

static const int statuses[] = { 202, 0 };

const struct endpoint endpoint_post_jobs = {
    .method = "POST",
    .path = "/v1/jobs",
    .summary = "Post a job: a pyramid of tiles, an export, or pictures, made in the background",
    .example_path = "/v1/jobs",
    .example_body = "{\"kind\":\"tiles\",\"id\":\"demo\",\"landscape\":\"demo\",\"set\":"
                    "\"hillshade\",\"maxzoom\":11,\"package\":\"mbtiles\"}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .takes = &job_body_shape,
    .answers = &job_document_shape,
    .statuses = statuses,
    .run = run,
};
