/* The plane of what the ground hides from itself: two bytes a sample, how much is seen of the sun
 * and of the sky (shade.h). Where the sun stands is part of a tile's key, in steps of a 64th of a
 * degree. */
#include <math.h>
#include <string.h>

#include "render/plane_make.h"
#include "render/shade.h"

enum { STEPS = 64, OF_SUN = 1, OF_SKY = 2 };

/* Below it there is no sunlight (daylight.c). */
static const double sunset = -1.5;

static unsigned wanted(const struct picture_light *light)
{
    return (light->shadows > 0 && light->sun_elevation > sunset ? OF_SUN : 0u) |
           (light->occlusion > 0 ? OF_SKY : 0u);
}

static uint64_t detail_of(const struct picture_light *light, unsigned parts)
{
    double around = light->sun_azimuth - 360 * floor(light->sun_azimuth / 360);
    double above = fmax(light->sun_elevation, SHADE_ELEVATION_LEAST);
    uint64_t azimuth = (uint64_t)floor(around * STEPS + 0.5) % (360 * STEPS);
    uint64_t elevation = (uint64_t)floor(above * STEPS + 0.5);

    return (uint64_t)parts << 32 | (parts & OF_SUN ? azimuth << 16 | elevation : 0);
}

static struct shade_sun sun_of(const struct view *view, uint64_t detail)
{
    return shade_sun_of(view_grid(view), (double)(detail >> 16 & 0xffff) / STEPS,
                        (double)(detail & 0xffff) / STEPS);
}

static uint64_t newer(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool shade_key(const struct plane_source *source, int32_t level, int32_t x, int32_t y,
                      int slot, struct tile_key *key)
{
    const struct view *view = source->view;
    unsigned parts = wanted(&source->picture->light);
    uint64_t newest = view->place_version;

    (void)slot;
    if (!parts)
        return false;
    *key = (struct tile_key){ .incarnation = view->incarnation,
                              .detail = detail_of(&source->picture->light, parts),
                              .level = level,
                              .x = x,
                              .y = y,
                              .plane = RENDER_PLANE_shade };
    if (parts & OF_SUN) {
        struct shade_sun sun = sun_of(view, key->detail);

        newest = newer(newest, shade_sun_newest(view, &sun, level, tile_samples(x, y)));
    }
    if (parts & OF_SKY)
        newest = newer(newest, shade_sky_newest(view, level, tile_samples(x, y)));
    key->newest = newest;
    return true;
}

static bool shade_make(const struct plane_source *source, const struct tile_key *key, void *texels,
                       struct fault *why)
{
    const struct view *view = source->view;
    unsigned parts = (unsigned)(key->detail >> 32);
    struct shade_sun sun = sun_of(view, key->detail);
    bool made = true;

    memset(texels, 255, plane_bytes(key->plane));
    if (parts & OF_SUN)
        made = shade_sun_make(view, &sun, key->level, key->x, key->y, texels);
    if (made && parts & OF_SKY)
        made = shade_sky_make(view, key->level, key->x, key->y, (uint8_t *)texels + 1);
    return made || fault_set(why, FAULT_MEMORY, "no memory for a picture's shade");
}

const struct plane_maker plane_maker_shade = { .key = shade_key, .make = shade_make };
