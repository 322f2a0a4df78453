/* Light, air and water of a picture as requests describe them: flat rows, which every description
 * of a picture begins with. */
#ifndef API_PICTURES_LIGHTING_H
#define API_PICTURES_LIGHTING_H

#include "api/endpoint.h"
#include "render/renderer.h"

struct lighting {
    double shadows, occlusion, exposure, fog, fog_height;
    bool sky;
    double water_level;
    const char *water_color;
    bool water_horizon;
    int32_t samples;
};

extern const struct shape lighting_shape;

/* Fails with INPUT for a colour that is none, placed below `root`: "/" in a body, "" in a query. */
bool lighting_options(const struct lighting *lighting, struct picture *picture, const char *root,
                      struct fault *why);

#endif
