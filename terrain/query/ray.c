#include "terrain/query/ray.h"

#include <math.h>

#include "terrain/query/ray_walk.h"

/* An executor gets pieces of so many rays. */
enum { PIECE = 256 };

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

static void cast(struct ray_ground *ground, const struct ray *ray, const struct ray_ways *ways,
                 struct ray_hit *hit)
{
    struct ray_line line;
    struct ray_exact exact;
    struct ray_walk walk = { .ground = ground, .line = &line, .ways = ways, .exact = &exact };

    exact.ready = false;
    if (!ray_line_init(&line, view_grid(ground->view), ray)) {
        hit->status = RAY_WRONG;
        return;
    }
    ray_walk(&walk);
    if (walk.met) {
        hit->status = RAY_HIT;
        if (!ways->any)
            fill(&walk, ray, hit);
    } else if (walk.over_hole) {
        hit->status = RAY_HOLE;
    } else {
        hit->status = is_over(ground->view, &line, &exact) ? RAY_MISS : RAY_OUTSIDE;
    }
}

struct batch {
    const struct view *view;
    struct derived_cache *cache;
    const struct quadtree_bounds *bounds;
    bool holes;
    const struct ray *rays;
    size_t count;
    const struct ray_ways *ways;
    struct ray_hit *hits;
};

static void cast_piece(void *work, size_t piece)
{
    const struct batch *batch = work;
    size_t first = piece * PIECE, end = first + PIECE;
    struct ray_ground ground;

    end = end < batch->count ? end : batch->count;
    ray_ground_init(&ground, batch->view, batch->cache, batch->bounds, batch->holes);
    for (size_t i = first; i < end; i++)
        cast(&ground, &batch->rays[i], batch->ways, &batch->hits[i]);
    ray_ground_fini(&ground);
}

bool ray_cast(const struct view *view, struct derived_cache *cache, const struct ray *rays,
              size_t count, const struct ray_ways *ways, struct ray_hit *hits,
              const struct executor *executor, struct fault *why)
{
    struct batch batch = {
        .view = view, .cache = cache, .rays = rays, .count = count, .ways = ways, .hits = hits
    };
    struct quadtree_bounds *bounds = NULL;
    size_t pieces = (count + PIECE - 1) / PIECE;

    if (cache)
        bounds = quadtree_bounds(view, cache, BLOCK_SIDE, 0, why);
    if (cache && !bounds)
        return false;
    batch.bounds = bounds;
    batch.holes = !ways->ignore_holes && view->planes[PLANE_HOLES].root.summary.greatest > 0;
    executor_run(pieces > 1 ? executor : NULL, pieces, cast_piece, &batch);
    if (bounds)
        derived_drop(&bounds->derived);
    return true;
}
