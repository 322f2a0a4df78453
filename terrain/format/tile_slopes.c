#include "terrain/format/tile_slopes.h"

#include <stdlib.h>

static inline double known(double height, double otherwise)
{
    return height == height ? height : otherwise;
}

/* `over`, `here` and `under` are rows of heights, each with a pixel before the first. `across` and
 * `down` turn eight times a difference of heights into a slope. */
static void slopes_find(const double *over, const double *here, const double *under, double across,
                        double down, struct tile_slopes *row)
{
    for (int32_t i = 0; i < row->count; i++) {
        const double z = here[i + 1];
        const double nw = known(over[i], z), n = known(over[i + 1], z), ne = known(over[i + 2], z);
        const double w = known(here[i], z), e = known(here[i + 2], z);
        const double sw = known(under[i], z), s = known(under[i + 1], z);
        const double se = known(under[i + 2], z);
        const double east = ((ne + 2 * e + se) - (nw + 2 * w + sw)) * across;
        const double south = ((sw + 2 * s + se) - (nw + 2 * n + ne)) * down;

        row->east[i] = z == z ? east : 0;
        row->south[i] = z == z ? south : 0;
    }
}

bool tile_slopes_each(const struct view *view, const struct tile *tile,
                      const struct tile_look *look, tile_slopes_paint *paint, size_t pixel_bytes,
                      uint8_t *pixels, struct fault *why)
{
    const struct tile around = tile_around(tile, tile->margin + 1);
    const size_t stride = (size_t)tile_samples_across(&around);
    double *metres = malloc(stride * stride * sizeof *metres);
    struct tile_slopes row = { .look = look, .count = tile->side };
    bool found;

    if (!metres)
        return fault_set(why, FAULT_MEMORY, "no memory for a tile of %d pixels a side", tile->side);
    found = tile_heights(view, &around, look->fill, metres, why);
    for (int32_t y = 0; found && y < tile->side; y++) {
        const double *over = metres + (size_t)y * stride;
        double ground[2];

        tile_ground(view, tile, y, ground);
        slopes_find(over, over + stride, over + 2 * stride, look->exaggeration / (8 * ground[0]),
                    look->exaggeration / (8 * ground[1]), &row);
        paint(&row, pixels + (size_t)y * (size_t)tile->side * pixel_bytes);
    }
    free(metres);
    return found;
}

void tile_ramp(const struct tile_stop *stops, int count, double at, uint8_t rgb[3])
{
    int i = 1;
    double share;

    while (i < count - 1 && at > stops[i].at)
        i++;
    share = (at - stops[i - 1].at) / (stops[i].at - stops[i - 1].at);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int c = 0; c < 3; c++)
        rgb[c] =
            (uint8_t)(stops[i - 1].rgb[c] + share * (stops[i].rgb[c] - stops[i - 1].rgb[c]) + 0.5);
}
