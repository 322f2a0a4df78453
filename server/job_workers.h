/* The threads that work on jobs: fewer than those of requests, and after them where the processor
 * is concerned, with helpers of their own for what can be done at once. */
#ifndef SERVER_JOB_WORKERS_H
#define SERVER_JOB_WORKERS_H

#include <stdbool.h>

#include "api/jobs/jobs.h"
#include "terrain/base/fault.h"

struct job_workers;

bool job_workers_start(struct jobs *jobs, int threads, int helpers, struct job_workers **made,
                       struct fault *why);
/* Comes back soon: what they were at is written down, and goes on after the next start. */
void job_workers_stop(struct job_workers *workers);

#endif
