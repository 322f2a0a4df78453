#include "terrain/lod/rtin_fine.h"

#include <math.h>
#include <stdlib.h>

/* One map while it is made, perhaps from an older one. */
struct renewal {
    const struct view *view;
    const struct rtin_node *node;
    struct rect vertices; /* on the landscape */
    const struct rtin_map *older;
    uint64_t blocks[2][RTIN_BLOCKS * RTIN_BLOCKS];
    struct rect dirty; /* of the patch's vertices */
    /* Scratch: (n + 1)^2 codes, n^2 kinds of quads, (n + 1)^2 + 4 floats, a panel. */
    uint16_t *codes;
    uint8_t *quads;
    bool plain; /* all quads are drawn */
    float *heights;
    void *panel;
};

static void name_blocks(struct renewal *renewal)
{
    const struct rect all = renewal->vertices;

    for (int plane = 0; plane < 2; plane++)
        for (int32_t j = 0; j < RTIN_BLOCKS; j++)
            for (int32_t i = 0; i < RTIN_BLOCKS; i++) {
                const int32_t bx = (all.x >> BLOCK_LOG2) + i, by = (all.y >> BLOCK_LOG2) + j;
                const bool there =
                    bx << BLOCK_LOG2 < all.x + all.width && by << BLOCK_LOG2 < all.y + all.height;

                renewal->blocks[plane][j * RTIN_BLOCKS + i] =
                    there ? rtin_block_name(&renewal->view->planes[plane], bx, by) : 0;
            }
}

/* The part of block number i of the patch that lies in it, on the landscape. */
static struct rect block_part(const struct renewal *renewal, int32_t i)
{
    const struct rect all = renewal->vertices;
    const int32_t bx = (all.x >> BLOCK_LOG2) + i % RTIN_BLOCKS;
    const int32_t by = (all.y >> BLOCK_LOG2) + i / RTIN_BLOCKS;

    return rect_meet((struct rect){ bx << BLOCK_LOG2, by << BLOCK_LOG2, BLOCK_SIDE, BLOCK_SIDE },
                     all);
}

/* Where the patch's codes differ from the older ones within a part of it. */
static struct rect changed_within(const struct renewal *renewal, struct rect part)
{
    const int32_t row = renewal->node->size + 1;
    struct rect changed = { 0 };

    for (int32_t y = part.y; y < part.y + part.height; y++) {
        const uint16_t *now = renewal->codes + y * row, *was = renewal->older->codes + y * row;
        int32_t first = part.x, end = part.x + part.width;

        if (memcmp(now + first, was + first, (size_t)part.width * sizeof *now) == 0)
            continue;
        while (now[first] == was[first])
            first++;
        while (now[end - 1] == was[end - 1])
            end--;
        changed = rect_join(changed, (struct rect){ first, y, end - first, 1 });
    }
    return changed;
}

static void read_codes(struct renewal *renewal)
{
    const struct rtin_node *node = renewal->node;
    const int32_t row = node->size + 1;

    for (int32_t i = 0; i < RTIN_BLOCKS * RTIN_BLOCKS; i++) {
        struct rect part = block_part(renewal, i);

        if (rect_empty(part) ||
            (renewal->older && renewal->older->blocks[0][i] == renewal->blocks[0][i]))
            continue;
        view_read_heights(renewal->view, part,
                          renewal->codes + (part.y - node->y) * row + part.x - node->x, row);
        part.x -= node->x;
        part.y -= node->y;
        if (renewal->older)
            renewal->dirty = rect_join(renewal->dirty, changed_within(renewal, part));
    }
}

static void read_quads(struct renewal *renewal)
{
    const int32_t n = renewal->node->size;
    const struct rect all = renewal->vertices;
    const struct rect quads = { all.x, all.y, all.width - 1, all.height - 1 };

    renewal->plain = quads.width == n && quads.height == n &&
                     tree_bounds(&renewal->view->planes[PLANE_HOLES], quads).greatest == 0;
    memset(renewal->quads, renewal->plain ? RTIN_DRAWN : 255, (size_t)(n * n));
    if (renewal->plain)
        return;
    view_read_holes(renewal->view, quads, renewal->quads, n);
    renewal->plain = true;
    for (int32_t i = 0; i < n * n; i++) {
        renewal->quads[i] = renewal->quads[i] ? RTIN_LEFT_OUT : RTIN_DRAWN;
        renewal->plain = renewal->plain && renewal->quads[i] == RTIN_DRAWN;
    }
}

/* Corners of quads that became holes or ground are dirty. */
static void compare_quads(struct renewal *renewal)
{
    const int32_t n = renewal->node->size;
    const uint8_t *was = renewal->older->quads;

    if (!was && renewal->plain)
        return;
    for (int32_t y = 0; y < n; y++)
        for (int32_t x = 0; x < n; x++)
            if (renewal->quads[y * n + x] != (was ? was[y * n + x] : RTIN_DRAWN))
                renewal->dirty = rect_join(renewal->dirty, (struct rect){ x, y, 2, 2 });
}

static bool some_quad_drawn(const struct renewal *renewal, int32_t x, int32_t y)
{
    const int32_t n = renewal->node->size;

    for (int32_t j = y > 0 ? y - 1 : 0; j <= y && j < n; j++)
        for (int32_t i = x > 0 ? x - 1 : 0; i <= x && i < n; i++)
            if (renewal->quads[j * n + i] == RTIN_DRAWN)
                return true;
    return false;
}

static void float_heights(const struct renewal *renewal)
{
    const int32_t row = renewal->node->size + 1;

    for (int32_t i = 0; i < row * row; i++)
        renewal->heights[i] = renewal->codes[i];
    memset(renewal->heights + row * row, 0, 4 * sizeof *renewal->heights);
    for (int32_t y = 0; !renewal->plain && y < row; y++)
        for (int32_t x = 0; x < row; x++)
            if (!some_quad_drawn(renewal, x, y))
                renewal->heights[y * row + x] = NAN;
}

static void start_from_older(const struct renewal *renewal, struct rtin_map *own)
{
    const size_t n = (size_t)renewal->node->size, vertices = (n + 1) * (n + 1);

    if (renewal->older) {
        memcpy(own->raw, renewal->older->raw, vertices * sizeof *own->raw);
        memcpy(own->rest, renewal->older->rest, n * n * sizeof *own->rest);
    } else {
        memset(own->raw, 0, vertices * sizeof *own->raw);
        memset(own->rest, 0, n * n * sizeof *own->rest);
    }
}

static struct rtin_map *renew(const struct renewal *renewal, struct fault *why)
{
    const int32_t n = renewal->node->size;
    const size_t vertices = (size_t)(n + 1) * (size_t)(n + 1);
    int32_t log2 = 0;
    struct rtin_map *own;

    while (1 << log2 < n)
        log2++;
    own = rtin_own_new(log2, RTIN_CODES | RTIN_RAW | (renewal->plain ? 0 : RTIN_QUADS), why);
    if (!own)
        return NULL;
    own->turns = true;
    memcpy(own->blocks, renewal->blocks, sizeof own->blocks);
    memcpy(own->codes, renewal->codes, vertices * sizeof *own->codes);
    if (own->quads)
        memcpy(own->quads, renewal->quads, (size_t)n * (size_t)n);
    start_from_older(renewal, own);
    float_heights(renewal);
    rtin_measure_fine(
        &(struct rtin_fine){ n, renewal->heights, n + 1, own->raw, own->rest, renewal->panel, 0 },
        renewal->dirty);
    memcpy(own->errors, own->raw, vertices * sizeof *own->errors);
    rtin_gather(own);
    return own;
}

static bool renewal_init(struct renewal *renewal, struct fault *why)
{
    const size_t n = (size_t)renewal->node->size, vertices = (n + 1) * (n + 1);

    renewal->codes = malloc(vertices * sizeof *renewal->codes);
    renewal->quads = malloc(n * n);
    renewal->heights = malloc((vertices + 4) * sizeof *renewal->heights);
    renewal->panel = aligned_alloc(64, rtin_fine_scratch());
    if (renewal->codes && renewal->quads && renewal->heights && renewal->panel)
        return true;
    return fault_set(why, FAULT_MEMORY, "no memory for the errors of %zu quads a side", n);
}

static void renewal_fini(struct renewal *renewal)
{
    free(renewal->codes);
    free(renewal->quads);
    free(renewal->heights);
    free(renewal->panel);
}

struct derived *rtin_fine_node(const struct view *view, const struct rtin_node *node,
                               struct rect vertices, const struct rtin_map *older,
                               struct fault *why)
{
    const size_t row = (size_t)node->size + 1;
    struct renewal renewal = { .view = view, .node = node, .vertices = vertices, .older = older };
    struct derived *made = NULL;

    name_blocks(&renewal);
    if (older && memcmp(older->blocks, renewal.blocks, sizeof renewal.blocks) == 0)
        return derived_hold(&older->derived);
    if (!renewal_init(&renewal, why))
        goto done;
    if (older)
        memcpy(renewal.codes, older->codes, row * row * sizeof *renewal.codes);
    else
        memset(renewal.codes, 0, row * row * sizeof *renewal.codes);
    read_codes(&renewal);
    read_quads(&renewal);
    if (older)
        compare_quads(&renewal);
    else
        renewal.dirty = (struct rect){ 0, 0, node->size + 1, node->size + 1 };
    if (rect_empty(renewal.dirty)) {
        made = derived_hold(&older->derived);
    } else {
        struct rtin_map *own = renew(&renewal, why);

        made = own ? &own->derived : NULL;
    }

done:
    renewal_fini(&renewal);
    return made;
}
