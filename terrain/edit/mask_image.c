/* An uploaded raster as a mask: black is 0, white is 1. */
#include "terrain/edit/mask.h"

#include <math.h>
#include <stddef.h>

#include "terrain/edit/image_fields.h"
#include "terrain/edit/picture.h"

struct image_mask {
    struct mask_base base;
    const char *image;
    int channel;
    struct rect region; /* vertices; empty lies over the dab */
    double threshold;   /* NaN without one */
};

static const struct field rows[] = {
    IMAGE_FIELD(struct image_mask),
    CHANNEL_FIELD(struct image_mask),
    FIELD(struct image_mask, region, "vertices", 0, 0,
          "What it is stretched over; without it, each dab's square or the op's region. Beside it "
          "the share is 0"),
    FIELD(struct image_mask, threshold, "", 0, 1,
          "From this brightness on the share is 1, below it 0; without it the share is the "
          "brightness",
          .has_value = true, .value = NAN),
    { .kind = FIELD_END }
};

static bool image_ready(struct masker *masker, struct draft *draft, struct fault *why)
{
    const struct image_mask *takes = masker->takes;

    masker->image = draft_image(draft, takes->image, (enum image_channel)takes->channel, why);
    masker->cost += 8;
    return masker->image || fault_at(why, "/image");
}

static struct picture lay(const struct masker *masker, const struct scene *scene)
{
    const struct rect region = ((const struct image_mask *)masker->takes)->region;
    const double *scale = scene->grid->scale;
    double across = (region.width - 1) / 2.0, down = (region.height - 1) / 2.0;
    const double middle[2] = { region.x + across, region.y + down };
    const double half[2] = { across * scale[0], down * scale[1] };
    const double dab[2] = { scene->dab->half[0] * scale[0], scene->dab->half[1] * scale[1] };

    if (rect_empty(region))
        return picture_lay(masker->image, scene->grid, scene->dab->middle, dab, 0);
    return picture_lay(masker->image, scene->grid, middle, half, 0);
}

static void image_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                      int32_t count, double *shares)
{
    double threshold = ((const struct image_mask *)masker->takes)->threshold;
    struct picture picture = lay(masker, scene);

    picture_row(&picture, x, y, count, shares);
    for (int32_t i = 0; i < count; i++) {
        if (!isnan(threshold))
            shares[i] = shares[i] >= threshold;
        shares[i] = shares[i] > 0 ? shares[i] : 0;
    }
}

MASK_SHAPE(image, struct image_mask, rows);

const struct mask mask_image = {
    .name = "image",
    .summary = "As bright as an uploaded raster",
    .example = "{\"type\":\"image\",\"image\":\"demo\"}",
    .takes = &mask_image_takes,
    .ready = image_ready,
    .row = image_row,
};
