#include "terrain/lod/grid_error.h"

#include <math.h>
#include <stdlib.h>

#include "terrain/lod/quadtree_bounds.h"

/* By how much the other diagonal of a quad lies off this one, at most, over all quads of a level.
 */
struct kept_turn {
    struct derived derived;
    int32_t codes; /* twice as many */
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

/* The vertex of the grid's i-th line: the last stands on the landscape's border. */
static int32_t line_at(int32_t vertices, int32_t step, int32_t i)
{
    return (int64_t)i * step < vertices - 1 ? i * step : vertices - 1;
}

static int32_t turn_between(const uint16_t *north, const uint16_t *south, int32_t columns,
                            int32_t step)
{
    int32_t most = 0;

    for (int32_t x = 0; x < columns - 1; x += step) {
        int32_t east = x + step < columns - 1 ? x + step : columns - 1;
        int32_t turn = abs(north[x] + south[east] - north[east] - south[x]);

        most = turn > most ? turn : most;
    }
    return most;
}

static bool turn_most(const struct view *view, int32_t step, int32_t *codes, struct fault *why)
{
    const struct grid *grid = view_grid(view);
    size_t columns = (size_t)grid->columns;
    uint16_t *rows = malloc(2 * columns * sizeof *rows);
    int32_t most = 0, at = 0;

    if (!rows)
        return fault_set(why, FAULT_MEMORY, "no memory for rows of %zu heights", columns);
    view_read_heights(view, (struct rect){ 0, 0, grid->columns, 1 }, rows, grid->columns);
    for (int32_t j = 1; at < grid->rows - 1; j++) {
        uint16_t *north = rows + (j & 1 ? 0 : columns), *south = rows + (j & 1 ? columns : 0);
        int32_t turn;

        at = line_at(grid->rows, step, j);
        view_read_heights(view, (struct rect){ 0, at, grid->columns, 1 }, south, grid->columns);
        turn = turn_between(north, south, grid->columns, step);
        most = turn > most ? turn : most;
    }
    free(rows);
    *codes = most;
    return true;
}

static struct derived *make(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    struct kept_turn *kept = malloc(sizeof *kept);

    (void)older;
    if (!kept) {
        fault_set(why, FAULT_MEMORY, "no memory for a level's error");
        return NULL;
    }
    *kept =
        (struct kept_turn){ .derived = { .holders = 1, .bytes = sizeof *kept, .free = kept_free } };
    if (turn_most(making->view, making->step, &kept->codes, why))
        return &kept->derived;
    free(kept);
    return NULL;
}

static bool turn_error(const struct view *view, struct derived_cache *cache, int32_t step,
                       double *codes, struct fault *why)
{
    struct making making = { view, step };
    struct derived_place place = { .kind = &kind,
                                   .incarnation = view->incarnation,
                                   .at = { step } };
    uint64_t stamp = view_newest(view, view_rect(view)) ^ view->again << 48;
    struct derived *thing = derived_get(cache, &place, stamp, make, &making, why);

    if (!thing)
        return false;
    *codes = ((const struct kept_turn *)thing)->codes / 2.0;
    derived_drop(thing);
    return true;
}

bool grid_error(const struct view *view, struct derived_cache *cache, int32_t size, int32_t grid,
                double *metres, struct fault *why)
{
    struct quadtree_bounds *bounds;
    double turn, most = 0;
    int32_t level = 0;

    *metres = 0;
    if (size == grid)
        return true; /* split as the landscape is */
    if (!turn_error(view, cache, size / grid, &turn, why))
        return false;
    bounds = quadtree_bounds(view, cache, grid, grid, why);
    if (!bounds)
        return false;
    while (grid << level < size && level < bounds->levels - 1)
        level++;
    for (int32_t i = 0; i < bounds->level[level].across * bounds->level[level].down; i++)
        most = fmax(most, (double)bounds->level[level].errors[i]);
    derived_drop(&bounds->derived);
    *metres = (most + turn) * view_grid(view)->scale[2] / 128;
    return true;
}
