/* How far the surface between a tile's samples lies off the landscape's.
 *
 * Both are flat on triangles, in the tile's numbers and in the landscape's. Where few vertices of
 * the landscape lie under the tile, its triangles are laid on the landscape's grid and measured
 * exactly; where many do, each square is bounded by the least and greatest height below it. What
 * turns one's numbers into the other's is curved, so a triangle's inside lies beside where its
 * corners say, by an eighth of the second differences along its legs and a quarter of the mixed
 * one: that much of the landscape's steepest slope comes on top. */
#include <math.h>
#include <stdlib.h>

#include "terrain/format/globe_ground.h"
#include "terrain/lod/mesh_measure.h"

enum { EXACT_MOST = 1 << 16 /* vertices under a tile */ };

struct sheet {
    const struct view *view;
    const struct globe_look *look;
    int32_t side, across;
    const double *z;
    double (*at)[2];
    double *raise;  /* what each sample was raised by */
    double bend[2]; /* columns and rows that a triangle's inside lies off, at most */
};

/* An upper bound of |second differences| of numbers `gap` doubles apart, in all directions. */
static double bend_of(const struct sheet *sheet, const double *numbers, int gap)
{
    const int32_t across = sheet->across;
    double along = 0, down = 0, mixed = 0;

    for (int32_t j = 0; j < across; j++)
        for (int32_t i = 0; i < across; i++) {
            const double *here = numbers + ((int64_t)j * across + i) * gap;
            const int64_t east = gap, south = (int64_t)across * gap;

            if (i > 0 && i < across - 1)
                along = fmax(along, fabs(here[-east] - 2 * here[0] + here[east]));
            if (j > 0 && j < across - 1)
                down = fmax(down, fabs(here[-south] - 2 * here[0] + here[south]));
            if (i < across - 1 && j < across - 1)
                mixed = fmax(mixed, fabs(here[0] - here[east] - here[south] + here[east + south]));
        }
    return (along + down) / 8 + mixed / 4;
}

/* The steepest step between neighbouring vertices, codes, as far as the bounds of the heights there
 * tell. */
static double steepest(const struct view *view, struct rect region)
{
    const struct summary bounds = tree_bounds(&view->planes[PLANE_HEIGHTS], region);

    return rect_empty(region) ? 0 : bounds.greatest - bounds.least;
}

static bool cell_add(struct mesh *mesh, const struct sheet *sheet, int32_t i, int32_t j)
{
    const int32_t nw = j * sheet->across + i, sw = nw + sheet->across;
    const int32_t corners[4] = { nw, nw + 1, sw, sw + 1 };

    for (int k = 0; k < 4; k++)
        if (isnan(sheet->at[corners[k]][0]) || isnan(sheet->at[corners[k]][1]))
            return false;
    mesh_triangle(mesh, (uint32_t)nw, (uint32_t)sw + 1, (uint32_t)nw + 1);
    mesh_triangle(mesh, (uint32_t)nw, (uint32_t)sw, (uint32_t)sw + 1);
    return true;
}

static bool measure_exactly(const struct sheet *sheet, double *metres, struct fault *why)
{
    const struct grid *grid = view_grid(sheet->view);
    const size_t vertices = (size_t)sheet->across * (size_t)sheet->across;
    struct mesh mesh;
    bool done;

    mesh_init(&mesh, false);
    done = mesh_reserve(&mesh, vertices, 6 * vertices, why);
    for (size_t i = 0; done && i < vertices; i++)
        mesh_vertex(&mesh, sheet->at[i][0], sheet->at[i][1],
                    grid_code(grid, sheet->z[i] - sheet->raise[i]));
    for (int32_t k = 0; done && k < sheet->side * sheet->side; k++)
        cell_add(&mesh, sheet, k % sheet->side, k / sheet->side);
    done = done && mesh_measure(sheet->view, &mesh, 0, metres, why);
    mesh_free(&mesh);
    return done;
}

/* The vertices under a square, and around where it bends. */
static struct rect cell_region(const struct sheet *sheet, int32_t i, int32_t j)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    int32_t first[2], end[2];

    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 2; k++) {
            const double at = sheet->at[(j + c / 2) * sheet->across + i + c % 2][k];

            low[k] = fmin(low[k], at - sheet->bend[k]);
            high[k] = fmax(high[k], at + sheet->bend[k]);
        }
    for (int k = 0; k < 2; k++) {
        const int32_t count =
            k ? sheet->view->settings->grid.rows : sheet->view->settings->grid.columns;

        if (!(low[k] <= count && high[k] >= -1))
            return (struct rect){ 0 };
        first[k] = (int32_t)fmax(floor(low[k]), 0);
        end[k] = (int32_t)fmin(ceil(high[k]) + 1, count);
    }
    return (struct rect){ first[0], first[1], end[0] - first[0], end[1] - first[1] };
}

static double measure_by_bounds(const struct sheet *sheet)
{
    const struct grid *grid = view_grid(sheet->view);
    double most = 0;

    for (int32_t k = 0; k < sheet->side * sheet->side; k++) {
        const int32_t i = k % sheet->side, j = k / sheet->side;
        const struct rect region = cell_region(sheet, i, j);
        double low = INFINITY, high = -INFINITY;
        struct summary bounds;

        if (rect_empty(region))
            continue;
        bounds = tree_bounds(&sheet->view->planes[PLANE_HEIGHTS], region);
        for (int c = 0; c < 4; c++) {
            const int32_t at = (j + c / 2) * sheet->across + i + c % 2;

            low = fmin(low, sheet->z[at] - sheet->raise[at]);
            high = fmax(high, sheet->z[at] - sheet->raise[at]);
        }
        most = fmax(most, grid_metres(grid, bounds.greatest) - low);
        most = fmax(most, high - grid_metres(grid, bounds.least));
    }
    return most;
}

static bool measure(struct sheet *sheet, const struct tile *tile, double *metres, struct fault *why)
{
    const struct grid *grid = view_grid(sheet->view);
    const size_t count = (size_t)sheet->across * (size_t)sheet->across;
    struct rect reach;

    if (!tile_places(sheet->view, tile, sheet->at, why) ||
        !tile_reach(sheet->view, tile, &reach, why))
        return false;
    for (size_t i = 0; i < count; i++)
        sheet->raise[i] = datum_raise(sheet->look->datum, grid, sheet->at[i][0], sheet->at[i][1]);
    for (int k = 0; k < 2; k++)
        sheet->bend[k] = bend_of(sheet, &sheet->at[0][k], 2);
    if (rect_area(reach) > EXACT_MOST) {
        *metres = measure_by_bounds(sheet);
    } else {
        if (!measure_exactly(sheet, metres, why))
            return false;
        *metres +=
            (sheet->bend[0] + sheet->bend[1]) * steepest(sheet->view, reach) * grid->scale[2] / 128;
    }
    /* A geoid that bends between two samples does so by half its second difference at most. */
    if (sheet->look->datum->geoid)
        *metres += 4 * bend_of(sheet, sheet->raise, 1);
    return true;
}

bool globe_sample_error(const struct view *view, const struct tile *tile,
                        const struct globe_look *look, const double *z, double *metres,
                        struct fault *why)
{
    const int32_t across = tile_samples_across(tile);
    const size_t count = (size_t)across * (size_t)across;
    struct sheet sheet = { .view = view,
                           .look = look,
                           .side = tile->side,
                           .across = across,
                           .z = z,
                           .at = malloc(count * sizeof *sheet.at),
                           .raise = malloc(count * sizeof *sheet.raise) };
    bool done = false;

    if (!sheet.at || !sheet.raise)
        fault_set(why, FAULT_MEMORY, "no memory for the places of %zu samples", count);
    else
        done = measure(&sheet, tile, metres, why);
    free(sheet.raise);
    free(sheet.at);
    return done;
}
