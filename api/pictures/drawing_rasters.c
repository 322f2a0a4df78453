#include "api/pictures/drawing_rasters.h"

#include "terrain/store/gallery.h"

static uint64_t find(void *context, const char *name)
{
    struct picture_about about;
    struct fault why;

    if (!context || !gallery_find(context, name, &about, &why) || about.damaged)
        return 0;
    return about.revision ? about.revision : 1;
}

static bool lend(void *context, const char *name, struct picture_raster *raster)
{
    struct fault why;
    const struct picture_held *held = gallery_hold(context, name, &why);

    if (!held)
        return false;
    *raster = (struct picture_raster){ .revision = held->about.revision,
                                       .width = held->about.width,
                                       .height = held->about.height,
                                       .channels = held->about.channels,
                                       .samples = held->samples,
                                       .held = held };
    return true;
}

static void give_back(void *context, struct picture_raster *raster)
{
    gallery_drop(context, raster->held);
}

struct picture_rasters drawing_rasters(struct gallery *gallery)
{
    return (struct picture_rasters){
        .context = gallery, .find = find, .lend = lend, .give_back = give_back
    };
}
