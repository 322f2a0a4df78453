/* One file that a job has made. */
#include <inttypes.h>
#include <string.h>

#include "api/jobs/job_document.h"

struct asked {
    struct job_path path;
    int64_t n;
};

static const struct field asks[] = { FIELD(struct asked, n, NULL, 0, 9007199254740992.0,
                                           "The number of the result", .required = true,
                                           .in_path = true),
                                     { .kind = FIELD_END } };

static const struct shape shape = { .name = "job_result_asked",
                                    .size = sizeof(struct asked),
                                    .fields = asks,
                                    .base = &job_path_wait_shape,
                                    .given = -1 };

/* What results may be. */
static const char *const media_out[] = { "application/octet-stream",
                                         "application/vnd.sqlite3",
                                         "application/x-tar",
                                         "application/json",
                                         "text/plain",
                                         "image/png",
                                         "image/jpeg",
                                         "image/tiff",
                                         "image/webp",
                                         "application/x-landscaped-scene",
                                         "application/x-r16",
                                         "application/x-f32",
                                         "model/gltf-binary",
                                         "application/vnd.quantized-mesh",
                                         NULL };

static int media_of(const char *media)
{
    for (int i = 1; media_out[i]; i++)
        if (!strcmp(media_out[i], media))
            return i;
    return 0;
}

static bool result_find(struct request *rq, struct job *job, int64_t n, struct job_result *result)
{
    struct job_about about;
    size_t count;

    job_about(job, &about);
    if (!job_results(job, n, 1, result, &count, &rq->fault))
        return false;
    if (count)
        return true;
    REFUSE(rq, FAULT_MISSING, "The job %s, which is %s, has %" PRId64 " results, counted from 0",
           about.id, job_state_words[about.state], about.results);
    return fault_at(&rq->fault, "n");
}

static bool result_hand_out(struct request *rq, struct job *job, const struct job_result *result)
{
    const char *name = strrchr(result->name, '/');
    struct fault fault;

    if (job_result_failed(result)) {
        if (job_result_fault(job, result, &fault, &rq->fault))
            rq->fault = fault;
        return false;
    }
    rq->file.descriptor = job_result_open(job, result, &rq->fault);
    if (rq->file.descriptor < 0)
        return false;
    rq->file.open = true;
    rq->file.length = (uint64_t)result->length;
    rq->media_out = media_of(result->media);
    rq->filename = arena_text(rq->arena, name ? name + 1 : result->name);
    rq->etag =
        arena_print(rq->arena, "\"%" PRIx64 "-%08" PRIx32 "\"", result->length, result->checksum);
    return (rq->filename && rq->etag) || REFUSE(rq, FAULT_MEMORY, "No memory for a result");
}

static bool run(struct request *rq, const void *asked_, void *answer)
{
    const struct asked *asked = asked_;
    struct job *job = job_of(rq, asked->path.job);
    struct job_result result;
    bool done;

    (void)answer;
    if (!job)
        return false;
    if (asked->path.wait)
        job_wait(job, asked->path.wait);
    done = result_find(rq, job, asked->n, &result) && result_hand_out(rq, job, &result);
    job_drop(job);
    return done;
}

const struct endpoint endpoint_get_job_result = {
    .method = "GET",
    .path = "/v1/jobs/{job}/results/{n}",
    .summary = "A result of a job: a file that is complete, or why a view came to nothing",
    .example_path = "/v1/jobs/demo/results/0",
    .example = "wait=30",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .asks = &shape,
    .media_out = media_out,
    .run = run,
};
