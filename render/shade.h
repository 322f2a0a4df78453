/* How much of the sun and of the sky each sample of the ground sees, because of other ground.
 *
 * Samples are those of a level (tile.h): one for each 1 << level quads. A sample's answer follows
 * from the ground alone and not from the rectangle that was asked for, so tiles meet without a seam
 * (but for far ground, which stands in the way as its means, none wider than the sun's disc
 * looks). Nothing stands beyond the landscape. Any thread.
 */
#ifndef RENDER_SHADE_H
#define RENDER_SHADE_H

#include <stdbool.h>
#include <stdint.h>

#include "render/tile.h"

/* The sun's light over a landscape: which way it comes and how far it falls on the way. */
struct shade_sun {
    bool east_west;   /* it is followed along rows, else along columns: its longer part */
    bool mirrored;    /* towards the sun, those run down */
    double slant;     /* samples aside for each one towards the sun, -1 to 1 */
    double low, high; /* codes for each vertex towards the sun: of its lower and its upper edge */
};

/* Degrees. A sun lower than SHADE_ELEVATION_LEAST stands there. */
#define SHADE_ELEVATION_LEAST 1.0
struct shade_sun shade_sun_of(const struct grid *grid, double azimuth, double elevation);

/* The samples that begin on the landscape without its pad, which repeats the border and would stand
 * in the way as a wall does. */
static inline struct rect shade_samples(const struct view *view, int32_t level)
{
    const int32_t *padded = view->settings->padded;
    int32_t round = (1 << level) - 1, columns = view_grid(view)->columns - padded[0];
    int32_t rows = view_grid(view)->rows - padded[1];

    return (struct rect){ 0, 0, (columns + round) >> level, (rows + round) >> level };
}

/* The one of `count` from `first` on that is nearest. */
static inline int32_t shade_nearest(int32_t first, int32_t count, int32_t at)
{
    return at < first ? first : at >= first + count ? first + count - 1 : at;
}

/* The vertices whose height can matter to what a rectangle of samples sees: those around it, and
 * those towards the sun that are high enough to be in its way. Their newest change. */
uint64_t shade_sun_newest(const struct view *view, const struct shade_sun *sun, int32_t level,
                          struct rect samples);
uint64_t shade_sky_newest(const struct view *view, int32_t level, struct rect samples);

/* Whether a change may matter to it, more closely. */
bool shade_sun_touched(const struct view *view, const struct shade_sun *sun, int32_t level,
                       struct rect samples, const struct view_change *change);
bool shade_sky_touched(int32_t level, struct rect samples, const struct view_change *change);

/* The share of the sun that is seen, and of the sky, 0 to 255, in every second byte from the first:
 * TILE_SIDE x TILE_SIDE samples of a tile. False when memory is out. */
bool shade_sun_make(const struct view *view, const struct shade_sun *sun, int32_t level, int32_t x,
                    int32_t y, uint8_t *shares);
bool shade_sky_make(const struct view *view, int32_t level, int32_t x, int32_t y, uint8_t *shares);

/* The same where shares are those of a version before these changes: only what they can matter to
 * is made again. */
bool shade_sun_mend(const struct view *view, const struct shade_sun *sun, int32_t level, int32_t x,
                    int32_t y, const struct view_change *changes, int count, uint8_t *shares);
bool shade_sky_mend(const struct view *view, int32_t level, int32_t x, int32_t y,
                    const struct view_change *changes, int count, uint8_t *shares);

#endif
