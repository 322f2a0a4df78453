#include "terrain/query/triangle.h"

#include <math.h>
#include <string.h>

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void less(const double a[3], const double b[3], double to[3])
{
    for (int axis = 0; axis < 3; axis++)
        to[axis] = a[axis] - b[axis];
}

static inline void cross(const double a[3], const double b[3], double to[3])
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

static double distance_to(const double from[3], const double at[3])
{
    double apart[3];

    less(from, at, apart);
    return dot(apart, apart);
}

/* start + share * along. */
static double nearest_at(const double start[3], const double along[3], double share,
                         const double from[3], double at[3])
{
    for (int axis = 0; axis < 3; axis++)
        at[axis] = start[axis] + share * along[axis];
    return distance_to(from, at);
}

/* Beneath the face the place is found along the normal, which keeps the distance sharp where the
 * triangle is a sliver. */
static double nearest_on_face(const double corners[3][3], const double ab[3], const double ac[3],
                              const double from[3], double at[3])
{
    double normal[3], apart[3], square, height;

    cross(ab, ac, normal);
    less(from, corners[0], apart);
    square = dot(normal, normal);
    height = dot(normal, apart);
    for (int axis = 0; axis < 3; axis++)
        at[axis] = from[axis] - normal[axis] * (height / square);
    return height * height / square;
}

double triangle_nearest(const double corners[3][3], const double from[3], double at[3])
{
    const double *a = corners[0], *b = corners[1], *c = corners[2];
    double ab[3], ac[3], bc[3], to[3], b_along, c_along, vc, vb, va;
    double a_ab, a_ac, b_ab, b_ac, c_ab, c_ac;

    less(b, a, ab);
    less(c, a, ac);
    less(from, a, to);
    a_ab = dot(ab, to);
    a_ac = dot(ac, to);
    if (a_ab <= 0 && a_ac <= 0)
        return nearest_at(a, ab, 0, from, at);
    less(from, b, to);
    b_ab = dot(ab, to);
    b_ac = dot(ac, to);
    if (b_ab >= 0 && b_ac <= b_ab)
        return nearest_at(b, ab, 0, from, at);
    vc = a_ab * b_ac - b_ab * a_ac;
    if (vc <= 0 && a_ab >= 0 && b_ab <= 0)
        return nearest_at(a, ab, a_ab / (a_ab - b_ab), from, at);
    less(from, c, to);
    c_ab = dot(ab, to);
    c_ac = dot(ac, to);
    if (c_ac >= 0 && c_ab <= c_ac)
        return nearest_at(c, ac, 0, from, at);
    vb = c_ab * a_ac - a_ab * c_ac;
    if (vb <= 0 && a_ac >= 0 && c_ac <= 0)
        return nearest_at(a, ac, a_ac / (a_ac - c_ac), from, at);
    va = b_ab * c_ac - c_ab * b_ac;
    b_along = b_ac - b_ab;
    c_along = c_ab - c_ac;
    if (va <= 0 && b_along >= 0 && c_along >= 0) {
        less(c, b, bc);
        return nearest_at(b, bc, b_along / (b_along + c_along), from, at);
    }
    return nearest_on_face(corners, ab, ac, from, at);
}

/* Of the side of a triangle, seen from above, on which a place lies. */
static double side_of(const double a[3], const double b[3], const double at[3])
{
    return (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
}

/* The wall below an edge: where the place is no higher than the edge beside it, the way is level;
 * elsewhere the edge itself is nearer. */
static double wall_distance(const double a[3], const double b[3], const double from[3])
{
    const double along[2] = { b[0] - a[0], b[1] - a[1] };
    const double share = fmin(fmax(((from[0] - a[0]) * along[0] + (from[1] - a[1]) * along[1]) /
                                       (along[0] * along[0] + along[1] * along[1]),
                                   0),
                              1);
    const double apart[2] = { from[0] - a[0] - share * along[0],
                              from[1] - a[1] - share * along[1] };

    return from[2] <= a[2] + share * (b[2] - a[2]) ? apart[0] * apart[0] + apart[1] * apart[1]
                                                   : INFINITY;
}

double triangle_column_distance(const double corners[3][3], const double from[3])
{
    const double first = side_of(corners[0], corners[1], from);
    const double second = side_of(corners[1], corners[2], from);
    const double third = side_of(corners[2], corners[0], from);
    double at[3], square = triangle_nearest(corners, from, at);

    if ((first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0)) {
        double normal[3], apart[3];

        triangle_upward(corners, normal);
        less(from, corners[0], apart);
        return dot(normal, apart) <= 0 ? 0 : square;
    }
    for (int k = 0; k < 3; k++)
        square = fmin(square, wall_distance(corners[k], corners[(k + 1) % 3], from));
    return square;
}

void triangle_upward(const double corners[3][3], double normal[3])
{
    double ab[3], ac[3], length;

    less(corners[1], corners[0], ab);
    less(corners[2], corners[0], ac);
    cross(ab, ac, normal);
    length = copysign(sqrt(dot(normal, normal)), normal[2]);
    for (int axis = 0; axis < 3; axis++)
        normal[axis] /= length;
}

/* Box and triangle */

/* With the corners in the box's own axes, whether the axis keeps them apart. */
static bool separates(const double axis[3], const double corners[3][3], const double half[3],
                      const double up[3], bool column)
{
    const double radius =
        fabs(axis[0]) * half[0] + fabs(axis[1]) * half[1] + fabs(axis[2]) * half[2];
    const double one = dot(axis, corners[0]), two = dot(axis, corners[1]);
    const double three = dot(axis, corners[2]);
    const double least = fmin(one, fmin(two, three)), greatest = fmax(one, fmax(two, three));
    const double upwards = column ? dot(axis, up) : 0;

    return (least > radius && !(upwards > 0)) || (greatest < -radius && !(upwards < 0));
}

bool triangle_meets_box(const double corners[3][3], const double axes[3][3], const double half[3],
                        bool column)
{
    double own[3][3], edges[4][3], up[3], normal[3];

    for (int k = 0; k < 3; k++) {
        up[k] = axes[k][2];
        for (int axis = 0; axis < 3; axis++)
            own[k][axis] = dot(corners[k], axes[axis]);
    }
    for (int k = 0; k < 3; k++)
        less(own[(k + 1) % 3], own[k], edges[k]);
    memcpy(edges[3], up, sizeof up);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = { k == 0, k == 1, k == 2 };

        if (separates(axis, own, half, up, column))
            return false;
    }
    cross(edges[0], edges[1], normal);
    if (separates(normal, own, half, up, column))
        return false;
    for (int edge = 0; edge < 3 + column; edge++) {
        for (int k = 0; k < 3; k++) {
            const double side[3] = { k == 0, k == 1, k == 2 };
            double axis[3];

            cross(edges[edge], side, axis);
            if (separates(axis, own, half, up, column && edge < 3))
                return false;
        }
    }
    for (int edge = 0; column && edge < 3; edge++) {
        double axis[3];

        cross(edges[edge], up, axis); /* the walls */
        if (separates(axis, own, half, up, false))
            return false;
    }
    return true;
}
