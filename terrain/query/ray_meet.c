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

/* Along an axis: one rounding at most. */
static struct linear side_of(double o, double d, double sign, double place)
{
    const double at_0 = sign * (o - place);

    return (struct linear){ at_0, sign * d, ROUNDING * fabs(at_0), 0 };
}

/* Along the diagonal: x - y - place. */
static struct linear diagonal_of(const struct ray_line *line, double sign, double place)
{
    const double *o = line->from, *d = line->along;

    return (struct linear){ sign * (o[0] - o[1] - place), sign * (d[0] - d[1]),
                            ROUNDING * (fabs(o[0]) + fabs(o[1]) + fabs(place)),
                            ROUNDING * (fabs(d[0]) + fabs(d[1])) };
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
    const double i = triangle->i, j = triangle->j, *o = line->from, *d = line->along;
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
    edges[0] = sw ? side_of(o[0], d[0], 1, i) : side_of(o[0], d[0], -1, i + 1);
    edges[1] = sw ? side_of(o[1], d[1], -1, j + 1) : side_of(o[1], d[1], 1, j);
    edges[2] = diagonal_of(line, sw ? -1 : 1, i - j);
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
    meeting->t = ray_line_scale(ray_exact_time(exact, &time), line->scaled);
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
        return ray_line_scale(meeting->t, -line->scaled);
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
