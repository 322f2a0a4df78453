/* The ground in sunlight, seen from above: gray, 255 where it faces the sun. Slopes are Horn's
 * third- order differences over the eight neighbours, in metres on the ground; a pixel without a
 * neighbour takes its own height for it, and beyond the landscape the ground is level. Source: B.
 * K. P. Horn, "Hill shading and the reflectance map", Proceedings of the IEEE 69, 1981. */
#include <math.h>
#include <stdlib.h>

#include "terrain/format/png_write.h"
#include "terrain/format/tile_set.h"

/* Towards the sun. */
struct sun {
    double east, north, up;
};

static struct sun sun_of(const struct tile_look *look)
{
    const double azimuth = look->sun_azimuth * M_PI / 180;
    const double elevation = look->sun_elevation * M_PI / 180;

    return (struct sun){ sin(azimuth) * cos(elevation), cos(azimuth) * cos(elevation),
                         sin(elevation) };
}

static inline double known(double height, double otherwise)
{
    return height == height ? height : otherwise;
}

/* `over`, `here` and `under` are rows of heights, each with a pixel before the first. `across` and
 * `down` turn eight times a difference of heights into a slope. */
static void shade_row(const double *over, const double *here, const double *under, int32_t count,
                      double across, double down, struct sun sun, uint8_t *restrict gray)
{
    for (int32_t i = 0; i < count; i++) {
        const double z = here[i + 1];
        const double nw = known(over[i], z), n = known(over[i + 1], z), ne = known(over[i + 2], z);
        const double w = known(here[i], z), e = known(here[i + 2], z);
        const double sw = known(under[i], z), s = known(under[i + 1], z);
        const double se = known(under[i + 2], z);
        const double east = ((ne + 2 * e + se) - (nw + 2 * w + sw)) * across;
        const double south = ((sw + 2 * s + se) - (nw + 2 * n + ne)) * down;
        const double facing =
            (sun.up - sun.east * east + sun.north * south) / sqrt(1 + east * east + south * south);
        const double level = z == z ? facing : sun.up;
        const double light = level > 0 ? level : 0;

        gray[i] = (uint8_t)(int32_t)(light * 255 + 0.5);
    }
}

static void shade(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  const double *metres, uint8_t *gray)
{
    const int32_t stride = tile->side + 2;
    const struct sun sun = sun_of(look);

    for (int32_t y = 0; y < tile->side; y++) {
        const double *over = metres + (int64_t)y * stride;
        double ground[2];

        tile_ground(view, tile, y, ground);
        shade_row(over, over + stride, over + 2 * stride, tile->side,
                  look->exaggeration / (8 * ground[0]), look->exaggeration / (8 * ground[1]), sun,
                  gray + (int64_t)y * tile->side);
    }
}

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  struct bytes *png, struct fault *why)
{
    const size_t side = (size_t)tile->side;
    double *metres = malloc((side + 2) * (side + 2) * sizeof *metres);
    uint8_t *gray = malloc(side * side);
    bool painted = false;

    if (!metres || !gray) {
        fault_set(why, FAULT_MEMORY, "no memory for a tile of %d pixels a side", tile->side);
        goto done;
    }
    if (!tile_heights(view, tile, 1, NAN, metres, why))
        goto done;
    shade(view, tile, look, metres, gray);
    painted = png_write(PNG_GRAY8, tile->side, tile->side, gray, PNG_FAST, png, why);

done:
    free(gray);
    free(metres);
    return painted;
}

const struct tile_set tile_set_hillshade = {
    .name = "hillshade",
    .encoding = NULL,
    .channels = 1,
    .title = "The ground in sunlight, from above",
    .paint = paint,
};
