#include "render/material.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 16, TAPS = 4, NAMES = 4, OWN_IDS = 1 /* ids of the project's own, from here on */ };

/* How high a texture's own relief is taken to be, over the metres that it covers. */
static const double raster_steep = 0.06;

static float linear_of(float coded)
{
    return coded <= 0.04045f ? coded / 12.92f : powf((coded + 0.055f) / 1.055f, 2.4f);
}

void material_linear(const uint8_t srgb[3], float linear[3])
{
    for (int i = 0; i < 3; i++)
        linear[i] = linear_of((float)srgb[i] / 255);
}

static const char *const *names_of(const struct material *material, const char *names[NAMES])
{
    names[0] = material->albedo;
    names[1] = material->normal;
    names[2] = material->height;
    names[3] = material->roughness;
    return names;
}

static uint64_t add(uint64_t hash, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (number >> 8 * i & 255)) * 0x100000001b3;
    return hash;
}

uint64_t material_id(const struct material *material, const struct picture_rasters *rasters)
{
    const char *names[NAMES];
    uint64_t hash = 0xcbf29ce484222325;
    bool any = false;

    names_of(material, names);
    for (int i = 0; i < NAMES; i++) {
        uint64_t revision = names[i][0] && rasters ? rasters->find(rasters->context, names[i]) : 0;

        any = any || revision;
        hash = add(hash, revision);
    }
    if (!any)
        return material->surface == SURFACE_NONE ? 0 : (uint64_t)(OWN_IDS + material->surface);
    hash = add(hash, (uint64_t)(material->surface + 1));
    for (int i = 0; i < 3; i++)
        hash = add(hash, material->color[i]);
    return hash | 1ull << 63; /* none of the project's own */
}

/* One sample as 0 to 1; beyond the border the raster begins again. */
static float sample_at(const struct picture_raster *raster, int32_t x, int32_t y, int channel)
{
    size_t at =
        ((size_t)(y % raster->height) * (size_t)raster->width + (size_t)(x % raster->width)) *
        (size_t)raster->channels;

    if (raster->channels < 3)
        return (float)((const uint16_t *)raster->samples)[at] / 65535;
    return (float)((const uint8_t *)raster->samples)[at + (size_t)channel] / 255;
}

static float between(const struct picture_raster *raster, double x, double y, int channel,
                     bool colour)
{
    int32_t column = (int32_t)floor(x), row = (int32_t)floor(y);
    float across = (float)(x - column), down = (float)(y - row), corners[4];

    for (int i = 0; i < 4; i++) {
        float sample = sample_at(raster, column + raster->width + (i & 1),
                                 row + raster->height + (i >> 1), channel);

        corners[i] = colour ? linear_of(sample) : sample;
    }
    return (corners[0] * (1 - across) + corners[1] * across) * (1 - down) +
           (corners[2] * (1 - across) + corners[3] * across) * down;
}

/* A channel brought to the surfaces' size, the mean of up to TAPS x TAPS places a texel: 0 to 1,
 * colours as roots of linear ones. */
static void lay(const struct picture_raster *raster, int channel, bool colour, uint8_t *texels)
{
    int across =
        raster->width > SURFACE_SIDE ? (raster->width + SURFACE_SIDE - 1) / SURFACE_SIDE : 1;
    int taps = across < TAPS ? across : TAPS;

    for (int32_t i = 0; i < SURFACE_AREA; i++) {
        float sum = 0;

        for (int tap = 0; tap < taps * taps; tap++) {
            double x = i % SURFACE_SIDE + (tap % taps + 0.5) / taps;
            double y = i / SURFACE_SIDE + (tap / taps + 0.5) / taps;

            sum += between(raster, x * raster->width / SURFACE_SIDE - 0.5,
                           y * raster->height / SURFACE_SIDE - 0.5, channel, colour);
        }
        sum /= (float)(taps * taps);
        texels[4 * i] = (uint8_t)((colour ? sqrtf(sum) : sum) * 255 + 0.5f);
    }
}

/* What a raster's channels are, by its use: into which bytes of looks or relief they go. */
static void put_raster(int use, const struct picture_raster *raster,
                       const struct surface_made *made)
{
    bool colours = raster->channels >= 3;

    if (use == 0)
        for (int c = 0; c < 3; c++)
            lay(raster, colours ? c : 0, true, made->looks + c);
    else if (use == 1 && colours)
        for (int c = 0; c < 2; c++)
            lay(raster, c, false, made->relief + c);
    else if (use == 2)
        lay(raster, 0, false, made->looks + 3);
    else if (use == 3) {
        lay(raster, colours ? 1 : 0, false, made->relief + 2);
        if (colours)
            lay(raster, 0, false, made->relief + 3);
    }
}

/* What it is without its rasters: the project's own surface, or plain colour. */
static bool begin(const struct material *material, const struct surface_made *made)
{
    const struct surface_made *own =
        material->surface == SURFACE_NONE ? NULL : surface_own(material->surface);
    float colour[3];

    if (material->surface != SURFACE_NONE && !own)
        return false;
    if (own) {
        memcpy(made->looks, own->looks, SURFACE_BYTES);
        memcpy(made->relief, own->relief, SURFACE_BYTES);
        return true;
    }
    material_linear(material->color, colour);
    for (int i = 0; i < SURFACE_AREA; i++) {
        for (int c = 0; c < 3; c++)
            made->looks[4 * i + c] = (uint8_t)(sqrtf(colour[c]) * 255 + 0.5f);
        made->looks[4 * i + 3] = 128;
        memcpy(made->relief + 4 * i, (const uint8_t[4]){ 128, 128, 230, 255 }, 4);
    }
    return true;
}

static bool put_all(const struct material *material, const struct picture_rasters *rasters,
                    const struct surface_made *made)
{
    static const int order[NAMES] = { 0, 2, 1, 3 }; /* heights, of which normals are made, first */
    const char *names[NAMES];

    names_of(material, names);
    for (int i = 0; i < NAMES; i++) {
        int use = order[i];
        struct picture_raster raster;

        if (!names[use][0] || !rasters->find(rasters->context, names[use]))
            continue;
        if (!rasters->lend(rasters->context, names[use], &raster))
            return false;
        put_raster(use, &raster, made);
        rasters->give_back(rasters->context, &raster);
        if (use == 2)
            surface_normals(made->looks, raster_steep, made->relief);
    }
    return true;
}

/* The last that were made. */
struct kept {
    uint64_t id, used;
    struct surface_made made;
};
static struct kept kept[KEPT];
static uint64_t uses;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool make(const struct material *material, const struct picture_rasters *rasters,
                 struct kept *place)
{
    struct surface_made *made = &place->made;

    if (!made->looks)
        made->looks = malloc(SURFACE_BYTES);
    if (!made->relief)
        made->relief = malloc(SURFACE_BYTES);
    if (!made->looks || !made->relief || !begin(material, made) ||
        !put_all(material, rasters, made))
        return false;
    surface_levels(made->looks, made->relief, made->mean);
    return true;
}

/* Under the lock: one thread makes while others who want one wait. */
static const struct surface_made *find(const struct material *material,
                                       const struct picture_rasters *rasters, uint64_t id)
{
    struct kept *oldest = &kept[0];

    for (int i = 0; i < KEPT; i++) {
        if (kept[i].id == id) {
            kept[i].used = ++uses;
            return &kept[i].made;
        }
        if (kept[i].used < oldest->used)
            oldest = &kept[i];
    }
    oldest->id = 0;
    if (!make(material, rasters, oldest))
        return NULL;
    oldest->id = id;
    oldest->used = ++uses;
    return &oldest->made;
}

static bool with_made(const struct material *material, const struct picture_rasters *rasters,
                      float *mean, bool relief, void *texels)
{
    uint64_t id = material_id(material, rasters);
    bool own = id >= OWN_IDS && id < OWN_IDS + SURFACES;
    const struct surface_made *made;

    if (!id)
        return false;
    if (!own)
        pthread_mutex_lock(&lock);
    made = own ? surface_own((int)(id - OWN_IDS)) : find(material, rasters, id);
    if (made && mean)
        memcpy(mean, made->mean, sizeof made->mean);
    if (made && texels)
        memcpy(texels, relief ? made->relief : made->looks, SURFACE_BYTES);
    if (!own)
        pthread_mutex_unlock(&lock);
    return made != NULL;
}

bool material_mean(const struct material *material, const struct picture_rasters *rasters,
                   float mean[3])
{
    return with_made(material, rasters, mean, false, NULL);
}

bool material_texels(const struct material *material, const struct picture_rasters *rasters,
                     bool relief, void *texels)
{
    return with_made(material, rasters, NULL, relief, texels);
}
