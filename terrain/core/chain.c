#include "terrain/core/chain.h"

#include <stdlib.h>

#include "terrain/core/codec.h"
#include "terrain/core/component.h"

/* The planes of one section, at the level reached so far, and room for the next. */
struct section {
    uint16_t *around; /* mip 0 and a vertex more on every side */
    uint16_t *heights, *offsets[2], *room;
    uint8_t *normals[2];
};

static bool section_open(struct section *section, int32_t quads)
{
    size_t side = (size_t)quads + 1, count = side * side, around = (side + 2) * (side + 2);

    section->around = malloc((around + 4 * count) * sizeof *section->around + 2 * count);
    if (!section->around)
        return false;
    section->heights = section->around + around;
    section->offsets[0] = section->heights + count;
    section->offsets[1] = section->offsets[0] + count;
    section->room = section->offsets[1] + count;
    section->normals[0] = (uint8_t *)(section->room + count);
    section->normals[1] = section->normals[0] + count;
    return true;
}

/* Which quads lie around a vertex: all but those beyond the landscape. */
static unsigned quads_around(const struct view *view, int32_t x, int32_t y)
{
    const struct grid *grid = view_grid(view);
    unsigned west = x > 0, east = x < grid->columns - 1;
    unsigned north = y > 0, south = y < grid->rows - 1;

    return (north & west) | (north & east) << 1 | (south & west) << 2 | (south & east) << 3;
}

static void read_normals(const struct view *view, struct rect from, struct section *section)
{
    const double *scale = view_grid(view)->scale;
    int32_t side = from.width;

    for (int32_t i = 0; i < side * side; i++) {
        int32_t x = i % side, y = i / side;
        uint16_t window[9];
        double normal[3];

        for (int32_t k = 0; k < 9; k++)
            window[k] = section->around[(y + k / 3) * (side + 2) + x + k % 3];
        codec_vertex_normal(window, scale, quads_around(view, from.x + x, from.y + y), normal);
        section->normals[0][i] = codec_normal(normal[0]);
        section->normals[1][i] = codec_normal(normal[1]);
    }
}

/* Mip 0 of the section that covers these vertices. */
static void section_read(const struct view *view, const struct chain *chain, struct rect from,
                         struct section *section)
{
    if (chain->with_normals) {
        view_read_around(view,
                         (struct rect){ from.x - 1, from.y - 1, from.width + 2, from.height + 2 },
                         section->around, from.width + 2);
        read_normals(view, from, section);
    }
    view_read_heights(view, from, section->heights, from.width);
    for (int axis = 0; chain->with_offsets && axis < 2; axis++)
        view_read_offsets(view, axis, from, section->offsets[axis], from.width);
}

static void halve(int32_t quads, int32_t mip, uint16_t **plane, uint16_t **room)
{
    uint16_t *was = *plane;

    section_mip(quads, mip, was, *room);
    *plane = *room;
    *room = was;
}

static void section_halve(const struct chain *chain, int32_t mip, struct section *section)
{
    int32_t quads = chain->section_quads, side = chain_section_side(chain, mip);
    uint8_t *bytes = (uint8_t *)section->room;

    for (int i = 0; chain->with_normals && i < 2; i++) {
        section_mip_bytes(quads, mip, section->normals[i], bytes);
        for (int32_t k = 0; k < side * side; k++)
            section->normals[i][k] = bytes[k];
    }
    halve(quads, mip, &section->heights, &section->room);
    for (int axis = 0; chain->with_offsets && axis < 2; axis++)
        halve(quads, mip, &section->offsets[axis], &section->room);
}

static void section_put(struct chain *chain, int32_t mip, int32_t sx, int32_t sy,
                        const struct section *section)
{
    int32_t side = chain_section_side(chain, mip);

    for (int32_t i = 0; i < side * side; i++) {
        int32_t at = chain_at(chain, mip, sx, sy, i % side, i / side);

        chain->texels[mip][at] =
            (struct chain_texel){ section->heights[i],
                                  chain->with_normals ? section->normals[0][i] : 0,
                                  chain->with_normals ? section->normals[1][i] : 0 };
        for (int axis = 0; chain->with_offsets && axis < 2; axis++)
            chain->offsets[mip][at][axis] = section->offsets[axis][i];
    }
}

static struct chain *chain_room(const struct layout *layout, int32_t mips, unsigned holds)
{
    size_t texels = 0, item = sizeof(struct chain_texel) + (holds & CHAIN_OFFSETS ? 4 : 0);
    struct chain *chain;
    char *room;

    for (int32_t mip = 0; mip < mips; mip++)
        texels += (size_t)component_texels(layout, mip) * (size_t)component_texels(layout, mip);
    chain = malloc(sizeof *chain + texels * item);
    if (!chain)
        return NULL;
    *chain = (struct chain){ .section_quads = layout->section_quads,
                             .sections = layout->sections,
                             .mips = mips,
                             .with_normals = holds & CHAIN_NORMALS,
                             .with_offsets = holds & CHAIN_OFFSETS };
    room = (char *)(chain + 1);
    for (int32_t mip = 0; mip < mips; mip++) {
        size_t count = (size_t)chain_side(chain, mip) * (size_t)chain_side(chain, mip);

        chain->texels[mip] = (struct chain_texel *)room;
        chain->offsets[mip] =
            chain->with_offsets ? (uint16_t(*)[2])(chain->texels[mip] + count) : NULL;
        room += count * item;
    }
    return chain;
}

struct chain *chain_new(const struct view *view, int32_t cx, int32_t cy, int32_t mips,
                        unsigned holds, struct fault *why)
{
    const struct layout *layout = &view->settings->layout;
    int32_t quads = layout->section_quads;
    struct chain *chain;

    if (!view_has_offsets(view))
        holds &= ~(unsigned)CHAIN_OFFSETS;
    chain = chain_room(layout, mips, holds);
    for (int32_t s = 0; chain && s < layout->sections * layout->sections; s++) {
        int32_t sx = s % layout->sections, sy = s / layout->sections;
        struct rect from = { (cx * layout->sections + sx) * quads,
                             (cy * layout->sections + sy) * quads, quads + 1, quads + 1 };
        struct section section;

        if (!section_open(&section, quads)) {
            chain_free(chain);
            chain = NULL;
            break;
        }
        section_read(view, chain, from, &section);
        section_put(chain, 0, sx, sy, &section);
        for (int32_t mip = 1; mip < mips; mip++) {
            section_halve(chain, mip, &section);
            section_put(chain, mip, sx, sy, &section);
        }
        free(section.around);
    }
    if (!chain)
        fault_set(why, FAULT_MEMORY, "no memory for a component's textures");
    return chain;
}

void chain_free(struct chain *chain)
{
    free(chain);
}
