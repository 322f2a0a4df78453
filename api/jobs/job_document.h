/* A job as it is answered, and what its endpoints share. */
#ifndef API_JOBS_JOB_DOCUMENT_H
#define API_JOBS_JOB_DOCUMENT_H

#include "api/endpoint.h"
#include "api/jobs/jobs.h"

struct job_document {
    const char *id, *kind, *landscape, *owner, *state, *priority, *folder;
    double version, since; /* NaN is none */
    double progress, rate, seconds_left;
    bool cancelling;
    int64_t units, done, made, unchanged, absent, failed, bytes, result_count;
    const char *created, *started, *ended, *deadline, *warning;
    struct list results, failures;
    struct json_text error, request;
};
extern const struct shape job_document_shape;

struct job_result_document {
    int64_t n, bytes;
    const char *name, *media_type, *checksum, *href;
    struct json_text error; /* of a unit that came to nothing */
};
extern const struct shape job_result_shape;

struct job_path {
    const char *job;
    int64_t wait;
};
extern const struct shape job_path_shape;      /* {job} */
extern const struct shape job_path_wait_shape; /* and ?wait= */

/* The job that the path names, held, if whoever asks may see it. Fails with MISSING. */
struct job *job_of(struct request *rq, const char *id);
struct job_asker job_asker_of(struct request *rq);

/* With the first results of the job. */
bool job_document_fill(struct request *rq, struct job *job, struct job_document *document);
bool job_results_fill(struct request *rq, struct job *job, int64_t first, size_t most,
                      struct list *results);
/* The first of those that are problems. */
bool job_failures_fill(struct request *rq, struct job *job, size_t most, struct list *results);

#endif
