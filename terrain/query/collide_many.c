/* Heights at many points, a run of them at a time: where they lie is worked out for one run, and
 * their heights fetched, while those of the run before are put together. The same sums as for one
 * point, so that the answers agree to the bit. */
#include "terrain/query/collide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"

/* Points of a run, and of a piece for an executor. */
enum { RUN = 64, PIECE = 128 * RUN };

/* Where a block's heights lie; a block of one value has two of them, for every row. */
struct sight {
    const uint16_t *heights;
    uint32_t mask; /* of places in the block: all bits, or none */
    uint16_t flat[2];
};

/* Of all blocks, row by row; holes NULL where none count. */
struct sights {
    int32_t blocks_across;
    struct sight *heights;
    const uint64_t **holes; /* NULL: the block is solid */
};

static const uint64_t all_holes[1] = { UINT64_MAX }; /* in place of a block that is nothing else */

struct batch {
    const struct view *view;
    const double *points;
    size_t count;
    enum interpolation interpolation;
    bool holes; /* there are some, and they count */
    double *z;
    uint8_t *statuses;
    struct sights sights; /* heights NULL: they are looked up one by one */
};

/* A run on its way. */
struct run {
    double across[RUN], down[RUN];
    int32_t i[RUN], j[RUN], inside[RUN];
    const uint16_t *north[RUN]; /* the quad's corner; NULL where it spans blocks */
    uint32_t mask[RUN];
    const uint64_t *holes[RUN]; /* the word with the quad's bit; NULL: solid */
    struct sight own[RUN];
    int32_t nw[RUN], ne[RUN], sw[RUN], se[RUN];
};

static void sight_fill(const struct view *view, int32_t bx, int32_t by, struct sight *sight)
{
    const struct child *leaf = tree_leaf(&view->planes[PLANE_HEIGHTS], bx, by);

    sight->flat[0] = sight->flat[1] = leaf->summary.least;
    sight->heights = leaf->below ? block_heights(leaf->below) : sight->flat;
    sight->mask = leaf->below ? UINT32_MAX : 0;
}

static const uint64_t *holes_of(const struct view *view, int32_t bx, int32_t by)
{
    const struct child *leaf = tree_leaf(&view->planes[PLANE_HOLES], bx, by);

    if (leaf->below)
        return block_bits(leaf->below);
    return leaf->summary.least ? all_holes : NULL;
}

/* Quads of the points; those outside count as the first quad. */
WIDE static void run_place(const struct grid *grid, const double *points, struct run *run)
{
    const double right = grid->columns - 1, bottom = grid->rows - 1;
    const int32_t last_i = grid->columns - 2, last_j = grid->rows - 2;

    for (int k = 0; k < RUN; k++) {
        const double x = points[2 * k], y = points[2 * k + 1];
        const bool inside = (x >= 0) & (y >= 0) & (x <= right) & (y <= bottom);
        const double at_x = inside ? x : 0, at_y = inside ? y : 0;
        const int32_t i = (int32_t)at_x, j = (int32_t)at_y;

        run->inside[k] = inside;
        run->i[k] = i < last_i ? i : last_i;
        run->j[k] = j < last_j ? j : last_j;
        run->across[k] = at_x - run->i[k];
        run->down[k] = at_y - run->j[k];
    }
}

/* Where a vertex's height lies. */
static const uint16_t *vertex(const struct batch *batch, int32_t i, int32_t j)
{
    const int32_t bx = i >> BLOCK_LOG2, by = j >> BLOCK_LOG2;
    const uint32_t place = (uint32_t)((j & BLOCK_MASK) << BLOCK_LOG2 | (i & BLOCK_MASK));
    const struct child *leaf;

    if (batch->sights.heights) {
        const struct sight *sight = &batch->sights.heights[by * batch->sights.blocks_across + bx];

        return sight->heights + (place & sight->mask);
    }
    leaf = tree_leaf(&batch->view->planes[PLANE_HEIGHTS], bx, by);
    return leaf->below ? block_heights(leaf->below) + place : &leaf->summary.least;
}

static void run_fetch_holes(const struct batch *batch, struct run *run)
{
    for (int k = 0; k < RUN; k++) {
        const int32_t bx = run->i[k] >> BLOCK_LOG2, by = run->j[k] >> BLOCK_LOG2;
        const int32_t x = run->i[k] & BLOCK_MASK, y = run->j[k] & BLOCK_MASK;
        const uint64_t *holes = batch->sights.holes
                                    ? batch->sights.holes[by * batch->sights.blocks_across + bx]
                                    : holes_of(batch->view, bx, by);

        if (holes && holes != all_holes) {
            holes += 2 * y + (x >> 6);
            __builtin_prefetch(holes);
        }
        run->holes[k] = holes;
    }
}

/* Sends for the corners of point k. */
static inline void fetch(const struct batch *batch, struct run *run, int k)
{
    const int32_t i = run->i[k], j = run->j[k], x = i & BLOCK_MASK, y = j & BLOCK_MASK;
    const struct sight *sight = &run->own[k];

    if (x == BLOCK_MASK || y == BLOCK_MASK) {
        run->north[k] = NULL;
        for (int corner = 0; corner < 4; corner++)
            __builtin_prefetch(vertex(batch, i + (corner & 1), j + (corner >> 1)));
        return;
    }
    if (batch->sights.heights)
        sight = &batch->sights
                     .heights[(j >> BLOCK_LOG2) * batch->sights.blocks_across + (i >> BLOCK_LOG2)];
    else
        sight_fill(batch->view, i >> BLOCK_LOG2, j >> BLOCK_LOG2, &run->own[k]);
    run->mask[k] = sight->mask;
    run->north[k] = sight->heights + ((uint32_t)(y << BLOCK_LOG2 | x) & sight->mask);
    __builtin_prefetch(run->north[k]);
    __builtin_prefetch(run->north[k] + (BLOCK_SIDE & sight->mask));
}

static inline void gather(const struct batch *batch, struct run *run, int k)
{
    const uint16_t *north = run->north[k], *south;

    if (north) {
        south = north + (BLOCK_SIDE & run->mask[k]);
        run->nw[k] = north[0];
        run->ne[k] = north[1];
        run->sw[k] = south[0];
        run->se[k] = south[1];
    } else {
        run->nw[k] = *vertex(batch, run->i[k], run->j[k]);
        run->ne[k] = *vertex(batch, run->i[k] + 1, run->j[k]);
        run->sw[k] = *vertex(batch, run->i[k], run->j[k] + 1);
        run->se[k] = *vertex(batch, run->i[k] + 1, run->j[k] + 1);
    }
}

/* Takes the corners of one run while those of the next are sent for. */
static void runs_pass(const struct batch *batch, struct run *run, struct run *next)
{
    for (int k = 0; k < RUN; k++) {
        if (next)
            fetch(batch, next, k);
        if (run)
            gather(batch, run, k);
    }
    if (next && batch->holes)
        run_fetch_holes(batch, next);
}

WIDE static void run_triangles(const struct run *run, double *codes)
{
    for (int k = 0; k < RUN; k++)
        codes[k] = view_quad_code(run->nw[k], run->ne[k], run->sw[k], run->se[k], run->across[k],
                                  run->down[k]);
}

WIDE static void run_metres(const struct grid *grid, const struct run *run, double *z)
{
    for (int k = 0; k < RUN; k++) {
        const double metres = grid_metres(grid, z[k]);

        z[k] = run->inside[k] ? metres : NAN;
    }
}

/* Whether the 4 x 4 vertices around the quad lie in its block and on the landscape. */
static bool in_block(const struct grid *grid, int32_t i, int32_t j)
{
    const int32_t x = i & BLOCK_MASK, y = j & BLOCK_MASK;

    return x > 0 && y > 0 && x < BLOCK_MASK - 1 && y < BLOCK_MASK - 1 && i < grid->columns - 2 &&
           j < grid->rows - 2;
}

static double code_around(const struct batch *batch, const struct run *run, int k)
{
    const int32_t i = run->i[k], j = run->j[k];
    uint16_t around[16];

    if (in_block(view_grid(batch->view), i, j) && run->mask[k])
        return interpolate(batch->interpolation, run->north[k], BLOCK_SIDE, run->across[k],
                           run->down[k]);
    view_read_around(batch->view, (struct rect){ i - 1, j - 1, 4, 4 }, around, 4);
    return interpolate(batch->interpolation, around + 5, 4, run->across[k], run->down[k]);
}

static void run_between(const struct batch *batch, const struct run *run, double *codes)
{
    const bool around = interpolation_reach(batch->interpolation) > 0;

    for (int k = 0; k < RUN; k++) {
        const uint16_t quad[4] = { (uint16_t)run->nw[k], (uint16_t)run->ne[k], (uint16_t)run->sw[k],
                                   (uint16_t)run->se[k] };

        codes[k] = around
                       ? code_around(batch, run, k)
                       : interpolate(batch->interpolation, quad, 2, run->across[k], run->down[k]);
    }
}

static bool is_hole(const struct run *run, int k)
{
    return run->holes[k] && *run->holes[k] >> (run->i[k] & 63) & 1;
}

/* Answers the points from `first` on, `count` of them. */
static void run_finish(const struct batch *batch, struct run *run, size_t first, size_t count)
{
    double z[RUN];

    if (batch->interpolation == INTERPOLATION_TRIANGLE)
        run_triangles(run, z);
    else
        run_between(batch, run, z);
    run_metres(view_grid(batch->view), run, z);
    for (size_t k = 0; batch->statuses && k < count; k++)
        batch->statuses[first + k] = run->inside[k] ? RAY_HIT : RAY_OUTSIDE;
    for (size_t k = 0; batch->holes && k < count; k++) {
        if (!is_hole(run, (int)k) || !run->inside[k])
            continue;
        z[k] = NAN;
        if (batch->statuses)
            batch->statuses[first + k] = RAY_HOLE;
    }
    memcpy(batch->z + first, z, count * sizeof *z);
}

/* Places and fetches the points from `first` on, at most a run of them. */
static void run_begin(const struct batch *batch, struct run *run, size_t first, size_t end)
{
    const double *points = batch->points + 2 * first;
    double last[2 * RUN];

    if (end - first < RUN) {
        for (int k = 0; k < 2 * RUN; k++)
            last[k] = NAN;
        memcpy(last, points, 2 * (end - first) * sizeof *last);
        points = last;
    }
    run_place(view_grid(batch->view), points, run);
}

static void piece_answer(void *work, size_t piece)
{
    const struct batch *batch = work;
    const size_t begin = piece * PIECE;
    const size_t end = begin + PIECE < batch->count ? begin + PIECE : batch->count;
    struct run runs[2];

    run_begin(batch, &runs[0], begin, end);
    runs_pass(batch, NULL, &runs[0]);
    for (size_t first = begin, turn = 0; first < end; first += RUN, turn ^= 1) {
        struct run *next = first + RUN < end ? &runs[turn ^ 1] : NULL;

        if (next)
            run_begin(batch, next, first + RUN, end);
        runs_pass(batch, &runs[turn], next);
        run_finish(batch, &runs[turn], first, end - first < RUN ? end - first : RUN);
    }
}

/* Without memory for it, blocks are looked up one by one. */
static void sights_list(struct batch *batch)
{
    const struct tree *tree = &batch->view->planes[PLANE_HEIGHTS];
    const int32_t across = tree_blocks_across(tree), down = tree_blocks_down(tree);
    const size_t count = (size_t)across * (size_t)down;
    struct sights sights = { across, NULL, NULL };

    if (batch->count < count)
        return;
    sights.heights = malloc(count * sizeof *sights.heights);
    if (sights.heights && batch->holes)
        sights.holes = malloc(count * sizeof *sights.holes);
    for (size_t i = 0; sights.heights && i < count; i++) {
        const int32_t bx = (int32_t)(i % (size_t)across), by = (int32_t)(i / (size_t)across);

        sight_fill(batch->view, bx, by, &sights.heights[i]);
        if (sights.holes)
            sights.holes[i] = holes_of(batch->view, bx, by);
    }
    batch->sights = sights;
}

void collide_heights(const struct view *view, const double *points, size_t count,
                     const struct collide_ways *ways, double *z, uint8_t *statuses,
                     const struct executor *executor)
{
    struct batch batch = {
        .view = view,
        .points = points,
        .count = count,
        .interpolation = ways->interpolation,
        .holes = !ways->ignore_holes && view->planes[PLANE_HOLES].root.summary.greatest > 0,
        .z = z,
        .statuses = statuses,
    };
    const size_t pieces = (count + PIECE - 1) / PIECE;

    sights_list(&batch);
    executor_run(pieces > 1 ? executor : NULL, pieces, piece_answer, &batch);
    free(batch.sights.heights);
    free(batch.sights.holes);
}
