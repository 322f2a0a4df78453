#include "terrain/core/component.h"

#include "terrain/core/chain.h"

struct rect component_rect(const struct view *view, int32_t cx, int32_t cy)
{
    int32_t quads = layout_component_quads(&view->settings->layout);

    return (struct rect){ cx * quads, cy * quads, quads + 1, quads + 1 };
}

struct rect component_reach(const struct view *view, int32_t cx, int32_t cy)
{
    return layout_dirty_normals(&view->settings->layout, component_rect(view, cx, cy));
}

int32_t component_texels(const struct layout *layout, int32_t mip)
{
    return layout->sections * ((layout->section_quads + 1) >> mip);
}

/* Mips of one section */

/* Where a vertex of the coarser grid lies between two of the finer one: `part` of `whole` behind
 * `first`. With part 0 the second is not read. */
struct between {
    int32_t first, part;
};

static struct between between(int32_t fine_quads, int32_t quads, int32_t i)
{
    return (struct between){ fine_quads * i / quads, fine_quads * i % quads };
}

/* Four values weighted by their shares of quads x quads, rounded. */
static uint32_t mix(const uint32_t values[4], int32_t quads, int32_t fx, int32_t fy)
{
    uint64_t x = (uint64_t)fx, y = (uint64_t)fy, q = (uint64_t)quads;
    uint64_t sum = (q - x) * (q - y) * values[0] + x * (q - y) * values[1] +
                   (q - x) * y * values[2] + x * y * values[3];

    return (uint32_t)((2 * sum + q * q) / (2 * q * q));
}

/* One loop for both widths of value. */
#define SECTION_MIP(type)                                                                          \
    int32_t fine = layout_lod_quads(section_quads, mip - 1);                                       \
    int32_t quads = layout_lod_quads(section_quads, mip);                                          \
                                                                                                   \
    for (int32_t i = 0; i < (quads + 1) * (quads + 1); i++) {                                      \
        struct between x = between(fine, quads, i % (quads + 1));                                  \
        struct between y = between(fine, quads, i / (quads + 1));                                  \
        int32_t right = x.part > 0, down = y.part > 0 ? fine + 1 : 0;                              \
        const type *at = from + y.first * (fine + 1) + x.first;                                    \
                                                                                                   \
        to[i] = (type)mix((const uint32_t[4]){ at[0], at[right], at[down], at[down + right] },     \
                          quads, x.part, y.part);                                                  \
    }

void section_mip(int32_t section_quads, int32_t mip, const uint16_t *from, uint16_t *to)
{
    SECTION_MIP(uint16_t)
}

void section_mip_bytes(int32_t section_quads, int32_t mip, const uint8_t *from, uint8_t *to)
{
    SECTION_MIP(uint8_t)
}

void section_lod_vertex(int32_t section_quads, int32_t lod, const uint16_t *base, uint16_t *to)
{
    int32_t quads = layout_lod_quads(section_quads, lod);

    for (int32_t i = 0; i < (quads + 1) * (quads + 1); i++) {
        int32_t x = layout_lod_floor(section_quads, lod, i % (quads + 1));
        int32_t y = layout_lod_floor(section_quads, lod, i / (quads + 1));

        to[i] = base[y * (section_quads + 1) + x];
    }
}

void section_dirty(int32_t section_quads, int32_t mip, int32_t *low, int32_t *high)
{
    for (int32_t m = 1; m <= mip; m++) {
        int32_t fine = layout_lod_quads(section_quads, m - 1);
        int32_t quads = layout_lod_quads(section_quads, m);

        *low = quads * *low / fine;
        *high = (quads * *high + fine - 1) / fine;
    }
}

/* The texture */

bool component_texture(const struct view *view, int32_t cx, int32_t cy, int32_t mip, uint8_t *rgba,
                       struct fault *why)
{
    struct chain *chain = chain_new(view, cx, cy, mip + 1, CHAIN_NORMALS, why);
    int32_t side;

    if (!chain)
        return false;
    side = chain_side(chain, mip);
    for (int32_t i = 0; i < side * side; i++) {
        const struct chain_texel *texel = &chain->texels[mip][i];

        rgba[4 * i] = (uint8_t)(texel->height >> 8);
        rgba[4 * i + 1] = (uint8_t)texel->height;
        rgba[4 * i + 2] = texel->b;
        rgba[4 * i + 3] = texel->a;
    }
    chain_drop(chain);
    return true;
}
