/* The caller's way of running pieces of work at once. The core has no threads:
 * whoever has some hands them in here; NULL runs the pieces one after another. */
#ifndef TERRAIN_BASE_EXECUTOR_H
#define TERRAIN_BASE_EXECUTOR_H

#include <stddef.h>

struct executor {
    /* Calls piece(work, i) for i in 0..count-1, in any order and on any thread,
     * and returns when all are done. */
    void (*run)(const struct executor *self, size_t count, void (*piece)(void *work, size_t i),
                void *work);
};

static inline void executor_run(const struct executor *executor, size_t count,
                                void (*piece)(void *work, size_t i), void *work)
{
    if (executor) {
        executor->run(executor, count, piece, work);
        return;
    }
    for (size_t i = 0; i < count; i++)
        piece(work, i);
}

#endif
