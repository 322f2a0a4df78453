#include "terrain/core/chain.h"

#include <stdlib.h>

#include "terrain/core/component.h"
#include "terrain/core/normals.h"

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

/* Mip 0 of the section that covers these vertices. */
static void section_read(const struct view *view, const struct chain *chain, struct rect from,
                         struct section *section)
{
    if (chain->with_normals) {
        view_read_around(view,
                         (struct rect){ from.x - 1, from.y - 1, from.width + 2, from.height + 2 },
                         section->around, from.width + 2);
        normals_encode(section->around, from, view_grid(view), section->normals[0],
                       section->normals[1]);
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

static void free_chain(struct derived *thing)
{
    free(thing);
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
    *chain =
        (struct chain){ .derived = { .bytes = sizeof *chain + texels * item, .free = free_chain },
                        .section_quads = layout->section_quads,
                        .sections = layout->sections,
                        .mips = mips,
                        .with_normals = holds & CHAIN_NORMALS,
                        .with_offsets = holds & CHAIN_OFFSETS };
    atomic_init(&chain->derived.holders, 1);
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
            chain_drop(chain);
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

/* The cache */

struct making {
    const struct view *view;
    int32_t cx, cy;
    unsigned holds;
};

static struct derived *make(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    int32_t mips = layout_lods(making->view->settings->layout.section_quads);

    (void)older;
    return (struct derived *)chain_new(making->view, making->cx, making->cy, mips, making->holds,
                                       why);
}

const struct chain *chain_get(const struct view *view, struct derived_cache *cache, int32_t cx,
                              int32_t cy, unsigned holds, struct fault *why)
{
    static const char kind;
    struct making making = { view, cx, cy, holds };
    struct derived_place place = {
        .kind = &kind, .incarnation = view->incarnation, .at = { cx, cy }, .options = holds
    };
    uint64_t heights = view_newest(view, component_reach(view, cx, cy));
    uint64_t offsets = view_newest_offsets(view, component_rect(view, cx, cy));

    return (const struct chain *)derived_get(
        cache, &place, (heights > offsets ? heights : offsets) ^ view->again << 48, make, &making,
        why);
}

void chain_drop(const struct chain *chain)
{
    derived_drop((struct derived *)(uintptr_t)chain);
}
