#include "terrain/query/sight.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

static int sign(wide value)
{
    return (value > 0) - (value < 0);
}

bool sight_below_vertex(const int64_t eye[3], const int64_t target[3], const int64_t vertex[3])
{
    const int64_t along[2] = { target[0] - eye[0], target[1] - eye[1] };
    const int axis = llabs(along[0]) >= llabs(along[1]) ? 0 : 1;
    const wide line = (wide)(target[2] - eye[2]) * (vertex[axis] - eye[axis]);
    const wide ground = (wide)(vertex[2] - eye[2]) * along[axis];

    return along[axis] > 0 ? line < ground : line > ground;
}

/* The eye and the side span a plane, above or below which the target lies. */
bool sight_below_side(const int64_t eye[3], const int64_t target[3], const int64_t a[3],
                      const int64_t b[3])
{
    int64_t p[3], q[3], t[3];
    wide normal[3];

    for (int k = 0; k < 3; k++) {
        p[k] = a[k] - eye[k];
        q[k] = b[k] - eye[k];
        t[k] = target[k] - eye[k];
    }
    normal[0] = (wide)p[1] * q[2] - (wide)p[2] * q[1];
    normal[1] = (wide)p[2] * q[0] - (wide)p[0] * q[2];
    normal[2] = (wide)p[0] * q[1] - (wide)p[1] * q[0];
    return sign(normal[0] * t[0] + normal[1] * t[1] + normal[2] * t[2]) * sign(normal[2]) < 0;
}

/* Sides lie on three families of lines: columns x = c, rows y = c, and diagonals x - y = c. Along
 * one of these `along` counts vertices: y, x and x. */
enum family { COLUMNS, ROWS, DIAGONALS, FAMILIES };
static const uint8_t side_of[FAMILIES] = { SIGHT_SOUTH, SIGHT_EAST, SIGHT_DIAGONAL };

struct walk {
    const struct sight_ground *ground;
    const int64_t *eye, *target;
    enum family family;
    int64_t across[2], along[2]; /* of eye and target */
    double from, per_line;       /* along: at the eye, and for each line that is crossed */
    double begin;                /* across, at the eye */
    double level, rise;          /* the line's height at the eye, and for each line */
    double doubt;                /* of heights on it */
    int64_t crossed;             /* sides and vertices that were tried */
};

static int32_t index_of(const struct walk *walk, int32_t line, int32_t at)
{
    const int32_t columns = walk->ground->columns;

    return walk->family == COLUMNS ? at * columns + line
           : walk->family == ROWS  ? line * columns + at
                                   : (at - line) * columns + at;
}

static void vertex_of(const struct walk *walk, int32_t line, int32_t at, int64_t vertex[3])
{
    const int32_t x = walk->family == COLUMNS ? line : at;
    const int32_t y = walk->family == COLUMNS ? at : walk->family == ROWS ? line : at - line;

    vertex[0] = (int64_t)x * SIGHT_ONE;
    vertex[1] = (int64_t)y * SIGHT_ONE;
    vertex[2] = (int64_t)walk->ground->heights[index_of(walk, line, at)];
}

static bool side_there(const struct walk *walk, int32_t line, int32_t at)
{
    return !walk->ground->sides ||
           (walk->ground->sides[index_of(walk, line, at)] & side_of[walk->family]);
}

/* -1, 0, 1: the line is crossed before the vertex at `at`, there, or behind it. */
static int place_exactly(const struct walk *walk, int32_t line, int32_t at)
{
    const int64_t crossed = walk->across[1] - walk->across[0];
    const int64_t before = ((int64_t)line * SIGHT_ONE) - walk->across[0];
    const wide here = (wide)(walk->along[1] - walk->along[0]) * before;
    const wide there = (wide)(((int64_t)at * SIGHT_ONE) - walk->along[0]) * crossed;

    return sign(here - there) * sign(crossed);
}

/* First and last vertex of a line on the ground. */
static void line_ends(const struct walk *walk, int32_t line, int32_t *first, int32_t *last)
{
    const int32_t columns = walk->ground->columns, rows = walk->ground->rows;

    *first = walk->family == DIAGONALS && line > 0 ? line : 0;
    *last = walk->family == COLUMNS ? rows - 1 : columns - 1;
    if (walk->family == DIAGONALS && rows - 1 + line < *last)
        *last = rows - 1 + line;
}

/* The side on which a line is crossed: from the vertex at *at on; `on` when it is at that vertex.
 * False when it is none of the ground's. */
static bool place(const struct walk *walk, int32_t line, double along, int32_t *at, bool *on)
{
    const double nearest = floor(along + 0.5);
    int32_t first, last;

    line_ends(walk, line, &first, &last);
    if (!(along > first - 0.5 && along < last + 0.5))
        return false;
    *at = (int32_t)floor(along);
    *on = false;
    if (fabs(along - nearest) < 1.0 / (1 << 28)) {
        const int side = place_exactly(walk, line, (int32_t)nearest);

        *at = (int32_t)nearest - (side < 0);
        *on = side == 0;
    }
    return *at >= first && (*on ? *at <= last : *at < last);
}

/* Whether a vertex on the line belongs to a side of this family; those of the others see to the
 * rest. */
static bool vertex_there(const struct walk *walk, int32_t line, int32_t at)
{
    int32_t first, last;

    line_ends(walk, line, &first, &last);
    return (at < last && side_there(walk, line, at)) ||
           (at > first && side_there(walk, line, at - 1));
}

/* The ground's height where a line is crossed, rounded; NaN where there is none. */
static double crossing(const struct walk *walk, int32_t line, int32_t *at, bool *on)
{
    const double along = walk->from + walk->per_line * (line - walk->begin);
    const double *heights;
    double low, high;

    if (!place(walk, line, along, at, on))
        return NAN;
    heights = walk->ground->heights;
    low = heights[index_of(walk, line, *at)];
    if (*on)
        return vertex_there(walk, line, *at) ? low : NAN;
    if (!side_there(walk, line, *at))
        return NAN;
    high = heights[index_of(walk, line, *at + 1)];
    return low + (high - low) * (along - *at);
}

static bool below_exactly(const struct walk *walk, int32_t line, int32_t at, bool on)
{
    int64_t a[3], b[3];

    vertex_of(walk, line, at, a);
    if (on)
        return sight_below_vertex(walk->eye, walk->target, a);
    vertex_of(walk, line, at + 1, b);
    return sight_below_side(walk->eye, walk->target, a, b);
}

static void walk_begin(struct walk *walk, enum family family)
{
    double lines;

    walk->family = family;
    for (int k = 0; k < 2; k++) {
        const int64_t *end = k ? walk->target : walk->eye;

        walk->across[k] = family == COLUMNS ? end[0] : family == ROWS ? end[1] : end[0] - end[1];
        walk->along[k] = family == COLUMNS ? end[1] : end[0];
    }
    lines = (double)(walk->across[1] - walk->across[0]) / SIGHT_UNIT;
    walk->begin = (double)walk->across[0] / SIGHT_UNIT;
    walk->from = (double)walk->along[0] / SIGHT_UNIT;
    walk->per_line = (double)(walk->along[1] - walk->along[0]) / SIGHT_UNIT / lines;
    walk->level = (double)walk->eye[2];
    walk->rise = (double)(walk->target[2] - walk->eye[2]) / lines;
    walk->doubt = 2 + ldexp(fabs((double)walk->eye[2]) + fabs((double)walk->target[2]), -47) +
                  ldexp(walk->ground->steepest, -32);
}

/* Lines strictly between the eye and the target that the ground has, from *first to *last. */
static bool lines_between(const struct walk *walk, int32_t *first, int32_t *last)
{
    const int64_t low = walk->across[0] < walk->across[1] ? walk->across[0] : walk->across[1];
    const int64_t high = walk->across[0] < walk->across[1] ? walk->across[1] : walk->across[0];
    const int64_t one = SIGHT_ONE;
    const int32_t columns = walk->ground->columns, rows = walk->ground->rows;
    const int64_t least = walk->family == DIAGONALS ? 1 - rows : 0;
    const int64_t most = walk->family == ROWS ? rows - 1 : columns - 1;
    const int64_t from = (low >> SIGHT_BITS) + 1, to = ((high + one - 1) >> SIGHT_BITS) - 1;

    *first = (int32_t)(from > least ? from : least);
    *last = (int32_t)(to < most ? to : most);
    return *first <= *last;
}

/* How many steps a number stays within bounds that it is in. */
static double steps_within(double value, double step, int32_t low, int32_t high)
{
    const double margin = 0x1p-20; /* far above what rounding does to a crossing */

    return step > 0   ? (high - margin - value) / step
           : step < 0 ? (low + margin - value) / step
                      : INFINITY;
}

/* The next line to try after one that is crossed from the vertex at `at` on.
 *
 * In a plane square the line's height above the ground is greatest and least at both ends of its
 * way over it. Those are on the square's border, on rows and columns that are tried; or they are
 * the target, which is not below the ground; or, for the eye, the crossing next to it, which is the
 * first or the last of its family. What is between them need not be tried. */
static int32_t next_line(const struct walk *walk, int32_t line, int32_t last, int32_t at)
{
    const double along = walk->from + walk->per_line * (line - walk->begin);
    const int32_t x = walk->family == COLUMNS ? line : at;
    const int32_t y = walk->family == COLUMNS ? at : walk->family == ROWS ? line : at - line;
    const int axis = walk->family == COLUMNS ? 1 : 0; /* of `along` */
    int32_t square[3];
    double steps;

    if (!walk->ground->planar || !planar_at(walk->ground->planar, x, y, square))
        return line + 1;
    steps = steps_within(along, walk->per_line, square[axis], square[axis] + square[2]);
    if (walk->family == DIAGONALS)
        steps = fmin(steps, steps_within(along - line, walk->per_line - 1, square[1],
                                         square[1] + square[2]));
    else
        steps = fmin(steps, square[!axis] + square[2] - 1 - line);
    steps = fmin(fmax(floor(steps), 0) + 1, last - line);
    return line + (steps > 1 ? (int32_t)steps : 1);
}

static bool family_free(struct walk *walk, enum family family)
{
    int32_t first, last;

    walk_begin(walk, family);
    if (!lines_between(walk, &first, &last))
        return true;
    for (int32_t line = first, next; line <= last; line = next) {
        int32_t at = 0;
        bool on = false;
        const double ground = crossing(walk, line, &at, &on);
        const double over = walk->level + walk->rise * (line - walk->begin) - ground;

        walk->crossed++;
        if (over < -walk->doubt || (over <= walk->doubt && below_exactly(walk, line, at, on)))
            return false;
        next = isnan(ground) ? line + 1 : next_line(walk, line, last, at);
    }
    return true;
}

bool sight_free(const struct sight_ground *ground, const int64_t eye[3], const int64_t target[3],
                int64_t *crossed)
{
    struct walk walk = { .ground = ground, .eye = eye, .target = target };
    const bool is_free =
        family_free(&walk, ROWS) && family_free(&walk, COLUMNS) && family_free(&walk, DIAGONALS);

    *crossed += walk.crossed;
    return is_free;
}

static double family_height(struct walk *walk, enum family family)
{
    double most = -INFINITY, lines;
    int32_t first, last;

    walk_begin(walk, family);
    if (!lines_between(walk, &first, &last))
        return most;
    lines = (double)(walk->across[1] - walk->across[0]) / SIGHT_UNIT;
    for (int32_t line = first, next; line <= last; line = next) {
        int32_t at = 0;
        bool on = false;
        const double ground = crossing(walk, line, &at, &on);

        walk->crossed++;
        next = isnan(ground) ? line + 1 : next_line(walk, line, last, at);
        most = fmax(most, walk->level + (ground - walk->level) * lines / (line - walk->begin));
    }
    return most;
}

double sight_height(const struct sight_ground *ground, const int64_t eye[3],
                    const int64_t target[3], int64_t *crossed)
{
    struct walk walk = { .ground = ground, .eye = eye, .target = target };
    double most = (double)target[2];

    for (int family = 0; family < FAMILIES; family++)
        most = fmax(most, family_height(&walk, (enum family)family));
    *crossed += walk.crossed;
    return most;
}
