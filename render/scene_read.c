#include "render/scene_read.h"

#include "render/picture.h"

static bool nonsense(struct fault *why)
{
    return fault_set(why, FAULT_WORKER, "The render worker was sent a scene that is none");
}

/* Whether there is such a mesh (mesh.h). */
static bool mesh_is(uint32_t key)
{
    uint32_t size = WIRE_MESH_SIZE(key), what = WIRE_MESH_WHAT(key);
    bool power = size > 0 && !(size & (size - 1));

    switch (WIRE_MESH_KIND(key)) {
    case WIRE_MESH_SKIRTED:
        return power && size <= WIRE_MESH_QUADS && what == 0;
    case WIRE_MESH_WHOLE:
        return power && size <= WIRE_GRID_MOST && what == 0;
    case WIRE_MESH_INSIDE:
        return power && size >= 8 && size <= WIRE_GRID_MOST && what == 0;
    case WIRE_MESH_STRIP:
        return power && size >= 8 && size <= WIRE_GRID_MOST && what < 16;
    case WIRE_MESH_WALL:
        return power && size <= WIRE_GRID_MOST && what >= 1 && what <= 4;
    case WIRE_MESH_SECTIONS:
        return size >= 1 && size <= 255 && what >= 1 && what <= 2;
    case WIRE_MESH_SECTION_WALL:
        return size >= 1 && size <= 255 && what / 8 >= 1 && what / 8 <= 2 && what % 8 >= 1 &&
               what % 8 <= 4;
    default:
        return false;
    }
}

static bool check_slots(const struct scene_parts *parts, const struct wire_patch *patch)
{
    for (int slot = 0; slot < RENDER_SLOTS; slot++) {
        uint32_t place = patch->slots[slot];

        if (place != WIRE_NONE &&
            (place >= parts->head->tile_count || parts->keys[place].plane != slot_planes[slot]))
            return false;
    }
    return patch->variant >> WIRE_VARIANTS == 0;
}

static bool check_patch(const struct scene_parts *parts, const struct wire_patch *patch)
{
    if (patch->mesh_count > WIRE_PATCH_MESHES || !check_slots(parts, patch))
        return false;
    for (uint32_t k = 0; k < patch->mesh_count; k++) {
        uint32_t key = patch->meshes[k];

        if (WIRE_MESH_KIND(key) == WIRE_MESH_SHAPE ? WIRE_SHAPE_OF(key) >= parts->head->shape_count
                                                   : !mesh_is(key))
            return false;
    }
    return true;
}

static bool check_shape(const struct scene_parts *parts, const struct wire_shape *shape)
{
    if (shape->vertex_count > parts->head->vertex_count ||
        shape->index_count > parts->head->index_count ||
        shape->first_vertex > parts->head->vertex_count - shape->vertex_count ||
        shape->first_index > parts->head->index_count - shape->index_count)
        return false;
    for (uint32_t i = 0; i < shape->index_count; i++)
        if (parts->indices[shape->first_index + i] >= shape->vertex_count)
            return false;
    return true;
}

/* Nodes have heights, pages have nodes. */
static bool check_pages(const struct scene_parts *parts)
{
    for (uint32_t i = 0; i < parts->head->node_count; i++)
        if (!check_slots(parts, &parts->nodes[i]) ||
            parts->nodes[i].slots[SLOT_heights] == WIRE_NONE)
            return false;
    for (uint64_t i = 0; i < (uint64_t)parts->head->page_columns * parts->head->page_rows; i++)
        if (parts->pages[i] >= parts->head->node_count)
            return false;
    return true;
}

static bool check_counts(const struct wire_scene *head, uint64_t length)
{
    return head->tile_count <= WIRE_SCENE_TILES_MOST && head->patch_count <= WIRE_PATCHES_MOST &&
           head->node_count <= WIRE_SCENE_TILES_MOST && head->page_columns <= WIRE_PAGES_MOST &&
           head->page_rows <= WIRE_PAGES_MOST &&
           (uint64_t)head->page_columns * head->page_rows <= WIRE_PAGES_MOST &&
           head->shape_count <= WIRE_PATCHES_MOST && head->index_count <= WIRE_SHAPE_NUMBERS_MOST &&
           head->vertex_count <= WIRE_SHAPE_NUMBERS_MOST &&
           length ==
               sizeof *head + (uint64_t)head->tile_count * sizeof(struct tile_key) +
                   ((uint64_t)head->patch_count + head->node_count) * sizeof(struct wire_patch) +
                   (uint64_t)head->page_columns * head->page_rows * sizeof(uint32_t) +
                   (uint64_t)head->shape_count * sizeof(struct wire_shape) +
                   (uint64_t)head->index_count * sizeof(uint32_t) +
                   (uint64_t)head->vertex_count * WIRE_SHAPE_NUMBERS * sizeof(uint16_t);
}

/* A place of a key of a surface, or none. */
static bool check_place(const struct scene_parts *parts, uint32_t place)
{
    return place == WIRE_NONE ||
           (place < parts->head->tile_count && parts->keys[place].plane == RENDER_PLANE_surfaces);
}

static bool check_cover(const struct scene_parts *parts)
{
    const struct wire_cover *cover = &parts->head->cover;

    if (!cover->asked)
        return true;
    for (int i = 0; i < WIRE_MATERIALS; i++)
        if (!check_place(parts, cover->materials[i].looks) ||
            !check_place(parts, cover->materials[i].relief))
            return false;
    return check_place(parts, cover->variety);
}

static bool check_head(const struct wire_scene *head)
{
    return head->width >= 1 && head->width <= WIRE_SIDE_MOST && head->height >= 1 &&
           head->height <= WIRE_SIDE_MOST && head->mode < RENDER_MODES &&
           head->geometry < RENDER_GEOMETRIES && head->output < RENDER_OUTPUTS &&
           head->samples <= PICTURE_SAMPLES_MOST && head->variant >> WIRE_VARIANTS == 0;
}

static void find_parts(struct scene_parts *parts, const struct wire_scene *head)
{
    parts->head = head;
    parts->keys = (const struct tile_key *)(head + 1);
    parts->patches = (const struct wire_patch *)(parts->keys + head->tile_count);
    parts->nodes = parts->patches + head->patch_count;
    parts->pages = (const uint32_t *)(parts->nodes + head->node_count);
    parts->shapes =
        (const struct wire_shape *)(parts->pages + (size_t)head->page_columns * head->page_rows);
    parts->indices = (const uint32_t *)(parts->shapes + head->shape_count);
    parts->vertices = (const uint16_t(*)[WIRE_SHAPE_NUMBERS])(parts->indices + head->index_count);
}

bool scene_read(const void *data, size_t length, struct scene_parts *parts, struct fault *why)
{
    const struct wire_scene *head = data;

    if (length < sizeof *head || !check_counts(head, length) || !check_head(head))
        return nonsense(why);
    find_parts(parts, head);
    for (uint32_t i = 0; i < head->tile_count; i++)
        if (parts->keys[i].plane < 0 || parts->keys[i].plane >= RENDER_PLANES)
            return nonsense(why);
    for (uint32_t i = 0; i < head->patch_count; i++)
        if (!check_patch(parts, &parts->patches[i]))
            return nonsense(why);
    for (uint32_t i = 0; i < head->shape_count; i++)
        if (!check_shape(parts, &parts->shapes[i]))
            return nonsense(why);
    return (check_pages(parts) && check_cover(parts)) || nonsense(why);
}

size_t scene_tile_bytes(const struct scene_parts *parts)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < parts->head->tile_count; i++)
        bytes += plane_bytes(parts->keys[i].plane);
    return bytes;
}
