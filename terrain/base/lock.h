/* Locks, and waiting for something that another thread does: POSIX threads', or nothing at all
 * where there is one thread only (WebAssembly). */
#ifndef TERRAIN_BASE_LOCK_H
#define TERRAIN_BASE_LOCK_H

#ifdef __wasi__

struct lock {
    char none;
};
#define lock_init(lock)     ((void)(lock))
#define lock_fini(lock)     ((void)(lock))
#define lock_take(lock)     ((void)(lock))
#define lock_release(lock)  ((void)(lock))
#define lock_wait(lock)     ((void)(lock))
#define lock_wake_all(lock) ((void)(lock))

#else

#include <pthread.h>

/* A lock, and those who wait for a change of what it guards. */
struct lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

static inline void lock_init(struct lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
    pthread_cond_init(&lock->changed, NULL);
}

static inline void lock_fini(struct lock *lock)
{
    pthread_cond_destroy(&lock->changed);
    pthread_mutex_destroy(&lock->mutex);
}

static inline void lock_take(struct lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

static inline void lock_release(struct lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

/* Gives the lock away until somebody wakes, and has it again. */
static inline void lock_wait(struct lock *lock)
{
    pthread_cond_wait(&lock->changed, &lock->mutex);
}

static inline void lock_wake_all(struct lock *lock)
{
    pthread_cond_broadcast(&lock->changed);
}

#endif

#endif
