/* The ground by the tiles that colour it: each in as few quads as its relief needs in pixels, with
 * skirts over what neighbours drawn otherwise leave open. */
#include "render/making.h"

/* The patch that covers quads [first, first + quads * step) of a node, both in the node's own. */
static bool add_patch(struct making *making, const struct lod_node *node,
                      const struct wire_patch *common, int32_t first_x, int32_t first_y,
                      int32_t side)
{
    const struct grid *grid = view_grid(making->view);
    struct rect solid = making->extent->solid;
    int32_t unit = 1 << node->level, corner_x = node->x * NODE_QUADS * unit;
    int32_t corner_y = node->y * NODE_QUADS * unit;
    int32_t drawn = node->quads < WIRE_MESH_QUADS ? node->quads : WIRE_MESH_QUADS;
    struct rect quads = { corner_x + first_x * unit, corner_y + first_y * unit, side * unit,
                          side * unit };
    struct wire_patch patch = *common;

    patch.drop = (float)node->drop;
    if (!lod_seen(making->view, making->extent, making->look, quads))
        return true;
    patch.first[0] = (float)first_x;
    patch.first[1] = (float)first_y;
    patch.step = (float)side / (float)drawn;
    patch.mesh_count = 1;
    patch.meshes[0] = WIRE_MESH(WIRE_MESH_SKIRTED, drawn, 0);
    patch.lod = (float)node->level;
    patch.limit[0] = (float)(solid.x - corner_x) / (float)unit;
    patch.limit[1] = (float)(solid.y - corner_y) / (float)unit;
    patch.limit[2] = (float)(solid.x + solid.width - 1 - corner_x) / (float)unit;
    patch.limit[3] = (float)(solid.y + solid.height - 1 - corner_y) / (float)unit;
    patch.origin[0] = (float)(grid->origin[0] + corner_x * grid->scale[0] - making->look->eye[0]);
    patch.origin[1] = (float)(grid->origin[1] + corner_y * grid->scale[1] - making->look->eye[1]);
    patch.spacing[0] = (float)(grid->scale[0] * unit);
    patch.spacing[1] = (float)(grid->scale[1] * unit);
    patch.shift = 0.5f / (float)unit - 0.5f;
    patch.quads[0] = (float)corner_x;
    patch.quads[1] = (float)corner_y;
    patch.quads[2] = (float)unit;
    patch.quads[3] = (float)node->level;
    making_ahead(making, &quads, &patch);
    return making_patch(making, &patch);
}

static bool add_node(struct making *making, const struct lod_node *node)
{
    struct rect quads = { node->x * NODE_QUADS << node->level, node->y * NODE_QUADS << node->level,
                          NODE_QUADS << node->level, NODE_QUADS << node->level };
    struct rect solid = { making->extent->solid.x, making->extent->solid.y,
                          making->extent->solid.width - 1, making->extent->solid.height - 1 };
    struct wire_patch common = { 0 };
    int32_t across = node->quads > WIRE_MESH_QUADS ? node->quads / WIRE_MESH_QUADS : 1;
    int32_t side = NODE_QUADS / across;

    if (extent_holed(making->view, rect_meet(quads, solid)))
        common.variant |= WIRE_BIT(HOLES);
    if (!making_slots(making, node->level, node->x, node->y, &common))
        return false;
    for (int32_t y = 0; y < across; y++)
        for (int32_t x = 0; x < across; x++)
            if (!add_patch(making, node, &common, x * side, y * side, side))
                return false;
    return true;
}

static bool fill(struct making *making)
{
    for (size_t i = 0; i < making->selection->count; i++)
        if (!add_node(making, &making->selection->nodes[i]))
            return false;
    return true;
}

const struct geometry geometry_auto = { .fill = fill };
