#include "api/pictures/lighting.h"

#include <math.h>

#include "api/colour.h"

static const struct field rows[] = {
    FIELD(struct lighting, shadows, NULL, 0, 1, "How dark what the sun does not reach is",
          .has_value = true, .value = 1),
    FIELD(struct lighting, occlusion, NULL, 0, 1, "How much darker hollows are than open ground",
          .has_value = true, .value = 1),
    FIELD(struct lighting, exposure, "stops", -8, 8, "Brighter, each stop twice as bright",
          .has_value = true, .value = 0),
    FIELD(struct lighting, fog, NULL, 0, 0.99,
          "How much the air hides of what is a landscape's diagonal away; parallel rays see none",
          .has_value = true, .value = 0.05),
    FIELD(struct lighting, fog_height, "m", 0, 1e6,
          "Up to where the fog is thinner by a factor of e; 0: it is not", .has_value = true,
          .value = 0),
    FIELD(struct lighting, sky, NULL, 0, 0, "The sky behind the ground, else a plain colour",
          .has_value = true, .value = true),
    FIELD(struct lighting, water_level, "m", -1e6, 1e6,
          "Local z up to which there is water where the ground is lower; null: none",
          .nullable = true, .has_value = true, .value = NAN),
    FIELD(struct lighting, water_color, NULL, 0, 7,
          "#rrggbb, of what its depth throws back; #1d5a66 unless given"),
    FIELD(struct lighting, water_horizon, NULL, 0, 0,
          "Water as far as one sees, not over the landscape alone"),
    FIELD(struct lighting, samples, NULL, 0, PICTURE_SAMPLES_MOST,
          "At least so many of each pixel; 0: as many as the renderer has cheaply, or edges "
          "smoothed afterwards",
          .has_value = true, .value = 0),
    { .kind = FIELD_END }
};

const struct shape lighting_shape = {
    .name = "struct lighting", .size = sizeof(struct lighting), .fields = rows, .given = -1
};

bool lighting_options(const struct lighting *lighting, struct picture *picture, const char *root,
                      struct fault *why)
{
    static const char deep[] = "#1d5a66";
    const char *color = lighting->water_color ? lighting->water_color : deep;

    picture->light.shadows = lighting->shadows;
    picture->light.occlusion = lighting->occlusion;
    picture->light.exposure = lighting->exposure;
    picture->light.fog = lighting->fog;
    picture->light.fog_height = lighting->fog_height;
    picture->light.plain = !lighting->sky;
    picture->samples = lighting->samples;
    picture->water.on = !isnan(lighting->water_level);
    picture->water.level = picture->water.on ? lighting->water_level : 0;
    picture->water.to_horizon = lighting->water_horizon;
    return colour_read(color, picture->water.color, NULL, why) ||
           fault_at(why, "%swater_color", root);
}
