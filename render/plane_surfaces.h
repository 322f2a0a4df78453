/* The keys of surfaces: textures of no place. The daemon's side; any thread. */
#ifndef RENDER_PLANE_SURFACES_H
#define RENDER_PLANE_SURFACES_H

#include "render/plane_make.h"

/* Of a texture by its material_id; of the project's own by number, SURFACES being its noise. */
struct tile_key plane_surfaces_key(uint64_t id, bool relief);
struct tile_key plane_surfaces_own(int surface, bool relief);

#endif
