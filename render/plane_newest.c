#include "render/plane_newest.h"

#include <stdlib.h>

#include "terrain/base/derived.h"

/* What a tile was called at a version. */
struct named {
    struct derived derived;
    uint64_t version, again, newest;
};

struct naming {
    const struct view *view;
    uint64_t stamp;
    plane_touched *touched;
    const void *context;
};

static void named_free(struct derived *thing)
{
    free(thing);
}

/* Whether nothing that the tile is made from has changed since. */
static bool is_as_it_was(const struct naming *naming, const struct named *was)
{
    const struct view *view = naming->view;

    if (was->again != view->again || was->version > view->version ||
        view->version - was->version > (uint64_t)view->change_count)
        return false;
    for (uint64_t i = 0; i < view->version - was->version; i++) {
        const struct view_change *change = &view->changes[i];

        if (!rect_empty(change->over) && naming->touched(naming->context, change))
            return false;
    }
    return true;
}

static struct derived *name(void *context, const struct derived *older, struct fault *why)
{
    const struct naming *naming = context;
    const struct named *was = (const struct named *)older;
    struct named *named = malloc(sizeof *named);

    if (!named) {
        fault_set(why, FAULT_MEMORY, "no memory for the name of a picture's tile");
        return NULL;
    }
    *named = (struct named){ .derived = { .bytes = sizeof *named, .free = named_free },
                             .version = naming->view->version,
                             .again = naming->view->again,
                             .newest = naming->stamp };
    atomic_init(&named->derived.holders, 1);
    if (was && was->newest < naming->stamp && is_as_it_was(naming, was))
        named->newest = was->newest;
    return &named->derived;
}

uint64_t plane_newest(const struct plane_source *source, const struct tile_key *key, uint64_t stamp,
                      plane_touched *touched, const void *context)
{
    static const char kind;
    struct naming naming = { source->view, stamp, touched, context };
    const struct derived_place place = { .kind = &kind,
                                         .incarnation = key->incarnation,
                                         .at = { key->level, key->x, key->y, key->plane },
                                         .options = key->detail };
    const struct named *named;
    uint64_t newest = stamp;
    struct fault why;

    if (!source->derived)
        return stamp;
    named = (const struct named *)derived_get(source->derived, &place,
                                              source->view->version ^ source->view->again << 48,
                                              name, &naming, &why);
    if (named)
        newest = named->newest;
    derived_drop((struct derived *)(uintptr_t)named);
    return newest;
}
