#include "terrain/query/line_of_sight.h"

#include <math.h>
#include <stdlib.h>

#include "terrain/query/collide.h"

/* How high an end is above its ground, as a height; else why there is none. */
static enum ray_status stand(const struct view *view, bool ignore_holes, double at[3])
{
    bool hole = false;
    double z;

    if (!collide_height(view, at[0], at[1], &z, &hole))
        return RAY_OUTSIDE;
    at[2] += z;
    return hole && !ignore_holes ? RAY_HOLE : RAY_HIT;
}

static enum ray_status ends_stand(const struct view *view, const struct line_of_sight_ways *ways,
                                  struct line_of_sight *sight)
{
    enum ray_status status = RAY_HIT;

    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(sight->from[axis]) || !isfinite(sight->to[axis]))
            return RAY_WRONG;
    if (ways->from_ground)
        status = stand(view, ways->ignore_holes, sight->from);
    if (status == RAY_HIT && ways->to_ground)
        status = stand(view, ways->ignore_holes, sight->to);
    return status;
}

static struct ray lifted(const struct line_of_sight *sight, double touching)
{
    struct ray ray = { .reach = 1 };

    for (int axis = 0; axis < 3; axis++) {
        ray.from[axis] = sight->from[axis];
        ray.along[axis] = sight->to[axis] - sight->from[axis];
    }
    ray.from[2] += touching;
    return ray;
}

/* Nothing lies between a place and itself, whereas a ray needs a direction. */
static bool is_place(const struct ray *ray)
{
    return ray->along[0] == 0 && ray->along[1] == 0 && ray->along[2] == 0;
}

static void settle(const struct ray *ray, const struct ray_hit *hit,
                   struct line_of_sight_seen *seen)
{
    for (int axis = 0; axis < 3; axis++)
        seen->blocked_at[axis] = NAN;
    if (!seen->answered)
        return;
    seen->status = is_place(ray) ? RAY_MISS : hit->status;
    seen->answered = seen->status != RAY_WRONG;
    seen->visible = seen->answered && seen->status != RAY_HIT;
    for (int axis = 0; axis < 3 && seen->status == RAY_HIT; axis++)
        seen->blocked_at[axis] = hit->at[axis];
}

bool line_of_sight_look(const struct view *view, struct derived_cache *cache,
                        const struct line_of_sight *sights, size_t count,
                        const struct line_of_sight_ways *ways, struct line_of_sight_seen *seen,
                        const struct executor *executor, struct fault *why)
{
    const struct ray_ways ray_ways = { .ignore_holes = ways->ignore_holes };
    struct ray *rays = calloc(count + 1, sizeof *rays);
    struct ray_hit *hits = calloc(count + 1, sizeof *hits);
    bool done = false;

    if (!rays || !hits) {
        fault_set(why, FAULT_MEMORY, "no memory for %zu lines of sight", count);
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        struct line_of_sight sight = sights[i];
        enum ray_status status = ends_stand(view, ways, &sight);

        seen[i] = (struct line_of_sight_seen){ .status = status, .answered = status == RAY_HIT };
        if (seen[i].answered)
            rays[i] = lifted(&sight, ways->touching);
    }
    if (!ray_cast(view, cache, rays, count, &ray_ways, hits, executor, why))
        goto done;
    for (size_t i = 0; i < count; i++)
        settle(&rays[i], &hits[i], &seen[i]);
    done = true;

done:
    free(rays);
    free(hits);
    return done;
}
