#include "render/scene_read.h"

#include "render/picture.h"

static bool nonsense(struct fault *why)
{
    return fault_set(why, FAULT_WORKER, "The render worker was sent a scene that is none");
}

/* Each slot has a tile of its plane, heights always. */
static bool check_patch(const struct scene_parts *parts, const struct wire_patch *patch)
{
    for (int slot = 0; slot < RENDER_SLOTS; slot++) {
        uint32_t place = patch->slots[slot];

        if (place == WIRE_NONE && slot != SLOT_heights)
            continue;
        if (place >= parts->head->tile_count || parts->keys[place].plane != slot_planes[slot])
            return false;
    }
    return patch->mesh < WIRE_MESHES && patch->variant >> WIRE_VARIANTS == 0;
}

static bool check_head(const struct wire_scene *head)
{
    return head->width >= 1 && head->width <= WIRE_SIDE_MOST && head->height >= 1 &&
           head->height <= WIRE_SIDE_MOST && head->mode < RENDER_MODES &&
           head->geometry < RENDER_GEOMETRIES && head->output < RENDER_OUTPUTS &&
           head->variant >> WIRE_VARIANTS == 0;
}

bool scene_read(const void *data, size_t length, struct scene_parts *parts, struct fault *why)
{
    const struct wire_scene *head = data;

    if (length < sizeof *head || head->tile_count > WIRE_SCENE_TILES_MOST ||
        head->patch_count > WIRE_PATCHES_MOST ||
        length != sizeof *head + head->tile_count * sizeof *parts->keys +
                      head->patch_count * sizeof *parts->patches ||
        !check_head(head))
        return nonsense(why);
    parts->head = head;
    parts->keys = (const struct tile_key *)(head + 1);
    parts->patches = (const struct wire_patch *)(parts->keys + head->tile_count);
    for (uint32_t i = 0; i < head->tile_count; i++)
        if (parts->keys[i].plane < 0 || parts->keys[i].plane >= RENDER_PLANES)
            return nonsense(why);
    for (uint32_t i = 0; i < head->patch_count; i++)
        if (!check_patch(parts, &parts->patches[i]))
            return nonsense(why);
    return true;
}

size_t scene_tile_bytes(const struct scene_parts *parts)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < parts->head->tile_count; i++)
        bytes += plane_bytes(parts->keys[i].plane);
    return bytes;
}
