#include "terrain/edit/picture.h"

#include <math.h>

#include "terrain/base/angle.h"
#include "terrain/edit/image_fields.h"

const char *const image_channel_words[] = { "luma", "red", "green", "blue", "alpha", NULL };

#define EDGE 1e-9 /* so far beyond its edge, in halves of its size, still counts as on it */

struct picture picture_lay(const struct image *image, const struct grid *grid,
                           const double middle[2], const double half[2], double rotation)
{
    double cosine = angle_cos(rotation), sine = angle_sin(rotation);
    struct picture picture = { .image = image };

    for (int i = 0; i < 2; i++) {
        double size = half[i] > 0 ? 1 / half[i] : 0;

        picture.east[i] = (i == 0 ? cosine : -sine) * grid->scale[0] * size;
        picture.south[i] = (i == 0 ? sine : cosine) * grid->scale[1] * size;
        picture.at[i] = -(middle[0] * picture.east[i] + middle[1] * picture.south[i]);
    }
    return picture;
}

/* From -1..1 to a sample's index and the share of the one after it. */
static int32_t sample_of(double at, int32_t samples, double *share)
{
    double place = (at + 1) / 2 * (samples - 1);
    int32_t index;

    place = place > 0 ? place : 0;
    index = place < samples - 2 ? (int32_t)place : samples - 2;
    index = index > 0 ? index : 0;
    *share = place - index < 1 ? place - index : 1;
    return index;
}

static double value_at(const struct image *image, double u, double v)
{
    double across, down, top, bottom;
    int32_t x = sample_of(u, image->width, &across), y = sample_of(v, image->height, &down);
    int32_t right = image->width > 1, below = image->height > 1 ? image->width : 0;
    const uint16_t *at = image->values + (int64_t)y * image->width + x;

    top = at[0] + (at[right] - at[0]) * across;
    bottom = at[below] + (at[below + right] - at[below]) * across;
    return (top + (bottom - top) * down) / 65535;
}

void picture_row(const struct picture *picture, int32_t x, int32_t y, int32_t count, double *values)
{
    for (int32_t i = 0; i < count; i++) {
        double at[2];

        for (int k = 0; k < 2; k++)
            at[k] = picture->at[k] + (x + i) * picture->east[k] + y * picture->south[k];
        values[i] = fabs(at[0]) <= 1 + EDGE && fabs(at[1]) <= 1 + EDGE
                        ? value_at(picture->image, at[0], at[1])
                        : -1;
    }
}
