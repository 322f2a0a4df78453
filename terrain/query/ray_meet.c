#include "terrain/query/ray_meet.h"

#include <math.h>

/* A few roundings of 2^-53 each, of terms whose sizes are added up; and what underflow may hide. */
#define ROUNDING 0x1p-50
#define LEAST    1e-280

/* A linear function of t in doubles, and how far off its two numbers may be. */
struct linear {
    double at_0, slope, at_0_error, slope_error;
};

enum sure { SURELY_NOT, SURELY, UNSURE };

static struct linear plane_of(const struct ray_line *line, const struct ray_triangle *triangle)
{
    const double *o = line->from, *d = line->along;
    const double a = triangle->east, b = triangle->south;
    struct linear plane;

    plane.at_0 = (o[2] - triangle->level) - a * (o[0] - triangle->i) - b * (o[1] - triangle->j);
    plane.at_0_error =
        ROUNDING * (fabs(o[2]) + fabs((double)triangle->level) +
                    fabs(a) * (fabs(o[0]) + triangle->i) + fabs(b) * (fabs(o[1]) + triangle->j)) +
        LEAST;
    plane.slope = d[2] - a * d[0] - b * d[1];
    plane.slope_error = ROUNDING * (fabs(d[2]) + fabs(a * d[0]) + fabs(b * d[1])) + LEAST;
    return plane;
}

static struct linear edge_of(const struct ray_line *line, double x, double y, double constant)
{
    const double *o = line->from, *d = line->along;

    return (struct linear){ x * o[0] + y * o[1] + constant, x * d[0] + y * d[1],
                            ROUNDING * (fabs(x * o[0]) + fabs(y * o[1]) + fabs(constant)) + LEAST,
                            ROUNDING * (fabs(x * d[0]) + fabs(y * d[1])) + LEAST };
}

/* The edge's function where the plane's is 0, times the plane's slope's size. */
static enum sure inside(const struct linear *edge, const struct linear *plane)
{
    double value = edge->at_0 * plane->slope - plane->at_0 * edge->slope;
    double error = fabs(edge->at_0) * plane->slope_error +
                   edge->at_0_error * (fabs(plane->slope) + plane->slope_error) +
                   fabs(plane->at_0) * edge->slope_error +
                   plane->at_0_error * (fabs(edge->slope) + edge->slope_error);

    error +=
        ROUNDING * (error + fabs(edge->at_0 * plane->slope) + fabs(plane->at_0 * edge->slope)) +
        LEAST;
    if (plane->slope < 0)
        value = -value;
    if (value > error)
        return SURELY;
    return value < -error ? SURELY_NOT : UNSURE;
}

static enum sure meet_fast(const struct ray_line *line, const struct ray_triangle *triangle,
                           struct ray_meeting *meeting)
{
    const struct linear plane = plane_of(line, triangle);
    const double i = triangle->i, j = triangle->j;
    const bool sw = triangle->south_west;
    struct linear edges[3];
    bool unsure = false;

    if (!(fabs(plane.slope) > plane.slope_error))
        return UNSURE;
    meeting->t = -plane.at_0 / plane.slope;
    meeting->error = (plane.at_0_error + fabs(meeting->t) * plane.slope_error) /
                         (fabs(plane.slope) - plane.slope_error) +
                     ROUNDING * fabs(meeting->t) + LEAST;
    if (meeting->t + meeting->error < 0 || meeting->t - meeting->error > line->reach)
        return SURELY_NOT;
    edges[0] = sw ? edge_of(line, 1, 0, -i) : edge_of(line, -1, 0, i + 1);
    edges[1] = sw ? edge_of(line, 0, -1, j + 1) : edge_of(line, 0, 1, -j);
    edges[2] = sw ? edge_of(line, -1, 1, i - j) : edge_of(line, 1, -1, j - i);
    for (int k = 0; k < 3; k++) {
        enum sure sure = inside(&edges[k], &plane);

        if (sure == SURELY_NOT)
            return SURELY_NOT;
        unsure |= sure == UNSURE;
    }
    if (unsure || !(meeting->t - meeting->error > 0) ||
        !(meeting->t + meeting->error < line->reach))
        return UNSURE;
    return SURELY;
}

static void ready(const struct ray_line *line, struct ray_exact *exact)
{
    if (!exact->ready)
        ray_exact_ready(exact, line);
}

bool ray_meet(const struct ray_line *line, struct ray_exact *exact,
              const struct ray_triangle *triangle, struct ray_meeting *meeting)
{
    struct ray_time time;
    enum sure sure;

    meeting->triangle = *triangle;
    sure = meet_fast(line, triangle, meeting);
    if (sure != UNSURE)
        return sure == SURELY;
    ready(line, exact);
    if (!ray_exact_meet(exact, triangle, &time))
        return false;
    meeting->t = ldexp(ray_exact_time(exact, &time), line->scaled);
    meeting->error = ROUNDING * meeting->t + LEAST;
    return true;
}

int ray_meet_compare(const struct ray_line *line, struct ray_exact *exact,
                     const struct ray_meeting *a, const struct ray_meeting *b)
{
    struct ray_time first, second;

    if (a->t + a->error < b->t - b->error)
        return -1;
    if (a->t - a->error > b->t + b->error)
        return 1;
    ready(line, exact);
    ray_exact_meet(exact, &a->triangle, &first);
    ray_exact_meet(exact, &b->triangle, &second);
    return ray_exact_compare(&first, &second);
}

double ray_meet_time(const struct ray_line *line, struct ray_exact *exact,
                     const struct ray_meeting *meeting)
{
    struct ray_time time;

    if (meeting->error <= 0x1p-40 * fabs(meeting->t))
        return ldexp(meeting->t, -line->scaled);
    ready(line, exact);
    ray_exact_meet(exact, &meeting->triangle, &time);
    return ray_exact_time(exact, &time);
}

int ray_meet_side(const struct ray_line *line, struct ray_exact *exact,
                  const struct ray_triangle *triangle)
{
    const struct linear plane = plane_of(line, triangle);

    if (plane.slope > plane.slope_error)
        return 1;
    if (plane.slope < -plane.slope_error)
        return -1;
    ready(line, exact);
    return ray_exact_side(exact, triangle);
}
