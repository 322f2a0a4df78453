/* How nodes fit their neighbours, finer ones and such with holes too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/lod/quadtree.h"

/* Of neighbours in a patch, by side of the reference's order. */
static const int neighbour_of[PATCH_SIDES] = {
    [PATCH_WEST] = 1, [PATCH_EAST] = 2, [PATCH_NORTH] = 0, [PATCH_SOUTH] = 3
};

struct patch_place quadtree_place(const struct quadtree_options *options, const struct patch *patch)
{
    return (struct patch_place){ patch->x, patch->y, patch->size, options->grid };
}

struct patch_style quadtree_style(const struct pick_options *options, const struct patch *patch)
{
    return (struct patch_style){ options->quadtree.merge_angle, patch->draw == 1,
                                 (enum hole_rule)options->hole_rule };
}

static size_t slot_of(const struct quadtree_index *index, int32_t x, int32_t y, int32_t size)
{
    uint64_t hash = ((uint64_t)(uint32_t)x << 32 | (uint32_t)y) * 0x9e3779b97f4a7c15u;

    hash = (hash ^ hash >> 31 ^ (uint32_t)size) * 0xbf58476d1ce4e5b9u;
    return (hash ^ hash >> 29) & index->mask;
}

bool quadtree_index_init(struct quadtree_index *index, const struct view *view,
                         const struct pick_options *options, const struct picks *picks,
                         struct fault *why)
{
    size_t room = 16, side = (size_t)options->quadtree.grid + 1;

    while (room < picks->count * 2)
        room *= 2;
    *index = (struct quadtree_index){ .view = view,
                                      .options = &options->quadtree,
                                      .hole_rule = (enum hole_rule)options->hole_rule,
                                      .picks = picks,
                                      .mask = room - 1 };
    index->slots = calloc(room, sizeof *index->slots);
    index->dropped = malloc(side);
    index->outer = malloc(side);
    if (!index->slots || !index->dropped || !index->outer)
        return fault_set(why, FAULT_MEMORY, "no memory to find %zu nodes", picks->count);
    for (size_t i = 0; i < picks->count; i++) {
        const struct patch *patch = &picks->patches[i];
        size_t slot = slot_of(index, patch->x, patch->y, patch->size);

        while (index->slots[slot])
            slot = (slot + 1) & index->mask;
        index->slots[slot] = (uint32_t)i + 1;
    }
    return true;
}

void quadtree_index_fini(struct quadtree_index *index)
{
    free(index->slots);
    free(index->dropped);
    free(index->outer);
    for (int side = 0; side < PATCH_SIDES; side++)
        free(index->more[side]);
    *index = (struct quadtree_index){ 0 };
}

static const struct patch *patch_at(const struct quadtree_index *index, int32_t x, int32_t y,
                                    int32_t size)
{
    size_t slot = slot_of(index, x, y, size);

    for (; index->slots[slot]; slot = (slot + 1) & index->mask) {
        const struct patch *patch = &index->picks->patches[index->slots[slot] - 1];

        if (patch->x == x && patch->y == y && patch->size == size)
            return patch;
    }
    return NULL;
}

/* The patch over a quad that is at most so large; NULL when there is none. */
static const struct patch *patch_over(const struct quadtree_index *index, int32_t x, int32_t y,
                                      int32_t most)
{
    for (int32_t size = most; size >= index->picks->leaf; size /= 2) {
        const struct patch *patch = patch_at(index, x & -size, y & -size, size);

        if (patch)
            return patch;
    }
    return NULL;
}

static bool add_more(struct quadtree_index *index, enum patch_side side, int32_t at)
{
    struct patch_border *border = &index->borders[side];

    if (border->more_count == index->more_room[side]) {
        size_t room = index->more_room[side] * 2 + 32;
        int32_t *grown = realloc(index->more[side], room * sizeof *grown);

        if (!grown)
            return false;
        index->more[side] = grown;
        index->more_room[side] = room;
    }
    index->more[side][border->more_count++] = at;
    border->more = index->more[side];
    return true;
}

/* The vertices that a finer neighbour has on the common border and the patch has not: beside the
 * neighbour's holes, and where it is so much finer that its strips do not reach. */
static bool take_finer(struct quadtree_index *index, const struct patch *patch,
                       enum patch_side side, const struct patch *finer, int32_t from)
{
    static const enum patch_side facing[PATCH_SIDES] = { PATCH_EAST, PATCH_WEST, PATCH_SOUTH,
                                                         PATCH_NORTH };
    const struct patch_place place = quadtree_place(index->options, finer);
    const int32_t grid = place.grid, stride = patch_stride(&place);
    const int32_t own = patch->size / grid;
    int32_t difference = (int32_t)finer->neighbours[neighbour_of[facing[side]]];
    bool far = difference > PATCH_DIFFERENCES - 1;
    bool holed =
        patch_holed(index->view, &place) &&
        patch_side_dropped(index->view, &place, index->hole_rule, facing[side], index->dropped);

    if (!far && !holed)
        return true;
    patch_outer(grid, far ? PATCH_DIFFERENCES - 1 : difference, holed ? index->dropped : NULL,
                index->outer);
    for (int32_t k = 0; k < grid; k++) {
        int32_t at = from + k * stride;

        if (index->outer[k] && at % own && !add_more(index, side, at))
            return false;
    }
    return true;
}

static bool fit_finer(struct quadtree_index *index, const struct patch *patch, enum patch_side side)
{
    const bool down = side == PATCH_WEST || side == PATCH_EAST;
    const int32_t end = patch_end(index->view, down) - (down ? patch->y : patch->x);
    int32_t at[2] = { patch->x, patch->y };

    at[!down] += side == PATCH_WEST || side == PATCH_NORTH ? -1 : patch->size;
    if (at[!down] < 0 || at[!down] >= patch_end(index->view, !down))
        return true;
    for (int32_t from = 0; from < patch->size && from < end;) {
        const struct patch *other;

        at[down] = (down ? patch->y : patch->x) + from;
        other = patch_over(index, at[0], at[1], patch->size);
        if (!other || other->size == patch->size)
            return true;
        index->borders[side].still = true;
        if (!take_finer(index, patch, side, other, from))
            return false;
        from += other->size;
    }
    return true;
}

void quadtree_borders_plain(const struct patch *patch, struct patch_border borders[PATCH_SIDES])
{
    const int32_t most = PATCH_DIFFERENCES - 1;

    for (int side = 0; side < PATCH_SIDES; side++) {
        int32_t difference = (int32_t)patch->neighbours[neighbour_of[side]];

        borders[side] = (struct patch_border){ .difference = difference < most ? difference : most,
                                               .exact = true,
                                               .still = difference > 0 };
    }
}

bool quadtree_borders(struct quadtree_index *index, const struct patch *patch, struct fault *why)
{
    quadtree_borders_plain(patch, index->borders);
    for (int side = 0; side < PATCH_SIDES; side++)
        if (!index->borders[side].difference && !fit_finer(index, patch, (enum patch_side)side))
            return fault_set(why, FAULT_MEMORY, "no memory for the border of a node");
    return true;
}
