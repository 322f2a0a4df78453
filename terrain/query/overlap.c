#include "terrain/query/overlap.h"

#include <math.h>
#include <string.h>

#include "terrain/query/triangle.h"
#include "terrain/query/vicinity.h"

struct state {
    const struct overlap_box *box; /* NULL: a sphere */
    double reach[3];               /* metres: half of the box around the shape */
    double square;                 /* of the sphere's radius */
    bool ignore_holes, solid;
    bool hit, hole;
    int64_t triangle;
};

/* 0 when the box around the shape meets it; ground below is met by whatever is lower. */
static double met(const void *shape, const double low[3], const double high[3])
{
    const struct state *state = shape;
    double square = 0;

    for (int axis = 0; axis < 3; axis++) {
        const bool below = axis == 2 && state->solid;
        const double apart = fmax(fmax(below ? -INFINITY : low[axis], -high[axis]), 0);

        if (apart > state->reach[axis])
            return INFINITY;
        square += apart * apart;
    }
    return state->box || square * (1 - 0x1p-40) <= state->square ? 0 : INFINITY;
}

static bool touches(const struct state *state, const double corners[3][3])
{
    static const double here[3];
    double at[3];

    if (state->box)
        return triangle_meets_box(corners, state->box->axes, state->box->half, state->solid);
    return (state->solid ? triangle_column_distance(corners, here)
                         : triangle_nearest(corners, here, at)) <= state->square;
}

static bool visit(struct vicinity *near, const struct near_triangle *triangle)
{
    struct state *state = near->shape;

    if (!touches(state, triangle->corners))
        return true;
    if (triangle->hole && !state->ignore_holes) {
        near->holes_known = state->hole = true;
        return true;
    }
    state->hit = true;
    state->triangle = triangle->number;
    return false;
}

static bool overlap_one(const struct view *view, const double center[3], struct state *state,
                        struct overlap *overlap, _Atomic int64_t *left)
{
    struct vicinity near = { .view = view,
                             .from = { center[0], center[1], center[2] },
                             .low = { -state->reach[0], -state->reach[1] },
                             .high = { state->reach[0], state->reach[1] },
                             .key = met,
                             .visit = visit,
                             .shape = state,
                             .left = left };
    bool finite = true;

    *overlap = (struct overlap){ .status = RAY_WRONG };
    for (int axis = 0; axis < 3; axis++)
        finite &= isfinite(center[axis]) && isfinite(state->reach[axis]) && state->reach[axis] >= 0;
    if (!finite)
        return true;
    overlap->status = RAY_OUTSIDE;
    if (!vicinity_any(&near))
        return true;
    if (!vicinity_walk(&near))
        return false;
    overlap->status = state->hit ? RAY_HIT : state->hole ? RAY_HOLE : RAY_MISS;
    overlap->triangle = state->hit ? state->triangle : 0;
    return true;
}

struct work {
    const struct view *view;
    const struct overlap_box *boxes;
    const struct overlap_sphere *spheres;
    struct overlap *overlaps;
    const struct shape_ways *ways;
};

static bool box_one(void *context, size_t i, _Atomic int64_t *left)
{
    const struct work *work = context;
    const struct overlap_box *box = &work->boxes[i];
    struct state state = { .box = box,
                           .ignore_holes = work->ways->ignore_holes,
                           .solid = work->ways->solid };
    bool sizes = true;

    for (int axis = 0; axis < 3; axis++)
        sizes &= box->half[axis] >= 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++)
            state.reach[axis] += fabs(box->axes[k][axis]) * box->half[k];
        if (!sizes)
            state.reach[axis] = NAN;
    }
    return overlap_one(work->view, box->center, &state, &work->overlaps[i], left);
}

static bool sphere_one(void *context, size_t i, _Atomic int64_t *left)
{
    const struct work *work = context;
    const struct overlap_sphere *sphere = &work->spheres[i];
    const double radius = sphere->radius;
    struct state state = { .reach = { radius, radius, radius },
                           .square = radius * radius,
                           .ignore_holes = work->ways->ignore_holes,
                           .solid = work->ways->solid };

    return overlap_one(work->view, sphere->center, &state, &work->overlaps[i], left);
}

bool overlap_boxes(const struct view *view, const struct overlap_box *boxes, size_t count,
                   const struct shape_ways *ways, struct overlap *overlaps,
                   const struct executor *executor, struct fault *why)
{
    struct work work = { view, boxes, NULL, overlaps, ways };

    return shapes_run(count, ways, box_one, &work, executor, why);
}

bool overlap_spheres(const struct view *view, const struct overlap_sphere *spheres, size_t count,
                     const struct shape_ways *ways, struct overlap *overlaps,
                     const struct executor *executor, struct fault *why)
{
    struct work work = { view, NULL, spheres, overlaps, ways };

    return shapes_run(count, ways, sphere_one, &work, executor, why);
}

void overlap_box_between(const struct view *view, const double corner[3], const double opposite[3],
                         struct overlap_box *box)
{
    const struct grid *grid = view_grid(view);
    const double scale[3] = { grid->scale[0], grid->scale[1], 1 };

    memset(box, 0, sizeof *box);
    for (int axis = 0; axis < 3; axis++) {
        box->center[axis] = corner[axis] / 2 + opposite[axis] / 2;
        box->half[axis] = fabs(opposite[axis] / 2 - corner[axis] / 2) * scale[axis];
        box->axes[axis][axis] = 1;
    }
}

bool overlap_box_turned(const double center[3], const double half[3], const double quaternion[4],
                        struct overlap_box *box)
{
    double q[4], most = 0, square = 0;

    for (int k = 0; k < 4; k++) {
        if (!isfinite(quaternion[k]))
            return false;
        most = fmax(most, fabs(quaternion[k]));
    }
    if (most == 0)
        return false;
    for (int k = 0; k < 4; k++) {
        q[k] = quaternion[k] / most;
        square += q[k] * q[k];
    }
    memcpy(box->center, center, sizeof box->center);
    memcpy(box->half, half, sizeof box->half);
    /* Row k is where axis k goes: v + 2 w (q x v) + 2 q x (q x v), for a q of length 1. */
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;

        box->axes[k][k] = 1 - 2 * (q[l] * q[l] + q[m] * q[m]) / square;
        box->axes[k][l] = 2 * (q[k] * q[l] + q[3] * q[m]) / square;
        box->axes[k][m] = 2 * (q[k] * q[m] - q[3] * q[l]) / square;
    }
    return true;
}
