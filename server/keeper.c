#include "server/keeper.h"

#include <pthread.h>
#include <stdlib.h>

#include "server/clock.h"
#include "server/log.h"
#include "terrain/base/fault.h"

#define LOOK_EVERY (CLOCK_SECOND / 10)

struct keeper {
    struct landscapes *landscapes;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stopping;
};

/* What the disk did to the landscapes in the background; nobody else hears of it. */
static void tell_trouble(struct landscapes *landscapes)
{
    struct fault trouble = { 0 };
    char id[65];

    while (landscapes_trouble(landscapes, id, &trouble))
        log_line(LOG_ERROR, "store-trouble", "s:landscape", id, "s:reason", trouble.detail, NULL);
}

static void *keep(void *context)
{
    struct keeper *keeper = context;

    pthread_mutex_lock(&keeper->lock);
    while (!keeper->stopping) {
        bool worked;

        pthread_mutex_unlock(&keeper->lock);
        worked = landscapes_work(keeper->landscapes);
        tell_trouble(keeper->landscapes);
        pthread_mutex_lock(&keeper->lock);
        if (!worked && !keeper->stopping) {
            int64_t then = clock_now() + LOOK_EVERY;
            struct timespec until = { then / CLOCK_SECOND, then % CLOCK_SECOND };
            pthread_cond_timedwait(&keeper->wake, &keeper->lock, &until);
        }
    }
    pthread_mutex_unlock(&keeper->lock);
    return NULL;
}

bool keeper_start(struct landscapes *landscapes, struct keeper **made, struct fault *why)
{
    struct keeper *keeper = calloc(1, sizeof *keeper);
    pthread_condattr_t attributes;

    if (!keeper)
        return fault_set(why, FAULT_MEMORY, "No memory for the background thread");
    keeper->landscapes = landscapes;
    pthread_mutex_init(&keeper->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&keeper->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&keeper->thread, NULL, keep, keeper)) {
        free(keeper);
        return fault_set(why, FAULT_MEMORY, "No thread for background work");
    }
    *made = keeper;
    return true;
}

void keeper_stop(struct keeper *keeper)
{
    if (!keeper)
        return;
    pthread_mutex_lock(&keeper->lock);
    keeper->stopping = true;
    pthread_cond_signal(&keeper->wake);
    pthread_mutex_unlock(&keeper->lock);
    pthread_join(keeper->thread, NULL);
    pthread_cond_destroy(&keeper->wake);
    pthread_mutex_destroy(&keeper->lock);
    free(keeper);
}
