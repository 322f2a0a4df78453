#include "terrain/lod/mesh_measure.h"

#include <math.h>
#include <stdlib.h>

struct measure {
    const struct view *view;
    uint16_t *row; /* room for a row of the landscape */
    double columns, rows;
    double off; /* codes, so far */
};

/* The plane of a triangle: the code at (x, y). */
struct facet {
    double at[3], across, down;
};

/* False for one without an area. */
static bool facet_of(const double *a, const double *b, const double *c, struct facet *facet)
{
    double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
    double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
    double area = bx * cy - cx * by;

    *facet = (struct facet){ { a[0], a[1], a[2] },
                             (bz * cy - cz * by) / area,
                             (bx * cz - cx * bz) / area };
    return area != 0;
}

static double facet_code(const struct facet *facet, double x, double y)
{
    return facet->at[2] + (x - facet->at[0]) * facet->across + (y - facet->at[1]) * facet->down;
}

static void add(struct measure *measure, double off)
{
    measure->off = off > measure->off ? off : measure->off;
}

/* Where the line y = const meets the triangle; false when it does not. */
static bool span_at(const double *const corners[3], double y, double *west, double *east)
{
    *west = INFINITY;
    *east = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 3];
        double low = fmin(a[1], b[1]), high = fmax(a[1], b[1]), x;

        if (y < low || y > high)
            continue;
        x = a[1] == b[1] ? b[0] : a[0] + (b[0] - a[0]) * ((y - a[1]) / (b[1] - a[1]));
        *west = fmin(*west, a[1] == b[1] ? fmin(a[0], b[0]) : x);
        *east = fmax(*east, a[1] == b[1] ? fmax(a[0], b[0]) : x);
    }
    return *west <= *east;
}

/* The landscape's vertices on the triangle. */
static void measure_vertices(struct measure *measure, const double *const corners[3],
                             const struct facet *facet)
{
    double north = fmin(fmin(corners[0][1], corners[1][1]), corners[2][1]);
    double south = fmax(fmax(corners[0][1], corners[1][1]), corners[2][1]);
    double last = fmin(floor(south), measure->rows - 1);

    for (int32_t y = (int32_t)fmin(fmax(ceil(north), 0), measure->rows); y <= last; y++) {
        struct rect row = { 0, y, 0, 1 };
        double west, east;

        if (!span_at(corners, y, &west, &east))
            continue;
        west = fmax(ceil(west - 1e-9), 0);
        east = fmin(floor(east + 1e-9), measure->columns - 1);
        if (!(west <= east))
            continue;
        row.x = (int32_t)west;
        row.width = (int32_t)east - row.x + 1;
        view_read_heights(measure->view, row, measure->row, row.width);
        for (int32_t i = 0; i < row.width; i++)
            add(measure, fabs(measure->row[i] - facet_code(facet, row.x + i, y)));
    }
}

static void measure_at(struct measure *measure, const double *a, const double *b, double along)
{
    double code;

    if (view_code_at(measure->view, a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1]),
                     &code))
        add(measure, fabs(code - (a[2] + along * (b[2] - a[2]))));
}

/* The shares of the edge between which it runs over the landscape, or less than a quad beside it:
 * vertices may lie as far off as they like. False when it does not come near. */
static bool part_near(const struct measure *measure, const double *a, const double *b,
                      double part[2])
{
    const double most[2] = { measure->columns, measure->rows };

    part[0] = 0;
    part[1] = 1;
    for (int k = 0; k < 2; k++) {
        double along = b[k] - a[k], low = (-1 - a[k]) / along, high = (most[k] - a[k]) / along;

        if (along == 0 && !(a[k] > -1 && a[k] < most[k]))
            return false;
        if (along == 0)
            continue;
        part[0] = fmax(part[0], fmin(low, high));
        part[1] = fmin(part[1], fmax(low, high));
    }
    return part[0] <= part[1];
}

/* Where the edge, from `from` to `to` in one direction, meets whole numbers from `least` to `most`
 * on that part of it. */
static void measure_crossings(struct measure *measure, const double *a, const double *b,
                              const double part[2], double from, double to, double least,
                              double most)
{
    double first = from + part[0] * (to - from),
           last = part[1] < 1 ? from + part[1] * (to - from) : to;
    double low = fmax(fmin(first, last), least - 1), high = fmin(fmax(first, last), most + 1);

    for (double line = floor(low) + 1; line < high; line++)
        measure_at(measure, a, b, (line - from) / (to - from));
}

static void measure_edge(struct measure *measure, const double *a, const double *b)
{
    const double columns = measure->columns, rows = measure->rows;
    double part[2];

    if (!part_near(measure, a, b, part))
        return;
    measure_at(measure, a, b, 0);
    measure_at(measure, a, b, 1);
    measure_crossings(measure, a, b, part, a[0], b[0], 0, columns);
    measure_crossings(measure, a, b, part, a[1], b[1], 0, rows);
    measure_crossings(measure, a, b, part, a[0] - a[1], b[0] - b[1], -rows, columns);
}

/* An edge along the landscape's own meets others of them in vertices only. */
static bool runs_along(const double *a, const double *b)
{
    double dx = b[0] - a[0], dy = b[1] - a[1];

    return (dx == 0 && a[0] == floor(a[0])) || (dy == 0 && a[1] == floor(a[1])) ||
           (dx == dy && a[0] - a[1] == floor(a[0] - a[1]));
}

bool mesh_measure(const struct view *view, const struct mesh *mesh, size_t first, double *metres,
                  struct fault *why)
{
    const struct grid *grid = view_grid(view);
    struct measure measure = { view, malloc((size_t)grid->columns * 2), grid->columns, grid->rows,
                               0 };

    if (!measure.row)
        return fault_set(why, FAULT_MEMORY, "no memory for a row of %d heights", grid->columns);
    for (size_t i = first; i < mesh->index_count; i += 3) {
        const double *corners[3] = { mesh->at[mesh->indices[i]], mesh->at[mesh->indices[i + 1]],
                                     mesh->at[mesh->indices[i + 2]] };
        struct facet facet;

        if (facet_of(corners[0], corners[1], corners[2], &facet))
            measure_vertices(&measure, corners, &facet);
        for (int k = 0; k < 3; k++) {
            const double *a = corners[k], *b = corners[(k + 1) % 3];

            if (!runs_along(a, b))
                measure_edge(&measure, a, b);
        }
    }
    free(measure.row);
    *metres = measure.off * grid->scale[2] / 128;
    return true;
}
