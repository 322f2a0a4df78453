/* Makes the tiles of planes from a view; the daemon's side. Any thread. */
#ifndef RENDER_PLANE_MAKE_H
#define RENDER_PLANE_MAKE_H

#include "render/picture.h"
#include "render/plane.h"

/* What tiles are made from. */
struct plane_source {
    const struct view *view;
    const struct picture *picture;
    struct derived_cache *derived; /* or NULL */
};

/* The maker of one plane. */
struct plane_maker {
    /* The key of what a slot of that plane shows of a tile; false when there is nothing to look up
     * and the patch has no such slot. */
    bool (*key)(const struct plane_source *source, int32_t level, int32_t x, int32_t y, int slot,
                struct tile_key *key);
    /* Which paint layers that slot is of, into its places of the patch's; NULL of planes that are
     * of none. */
    void (*paints)(const struct plane_source *source, int32_t level, int32_t x, int32_t y, int slot,
                   uint8_t *paints);
    /* plane_bytes of it. Fails with MEMORY. */
    bool (*make)(const struct plane_source *source, const struct tile_key *key, void *texels,
                 struct fault *why);
};

/* One of each plane: plane_maker_heights, … NULL functions: nothing makes it yet; without a key it
 * is of no slot. */
extern const struct plane_maker *const plane_makers[RENDER_PLANES];

/* tile_key, named as closely as can be. */
struct tile_key heights_key_of(const struct plane_source *source, int32_t level, int32_t x,
                               int32_t y);

#define PLANE(name, columns, rows, texel, filter, share)                                           \
    extern const struct plane_maker plane_maker_##name;
#include "render/planes.def"
#undef PLANE

#endif
