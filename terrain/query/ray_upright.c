#include "terrain/query/ray_upright.h"

#include <math.h>

#include "terrain/base/wide.h"

enum { RUN = 64 };

/* Sizes, in quads and codes, that leave doubles room for all that is done with them here. */
#define HIGHEST    0x1p44
#define LEAST_STEP 0x1p-60
#define MOST_STEP  0x1p60

/* A few roundings of 2^-53 each, of terms whose sizes are added up; and what underflow may hide. */
#define ROUNDING 0x1p-50
#define LEAST    1e-200

enum verdict { UNSURE, MISSED, MET };

/* A run on its way: what it looks at is sent for while the one before it is answered. */
struct run {
    int count;
    uint16_t number[RUN];
    double x[RUN], y[RUN], z[RUN], step[RUN], reach[RUN]; /* z and step in codes */
    int32_t i[RUN], j[RUN];
    const uint16_t *north[RUN]; /* the quad's corner; NULL where it spans blocks */
    uint32_t mask[RUN];
    int32_t nw[RUN], ne[RUN], sw[RUN], se[RUN];
    /* answers */
    int32_t south_west[RUN], verdict[RUN];
    double t[RUN], at_z[RUN], normal_x[RUN], normal_y[RUN], normal_z[RUN];
};

struct pass {
    const struct ray_upright *upright;
    const struct grid *grid;
    const struct ray *rays;
    size_t count, next;
    struct ray_hit *hits;
    uint16_t *others;
    size_t others_count;
};

/* The next rays that go straight up or down within a quad. */
static void run_begin(struct pass *pass, struct run *run)
{
    const struct grid *grid = pass->grid;
    const double right = grid->columns - 1, bottom = grid->rows - 1;

    run->count = 0;
    while (pass->next < pass->count && run->count < RUN) {
        const uint16_t number = (uint16_t)pass->next++;
        const struct ray *ray = &pass->rays[number];
        const double x = ray->from[0], y = ray->from[1];
        const int k = run->count;

        if (ray->along[0] == 0 && ray->along[1] == 0 && x > 0 && y > 0 && x < right && y < bottom) {
            run->number[k] = number;
            run->x[k] = x;
            run->y[k] = y;
            run->z[k] = ray->from[2];
            run->step[k] = ray->along[2];
            run->reach[k] = ray->reach;
            run->count++;
        } else {
            pass->others[pass->others_count++] = number;
        }
    }
}

WIDE static void run_place(const struct grid *grid, struct run *run)
{
    for (int k = 0; k < run->count; k++) {
        run->z[k] = grid_codes(grid, run->z[k] - grid->origin[2]);
        run->step[k] = grid_codes(grid, run->step[k]);
        run->i[k] = (int32_t)run->x[k];
        run->j[k] = (int32_t)run->y[k];
    }
}

/* Sends for the corners of ray k. */
static inline void fetch(const struct directory *directory, struct run *run, int k)
{
    const int32_t i = run->i[k], j = run->j[k], x = i & BLOCK_MASK, y = j & BLOCK_MASK;
    const struct directory_heights *block;
    struct directory_heights own;

    run->north[k] = NULL;
    if (x == BLOCK_MASK || y == BLOCK_MASK) {
        for (int corner = 0; corner < 4; corner++)
            __builtin_prefetch(directory_vertex(directory, i + (corner & 1), j + (corner >> 1)));
        return;
    }
    block = directory_block(directory, i, j, &own);
    if (!block->mask)
        return;
    run->north[k] = block->heights + (y << BLOCK_LOG2 | x);
    __builtin_prefetch(run->north[k]);
    __builtin_prefetch(run->north[k] + BLOCK_SIDE);
}

static inline void gather(const struct directory *directory, struct run *run, int k)
{
    const uint16_t *north = run->north[k];

    if (north) {
        run->nw[k] = north[0];
        run->ne[k] = north[1];
        run->sw[k] = north[BLOCK_SIDE];
        run->se[k] = north[BLOCK_SIDE + 1];
    } else {
        run->nw[k] = *directory_vertex(directory, run->i[k], run->j[k]);
        run->ne[k] = *directory_vertex(directory, run->i[k] + 1, run->j[k]);
        run->sw[k] = *directory_vertex(directory, run->i[k], run->j[k] + 1);
        run->se[k] = *directory_vertex(directory, run->i[k] + 1, run->j[k] + 1);
    }
}

/* Meets each ray with its one triangle: the same sums as for one ray of any direction, and sure of
 * what they say or silent. Within a quad places are exact, so that the roundings are few. */
WIDE static void run_meet(const struct grid *grid, struct run *run)
{
    for (int k = 0; k < run->count; k++) {
        const double across = run->x[k] - run->i[k], down = run->y[k] - run->j[k];
        const int32_t sw = across < down;
        const double a = sw ? run->se[k] - run->sw[k] : run->ne[k] - run->nw[k];
        const double b = sw ? run->sw[k] - run->nw[k] : run->se[k] - run->ne[k];
        const double z = run->z[k], level = run->nw[k] - GRID_LEVEL_ZERO;
        const double over = (z - level) - a * across - b * down, size = fabs(over);
        const double step = run->step[k], speed = fabs(step);
        const double error = ROUNDING * (fabs(z) + fabs(level) + fabs(a) + fabs(b) + size) + LEAST;
        const double end = run->reach[k] * speed, towards = step < 0 ? over : -over;
        const bool fair = (fabs(z) <= HIGHEST) & (speed >= LEAST_STEP) & (speed <= MOST_STEP) &
                          (run->reach[k] >= 0) & (across > 0) & (down > 0) & (across != down);
        const bool close = error <= 0x1p-40 * size;
        const bool met = close & (towards > error) & (size + error < end);
        const bool missed = (towards < -error) | (size - error > end);

        run->south_west[k] = sw;
        run->verdict[k] = fair ? met ? MET : missed ? MISSED : UNSURE : UNSURE;
        run->t[k] = -over / step;
        run->at_z[k] = grid_metres(grid, run->nw[k] + across * a + down * b);
    }
}

WIDE static void run_normals(const struct grid *grid, struct run *run)
{
    for (int k = 0; k < run->count; k++) {
        const int32_t sw = run->south_west[k];
        const double a = sw ? run->se[k] - run->sw[k] : run->ne[k] - run->nw[k];
        const double b = sw ? run->sw[k] - run->nw[k] : run->se[k] - run->ne[k];
        const double x = -a * grid->scale[2] / 128 / grid->scale[0];
        const double y = -b * grid->scale[2] / 128 / grid->scale[1];
        const double length = sqrt(x * x + y * y + 1);

        run->normal_x[k] = x / length;
        run->normal_y[k] = y / length;
        run->normal_z[k] = 1 / length;
    }
}

static bool is_hole(const struct directory *directory, int32_t i, int32_t j)
{
    const int32_t bx = i >> BLOCK_LOG2, by = j >> BLOCK_LOG2;
    const uint64_t *holes;

    if (!directory->holes)
        return view_hole(directory->view, i, j);
    holes = directory->holes[by * directory->blocks_across + bx];
    if (!holes || holes == directory_all_holes)
        return holes;
    return holes[2 * (j & BLOCK_MASK) + ((i & BLOCK_MASK) >> 6)] >> (i & 63) & 1;
}

static inline void fill(const struct pass *pass, const struct run *run, int k)
{
    struct ray_hit *hit = &pass->hits[run->number[k]];

    hit->back = run->step[k] > 0;
    hit->t = run->t[k];
    hit->at[0] = run->x[k];
    hit->at[1] = run->y[k];
    hit->at[2] = run->at_z[k];
    hit->normal[0] = run->normal_x[k];
    hit->normal[1] = run->normal_y[k];
    hit->normal[2] = run->normal_z[k];
    hit->triangle =
        2 * ((int64_t)run->j[k] * (pass->grid->columns - 1) + run->i[k]) + run->south_west[k];
}

static void run_answer(struct pass *pass, struct run *run)
{
    const struct ray_upright *upright = pass->upright;

    run_meet(pass->grid, run);
    if (!upright->any)
        run_normals(pass->grid, run);
    for (int k = 0; k < run->count; k++) {
        struct ray_hit *hit = &pass->hits[run->number[k]];

        if (run->verdict[k] == UNSURE) {
            pass->others[pass->others_count++] = run->number[k];
        } else if (run->verdict[k] == MISSED) {
            hit->status = RAY_MISS;
        } else if (upright->holes && is_hole(upright->directory, run->i[k], run->j[k])) {
            hit->status = RAY_HOLE;
        } else {
            hit->status = RAY_HIT;
            if (!upright->any)
                fill(pass, run, k);
        }
    }
}

size_t ray_upright(const struct ray_upright *upright, const struct ray *rays, size_t count,
                   struct ray_hit *hits, uint16_t *others)
{
    const struct directory *directory = upright->directory;
    struct pass pass = { upright, view_grid(directory->view), rays, count, 0, hits, others, 0 };
    struct run runs[2];

    runs[0].count = 0;
    for (int turn = 1;; turn ^= 1) {
        struct run *now = &runs[turn ^ 1], *next = &runs[turn];

        run_begin(&pass, next);
        if (now->count == 0 && next->count == 0)
            break;
        run_place(pass.grid, next);
        for (int k = 0; k < next->count; k++)
            fetch(directory, next, k);
        for (int k = 0; k < now->count; k++)
            gather(directory, now, k);
        run_answer(&pass, now);
    }
    return pass.others_count;
}
