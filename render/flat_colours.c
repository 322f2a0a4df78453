#include "render/flat_colours.h"

#include <math.h>

#include "render/picture.h"
#include "terrain/base/angle.h"
#include "terrain/base/wide.h"
#include "terrain/query/shading.h"

/* Rows are coloured in runs of so many. */
enum { RUN = 256 };

/* Of a pixel with red in its first byte, whatever the machine's order. */
static inline uint32_t pixel_of(uint8_t red, uint8_t green, uint8_t blue)
{
    const union {
        uint8_t bytes[4];
        uint32_t pixel;
    } as = { { red, green, blue, 255 } };

    return as.pixel;
}

static inline uint8_t byte_of(float value)
{
    return (uint8_t)(int32_t)(value + 0.5f);
}

WIDE static void look_up(const float *values, int32_t count, const struct ramp_span *span,
                         const uint32_t *ramp, uint32_t *pixels)
{
    const float low = (float)span->low, middle = (float)span->middle, high = (float)span->high;
    const float below = 127.5f / (middle - low), above = 127.5f / (high - middle);

    for (int32_t i = 0; i < count; i++) {
        float off = values[i] - middle, texel = 128 + off * (off < 0 ? below : above);

        texel = texel > 0 ? texel : 0;
        pixels[i] = ramp[(int32_t)(texel < 255.5f ? texel : 255.5f)];
    }
}

void flat_height(const struct flat_row *row, uint32_t *pixels)
{
    look_up(row->fields[FLAT_Z], row->count, &row->span, row->ramp, pixels);
}

void flat_curvature(const struct flat_row *row, uint32_t *pixels)
{
    look_up(row->fields[FLAT_BEND], row->count, &row->span, row->ramp, pixels);
}

void flat_layer(const struct flat_row *row, uint32_t *pixels)
{
    look_up(row->fields[FLAT_WEIGHT], row->count, &row->span, row->ramp, pixels);
}

void flat_diff(const struct flat_row *row, uint32_t *pixels)
{
    look_up(row->fields[FLAT_RISE], row->count, &row->span, row->ramp, pixels);
}

WIDE static void steepness(const float *east, const float *south, int32_t count, double *rise)
{
    for (int32_t i = 0; i < count; i++)
        rise[i] = sqrt((double)east[i] * east[i] + (double)south[i] * south[i]);
}

void flat_slope(const struct flat_row *row, uint32_t *pixels)
{
    for (int32_t x = 0; x < row->count; x += RUN) {
        const int32_t count = row->count - x < RUN ? row->count - x : RUN;
        double degrees[RUN];
        float values[RUN];

        steepness(row->fields[FLAT_EAST] + x, row->fields[FLAT_SOUTH] + x, count, degrees);
        angles_of_tangents(count, degrees, degrees);
        for (int32_t i = 0; i < count; i++)
            values[i] = (float)degrees[i];
        look_up(values, count, &row->span, row->ramp, pixels + x);
    }
}

/* Directions of a run: down is against the rises. Level ground has north for one. */
static void directions(const float *east, const float *south, int32_t count, float *degrees)
{
    double angles[RUN];

    for (int32_t i = 0; i < count; i++)
        angles[i] = south[i] == 0 ? (east[i] == 0 ? 0 : HUGE_VAL)
                                  : fabs((double)east[i]) / fabs((double)south[i]);
    angles_of_tangents(count, angles, angles);
    for (int32_t i = 0; i < count; i++) {
        double angle = south[i] < 0 ? 180 - angles[i] : angles[i];

        degrees[i] = (float)(east[i] > 0 && angle > 0 ? 360 - angle : angle);
    }
}

void flat_aspect(const struct flat_row *row, uint32_t *pixels)
{
    const float vivid = flat_vivid, level = flat_level;

    for (int32_t x = 0; x < row->count; x += RUN) {
        const float *east = row->fields[FLAT_EAST] + x, *south = row->fields[FLAT_SOUTH] + x;
        const int32_t count = row->count - x < RUN ? row->count - x : RUN;
        float degrees[RUN];

        directions(east, south, count, degrees);
        look_up(degrees, count, &row->span, row->ramp, pixels + x);
        for (int32_t i = 0; i < count; i++) {
            const uint8_t *rgb = (const uint8_t *)&pixels[x + i];
            float rise = sqrtf(east[i] * east[i] + south[i] * south[i]) / vivid;
            float share = rise < 1 ? rise : 1;

            pixels[x + i] = pixel_of(byte_of(level + share * (rgb[0] - level)),
                                     byte_of(level + share * (rgb[1] - level)),
                                     byte_of(level + share * (rgb[2] - level)));
        }
    }
}

WIDE static void shade(const struct shading *sun, const float *east, const float *south,
                       int32_t count, uint32_t *pixels)
{
    for (int32_t i = 0; i < count; i++) {
        uint32_t gray =
            (uint32_t)(int32_t)(shading_light_single(sun, east[i], south[i]) * 255 + 0.5f);

        pixels[i] = gray * 0x010101u;
    }
}

WIDE static void shade_many(const struct shading_many *suns, const float *east, const float *south,
                            int32_t count, uint32_t *pixels)
{
    for (int32_t i = 0; i < count; i++) {
        uint32_t gray =
            (uint32_t)(int32_t)(shading_many_light(suns, east[i], south[i]) * 255 + 0.5);

        pixels[i] = gray * 0x010101u;
    }
}

/* The bits of a pixel's alpha. */
WIDE static void make_opaque(uint32_t alpha, int32_t count, uint32_t *pixels)
{
    for (int32_t i = 0; i < count; i++)
        pixels[i] = (pixels[i] & ~alpha) | alpha;
}

void flat_hillshade(const struct flat_row *row, uint32_t *pixels)
{
    const struct picture_light *light = &row->picture->light;
    const float *east = row->fields[FLAT_EAST], *south = row->fields[FLAT_SOUTH];

    if (row->picture->show.many) {
        const struct shading_many suns = shading_many_of(light->sun_azimuth, light->sun_elevation);

        shade_many(&suns, east, south, row->count, pixels);
    } else {
        const struct shading sun = shading_of(light->sun_azimuth, light->sun_elevation);

        shade(&sun, east, south, row->count, pixels);
    }
    make_opaque(pixel_of(0, 0, 0), row->count, pixels);
}

void flat_normals(const struct flat_row *row, uint32_t *pixels)
{
    const float *east = row->fields[FLAT_EAST], *south = row->fields[FLAT_SOUTH];

    for (int32_t i = 0; i < row->count; i++) {
        const float up = 1 / sqrtf(1 + east[i] * east[i] + south[i] * south[i]);

        pixels[i] = pixel_of(byte_of(128 - 127 * east[i] * up), byte_of(128 + 127 * south[i] * up),
                             byte_of(128 + 127 * up));
    }
}

void flat_layers(const struct flat_row *row, uint32_t *pixels)
{
    const float *red = row->fields[FLAT_RED], *green = row->fields[FLAT_GREEN];
    const float *blue = row->fields[FLAT_BLUE];

    for (int32_t i = 0; i < row->count; i++)
        pixels[i] = pixel_of(byte_of(red[i]), byte_of(green[i]), byte_of(blue[i]));
}
