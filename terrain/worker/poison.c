#include "terrain/worker/poison.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

enum { MARKS = 64 };

struct mark {
    uint64_t reference;
    double until;
};

struct poison {
    pthread_mutex_t lock;
    uint64_t seed; /* nobody can make up a job that is taken for another one's */
    struct mark marks[MARKS];
    int64_t made;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct poison *poison_new(void)
{
    struct poison *poison = calloc(1, sizeof *poison);

    if (!poison)
        return NULL;
    pthread_mutex_init(&poison->lock, NULL);
    if (getrandom(&poison->seed, sizeof poison->seed, GRND_NONBLOCK) < 0)
        poison->seed = (uint64_t)(uintptr_t)poison;
    return poison;
}

void poison_free(struct poison *poison)
{
    if (!poison)
        return;
    pthread_mutex_destroy(&poison->lock);
    free(poison);
}

/* FNV-1a: Fowler, Noll, Vo; offset and prime of its 64-bit form. */
uint64_t poison_reference(const struct poison *poison, const void *name, size_t length)
{
    const unsigned char *bytes = name;
    uint64_t hash = 0xcbf29ce484222325u ^ poison->seed;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash ? hash : 1;
}

void poison_mark(struct poison *poison, uint64_t reference, double seconds)
{
    pthread_mutex_lock(&poison->lock);
    poison->marks[poison->made++ % MARKS] = (struct mark){ reference, now() + seconds };
    pthread_mutex_unlock(&poison->lock);
}

static double find(const struct poison *poison, uint64_t reference)
{
    double time = now(), left = 0;

    for (int i = 0; i < MARKS; i++)
        if (poison->marks[i].reference == reference && poison->marks[i].until - time > left)
            left = poison->marks[i].until - time;
    return left;
}

double poison_left(struct poison *poison, const void *name, size_t length, uint64_t *reference)
{
    double left;

    if (poison_count(poison) == 0)
        return 0;
    *reference = poison_reference(poison, name, length);
    pthread_mutex_lock(&poison->lock);
    left = find(poison, *reference);
    pthread_mutex_unlock(&poison->lock);
    return left;
}

int64_t poison_count(struct poison *poison)
{
    int64_t made;

    pthread_mutex_lock(&poison->lock);
    made = poison->made;
    pthread_mutex_unlock(&poison->lock);
    return made;
}
