#include "tests/api/shop.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char id_room[65];

const char *shop_post(struct caller *caller, const char *body)
{
    if (call(caller, "POST", "/v1/jobs", body) != 202)
        fail_msg("%s: %s", body, caller->body);
    snprintf(id_room, sizeof id_room, "%s", caller_text(caller, "id"));
    return id_room;
}

void shop_work(struct caller *caller)
{
    while (jobs_work(caller->service.jobs, NULL, false))
        ;
}

const char *shop_make(struct caller *caller, const char *body)
{
    const char *id = shop_post(caller, body);

    shop_work(caller);
    if (strcmp(shop_state(caller, id), "done"))
        fail_msg("%s: %s", body, caller->body);
    return id;
}

/* An executor that comes to a unit and calls out. */
struct disturber {
    struct executor executor;
    struct caller *caller;
    int64_t at, unit;
    void (*disturb)(struct caller *caller);
};

static void run(const struct executor *self, size_t count, void (*piece)(void *work, size_t i),
                void *work)
{
    struct disturber *disturber = (struct disturber *)(uintptr_t)self;

    for (size_t i = 0; i < count; i++) {
        if (disturber->at++ == disturber->unit)
            disturber->disturb(disturber->caller);
        piece(work, i);
    }
}

int64_t shop_disturb(struct caller *caller, int64_t unit, void (*disturb)(struct caller *caller))
{
    struct disturber disturber = { { run }, caller, 0, unit, disturb };

    jobs_work(caller->service.jobs, &disturber.executor, false);
    return disturber.at;
}

/* An executor of threads of its own. */
enum { CROWD = 4 };

struct crowd {
    struct executor executor;
    struct caller *caller;
    _Atomic int64_t at;
    int64_t unit;
    void (*disturb)(struct caller *caller);
};

struct errand {
    struct crowd *crowd;
    void (*piece)(void *work, size_t i);
    void *work;
    size_t count;
    _Atomic size_t taken;
};

static void *errand_run(void *context)
{
    struct errand *errand = context;
    struct crowd *crowd = errand->crowd;
    size_t i;

    while ((i = atomic_fetch_add(&errand->taken, 1)) < errand->count) {
        if (atomic_fetch_add(&crowd->at, 1) == crowd->unit)
            crowd->disturb(crowd->caller);
        errand->piece(errand->work, i);
    }
    return NULL;
}

static void crowd_run(const struct executor *self, size_t count,
                      void (*piece)(void *work, size_t i), void *work)
{
    struct errand errand = {
        .crowd = (struct crowd *)(uintptr_t)self, .piece = piece, .work = work, .count = count
    };
    pthread_t threads[CROWD];

    for (int i = 0; i < CROWD; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, errand_run, &errand), 0);
    for (int i = 0; i < CROWD; i++)
        pthread_join(threads[i], NULL);
}

void shop_crowd(struct caller *caller, int64_t unit, void (*disturb)(struct caller *caller))
{
    struct crowd crowd = { { crowd_run }, caller, 0, unit, disturb };

    jobs_work(caller->service.jobs, &crowd.executor, false);
}

const char *shop_state(struct caller *caller, const char *id)
{
    char target[100];

    snprintf(target, sizeof target, "/v1/jobs/%s", id);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    return caller_text(caller, "state");
}

int64_t shop_count(struct caller *caller, const char *id, const char *member)
{
    shop_state(caller, id);
    return (int64_t)caller_number(caller, member);
}

char *shop_result(struct caller *caller, const char *id, const char *name, size_t *length)
{
    char target[100], href[200] = "";
    size_t i, own = strlen(name);
    json_t *results, *one;
    char *bytes;

    snprintf(target, sizeof target, "/v1/jobs/%s/results?limit=1000", id);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    results = caller_member(caller, "results");
    json_array_foreach(results, i, one)
    {
        const char *its = json_string_value(json_object_get(one, "name"));

        if (strlen(its) >= own && !strcmp(its + strlen(its) - own, name))
            snprintf(href, sizeof href, "%s", json_string_value(json_object_get(one, "href")));
    }
    if (!href[0])
        return NULL;
    bytes = land_take(caller, href, length);
    bytes[*length] = '\0';
    return bytes;
}

const char *shop_tar_next(const char *tar, size_t length, size_t *at, const char **data,
                          size_t *bytes)
{
    const char *head = tar + *at;

    assert_true(*at + 512 <= length);
    if (!head[0])
        return NULL;
    assert_memory_equal(head + 257,
                        "ustar\0"
                        "00",
                        8);
    *bytes = strtoul(head + 124, NULL, 8);
    *data = head + 512;
    *at += 512 + (*bytes + 511) / 512 * 512;
    return head;
}

const char *shop_tar_find(const char *tar, size_t length, const char *name, size_t *bytes)
{
    const char *data, *its;
    size_t at = 0;

    while ((its = shop_tar_next(tar, length, &at, &data, bytes)))
        if (!strcmp(its, name))
            return data;
    return NULL;
}

static int files_below(const char *path)
{
    DIR *listing = opendir(path);
    const struct dirent *entry;
    char below[600];
    int count = 0;

    if (!listing)
        return -1;
    while ((entry = readdir(listing))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(below, sizeof below, "%.300s/%.255s", path, entry->d_name);
        count += entry->d_type == DT_DIR ? files_below(below) : 1;
    }
    closedir(listing);
    return count;
}

int shop_files(const struct caller *caller, const char *id, const char *folder)
{
    char path[400];

    snprintf(path, sizeof path, "%s/jobs/%s/%s", caller->folder, id, folder);
    return files_below(path);
}
