#include "render/flat_colours.h"

#include <math.h>

#include "render/flat_pixel.h"
#include "render/picture.h"
#include "terrain/base/wide.h"
#include "terrain/query/shading.h"

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

void flat_collision(const struct flat_row *row, uint32_t *pixels)
{
    look_up(row->fields[FLAT_ERROR], row->count, &row->span, row->ramp, pixels);
}

/* Degrees of the arc tangent of 0 to 1, within 0.0006. Source: M. Abramowitz and I. A. Stegun,
 * "Handbook of Mathematical Functions", 4.4.49. */
static inline float angle_of(float tangent)
{
    const float square = tangent * tangent;
    const float sum =
        0.9998660f +
        square *
            (-0.3302995f + square * (0.1801410f + square * (-0.0851330f + square * 0.0208351f)));

    return tangent * sum * 57.29577951f;
}

/* The angle between the first axis and what lies so far along both, neither below 0. */
static inline float angle_between(float first, float second)
{
    const float less = first < second ? first : second, more = first < second ? second : first;
    const float angle = angle_of(less / (more > 1e-30f ? more : 1e-30f));

    return first < second ? 90 - angle : angle;
}

WIDE static void slopes(const float *east, const float *south, int32_t count, float *degrees)
{
    for (int32_t i = 0; i < count; i++)
        degrees[i] = angle_between(1, sqrtf(east[i] * east[i] + south[i] * south[i]));
}

void flat_slope(const struct flat_row *row, uint32_t *pixels)
{
    slopes(row->fields[FLAT_EAST], row->fields[FLAT_SOUTH], row->count, row->values);
    look_up(row->values, row->count, &row->span, row->ramp, pixels);
}

/* Which way is down, against the rises. Level ground has north for one. */
WIDE static void directions(const float *east, const float *south, int32_t count, float *degrees)
{
    for (int32_t i = 0; i < count; i++) {
        float angle = angle_between(fabsf(south[i]), fabsf(east[i]));

        angle = south[i] < 0 ? 180 - angle : angle;
        degrees[i] = ((east[i] > 0) & (angle > 0)) ? 360 - angle : angle;
    }
}

/* Colours towards the gray of level ground. */
WIDE static void fade(const float *east, const float *south, int32_t count, uint32_t *pixels)
{
    const float vivid = flat_vivid, level = flat_level;

    for (int32_t i = 0; i < count; i++) {
        const float rise = sqrtf(east[i] * east[i] + south[i] * south[i]) / vivid;
        const float share = rise < 1 ? rise : 1;

        pixels[i] = pixel_of(level + share * (channel_of(pixels[i], RED) - level),
                             level + share * (channel_of(pixels[i], GREEN) - level),
                             level + share * (channel_of(pixels[i], BLUE) - level));
    }
}

void flat_aspect(const struct flat_row *row, uint32_t *pixels)
{
    const float *east = row->fields[FLAT_EAST], *south = row->fields[FLAT_SOUTH];

    directions(east, south, row->count, row->values);
    look_up(row->values, row->count, &row->span, row->ramp, pixels);
    fade(east, south, row->count, pixels);
}

WIDE static void shade(const struct shading *sun, const float *east, const float *south,
                       int32_t count, uint32_t *pixels)
{
    for (int32_t i = 0; i < count; i++) {
        const float gray = shading_light_single(sun, east[i], south[i]) * 255;

        pixels[i] = byte_at(gray, 0) * (1u << RED | 1u << GREEN | 1u << BLUE) | 255u << ALPHA;
    }
}

WIDE static void shade_many(const struct shading_many *suns, const float *east, const float *south,
                            int32_t count, uint32_t *pixels)
{
    for (int32_t i = 0; i < count; i++) {
        const float gray = (float)shading_many_light(suns, east[i], south[i]) * 255;

        pixels[i] = byte_at(gray, 0) * (1u << RED | 1u << GREEN | 1u << BLUE) | 255u << ALPHA;
    }
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
}

WIDE static void normals(const float *east, const float *south, int32_t count, uint32_t *pixels)
{
    for (int32_t i = 0; i < count; i++) {
        const float up = 1 / sqrtf(1 + east[i] * east[i] + south[i] * south[i]);

        pixels[i] = pixel_of(128 - 127 * east[i] * up, 128 + 127 * south[i] * up, 128 + 127 * up);
    }
}

void flat_normals(const struct flat_row *row, uint32_t *pixels)
{
    normals(row->fields[FLAT_EAST], row->fields[FLAT_SOUTH], row->count, pixels);
}

WIDE static void paint(const float *red, const float *green, const float *blue, int32_t count,
                       uint32_t *pixels)
{
    for (int32_t i = 0; i < count; i++)
        pixels[i] = pixel_of(red[i], green[i], blue[i]);
}

void flat_layers(const struct flat_row *row, uint32_t *pixels)
{
    paint(row->fields[FLAT_RED], row->fields[FLAT_GREEN], row->fields[FLAT_BLUE], row->count,
          pixels);
}

void flat_holes(const struct flat_row *row, uint32_t *pixels)
{
    const uint32_t pale = pixel_of(0.72f * 255, 0.76f * 255, 0.79f * 255);
    const uint32_t line = pixel_of(0.85f * 255, 0.13f * 255, 0.20f * 255);

    for (int32_t i = 0; i < row->count; i++)
        pixels[i] = row->fields[FLAT_EDGE][i] > 0 ? line : pale;
}
