/* Every quad of the landscape that may be in the picture, for reference: tiles of level 0, whose
 * patches meet at the same vertices. */
#include "render/making.h"
#include "terrain/lod/patch_mesh.h"

enum { SIDE_MOST = 64 }; /* tiles of a square picture's ground */

/* Some of a tile is seen only down to the base: then its walls alone matter, and all is drawn. */
static bool add_tile(struct making *making, int32_t x, int32_t y)
{
    const struct grid *grid = view_grid(making->view);
    struct rect quads = { x * NODE_QUADS, y * NODE_QUADS, NODE_QUADS, NODE_QUADS };
    struct patch_place place = { quads.x, quads.y, NODE_QUADS, NODE_QUADS };
    struct wire_patch patch = {
        .quads = { (float)quads.x, (float)quads.y, 1, 0 },
        .meshes = { WIRE_MESH(WIRE_MESH_WHOLE, NODE_QUADS, 0) },
        .mesh_count = 1,
        .node = { .corner = { (float)quads.x, (float)quads.y }, .stride = 1, .grid = NODE_QUADS }
    };
    struct tile_key key = heights_key_of(&making->source, 0, x, y), offsets;
    unsigned border = making->source.picture->open_sides ? 0 : making_border(making, quads);
    struct rect ground = rect_meet(quads, (struct rect){ 0, 0, grid->columns - 1, grid->rows - 1 });

    if (!lod_seen(making->view, making->extent, making->look, quads))
        return true;
    for (int slot = 0; slot < RENDER_SLOTS; slot++)
        patch.slots[slot] = WIRE_NONE;
    for (unsigned edge = 1; edge <= 4; edge++)
        if (border >> (edge - 1) & 1)
            patch.meshes[patch.mesh_count++] = WIRE_MESH(WIRE_MESH_WALL, NODE_QUADS, edge);
    for (int axis = 0; axis < 2; axis++)
        patch.node.last[axis] = (float)patch_last(making->view, &place, axis);
    if (extent_holed(making->view, ground))
        patch.variant |= WIRE_BIT(HOLES);
    if (plane_maker_offsets.key(&making->source, 0, x, y, SLOT_offsets, &offsets)) {
        patch.variant |= WIRE_BIT(OFFSETS);
        if (!making_key(making, &offsets, &patch.slots[SLOT_offsets]))
            return false;
    }
    making_ahead(making, &quads, &patch);
    return making_key(making, &key, &patch.slots[SLOT_heights]) && making_patch(making, &patch);
}

static bool fill(struct making *making)
{
    const struct grid *grid = view_grid(making->view);

    for (int32_t y = 0; y <= (grid->rows - 2) / NODE_QUADS; y++)
        for (int32_t x = 0; x <= (grid->columns - 2) / NODE_QUADS; x++) {
            if (!add_tile(making, x, y))
                return false;
            if (making->patch_count > SIDE_MOST * SIDE_MOST)
                return fault_set(making->why, FAULT_LIMIT,
                                 "The geometry full draws every quad, and this picture shows more "
                                 "than %d x %d of them; see less, or draw auto",
                                 SIDE_MOST * NODE_QUADS, SIDE_MOST * NODE_QUADS);
        }
    return true;
}

const struct geometry geometry_full = { .fill = fill, .paged = true };
