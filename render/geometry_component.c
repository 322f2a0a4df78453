/* Components at continuous levels of detail, as pick.h selects them: vertices move to the next
 * level's in the vertex shader, as morph.h says. */
#include <math.h>

#include "render/making.h"
#include "render/plane_chain.h"

/* A component, or a section drawn apart. */
struct drawn {
    int32_t x, y;            /* in its own sizes */
    int32_t sections, quads; /* a side */
    int32_t draw;
    double lod, neighbours[4];
    bool visible;
};

static bool add_chains(struct making *making, const struct drawn *drawn, enum hole_rule rule,
                       struct wire_patch *patch)
{
    const bool offsets = patch->variant & WIRE_BIT(OFFSETS);
    struct wire_component *component = &patch->component;

    for (int k = 0; k < 4; k++) {
        int32_t x = drawn->x * drawn->sections + k % 2, y = drawn->y * drawn->sections + k / 2;
        float cell[2];
        struct tile_key key;

        if (k % 2 >= drawn->sections || k / 2 >= drawn->sections)
            continue;
        key = chain_key(making->view, RENDER_PLANE_chain, drawn->draw, x, y, rule, cell);
        if (!making_key(making, &key, &patch->slots[SLOT_chain0 + k]))
            return false;
        for (int axis = 0; axis < 2 && k == 0; axis++)
            component->cell[axis] = cell[axis];
        key = chain_key(making->view, RENDER_PLANE_drift, drawn->draw, x, y, rule, cell);
        if (offsets && !making_key(making, &key, &patch->slots[SLOT_drift0 + k]))
            return false;
    }
    return true;
}

/* What is out of the picture may still have walls in it. */
static bool add_drawn(struct making *making, const struct drawn *drawn, enum hole_rule rule)
{
    const struct layout *layout = &making->view->settings->layout;
    int32_t quads = layout_lod_quads(layout->section_quads, drawn->draw);
    struct rect over = { drawn->x * drawn->quads, drawn->y * drawn->quads, drawn->quads,
                         drawn->quads };
    struct wire_patch patch = { .lod = (float)drawn->lod,
                                .component = { .corner = { (float)over.x, (float)over.y },
                                               .draw = (float)drawn->draw,
                                               .lod = (float)drawn->lod,
                                               .cell_quads = (float)((layout->section_quads + 1) >>
                                                                     drawn->draw) } };
    unsigned border = making->source.picture->open_sides ? 0 : making_border(making, over);

    if (!drawn->visible && (!border || !lod_seen(making->view, making->extent, making->look, over)))
        return true;
    for (int slot = 0; slot < RENDER_SLOTS; slot++)
        patch.slots[slot] = WIRE_NONE;
    for (int k = 0; k < 4; k++)
        patch.component.neighbours[k] =
            (float)(drawn->neighbours[k] > drawn->lod ? drawn->neighbours[k] : drawn->lod);
    if (drawn->visible)
        patch.meshes[patch.mesh_count++] = WIRE_MESH(WIRE_MESH_SECTIONS, quads, drawn->sections);
    for (unsigned edge = 1; edge <= 4; edge++)
        if (border >> (edge - 1) & 1)
            patch.meshes[patch.mesh_count++] =
                WIRE_MESH(WIRE_MESH_SECTION_WALL, quads, (unsigned)drawn->sections * 8 + edge);
    if (extent_holed(making->view, over))
        patch.variant |= WIRE_BIT(HOLES);
    if (view_has_offsets(making->view))
        patch.variant |= WIRE_BIT(OFFSETS);
    making_ahead(making, &over, &patch);
    return add_chains(making, drawn, rule, &patch) && making_patch(making, &patch);
}

/* The level of a section, counted over the landscape; NaN beyond it. */
static double section_lod(const struct picks *picks, const struct layout *layout, int32_t x,
                          int32_t y)
{
    int32_t s = layout->sections, across = layout->components[0];

    if (x < 0 || y < 0 || x >= across * s || y >= layout->components[1] * s)
        return NAN;
    return picks->patches[y / s * across + x / s].section_lods[y % s * s + x % s];
}

static bool add_apart(struct making *making, const struct picks *picks, const struct patch *patch,
                      enum hole_rule rule)
{
    const struct layout *layout = &making->view->settings->layout;
    int32_t s = layout->sections;

    for (int32_t k = 0; k < s * s; k++) {
        int32_t x = patch->x / layout->section_quads + k % s;
        int32_t y = patch->y / layout->section_quads + k / s;
        const struct drawn drawn = { .x = x,
                                     .y = y,
                                     .sections = 1,
                                     .quads = layout->section_quads,
                                     .draw = patch->sections[k],
                                     .lod = patch->section_lods[k],
                                     .neighbours = { section_lod(picks, layout, x, y - 1),
                                                     section_lod(picks, layout, x - 1, y),
                                                     section_lod(picks, layout, x + 1, y),
                                                     section_lod(picks, layout, x, y + 1) },
                                     .visible = patch->visible };

        if (!add_drawn(making, &drawn, rule))
            return false;
    }
    return true;
}

static bool add_whole(struct making *making, const struct patch *patch, enum hole_rule rule)
{
    struct drawn drawn = { .x = patch->x / patch->size,
                           .y = patch->y / patch->size,
                           .sections = making->view->settings->layout.sections,
                           .quads = patch->size,
                           .draw = patch->draw,
                           .lod = patch->lod,
                           .visible = patch->visible };

    for (int k = 0; k < 4; k++)
        drawn.neighbours[k] = patch->neighbours[k];
    return add_drawn(making, &drawn, rule);
}

static bool fill(struct making *making)
{
    const struct pick_options options = making_options(making, true);
    const struct frustum frustum = { .look = *making->look, .farthest = 1e12 };
    const bool apart = options.component.per_section;
    struct picks picks;
    bool filled =
        pick(making->view, making->source.derived, &frustum, &options, &picks, making->why);

    making->sections = apart ? 1 : (uint32_t)making->view->settings->layout.sections;
    for (size_t i = 0; filled && i < picks.count; i++) {
        const struct patch *patch = &picks.patches[i];

        filled = apart ? add_apart(making, &picks, patch, (enum hole_rule)options.hole_rule)
                       : add_whole(making, patch, (enum hole_rule)options.hole_rule);
    }
    picks_free(&picks);
    return filled;
}

const struct geometry geometry_component = { .fill = fill, .paged = true };
