/* What a job is to do, from its body. */
#include <inttypes.h>
#include <stdlib.h>

#include "api/jobs/jobs_inside.h"
#include "api/json_read.h"

void job_plan_free(struct job_plan *plan)
{
    if (!plan)
        return;
    view_drop(plan->view);
    view_drop(plan->since);
    for (size_t i = 0; i < plan->other_count; i++)
        view_drop(plan->others[i]);
    landscape_drop(plan->landscape);
    arena_free(&plan->arena);
    free(plan);
}

const struct view *job_plan_version(const struct job_plan *plan, uint64_t version)
{
    for (size_t i = 0; i < plan->other_count; i++)
        if (plan->others[i]->version == version)
            return plan->others[i];
    return NULL;
}

bool job_plan_hold(struct job_plan *plan, uint64_t version, struct fault *why)
{
    const size_t most = (size_t)plan->service->limits.job_versions;
    struct view *view;

    if (job_plan_version(plan, version))
        return true;
    if (plan->other_count == most)
        return fault_set(why, FAULT_LIMIT,
                         "Version %" PRIu64
                         " would be one too many: a job compares with %zu at most (job_versions)",
                         version, most);
    if (!plan->others)
        plan->others = arena_new(&plan->arena, most * sizeof(struct view *));
    if (!plan->others)
        return fault_set(why, FAULT_MEMORY, "No memory for the versions of a job");
    view = version == plan->view->version ? view_hold(plan->view)
                                          : landscape_view_at(plan->landscape, version, why);
    if (view)
        plan->others[plan->other_count++] = view;
    return view != NULL;
}

static bool plan_fill(struct job_plan *plan, const char *body, size_t length, uint64_t version,
                      struct fault *why)
{
    struct variant *variant = arena_new(&plan->arena, sizeof *variant);

    if (!variant)
        return fault_set(why, FAULT_MEMORY, "No memory for a job");
    if (!json_read_large(&job_body_shape, body, length, NULL, &plan->service->limits, &plan->arena,
                         variant, why))
        return false;
    plan->kind = job_kinds[variant->chosen];
    plan->asked = variant->members;
    version = version ? version : (uint64_t)plan->asked->version;
    plan->landscape = landscapes_find(plan->service->landscapes, plan->asked->landscape, why);
    if (!plan->landscape)
        return fault_at(why, "/landscape");
    plan->view = version ? landscape_view_at(plan->landscape, version, why)
                         : landscape_view(plan->landscape);
    if (!plan->view)
        return fault_at(why, "/version");
    return plan->kind->plan(plan, why);
}

struct job_plan *job_plan_make(struct jobs *jobs, const char *body, size_t length, uint64_t version,
                               struct fault *why)
{
    struct job_plan *plan = calloc(1, sizeof *plan);

    if (!plan) {
        fault_set(why, FAULT_MEMORY, "No memory for a job");
        return NULL;
    }
    plan->service = jobs->service;
    plan->body = body;
    plan->length = length;
    plan->arena.limit = (size_t)jobs->service->limits.request_memory_bytes;
    if (plan_fill(plan, body, length, version, why))
        return plan;
    job_plan_free(plan);
    return NULL;
}
