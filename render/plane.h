/* Planes: what is kept of the ground as textures, one array texture each, one layer a tile. Rows of
 * planes.def. Both sides; any thread.
 *
 * The daemon makes a tile of a plane from a view, names it by a key that says everything that it
 * was made from, and sends it when a worker lacks it. So a changed tile is another key, and nothing
 * that is kept can be stale.
 */
#ifndef RENDER_PLANE_H
#define RENDER_PLANE_H

#include <stddef.h>
#include <stdint.h>

#include "render/surface.h"
#include "render/tile.h"

/* Of tiles of sections (plane_chain.h): texels across, and rows. */
enum { CHAIN_SIDE = 256, CHAIN_ROWS = CHAIN_SIDE * 3 / 2 + CHAIN_SIDE / 16 };

enum plane_texel { TEXEL_R16UI, TEXEL_RG16UI, TEXEL_R16F, TEXEL_RG8, TEXEL_RGBA8 };
/* REPEATED: linear, without borders, and with all smaller levels behind the largest. */
enum plane_filter { FILTER_NEAREST, FILTER_LINEAR, FILTER_REPEATED };

enum plane_kind {
#define PLANE(name, columns, rows, texel, filter, share) RENDER_PLANE_##name,
#include "render/planes.def"
#undef PLANE
    RENDER_PLANES
};

struct plane_format {
    const char *name;
    int32_t columns, rows; /* texels of a layer */
    enum plane_texel texel;
    enum plane_filter filter;
    int share; /* of the bytes for textures, in 64ths */
};

extern const struct plane_format plane_formats[RENDER_PLANES];

/* Bytes of a layer as it is handed over, rows without gaps, levels one after another. */
size_t plane_bytes(int plane);

/* What a patch looks up: rows of slots.def. */
enum render_slot {
#define SLOT(name, plane) SLOT_##name,
#include "render/slots.def"
#undef SLOT
    RENDER_SLOTS
};

extern const int slot_planes[RENDER_SLOTS];

#define SLOT_BIT(name) (1u << SLOT_##name)

#endif
