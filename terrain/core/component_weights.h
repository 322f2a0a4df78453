/* A component's weights as textures: which layer lies in which channel, and the RGBA8 textures,
 * with the sections' inner rows stored twice as in component.h. Any thread. */
#ifndef TERRAIN_CORE_COMPONENT_WEIGHTS_H
#define TERRAIN_CORE_COMPONENT_WEIGHTS_H

#include "terrain/core/component.h"
#include "terrain/core/weights.h"

/* The slots (weights.h) of the stack's paint layers, by position. */
void component_slots(const struct view *view, int32_t cx, int32_t cy,
                     uint16_t slots[WEIGHTS_LAYERS]);

/* Texture n, component_texels(layout, 0) squared texels; channels without a layer are 0. */
void component_weightmap(const struct view *view, int32_t cx, int32_t cy, int32_t n, uint8_t *rgba);

#endif
