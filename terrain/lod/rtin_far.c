#include "terrain/lod/rtin_coarse.h"

#include <math.h>
#include <stdlib.h>

/* The farthest vertex from a triangle's plane, by branch and bound. The plane of a part differs
 * from the whole's by no more than it does at the part's corners, and the surface from the part's
 * plane by its error; parts that so cannot reach the greatest distance yet are not looked into. Of
 * the finest parts' vertices cells tell the least and greatest height. */
struct far {
    const struct rtin_coarse *c;
    double at, east, south; /* the plane: at the node's first vertex, and its slopes */
    int32_t diagonal;       /* i + j along a hypotenuse from north-east to south-west; or -1 */
    double best;
    double enough; /* no need to go on once it is more */
    bool touched;  /* only where something changed */
};

struct spot {
    int32_t i, j;
    double off; /* its sample, less the plane */
};

/* Half a quad of the grid: the corner of its right angle. */
struct half {
    int32_t x, y; /* north-west */
    bool east, south;
    bool falling;
    bool solid; /* every vertex has a surface */
};

static void raise_to(double *most, double error)
{
    if (error > *most)
        *most = error;
}

static double code_at(const struct far *f, int32_t i, int32_t j)
{
    return f->c->own->codes[j * (f->c->n + 1) + i];
}

static inline double plane_at(const struct far *f, double x, double y)
{
    return f->at + f->east * x + f->south * y;
}

static struct spot spot_at(const struct far *f, int32_t i, int32_t j)
{
    const int32_t stride = f->c->stride;

    return (struct spot){ i, j, code_at(f, i, j) - plane_at(f, i * stride, j * stride) };
}

/* The plane of a triangle with its right angle at a. */
static void set_plane(struct far *f, const int32_t a[2], const int32_t b[2], const int32_t c[2])
{
    const int32_t stride = f->c->stride;
    const double high = code_at(f, a[0], a[1]);
    const double to_b = code_at(f, b[0], b[1]) - high, to_c = code_at(f, c[0], c[1]) - high;
    const double bx = (b[0] - a[0]) * stride, by = (b[1] - a[1]) * stride;
    const double cx = (c[0] - a[0]) * stride, cy = (c[1] - a[1]) * stride;
    const double square = bx * bx + by * by;

    f->east = (to_b * bx + to_c * cx) / square;
    f->south = (to_b * by + to_c * cy) / square;
    f->at = high - f->east * a[0] * stride - f->south * a[1] * stride;
    f->diagonal = (b[0] - c[0]) * (b[1] - c[1]) < 0 ? b[0] + b[1] : -1;
}

/* Whether a quad around the vertex has a surface. */
static bool alive(const struct rtin_coarse *c, int32_t x, int32_t y)
{
    for (int32_t v = y - 1; v <= y; v++)
        for (int32_t u = x - 1; u <= x; u++)
            if (u >= 0 && v >= 0 && u < c->vertices.width - 1 && v < c->vertices.height - 1 &&
                c->quads[v / c->stride * c->n + u / c->stride] != RTIN_LEFT_OUT &&
                !view_hole(c->view, c->vertices.x + u, c->vertices.y + v))
                return true;
    return false;
}

/* Columns of row v that are the half's. */
static inline void clip_row(const struct half *half, int32_t stride, int32_t v, int32_t *from,
                            int32_t *to)
{
    const int32_t on = half->falling ? v : stride - v;
    const int32_t low = half->east ? on : 0, high = half->east ? stride : on;

    *from = *from > low ? *from : low;
    *to = *to < high ? *to : high;
}

/* Whether columns [u0, u1] of rows [v0, v1] have a vertex of the half. */
static bool meets(const struct half *half, int32_t stride, const int32_t u[2], const int32_t v[2])
{
    if (half->falling)
        return half->east ? u[1] >= v[0] : u[0] <= v[1];
    return half->east ? u[1] + v[1] >= stride : u[0] + v[0] <= stride;
}

/* No vertex there is farther from the plane. */
static double reach_of(const struct far *f, const struct half *half, const int32_t u[2],
                       const int32_t v[2], double least, double greatest)
{
    const double corner = plane_at(f, half->x + u[0], half->y + v[0]);
    const double by_u = f->east * (u[1] - u[0]), by_v = f->south * (v[1] - v[0]);
    const double low = corner + (by_u < 0 ? by_u : 0) + (by_v < 0 ? by_v : 0);
    const double high = corner + (by_u > 0 ? by_u : 0) + (by_v > 0 ? by_v : 0);

    return greatest - low > high - least ? greatest - low : high - least;
}

static void look_at_row(struct far *f, const struct half *half, int32_t from, int32_t to, int32_t v,
                        const uint16_t *heights)
{
    double here = plane_at(f, half->x + from, half->y + v), best = f->best;

    for (int32_t u = from; u <= to; u++, here += f->east) {
        const double error = fabs(heights[u - from] - here);

        if (error > best && (half->solid || alive(f->c, half->x + u, half->y + v)))
            best = error;
    }
    f->best = best;
}

static void look_at_cell(struct far *f, const struct half *half, const struct child *leaf,
                         const int32_t u[2], const int32_t v[2])
{
    const struct rtin_coarse *c = f->c;
    const int32_t x = c->vertices.x + half->x, y = c->vertices.y + half->y;

    for (int32_t row = v[0]; row <= v[1]; row++) {
        int32_t from = u[0], to = u[1];

        clip_row(half, c->stride, row, &from, &to);
        if (from <= to)
            look_at_row(f, half, from, to, row,
                        block_heights(leaf->below) + ((y + row) & BLOCK_MASK) * BLOCK_SIDE +
                            ((x + from) & BLOCK_MASK));
    }
}

/* All of one height: of a row its ends, unless they may have no surface. */
static void look_at_level(struct far *f, const struct half *half, const struct child *leaf,
                          const int32_t u[2], const int32_t v[2])
{
    const uint16_t height = leaf->summary.least;

    for (int32_t row = v[0]; row <= v[1]; row++) {
        int32_t from = u[0], to = u[1];

        clip_row(half, f->c->stride, row, &from, &to);
        for (int32_t at = from; at <= to; at = half->solid && at < to ? to : at + 1)
            look_at_row(f, half, at, at, row, &height);
    }
}

/* The first and last of [from, to] that lie in a piece of a power of two, counted from `origin`. */
static void piece_of(int32_t origin, int32_t from, int32_t to, int32_t side, int32_t piece[2])
{
    const int32_t end = ((origin + from) | (side - 1)) - origin;

    piece[0] = from;
    piece[1] = end < to ? end : to;
}

static void look_at_block(struct far *f, const struct half *half, const int32_t u[2],
                          const int32_t v[2])
{
    const struct rtin_coarse *c = f->c;
    const int32_t x = c->vertices.x + half->x, y = c->vertices.y + half->y;
    const struct child *leaf = tree_leaf(&c->view->planes[PLANE_HEIGHTS], (x + u[0]) >> BLOCK_LOG2,
                                         (y + v[0]) >> BLOCK_LOG2);
    int32_t i[2], j[2];

    if (reach_of(f, half, u, v, leaf->summary.least, leaf->summary.greatest) <= f->best)
        return;
    if (!leaf->below) {
        look_at_level(f, half, leaf, u, v);
        return;
    }
    for (int32_t row = v[0]; row <= v[1]; row = j[1] + 1) {
        const struct cell *cells =
            block_cells(leaf->below) + (((y + row) & BLOCK_MASK) >> CELL_LOG2) * BLOCK_CELLS;

        piece_of(y, row, v[1], CELL_SIDE, j);
        for (int32_t column = u[0]; column <= u[1]; column = i[1] + 1) {
            const struct cell *cell = &cells[((x + column) & BLOCK_MASK) >> CELL_LOG2];

            piece_of(x, column, u[1], CELL_SIDE, i);
            if (meets(half, c->stride, i, j) &&
                reach_of(f, half, i, j, cell->least, cell->greatest) > f->best)
                look_at_cell(f, half, leaf, i, j);
        }
    }
}

static void look_at_half(struct far *f, const struct half *half)
{
    const struct rtin_coarse *c = f->c;
    const int32_t x = c->vertices.x + half->x, y = c->vertices.y + half->y;
    int32_t u[2], v[2];

    for (int32_t row = 0; row <= c->stride; row = v[1] + 1) {
        piece_of(y, row, c->stride, BLOCK_SIDE, v);
        for (int32_t column = 0; column <= c->stride; column = u[1] + 1) {
            piece_of(x, column, c->stride, BLOCK_SIDE, u);
            if (meets(half, c->stride, u, v))
                look_at_block(f, half, u, v);
        }
    }
}

/* Middles of the surface's quads along the quad's diagonal from north-east to south-west. */
static void look_at_middles(struct far *f, const struct half *half)
{
    const struct rtin_coarse *c = f->c;

    for (int32_t v = 0; v < c->stride; v++) {
        const int32_t x = half->x + c->stride - 1 - v, y = half->y + v;
        const int32_t east = c->vertices.x + x, south = c->vertices.y + y;
        const double middle =
            (view_height(c->view, east, south) + view_height(c->view, east + 1, south + 1)) / 2.0;
        const double error = fabs(middle - plane_at(f, x + 0.5, y + 0.5));

        if (error > f->best &&
            (half->solid || (c->quads[y / c->stride * c->n + x / c->stride] != RTIN_LEFT_OUT &&
                             !view_hole(c->view, east, south))))
            f->best = error;
    }
}

static bool quad_solid(const struct rtin_coarse *c, int32_t i, int32_t j)
{
    const struct rect quads = { c->vertices.x + i * c->stride, c->vertices.y + j * c->stride,
                                c->stride, c->stride };

    return !c->holed || (c->quads[j * c->n + i] != RTIN_LEFT_OUT &&
                         tree_bounds(&c->view->planes[PLANE_HOLES], quads).greatest == 0);
}

/* The right angle at a; b and c are the ends of the quad's diagonal. */
static struct half half_of(const struct far *f, const struct spot *a, const struct spot *b,
                           const struct spot *c)
{
    const int32_t i = b->i < c->i ? b->i : c->i, j = b->j < c->j ? b->j : c->j;

    return (struct half){
        i * f->c->stride,      j * f->c->stride, a->i > i, a->j > j, (b->i < c->i) == (b->j < c->j),
        quad_solid(f->c, i, j)
    };
}

/* The error of a triangle over that middle of its hypotenuse. */
static double known(const struct rtin_coarse *c, const struct spot *a, const struct spot *b,
                    const struct spot *end, int32_t i, int32_t j)
{
    const bool before = (b->j == end->j && a->j < j) || (b->i == end->i && a->i < i);

    return rtin_unpack((before ? c->own->other : c->own->raw)[j * (c->n + 1) + i]);
}

static int32_t least_of(int32_t a, int32_t b, int32_t c)
{
    const int32_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

static double farthest_of(const struct spot *a, const struct spot *b, const struct spot *c)
{
    return fmax(fabs(a->off), fmax(fabs(b->off), fabs(c->off)));
}

static bool triangle_touched(const struct rtin_coarse *c, const struct spot *a,
                             const struct spot *b, const struct spot *end)
{
    const int32_t i = least_of(a->i, b->i, end->i), j = least_of(a->j, b->j, end->j);
    const int32_t width = -least_of(-a->i, -b->i, -end->i) - i;
    const int32_t height = -least_of(-a->j, -b->j, -end->j) - j;

    return rtin_touched(c, i * c->stride, j * c->stride,
                        (width > height ? width : height) * c->stride);
}

static void descend(struct far *f, const struct spot *a, const struct spot *b, const struct spot *c,
                    int32_t level);

static void split(struct far *f, const struct spot *a, const struct spot *b, const struct spot *c,
                  int32_t level)
{
    const struct spot middle = spot_at(f, (b->i + c->i) / 2, (b->j + c->j) / 2);
    const bool b_first = fabs(b->off) >= fabs(c->off);

    if (!f->c->holed)
        raise_to(&f->best, fabs(middle.off));
    descend(f, &middle, a, b_first ? b : c, level - 1);
    descend(f, &middle, a, b_first ? c : b, level - 1);
}

/* Right angle at a; so many halvings from the finest. */
static void descend(struct far *f, const struct spot *a, const struct spot *b, const struct spot *c,
                    int32_t level)
{
    const double corners = farthest_of(a, b, c);
    struct half half;

    if (f->best > f->enough || (f->touched && !triangle_touched(f->c, a, b, c)))
        return;
    if (level > 0) {
        if (corners + known(f->c, a, b, c, (b->i + c->i) / 2, (b->j + c->j) / 2) > f->best)
            split(f, a, b, c, level);
        return;
    }
    if (corners + rtin_unpack(f->c->own->rest[(b->j < c->j ? b->j : c->j) * f->c->n +
                                              (b->i < c->i ? b->i : c->i)]) <=
        f->best)
        return;
    half = half_of(f, a, b, c);
    look_at_half(f, &half);
    if (f->diagonal == b->i + b->j && !half.falling)
        look_at_middles(f, &half);
}

/* A triangle by its corners, the right angle's first. */
struct part {
    const int32_t *apex, *b, *c;
};

static void look_over(struct far *f, const struct part *part, int32_t level)
{
    struct spot corners[3];

    set_plane(f, part->apex, part->b, part->c);
    corners[0] = spot_at(f, part->apex[0], part->apex[1]);
    corners[1] = spot_at(f, part->b[0], part->b[1]);
    corners[2] = spot_at(f, part->c[0], part->c[1]);
    split(f, &corners[0], &corners[1], &corners[2], level);
}

static bool same_code(const struct rtin_coarse *c, const int32_t at[2])
{
    const int32_t k = at[1] * (c->n + 1) + at[0];

    return c->own->codes[k] == c->older->codes[k];
}

static bool same_plane(const struct rtin_coarse *c, const struct part *part)
{
    return same_code(c, part->apex) && same_code(c, part->b) && same_code(c, part->c);
}

/* From the error as it was. What did not change is not above it, so that it stays if anything
 * reaches it as it is written. False when all that did has changed. */
static bool renew(const struct rtin_coarse *c, const struct part *parts, int count, int32_t level,
                  int16_t *error)
{
    const double below = *error ? rtin_unpack((int16_t)(*error - 1)) : 0;
    struct far f = { .c = c, .best = below, .enough = INFINITY, .touched = true };

    for (int i = 0; i < count; i++)
        look_over(&f, &parts[i], level);
    if (f.best > below) {
        *error = rtin_pack(f.best);
        return true;
    }
    f.touched = false;
    f.enough = below;
    for (int i = 0; i < count; i++)
        look_over(&f, &parts[i], level);
    return f.best > below || *error == 0;
}

/* The greatest error of the triangles. */
static void measure(const struct rtin_coarse *c, const struct part *parts, int count, int32_t level,
                    int16_t *error)
{
    struct far f = { .c = c, .enough = INFINITY };
    bool same = c->older;

    for (int i = 0; same && i < count; i++)
        same = same_plane(c, &parts[i]);
    if (same && renew(c, parts, count, level, error))
        return;
    for (int i = 0; i < count; i++)
        look_over(&f, &parts[i], level);
    *error = rtin_pack(f.best);
}

static int32_t levels_of(int32_t cells)
{
    int32_t levels = 0;

    while (cells >> levels > 1)
        levels++;
    return 2 * levels;
}

static void quarter(const struct rtin_coarse *c, int32_t i, int32_t j, int32_t cells)
{
    const int32_t half = cells / 2, row = c->n + 1, level = levels_of(cells) - 1;
    const int32_t x = i * c->stride, y = j * c->stride, side = cells * c->stride;
    const int32_t nw[2] = { i, j }, ne[2] = { i + cells, j }, sw[2] = { i, j + cells };
    const int32_t se[2] = { i + cells, j + cells }, centre[2] = { i + half, j + half };

    if (!rtin_whole(c, x + side / 2, y + side / 2))
        return;
    if (x + side < c->vertices.width)
        measure(c, &(struct part){ centre, nw, ne }, 1, level, &c->own->raw[j * row + i + half]);
    if (y + side < c->vertices.height)
        measure(c, &(struct part){ centre, sw, nw }, 1, level, &c->own->raw[(j + half) * row + i]);
    if (!rtin_whole(c, x + side, y + side))
        return;
    measure(c, &(struct part){ centre, se, sw }, 1, level,
            &c->own->other[(j + cells) * row + i + half]);
    measure(c, &(struct part){ centre, ne, se }, 1, level,
            &c->own->other[(j + half) * row + i + cells]);
}

void rtin_far_square(const struct rtin_coarse *c, int32_t i, int32_t j, int32_t cells)
{
    const int32_t half = cells / 2, side = cells * c->stride, level = levels_of(cells);
    const int32_t nw[2] = { i, j }, ne[2] = { i + cells, j }, sw[2] = { i, j + cells };
    const int32_t se[2] = { i + cells, j + cells };
    const struct part falling[] = { { ne, nw, se }, { sw, se, nw } };
    const struct part rising[] = { { nw, sw, ne }, { se, ne, sw } };

    quarter(c, i, j, cells);
    if (rtin_whole(c, i * c->stride + side, j * c->stride + side))
        measure(c, rtin_falling(c, i, j, cells) ? falling : rising, 2, level,
                &c->own->raw[(j + half) * (c->n + 1) + i + half]);
}

/* Between its corners a quad's diagonal, whose plane both halves have. */
static double look_along(struct far *f, const struct half *half)
{
    const struct rtin_coarse *c = f->c;
    const double best = f->best;
    double side;

    f->best = 0;
    for (int32_t v = 1; v < c->stride; v++) {
        const int32_t u = half->falling ? v : c->stride - v;
        const uint16_t height =
            view_height(c->view, c->vertices.x + half->x + u, c->vertices.y + half->y + v);

        look_at_row(f, half, u, u, v, &height);
    }
    if (!half->falling)
        look_at_middles(f, half);
    side = f->best;
    raise_to(&f->best, best);
    return side;
}

void rtin_far_quad(const struct rtin_coarse *c, int32_t i, int32_t j)
{
    const int32_t corners[4][2] = { { i, j }, { i + 1, j }, { i, j + 1 }, { i + 1, j + 1 } };
    const bool falling = rtin_falling(c, i, j, 1);
    const int first = falling ? 1 : 0; /* the right angles' corners are it and the opposite */
    struct half half = {
        i * c->stride, j * c->stride, falling, false, falling, quad_solid(c, i, j)
    };
    struct far f = { .c = c, .enough = INFINITY };

    set_plane(&f, corners[first], corners[first ^ 1], corners[first ^ 2]);
    look_at_half(&f, &half);
    c->own->sides[j * c->n + i] = rtin_pack(look_along(&f, &half));
    half.east = !half.east;
    half.south = true;
    set_plane(&f, corners[first ^ 3], corners[first ^ 1], corners[first ^ 2]);
    look_at_half(&f, &half);
    c->own->rest[j * c->n + i] = rtin_pack(f.best);
}
