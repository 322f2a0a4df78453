#include "terrain/query/ray_walk.h"

#include <math.h>

/* Of positions that come of a few sums and products: how much they may be off, for their size. */
#define SLACK 0x1p-46
#define LEAST 0x1p-40

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
static void limit_by(double *least, double *greatest, double start, double size, double from,
                     double slope, double low, double high)
{
    double a = (low - from) / slope, b = (high - from) / slope, slack;

    if (!isfinite(a) || !isfinite(b))
        return;
    slack = SLACK * (fabs(a) + fabs(b) + size) + LEAST;
    limit(least, greatest, start + (a < b ? a : b) - slack, start + (a < b ? b : a) + slack);
}

/* Columns are numbered along the ray; false when the ray is nowhere near. */
static bool way_init(struct ray_walk *walk)
{
    const double *o = walk->line->from, *d = walk->line->along;
    struct ray_ground *ground = walk->ground;
    const int m = fabs(d[0]) >= fabs(d[1]) ? 0 : 1, n = 1 - m;
    const bool back = d[m] < 0;
    const int32_t quads = m == 0 ? ground->columns : ground->rows;
    const double speed = fabs(d[m]);
    double most, start, finish, slack, size;

    walk->m = m;
    walk->n = n;
    walk->level = walk->top = ray_ground_top(ground);
    walk->turned = back ? (1 << walk->top) - 1 : 0;
    walk->turn = back ? 1 << walk->top : 0;
    walk->m_sign = back ? -1 : 1;
    walk->end = back ? 1 << walk->top : quads;
    walk->rows = m == 0 ? ground->rows : ground->columns;
    walk->from = back ? (1 << walk->top) - quads : 0;
    walk->to = walk->end;
    most = 1 << walk->top;
    start = walk->turn + walk->m_sign * o[m];
    size = fabs(o[m]) + most;
    walk->n_slope = d[n] / speed;
    walk->z_slope = d[2] / speed;
    walk->n_at_0 = o[n] - start * walk->n_slope;
    walk->z_at_0 = o[2] - start * walk->z_slope;
    walk->n_slack = SLACK * (fabs(o[n]) + size) + LEAST;
    walk->z_slack = SLACK * (fabs(o[2]) + size * fabs(walk->z_slope)) + LEAST;
    walk->m_by_z = 1 / walk->z_slope;
    walk->m_slack = 2 * walk->z_slack * fabs(walk->m_by_z) + SLACK * size + LEAST;
    slack = SLACK * size + LEAST;
    finish = start + walk->line->reach * speed;
    limit(&walk->from, &walk->to, start - slack, INFINITY);
    limit(&walk->from, &walk->to, -INFINITY, finish + slack + SLACK * fabs(finish));
    limit_by(&walk->from, &walk->to, start, size, o[n], walk->n_slope, 0, walk->rows);
    limit_by(&walk->from, &walk->to, start, size, o[2], walk->z_slope,
             ground->all.least - GRID_LEVEL_ZERO, ground->all.greatest - GRID_LEVEL_ZERO);
    return walk->from <= walk->to;
}

/* A place on the landscape, so that floor is a quad of it. */
static int32_t quad_of(double place, int32_t quads)
{
    if (!(place > 0))
        return 0;
    return place < quads ? (int32_t)place : quads - 1;
}

/* Later than what was met, the ray does not matter. */
static void met(struct ray_walk *walk, const struct ray_meeting *meeting)
{
    const struct ray_line *line = walk->line;
    const double o = line->from[walk->m], speed = fabs(line->along[walk->m]);
    const double place = walk->turn + walk->m_sign * o + meeting->t * speed;
    const double slack =
        meeting->error * speed + SLACK * (fabs(o) + fabs(place) + (1 << walk->top)) + LEAST;

    if (place + slack < walk->to)
        walk->to = place + slack;
}

static void triangle(struct ray_walk *walk, const struct ray_triangle *triangle, bool hole)
{
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
    if (!walk->upright)
        met(walk, &meeting);
}

/* Its triangles from the first, 0 or 1, to the last. */
static void quad(struct ray_walk *walk, int32_t i, int32_t j, int first, int last)
{
    uint16_t corners[4];
    double least = INFINITY, greatest = -INFINITY;
    bool hole;

    ray_ground_corners(walk->ground, i, j, corners);
    for (int k = 0; k < 4; k++) {
        double z = corners[k] - GRID_LEVEL_ZERO;

        least = z < least ? z : least;
        greatest = z > greatest ? z : greatest;
    }
    if (walk->low > greatest || walk->high < least)
        return;
    hole = walk->ground->holes && view_hole(walk->ground->view, i, j);
    for (int k = first; k <= last; k++) {
        struct ray_triangle one = ray_triangle(i, j, k, corners);

        triangle(walk, &one, hole);
    }
}

/* The cell of a row of the column in sight. */
static inline void cell_of(const struct ray_walk *walk, int32_t row, int32_t *i, int32_t *j)
{
    const int32_t column = (walk->column ^ walk->turned) >> walk->level;

    *i = walk->m == 0 ? column : row;
    *j = walk->m == 0 ? row : column;
}

/* Brings the column into sight: which of its cells the ray may be in, and how high; asks memory for
 * what is looked at first. False when the ray has ended before it. */
static bool look_at_column(struct ray_walk *walk)
{
    const int level = walk->level;
    const double start = walk->column, end = (walk->column | ((1 << level) - 1)) + 1;
    const double near = start > walk->from ? start : walk->from;
    const double far = end < walk->to ? end : walk->to;
    const double n0 = walk->n_at_0 + near * walk->n_slope, n1 = walk->n_at_0 + far * walk->n_slope;
    const double z0 = walk->z_at_0 + near * walk->z_slope, z1 = walk->z_at_0 + far * walk->z_slope;
    int32_t i, j;

    if (walk->column >= walk->end || start > walk->to)
        return false;
    walk->near = near;
    walk->z_near = z0;
    walk->low = (z0 < z1 ? z0 : z1) - walk->z_slack;
    walk->high = (z0 < z1 ? z1 : z0) + walk->z_slack;
    walk->row = quad_of((n0 < n1 ? n0 : n1) - walk->n_slack, walk->rows) >> level;
    walk->last_row = quad_of((n0 < n1 ? n1 : n0) + walk->n_slack, walk->rows) >> level;
    cell_of(walk, walk->row, &i, &j);
    if (level == 0)
        ray_ground_fetch_ahead(walk->ground, i, j);
    else
        __builtin_prefetch(ray_ground_bounds(walk->ground, level, i, j));
    return true;
}

/* The bounds of all cells in sight that the ray may meet anything in; false: of none. */
static bool column_may(struct ray_walk *walk, struct node_range *all)
{
    *all = (struct node_range){ UINT16_MAX, 0 };
    for (int32_t row = walk->row; row <= walk->last_row; row++) {
        struct node_range bounds;
        int32_t i, j;

        cell_of(walk, row, &i, &j);
        bounds = ray_ground_range(walk->ground, walk->level, i, j);
        if (walk->low > bounds.greatest - GRID_LEVEL_ZERO ||
            walk->high < bounds.least - GRID_LEVEL_ZERO)
            continue;
        all->least = bounds.least < all->least ? bounds.least : all->least;
        all->greatest = bounds.greatest > all->greatest ? bounds.greatest : all->greatest;
    }
    return all->least <= all->greatest;
}

static void column_quads(struct ray_walk *walk)
{
    for (int32_t row = walk->row; row <= walk->last_row; row++) {
        int32_t i, j;

        cell_of(walk, row, &i, &j);
        quad(walk, i, j, 0, 1);
    }
}

/* To the next column, and up a level where a wider one begins. */
static void go_on(struct ray_walk *walk)
{
    walk->column = (walk->column | ((1 << walk->level) - 1)) + 1;
    if (walk->level < walk->top) {
        const int above = ray_ground_above(walk->ground, walk->level);

        if ((walk->column & ((1 << above) - 1)) == 0)
            walk->level = above;
    }
}

/* Into the cells in sight, which the ray may meet within these bounds: not before it has come down
 * or up to them. */
static void go_in(struct ray_walk *walk, struct node_range bounds)
{
    const double z = walk->z_near, above = bounds.greatest - GRID_LEVEL_ZERO;
    const double below = bounds.least - GRID_LEVEL_ZERO;
    const double to = z > above ? above : below;
    const double place = walk->near + (to - z) * walk->m_by_z - walk->m_slack;

    walk->level = ray_ground_below(walk->ground, walk->level);
    if ((z > above || z < below) && place > walk->near) {
        int32_t column = quad_of(place, walk->end);

        walk->from = place;
        if (column > walk->column)
            walk->column = column;
    }
}

/* Straight up or down: the quads around one place. */
static void meet_upright(struct ray_walk *walk)
{
    const double *o = walk->line->from;
    const int32_t columns = walk->ground->columns, rows = walk->ground->rows;

    for (int32_t j = (int32_t)ceil(o[1]) - 1; j <= (int32_t)floor(o[1]); j++)
        for (int32_t i = (int32_t)ceil(o[0]) - 1; i <= (int32_t)floor(o[0]); i++)
            if (i >= 0 && j >= 0 && i < columns && j < rows)
                quad(walk, i, j, o[0] - i < o[1] - j, o[0] - i <= o[1] - j);
}

static bool begin_upright(struct ray_walk *walk)
{
    const double *o = walk->line->from;
    const int32_t columns = walk->ground->columns, rows = walk->ground->rows;

    if (!(o[0] >= 0 && o[1] >= 0 && o[0] <= columns && o[1] <= rows))
        return false;
    walk->low = -INFINITY;
    walk->high = INFINITY;
    ray_ground_fetch_ahead(walk->ground, quad_of(o[0], columns), quad_of(o[1], rows));
    return true;
}

bool ray_walk_begin(struct ray_walk *walk)
{
    walk->met = walk->over_hole = false;
    walk->upright = walk->line->along[0] == 0 && walk->line->along[1] == 0;
    if (walk->upright)
        return begin_upright(walk);
    if (!way_init(walk))
        return false;
    walk->column = quad_of(walk->from, walk->end);
    /* A short ray begins among cells of its own size. */
    while (walk->level > BLOCK_LOG2 && walk->to - walk->from < 1 << (walk->level - 1))
        walk->level--;
    return look_at_column(walk);
}

bool ray_walk_step(struct ray_walk *walk)
{
    struct node_range bounds;

    if (walk->upright) {
        meet_upright(walk);
        return false;
    }
    if (walk->level == 0) {
        column_quads(walk);
        go_on(walk);
    } else if (column_may(walk, &bounds)) {
        go_in(walk, bounds);
    } else {
        go_on(walk);
    }
    if (walk->met && walk->ways->any)
        return false;
    return look_at_column(walk);
}
