#include "terrain/lod/rtin_inside.h"

#include <stdlib.h>

struct walk {
    const struct rtin_map *closed, *own;
    const struct rtin_frame *frame;
    int32_t n;
    int16_t most, left;
    struct mesh *mesh;
    uint32_t *numbers; /* of the grid's vertices in the mesh, + 1 */
    struct fault *why;
};

struct corner {
    int32_t x, y;
};

static uint32_t number_of(struct walk *walk, struct corner at)
{
    const struct rtin_frame *frame = walk->frame;
    const int32_t i = at.y * (walk->n + 1) + at.x;
    double x, y;

    if (walk->numbers[i])
        return walk->numbers[i] - 1;
    x = frame->low[0] + (double)at.x * frame->stride;
    y = frame->low[1] + (double)at.y * frame->stride;
    walk->numbers[i] = mesh_vertex(walk->mesh, x < frame->most[0] ? x : frame->most[0],
                                   y < frame->most[1] ? y : frame->most[1],
                                   walk->own->codes ? walk->own->codes[i] : walk->own->metres[i]) +
                       1;
    return walk->numbers[i] - 1;
}

static bool emit(struct walk *walk, struct corner a, struct corner b, struct corner c)
{
    if (!walk->mesh)
        return true;
    if (!mesh_reserve(walk->mesh, 3, 3, walk->why))
        return false;
    mesh_triangle(walk->mesh, number_of(walk, a), number_of(walk, b), number_of(walk, c));
    return true;
}

static void leave(struct walk *walk, int16_t error)
{
    if (error > walk->left)
        walk->left = error;
}

static bool is_left_out(const struct walk *walk, int32_t x, int32_t y)
{
    return walk->own->quads && walk->own->quads[y * walk->n + x] == RTIN_LEFT_OUT;
}

/* Half a quad, its right angle at a. */
static bool finest(struct walk *walk, struct corner a, struct corner b, struct corner c)
{
    const int32_t x = b.x < c.x ? b.x : c.x, y = b.y < c.y ? b.y : c.y;
    const int16_t rest = walk->own->rest[y * walk->n + x];
    const struct corner opposite = { 2 * x + 1 - a.x, 2 * y + 1 - a.y };

    if (is_left_out(walk, x, y))
        return true;
    if (walk->own->turns && rest > walk->most)
        return emit(walk, a, b, opposite);
    leave(walk, rest);
    return emit(walk, a, b, c);
}

/* A quad of which at least half lies in the triangle, its hypotenuse's middle being m. */
static bool all_left_out(const struct walk *walk, struct corner a, struct corner b, struct corner m)
{
    if (!walk->own->quads)
        return false;
    if (a.x == m.x || a.y == m.y) /* the hypotenuse lies along an axis */
        return is_left_out(walk, a.x + b.x < 2 * m.x ? m.x - 1 : m.x,
                           a.y + b.y < 2 * m.y ? m.y - 1 : m.y);
    return is_left_out(walk, a.x < m.x ? a.x : a.x - 1, a.y < m.y ? a.y : a.y - 1);
}

/* Right angle at a, turning as mesh.h wants it. */
static bool triangle(struct walk *walk, struct corner a, struct corner b, struct corner c)
{
    const struct corner m = { (b.x + c.x) / 2, (b.y + c.y) / 2 };
    int16_t error;

    if ((b.x + c.x) & 1 && (b.y + c.y) & 1)
        return finest(walk, a, b, c);
    error = walk->closed->errors[m.y * (walk->n + 1) + m.x];
    if (error > walk->most)
        return triangle(walk, m, a, b) && triangle(walk, m, c, a);
    if (all_left_out(walk, a, b, m))
        return true;
    leave(walk, error);
    return emit(walk, a, b, c);
}

bool rtin_walk(const struct rtin_map *closed, const struct rtin_frame *frame, int16_t most,
               struct mesh *mesh, int16_t *left, struct fault *why)
{
    const int32_t n = 1 << closed->log2;
    const struct corner nw = { 0, 0 }, ne = { n, 0 }, sw = { 0, n }, se = { n, n };
    struct walk walk = { closed, closed->of, frame, n, most, 0, mesh, NULL, why };
    bool done;

    if (mesh) {
        walk.numbers = calloc((size_t)(n + 1) * (size_t)(n + 1), sizeof *walk.numbers);
        if (!walk.numbers)
            return fault_set(why, FAULT_MEMORY, "no memory for a mesh of %d quads a side", n);
    }
    done = triangle(&walk, ne, nw, se) && triangle(&walk, sw, se, nw);
    *left = walk.left;
    free(walk.numbers);
    return done;
}

/* The greatest packed error that is within so many metres. */
static int16_t packed_within(double metres, double unit)
{
    int16_t least = 0, most = RTIN_GREATEST;

    while (least < most) {
        const int16_t middle = (int16_t)((least + most + 1) / 2);

        if (rtin_unpack(middle) * unit <= metres)
            least = middle;
        else
            most = (int16_t)(middle - 1);
    }
    return least;
}

bool rtin_mesh_within(const struct rtin_map *closed, const struct rtin_frame *frame, double unit,
                      double max_error, struct mesh *mesh, struct fault *why)
{
    const double slack = closed->slack * unit;
    int16_t left;
    double bound;

    if (!rtin_walk(closed, frame, packed_within(max_error - slack, unit), mesh, &left, why))
        return false;
    bound = rtin_unpack(left) * unit + slack;
    if (!(mesh->bound >= bound))
        mesh->bound = bound;
    return true;
}
