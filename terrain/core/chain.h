/* The mip chain of a component: heights, encoded normals and XY offsets as its textures hold them,
 * level by level.
 *
 * A level is a square of texels, section beside section with the inner rows stored twice
 * (component.h). Each section is halved by itself, from its own level before; what sections and
 * components share along a border follows from the border alone, so that it is equal in all of
 * them at every level. One thread while it is made, then any.
 */
#ifndef TERRAIN_CORE_CHAIN_H
#define TERRAIN_CORE_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

struct chain_texel {
    uint16_t height;
    uint8_t b, a; /* the normal's x and y; 0 where there are no normals */
};

struct chain {
    struct derived derived;
    int32_t section_quads, sections;
    int32_t mips; /* levels there are */
    bool with_normals, with_offsets;
    struct chain_texel *texels[LAYOUT_LODS_MOST];
    uint16_t (*offsets[LAYOUT_LODS_MOST])[2]; /* NULL without */
};

/* What it is to hold. Offsets come along where the landscape has any. */
enum { CHAIN_NORMALS = 1, CHAIN_OFFSETS = 2 };

/* Of component (cx, cy), with levels 0 to mips - 1; NULL with MEMORY. chain_get keeps it, with all
 * levels, for as long as there is room and nothing below it changes; the cache may be NULL. */
struct chain *chain_new(const struct view *view, int32_t cx, int32_t cy, int32_t mips,
                        unsigned holds, struct fault *why);
const struct chain *chain_get(const struct view *view, struct derived_cache *cache, int32_t cx,
                              int32_t cy, unsigned holds, struct fault *why);
void chain_drop(const struct chain *chain); /* NULL is fine */

/* Texels a side at a level, and of a section of it. */
static inline int32_t chain_section_side(const struct chain *chain, int32_t mip)
{
    return (chain->section_quads + 1) >> mip;
}

static inline int32_t chain_side(const struct chain *chain, int32_t mip)
{
    return chain->sections * chain_section_side(chain, mip);
}

/* Where texel (x, y) of section (sx, sy) lies in a level. */
static inline int32_t chain_at(const struct chain *chain, int32_t mip, int32_t sx, int32_t sy,
                               int32_t x, int32_t y)
{
    int32_t side = chain_section_side(chain, mip);

    return (sy * side + y) * (chain->sections * side) + sx * side + x;
}

#endif
