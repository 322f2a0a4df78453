#include "terrain/lod/patch_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/lod/patch_strip.h"

void patch_shape_free(struct patch_shape *shape)
{
    free(shape->corners);
    free(shape->more);
    *shape = (struct patch_shape){ 0 };
}

static bool grow(void **items, size_t size, size_t *room, size_t needed)
{
    void *grown;

    if (needed <= *room)
        return true;
    grown = realloc(*items, needed * size);
    if (!grown)
        return false;
    *items = grown;
    *room = needed;
    return true;
}

/* What the making of a shape works on. */
struct shaping {
    const struct view *view;
    const struct patch_place *tile;
    const struct patch_border *borders;
    const struct patch_inside *inside;
    struct patch_shape *shape;
    uint32_t side, last[2]; /* vertices a side; the last before the landscape's border clamps */
    bool clamped;
    uint8_t *outer, *dropped; /* of a side */
};

/* Vertices beyond the landscape's border are the ones on it. */
static uint32_t standing(const struct shaping *shaping, uint32_t vertex)
{
    uint32_t i, j;

    if (!shaping->clamped || vertex >= shaping->side * shaping->side)
        return vertex;
    i = vertex % shaping->side;
    j = vertex / shaping->side;
    return (j < shaping->last[1] ? j : shaping->last[1]) * shaping->side +
           (i < shaping->last[0] ? i : shaping->last[0]);
}

static void take(const struct shaping *shaping, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *to = shaping->shape->corners[shaping->shape->count];

    to[0] = standing(shaping, a);
    to[1] = standing(shaping, b);
    to[2] = standing(shaping, c);
    shaping->shape->count += to[0] != to[1] && to[1] != to[2] && to[2] != to[0];
}

static void take_plain(const struct shaping *shaping)
{
    const uint32_t side = shaping->side, grid = side - 1;
    const uint32_t right = shaping->last[0] < grid - 1 ? shaping->last[0] : grid - 1;
    const uint32_t bottom = shaping->last[1] < grid - 1 ? shaping->last[1] : grid - 1;
    uint32_t(*to)[3] = shaping->shape->corners + shaping->shape->count;

    for (uint32_t j = 1; j < bottom; j++)
        for (uint32_t i = 1; i < right; i++, to += 2) {
            uint32_t nw = j * side + i, se = nw + side + 1;

            to[0][0] = to[1][0] = nw;
            to[0][1] = to[1][2] = se;
            to[0][2] = nw + 1;
            to[1][1] = nw + side;
        }
    shaping->shape->count = (size_t)(to - shaping->shape->corners);
}

static void take_inside(const struct shaping *shaping)
{
    const struct patch_inside *inside = shaping->inside;
    struct patch_shape *shape = shaping->shape;

    if (inside->plain) {
        take_plain(shaping);
    } else if (!shaping->clamped) {
        memcpy(shape->corners + shape->count, inside->corners,
               inside->count * sizeof *inside->corners);
        shape->count += inside->count;
    } else {
        for (size_t t = 0; t < inside->count; t++)
            take(shaping, inside->corners[t][0], inside->corners[t][1], inside->corners[t][2]);
    }
}

/* The quads along a side that are holes; false when none is. */
static bool side_dropped(const struct shaping *shaping, enum patch_side side)
{
    const int32_t grid = shaping->tile->grid;
    const bool down = side == PATCH_WEST || side == PATCH_EAST;
    const int32_t line = side == PATCH_WEST || side == PATCH_NORTH ? 0 : grid - 1;
    bool any = false;

    if (!shaping->inside->dropped)
        return false;
    for (int32_t k = 0; k < grid; k++) {
        int32_t quad = down ? k * grid + line : line * grid + k;

        shaping->dropped[k] = shaping->inside->dropped[quad];
        any |= shaping->dropped[k];
    }
    return any;
}

void patch_outer(int32_t grid, int32_t difference, const uint8_t *dropped, uint8_t *outer)
{
    const int32_t step = 1 << difference;

    strip_outer(grid, difference, outer);
    for (int32_t from = 0; dropped && from < grid; from += step)
        if (memchr(dropped + from, 1, (size_t)step))
            memset(outer + from, 1, (size_t)step);
}

static void take_strip(const struct shaping *shaping, const struct patch_strip *strip,
                       const uint8_t *dropped)
{
    for (size_t t = 0; t < strip->count; t++) {
        const uint32_t *corners = strip->corners[t];
        const int32_t *reach = strip->reach[t];

        if (dropped && memchr(dropped + reach[0], 1, (size_t)(reach[1] - reach[0])))
            continue;
        take(shaping, corners[0], corners[1], corners[2]);
    }
}

/* Vertices of finer neighbours become the shape's; those beyond the landscape are the corner. */
static size_t take_more(const struct shaping *shaping, enum patch_side side)
{
    const struct patch_place *tile = shaping->tile;
    const struct patch_border *border = &shaping->borders[side];
    const bool down = side == PATCH_WEST || side == PATCH_EAST;
    const int32_t across = side == PATCH_WEST || side == PATCH_NORTH ? 0 : tile->size;
    const int32_t end = patch_end(shaping->view, down) - (down ? tile->y : tile->x);
    size_t count = 0;

    for (; count < border->more_count && border->more[count] < end; count++) {
        int32_t *to = shaping->shape->more[shaping->shape->more_count++];

        to[down] = border->more[count];
        to[!down] = across;
    }
    return count;
}

/* A strip that is not as the shared ones are. */
static bool make_strip(const struct shaping *shaping, enum patch_side side, bool holed)
{
    const struct patch_border *border = &shaping->borders[side];
    struct patch_strip strip = { 0 };
    struct strip_making making = { .grid = shaping->tile->grid,
                                   .side = side,
                                   .outer = shaping->outer,
                                   .stride = patch_stride(shaping->tile),
                                   .more = border->more,
                                   .strip = &strip };

    making.more_first = shaping->side * shaping->side + (uint32_t)shaping->shape->more_count;
    making.more_count = take_more(shaping, side);
    patch_outer(making.grid, border->difference, holed && border->exact ? shaping->dropped : NULL,
                shaping->outer);
    if (!strip_room(&strip, making.grid, making.more_count))
        return false;
    strip_make(&making);
    take_strip(shaping, &strip, holed ? shaping->dropped : NULL);
    strip_free(&strip);
    return true;
}

static bool take_side(const struct shaping *shaping, enum patch_side side, struct fault *why)
{
    const struct patch_border *border = &shaping->borders[side];
    const bool holed = side_dropped(shaping, side);
    const struct patch_strip *strip;

    if ((holed && border->exact && border->difference) || border->more_count)
        return make_strip(shaping, side, holed) ||
               fault_set(why, FAULT_MEMORY, "no memory for a strip of %d quads",
                         shaping->tile->grid);
    strip = patch_strip(shaping->tile->grid, side, border->difference, why);
    if (!strip)
        return false;
    take_strip(shaping, strip, holed ? shaping->dropped : NULL);
    return true;
}

static bool shape_room(const struct shaping *shaping)
{
    struct patch_shape *shape = shaping->shape;
    const size_t grid = (size_t)shaping->tile->grid;
    size_t more = 0;

    for (int side = 0; side < PATCH_SIDES; side++)
        more += shaping->borders[side].more_count;
    return grow((void **)&shape->corners, sizeof *shape->corners, &shape->room,
                2 * grid * grid + more + 8) &&
           grow((void **)&shape->more, sizeof *shape->more, &shape->more_room, more + 1);
}

/* Nothing lies beyond the landscape that a side could have to fit. */
static void settle_borders(const struct view *view, const struct patch_place *tile,
                           const struct patch_border given[PATCH_SIDES],
                           struct patch_border borders[PATCH_SIDES])
{
    memcpy(borders, given, PATCH_SIDES * sizeof *borders);
    if (tile->x + tile->size > patch_end(view, 0))
        borders[PATCH_EAST] = (struct patch_border){ 0 };
    if (tile->y + tile->size > patch_end(view, 1))
        borders[PATCH_SOUTH] = (struct patch_border){ 0 };
}

static bool shape_parts(struct shaping *shaping, struct fault *why)
{
    const size_t side = shaping->side;

    shaping->shape->count = shaping->shape->more_count = 0;
    shaping->outer = malloc(side);
    shaping->dropped = malloc(side);
    if (!shaping->outer || !shaping->dropped || !shape_room(shaping))
        return fault_set(why, FAULT_MEMORY, "no memory for the triangles of a tile of %zu quads",
                         side - 1);
    take_inside(shaping);
    for (int k = 0; k < PATCH_SIDES; k++)
        if (!take_side(shaping, (enum patch_side)k, why))
            return false;
    return true;
}

static void shaping_init(struct shaping *shaping, const struct view *view,
                         const struct patch_place *tile)
{
    *shaping = (struct shaping){ .view = view, .tile = tile, .side = (uint32_t)tile->grid + 1 };
    for (int axis = 0; axis < 2; axis++) {
        shaping->last[axis] = (uint32_t)patch_last(view, tile, axis);
        shaping->clamped |= shaping->last[axis] < (uint32_t)tile->grid;
    }
}

bool patch_shape_make(const struct view *view, struct derived_cache *cache,
                      const struct patch_place *tile, const struct patch_style *style,
                      const struct patch_border borders[PATCH_SIDES], struct patch_shape *shape,
                      struct fault *why)
{
    struct patch_inside *inside = patch_inside(view, cache, tile, style, why);
    struct patch_border settled[PATCH_SIDES];
    struct shaping shaping;
    bool made;

    if (!inside)
        return false;
    settle_borders(view, tile, borders, settled);
    shaping_init(&shaping, view, tile);
    shaping.borders = settled;
    shaping.inside = inside;
    shaping.shape = shape;
    made = shape_parts(&shaping, why);
    free(shaping.outer);
    free(shaping.dropped);
    derived_drop(&inside->derived);
    return made;
}

static int64_t strips_count(const struct patch_place *tile, const struct patch_border *borders)
{
    int64_t count = 0;

    for (int side = 0; side < PATCH_SIDES; side++)
        count += (tile->grid >> borders[side].difference) + tile->grid - 2;
    return count;
}

/* The count of a tile without holes and wholly on the landscape needs none of its triangles. */
static bool count_simply(const struct view *view, struct derived_cache *cache,
                         const struct patch_place *tile, const struct patch_style *style,
                         const struct patch_border borders[PATCH_SIDES], int64_t *triangles,
                         struct fault *why)
{
    struct patch_inside *inside = patch_inside(view, cache, tile, style, why);

    *triangles = -1;
    if (!inside)
        return false;
    if (!inside->dropped)
        *triangles = (int64_t)inside->count + strips_count(tile, borders);
    derived_drop(&inside->derived);
    return true;
}

bool patch_count(const struct view *view, struct derived_cache *cache,
                 const struct patch_place *tile, const struct patch_style *style,
                 const struct patch_border borders[PATCH_SIDES], int64_t *triangles,
                 struct fault *why)
{
    bool whole = patch_last(view, tile, 0) == tile->grid && patch_last(view, tile, 1) == tile->grid;
    struct patch_shape shape = { 0 };
    bool counted;

    for (int side = 0; side < PATCH_SIDES; side++)
        whole &= !borders[side].more_count;
    whole &=
        tile->x + tile->size <= patch_end(view, 0) && tile->y + tile->size <= patch_end(view, 1);
    if (whole && style->merge_angle < 0 && !style->half_step && !patch_holed(view, tile)) {
        *triangles = 2 * (int64_t)(tile->grid - 2) * (tile->grid - 2) + strips_count(tile, borders);
        return true;
    }
    if (whole) {
        if (!count_simply(view, cache, tile, style, borders, triangles, why))
            return false;
        if (*triangles >= 0)
            return true;
    }
    counted = patch_shape_make(view, cache, tile, style, borders, &shape, why);
    *triangles = (int64_t)shape.count;
    patch_shape_free(&shape);
    return counted;
}
