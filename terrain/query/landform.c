#include "terrain/query/landform.h"

#include <math.h>

#include "terrain/base/angle.h"
#include "terrain/base/wide.h"

/* Rows are worked out in runs of so many; a rise of less than so much of a code a quad is what
 * rounding may make of level ground. */
enum { RUN = 256 };
static const double level = 1e-9;

/* From codes a quad to metres a metre, along x and y. */
struct per_quad {
    double x, y;
};

static struct per_quad per_quad_of(const struct grid *grid)
{
    return (struct per_quad){ grid->scale[2] / 128 / grid->scale[0],
                              grid->scale[2] / 128 / grid->scale[1] };
}

static double unless_level(double rise)
{
    return fabs(rise) < level ? 0 : rise;
}

/* Slope and aspect */

/* Rises in metres a metre, by weights of 1, 2 and 1. */
WIDE static void horn(struct per_quad quad, const double *n, const double *h, const double *s,
                      int32_t count, double *east, double *south)
{
    for (int32_t i = 0; i < count; i++) {
        double x = (n[i + 2] + 2 * h[i + 2] + s[i + 2]) - (n[i] + 2 * h[i] + s[i]);
        double y = (s[i] + 2 * s[i + 1] + s[i + 2]) - (n[i] + 2 * n[i + 1] + n[i + 2]);

        east[i] = unless_level(x / 8) * quad.x;
        south[i] = unless_level(y / 8) * quad.y;
    }
}

WIDE static void rises(const double *east, const double *south, int32_t count, double *rise)
{
    for (int32_t i = 0; i < count; i++)
        rise[i] = sqrt(east[i] * east[i] + south[i] * south[i]);
}

/* The way down is against the rises. */
static void aspects(const double *east, const double *south, int32_t count, double *to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = fabs(east[i]) / fabs(south[i]); /* infinite: 90 degrees; NaN: level */
    angles_of_tangents(count, to, to);
    for (int32_t i = 0; i < count; i++) {
        double angle = south[i] < 0 ? 180 - to[i] : to[i];

        if (east[i] > 0)
            angle = angle > 0 ? 360 - angle : 0;
        to[i] = east[i] == 0 && south[i] == 0 ? NAN : angle < 360 ? angle : 0;
    }
}

/* Curvatures */

/* Derivatives in the middle of a window, z = r x^2 / 2 + s x y + t y^2 / 2 + p x + q y + u. */
struct quadratic {
    double p, q, r, s, t;
};

static inline struct quadratic fit(const struct grid *grid, struct per_quad quad, const double *n,
                                   const double *h, const double *s)
{
    double west = n[0] + h[0] + s[0], middle = n[1] + h[1] + s[1], east = n[2] + h[2] + s[2];
    double north = n[0] + n[1] + n[2], along = h[0] + h[1] + h[2], south = s[0] + s[1] + s[2];

    return (struct quadratic){
        .p = unless_level((east - west) / 6) * quad.x,
        .q = unless_level((south - north) / 6) * quad.y,
        .r = (west + east - 2 * middle) / 3 * quad.x / grid->scale[0],
        .s = (n[0] + s[2] - n[2] - s[0]) / 4 * quad.x / grid->scale[1],
        .t = (north + south - 2 * along) / 3 * quad.y / grid->scale[1],
    };
}

/* 0 / 0 on level ground is the NaN that is meant. */
static inline double bend(enum landform what, const struct quadratic *z)
{
    const double pp = z->p * z->p, qq = z->q * z->q, twice = 2 * z->p * z->q * z->s;
    const double steep = pp + qq, root = sqrt(1 + steep), cubed = (1 + steep) * root;

    switch (what) {
    case LANDFORM_PLAN:
        return -(qq * z->r - twice + pp * z->t) / (steep * sqrt(steep));
    case LANDFORM_PROFILE:
        return -(pp * z->r + twice + qq * z->t) / (steep * cubed);
    default:
        return -((1 + qq) * z->r - twice + (1 + pp) * z->t) / (2 * cubed);
    }
}

WIDE static void bends(enum landform what, const struct grid *grid, const double *n,
                       const double *h, const double *s, int32_t count, double *to)
{
    const struct per_quad quad = per_quad_of(grid);

    for (int32_t i = 0; i < count; i++) {
        struct quadratic z = fit(grid, quad, n + i, h + i, s + i);

        to[i] = bend(what, &z) + 0.0; /* no -0 */
    }
}

/* Rows, windows and places */

static void run(enum landform what, const struct grid *grid, const double *north,
                const double *here, const double *south, int32_t count, double *to)
{
    double x[RUN], y[RUN], rise[RUN];

    if (what != LANDFORM_SLOPE && what != LANDFORM_ASPECT) {
        bends(what, grid, north, here, south, count, to);
        return;
    }
    horn(per_quad_of(grid), north, here, south, count, x, y);
    if (what == LANDFORM_ASPECT) {
        aspects(x, y, count, to);
        return;
    }
    rises(x, y, count, rise);
    angles_of_tangents(count, rise, to);
}

void landform_row(enum landform what, const struct grid *grid, const double *north,
                  const double *here, const double *south, int32_t count, double *to)
{
    for (int32_t first = 0; first < count; first += RUN)
        run(what, grid, north + first, here + first, south + first,
            count - first < RUN ? count - first : RUN, to + first);
}

void landform_window(const double window[9], const struct grid *grid, double forms[LANDFORMS])
{
    for (int what = 0; what < LANDFORMS; what++)
        landform_row((enum landform)what, grid, window, window + 3, window + 6, 1, forms + what);
}

/* Line through the next two of a row or column, at its place `at`; what lies `on` the line. */
static void continue_line(double *codes, int64_t count, int64_t step, int64_t at, int64_t on)
{
    for (int64_t i = 0; i < count; i++, codes += step)
        codes[at] = 2 * codes[at + on] - codes[at + 2 * on];
}

static void read_inside(const struct view *view, struct rect inside, double *codes, int64_t stride)
{
    uint16_t row[RUN];

    for (int32_t y = 0; y < inside.height; y++, codes += stride) {
        for (int32_t x = 0; x < inside.width; x += RUN) {
            int32_t count = inside.width - x < RUN ? inside.width - x : RUN;

            view_read_heights(view, (struct rect){ inside.x + x, inside.y + y, count, 1 }, row,
                              RUN);
            for (int32_t i = 0; i < count; i++)
                codes[x + i] = row[i];
        }
    }
}

void landform_read(const struct view *view, struct rect from, double *codes, int64_t stride)
{
    const struct rect inside = rect_meet(from, view_rect(view));
    const int64_t left = inside.x - from.x, right = left + inside.width;
    const int64_t top = inside.y - from.y, bottom = top + inside.height;
    double *first = codes + top * stride;

    read_inside(view, inside, first + left, stride);
    if (left > 0)
        continue_line(first, inside.height, stride, 0, 1);
    if (right < from.width)
        continue_line(first, inside.height, stride, right, -1);
    if (top > 0)
        continue_line(codes, from.width, 1, 0, stride);
    if (bottom < from.height)
        continue_line(codes, from.width, 1, bottom * stride, -stride);
}

bool landform_at(const struct view *view, const double at[2], double forms[LANDFORMS])
{
    const struct grid *grid = view_grid(view);
    double around[16], window[9], across, down;
    int32_t i, j;

    if (!(at[0] >= 0 && at[1] >= 0 && at[0] <= grid->columns - 1 && at[1] <= grid->rows - 1))
        return false;
    i = at[0] < grid->columns - 2 ? (int32_t)at[0] : grid->columns - 2;
    j = at[1] < grid->rows - 2 ? (int32_t)at[1] : grid->rows - 2;
    across = at[0] - i;
    down = at[1] - j;
    landform_read(view, (struct rect){ i - 1, j - 1, 4, 4 }, around, 4);
    for (int k = 0; k < 9; k++) {
        const double *nw = around + k / 3 * 4 + k % 3;
        const double side = nw[across >= down ? 1 : 4];

        window[k] = across >= down ? *nw + across * (side - *nw) + down * (nw[5] - side)
                                   : *nw + across * (nw[5] - side) + down * (side - *nw);
    }
    landform_window(window, grid, forms);
    return true;
}
