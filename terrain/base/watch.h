/* Those who want to be woken when a thing has news: a list in their own memory.
 *
 * The thing's owner holds a lock of its own round each of these calls, `wake` included, which
 * therefore only takes a note.
 */
#ifndef TERRAIN_BASE_WATCH_H
#define TERRAIN_BASE_WATCH_H

#include <stddef.h>

struct watch {
    struct watch *next, **at; /* of the thing's list */
    void (*wake)(struct watch *watch);
};

static inline void watch_add(struct watch **list, struct watch *watch)
{
    watch->next = *list;
    watch->at = list;
    if (watch->next)
        watch->next->at = &watch->next;
    *list = watch;
}

static inline void watch_remove(struct watch *watch)
{
    *watch->at = watch->next;
    if (watch->next)
        watch->next->at = watch->at;
}

static inline void watch_wake_all(struct watch *list)
{
    for (; list; list = list->next)
        list->wake(list);
}

#endif
