#include "tests/format/judge.h"

#include <math.h>
#include <png.h>
#include <proj.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static const double circumference = 2 * M_PI * 6378137.0;

static void from_grid(const struct judge *judge, double column, double row, double at[2]);

/* Mercator metres round the landscape, by many points of its border. */
static void find_extent(struct judge *judge)
{
    judge->extent[0] = judge->extent[1] = INFINITY;
    judge->extent[2] = judge->extent[3] = -INFINITY;
    for (int k = 0; k <= 400; k++) {
        const double right = judge->columns - 1, bottom = judge->rows - 1, t = k / 400.0;
        const double border[4][2] = {
            { t * right, 0 }, { t * right, bottom }, { 0, t * bottom }, { right, t * bottom }
        };

        for (int side = 0; side < 4; side++) {
            double at[2];

            from_grid(judge, border[side][0], border[side][1], at);
            if (judge->turned && at[0] < 0)
                at[0] += circumference;
            for (int i = 0; i < 2; i++) {
                judge->extent[i] = fmin(judge->extent[i], at[i]);
                judge->extent[i + 2] = fmax(judge->extent[i + 2], at[i]);
            }
        }
    }
}

void judge_open(struct judge *judge)
{
    PJ *raw;

    judge->context = judge->way = NULL;
    if (!judge->crs)
        return;
    judge->context = proj_context_create();
    raw = proj_create_crs_to_crs(judge->context, "EPSG:3857", judge->crs, NULL);
    judge->way = proj_normalize_for_visualization(judge->context, raw);
    proj_destroy(raw);
    find_extent(judge);
}

void judge_close(struct judge *judge)
{
    if (!judge->crs)
        return;
    proj_destroy(judge->way);
    proj_context_destroy(judge->context);
}

/* Mercator metres to a grid position. */
static void to_grid(const struct judge *judge, double x, double y, double at[2])
{
    const double *b = judge->bounds;
    PJ_COORD place = proj_trans(judge->way, PJ_FWD, proj_coord(x, y, 0, 0));

    /* A landscape across 180 degrees has its eastern part there. */
    if (judge->turned && place.xy.x < 0)
        place.xy.x += 360;
    at[0] = (place.xy.x - b[0]) / ((b[2] - b[0]) / (judge->columns - 1));
    at[1] = (b[3] - place.xy.y) / ((b[3] - b[1]) / (judge->rows - 1));
}

static void from_grid(const struct judge *judge, double column, double row, double at[2])
{
    const double *b = judge->bounds;
    PJ_COORD place = proj_trans(judge->way, PJ_INV,
                                proj_coord(b[0] + column * ((b[2] - b[0]) / (judge->columns - 1)),
                                           b[3] - row * ((b[3] - b[1]) / (judge->rows - 1)), 0, 0));

    at[0] = place.xy.x;
    at[1] = place.xy.y;
}

int judge_native(const struct judge *judge)
{
    const double c = (judge->columns - 1) / 2.0, r = (judge->rows - 1) / 2.0;
    double west[2], east[2], north[2], south[2], step;
    int zoom = 0;

    if (!judge->crs) {
        const int most = judge->columns > judge->rows ? judge->columns : judge->rows;

        while (256L << zoom < most)
            zoom++;
        return zoom;
    }
    from_grid(judge, c - 0.5, r, west);
    from_grid(judge, c + 0.5, r, east);
    from_grid(judge, c, r - 0.5, north);
    from_grid(judge, c, r + 0.5, south);
    step = hypot(remainder(east[0] - west[0], circumference), east[1] - west[1]);
    step = fmin(step, hypot(remainder(south[0] - north[0], circumference), south[1] - north[1]));
    while (circumference / (256 * pow(2, zoom)) > step * (1 + 1e-6))
        zoom++;
    return zoom;
}

/* Grid position of pixel coordinates of a tile. */
static void pixel_to_grid(const struct judge *judge, int native, int z, int x, int y, int side,
                          double i, double j, double at[2])
{
    const double size = circumference / pow(2, z);

    if (!judge->crs) {
        const double vertices = 256 * pow(2, native - z); /* a tile */

        at[0] = (x + i / side) * vertices - 0.5;
        at[1] = (y + j / side) * vertices - 0.5;
        return;
    }
    to_grid(judge, -circumference / 2 + (x + i / side) * size,
            circumference / 2 - (y + j / side) * size, at);
}

static double code(const struct judge *judge, int column, int row)
{
    return judge->codes[(size_t)row * judge->columns + column];
}

static double metres(const struct judge *judge, double value)
{
    return judge->z_origin + (value - 32768) / 128 * judge->z_scale;
}

/* By barycentric weights of the triangle's corners. */
static double surface(const struct judge *judge, double column, double row)
{
    const int i = column >= judge->columns - 1 ? judge->columns - 2 : (int)floor(column);
    const int j = row >= judge->rows - 1 ? judge->rows - 2 : (int)floor(row);
    const double fx = column - i, fy = row - j;
    const double nw = code(judge, i, j), se = code(judge, i + 1, j + 1);

    if (fx > fy)
        return metres(judge, (1 - fx) * nw + (fx - fy) * code(judge, i + 1, j) + fy * se);
    return metres(judge, (1 - fy) * nw + (fy - fx) * code(judge, i, j + 1) + fx * se);
}

static double overlap(double low, double high, double from, double to)
{
    const double a = low > from ? low : from, b = high < to ? high : to;

    return b > a ? b - a : 0;
}

/* Every vertex's unit square, as far as it lies in the rectangle and on the landscape. */
static double mean(const struct judge *judge, const double low[2], const double high[2])
{
    const double rim = judge->crs ? 0 : 0.5;
    double sum = 0, area = 0;

    for (int r = 0; r < judge->rows; r++) {
        const double down =
            overlap(fmax(r - 0.5, -rim), fmin(r + 0.5, judge->rows - 1 + rim), low[1], high[1]);

        for (int c = (int)fmax(low[0] - 1, 0); down > 0 && c < judge->columns && c < high[0] + 1;
             c++) {
            const double part =
                down * overlap(fmax(c - 0.5, -rim), fmin(c + 0.5, judge->columns - 1 + rim), low[0],
                               high[0]);

            sum += part * code(judge, c, r);
            area += part;
        }
    }
    return area > 0 ? metres(judge, sum / area) : NAN;
}

static bool near(double value, double border)
{
    return fabs(value - border) < 1e-5;
}

static double judge_mean(const struct judge *judge, int native, int z, int x, int y, int side,
                         int i, int j, bool *doubtful)
{
    const double rim = judge->crs ? 0 : 0.5;
    const int counts[2] = { judge->columns, judge->rows };
    double corners[4][2], low[2], high[2];

    for (int k = 0; k < 4; k++) {
        pixel_to_grid(judge, native, z, x, y, side, i + (k & 1), j + (k >> 1), corners[k]);
        if (!isfinite(corners[k][0]) || !isfinite(corners[k][1]))
            return NAN;
    }
    for (int k = 0; k < 2; k++) {
        const double east = (corners[1][k] - corners[0][k] + corners[3][k] - corners[2][k]) / 2;
        const double south = (corners[2][k] - corners[0][k] + corners[3][k] - corners[1][k]) / 2;
        const double middle = (corners[0][k] + corners[1][k] + corners[2][k] + corners[3][k]) / 4;

        low[k] = middle - hypot(east, south) / 2;
        high[k] = middle + hypot(east, south) / 2;
        *doubtful |= near(high[k], -rim) || near(low[k], counts[k] - 1 + rim);
    }
    return mean(judge, low, high);
}

/* More than a pixel away from the landscape, where a CRS need not make sense. */
static bool off_extent(const struct judge *judge, int z, int x, int y, int side, int i, int j)
{
    const double pixel = circumference / pow(2, z) / side;
    double west = -circumference / 2 + (x * (double)side + i) * pixel;
    const double north = circumference / 2 - (y * (double)side + j) * pixel;

    if (judge->turned && west < 0)
        west += circumference;
    return west > judge->extent[2] + pixel || west + pixel < judge->extent[0] - pixel ||
           north - pixel > judge->extent[3] + pixel || north < judge->extent[1] - pixel;
}

double judge_pixel(const struct judge *judge, int native, int z, int x, int y, int side, int i,
                   int j, bool *doubtful)
{
    const double rim = judge->crs ? 0 : 0.5;
    const double right = judge->columns - 1, bottom = judge->rows - 1;
    double at[2];

    *doubtful = false;
    if (judge->crs && !judge->everywhere && off_extent(judge, z, x, y, side, i, j))
        return NAN;
    if (z + (side == 512) < native)
        return judge_mean(judge, native, z, x, y, side, i, j, doubtful);
    pixel_to_grid(judge, native, z, x, y, side, i + 0.5, j + 0.5, at);
    *doubtful = near(at[0], -rim) || near(at[1], -rim) || near(at[0], right + rim) ||
                near(at[1], bottom + rim);
    if (!(at[0] >= -rim && at[1] >= -rim && at[0] <= right + rim && at[1] <= bottom + rim))
        return NAN;
    return surface(judge, fmin(fmax(at[0], 0), right), fmin(fmax(at[1], 0), bottom));
}

struct source {
    const unsigned char *data;
    size_t left;
};

static void feed(png_structp png, png_bytep to, png_size_t length)
{
    struct source *source = png_get_io_ptr(png);

    if (length > source->left)
        png_error(png, "the file is too short");
    memcpy(to, source->data, length);
    source->data += length;
    source->left -= length;
}

uint8_t *judge_png(const void *data, size_t length, int *width, int *height, int *channels)
{
    struct source source = { data, length };
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    uint8_t *volatile samples = NULL;

    if (setjmp(png_jmpbuf(png))) {
        free(samples);
        samples = NULL;
        goto done;
    }
    png_set_read_fn(png, &source, feed);
    png_read_info(png, info);
    *width = (int)png_get_image_width(png, info);
    *height = (int)png_get_image_height(png, info);
    *channels = png_get_channels(png, info);
    if (png_get_bit_depth(png, info) != 8 || *channels == 2 ||
        png_get_valid(png, info,
                      PNG_INFO_gAMA | PNG_INFO_iCCP | PNG_INFO_cHRM | PNG_INFO_sRGB |
                          PNG_INFO_PLTE | PNG_INFO_tRNS))
        goto done;
    samples = malloc((size_t)*width * *height * *channels);
    for (int y = 0; y < *height; y++)
        png_read_row(png, samples + (size_t)y * *width * *channels, NULL);
    png_read_end(png, NULL);

done:
    png_destroy_read_struct(&png, &info, NULL);
    return samples;
}

double judge_terrain_rgb(const uint8_t rgb[3])
{
    return (rgb[0] * 65536 + rgb[1] * 256 + rgb[2]) * 0.1 - 10000;
}

double judge_terrarium(const uint8_t rgb[3])
{
    return rgb[0] * 256 + rgb[1] + rgb[2] / 256.0 - 32768;
}
