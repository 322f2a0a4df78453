#include "terrain/core/normals.h"

#include <math.h>
#include <string.h>

#include "terrain/base/wide.h"

enum { QUADS_MOST = NORMALS_SIDE_MOST + 1 };

/* The upward unit normals of a row of quads: of their north-east and their south-west triangles. */
struct quad_row {
    double ne[3][QUADS_MOST], sw[3][QUADS_MOST];
};

/* Rises of a triangle over a quad, in codes, become its unit normal. */
static inline void unit(double rise_x, double rise_y, const double scale[3], double *x, double *y,
                        double *z)
{
    double across = -rise_x * scale[2] / 128 / scale[0];
    double down = -rise_y * scale[2] / 128 / scale[1];
    double length = sqrt(across * across + down * down + 1);

    *x = across / length;
    *y = down / length;
    *z = 1 / length;
}

WIDE static void work_out(const uint16_t *north, const uint16_t *south, int32_t count,
                          const double scale[3], struct quad_row *row)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t nw = north[i], ne = north[i + 1], sw = south[i], se = south[i + 1];

        unit(ne - nw, se - ne, scale, &row->ne[0][i], &row->ne[1][i], &row->ne[2][i]);
        unit(se - sw, sw - nw, scale, &row->sw[0][i], &row->sw[1][i], &row->sw[2][i]);
    }
}

/* No quad there: it adds nothing. */
static void leave_out(struct quad_row *row, int32_t i)
{
    for (int axis = 0; axis < 3; axis++)
        row->ne[axis][i] = row->sw[axis][i] = 0;
}

/* Quads between two rows of vertices, those beyond the landscape left out. */
static void fill_row(const uint16_t *around, struct rect square, const struct grid *grid, int32_t y,
                     struct quad_row *row)
{
    int32_t stride = square.width + 2, count = square.width + 1;
    const uint16_t *north = around + (int64_t)y * stride;
    int32_t above = square.y - 1 + y; /* the landscape's row of quads */

    if (above < 0 || above >= grid->rows - 1) {
        memset(row, 0, sizeof *row);
        return;
    }
    work_out(north, north + stride, count, grid->scale, row);
    if (square.x == 0)
        leave_out(row, 0);
    if (square.x + square.width == grid->columns)
        leave_out(row, count - 1);
}

/* codec_normal, without a branch. */
static inline uint8_t encode(double n)
{
    double code = floor(127.5 * (n + 1) + 0.5 + 1e-6);

    code = code < 0 ? 0 : code;
    return (uint8_t)(int32_t)(code > 255 ? 255 : code);
}

/* In the order of codec_vertex_normal: north-west, north-east, south-west, south-east. */
WIDE static void add_up(const struct quad_row *north, const struct quad_row *south, int32_t count,
                        uint8_t *b, uint8_t *a)
{
    for (int32_t i = 0; i < count; i++) {
        double sum[3], length;

        for (int axis = 0; axis < 3; axis++)
            sum[axis] = north->ne[axis][i] + north->sw[axis][i] + north->sw[axis][i + 1] +
                        south->ne[axis][i] + south->ne[axis][i + 1] + south->sw[axis][i + 1];
        length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        b[i] = encode(sum[0] / length);
        a[i] = encode(sum[1] / length);
    }
}

/* The same sums as they are. */
WIDE static void add_up_units(const struct quad_row *north, const struct quad_row *south,
                              int32_t count, const int axes[3], float (*to)[3])
{
    for (int32_t i = 0; i < count; i++) {
        double sum[3], length; /* beginning with 0, which makes a 0 of -0 and -0 */

        for (int axis = 0; axis < 3; axis++)
            sum[axis] = 0.0 + north->ne[axis][i] + north->sw[axis][i] + north->sw[axis][i + 1] +
                        south->ne[axis][i] + south->ne[axis][i + 1] + south->sw[axis][i + 1];
        length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        for (int axis = 0; axis < 3; axis++)
            to[i][axes[axis]] = (float)(sum[axis] / length);
    }
}

void normals_encode(const uint16_t *around, struct rect square, const struct grid *grid, uint8_t *b,
                    uint8_t *a)
{
    struct quad_row rows[2];

    fill_row(around, square, grid, 0, &rows[0]);
    for (int32_t y = 0; y < square.height; y++) {
        fill_row(around, square, grid, y + 1, &rows[(y + 1) % 2]);
        add_up(&rows[y % 2], &rows[(y + 1) % 2], square.width, b + (int64_t)y * square.width,
               a + (int64_t)y * square.width);
    }
}

void normals_fill(const uint16_t *around, struct rect square, const struct grid *grid,
                  const int axes[3], float (*to)[3], int64_t stride)
{
    struct quad_row rows[2];

    fill_row(around, square, grid, 0, &rows[0]);
    for (int32_t y = 0; y < square.height; y++) {
        fill_row(around, square, grid, y + 1, &rows[(y + 1) % 2]);
        add_up_units(&rows[y % 2], &rows[(y + 1) % 2], square.width, axes, to + y * stride);
    }
}
