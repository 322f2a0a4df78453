#include "tests/terrain/shape_judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct view *judge_ground(struct dice *dice, int32_t columns, int32_t rows)
{
    const int32_t kind = dice_between(dice, 0, 3), holes = dice_between(dice, 0, 2);
    uint16_t *heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft;
    struct view *view;

    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            heights[y * columns + x] =
                (uint16_t)(kind == 0   ? 33000
                           : kind == 1 ? dice_between(dice, 31000, 34000)
                           : kind == 2 ? 32768 + 900 * sin(x * 0.3) * cos(y * 0.2)
                                       : 32768 + 100 * (x / 9) + dice_between(dice, -30, 30));
    view = ground_of(columns, rows, heights);
    free(heights);
    for (int axis = 0; axis < 3; axis++) {
        view->settings->grid.scale[axis] = holes == 1 ? 1 : exp(dice_real(dice, -1, 1.5));
        view->settings->grid.origin[axis] = holes == 1 ? 0 : dice_real(dice, -3000, 3000);
    }
    draft = draft_new(view, &why);
    for (int32_t i = 0; holes && i < 12 + columns * rows / 100; i++) {
        const struct rect one = dice_rect(dice, columns - 1, rows - 1, 5);
        const uint8_t hole[25] = { 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                   255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 };

        assert_true(draft_write_holes(draft, one, hole, 5, &why));
    }
    return ground_finish(draft, view, &change);
}

void judge_place(struct dice *dice, const struct view *view, double beyond, double at[3])
{
    const struct grid *grid = view_grid(view);
    const double sides[2] = { grid->columns - 1, grid->rows - 1 };

    for (int axis = 0; axis < 2; axis++) {
        at[axis] = dice_real(dice, -beyond, sides[axis] + beyond);
        if (dice_between(dice, 0, 3) == 0)
            at[axis] = floor(at[axis]);
    }
    at[2] = grid_metres(grid, dice_between(dice, 30500, 35000));
    if (dice_between(dice, 0, 1)) {
        const double x = fmin(fmax(at[0], 0), sides[0]), y = fmin(fmax(at[1], 0), sides[1]);

        at[2] = grid_metres(grid, view_height(view, (int32_t)x, (int32_t)y)) +
                dice_real(dice, -2, 2) * (dice_between(dice, 0, 1) ? 1 : 0);
    }
}

void judge_metres(const struct view *view, const double at[3], wide metres[3])
{
    const struct grid *grid = view_grid(view);

    for (int axis = 0; axis < 2; axis++)
        metres[axis] = (wide)at[axis] * (wide)grid->scale[axis];
    metres[2] = (wide)at[2] - (wide)grid->origin[2];
}

int64_t judge_triangles(const struct view *view)
{
    return 2 * (int64_t)(view_grid(view)->columns - 1) * (view_grid(view)->rows - 1);
}

bool judge_triangle(const struct view *view, int64_t number, wide corners[3][3])
{
    const struct grid *grid = view_grid(view);
    const int32_t i = (int32_t)(number / 2 % (grid->columns - 1));
    const int32_t j = (int32_t)(number / 2 / (grid->columns - 1));
    const int32_t places[3][2] = { { i, j },
                                   { i + !(number & 1), j + (number & 1) },
                                   { i + 1, j + 1 } };

    for (int k = 0; k < 3; k++) {
        corners[k][0] = (wide)places[k][0] * (wide)grid->scale[0];
        corners[k][1] = (wide)places[k][1] * (wide)grid->scale[1];
        corners[k][2] = ((wide)view_height(view, places[k][0], places[k][1]) - 32768) / 128 *
                        (wide)grid->scale[2];
    }
    return view_hole(view, i, j);
}

static wide dot(const wide a[3], const wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static wide apart(const wide a[3], const wide b[3])
{
    const wide d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };

    return sqrtl(dot(d, d));
}

static wide segment_distance(const wide a[3], const wide b[3], const wide from[3])
{
    const wide along[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
    const wide to[3] = { from[0] - a[0], from[1] - a[1], from[2] - a[2] };
    const wide square = dot(along, along);
    const wide share = square > 0 ? fminl(fmaxl(dot(to, along) / square, 0), 1) : 0;
    const wide at[3] = { a[0] + share * along[0], a[1] + share * along[1],
                         a[2] + share * along[2] };

    return apart(at, from);
}

/* Dropped onto the triangle's plane, z = a + east x + south y: on the face when its shares of the
 * corners, two by two equations, are all above 0; on an edge otherwise. */
wide judge_distance(wide corners[3][3], const wide from[3])
{
    const wide *a = corners[0];
    const wide ux = corners[1][0] - a[0], uy = corners[1][1] - a[1], uz = corners[1][2] - a[2];
    const wide vx = corners[2][0] - a[0], vy = corners[2][1] - a[1], vz = corners[2][2] - a[2];
    const wide area = ux * vy - uy * vx;
    const wide east = (uz * vy - vz * uy) / area, south = (ux * vz - vx * uz) / area;
    const wide over = from[2] - a[2] - east * (from[0] - a[0]) - south * (from[1] - a[1]);
    const wide drop = over / (1 + east * east + south * south);
    const wide x = from[0] + drop * east - a[0], y = from[1] + drop * south - a[1];
    const wide u = (x * vy - y * vx) / area, v = (ux * y - uy * x) / area;

    if (u >= 0 && v >= 0 && u + v <= 1)
        return fabsl(over) / sqrtl(1 + east * east + south * south);
    return fminl(segment_distance(corners[0], corners[1], from),
                 fminl(segment_distance(corners[1], corners[2], from),
                       segment_distance(corners[2], corners[0], from)));
}

wide judge_nearest(const struct judge *judge, const double at[3])
{
    wide from[3], corners[3][3], least = INFINITY;

    judge_metres(judge->view, at, from);
    for (int64_t i = 0; i < judge_triangles(judge->view); i++) {
        if (judge_triangle(judge->view, i, corners) && !judge->ignore_holes)
            continue;
        if (apart(corners[0], from) - apart(corners[0], corners[1]) -
                apart(corners[0], corners[2]) <
            least)
            least = fminl(least, judge_distance(corners, from));
    }
    return least;
}

struct way {
    wide from[3], along[3];
};

static wide away_at(wide corners[3][3], const struct way *way, wide t)
{
    const wide at[3] = { way->from[0] + t * way->along[0], way->from[1] + t * way->along[1],
                         way->from[2] + t * way->along[2] };

    return judge_distance(corners, at);
}

/* A triangle is convex, so that the distance falls, then rises: its least by thirds, then the first
 * place where it is the radius by halves. */
static wide first_touch(wide corners[3][3], const struct way *way, wide radius, wide *margin)
{
    wide low = 0, high = 1, nearest;

    /* a point has come to a triangle when it is as near as this, and has not when ten times so */
    radius = fmaxl(radius, 1e-9L);
    *margin = fabsl(away_at(corners, way, 0) - radius);
    if (away_at(corners, way, 0) <= radius)
        return 0;
    for (int i = 0; i < 90; i++) {
        const wide one = low + (high - low) / 3, two = high - (high - low) / 3;

        if (away_at(corners, way, one) <= away_at(corners, way, two))
            high = two;
        else
            low = one;
    }
    nearest = away_at(corners, way, low);
    *margin = fminl(*margin, fabsl(nearest - radius));
    if (nearest > radius)
        return INFINITY;
    high = low;
    low = 0;
    for (int i = 0; i < 70; i++) {
        const wide middle = low + (high - low) / 2;

        if (away_at(corners, way, middle) > radius)
            low = middle;
        else
            high = middle;
    }
    return high;
}

wide judge_sweep(const struct judge *judge, const double from[3], const double to[3], double radius,
                 wide *margin)
{
    wide end[3], corners[3][3], first = INFINITY;
    struct way way;

    judge_metres(judge->view, from, way.from);
    judge_metres(judge->view, to, end);
    for (int axis = 0; axis < 3; axis++)
        way.along[axis] = end[axis] - way.from[axis];
    *margin = INFINITY;
    for (int64_t i = 0; i < judge_triangles(judge->view); i++) {
        const bool hole = judge_triangle(judge->view, i, corners);
        wide one, t;

        if ((hole && !judge->ignore_holes) || segment_distance(way.from, end, corners[0]) -
                                                      apart(corners[0], corners[1]) -
                                                      apart(corners[0], corners[2]) >
                                                  radius + 0.1L)
            continue;
        t = first_touch(corners, &way, radius, &one);
        *margin = fminl(*margin, one);
        if (t < first) {
            first = t; /* what comes later does not matter */
            for (int axis = 0; axis < 3; axis++)
                end[axis] = way.from[axis] + (t + 1e-6L) * way.along[axis];
        }
    }
    return first;
}

/* Polygons cut by half spaces: least a dot normal <= most. */

struct polygon {
    int count;
    wide at[24][3];
};

static void cut(struct polygon *polygon, const wide normal[3], wide most)
{
    struct polygon rest = { .count = 0 };

    for (int k = 0; k < polygon->count; k++) {
        const wide *one = polygon->at[k], *two = polygon->at[(k + 1) % polygon->count];
        const wide here = dot(one, normal) - most, next = dot(two, normal) - most;

        if (here <= 0)
            memcpy(rest.at[rest.count++], one, sizeof *rest.at);
        if ((here < 0 && next > 0) || (here > 0 && next < 0)) {
            for (int axis = 0; axis < 3; axis++)
                rest.at[rest.count][axis] =
                    one[axis] + here / (here - next) * (two[axis] - one[axis]);
            rest.count++;
        }
    }
    *polygon = rest;
}

struct wide_box {
    wide center[3], half[3], axes[3][3];
};

static bool cut_by_box(struct polygon polygon, const struct wide_box *box)
{
    for (int k = 0; k < 3 && polygon.count; k++) {
        const wide back[3] = { -box->axes[k][0], -box->axes[k][1], -box->axes[k][2] };
        const wide middle = dot(box->axes[k], box->center);

        cut(&polygon, box->axes[k], middle + box->half[k]);
        cut(&polygon, back, -middle + box->half[k]);
    }
    return polygon.count > 0;
}

/* A face of the box, cut by the walls over the triangle's edges: some corner of what is left is
 * below the triangle's plane when anything of the box over the triangle is. */
static bool face_below(const struct wide_box *box, int axis, int side, wide corners[3][3])
{
    const int l = (axis + 1) % 3, m = (axis + 2) % 3;
    const wide area = (corners[1][0] - corners[0][0]) * (corners[2][1] - corners[0][1]) -
                      (corners[1][1] - corners[0][1]) * (corners[2][0] - corners[0][0]);
    struct polygon face = { .count = 4 };

    for (int k = 0; k < 4; k++) {
        const wide right = k == 0 || k == 3 ? 1 : -1, up = k < 2 ? 1 : -1;

        for (int d = 0; d < 3; d++)
            face.at[k][d] = box->center[d] + side * box->half[axis] * box->axes[axis][d] +
                            right * box->half[l] * box->axes[l][d] +
                            up * box->half[m] * box->axes[m][d];
    }
    for (int k = 0; k < 3; k++) {
        const wide *a = corners[k], *b = corners[(k + 1) % 3];
        const wide turn = area > 0 ? 1 : -1;
        const wide normal[3] = { turn * (b[1] - a[1]), -turn * (b[0] - a[0]), 0 };

        cut(&face, normal, dot(normal, a));
    }
    for (int k = 0; k < face.count; k++) {
        const wide x = face.at[k][0] - corners[0][0], y = face.at[k][1] - corners[0][1];
        const wide u =
            (x * (corners[2][1] - corners[0][1]) - y * (corners[2][0] - corners[0][0])) / area;
        const wide v =
            ((corners[1][0] - corners[0][0]) * y - (corners[1][1] - corners[0][1]) * x) / area;

        if (face.at[k][2] <= corners[0][2] + u * (corners[1][2] - corners[0][2]) +
                                 v * (corners[2][2] - corners[0][2]))
            return true;
    }
    return false;
}

bool judge_box(const struct judge *judge, const struct overlap_box *box, bool solid, double grown)
{
    struct wide_box wider;
    wide corners[3][3];

    judge_metres(judge->view, box->center, wider.center);
    for (int k = 0; k < 3; k++) {
        wider.half[k] = (wide)box->half[k] + (wide)grown;
        for (int axis = 0; axis < 3; axis++)
            wider.axes[k][axis] = (wide)box->axes[k][axis];
    }
    if (wider.half[0] < 0 || wider.half[1] < 0 || wider.half[2] < 0)
        return false;
    for (int64_t i = 0; i < judge_triangles(judge->view); i++) {
        struct polygon polygon = { .count = 3 };

        if (judge_triangle(judge->view, i, corners) && !judge->ignore_holes)
            continue;
        memcpy(polygon.at, corners, sizeof corners);
        if (cut_by_box(polygon, &wider))
            return true;
        for (int face = 0; solid && face < 6; face++)
            if (face_below(&wider, face / 2, face % 2 ? 1 : -1, corners))
                return true;
    }
    return false;
}

/* Under the ground at a place the distance is 0; elsewhere ground below a triangle is as near as
 * the nearest of it and its walls, which are tried at many heights. */
static wide column_distance(wide corners[3][3], const wide from[3])
{
    wide lower[3][3], least = judge_distance(corners, from), low = 0, high;

    /* the column is convex: let the triangle sink by thirds to where it is nearest */
    high = fmaxl(corners[0][2], fmaxl(corners[1][2], corners[2][2])) - from[2] + 1;
    if (high <= 0)
        return least;
    for (int i = 0; i < 90; i++) {
        const wide one = low + (high - low) / 3, two = high - (high - low) / 3;
        wide at_one, at_two;

        memcpy(lower, corners, sizeof lower);
        for (int k = 0; k < 3; k++)
            lower[k][2] -= one;
        at_one = judge_distance(lower, from);
        for (int k = 0; k < 3; k++)
            lower[k][2] += one - two;
        at_two = judge_distance(lower, from);
        least = fminl(least, fminl(at_one, at_two));
        if (at_one <= at_two)
            high = two;
        else
            low = one;
    }
    return least;
}

bool judge_sphere(const struct judge *judge, const struct overlap_sphere *sphere, bool solid,
                  double grown)
{
    const wide radius = (wide)sphere->radius + (wide)grown;
    wide from[3], corners[3][3];

    judge_metres(judge->view, sphere->center, from);
    for (int64_t i = 0; i < judge_triangles(judge->view); i++) {
        if (judge_triangle(judge->view, i, corners) && !judge->ignore_holes)
            continue;
        if (hypotl(corners[0][0] - from[0], corners[0][1] - from[1]) >
            radius + hypotl(corners[2][0] - corners[0][0], corners[2][1] - corners[0][1]))
            continue;
        if ((solid ? column_distance(corners, from) : judge_distance(corners, from)) <= radius)
            return true;
    }
    return false;
}
