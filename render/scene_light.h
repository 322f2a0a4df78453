/* The part of a scene that is light, air and water. Any thread. */
#ifndef RENDER_SCENE_LIGHT_H
#define RENDER_SCENE_LIGHT_H

#include "render/picture.h"
#include "render/wire.h"
#include "terrain/lod/extent.h"

void scene_light(struct wire_scene *head, const struct picture *picture,
                 const struct extent *extent, const struct look *look);

/* Whether a patch whose ground goes down to `low`, or which has a side of the model, may be seen
 * through water. */
bool scene_wet(const struct picture *picture, const struct extent *extent, double low, bool border);

#endif
