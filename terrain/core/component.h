/* A component as a window on a view: its texture, its mip chain, its bounds.
 * Sections' inner rows are stored twice, as engines expect. Any thread. */
#ifndef TERRAIN_CORE_COMPONENT_H
#define TERRAIN_CORE_COMPONENT_H

#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"

/* The vertices that component (cx, cy) covers. */
struct rect component_rect(const struct view *view, int32_t cx, int32_t cy);
/* Those that its texture depends on: one vertex more all around, cut to the landscape. */
struct rect component_reach(const struct view *view, int32_t cx, int32_t cy);

/* Texels a side of the texture at a mip: sections * (V >> mip). */
int32_t component_texels(const struct layout *layout, int32_t mip);

/* The RGBA8 texture at a mip, component_texels squared texels. Fails with MEMORY. */
bool component_texture(const struct view *view, int32_t cx, int32_t cy, int32_t mip, uint8_t *rgba,
                       struct fault *why);

/* Coarser grids of one section: `from` holds (Q_m-1 + 1)^2 values of mip m-1, `to` gets
 * (Q_m + 1)^2 of mip m. section_lod_vertex takes LOD lod straight from the base grid. */
void section_mip(int32_t section_quads, int32_t mip, const uint16_t *from, uint16_t *to);
void section_mip_bytes(int32_t section_quads, int32_t mip, const uint8_t *from, uint8_t *to);
void section_lod_vertex(int32_t section_quads, int32_t lod, const uint16_t *base, uint16_t *to);

/* Base columns [*low, *high] that changed become the columns to refresh, mip after mip up to `mip`.
 */
void section_dirty(int32_t section_quads, int32_t mip, int32_t *low, int32_t *high);

#endif
