#include "terrain/query/ray_exact.h"

#include <math.h>

/* A linear function of t, at_0 + t * slope, which is at least 0 on one side of a line. */
struct edge {
    struct integer at_0, slope;
};

static int least_exponent(const double v[3], int most)
{
    for (int k = 0; k < 3; k++) {
        int64_t mantissa;
        int exponent;

        integer_split(v[k], &mantissa, &exponent);
        if (mantissa && exponent < most)
            most = exponent;
    }
    return most;
}

void ray_exact_ready(struct ray_exact *exact, const struct ray_line *line)
{
    /* Vertices are at whole numbers: the origin's unit is not above 1. */
    exact->from_unit = least_exponent(line->from, 0);
    exact->along_unit = least_exponent(line->given, 1024);
    for (int k = 0; k < 3; k++) {
        integer_set_double(&exact->from[k], line->from[k], exact->from_unit);
        integer_set_double(&exact->along[k], line->given[k], exact->along_unit);
    }
    exact->endless = isinf(line->given_reach);
    if (!exact->endless)
        integer_split(line->given_reach, &exact->reach, &exact->reach_unit);
    exact->ready = true;
}

static void add_times(struct integer *to, const struct integer *number, int32_t times)
{
    struct integer factor, product;

    integer_set(&factor, times, 0);
    integer_multiply(&product, number, &factor);
    integer_add(to, to, &product);
}

/* x of v.x, v.y, v.z added up with these factors. */
static void weigh(struct integer *to, const struct integer v[3], int32_t x, int32_t y, int32_t z)
{
    integer_set(to, 0, 0);
    if (x)
        add_times(to, &v[0], x);
    if (y)
        add_times(to, &v[1], y);
    if (z)
        add_times(to, &v[2], z);
}

/* x * X + y * Y + z * Z + constant along the ray. */
static void edge_init(struct edge *edge, const struct ray_exact *exact, int32_t x, int32_t y,
                      int32_t z, int64_t constant)
{
    struct integer number;

    weigh(&edge->at_0, exact->from, x, y, z);
    integer_set(&number, constant, -exact->from_unit);
    integer_add(&edge->at_0, &edge->at_0, &number);
    weigh(&edge->slope, exact->along, x, y, z);
}

/* The height over the triangle's plane. */
static void plane_init(struct edge *plane, const struct ray_exact *exact,
                       const struct ray_triangle *t)
{
    edge_init(plane, exact, -t->east, -t->south, 1,
              (int64_t)t->east * t->i + (int64_t)t->south * t->j - t->level);
}

static void edges_init(struct edge edges[3], const struct ray_exact *exact,
                       const struct ray_triangle *t)
{
    if (t->south_west) {
        edge_init(&edges[0], exact, 1, 0, 0, -(int64_t)t->i);
        edge_init(&edges[1], exact, 0, -1, 0, (int64_t)t->j + 1);
        edge_init(&edges[2], exact, -1, 1, 0, (int64_t)t->i - t->j);
    } else {
        edge_init(&edges[0], exact, -1, 0, 0, (int64_t)t->i + 1);
        edge_init(&edges[1], exact, 0, 1, 0, -(int64_t)t->j);
        edge_init(&edges[2], exact, 1, -1, 0, (int64_t)t->j - t->i);
    }
}

/* Where the edge's function is 0; its slope is not. */
static void edge_time(struct ray_time *time, const struct edge *edge)
{
    integer_copy(&time->numerator, &edge->at_0);
    integer_copy(&time->denominator, &edge->slope);
    time->numerator.sign *= -edge->slope.sign;
    time->denominator.sign = 1;
}

static bool within_reach(const struct ray_exact *exact, const struct ray_time *time)
{
    struct integer reach, end, numerator;
    int shift;

    if (exact->endless)
        return true;
    integer_set(&reach, exact->reach, 0);
    integer_multiply(&end, &reach, &time->denominator);
    integer_copy(&numerator, &time->numerator);
    shift = exact->reach_unit + exact->along_unit - exact->from_unit;
    if (shift >= 0)
        integer_shift(&end, &end, shift);
    else
        integer_shift(&numerator, &numerator, -shift);
    return integer_compare(&numerator, &end) <= 0;
}

static bool inside_at(const struct edge *edge, const struct ray_time *time)
{
    struct integer a, b;

    integer_multiply(&a, &edge->at_0, &time->denominator);
    integer_multiply(&b, &edge->slope, &time->numerator);
    integer_add(&a, &a, &b);
    return a.sign >= 0;
}

/* The first t of the ray on the inner side of all edges. */
static bool first_inside(const struct ray_exact *exact, const struct edge *edges, int count,
                         struct ray_time *time)
{
    integer_set(&time->numerator, 0, 0);
    integer_set(&time->denominator, 1, 0);
    for (int k = 0; k < count; k++) {
        struct ray_time entry;

        if (edges[k].slope.sign <= 0)
            continue;
        edge_time(&entry, &edges[k]);
        if (ray_exact_compare(&entry, time) > 0)
            *time = entry;
    }
    for (int k = 0; k < count; k++)
        if (edges[k].slope.sign <= 0 && !inside_at(&edges[k], time))
            return false;
    return within_reach(exact, time);
}

bool ray_exact_meet(const struct ray_exact *exact, const struct ray_triangle *triangle,
                    struct ray_time *time)
{
    struct edge plane, edges[3];

    plane_init(&plane, exact, triangle);
    if (plane.slope.sign == 0 && plane.at_0.sign != 0)
        return false;
    edges_init(edges, exact, triangle);
    if (plane.slope.sign == 0)
        return first_inside(exact, edges, 3, time);
    edge_time(time, &plane);
    return time->numerator.sign >= 0 && inside_at(&edges[0], time) && inside_at(&edges[1], time) &&
           inside_at(&edges[2], time) && within_reach(exact, time);
}

bool ray_exact_over(const struct ray_exact *exact, int32_t columns, int32_t rows)
{
    struct edge edges[4];
    struct ray_time time;

    edge_init(&edges[0], exact, 1, 0, 0, 0);
    edge_init(&edges[1], exact, -1, 0, 0, columns);
    edge_init(&edges[2], exact, 0, 1, 0, 0);
    edge_init(&edges[3], exact, 0, -1, 0, rows);
    return first_inside(exact, edges, 4, &time);
}

int ray_exact_compare(const struct ray_time *a, const struct ray_time *b)
{
    struct integer left, right;

    integer_multiply(&left, &a->numerator, &b->denominator);
    integer_multiply(&right, &b->numerator, &a->denominator);
    return integer_compare(&left, &right);
}

double ray_exact_time(const struct ray_exact *exact, const struct ray_time *time)
{
    return integer_ratio(&time->numerator, &time->denominator,
                         exact->from_unit - exact->along_unit);
}

int ray_exact_side(const struct ray_exact *exact, const struct ray_triangle *triangle)
{
    struct edge plane;

    plane_init(&plane, exact, triangle);
    return plane.slope.sign;
}
