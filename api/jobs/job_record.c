/* A job written down: everything about it but its results. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/jobs/jobs_inside.h"
#include "terrain/base/form.h"

enum { FORMAT = 1, NUMBERS = 18 + 2 * JOB_WRITERS };

/* All numbers, in the order of the record. */
static void numbers_of(struct job *job, uint64_t *numbers[NUMBERS], uint64_t room[NUMBERS],
                       bool writing)
{
    int64_t *const longs[] = { &job->created,        &job->deadline,         &job->started,
                               &job->ended,          &job->counts.units,     &job->counts.done,
                               &job->counts.made,    &job->counts.unchanged, &job->counts.absent,
                               &job->counts.results, &job->counts.bytes };
    uint64_t *const plain[] = { &job->incarnation, &job->version, &job->since };
    int at = 0;

    for (size_t i = 0; i < sizeof longs / sizeof *longs; i++)
        numbers[at++] = (uint64_t *)longs[i];
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        numbers[at++] = plain[i];
    for (int i = 0; i < JOB_WRITERS; i++)
        numbers[at++] = (uint64_t *)&job->writers[i].length;
    for (; at < NUMBERS; at++) {
        numbers[at] = &room[at];
        if (writing)
            room[at] = 0;
    }
}

static bool texts_put(const struct job *job, struct bytes *to, struct fault *why)
{
    return form_add_text(to, job->id, why) && form_add_text(to, job->landscape, why) &&
           form_add_text(to, job->owner, why) && form_add_text(to, job->kind->name, why) &&
           form_add_text(to, fault_slug(job->fault.code), why) &&
           form_add_text(to, job->fault.detail, why) && form_add_text(to, job->fault.place, why) &&
           form_add_text(to, job->request, why);
}

bool job_record_put(struct job *job, enum job_state state, int home, struct fault *why)
{
    uint64_t *numbers[NUMBERS], room[NUMBERS];
    struct bytes record = { 0 };
    bool put = form_add_number(&record, FORMAT, 4, why) &&
               form_add_number(&record, state, 1, why) &&
               form_add_number(&record, job->priority, 1, why);

    numbers_of(job, numbers, room, true);
    for (int i = 0; put && i < NUMBERS; i++)
        put = form_add_number(&record, *numbers[i], 8, why);
    for (int i = 0; put && i < JOB_WRITERS; i++)
        put = form_add_number(&record, job->writers[i].checksum, 4, why);
    put = put && texts_put(job, &record, why) && job_record_write(home, &record, why);
    bytes_free(&record);
    return put;
}

static const struct job_kind *kind_find(const char *name)
{
    for (int i = 0; i < job_variants.count; i++)
        if (!strcmp(job_kinds[i]->name, name))
            return job_kinds[i];
    return NULL;
}

static enum fault_code code_find(const char *slug)
{
    int code = FAULT_NONE;

    while (code < FAULT_COUNT && strcmp(fault_slug((enum fault_code)code), slug))
        code++;
    return code < FAULT_COUNT ? (enum fault_code)code : FAULT_INTERNAL;
}

static bool texts_take(struct job *job, struct form_reader *from)
{
    char kind[65], slug[65];

    form_take_text(from, job->id, sizeof job->id);
    form_take_text(from, job->landscape, sizeof job->landscape);
    form_take_text(from, job->owner, sizeof job->owner);
    form_take_text(from, kind, sizeof kind);
    form_take_text(from, slug, sizeof slug);
    form_take_text(from, job->fault.detail, sizeof job->fault.detail);
    form_take_text(from, job->fault.place, sizeof job->fault.place);
    job->request = malloc(from->left + 1);
    if (!job->request || !from->whole)
        return false;
    form_take_text(from, job->request, from->left + 1);
    job->kind = kind_find(kind);
    job->fault.code = code_find(slug);
    return from->whole && job->kind;
}

static bool take(struct job *job, struct form_reader *from)
{
    uint64_t *numbers[NUMBERS], room[NUMBERS];
    uint64_t format = form_take_number(from, 4), state = form_take_number(from, 1);
    uint64_t priority = form_take_number(from, 1);

    numbers_of(job, numbers, room, false);
    for (int i = 0; i < NUMBERS; i++)
        *numbers[i] = form_take_number(from, 8);
    for (int i = 0; i < JOB_WRITERS; i++)
        job->writers[i].checksum = (uint32_t)form_take_number(from, 4);
    job->state = state < JOB_STATES ? (enum job_state)state : JOB_FAILED;
    job->priority = priority <= PRIORITY_HIGH ? (enum job_priority)priority : PRIORITY_NORMAL;
    return format == FORMAT && texts_take(job, from);
}

bool job_record_take(struct job *job, int home, struct fault *why)
{
    struct bytes record = { 0 };
    struct form_reader from;
    bool taken = job_record_read(home, &record, why);

    if (taken) {
        from = (struct form_reader){ record.data, record.length, true };
        taken = take(job, &from) ||
                fault_set(why, FAULT_STORAGE, "the record of a job is of another program");
    }
    bytes_free(&record);
    return taken;
}
