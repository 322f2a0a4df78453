#include "terrain/query/tally.h"

#include <math.h>

#include "terrain/base/wide.h"

/* How much larger each quad is than seen from above. */
WIDE static void steep_row(const uint16_t *north, const uint16_t *south, int32_t count,
                           const double lean[2], double *to)
{
    const double a = lean[0], b = lean[1];

    for (int32_t i = 0; i < count; i++) {
        const double x0 = a * (north[i + 1] - north[i]), y0 = b * (south[i + 1] - north[i + 1]);
        const double x1 = a * (south[i + 1] - south[i]), y1 = b * (south[i] - north[i]);

        to[i] = 0.5 * (sqrt(1 + x0 * x0 + y0 * y0) + sqrt(1 + x1 * x1 + y1 * y1));
    }
}

/* Six times the sum of what lies under each quad's two triangles. */
WIDE static uint64_t under_row(const uint16_t *north, const uint16_t *south, int32_t count)
{
    uint32_t sum = 0;

    for (int32_t i = 0; i < count; i++)
        sum += 2u * north[i] + north[i + 1] + south[i] + 2u * south[i + 1];
    return sum;
}

static double sum_doubles(const double *row, int32_t count)
{
    double lanes[4] = { 0, 0, 0, 0 };
    int32_t i = 0;

    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            lanes[k] += row[i + k];
    for (; i < count; i++)
        lanes[0] += row[i];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static void above_row(const struct tally *tally, const uint16_t *codes, struct rect at,
                      double *above)
{
    const double plane = tally->plane[0] + tally->plane[2] * at.y;

    for (int32_t i = 0; i <= at.width; i++)
        above[i] = codes[i] - (plane + tally->plane[1] * (at.x + i));
}

static void cut_row(struct tally *tally, const uint16_t *north, const uint16_t *south,
                    struct rect at, struct prism *prism)
{
    const struct rect below = { at.x, at.y + 1, at.width, 1 };
    double above[2][BLOCK_SIDE + 1];

    above_row(tally, north, at, above[0]);
    above_row(tally, south, below, above[1]);
    prism_row(above[0], above[1], at.width, prism);
}

/* Whether a level plane lies above or below all of the codes: 1 above it, -1 below, 0 neither. */
static int side_of(const struct tally *tally, struct summary bounds)
{
    if (tally->plane[1] != 0 || tally->plane[2] != 0)
        return 0;
    return bounds.least > tally->plane[0] ? 1 : bounds.greatest < tally->plane[0] ? -1 : 0;
}

/* Of a rectangle of quads within one block: what is not added up one by one. */
struct ground {
    int side;
    uint64_t under;
    int64_t quads;
};

/* Quads beside each other, none of them a hole; `at` is theirs. */
static void add_quads_row(struct tally *tally, const uint16_t *north, const uint16_t *south,
                          struct rect at, struct ground *ground, struct prism *prism,
                          double *surface)
{
    double steep[BLOCK_SIDE];

    ground->quads += at.width;
    if (tally->asked->surface_area) {
        steep_row(north, south, at.width, tally->lean, steep);
        *surface += sum_doubles(steep, at.width);
    }
    if (!tally->asked->volumes)
        return;
    if (ground->side)
        ground->under += under_row(north, south, at.width);
    else
        cut_row(tally, north, south, at, prism);
}

static void add_solid_runs(struct tally *tally, const uint16_t *north, const uint16_t *south,
                           struct rect at, struct ground *ground, struct prism *prism,
                           double *surface)
{
    uint8_t holes[BLOCK_SIDE];

    view_read_holes(tally->view, at, holes, at.width);
    for (int32_t i = 0; i < at.width;) {
        int32_t end = i;

        while (end < at.width && !holes[end])
            end++;
        if (end > i)
            add_quads_row(tally, north + i, south + i, (struct rect){ at.x + i, at.y, end - i, 1 },
                          ground, prism, surface);
        i = end + 1;
    }
}

static void add_rows(struct tally *tally, struct rect quads, bool holes, struct ground *ground)
{
    uint16_t rows[2][BLOCK_SIDE + 1];
    struct prism prism = { 0 };
    double surface = 0;

    view_read_heights(tally->view, (struct rect){ quads.x, quads.y, quads.width + 1, 1 }, rows[0],
                      BLOCK_SIDE + 1);
    for (int32_t j = 0; j < quads.height; j++) {
        const struct rect at = { quads.x, quads.y + j, quads.width, 1 };
        const uint16_t *north = rows[j & 1], *south = rows[~j & 1];

        view_read_heights(tally->view, (struct rect){ at.x, at.y + 1, at.width + 1, 1 },
                          rows[~j & 1], BLOCK_SIDE + 1);
        if (holes)
            add_solid_runs(tally, north, south, at, ground, &prism, &surface);
        else
            add_quads_row(tally, north, south, at, ground, &prism, &surface);
    }
    tally->surface += surface;
    prism_join(&tally->prism, &prism);
}

static void add_side(struct tally *tally, const struct ground *ground)
{
    const double quads = (double)ground->quads;
    const double metres = (double)ground->under / 6 - quads * tally->plane[0];

    if (ground->side > 0) {
        tally->prism.above += metres;
        tally->prism.area_above += quads;
    } else {
        tally->prism.below -= metres;
        tally->prism.area_below += quads;
    }
}

void tally_quads(void *context, struct rect quads)
{
    struct tally *tally = context;
    const struct view *view = tally->view;
    const bool looks = tally->asked->surface_area || tally->asked->volumes;
    const bool holes = tally_has_holes(tally, quads);
    const struct rect corners = { quads.x, quads.y, quads.width + 1, quads.height + 1 };
    struct summary bounds = { 0 };
    struct ground ground = { 0 };

    if (looks) {
        bounds = tree_bounds(&view->planes[PLANE_HEIGHTS], corners);
        ground.side = side_of(tally, bounds);
    }
    if (!holes &&
        (!looks || (bounds.least == bounds.greatest && (ground.side || !tally->asked->volumes)))) {
        ground.quads = rect_area(quads);
        ground.under = (uint64_t)ground.quads * 6 * bounds.least;
        tally->surface += (double)ground.quads;
    } else {
        add_rows(tally, quads, holes, &ground);
    }
    tally->quads += ground.quads;
    if (ground.side && tally->asked->volumes)
        add_side(tally, &ground);
}

/* Pieces */

void tally_piece(void *context, int32_t x, int32_t y, bool south_west, const double (*corners)[2],
                 int count)
{
    struct tally *tally = context;
    uint16_t codes[4];
    double rise[2], d[REGION_CORNERS_MOST], area = 0;

    if (!tally->asked->ignore_holes && view_hole(tally->view, x, y))
        return;
    view_read_heights(tally->view, (struct rect){ x, y, 2, 2 }, codes, 2);
    rise[0] = south_west ? codes[3] - codes[2] : codes[1] - codes[0];
    rise[1] = south_west ? codes[2] - codes[0] : codes[3] - codes[1];
    for (int i = 0; i < count; i++) {
        const double *at = corners[i];

        d[i] = codes[0] + at[0] * rise[0] + at[1] * rise[1] -
               (tally->plane[0] + tally->plane[1] * (x + at[0]) + tally->plane[2] * (y + at[1]));
    }
    for (int i = 1; i + 1 < count; i++) {
        const double part = prism_area(corners[0], corners[i], corners[i + 1]);

        area += part;
        if (tally->asked->volumes)
            prism_add(part, d[0], d[i], d[i + 1], &tally->prism);
    }
    rise[0] *= tally->lean[0];
    rise[1] *= tally->lean[1];
    tally->parts += area;
    tally->surface += area * sqrt(1 + rise[0] * rise[0] + rise[1] * rise[1]);
}
