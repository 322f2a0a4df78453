#include "tests/terrain/facets.h"

#include <math.h>

#include "tests/terrain/ground.h"

enum { CORNERS_MOST = 12 };

struct polygon {
    int count;
    double at[CORNERS_MOST][2];
};

/* Left of the line through a and b, seen along it with y downwards: positive. */
static double side_of(const double *a, const double *b, const double *p)
{
    return (b[1] - a[1]) * (p[0] - a[0]) - (b[0] - a[0]) * (p[1] - a[1]);
}

static struct polygon cut(const struct polygon *from, const double *a, const double *b)
{
    struct polygon to = { 0 };

    for (int i = 0; i < from->count; i++) {
        const double *p = from->at[i], *q = from->at[(i + 1) % from->count];
        double sp = side_of(a, b, p), sq = side_of(a, b, q);

        if (sp >= 0) {
            to.at[to.count][0] = p[0];
            to.at[to.count++][1] = p[1];
        }
        if ((sp > 0 && sq < 0) || (sp < 0 && sq > 0)) {
            const double t = sp / (sp - sq);

            to.at[to.count][0] = p[0] + (q[0] - p[0]) * t;
            to.at[to.count++][1] = p[1] + (q[1] - p[1]) * t;
        }
    }
    return to;
}

/* The plane through three vertices at (x, y). */
static double plane_at(const double *a, const double *b, const double *c, double x, double y)
{
    const double p[2] = { x, y };
    const double all = side_of(a, b, c);
    const double wc = side_of(a, b, p) / all, wb = side_of(c, a, p) / all;

    return a[2] + (b[2] - a[2]) * wb + (c[2] - a[2]) * wc;
}

static double over_piece(const double (*surface)[3], const double *a, const double *b,
                         const double *c)
{
    struct polygon piece = { 3, { { a[0], a[1] }, { b[0], b[1] }, { c[0], c[1] } } };
    double most = 0;

    for (int i = 0; i < 3 && piece.count; i++)
        piece = cut(&piece, surface[i], surface[(i + 1) % 3]);
    for (int i = 0; i < piece.count; i++) {
        const double x = piece.at[i][0], y = piece.at[i][1];

        most = fmax(most, fabs(plane_at(a, b, c, x, y) -
                               plane_at(surface[0], surface[1], surface[2], x, y)));
    }
    return most;
}

static double over_quad(const struct view *view, int32_t x, int32_t y, const double *a,
                        const double *b, const double *c)
{
    const double nw[3] = { x, y, view_height(view, x, y) };
    const double ne[3] = { x + 1, y, view_height(view, x + 1, y) };
    const double sw[3] = { x, y + 1, view_height(view, x, y + 1) };
    const double se[3] = { x + 1, y + 1, view_height(view, x + 1, y + 1) };
    const double halves[2][3][3] = {
        { { nw[0], nw[1], nw[2] }, { se[0], se[1], se[2] }, { ne[0], ne[1], ne[2] } },
        { { nw[0], nw[1], nw[2] }, { sw[0], sw[1], sw[2] }, { se[0], se[1], se[2] } },
    };

    return fmax(over_piece(halves[0], a, b, c), over_piece(halves[1], a, b, c));
}

static double least_of(double a, double b, double c)
{
    return fmin(a, fmin(b, c));
}

double facets_farthest(const struct view *view, const struct mesh *mesh, size_t first)
{
    double most = 0;

    for (size_t i = first; i < mesh->index_count; i += 3) {
        const double *a = mesh->at[mesh->indices[i]], *b = mesh->at[mesh->indices[i + 1]];
        const double *c = mesh->at[mesh->indices[i + 2]];
        const double east = -least_of(-a[0], -b[0], -c[0]), south = -least_of(-a[1], -b[1], -c[1]);

        for (int32_t y = (int32_t)least_of(a[1], b[1], c[1]); y < south; y++)
            for (int32_t x = (int32_t)least_of(a[0], b[0], c[0]); x < east; x++)
                if (!view_hole(view, x, y))
                    most = fmax(most, over_quad(view, x, y, a, b, c));
    }
    return most;
}

double facets_area(const struct mesh *mesh, size_t first)
{
    double area = 0;

    for (size_t i = first; i < mesh->index_count; i += 3) {
        const double twice = side_of(mesh->at[mesh->indices[i]], mesh->at[mesh->indices[i + 1]],
                                     mesh->at[mesh->indices[i + 2]]);

        assert_true(twice > 0);
        area += twice / 2;
    }
    return area;
}
