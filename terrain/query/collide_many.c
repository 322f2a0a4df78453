/* Heights at many points, a run of them at a time: where they lie is worked out for one run, and
 * their heights fetched, while those of the run before are put together. The same sums as for one
 * point, so that the answers agree to the bit. */
#include "terrain/query/collide.h"

#include <math.h>
#include <string.h>

#include "terrain/base/wide.h"
#include "terrain/query/directory.h"

/* Points of a run, and of a piece for an executor. */
enum { RUN = 64, PIECE = 128 * RUN };

struct batch {
    const struct view *view;
    const double *points;
    size_t count;
    enum interpolation interpolation;
    bool holes; /* there are some, and they count */
    double *z;
    uint8_t *statuses;
    struct directory directory;
};

/* A run on its way. */
struct run {
    double across[RUN], down[RUN];
    int32_t i[RUN], j[RUN], inside[RUN];
    const uint16_t *north[RUN]; /* the quad's corner; NULL where it spans blocks */
    uint32_t mask[RUN];
    const uint64_t *holes[RUN]; /* the word with the quad's bit; NULL: solid */
    struct directory_heights own[RUN];
    int32_t nw[RUN], ne[RUN], sw[RUN], se[RUN];
};

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

static void run_fetch_holes(const struct batch *batch, struct run *run)
{
    for (int k = 0; k < RUN; k++) {
        const int32_t bx = run->i[k] >> BLOCK_LOG2, by = run->j[k] >> BLOCK_LOG2;
        const int32_t x = run->i[k] & BLOCK_MASK, y = run->j[k] & BLOCK_MASK;
        const uint64_t *holes =
            batch->directory.holes
                ? batch->directory.holes[by * batch->directory.blocks_across + bx]
                : directory_holes_of(batch->view, bx, by);

        if (holes && holes != directory_all_holes) {
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
    const struct directory_heights *block;

    if (x == BLOCK_MASK || y == BLOCK_MASK) {
        run->north[k] = NULL;
        for (int corner = 0; corner < 4; corner++)
            __builtin_prefetch(
                directory_vertex(&batch->directory, i + (corner & 1), j + (corner >> 1)));
        return;
    }
    block = directory_block(&batch->directory, i, j, &run->own[k]);
    run->mask[k] = block->mask;
    run->north[k] = block->heights + ((uint32_t)(y << BLOCK_LOG2 | x) & block->mask);
    __builtin_prefetch(run->north[k]);
    __builtin_prefetch(run->north[k] + (BLOCK_SIDE & block->mask));
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
        run->nw[k] = *directory_vertex(&batch->directory, run->i[k], run->j[k]);
        run->ne[k] = *directory_vertex(&batch->directory, run->i[k] + 1, run->j[k]);
        run->sw[k] = *directory_vertex(&batch->directory, run->i[k], run->j[k] + 1);
        run->se[k] = *directory_vertex(&batch->directory, run->i[k] + 1, run->j[k] + 1);
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

    directory_init(&batch.directory, view, batch.holes, count);
    executor_run(pieces > 1 ? executor : NULL, pieces, piece_answer, &batch);
    directory_fini(&batch.directory);
}
