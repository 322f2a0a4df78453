#include "terrain/lod/grid_error.h"

#include <math.h>
#include <stdlib.h>

#include "terrain/lod/window_mesh.h"

struct kept_error {
    struct derived derived;
    double metres;
};

static const char kind;

struct making {
    const struct view *view;
    int32_t step;
};

static void kept_free(struct derived *thing)
{
    free(thing);
}

static struct derived *make(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    struct window_grid grid = { view_rect(making->view), making->step, HOLES_ALL };
    struct kept_error *kept = malloc(sizeof *kept);

    (void)older;
    if (!kept) {
        fault_set(why, FAULT_MEMORY, "no memory for a level's error");
        return NULL;
    }
    *kept = (struct kept_error){ .derived = {
                                     .holders = 1, .bytes = sizeof *kept, .free = kept_free } };
    if (window_error(making->view, &grid, &kept->metres, why))
        return &kept->derived;
    free(kept);
    return NULL;
}

bool grid_error(const struct view *view, struct derived_cache *cache, int32_t size, int32_t grid,
                double *metres, struct fault *why)
{
    struct making making = { view, size / grid };
    struct derived_place place = { .kind = &kind,
                                   .incarnation = view->incarnation,
                                   .at = { making.step } };
    uint64_t stamp = view_newest(view, view_rect(view)) ^ view->again << 48;
    struct derived *thing = derived_get(cache, &place, stamp, make, &making, why);

    if (!thing)
        return false;
    *metres = ((const struct kept_error *)thing)->metres;
    derived_drop(thing);
    return true;
}
