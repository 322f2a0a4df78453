/* How far the surface between a tile's samples lies off the landscape's.
 *
 * Both are flat on triangles, in the tile's numbers and in the landscape's. Where few vertices of
 * the landscape lie under the tile, its triangles are laid on the landscape's grid and measured
 * exactly; where many do, squares are bounded by the least and greatest height below them. What
 * turns one's numbers into the other's is curved, so a triangle's inside lies beside where its
 * corners say, by an eighth of the second differences along its legs and a quarter of the mixed
 * one: that much of the landscape's steepest slope comes on top. */
#include <math.h>
#include <stdlib.h>

#include "terrain/format/globe_ground.h"
#include "terrain/format/globe_sheet.h"

enum { EXACT_MOST = 1 << 16 /* vertices under a tile */ };

/* An upper bound of |second differences| of numbers `gap` doubles apart, in all directions. */
static double bend_of(const struct globe_sheet *sheet, const double *numbers, int gap)
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

/* The landscape's heights under the tile. */
struct under {
    struct rect region;
    uint16_t *codes;
    double off; /* codes, so far */
};

/* Compares the landscape's surface at a place with a code there; beyond the landscape there is
 * nothing to compare. */
static void compare(struct under *under, double x, double y, double code)
{
    const struct rect region = under->region;
    const double across = x - region.x, down = y - region.y;
    const uint16_t *north;
    int32_t i, j;
    double off;

    if (!(across >= 0 && down >= 0 && across <= region.width - 1 && down <= region.height - 1))
        return;
    i = (int32_t)across < region.width - 2 ? (int32_t)across : region.width - 2;
    j = (int32_t)down < region.height - 2 ? (int32_t)down : region.height - 2;
    north = under->codes + (int64_t)j * region.width + i;
    off = view_quad_code(north[0], north[1], north[region.width], north[region.width + 1],
                         across - i, down - j) -
          code;
    off = off < 0 ? -off : off;
    under->off = off > under->off ? off : under->off;
}

/* Where a side of a triangle meets those of the landscape's columns, rows or diagonals that there
 * are, `least` to `most`: where `from` to `to` passes whole numbers. a and b are column, row and
 * code of its ends. */
static void cross(struct under *under, const double a[3], const double b[3], double from, double to,
                  double least, double most)
{
    const double low = from < to ? from : to, high = from < to ? to : from, long_ = to - from;

    for (double line = fmax(floor(low) + 1, least); line < high && line <= most; line++) {
        const double along = (line - from) / long_;

        compare(under, a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1]),
                a[2] + along * (b[2] - a[2]));
    }
}

static void measure_side(struct under *under, const double a[3], const double b[3])
{
    const double west = under->region.x, east = west + under->region.width - 1;
    const double north = under->region.y, south = north + under->region.height - 1;

    cross(under, a, b, a[0], b[0], west, east);
    cross(under, a, b, a[1], b[1], north, south);
    cross(under, a, b, a[0] - a[1], b[0] - b[1], west - south, east - north);
}

/* The landscape's vertices on a triangle. */
static void measure_inside(struct under *under, const double a[3], const double b[3],
                           const double c[3])
{
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    const struct rect region = under->region;
    const double west = fmax(fmin(a[0], fmin(b[0], c[0])), region.x);
    const double east = fmin(fmax(a[0], fmax(b[0], c[0])), region.x + region.width - 1);
    const double north = fmax(fmin(a[1], fmin(b[1], c[1])), region.y);
    const double south = fmin(fmax(a[1], fmax(b[1], c[1])), region.y + region.height - 1);

    if (area == 0)
        return;
    for (double y = ceil(north); y <= south; y++)
        for (double x = ceil(west); x <= east; x++) {
            const double s = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
            const double t = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;

            if (s >= -1e-9 && t >= -1e-9 && s + t <= 1 + 1e-9)
                compare(under, x, y, a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]));
        }
}

/* Column, row and code of a sample; false where it has no place. */
static bool sample_at(const struct globe_sheet *sheet, int32_t i, int32_t j, double at[3])
{
    const int32_t k = j * sheet->across + i;

    at[0] = sheet->at[k][0];
    at[1] = sheet->at[k][1];
    at[2] = grid_code(view_grid(sheet->view), sheet->z[k] - sheet->raise[k]);
    return !isnan(at[0]) && !isnan(at[1]);
}

/* A square's north and west sides and its diagonal; the others are its neighbours'. Both surfaces
 * are flat on the pieces into which their sides cut each other, so their corners tell it all. */
static void measure_square(const struct globe_sheet *sheet, struct under *under, int32_t i,
                           int32_t j)
{
    double nw[3], ne[3], sw[3], se[3];

    if (!sample_at(sheet, i, j, nw) || !sample_at(sheet, i + 1, j, ne) ||
        !sample_at(sheet, i, j + 1, sw) || !sample_at(sheet, i + 1, j + 1, se))
        return;
    for (int k = 0; k < 4; k++) {
        const double *corner = k == 0 ? nw : k == 1 ? ne : k == 2 ? sw : se;

        if (k == 0 || i == sheet->side - 1 || j == sheet->side - 1)
            compare(under, corner[0], corner[1], corner[2]);
    }
    measure_side(under, nw, ne);
    measure_side(under, nw, sw);
    measure_side(under, nw, se);
    if (i == sheet->side - 1)
        measure_side(under, ne, se);
    if (j == sheet->side - 1)
        measure_side(under, sw, se);
    measure_inside(under, nw, se, ne);
    measure_inside(under, nw, sw, se);
}

static bool measure_exactly(const struct globe_sheet *sheet, struct rect reach, double *metres,
                            struct fault *why)
{
    struct under under = { .region = reach };

    *metres = 0;
    if (reach.width < 2 || reach.height < 2)
        return true;
    under.codes = malloc((size_t)rect_area(reach) * sizeof *under.codes);
    if (!under.codes)
        return fault_set(why, FAULT_MEMORY, "no memory for the heights under a tile");
    view_read_heights(sheet->view, reach, under.codes, reach.width);
    for (int32_t k = 0; k < sheet->side * sheet->side; k++)
        measure_square(sheet, &under, k % sheet->side, k / sheet->side);
    free(under.codes);
    *metres = under.off * view_grid(sheet->view)->scale[2] / 128;
    return true;
}

static bool measure(struct globe_sheet *sheet, const struct tile *tile, double *metres,
                    struct fault *why)
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
        if (!globe_sheet_bound(sheet, metres, why))
            return false;
    } else {
        if (!measure_exactly(sheet, reach, metres, why))
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
    struct globe_sheet sheet = { .view = view,
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
