/* Strips of edge, each made once and shared. */
#include "terrain/lod/patch_mesh.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "terrain/lod/patch_strip.h"

struct line {
    uint32_t outer, inner, step; /* vertex k of the border, of the line beside it */
    bool turned;                 /* triangles run the other way round */
    bool ahead;                  /* a quad's apex is its far end */
};

static struct line line_of(int32_t grid, enum patch_side side)
{
    const uint32_t n = (uint32_t)grid, row = n + 1;

    switch (side) {
    case PATCH_WEST:
        return (struct line){ 0, 1, row, false, true };
    case PATCH_EAST:
        return (struct line){ n, n - 1, row, true, false };
    case PATCH_NORTH:
        return (struct line){ 0, row, 1, true, true };
    default:
        return (struct line){ n * row, (n - 1) * row, 1, false, false };
    }
}

static void put(const struct strip_making *making, bool turned, const uint32_t corners[3],
                int32_t from, int32_t to)
{
    struct patch_strip *strip = making->strip;
    uint32_t *at = strip->corners[strip->count];

    at[0] = corners[0];
    at[1] = corners[turned ? 2 : 1];
    at[2] = corners[turned ? 1 : 2];
    strip->reach[strip->count][0] = from;
    strip->reach[strip->count][1] = to;
    strip->count++;
}

static int32_t apex_of(const struct line *line, int32_t grid, int32_t from, int32_t to)
{
    int32_t apex = to - from > 1 ? (from + to) / 2 : line->ahead ? to : from;

    return apex < 1 ? 1 : apex > grid - 1 ? grid - 1 : apex;
}

/* From an outer vertex to the inner ones, first to last. */
static void put_inner(const struct strip_making *making, const struct line *line, int32_t outer,
                      int32_t first, int32_t last)
{
    for (int32_t k = first; k < last; k++) {
        uint32_t corners[3] = { line->outer + (uint32_t)outer * line->step,
                                line->inner + (uint32_t)(k + 1) * line->step,
                                line->inner + (uint32_t)k * line->step };

        put(making, line->turned, corners, outer < k ? outer : k, outer > k + 1 ? outer : k + 1);
    }
}

/* From an inner vertex to the outer segment, piece by piece where there is more on it. */
static void put_outer(const struct strip_making *making, const struct line *line, int32_t from,
                      int32_t to, int32_t apex, size_t *more)
{
    uint32_t corners[3] = { line->outer + (uint32_t)from * line->step, 0,
                            line->inner + (uint32_t)apex * line->step };

    for (; *more < making->more_count && making->more[*more] < (int64_t)to * making->stride;
         (*more)++) {
        corners[1] = making->more_first + (uint32_t)*more;
        put(making, line->turned, corners, from, to);
        corners[0] = corners[1];
    }
    corners[1] = line->outer + (uint32_t)to * line->step;
    put(making, line->turned, corners, from, to);
}

static int32_t next_outer(const uint8_t *outer, int32_t from)
{
    do
        from++;
    while (!outer[from]);
    return from;
}

void strip_make(const struct strip_making *making)
{
    const struct line line = line_of(making->grid, making->side);
    int32_t apex = 1, from = 0;
    size_t more = 0;

    making->strip->count = 0;
    while (from < making->grid) {
        int32_t to = next_outer(making->outer, from);
        int32_t next = apex_of(&line, making->grid, from, to);

        put_inner(making, &line, from, apex, next);
        put_outer(making, &line, from, to, next, &more);
        apex = next;
        from = to;
    }
    put_inner(making, &line, making->grid, apex, making->grid - 1);
}

void strip_outer(int32_t grid, int32_t difference, uint8_t *outer)
{
    for (int32_t k = 0; k <= grid; k++)
        outer[k] = !(k & ((1 << difference) - 1));
}

bool strip_room(struct patch_strip *strip, int32_t grid, size_t more)
{
    size_t most = (size_t)grid * 2 + more;

    strip->corners = malloc(most * sizeof *strip->corners);
    strip->reach = malloc(most * sizeof *strip->reach);
    if (strip->corners && strip->reach)
        return true;
    strip_free(strip);
    return false;
}

void strip_free(struct patch_strip *strip)
{
    free(strip->corners);
    free(strip->reach);
    *strip = (struct patch_strip){ 0 };
}

static struct patch_strip *strip_new(int32_t grid, enum patch_side side, int32_t difference)
{
    struct patch_strip *strip = calloc(1, sizeof *strip);
    uint8_t *outer = malloc((size_t)grid + 1);

    if (strip && outer && strip_room(strip, grid, 0)) {
        strip_outer(grid, difference, outer);
        strip_make(
            &(struct strip_making){ .grid = grid, .side = side, .outer = outer, .strip = strip });
        free(outer);
        return strip;
    }
    free(outer);
    free(strip);
    return NULL;
}

const struct patch_strip *patch_strip(int32_t grid, enum patch_side side, int32_t difference,
                                      struct fault *why)
{
    /* never freed: what is in here is in use as long as anybody draws */
    static struct patch_strip
        *_Atomic made[PATCH_GRID_LOG2_MOST + 1][PATCH_SIDES][PATCH_DIFFERENCES];
    struct patch_strip *_Atomic *slot;
    struct patch_strip *strip, *none = NULL;
    int log2 = 0;

    while (1 << log2 < grid)
        log2++;
    slot = &made[log2][side][difference];
    strip = atomic_load_explicit(slot, memory_order_acquire);
    if (strip)
        return strip;
    strip = strip_new(grid, side, difference);
    if (!strip) {
        fault_set(why, FAULT_MEMORY, "no memory for a strip of %d quads", grid);
        return NULL;
    }
    if (atomic_compare_exchange_strong_explicit(slot, &none, strip, memory_order_acq_rel,
                                                memory_order_acquire))
        return strip;
    strip_free(strip); /* another thread was faster */
    free(strip);
    return none;
}
