#include "terrain/query/ray_walk.h"

#include <math.h>

/* Of positions that come of a few sums and products: how much they may be off, for their size. */
#define SLACK 0x1p-46
#define LEAST 0x1p-40

/* The walk goes column by column along the axis that the ray runs along most, and in each looks at
 * the few cells that the ray may be in: always at all of them, so none is missed where the ray
 * runs along a border. Places on that axis are called m, on the other n. */
struct march {
    struct ray_walk *walk;
    int m, n;         /* axes */
    bool back;        /* towards lesser m */
    int32_t quads[2]; /* of the landscape, along m and n */
    double from, to;  /* the part of the ray that matters */
    double n_slope, z_slope, n_slack, z_slack;
    int32_t column;
    int level, top;
};

static double n_at(const struct march *march, double m)
{
    const double *o = march->walk->line->from;

    return o[march->n] + (m - o[march->m]) * march->n_slope;
}

static double z_at(const struct march *march, double m)
{
    const double *o = march->walk->line->from;

    return o[2] + (m - o[march->m]) * march->z_slope;
}

/* A closer end, never too close. NaN changes nothing. */
static void limit(double *least, double *greatest, double a, double b)
{
    double low = a < b ? a : b, high = a < b ? b : a;

    if (low > *least)
        *least = low;
    if (high < *greatest)
        *greatest = high;
}

/* Where the ray is between two values of another coordinate, on the m axis. */
static void limit_by(double *least, double *greatest, double o, double from, double slope,
                     double low, double high)
{
    double a = (low - from) / slope, b = (high - from) / slope, slack;

    if (!isfinite(a) || !isfinite(b))
        return;
    slack = SLACK * (fabs(a) + fabs(b) + fabs(o)) + LEAST;
    limit(least, greatest, o + (a < b ? a : b) - slack, o + (a < b ? b : a) + slack);
}

/* False when the ray is nowhere near. */
static bool march_init(struct march *march, struct ray_walk *walk)
{
    const double *o = walk->line->from, *d = walk->line->along;
    const struct ray_ground *ground = walk->ground;
    const int m = fabs(d[0]) >= fabs(d[1]) ? 0 : 1, n = 1 - m;
    double least = 0, greatest, end = o[m] + walk->line->reach * d[m], slack;

    march->walk = walk;
    march->m = m;
    march->n = n;
    march->back = d[m] < 0;
    march->quads[0] = m == 0 ? ground->columns : ground->rows;
    march->quads[1] = m == 0 ? ground->rows : ground->columns;
    greatest = march->quads[0];
    march->n_slope = d[n] / d[m];
    march->z_slope = d[2] / d[m];
    march->n_slack = SLACK * (fabs(o[0]) + fabs(o[1]) + greatest) + LEAST;
    march->z_slack = SLACK * (fabs(o[2]) + (fabs(o[m]) + greatest) * fabs(march->z_slope)) + LEAST;
    slack = SLACK * (fabs(o[m]) + greatest) + LEAST;
    if (isnan(end))
        end = o[m];
    limit(&least, &greatest, march->back ? -INFINITY : o[m] - slack,
          march->back ? o[m] + slack : INFINITY);
    slack += SLACK * fabs(end);
    limit(&least, &greatest, march->back ? end - slack : -INFINITY,
          march->back ? INFINITY : end + slack);
    limit_by(&least, &greatest, o[m], o[n], march->n_slope, 0, march->quads[1]);
    limit_by(&least, &greatest, o[m], o[2], march->z_slope, ground->all.least - GRID_LEVEL_ZERO,
             ground->all.greatest - GRID_LEVEL_ZERO);
    march->from = march->back ? greatest : least;
    march->to = march->back ? least : greatest;
    march->top = ray_ground_top(ground);
    return least <= greatest;
}

/* A place on the landscape, so that floor is a quad of it. */
static int32_t quad_of(double place, int32_t quads)
{
    if (!(place > 0))
        return 0;
    return place < quads ? (int32_t)place : quads - 1;
}

/* Later than what was met, the ray does not matter. */
static void met(struct march *march, const struct ray_meeting *meeting)
{
    const struct ray_line *line = march->walk->line;
    double along = line->along[march->m];
    double place = line->from[march->m] + meeting->t * along;
    double slack =
        meeting->error * fabs(along) + SLACK * (fabs(line->from[march->m]) + fabs(place)) + LEAST;

    if (march->back ? place - slack > march->to : place + slack < march->to)
        march->to = march->back ? place - slack : place + slack;
}

static void triangle(struct march *march, const struct ray_triangle *triangle, bool hole)
{
    struct ray_walk *walk = march->walk;
    struct ray_meeting meeting;

    if (hole && walk->over_hole)
        return;
    if (!ray_meet(walk->line, walk->exact, triangle, &meeting))
        return;
    if (hole) {
        walk->over_hole = true;
        return;
    }
    if (walk->met) {
        int order = ray_meet_compare(walk->line, walk->exact, &meeting, &walk->first);
        const struct ray_triangle *was = &walk->first.triangle;
        bool lesser = triangle->j != was->j   ? triangle->j < was->j
                      : triangle->i != was->i ? triangle->i < was->i
                                              : triangle->south_west < was->south_west;

        if (order > 0 || (order == 0 && !lesser))
            return;
    }
    walk->met = true;
    walk->first = meeting;
    met(march, &meeting);
}

static void quad(struct march *march, int32_t i, int32_t j, double low, double high)
{
    struct ray_walk *walk = march->walk;
    uint16_t corners[4];
    double least = INFINITY, greatest = -INFINITY;
    bool hole;

    ray_ground_corners(walk->ground, i, j, corners);
    for (int k = 0; k < 4; k++) {
        double z = corners[k] - GRID_LEVEL_ZERO;

        least = z < least ? z : least;
        greatest = z > greatest ? z : greatest;
    }
    if (low > greatest || high < least)
        return;
    hole = walk->ground->holes && view_hole(walk->ground->view, i, j);
    for (int k = 0; k < 2; k++) {
        struct ray_triangle one = ray_triangle(i, j, k, corners);

        triangle(march, &one, hole);
    }
}

/* Whether the ray may meet anything in the column's cells of this level; at the lowest, it is
 * found out. `near` and `far` are the column's part of the ray. */
static bool column_may(struct march *march, double near, double far)
{
    const double n0 = n_at(march, near), n1 = n_at(march, far);
    const double z0 = z_at(march, near), z1 = z_at(march, far);
    const double low = (z0 < z1 ? z0 : z1) - march->z_slack;
    const double high = (z0 < z1 ? z1 : z0) + march->z_slack;
    const int level = march->level;
    const int32_t column = march->column >> level;
    const int32_t first = quad_of((n0 < n1 ? n0 : n1) - march->n_slack, march->quads[1]) >> level;
    const int32_t last = quad_of((n0 < n1 ? n1 : n0) + march->n_slack, march->quads[1]) >> level;

    for (int32_t row = first; row <= last; row++) {
        struct node_range bounds;

        if (level == 0) {
            quad(march, march->m == 0 ? column : row, march->m == 0 ? row : column, low, high);
            continue;
        }
        bounds = ray_ground_range(march->walk->ground, level, march->m == 0 ? column : row,
                                  march->m == 0 ? row : column);
        if (!(low > bounds.greatest - GRID_LEVEL_ZERO || high < bounds.least - GRID_LEVEL_ZERO))
            return true;
    }
    return false;
}

static void march_on(struct march *march)
{
    const int32_t step = 1 << march->level;
    const int32_t start = march->column & -step;

    march->column = march->back ? start - 1 : start + step;
    if (march->level < march->top) {
        const int above = ray_ground_above(march->walk->ground, march->level);
        const int32_t mask = (1 << above) - 1;

        if (((march->back ? march->column + 1 : march->column) & mask) == 0)
            march->level = above;
    }
}

static bool past_end(const struct march *march)
{
    if (march->back)
        return march->column < 0 || march->column + 1 < march->to;
    return march->column >= march->quads[0] || march->column > march->to;
}

static void walk_columns(struct march *march)
{
    const struct ray_walk *walk = march->walk;

    march->column = quad_of(march->from, march->quads[0]);
    /* A start on a border is in the column before it, too. */
    if (!march->back && march->column > 0 && march->from <= march->column)
        march->column--;
    march->level = march->top;
    while (!past_end(march)) {
        const int32_t start = march->column & -(1 << march->level);
        double near = march->back ? march->column + 1 : march->column;
        double far = march->back ? start : start + (1 << march->level);

        if (march->back) {
            near = near < march->from ? near : march->from;
            far = far > march->to ? far : march->to;
        } else {
            near = near > march->from ? near : march->from;
            far = far < march->to ? far : march->to;
        }
        if (column_may(march, near, far))
            march->level = ray_ground_below(walk->ground, march->level);
        else
            march_on(march);
        if (walk->met && walk->ways->any)
            return;
    }
}

/* Straight up or down: the quads around one place. */
static void walk_vertical(struct march *march)
{
    const struct ray_walk *walk = march->walk;
    const double *o = walk->line->from;
    const int32_t columns = walk->ground->columns, rows = walk->ground->rows;

    if (!(o[0] >= 0 && o[1] >= 0 && o[0] <= columns && o[1] <= rows))
        return;
    for (int32_t j = (int32_t)ceil(o[1]) - 1; j <= (int32_t)floor(o[1]); j++)
        for (int32_t i = (int32_t)ceil(o[0]) - 1; i <= (int32_t)floor(o[0]); i++)
            if (i >= 0 && j >= 0 && i < columns && j < rows)
                quad(march, i, j, -INFINITY, INFINITY);
}

void ray_walk(struct ray_walk *walk)
{
    struct march march = { .walk = walk };

    walk->met = walk->over_hole = false;
    if (walk->line->along[0] == 0 && walk->line->along[1] == 0)
        walk_vertical(&march);
    else if (march_init(&march, walk))
        walk_columns(&march);
}
