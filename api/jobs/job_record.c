/* A job written down: everything about it but its results. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    /* behind the others, where older records have 0 */
    uint64_t *const later[] = { (uint64_t *)&job->counts.failed, &job->order };
    int at = 0;

    for (size_t i = 0; i < sizeof longs / sizeof *longs; i++)
        numbers[at++] = (uint64_t *)longs[i];
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        numbers[at++] = plain[i];
    for (int i = 0; i < JOB_WRITERS; i++)
        numbers[at++] = (uint64_t *)&job->writers[i].length;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        numbers[at++] = later[i];
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
           form_add_text(to, job->request, why) && form_add_text(to, job->warning, why);
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

enum fault_code job_fault_code(const char *slug)
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
    if (from->left) /* older records end here */
        form_take_text(from, job->warning, sizeof job->warning);
    job->kind = kind_find(kind);
    job->fault.code = job_fault_code(slug);
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

/* Whether it is there, whole. */
static bool is_kept(int home, const struct job_result *result)
{
    char path[JOB_NAME_ROOM + 8];
    struct fault why;
    uint32_t checksum;
    int64_t length;

    if (!memchr(result->name, '\0', sizeof result->name) ||
        !memchr(result->media, '\0', sizeof result->media))
        return false;
    snprintf(path, sizeof path, "files/%s", result->name);
    return job_file_sum(home, path, &length, &checksum, &why) && length == result->length &&
           checksum == result->checksum;
}

void job_record_recount(struct job *job, int home)
{
    struct job_counts *counts = &job->counts;
    struct job_result result;
    struct fault fault, why;
    int64_t length;
    int list;

    job->flushed = counts->results;
    if (!job->kind->listed || counts->results != counts->done)
        return;
    list = job_file_open(home, "list", &length, &why);
    while (list >= 0 && counts->done < counts->units &&
           pread(list, &result, sizeof result, counts->done * (int64_t)sizeof result) ==
               sizeof result &&
           is_kept(home, &result)) {
        counts->results = ++counts->done;
        counts->bytes += result.length;
        if (!job_result_failed(&result))
            counts->made++;
        else if (job_result_fault(job, &result, &fault, &why))
            job_fault_add(&job->fault, counts->failed++, &fault);
    }
    if (list >= 0)
        close(list);
}
