#include "render/scene_light.h"

#include <math.h>

/* How far one sees into water, metres: at least so far, and so much of its greatest depth. */
static const double clear_least = 3, clear_share = 0.12;

/* What an sRGB code stands for. */
static double linear(uint8_t code)
{
    double shown = code / 255.0;

    return shown <= 0.04045 ? shown / 12.92 : pow((shown + 0.055) / 1.055, 2.4);
}

static void set_light(struct wire_light *light, const struct picture_light *wanted,
                      const struct extent *extent, const struct look *look)
{
    double across = hypot(extent->high[0] - extent->low[0], extent->high[1] - extent->low[1]);
    double thinning = wanted->fog_height > 0 ? 1 / wanted->fog_height : 0;
    double above = (look->eye[2] - extent->low[2]) * thinning;

    *light = (struct wire_light){ .sun_azimuth = (float)wanted->sun_azimuth,
                                  .sun_elevation = (float)wanted->sun_elevation,
                                  .shadows = (float)wanted->shadows,
                                  .occlusion = (float)wanted->occlusion,
                                  .exposure = (float)exp2(wanted->exposure) };
    /* Parallel rays come from nowhere, so there is no air before what they meet. */
    if (!look->ortho && across > 0) {
        light->fog[0] = (float)(-log1p(-wanted->fog) / across * exp(-fmin(fmax(above, -50), 50)));
        light->fog[1] = (float)thinning;
    }
}

static void set_water(struct wire_water *water, const struct picture_water *wanted,
                      const struct extent *extent, const struct look *look)
{
    *water = (struct wire_water){ .on = wanted->on, .to_horizon = wanted->to_horizon };
    if (!wanted->on)
        return;
    water->level = (float)(wanted->level - look->eye[2]);
    water->clear = (float)fmax(clear_least, clear_share * (wanted->level - extent->low[2]));
    for (int i = 0; i < 3; i++)
        water->color[i] = (float)linear(wanted->color[i]);
    for (int i = 0; i < 4; i++)
        water->box[i] = (float)((i < 2 ? extent->low[i] : extent->high[i - 2]) - look->eye[i % 2]);
}

void scene_light(struct wire_scene *head, const struct picture *picture,
                 const struct extent *extent, const struct look *look)
{
    const bool lit = picture_lit(picture);

    set_light(&head->light, &picture->light, extent, look);
    set_water(&head->water, &picture->water, extent, look);
    head->samples = (uint32_t)picture->samples;
    head->sky = lit && !picture->transparent && !picture->light.plain;
    head->water.on = head->water.on && lit;
    if (head->water.on)
        head->variant |= WIRE_BIT(WATER);
}

bool scene_wet(const struct picture *picture, const struct extent *extent, double low, bool border)
{
    return picture->water.on && picture_lit(picture) &&
           (border ? extent->base : low) < picture->water.level;
}
