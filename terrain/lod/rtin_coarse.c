#include "terrain/lod/rtin_coarse.h"

#include <stdlib.h>

/* Strides whose quads are measured vertex by vertex, and sides of squares that are. */
enum { NEAR_STRIDE = 64, NEAR_SIDE = 128 };

static bool init(struct rtin_coarse *c, struct fault *why)
{
    const struct rect all = c->vertices;
    size_t blocks;

    c->n = c->node->grid;
    c->stride = c->node->size / c->n;
    while (1 << c->log2 < c->n)
        c->log2++;
    c->holed = tree_bounds(&c->view->planes[PLANE_HOLES], all).greatest != 0;
    c->across = ((all.x + all.width - 1) >> BLOCK_LOG2) - (all.x >> BLOCK_LOG2) + 1;
    c->down = ((all.y + all.height - 1) >> BLOCK_LOG2) - (all.y >> BLOCK_LOG2) + 1;
    blocks = ((size_t)c->across + 1) * ((size_t)c->down + 1);
    c->quads = malloc((size_t)c->n * (size_t)c->n);
    c->changed = calloc(blocks, 1);
    c->sums = malloc(blocks * sizeof *c->sums);
    c->heights = malloc(((RTIN_TILE + 1) * (RTIN_TILE + 1) + 4) * sizeof *c->heights);
    c->holes = malloc((RTIN_TILE + 2) * (RTIN_TILE + 2));
    if (c->quads && c->changed && c->sums && c->heights && c->holes)
        return true;
    return fault_set(why, FAULT_MEMORY, "no memory for the errors of %d quads a side",
                     c->node->size);
}

static void fini(struct rtin_coarse *c)
{
    free(c->quads);
    free(c->changed);
    free(c->sums);
    free(c->heights);
    free(c->holes);
}

/* What the map is made from. */
static uint64_t *names_of(const struct rtin_coarse *c, size_t *count, struct fault *why)
{
    const size_t blocks = (size_t)c->across * (size_t)c->down;
    const int32_t bx = c->vertices.x >> BLOCK_LOG2, by = c->vertices.y >> BLOCK_LOG2;
    uint64_t *names = malloc((blocks * RESOLVED_PLANES + 2) * sizeof *names), *next = names;

    if (!names) {
        fault_set(why, FAULT_MEMORY, "no memory to name %zu blocks", blocks);
        return NULL;
    }
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        for (int32_t j = 0; j < c->down; j++)
            for (int32_t i = 0; i < c->across; i++)
                *next++ = rtin_block_name(&c->view->planes[plane], bx + i, by + j);
    *next++ = (uint64_t)c->vertices.width;
    *next++ = (uint64_t)c->vertices.height;
    *count = (size_t)(next - names);
    return names;
}

static void change_block(struct rtin_coarse *c, int32_t i, int32_t j)
{
    const struct rect all = c->vertices;
    const int32_t x = ((all.x >> BLOCK_LOG2) + i) << BLOCK_LOG2;
    const int32_t y = ((all.y >> BLOCK_LOG2) + j) << BLOCK_LOG2;

    if (i >= c->across || j >= c->down)
        return;
    c->changed[j * c->across + i] = 1;
    c->around = rect_join(c->around, (struct rect){ x - all.x, y - all.y, BLOCK_SIDE, BLOCK_SIDE });
}

/* A quad that became a hole or ground counts for its corners, which may lie in the next block. */
static void compare_names(struct rtin_coarse *c, const uint64_t *names)
{
    const int32_t blocks = c->across * c->down;

    for (int32_t k = 0; k < blocks; k++) {
        const int32_t i = k % c->across, j = k / c->across;

        if (names[k] != c->older->names[k])
            change_block(c, i, j);
        if (names[blocks + k] != c->older->names[blocks + k])
            for (int32_t around = 0; around < 4; around++)
                change_block(c, i + around % 2, j + around / 2);
    }
}

static void sum_changed(struct rtin_coarse *c)
{
    const int32_t row = c->across + 1;

    memset(c->sums, 0, (size_t)row * ((size_t)c->down + 1) * sizeof *c->sums);
    for (int32_t j = 0; j < c->down; j++)
        for (int32_t i = 0; i < c->across; i++)
            c->sums[(j + 1) * row + i + 1] = c->changed[j * c->across + i] +
                                             c->sums[j * row + i + 1] + c->sums[(j + 1) * row + i] -
                                             c->sums[j * row + i];
}

/* Blocks that the closed square meets, as far as there are any: first and end by column and row. */
static void blocks_of(const struct rtin_coarse *c, int32_t x, int32_t y, int32_t side,
                      int32_t first[2], int32_t end[2])
{
    const struct rect all = c->vertices;
    const int32_t low[2] = { x, y }, origin[2] = { all.x, all.y };
    const int32_t most[2] = { all.width - 1, all.height - 1 };

    for (int k = 0; k < 2; k++) {
        const int32_t from = low[k] < most[k] ? low[k] : most[k];
        const int32_t to = low[k] + side < most[k] ? low[k] + side : most[k];

        first[k] = ((origin[k] + from) >> BLOCK_LOG2) - (origin[k] >> BLOCK_LOG2);
        end[k] = ((origin[k] + to) >> BLOCK_LOG2) - (origin[k] >> BLOCK_LOG2) + 1;
    }
}

bool rtin_touched(const struct rtin_coarse *c, int32_t x, int32_t y, int32_t side)
{
    const int32_t row = c->across + 1;
    int32_t first[2], end[2];

    if (!c->older)
        return true;
    blocks_of(c, x, y, side, first, end);
    return c->sums[end[1] * row + end[0]] - c->sums[first[1] * row + end[0]] -
               c->sums[end[1] * row + first[0]] + c->sums[first[1] * row + first[0]] >
           0;
}

enum { SOLID = 1, HOLE = 2 };

static int row_kinds(const uint8_t *holes, int32_t count)
{
    const bool solid = memchr(holes, 0, (size_t)count);
    bool hole = false;

    for (int32_t i = 0; !hole && i < count; i++)
        hole = holes[i];
    return (solid ? SOLID : 0) | (hole ? HOLE : 0);
}

/* What kinds of quads there are in a rectangle of the landscape. */
static int kinds_in(const struct rtin_coarse *c, struct rect quads)
{
    uint8_t holes[256];
    int kinds = 0;

    if (!c->holed || tree_bounds(&c->view->planes[PLANE_HOLES], quads).greatest == 0)
        return SOLID;
    for (int32_t y = 0; y < quads.height && kinds != (SOLID | HOLE); y++)
        for (int32_t x = 0; x < quads.width; x += (int32_t)sizeof holes) {
            const int32_t left = quads.width - x;
            const int32_t width = left < (int32_t)sizeof holes ? left : (int32_t)sizeof holes;

            view_read_holes(c->view, (struct rect){ quads.x + x, quads.y + y, width, 1 }, holes,
                            width);
            kinds |= row_kinds(holes, width);
        }
    return kinds;
}

/* A quad of the grid: beyond the landscape, hole by the rule, or narrow. */
static uint8_t sort_quad(const struct rtin_coarse *c, int32_t i, int32_t j)
{
    const struct rect all = c->vertices;
    const int32_t x = i * c->stride, y = j * c->stride;
    const struct rect quads =
        rect_meet((struct rect){ all.x + x, all.y + y, c->stride, c->stride },
                  (struct rect){ all.x, all.y, all.width - 1, all.height - 1 });
    int kinds;

    if (rect_empty(quads))
        return RTIN_LEFT_OUT;
    kinds = kinds_in(c, quads);
    if (c->rule == HOLES_ANY ? kinds != SOLID : !(kinds & SOLID))
        return RTIN_LEFT_OUT;
    return rtin_whole(c, x + c->stride, y + c->stride) ? RTIN_DRAWN : RTIN_DRAWN | RTIN_NARROW;
}

/* Within a quad that is left out, or no longer, all vertices count otherwise. */
static bool change_quad(struct rtin_coarse *c, int32_t i, int32_t j, uint8_t was)
{
    int32_t first[2], end[2];

    if (c->quads[j * c->n + i] == was)
        return false;
    blocks_of(c, i * c->stride, j * c->stride, c->stride, first, end);
    for (int32_t y = first[1]; y < end[1]; y++)
        for (int32_t x = first[0]; x < end[0]; x++)
            change_block(c, x, y);
    return true;
}

/* The quads of the grid that meet what is measured: first and end by column and row. */
static void quads_around(const struct rtin_coarse *c, int32_t first[2], int32_t end[2])
{
    const struct rect at = c->around;
    const int32_t from[2] = { at.x, at.y }, to[2] = { at.x + at.width, at.y + at.height };
    const int32_t most[2] = { c->vertices.width, c->vertices.height };

    for (int k = 0; k < 2; k++) {
        first[k] = from[k] > c->stride ? (from[k] - 1) / c->stride : 0;
        /* What lies beyond the landscape goes by its border. */
        end[k] = to[k] < most[k] ? (to[k] - 1) / c->stride + 1 : c->n;
        end[k] = end[k] < c->n ? end[k] : c->n;
    }
}

static void sort_quads(struct rtin_coarse *c)
{
    const size_t all = (size_t)c->n * (size_t)c->n;
    bool changed = false;
    int32_t first[2], end[2];

    quads_around(c, first, end);
    if (c->older && c->older->quads)
        memcpy(c->quads, c->older->quads, all);
    else
        memset(c->quads, RTIN_DRAWN, all);
    for (int32_t j = first[1]; j < end[1]; j++)
        for (int32_t i = first[0]; i < end[0]; i++) {
            const uint8_t was = c->quads[j * c->n + i];

            if (!rtin_touched(c, i * c->stride, j * c->stride, c->stride))
                continue;
            c->quads[j * c->n + i] = sort_quad(c, i, j);
            changed = (c->older && change_quad(c, i, j, was)) || changed;
        }
    if (changed)
        sum_changed(c);
}

static bool all_drawn(const uint8_t *quads, size_t count)
{
    return quads[0] == RTIN_DRAWN && memcmp(quads, quads + 1, count - 1) == 0;
}

/* The samples at the grid's vertices, those beyond the landscape being its border's. */
static void read_codes(const struct rtin_coarse *c)
{
    const struct rect all = c->vertices;
    int32_t first[2], end[2];

    quads_around(c, first, end);
    for (int32_t j = first[1]; j <= end[1]; j++) {
        const int32_t y = j * c->stride < all.height ? j * c->stride : all.height - 1;

        for (int32_t i = first[0]; i <= end[0]; i++) {
            const int32_t x = i * c->stride < all.width ? i * c->stride : all.width - 1;

            if (rtin_touched(c, x, y, 0))
                c->own->codes[j * (c->n + 1) + i] = view_height(c->view, all.x + x, all.y + y);
        }
    }
}

static void start_from_older(const struct rtin_coarse *c)
{
    const size_t n = (size_t)c->n, vertices = (n + 1) * (n + 1);
    const struct rtin_map *older = c->older;
    struct rtin_map *own = c->own;

    if (older) {
        memcpy(own->raw, older->raw, vertices * sizeof *own->raw);
        memcpy(own->other, older->other, vertices * sizeof *own->other);
        memcpy(own->rest, older->rest, n * n * sizeof *own->rest);
        memcpy(own->sides, older->sides, n * n * sizeof *own->sides);
        memcpy(own->codes, older->codes, vertices * sizeof *own->codes);
    } else {
        memset(own->raw, 0, vertices * sizeof *own->raw);
        memset(own->other, 0, vertices * sizeof *own->other);
        memset(own->rest, 0, n * n * sizeof *own->rest);
        memset(own->sides, 0, n * n * sizeof *own->sides);
    }
}

static void measure_near(struct rtin_coarse *c, int32_t most)
{
    const int32_t size = c->node->size, side = size < RTIN_TILE ? size : RTIN_TILE;

    for (int32_t y = 0; y < size && y < c->vertices.height - 1; y += side)
        for (int32_t x = 0; x < size && x < c->vertices.width - 1; x += side)
            if (rtin_touched(c, x, y, side))
                rtin_near_tile(c, x, y, most);
}

static void measure_far(const struct rtin_coarse *c, int32_t cells)
{
    const int32_t side = cells * c->stride;

    for (int32_t j = 0; j < c->n; j += cells)
        for (int32_t i = 0; i < c->n; i += cells) {
            const int32_t x = i * c->stride, y = j * c->stride;

            if (!rtin_touched(c, x, y, side))
                continue;
            if (cells > 1)
                rtin_far_square(c, i, j, cells);
            else if (rtin_whole(c, x + side, y + side))
                rtin_far_quad(c, i, j);
        }
}

static void measure_narrow(const struct rtin_coarse *c)
{
    int32_t first[2], end[2];

    quads_around(c, first, end);
    for (int32_t j = first[1]; j < end[1]; j++)
        for (int32_t i = first[0]; i < end[0]; i++) {
            const uint8_t quad = c->quads[j * c->n + i];
            const int32_t x = i * c->stride, y = j * c->stride;

            if (!rtin_whole(c, x + c->stride, y + c->stride) && rtin_touched(c, x, y, c->stride))
                c->own->rest[j * c->n + i] =
                    quad & RTIN_NARROW ? rtin_pack(rtin_narrow_error(c, i, j)) : 0;
        }
}

static void measure(struct rtin_coarse *c)
{
    const int32_t vertices = (c->n + 1) * (c->n + 1);
    struct rtin_map *own = c->own;
    int32_t cells = 1;

    if (c->stride <= NEAR_STRIDE) {
        measure_near(c, NEAR_SIDE);
        while (cells <= c->n && cells * c->stride <= NEAR_SIDE)
            cells *= 2;
    }
    for (; cells <= c->n; cells *= 2)
        measure_far(c, cells);
    measure_narrow(c);
    for (int32_t i = 0; i < vertices; i++)
        own->errors[i] = own->raw[i] > own->other[i] ? own->raw[i] : own->other[i];
    rtin_add_sides(own, own->sides);
    rtin_gather(own);
}

static bool make(struct rtin_coarse *c, struct fault *why)
{
    bool plain;

    sort_quads(c);
    plain = all_drawn(c->quads, (size_t)c->n * (size_t)c->n);
    c->own =
        rtin_own_new(c->log2, RTIN_CODES | RTIN_RAW | RTIN_COARSE | (plain ? 0 : RTIN_QUADS), why);
    if (!c->own)
        return false;
    c->own->turns = c->stride == 1;
    if (!plain)
        memcpy(c->own->quads, c->quads, (size_t)c->n * (size_t)c->n);
    start_from_older(c);
    read_codes(c);
    measure(c);
    return true;
}

struct derived *rtin_coarse_node(const struct view *view, const struct rtin_node *node,
                                 enum hole_rule rule, struct rect vertices,
                                 const struct rtin_map *older, struct fault *why)
{
    struct rtin_coarse c = { .view = view, .node = node, .rule = rule, .vertices = vertices };
    struct derived *made = NULL;
    size_t count = 0;
    uint64_t *names = NULL;

    if (!init(&c, why))
        goto done;
    names = names_of(&c, &count, why);
    if (!names)
        goto done;
    if (older && older->names_count == count &&
        memcmp(names + count - 2, older->names + count - 2, 2 * sizeof *names) == 0) {
        if (memcmp(names, older->names, count * sizeof *names) == 0) {
            made = derived_hold(&older->derived);
            goto done;
        }
        c.older = older;
        compare_names(&c, names);
        sum_changed(&c);
    }
    if (!c.older)
        c.around = (struct rect){ 0, 0, node->size + 1, node->size + 1 };
    if (!make(&c, why))
        goto done;
    c.own->names = names;
    c.own->names_count = count;
    c.own->derived.bytes += count * sizeof *names;
    names = NULL;
    made = &c.own->derived;

done:
    free(names);
    fini(&c);
    return made;
}
