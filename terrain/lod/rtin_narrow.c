#include "terrain/lod/rtin_coarse.h"

#include <math.h>

static double surface_code(const struct view *view, int32_t x, int32_t y, double across,
                           double down)
{
    return view_quad_code(view_height(view, x, y), view_height(view, x + 1, y),
                          view_height(view, x, y + 1), view_height(view, x + 1, y + 1), across,
                          down);
}

/* A quad of the grid that the border makes narrow, as it is drawn. */
struct narrow {
    const struct view *view;
    int32_t x, y, width, height;
    double nw, ne, sw, se;
    bool falling;
};

static double narrow_code(const struct narrow *quad, double x, double y)
{
    const double across = (x - quad->x) / quad->width, down = (y - quad->y) / quad->height;

    if (quad->falling)
        return across >= down
                   ? quad->nw + across * (quad->ne - quad->nw) + down * (quad->se - quad->ne)
                   : quad->nw + across * (quad->se - quad->sw) + down * (quad->sw - quad->nw);
    return across + down <= 1
               ? quad->nw + across * (quad->ne - quad->nw) + down * (quad->sw - quad->nw)
               : quad->se + (1 - across) * (quad->sw - quad->se) +
                     (1 - down) * (quad->ne - quad->se);
}

/* Where the narrow quad's side crosses a side or the diagonal of the surface's quad (x, y), and at
 * that quad's corners. */
static double narrow_error_over(const struct narrow *quad, int32_t x, int32_t y)
{
    /* The narrow quad's diagonal, relative to the surface's quad: down = from + slope * across. */
    const double slope = (quad->falling ? 1.0 : -1.0) * quad->height / quad->width;
    const double from =
        (quad->falling ? quad->y : quad->y + quad->height) + slope * (x - quad->x) - y;
    const double points[9][2] = { { 0, 0 },
                                  { 1, 0 },
                                  { 0, 1 },
                                  { 1, 1 },
                                  { 0, from },
                                  { 1, from + slope },
                                  { -from / slope, 0 },
                                  { (1 - from) / slope, 1 },
                                  { from / (1 - slope), from / (1 - slope) } };
    double most = 0;

    for (int i = 0; i < 9; i++) {
        const double across = points[i][0], down = points[i][1];

        if (across >= 0 && across <= 1 && down >= 0 && down <= 1)
            most = fmax(most, fabs(surface_code(quad->view, x, y, across, down) -
                                   narrow_code(quad, x + across, y + down)));
    }
    return most;
}

static double error_over(const struct narrow *quad)
{
    double most = 0;

    for (int32_t y = quad->y; y < quad->y + quad->height; y++)
        for (int32_t x = quad->x; x < quad->x + quad->width; x++)
            if (!view_hole(quad->view, x, y))
                most = fmax(most, narrow_error_over(quad, x, y));
    return most;
}

/* Rounded outwards: crossings are not at whole fractions. */
double rtin_narrow_error(const struct rtin_coarse *c, int32_t i, int32_t j)
{
    const int32_t x = i * c->stride, y = j * c->stride;
    const int32_t columns = c->vertices.width - 1 - x, rows = c->vertices.height - 1 - y;
    const uint16_t *corner = c->own->codes + j * (c->n + 1) + i;
    const struct narrow quad = { c->view,
                                 c->vertices.x + x,
                                 c->vertices.y + y,
                                 columns < c->stride ? columns : c->stride,
                                 rows < c->stride ? rows : c->stride,
                                 corner[0],
                                 corner[1],
                                 corner[c->n + 1],
                                 corner[c->n + 2],
                                 rtin_falling(c, i, j, 1) };

    return error_over(&quad) + 1e-9;
}
