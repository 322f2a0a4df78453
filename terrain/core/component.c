#include "terrain/core/component.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/codec.h"

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

/* Heights and encoded normals of one section, at the mip reached so far. */
struct section {
    uint16_t *heights;
    uint8_t *b, *a;
};

/* Which quads lie around a vertex: all but those beyond the landscape. */
static unsigned quads_around(const struct view *view, int32_t x, int32_t y)
{
    const struct grid *grid = view_grid(view);
    unsigned west = x > 0, east = x < grid->columns - 1;
    unsigned north = y > 0, south = y < grid->rows - 1;

    return (north & west) | (north & east) << 1 | (south & west) << 2 | (south & east) << 3;
}

/* Mip 0 of the section whose first vertex is (x0, y0); around is room for side + 2 squared. */
static void section_base(const struct view *view, int32_t x0, int32_t y0, uint16_t *around,
                         struct section *section)
{
    int32_t side = view->settings->layout.section_quads + 1;
    const double *scale = view_grid(view)->scale;

    view_read_around(view, (struct rect){ x0 - 1, y0 - 1, side + 2, side + 2 }, around, side + 2);
    for (int32_t i = 0; i < side * side; i++) {
        int32_t x = i % side, y = i / side;
        uint16_t window[9];
        double normal[3];

        for (int32_t k = 0; k < 9; k++)
            window[k] = around[(y + k / 3) * (side + 2) + x + k % 3];
        codec_vertex_normal(window, scale, quads_around(view, x0 + x, y0 + y), normal);
        section->heights[i] = window[4];
        section->b[i] = codec_normal(normal[0]);
        section->a[i] = codec_normal(normal[1]);
    }
}

/* One mip coarser, through `room`, which holds a section's heights. */
static void section_coarsen(int32_t section_quads, int32_t mip, uint16_t *room,
                            struct section *section)
{
    size_t side = (size_t)((section_quads + 1) >> mip), count = side * side;

    section_mip(section_quads, mip, section->heights, room);
    memcpy(section->heights, room, count * sizeof *room);
    section_mip_bytes(section_quads, mip, section->b, (uint8_t *)room);
    memcpy(section->b, room, count);
    section_mip_bytes(section_quads, mip, section->a, (uint8_t *)room);
    memcpy(section->a, room, count);
}

/* Section (sx, sy) of the texture. */
static void section_texels(const struct section *section, int32_t side, int32_t texels, int32_t sx,
                           int32_t sy, uint8_t *rgba)
{
    for (int32_t i = 0; i < side * side; i++) {
        uint8_t *texel = rgba + 4 * ((size_t)(sy * side + i / side) * (size_t)texels +
                                     (size_t)(sx * side + i % side));

        texel[0] = (uint8_t)(section->heights[i] >> 8);
        texel[1] = (uint8_t)section->heights[i];
        texel[2] = section->b[i];
        texel[3] = section->a[i];
    }
}

bool component_texture(const struct view *view, int32_t cx, int32_t cy, int32_t mip, uint8_t *rgba,
                       struct fault *why)
{
    const struct layout *layout = &view->settings->layout;
    int32_t quads = layout->section_quads;
    size_t side = (size_t)quads + 1, count = side * side, around = (side + 2) * (side + 2);
    uint16_t *room = malloc((around + count) * sizeof *room + 2 * count);
    struct section section;

    if (!room)
        return fault_set(why, FAULT_MEMORY, "no memory for a component's texture");
    section.heights = room + around;
    section.b = (uint8_t *)(section.heights + count);
    section.a = section.b + count;
    for (int32_t s = 0; s < layout->sections * layout->sections; s++) {
        int32_t sx = s % layout->sections, sy = s / layout->sections;

        section_base(view, (cx * layout->sections + sx) * quads,
                     (cy * layout->sections + sy) * quads, room, &section);
        for (int32_t m = 1; m <= mip; m++)
            section_coarsen(quads, m, room, &section);
        section_texels(&section, (quads + 1) >> mip, component_texels(layout, mip), sx, sy, rgba);
    }
    free(room);
    return true;
}
