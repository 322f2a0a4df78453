/* Materials as textures: the project's own surfaces and rasters that were uploaded, brought to one
 * size. The last few are kept. The daemon's side; any thread. */
#ifndef RENDER_MATERIAL_H
#define RENDER_MATERIAL_H

#include "render/picture.h"
#include "render/plane.h"

/* What names a material's texture, by its content; 0: it has none and is its colour. Rasters that
 * are not there count as not named. */
uint64_t material_id(const struct material *material, const struct picture_rasters *rasters);

/* Of a material with a texture: the mean of its linear colours, and SURFACE_BYTES of its looks or
 * relief. False when memory is out or a raster cannot be read any more. */
bool material_mean(const struct material *material, const struct picture_rasters *rasters,
                   float mean[3]);
bool material_texels(const struct material *material, const struct picture_rasters *rasters,
                     bool relief, void *texels);

/* sRGB as linear colour. */
void material_linear(const uint8_t srgb[3], float linear[3]);

#endif
