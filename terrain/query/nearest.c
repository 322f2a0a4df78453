#include "terrain/query/nearest.h"

#include <math.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "terrain/query/triangle.h"
#include "terrain/query/vicinity.h"

struct state {
    bool ignore_holes;
    bool hit, hole;
    double square; /* metres^2 */
    double at[3];
    double normal[3];
    int64_t triangle;
};

/* The square of how far the box is, a little less against rounding: what is as near as the best
 * counts by its number. */
static double box_square(const void *shape, const double low[3], const double high[3])
{
    double square = 0;

    (void)shape;
    for (int axis = 0; axis < 3; axis++) {
        const double apart = fmax(fmax(low[axis], -high[axis]), 0);

        square += apart * apart;
    }
    return square * (1 - 0x1p-40);
}

static bool visit(struct vicinity *near, const struct near_triangle *triangle)
{
    static const double here[3];
    struct state *state = near->shape;
    double at[3];
    const double square = triangle_nearest(triangle->corners, here, at);

    if (triangle->hole && !state->ignore_holes) {
        state->hole |= square <= near->most;
        near->holes_known = state->hole;
        return true;
    }
    if (!(square <= near->most) ||
        (state->hit && square == state->square && triangle->number >= state->triangle))
        return true;
    state->hit = true;
    state->square = near->most = square;
    memcpy(state->at, at, sizeof at);
    triangle_upward(triangle->corners, state->normal);
    state->triangle = triangle->number;
    return true;
}

static void within(struct vicinity *near, double metres)
{
    for (int axis = 0; axis < 2; axis++) {
        near->low[axis] = -metres;
        near->high[axis] = metres;
    }
}

/* First beneath the point, or at the border beside it: then it is known how far to look. */
static bool look(struct vicinity *near)
{
    const struct grid *grid = view_grid(near->view);
    const double ends[2] = { grid->columns - 1, grid->rows - 1 };
    double beside[2];

    for (int axis = 0; axis < 2; axis++) {
        beside[axis] = fmin(fmax(near->from[axis], 0), ends[axis]);
        beside[axis] = (beside[axis] - near->from[axis]) * grid->scale[axis];
        near->low[axis] = near->high[axis] = beside[axis];
    }
    if (beside[0] * beside[0] + beside[1] * beside[1] > near->most)
        return true; /* all is farther */
    if (!vicinity_walk(near))
        return false;
    within(near, sqrt(near->most) * (1 + 0x1p-40));
    return vicinity_walk(near); /* what was found already is found again, by the same sums */
}

static bool is_above(const struct view *view, const double point[3])
{
    const struct grid *grid = view_grid(view);
    double z;

    return !collide_height(view, fmin(fmax(point[0], 0), grid->columns - 1),
                           fmin(fmax(point[1], 0), grid->rows - 1), &z, NULL) ||
           point[2] >= z;
}

static bool is_over(const struct view *view, const double point[3])
{
    return point[0] >= 0 && point[1] >= 0 && point[0] <= view_grid(view)->columns - 1 &&
           point[1] <= view_grid(view)->rows - 1;
}

struct work {
    const struct view *view;
    const double (*points)[3];
    double distance;
    struct nearest *places;
    const struct shape_ways *ways;
};

static bool nearest_one(void *context, size_t i, _Atomic int64_t *left)
{
    const struct work *work = context;
    const double *point = work->points[i];
    struct nearest *place = &work->places[i];
    struct state state = { .ignore_holes = work->ways->ignore_holes };
    struct vicinity near = { .view = work->view,
                             .from = { point[0], point[1], point[2] },
                             .key = box_square,
                             .most = work->distance * work->distance,
                             .visit = visit,
                             .shape = &state,
                             .left = left };

    memset(place, 0, sizeof *place);
    place->status = RAY_WRONG;
    if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]) || !(work->distance >= 0))
        return true;
    if (!look(&near))
        return false;
    place->above = is_above(work->view, point);
    place->status = state.hole ? RAY_HOLE : is_over(work->view, point) ? RAY_MISS : RAY_OUTSIDE;
    if (!state.hit)
        return true;
    place->status = RAY_HIT;
    place->distance = sqrt(state.square);
    vicinity_place(&near, state.at, place->at);
    memcpy(place->normal, state.normal, sizeof state.normal);
    place->triangle = state.triangle;
    return true;
}

bool nearest_places(const struct view *view, const double (*points)[3], size_t count,
                    double distance, const struct shape_ways *ways, struct nearest *places,
                    const struct executor *executor, struct fault *why)
{
    struct work work = { view, points, distance, places, ways };

    return shapes_run(count, ways, nearest_one, &work, executor, why);
}
