#include "terrain/query/sweep.h"

#include <math.h>
#include <string.h>

#include "terrain/query/triangle.h"
#include "terrain/query/vicinity.h"

/* What is nearer than this part of all sizes in play counts as touched, so that a point meets the
 * triangle that it comes to. */
#define NEAR_ENOUGH 0x1p-46

struct state {
    double along[3]; /* metres, from t = 0 to 1 */
    double radius;
    double slack; /* metres: nearer than that is there */
    bool ignore_holes;
    bool hit, hole;
    double t, apart; /* at t = 0, metres from the centre */
    double at[3];
    double normal[3]; /* the triangle's */
    int64_t triangle;
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* When the centre comes into the box widened by the radius: before that the sphere does not touch
 * what is inside. */
static double entry(const void *shape, const double low[3], const double high[3])
{
    const struct state *state = shape;
    double first = 0, last = 1;

    for (int axis = 0; axis < 3; axis++) {
        const double wider = state->radius + state->slack;
        const double least = low[axis] - wider, greatest = high[axis] + wider;
        const double along = state->along[axis];

        if (along == 0) {
            if (least > 0 || greatest < 0)
                return INFINITY;
            continue;
        }
        first = fmax(first, (along > 0 ? least : greatest) / along);
        last = fmin(last, (along > 0 ? greatest : least) / along);
    }
    return first <= last ? first : INFINITY;
}

struct meeting {
    double t, apart;
    double at[3];
};

/* How far a triangle is from a point on a line is a convex function of t, so that Newton's steps
 * from the left never go past the first root, and end beyond the least distance when there is none.
 */
static bool meet(const struct state *state, const double corners[3][3], double t, double most,
                 struct meeting *meeting)
{
    enum { STEPS_MOST = 100 };
    for (int step = 0; step < STEPS_MOST; step++) {
        double center[3], away[3], excess, slope, on;

        for (int axis = 0; axis < 3; axis++)
            center[axis] = t * state->along[axis];
        meeting->apart = sqrt(triangle_nearest(corners, center, meeting->at));
        meeting->t = t;
        excess = meeting->apart - state->radius;
        for (int axis = 0; axis < 3; axis++)
            away[axis] = center[axis] - meeting->at[axis];
        slope = meeting->apart > 0 ? dot(away, state->along) / meeting->apart : 0;
        if (excess <= state->slack)
            return true;
        if (slope >= 0)
            return false;
        on = t - excess / slope;
        if (on > most)
            return false;
        if (on == t)
            return true;
        t = on;
    }
    return false;
}

static bool earlier(const struct state *state, const struct meeting *meeting, int64_t number)
{
    if (!state->hit || meeting->t != state->t)
        return !state->hit || meeting->t < state->t;
    if (meeting->t == 0 && meeting->apart != state->apart)
        return meeting->apart < state->apart;
    return number < state->triangle;
}

static bool visit(struct vicinity *near, const struct near_triangle *triangle)
{
    struct state *state = near->shape;
    struct meeting meeting;

    if (triangle->hole && !state->ignore_holes) {
        state->hole |= meet(state, triangle->corners, triangle->key, near->most, &meeting);
        near->holes_known = state->hole;
        return true;
    }
    if (!meet(state, triangle->corners, triangle->key, near->most, &meeting) ||
        !earlier(state, &meeting, triangle->number))
        return true;
    state->hit = true;
    state->t = near->most = meeting.t;
    state->apart = meeting.apart;
    memcpy(state->at, meeting.at, sizeof state->at);
    triangle_upward(triangle->corners, state->normal);
    state->triangle = triangle->number;
    return true;
}

/* The part first..last of 0..1 of the way outside of which the sphere touches nothing. */
static bool part_near(const struct view *view, const struct sweep *sweep, double part[2])
{
    const struct grid *grid = view_grid(view);
    const struct summary all = view->planes[PLANE_HEIGHTS].root.summary;
    const double low[3] = { 0, 0, grid_metres(grid, all.least) };
    const double high[3] = { grid->columns - 1, grid->rows - 1, grid_metres(grid, all.greatest) };

    part[0] = 0;
    part[1] = 1;
    for (int axis = 0; axis < 3; axis++) {
        const double along = sweep->to[axis] - sweep->from[axis];
        const double wider = sweep->radius / (axis < 2 ? grid->scale[axis] : 1);
        const double slack = 1e-9 * (fabs(low[axis]) + fabs(high[axis]) + wider + fabs(along) + 1);
        const double least = low[axis] - wider - slack - sweep->from[axis];
        const double greatest = high[axis] + wider + slack - sweep->from[axis];

        if (along == 0) {
            if (least > 0 || greatest < 0)
                return false;
            continue;
        }
        part[0] = fmax(part[0], (along > 0 ? least : greatest) / along);
        part[1] = fmin(part[1], (along > 0 ? greatest : least) / along);
    }
    return part[0] <= part[1];
}

/* NaN is not. */
static bool right(const struct sweep *sweep)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(fabs(sweep->from[axis]) <= SWEEP_FARTHEST) ||
            !(fabs(sweep->to[axis]) <= SWEEP_FARTHEST))
            return false;
    return isfinite(sweep->radius) && sweep->radius >= 0;
}

/* Whether the box around the whole sweep lies over the landscape. */
static bool over(const struct view *view, const struct sweep *sweep)
{
    const struct grid *grid = view_grid(view);
    const double ends[2] = { grid->columns - 1, grid->rows - 1 };

    for (int axis = 0; axis < 2; axis++) {
        const double radius = sweep->radius / grid->scale[axis];

        if (fmax(sweep->from[axis], sweep->to[axis]) + radius < 0 ||
            fmin(sweep->from[axis], sweep->to[axis]) - radius > ends[axis])
            return false;
    }
    return true;
}

static void place_at(const struct sweep *sweep, double t, double at[3])
{
    for (int axis = 0; axis < 3; axis++)
        at[axis] = t == 1 ? sweep->to[axis]
                          : sweep->from[axis] + t * (sweep->to[axis] - sweep->from[axis]);
}

/* What was found on the part of the way, told for all of it. */
static void tell(const struct vicinity *near, const struct sweep *sweep, const double part[2],
                 const struct state *state, struct touch *touch)
{
    double center[3];

    touch->status = RAY_HIT;
    touch->t = part[0] + state->t * (part[1] - part[0]);
    touch->triangle = state->triangle;
    touch->inside = touch->t == 0 && state->apart < sweep->radius;
    touch->penetration = touch->inside ? sweep->radius - state->apart : 0;
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = state->t * state->along[axis];
        touch->normal[axis] = center[axis] - state->at[axis];
    }
    vicinity_place(near, center, touch->center);
    vicinity_place(near, state->at, touch->at);
    if (state->apart > state->slack)
        for (int axis = 0; axis < 3; axis++)
            touch->normal[axis] /= state->apart;
    else
        memcpy(touch->normal, state->normal, sizeof touch->normal);
}

static double slack_of(const struct vicinity *near, const struct sweep *sweep,
                       const double along[3])
{
    const struct grid *grid = view_grid(near->view);
    const struct summary all = near->view->planes[PLANE_HEIGHTS].root.summary;

    return NEAR_ENOUGH * (sweep->radius + sqrt(dot(along, along)) + grid->scale[0] +
                          grid->scale[1] + (all.greatest - all.least) / 128.0 * grid->scale[2] +
                          fabs(near->from[2] - grid->origin[2]));
}

struct work {
    const struct view *view;
    const struct sweep *sweeps;
    struct touch *touches;
    const struct shape_ways *ways;
};

static bool sweep_one(void *context, size_t i, _Atomic int64_t *left)
{
    const struct work *work = context;
    const struct sweep *sweep = &work->sweeps[i];
    struct touch *touch = &work->touches[i];
    struct state state = { .radius = sweep->radius, .ignore_holes = work->ways->ignore_holes };
    struct vicinity near = {
        .view = work->view, .key = entry, .most = 1, .visit = visit, .shape = &state, .left = left
    };
    double part[2], end[3];

    memset(touch, 0, sizeof *touch);
    touch->status = RAY_WRONG;
    if (!right(sweep))
        return true;
    touch->status = over(work->view, sweep) ? RAY_MISS : RAY_OUTSIDE;
    if (touch->status == RAY_OUTSIDE || !part_near(work->view, sweep, part))
        return true;
    place_at(sweep, part[0], near.from);
    place_at(sweep, part[1], end);
    vicinity_towards(&near, end, state.along);
    state.slack = slack_of(&near, sweep, state.along);
    for (int axis = 0; axis < 2; axis++) {
        near.low[axis] = fmin(0, state.along[axis]) - sweep->radius;
        near.high[axis] = fmax(0, state.along[axis]) + sweep->radius;
    }
    if (!vicinity_walk(&near))
        return false;
    if (state.hit)
        tell(&near, sweep, part, &state, touch);
    else if (state.hole)
        touch->status = RAY_HOLE;
    return true;
}

bool sweep_spheres(const struct view *view, const struct sweep *sweeps, size_t count,
                   const struct shape_ways *ways, struct touch *touches,
                   const struct executor *executor, struct fault *why)
{
    struct work work = { view, sweeps, touches, ways };

    return shapes_run(count, ways, sweep_one, &work, executor, why);
}

double sweep_metres(const struct view *view, const struct sweep *sweep)
{
    const struct grid *grid = view_grid(view);

    return hypot(hypot((sweep->to[0] - sweep->from[0]) * grid->scale[0],
                       (sweep->to[1] - sweep->from[1]) * grid->scale[1]),
                 sweep->to[2] - sweep->from[2]);
}
