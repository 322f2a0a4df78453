#include "tests/api/engines.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static unsigned u16_at(const struct shape_file *file, size_t at)
{
    assert_true(at + 2 <= file->length);
    return file->data[at] | (unsigned)file->data[at + 1] << 8;
}

static uint32_t u32_at(const struct shape_file *file, size_t at)
{
    return u16_at(file, at) | u16_at(file, at + 2) << 16;
}

double engines_float(const struct shape_file *file, size_t at)
{
    const uint32_t bits = u32_at(file, at);
    float value;

    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* The plane through a quad's corners (first index, second index) 00, 10, 01, 11 at (u, v) in it,
 * the quad being split from 00 to 11, or from 10 to 01. */
static double split_00_11(const double z[4], double u, double v)
{
    return u > v ? z[0] + u * (z[1] - z[0]) + v * (z[3] - z[1])
                 : z[0] + v * (z[2] - z[0]) + u * (z[3] - z[2]);
}

static double split_10_01(const double z[4], double u, double v)
{
    return u + v < 1 ? z[0] + u * (z[1] - z[0]) + v * (z[2] - z[0])
                     : z[3] + (1 - u) * (z[2] - z[3]) + (1 - v) * (z[1] - z[3]);
}

/* A grid that is `first` by `second` samples, at indices (u, v): which quad, and where in it. */
static bool find_quad(double first, double second, double *u, double *v, size_t *i, size_t *j)
{
    if (*u < 0 || *v < 0 || *u >= first - 1 || *v >= second - 1)
        return false;
    *i = (size_t)*u;
    *j = (size_t)*v;
    *u -= (double)*i;
    *v -= (double)*j;
    return true;
}

double engines_chaos(const struct shape_file *file, double x, double y)
{
    double u = (x - file->position[0]) / file->scale[0];
    double v = (y - file->position[1]) / file->scale[1], z[4];
    const size_t width = (size_t)file->counts[0], height = (size_t)file->counts[1];
    size_t i, j;

    if (!find_quad(file->counts[0], file->counts[1], &u, &v, &i, &j))
        return NAN;
    assert_true(file->data[2 * width * height + j * (width - 1) + i] % 255 == 0);
    if (file->data[2 * width * height + j * (width - 1) + i] == 255)
        return NAN;
    for (size_t k = 0; k < 4; k++)
        z[k] = (double)u16_at(file, 2 * ((j + k / 2) * width + i + k % 2)) - 32768;
    return file->position[2] + file->scale[2] * split_00_11(z, u, v);
}

double engines_jolt(const struct shape_file *file, double x, double y)
{
    double u = (x - file->position[0]) / file->scale[0];
    double v = (y - file->position[2]) / file->scale[2], z[4];
    const size_t side = (size_t)file->counts[0];
    size_t i, j;

    assert_float_equal(file->counts[0], file->counts[1], 0);
    if (!find_quad(file->counts[0], file->counts[1], &u, &v, &i, &j))
        return NAN;
    for (size_t k = 0; k < 4; k++)
        z[k] = engines_float(file, 4 * ((j + k / 2) * side + i + k % 2));
    if (z[0] == (double)FLT_MAX || z[3] == (double)FLT_MAX || z[u > v ? 1 : 2] == (double)FLT_MAX)
        return NAN;
    return file->position[1] + file->scale[1] * split_00_11(z, u, v);
}

double engines_bullet(const struct shape_file *file, double x, double y)
{
    double u = (x - file->position[0]) / file->scale[0] + (file->counts[0] - 1) / 2;
    double v = (y - file->position[2]) / file->scale[2] + (file->counts[1] - 1) / 2, z[4];
    size_t i, j;

    if (!find_quad(file->counts[0], file->counts[1], &u, &v, &i, &j))
        return NAN;
    for (size_t k = 0; k < 4; k++) {
        z[k] = engines_float(file, 4 * ((j + k / 2) * (size_t)file->counts[0] + i + k % 2));
        assert_true(z[k] >= file->range[0] && z[k] <= file->range[1]);
    }
    return file->position[1] +
           file->scale[1] * (split_00_11(z, u, v) - (file->range[0] + file->range[1]) / 2);
}

double engines_physx(const struct shape_file *file, double x, double y)
{
    double u = (x - file->position[0]) / file->scale[0];
    double v = (y - file->position[2]) / file->scale[2], z[4];
    size_t i, j, own;

    if (!find_quad(file->counts[0], file->counts[1], &u, &v, &i, &j))
        return NAN;
    own = 4 * (i * (size_t)file->counts[1] + j); /* rows along x */
    for (size_t k = 0; k < 4; k++)
        z[k] = (int16_t)u16_at(file, 4 * ((i + k % 2) * (size_t)file->counts[1] + j + k / 2));
    assert_true((file->data[own + 2] & 127) == (file->data[own + 3] & 127));
    if ((file->data[own + 2] & 127) == 127)
        return NAN;
    return file->position[1] + file->scale[1] * (file->data[own + 2] & 128 ? split_00_11(z, u, v)
                                                                           : split_10_01(z, u, v));
}

double engines_rapier(const struct shape_file *file, double x, double y)
{
    const double turn = 2 * atan2(file->rotation[1], file->rotation[3]);
    const double east = x - file->position[0], south = y - file->position[2];
    const double own_x = east * cos(turn) - south * sin(turn);
    const double own_z = east * sin(turn) + south * cos(turn);
    double u = (own_z / file->scale[2] + 0.5) * (file->counts[0] - 1); /* rows along z */
    double v = (own_x / file->scale[0] + 0.5) * (file->counts[1] - 1), z[4];
    const size_t rows = (size_t)file->counts[0], columns = (size_t)file->counts[1];
    size_t i, j;

    if (!find_quad(file->counts[0], file->counts[1], &u, &v, &i, &j))
        return NAN;
    for (size_t k = 0; k < 4; k++)
        z[k] = engines_float(file, 4 * ((j + k / 2) * rows + i + k % 2));
    switch (file->data[4 * rows * columns + j * (rows - 1) + i]) {
    case 0:
        return file->position[1] + file->scale[1] * split_10_01(z, u, v);
    case 6:
        return NAN;
    default:
        fail();
        return 0;
    }
}

/* A triangle of corners x, y up, z south that has (x, z) inside. Its normal points up. */
static bool on_triangle(double corners[3][3], double x, double z, double *y)
{
    const double *a = corners[0], *b = corners[1], *c = corners[2];
    const double up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    const double wb = ((z - a[2]) * (c[0] - a[0]) - (x - a[0]) * (c[2] - a[2])) / up;
    const double wc = ((b[2] - a[2]) * (x - a[0]) - (b[0] - a[0]) * (z - a[2])) / up;

    assert_true(up > 0);
    *y = a[1] + wb * (b[1] - a[1]) + wc * (c[1] - a[1]);
    return wb >= 0 && wc >= 0 && wb + wc <= 1;
}

double engines_list(const struct shape_file *file, double x, double y)
{
    const uint32_t vertices = u32_at(file, 0), indices = u32_at(file, 4);

    assert_float_equal(file->counts[0], vertices, 0);
    assert_float_equal(3 * file->counts[1], indices, 0);
    assert_int_equal(file->length, 8 + 12 * vertices + 4 * indices);
    for (uint32_t t = 0; t < indices; t += 3) {
        double corners[3][3], height;

        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t vertex = u32_at(file, 8 + 12 * vertices + 4 * (t + k));

            assert_true(vertex < vertices);
            for (uint32_t c = 0; c < 3; c++)
                corners[k][c] = engines_float(file, 8 + 12 * vertex + 4 * c);
        }
        if (on_triangle(corners, x - file->position[0], y - file->position[2], &height))
            return file->position[1] + height;
    }
    return NAN;
}

double engines_soup(const struct shape_file *file, double x, double y)
{
    assert_int_equal(file->length, 36 * file->counts[1]);
    for (size_t at = 0; at < file->length; at += 36) {
        double corners[3][3], height;

        for (size_t k = 0; k < 9; k++)
            corners[k / 3][k % 3] = engines_float(file, at + 4 * k);
        if (on_triangle(corners, x - file->position[0], y - file->position[2], &height))
            return file->position[1] + height;
    }
    return NAN;
}

double engines_f32(const struct shape_file *file, double x, double y)
{
    double u = (x - file->position[0]) / file->scale[0];
    double v = (y - file->position[1]) / file->scale[1], z[4];
    size_t i, j;

    if (!find_quad(file->counts[0], file->counts[1], &u, &v, &i, &j))
        return NAN;
    for (size_t k = 0; k < 4; k++)
        z[k] = engines_float(file, 4 * ((j + k / 2) * (size_t)file->counts[0] + i + k % 2));
    return file->position[2] + file->scale[2] * split_00_11(z, u, v);
}

double engines_plain(const struct shape_file *codes, const struct shape_file *holes, double x,
                     double y)
{
    double u = (x - codes->position[0]) / codes->scale[0];
    double v = (y - codes->position[1]) / codes->scale[1], z[4];
    size_t i, j;

    if (!find_quad(codes->counts[0], codes->counts[1], &u, &v, &i, &j) ||
        (holes && holes->data[j * (size_t)holes->counts[0] + i] == 255))
        return NAN;
    for (size_t k = 0; k < 4; k++)
        z[k] = u16_at(codes, 2 * ((j + k / 2) * (size_t)codes->counts[0] + i + k % 2));
    return codes->position[2] + codes->scale[2] * split_00_11(z, u, v);
}
