#include "terrain/query/ray.h"

#include <math.h>

#include "terrain/query/ray_order.h"
#include "terrain/query/ray_upright.h"
#include "terrain/query/ray_walk.h"

/* An executor gets pieces of so many rays, and, of few, so many pieces. */
enum { PIECE_LEAST = 64, PIECES = 16, LANES = 8 };

double ray_metres(const struct view *view, const struct ray *ray)
{
    const struct grid *grid = view_grid(view);
    double x = ray->along[0] * grid->scale[0], y = ray->along[1] * grid->scale[1];
    double z = ray->along[2];

    return sqrt(x * x + y * y + z * z);
}

static void fill(const struct ray_walk *walk, const struct ray *ray, struct ray_hit *hit)
{
    const struct grid *grid = view_grid(walk->ground->view);
    const struct ray_triangle *met = &walk->first.triangle;
    double x = -met->east * grid->scale[2] / 128 / grid->scale[0];
    double y = -met->south * grid->scale[2] / 128 / grid->scale[1];
    double length = sqrt(x * x + y * y + 1);

    hit->t = ray_meet_time(walk->line, walk->exact, &walk->first);
    for (int k = 0; k < 3; k++)
        hit->at[k] = ray->from[k] + hit->t * ray->along[k];
    /* Straight up or down the place is known, and its height that of any other query to the bit. */
    if (ray->along[0] == 0 && ray->along[1] == 0)
        hit->at[2] =
            grid_metres(grid, met->level + GRID_LEVEL_ZERO + (ray->from[0] - met->i) * met->east +
                                  (ray->from[1] - met->j) * met->south);
    hit->normal[0] = x / length;
    hit->normal[1] = y / length;
    hit->normal[2] = 1 / length;
    hit->triangle =
        2 * ((int64_t)met->j * (grid->columns - 1) + met->i) + (met->south_west ? 1 : 0);
    hit->back = ray_meet_side(walk->line, walk->exact, met) > 0;
}

static bool is_over(const struct view *view, const struct ray_line *line, struct ray_exact *exact)
{
    const struct grid *grid = view_grid(view);
    const double *o = line->from;

    if (o[0] >= 0 && o[1] >= 0 && o[0] <= grid->columns - 1 && o[1] <= grid->rows - 1)
        return true;
    if (!exact->ready)
        ray_exact_ready(exact, line);
    return ray_exact_over(exact, grid->columns - 1, grid->rows - 1);
}

struct batch {
    const struct view *view;
    struct derived_cache *cache;
    const struct quadtree_bounds *bounds;
    bool holes;
    struct directory directory;
    const struct ray *rays;
    size_t count, piece; /* the piece: of so many */
    const struct ray_ways *ways;
    struct ray_hit *hits;
};

/* Rays that go on by turns, each waiting for memory while the others work. */
struct lane {
    size_t ray;
    struct ray_line line;
    struct ray_walk walk;
    struct ray_exact exact;
};

struct piece {
    const struct batch *batch;
    size_t first, count, next; /* count: of those that take a walk, which the order tells */
    uint16_t order[RAY_ORDER_MOST];
    struct ray_ground ground;
};

static void finish(const struct batch *batch, struct lane *lane)
{
    const struct ray_walk *walk = &lane->walk;
    struct ray_hit *hit = &batch->hits[lane->ray];

    if (walk->met) {
        hit->status = RAY_HIT;
        if (!batch->ways->any)
            fill(walk, &batch->rays[lane->ray], hit);
    } else if (walk->over_hole) {
        hit->status = RAY_HOLE;
    } else {
        hit->status = is_over(batch->view, &lane->line, &lane->exact) ? RAY_MISS : RAY_OUTSIDE;
    }
}

/* Gives the lane the next ray that takes more than a look; false when there is none. */
static bool start_next(struct piece *piece, struct lane *lane)
{
    const struct batch *batch = piece->batch;

    while (piece->next < piece->count) {
        lane->ray = piece->first + piece->order[piece->next++];
        if (piece->next < piece->count)
            __builtin_prefetch(&batch->rays[piece->first + piece->order[piece->next]]);
        lane->exact.ready = false;
        if (!ray_line_init(&lane->line, view_grid(batch->view), &batch->rays[lane->ray])) {
            batch->hits[lane->ray].status = RAY_WRONG;
            continue;
        }
        lane->walk.ground = &piece->ground;
        lane->walk.line = &lane->line;
        lane->walk.ways = batch->ways;
        lane->walk.exact = &lane->exact;
        if (ray_walk_begin(&lane->walk))
            return true;
        finish(batch, lane);
    }
    return false;
}

static void cast_all(struct piece *piece)
{
    struct lane lanes[LANES], *busy[LANES];
    int count = 0;

    for (int i = 0; i < LANES; i++) {
        busy[count] = &lanes[i];
        count += start_next(piece, busy[count]);
    }
    while (count > 0) {
        for (int i = 0; i < count; i++) {
            if (ray_walk_step(&busy[i]->walk))
                continue;
            finish(piece->batch, busy[i]);
            if (!start_next(piece, busy[i]))
                busy[i--] = busy[--count];
        }
    }
}

static void cast_piece(void *work, size_t number)
{
    const struct batch *batch = work;
    const size_t first = number * batch->piece, left = batch->count - first;
    const struct ray_upright upright = { &batch->directory, batch->holes, batch->ways->any };
    struct piece piece;

    piece.batch = batch;
    piece.first = first;
    piece.next = 0;
    piece.count =
        ray_upright(&upright, batch->rays + first, left < batch->piece ? left : batch->piece,
                    batch->hits + first, piece.order);
    if (piece.count == 0)
        return;
    ray_ground_init(&piece.ground, batch->view, batch->cache, batch->bounds, batch->holes);
    ray_order(view_grid(batch->view), batch->rays + first, piece.order, piece.count);
    cast_all(&piece);
    ray_ground_fini(&piece.ground);
}

static size_t piece_size(size_t count)
{
    const size_t share = count / PIECES;

    if (share < PIECE_LEAST)
        return PIECE_LEAST;
    return share < RAY_ORDER_MOST ? share : RAY_ORDER_MOST;
}

bool ray_cast(const struct view *view, struct derived_cache *cache, const struct ray *rays,
              size_t count, const struct ray_ways *ways, struct ray_hit *hits,
              const struct executor *executor, struct fault *why)
{
    struct batch batch = { .view = view,
                           .cache = cache,
                           .rays = rays,
                           .count = count,
                           .piece = piece_size(count),
                           .ways = ways,
                           .hits = hits };
    struct quadtree_bounds *bounds = NULL;
    size_t pieces = (count + batch.piece - 1) / batch.piece;

    if (cache)
        bounds = quadtree_bounds(view, cache, BLOCK_SIDE, 0, why);
    if (cache && !bounds)
        return false;
    batch.bounds = bounds;
    batch.holes = !ways->ignore_holes && view->planes[PLANE_HOLES].root.summary.greatest > 0;
    directory_init(&batch.directory, view, batch.holes, count);
    executor_run(pieces > 1 ? executor : NULL, pieces, cast_piece, &batch);
    directory_fini(&batch.directory);
    if (bounds)
        derived_drop(&bounds->derived);
    return true;
}
