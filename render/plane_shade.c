/* The plane of what the ground hides from itself: two bytes a sample, how much is seen of the sun
 * and of the sky (shade.h). Where the sun stands is part of a tile's key, in steps of a 64th of a
 * degree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/moved.h"
#include "render/plane_make.h"
#include "render/plane_newest.h"
#include "render/shade.h"
#include "terrain/base/derived.h"
#include "terrain/core/offset.h"

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

struct asked {
    const struct view *view;
    const struct tile_key *key;
    struct shade_sun sun;
};

static bool touched(const void *context, const struct view_change *change)
{
    const struct asked *asked = context;
    const struct tile_key *key = asked->key;
    const struct rect samples = tile_samples(key->x, key->y);
    unsigned parts = (unsigned)(key->detail >> 32);

    return ((parts & OF_SKY) && shade_sky_touched(key->level, samples, change)) ||
           ((parts & OF_SUN) &&
            shade_sun_touched(asked->view, &asked->sun, key->level, samples, change));
}

static bool shade_key(const struct plane_source *source, int32_t level, int32_t x, int32_t y,
                      int slot, struct tile_key *key)
{
    const struct view *view = source->view;
    unsigned parts = wanted(&source->picture->light);
    uint64_t newest = view->place_version;
    struct asked asked = { .view = view, .key = key };

    (void)slot;
    if (!parts)
        return false;
    *key = (struct tile_key){ .incarnation = view->incarnation,
                              .detail = detail_of(&source->picture->light, parts),
                              .level = level,
                              .x = x,
                              .y = y,
                              .plane = RENDER_PLANE_shade };
    if (view_has_offsets(view)) { /* what stands where follows from all of them */
        key->newest = newer(newer(newest, view_newest(view, view_rect(view))),
                            view_newest_offsets(view, view_rect(view)));
        return true;
    }
    asked.sun = sun_of(view, key->detail);
    if (parts & OF_SUN)
        newest = newer(newest, shade_sun_newest(view, &asked.sun, level, tile_samples(x, y)));
    if (parts & OF_SKY)
        newest = newer(newest, shade_sky_newest(view, level, tile_samples(x, y)));
    key->newest = plane_newest(source, key, newest, touched, &asked);
    return true;
}

/* A tile as it was made last, of which an edit changes a part. */
struct shaded {
    struct derived derived;
    uint64_t version, again;
    uint8_t shares[]; /* as the plane has them */
};

struct shading {
    const struct view *view;
    const struct tile_key *key;
};

static void shaded_free(struct derived *thing)
{
    free(thing);
}

static bool make_all(const struct shading *shading, uint8_t *shares)
{
    const struct tile_key *key = shading->key;
    unsigned parts = (unsigned)(key->detail >> 32);
    struct shade_sun sun = sun_of(shading->view, key->detail);
    bool made = true;

    memset(shares, 255, plane_bytes(key->plane));
    if (parts & OF_SUN)
        made = shade_sun_make(shading->view, &sun, key->level, key->x, key->y, shares);
    if (made && parts & OF_SKY)
        made = shade_sky_make(shading->view, key->level, key->x, key->y, shares + 1);
    return made;
}

/* What the versions since have changed of one that was made before. */
static bool mend(const struct shading *shading, const struct shaded *was, uint8_t *shares)
{
    const struct view *view = shading->view;
    const struct tile_key *key = shading->key;
    unsigned parts = (unsigned)(key->detail >> 32);
    struct shade_sun sun = sun_of(view, key->detail);
    int count = (int)(view->version - was->version);
    bool made = true;

    memcpy(shares, was->shares, plane_bytes(key->plane));
    if (parts & OF_SUN)
        made = shade_sun_mend(view, &sun, key->level, key->x, key->y, view->changes, count, shares);
    if (made && parts & OF_SKY)
        made = shade_sky_mend(view, key->level, key->x, key->y, view->changes, count, shares + 1);
    return made;
}

static struct derived *shade(void *context, const struct derived *older, struct fault *why)
{
    const struct shading *shading = context;
    const struct view *view = shading->view;
    const struct shaded *was = (const struct shaded *)older;
    const size_t bytes = sizeof *was + plane_bytes(RENDER_PLANE_shade);
    struct shaded *shaded = malloc(bytes);
    bool since = was && was->again == view->again && was->version <= view->version &&
                 view->version - was->version <= (uint64_t)view->change_count;

    if (!shaded ||
        !(since ? mend(shading, was, shaded->shares) : make_all(shading, shaded->shares))) {
        free(shaded);
        fault_set(why, FAULT_MEMORY, "no memory for a picture's shade");
        return NULL;
    }
    shaded->derived = (struct derived){ .bytes = bytes, .free = shaded_free };
    atomic_init(&shaded->derived.holders, 1);
    shaded->version = view->version;
    shaded->again = view->again;
    return &shaded->derived;
}

/* A tile, held; made of what it was before, where that is kept: on the ground itself, or on moved
 * ground. */
static const struct shaded *shaded_tile(struct shading *shading, bool moved,
                                        struct derived_cache *derived, struct fault *why)
{
    static const char kinds[2];
    const struct tile_key *key = shading->key;
    const struct derived_place place = { .kind = &kinds[moved],
                                         .incarnation = key->incarnation,
                                         .at = { key->level, key->x, key->y },
                                         .options = key->detail };

    return (const struct shaded *)derived_get(derived, &place, key->newest, shade, shading, why);
}

/* Moved ground: a vertex sees what is seen from where it stands. Offsets reach no further than a
 * tile of the finest level, and so the place lies in one of those around. */
enum { AROUND = 2, SPAN = 2 * AROUND + 1 };

struct standing {
    const struct plane_source *source;
    const struct tile_key *key;
    struct view *ground; /* see moved.h */
    struct rect samples;
    const struct shaded *tiles[SPAN][SPAN];
};

static const uint8_t *seen_at(struct standing *standing, int32_t x, int32_t y, struct fault *why)
{
    const struct rect all = standing->samples;
    struct tile_key key = *standing->key;
    const struct shaded **tile;

    x = shade_nearest(all.x, all.width, x);
    y = shade_nearest(all.y, all.height, y);
    key.x = shade_nearest(key.x - AROUND, SPAN, x >> 7);
    key.y = shade_nearest(key.y - AROUND, SPAN, y >> 7);
    tile = &standing->tiles[key.y - standing->key->y + AROUND][key.x - standing->key->x + AROUND];
    if (!*tile) {
        struct shading shading = { standing->ground, &key };

        *tile = shaded_tile(&shading, true, standing->source->derived, why);
    }
    x = shade_nearest(0, TILE_SIDE, x - key.x * 128 + TILE_MARGIN);
    y = shade_nearest(0, TILE_SIDE, y - key.y * 128 + TILE_MARGIN);
    return *tile ? (*tile)->shares + 2 * (y * TILE_SIDE + x) : NULL;
}

static bool see_between(struct standing *standing, double x, double y, uint8_t *to,
                        struct fault *why)
{
    const int32_t west = (int32_t)floor(x), north = (int32_t)floor(y);
    const uint8_t *corners[4];

    for (int i = 0; i < 4; i++)
        if (!(corners[i] = seen_at(standing, west + (i & 1), north + (i >> 1), why)))
            return false;
    for (int part = 0; part < 2; part++) {
        double top = corners[0][part] + (corners[1][part] - corners[0][part]) * (x - west);
        double bottom = corners[2][part] + (corners[3][part] - corners[2][part]) * (x - west);

        to[part] = (uint8_t)(top + (bottom - top) * (y - north) + 0.5);
    }
    return true;
}

static bool see_all(struct standing *standing, const uint16_t (*offsets)[2], uint8_t *texels,
                    struct fault *why)
{
    const struct tile_key *key = standing->key;
    const struct rect samples = tile_samples(key->x, key->y);
    const double quads = 1 << key->level;

    for (int32_t i = 0; i < TILE_SIDE * TILE_SIDE; i++) {
        double x = samples.x + i % TILE_SIDE + offset_decode(offsets[i][0]) / quads;
        double y = samples.y + i / TILE_SIDE + offset_decode(offsets[i][1]) / quads;

        if (!see_between(standing, x, y, texels + 2 * i, why))
            return false;
    }
    return true;
}

static bool make_moved(const struct plane_source *source, const struct tile_key *key,
                       uint8_t *texels, struct fault *why)
{
    const struct tile_key offsets_key = {
        .level = key->level, .x = key->x, .y = key->y, .plane = RENDER_PLANE_offsets
    };
    struct standing standing = { .source = source,
                                 .key = key,
                                 .ground = moved_ground(source->view, source->derived, why),
                                 .samples = shade_samples(source->view, key->level) };
    uint16_t(*offsets)[2] = malloc(plane_bytes(RENDER_PLANE_offsets));
    bool made = false;

    if (!offsets)
        fault_set(why, FAULT_MEMORY, "no memory for a picture's shade");
    else if (standing.ground)
        made = plane_maker_offsets.make(source, &offsets_key, offsets, why) &&
               see_all(&standing, (const uint16_t(*)[2])offsets, texels, why);
    for (int i = 0; i < SPAN * SPAN; i++)
        derived_drop((struct derived *)(uintptr_t)standing.tiles[i / SPAN][i % SPAN]);
    view_drop(standing.ground);
    free(offsets);
    return made;
}

static bool shade_make(const struct plane_source *source, const struct tile_key *key, void *texels,
                       struct fault *why)
{
    struct shading shading = { source->view, key };
    const struct shaded *shaded;

    if (view_has_offsets(source->view))
        return make_moved(source, key, texels, why);
    if (!source->derived)
        return make_all(&shading, texels) ||
               fault_set(why, FAULT_MEMORY, "no memory for a picture's shade");
    shaded = shaded_tile(&shading, false, source->derived, why);
    if (shaded)
        memcpy(texels, shaded->shares, plane_bytes(key->plane));
    derived_drop((struct derived *)(uintptr_t)shaded);
    return shaded;
}

const struct plane_maker plane_maker_shade = { .key = shade_key, .make = shade_make };
