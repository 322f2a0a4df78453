#include "api/edits/lending.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/store/gallery.h"

/* One thing lent: an image of one channel, or a view. */
struct lent {
    struct lent *next;
    char name[65];
    enum image_channel channel;
    const struct picture_held *held;
    uint16_t *made; /* the channel's values, where the picture has several */
    struct image image;
    struct view *view;
};

static struct lent *lent_new(struct lending *lending, const char *name, struct fault *why)
{
    struct lent *lent = calloc(1, sizeof *lent);

    if (!lent) {
        fault_set(why, FAULT_MEMORY, "no memory for what the edit reads");
        return NULL;
    }
    memcpy(lent->name, name, strlen(name) + 1);
    lent->next = lending->first;
    lending->first = lent;
    return lent;
}

/* Eight bits are widened as everywhere, by 257. */
static uint16_t luma(const uint8_t *pixel)
{
    return (uint16_t)((257 * (2126 * pixel[0] + 7152 * pixel[1] + 722 * pixel[2]) + 5000) / 10000);
}

static uint16_t channel_of_pixel(const void *samples, int32_t channels, enum image_channel channel,
                                 size_t i)
{
    const uint16_t *gray = (const uint16_t *)samples + i * (size_t)channels;
    const uint8_t *colours = (const uint8_t *)samples + i * (size_t)channels;

    if (channel == IMAGE_ALPHA)
        return channels == 2 ? gray[1] : channels == 4 ? (uint16_t)(colours[3] * 257) : 65535;
    if (channels <= 2)
        return gray[0];
    return channel == IMAGE_LUMA ? luma(colours) : (uint16_t)(colours[channel - IMAGE_RED] * 257);
}

static bool make_channel(struct lent *lent, struct fault *why)
{
    const struct picture_about *about = &lent->held->about;
    size_t count = (size_t)about->width * (size_t)about->height;

    lent->image = (struct image){ about->width, about->height, lent->held->samples };
    if (about->channels == 1 && lent->channel != IMAGE_ALPHA)
        return true;
    lent->made = malloc(count * sizeof *lent->made);
    if (!lent->made)
        return fault_set(why, FAULT_MEMORY, "no memory for a channel of the raster %s",
                         about->name);
    for (size_t i = 0; i < count; i++)
        lent->made[i] = channel_of_pixel(lent->held->samples, about->channels, lent->channel, i);
    lent->image.values = lent->made;
    return true;
}

/* Many rasters in one edit could take more memory than any one of them may. */
static bool fits(struct lending *lending, const char *name, struct fault *why)
{
    int64_t most = lending->service->limits.request_memory_bytes;
    struct picture_about about;

    if (!gallery_find(lending->service->gallery, name, &about, why))
        return false;
    lending->bytes += about.bytes + 2 * (int64_t)about.width * about.height;
    return lending->bytes <= most ||
           fault_set(why, FAULT_LIMIT,
                     "the rasters of the edit take more than %lld bytes (request_memory_bytes)",
                     (long long)most);
}

static const struct image *find_image(void *context, const char *name, enum image_channel channel,
                                      struct fault *why)
{
    struct lending *lending = context;
    struct lent *lent;

    for (lent = lending->first; lent; lent = lent->next)
        if (lent->held && lent->channel == channel && !strcmp(lent->name, name))
            return &lent->image;
    if (!fits(lending, name, why))
        return NULL;
    lent = lent_new(lending, name, why);
    if (!lent)
        return NULL;
    lent->channel = channel;
    lent->held = gallery_hold(lending->service->gallery, name, why);
    return lent->held && make_channel(lent, why) ? &lent->image : NULL;
}

static const struct view *find_landscape(void *context, const char *id, struct fault *why)
{
    struct lending *lending = context;
    struct landscape *landscape;
    struct lent *lent;

    for (lent = lending->first; lent; lent = lent->next)
        if (lent->view && !strcmp(lent->name, id))
            return lent->view;
    landscape = landscapes_find(lending->service->landscapes, id, why);
    lent = landscape ? lent_new(lending, id, why) : NULL;
    if (lent)
        lent->view = landscape_view(landscape);
    landscape_drop(landscape);
    return lent ? lent->view : NULL;
}

void lending_init(struct lending *lending, struct service *service)
{
    *lending =
        (struct lending){ .sources = { lending, find_image, find_landscape }, .service = service };
}

void lending_fini(struct lending *lending)
{
    for (struct lent *lent = lending->first, *next; lent; lent = next) {
        next = lent->next;
        gallery_drop(lending->service->gallery, lent->held);
        free(lent->made);
        view_drop(lent->view);
        free(lent);
    }
    lending->first = NULL;
}
