/* A unit that came to nothing: its result is the problem, as an answer would be one. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/jobs/jobs_inside.h"
#include "api/json_read.h"
#include "api/media.h"
#include "api/status.h"

enum { PROBLEM_MOST = 8192 };

struct problem {
    const char *type, *title, *detail, *pointer, *parameter;
    int32_t status;
};

static const struct field rows[] = {
    FIELD(struct problem, type, NULL, 0, 0, "Its kind", .required = true),
    FIELD(struct problem, title, NULL, 0, 0, "What that is"),
    FIELD(struct problem, status, NULL, 400, 599, "As an answer's"),
    FIELD(struct problem, detail, NULL, 0, 0, "What is wrong", .required = true),
    FIELD(struct problem, pointer, NULL, 0, 0, "The member that is wrong"),
    FIELD(struct problem, parameter, NULL, 0, 0, "The parameter that is wrong"),
    { .kind = FIELD_END }
};

bool job_result_problem(struct job_work *work, const char *name, const struct fault *fault,
                        struct fault *why)
{
    struct bytes text = { 0 };
    bool put = problem_write(fault, &text, why) &&
               job_result_put(work, name, MEDIA_PROBLEM, text.data, text.length, why);

    bytes_free(&text);
    return put;
}

void job_fault_add(struct fault *common, int64_t count, const struct fault *fault)
{
    if (!count)
        *common = *fault;
    else if (common->code != fault->code)
        *common = (struct fault){ .code = FAULT_NONE };
}

bool job_result_failed(const struct job_result *result)
{
    return !strcmp(result->media, MEDIA_PROBLEM);
}

static bool problem_take(const char *text, size_t length, struct fault *fault, struct fault *why)
{
    struct problem problem = { 0 };
    struct arena arena = { .limit = 4 * PROBLEM_MOST };
    const char *slug;
    bool taken = json_read(SHAPE(struct problem, rows), text, length, &arena, &problem, why);

    if (taken) {
        slug = strrchr(problem.type, '/');
        fault_set(fault, job_fault_code(slug ? slug + 1 : problem.type), "%s", problem.detail);
        if (problem.pointer || problem.parameter)
            fault_at(fault, "%s", problem.pointer ? problem.pointer : problem.parameter);
    }
    arena_free(&arena);
    return taken;
}

bool job_result_fault(struct job *job, const struct job_result *result, struct fault *fault,
                      struct fault *why)
{
    char text[PROBLEM_MOST];
    int file = job_result_open(job, result, why);
    bool read_all;

    if (file < 0)
        return false;
    read_all =
        (result->length < PROBLEM_MOST && read(file, text, sizeof text) == result->length) ||
        fault_set(why, FAULT_STORAGE, "the problem %s of a job cannot be read", result->name);
    close(file);
    return read_all && problem_take(text, (size_t)result->length, fault, why);
}
