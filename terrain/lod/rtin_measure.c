#include "terrain/lod/rtin_inside.h"

#include <math.h>
#include <stdlib.h>

/* One square of the hierarchy: halved by a diagonal, then quartered by both. Corners by compass. */
struct square {
    int32_t x, y, side; /* base vertices */
    double nw, ne, sw, se, centre;
    bool falling; /* halved from north-west to south-east */
};

struct measuring {
    const struct rtin_field *field;
    int32_t n;
    double *heights, *centres; /* a row */
    double *errors, *rest, *sides;
};

static void raise_to(double *most, double error)
{
    if (error > *most)
        *most = error;
}

/* The greatest distance between heights[from .. to] and a line that is `at` at from. */
static double farthest(const double *heights, int32_t from, int32_t to, double at, double slope)
{
    double most = 0;

    for (int32_t i = from; i <= to; i++)
        raise_to(&most, fabs(heights[i] - (at + slope * (i - from))));
    return most;
}

/* Row v of the two triangles that a diagonal makes; the diagonal itself apart, into *side. */
static double halves(const struct measuring *m, const struct square *s, int32_t v, double *side)
{
    const double *row = m->heights + s->x;
    const double down = (double)v / s->side, step = 1.0 / s->side;
    const int32_t on = s->falling ? v : s->side - v;
    double west, west_slope, east, east_slope, most;

    if (s->falling) {
        west = s->nw + (s->sw - s->nw) * down;
        west_slope = (s->se - s->sw) * step;
        east = s->nw + (s->se - s->nw) * down;
        east_slope = (s->ne - s->nw) * step;
    } else {
        west = s->nw + (s->sw - s->nw) * down;
        west_slope = (s->ne - s->nw) * step;
        east = s->ne + (s->sw - s->ne) * down;
        east_slope = (s->se - s->sw) * step;
        raise_to(side, fabs(m->centres[s->x + s->side - 1 - v] -
                            (s->ne + (s->sw - s->ne) * (v + 0.5) * step)));
    }
    if (v > 0)
        raise_to(side, fabs(row[on] - east));
    most = farthest(row, 0, on - 1, west, west_slope);
    raise_to(&most, farthest(row, on + 1, s->side, east + east_slope, east_slope));
    return most;
}

static void halved(const struct measuring *m, const struct square *s, int32_t v)
{
    const int32_t stride = m->field->stride, i = s->x / stride, j = s->y / stride;
    double side = 0, most;

    if (v == s->side) {
        /* The south side; that of larger squares is a smaller one's hypotenuse. */
        if (s->side == stride)
            raise_to(&m->rest[j * m->n + i],
                     farthest(m->heights + s->x, 1, stride - 1, s->sw + (s->se - s->sw) / stride,
                              (s->se - s->sw) / stride));
        return;
    }
    most = halves(m, s, v, &side);
    raise_to(&most, side);
    if (s->side == stride) {
        raise_to(&m->rest[j * m->n + i], most);
        raise_to(&m->sides[j * m->n + i], side);
    } else {
        const int32_t half = s->side / stride / 2;

        raise_to(&m->errors[(j + half) * (m->n + 1) + i + half], most);
    }
}

/* Row v of the triangle with the north (or south) side for its hypotenuse. */
static double across(const double *row, const struct square *s, int32_t depth, double west,
                     double east)
{
    const double step = 1.0 / s->side;
    const double inward = (2 * s->centre - west - east) * step, slope = (east - west) * step;

    return farthest(row, depth, s->side - depth, west + inward * depth + slope * depth, slope);
}

static void quartered(const struct measuring *m, const struct square *s, int32_t v, bool whole[2])
{
    const double *row = m->heights + s->x;
    const int32_t stride = m->field->stride, i = s->x / stride, j = s->y / stride;
    const int32_t side = s->side / stride, half = side / 2, across_row = m->n + 1;
    const double step = 1.0 / s->side;
    const int32_t depth = v < s->side - v ? v : s->side - v;

    if (whole[0] && v <= s->side / 2)
        raise_to(&m->errors[j * across_row + i + half], across(row, s, depth, s->nw, s->ne));
    if (whole[0] && whole[1] && v >= s->side / 2)
        raise_to(&m->errors[(j + side) * across_row + i + half],
                 across(row, s, depth, s->sw, s->se));
    if (whole[1]) {
        const double slope = (2 * s->centre - s->nw - s->sw) * step;

        raise_to(&m->errors[(j + half) * across_row + i],
                 farthest(row, 0, depth, s->nw + (s->sw - s->nw) * step * v, slope));
    }
    if (whole[0] && whole[1]) {
        const double slope = (2 * s->centre - s->ne - s->se) * step;

        raise_to(&m->errors[(j + half) * across_row + i + side],
                 farthest(row, s->side - depth, s->side,
                          s->ne + (s->se - s->ne) * step * v + slope * depth, -slope));
    }
}

static void measure_square(const struct measuring *m, int32_t level, int32_t i, int32_t j,
                           int32_t v)
{
    const struct rtin_field *field = m->field;
    const int32_t side = field->stride << level, cells = 1 << level, row = m->n + 1;
    const double *corner = field->grid + j * cells * row + i * cells;
    struct square s = { i * side, j * side, side, 0, 0, 0, 0, 0, false };
    /* Whole to the east, to the south; and as far as the middle. */
    bool whole[2] = { s.x + side < field->columns, s.y + side < field->rows };

    s.nw = corner[0];
    s.ne = corner[cells];
    s.sw = corner[cells * row];
    s.se = corner[cells * row + cells];
    s.falling = cells == m->n || ((i ^ j) & 1) == 0;
    if (whole[0] && whole[1])
        halved(m, &s, v);
    if (level == 0)
        return;
    s.centre = corner[cells / 2 * row + cells / 2];
    if (s.x + side / 2 < field->columns && s.y + side / 2 < field->rows)
        quartered(m, &s, v, whole);
}

static void measure_row(const struct measuring *m, int32_t y)
{
    for (int32_t level = 0; level <= m->field->log2; level++) {
        const int32_t side = m->field->stride << level, count = m->n >> level;
        /* The last row is the south side of the squares above it. */
        const int32_t j = y > 0 && y == m->field->rows - 1 ? (y - 1) / side : y / side;

        for (int32_t i = 0; i < count && i * side < m->field->columns; i++) {
            measure_square(m, level, i, j, y - j * side);
            if (level == 0 && j > 0 && y == j * side)
                measure_square(m, level, i, j - 1, side);
        }
    }
}

bool rtin_measure(const struct rtin_field *field, double *errors, double *rest, double *sides,
                  struct fault *why)
{
    double *rows = malloc((size_t)field->columns * 2 * sizeof *rows);
    struct measuring m = {
        field, 1 << field->log2, rows, rows + field->columns, errors, rest, sides
    };
    bool done = rows;

    if (!rows)
        return fault_set(why, FAULT_MEMORY, "no memory to measure %d vertices a row",
                         field->columns);
    for (int32_t y = 0; done && y < field->rows; y++) {
        done = field->read(field->context, y, m.heights, m.centres, why);
        if (done)
            measure_row(&m, y);
    }
    free(rows);
    return done;
}
