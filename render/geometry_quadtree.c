/* Nodes of a quadtree, as pick.h selects them: each is an inside and four strips of edge, which all
 * nodes of a grid share; whose triangles are others, for holes, merged quads or half steps, brings
 * its own. Between ranges vertices move in the vertex shader, as patch_vertices.c says. */
#include <stdlib.h>
#include <string.h>

#include "render/making.h"
#include "terrain/lod/quadtree.h"

enum { VERTEX_BYTES = WIRE_SHAPE_NUMBERS * sizeof(uint16_t) };

/* The triangles of nodes that share none, each list once. */
struct shapes {
    struct making *making;
    struct patch_shape shape;
    uint32_t *numbers; /* of the vertices of a node: UINT32_MAX or its own */
    size_t numbers_room;
    struct bytes vertices, indices;
    uint64_t *hashes; /* of each shape there is */
    size_t hash_room;
};

static bool add_vertex(struct shapes *shapes, const struct patch_place *place, uint32_t number)
{
    const uint32_t side = (uint32_t)place->grid + 1;
    const struct view *view = shapes->making->view;
    uint16_t vertex[WIRE_SHAPE_NUMBERS] = { (uint16_t)(number % side), (uint16_t)(number / side) };

    if (number >= side * side) {
        const int32_t *more = shapes->shape.more[number - side * side];

        vertex[0] = (uint16_t)more[0];
        vertex[1] = (uint16_t)more[1];
        vertex[2] = 8;
        vertex[3] = view_height(view, place->x + more[0], place->y + more[1]);
        for (int axis = 0; axis < 2; axis++)
            view_read_offsets(view, axis,
                              (struct rect){ place->x + more[0], place->y + more[1], 1, 1 },
                              &vertex[4 + axis], 1);
    }
    return bytes_add(&shapes->vertices, vertex, sizeof vertex, shapes->making->why);
}

/* Only the vertices that are used. */
static bool compact(struct shapes *shapes, const struct patch_place *place)
{
    const struct patch_shape *shape = &shapes->shape;
    size_t side = (size_t)place->grid + 1, count = side * side + shape->more_count;
    const uint32_t *from = (const uint32_t *)shape->corners;

    if (count > shapes->numbers_room) {
        uint32_t *grown = realloc(shapes->numbers, count * sizeof *grown);

        if (!grown)
            return fault_set(shapes->making->why, FAULT_MEMORY, "no memory for a node's shape");
        shapes->numbers = grown;
        shapes->numbers_room = count;
    }
    memset(shapes->numbers, 0xff, count * sizeof *shapes->numbers);
    shapes->vertices.length = shapes->indices.length = 0;
    for (size_t k = 0; k < shape->count * 3; k++) {
        uint32_t *number = &shapes->numbers[from[k]];

        if (*number == UINT32_MAX) {
            *number = (uint32_t)(shapes->vertices.length / VERTEX_BYTES);
            if (!add_vertex(shapes, place, from[k]))
                return false;
        }
        if (!bytes_add(&shapes->indices, number, sizeof *number, shapes->making->why))
            return false;
    }
    return true;
}

static uint64_t hash_of(const struct bytes *bytes, uint64_t hash)
{
    for (size_t i = 0; i < bytes->length; i++)
        hash = (hash ^ bytes->data[i]) * 0x100000001b3;
    return hash;
}

static bool is_shape(const struct shapes *shapes, uint32_t number)
{
    const struct making *making = shapes->making;
    const struct wire_shape *shape = (const struct wire_shape *)making->shapes.data + number;

    return shape->vertex_count * VERTEX_BYTES == shapes->vertices.length &&
           shape->index_count * 4 == shapes->indices.length &&
           memcmp(making->vertices.data + (size_t)shape->first_vertex * VERTEX_BYTES,
                  shapes->vertices.data, shapes->vertices.length) == 0 &&
           memcmp(making->indices.data + (size_t)shape->first_index * 4, shapes->indices.data,
                  shapes->indices.length) == 0;
}

/* The number of the shape; as a new one when there is none like it. */
static bool keep_shape(struct shapes *shapes, uint32_t *number)
{
    struct making *making = shapes->making;
    uint32_t count = (uint32_t)(making->shapes.length / sizeof(struct wire_shape));
    uint64_t hash = hash_of(&shapes->indices, hash_of(&shapes->vertices, 0xcbf29ce484222325));
    struct wire_shape shape = { .first_vertex = (uint32_t)(making->vertices.length / VERTEX_BYTES),
                                .vertex_count = (uint32_t)(shapes->vertices.length / VERTEX_BYTES),
                                .first_index = (uint32_t)(making->indices.length / 4),
                                .index_count = (uint32_t)(shapes->indices.length / 4) };

    for (*number = 0; *number < count; ++*number)
        if (shapes->hashes[*number] == hash && is_shape(shapes, *number))
            return true;
    if ((making->indices.length + shapes->indices.length) / 4 > WIRE_SHAPE_NUMBERS_MOST)
        return fault_set(making->why, FAULT_LIMIT,
                         "Nodes of triangles of their own (holes, merged quads) have more than %d "
                         "corners; take greater leaves or see less",
                         WIRE_SHAPE_NUMBERS_MOST);
    if (count == shapes->hash_room) {
        size_t room = shapes->hash_room * 2 + 64;
        uint64_t *grown = realloc(shapes->hashes, room * sizeof *grown);

        if (!grown)
            return fault_set(making->why, FAULT_MEMORY, "no memory for a node's shape");
        shapes->hashes = grown;
        shapes->hash_room = room;
    }
    shapes->hashes[count] = hash;
    return bytes_add(&making->shapes, &shape, sizeof shape, making->why) &&
           bytes_add(&making->vertices, shapes->vertices.data, shapes->vertices.length,
                     making->why) &&
           bytes_add(&making->indices, shapes->indices.data, shapes->indices.length, making->why);
}

/* A node being added. */
struct adding {
    struct making *making;
    const struct pick_options *options;
    const struct picks *picks;
    struct quadtree_index index;
    struct shapes shapes;
};

/* Its triangles are those that all nodes share. */
static bool is_plain(const struct adding *adding, const struct patch_place *place,
                     const struct patch_style *style)
{
    const struct view *view = adding->making->view;
    bool plain = style->merge_angle < 0 && !style->half_step && !patch_holed(view, place) &&
                 place->x + place->size <= patch_end(view, 0) &&
                 place->y + place->size <= patch_end(view, 1);

    for (int side = 0; side < PATCH_SIDES; side++)
        plain = plain && !adding->index.borders[side].more_count;
    return plain;
}

static bool add_meshes(struct adding *adding, const struct patch *patch,
                       const struct patch_place *place, struct wire_patch *to)
{
    struct making *making = adding->making;
    struct patch_style style = quadtree_style(adding->options, patch);
    const struct patch_border *borders = adding->index.borders;
    uint32_t shape;

    if (is_plain(adding, place, &style)) {
        to->meshes[to->mesh_count++] = WIRE_MESH(WIRE_MESH_INSIDE, place->grid, 0);
        for (int side = 0; side < PATCH_SIDES; side++)
            to->meshes[to->mesh_count++] = WIRE_MESH(
                WIRE_MESH_STRIP, place->grid, side * PATCH_DIFFERENCES + borders[side].difference);
        return true;
    }
    if (!patch_shape_make(making->view, making->source.derived, place, &style, borders,
                          &adding->shapes.shape, making->why))
        return false;
    if (!adding->shapes.shape.count)
        return true;
    if (!compact(&adding->shapes, place) || !keep_shape(&adding->shapes, &shape))
        return false;
    to->meshes[to->mesh_count++] = WIRE_SHAPE(shape);
    return true;
}

/* The tiles that its vertices are in: each a sample of the heights, and of the offsets. */
static bool add_samples(struct making *making, const struct patch_place *place,
                        struct wire_patch *to)
{
    int32_t stride = patch_stride(place), level = 0, reach = NODE_QUADS * stride;
    struct tile_key key;

    while (1 << level < stride)
        level++;
    key = heights_key_of(&making->source, level, place->x / reach, place->y / reach);
    key.detail = level > 0 ? TILE_POINTS : 0;
    to->node.first[0] = (float)(place->x % reach / stride);
    to->node.first[1] = (float)(place->y % reach / stride);
    if (!making_key(making, &key, &to->slots[SLOT_heights]))
        return false;
    if (!plane_maker_offsets.key(&making->source, level, key.x, key.y, SLOT_offsets, &key))
        return true;
    key.detail = level > 0 ? TILE_POINTS : 0;
    to->variant |= WIRE_BIT(OFFSETS);
    return making_key(making, &key, &to->slots[SLOT_offsets]);
}

static void set_morph(const struct adding *adding, const struct patch *patch,
                      struct wire_node *node)
{
    const struct quadtree_options *options = &adding->options->quadtree;
    struct patch_morph morph = { .start = 0 };

    if (options->split != SPLIT_RANGES || patch->level + 1 >= adding->picks->levels)
        return;
    quadtree_morph(adding->making->view, options, patch->level, &morph);
    node->morph[0] = (float)morph.start;
    node->morph[1] = (float)morph.end;
    for (int side = 0; side < PATCH_SIDES; side++)
        node->still += (float)(adding->index.borders[side].still << side);
}

/* What is out of the picture may still have walls in it. */
static bool add_node(struct adding *adding, const struct patch *patch)
{
    struct making *making = adding->making;
    struct patch_place place = quadtree_place(&adding->options->quadtree, patch);
    struct rect over = { patch->x, patch->y, patch->size, patch->size };
    unsigned border = making->source.picture->open_sides ? 0 : making_border(making, over);
    struct wire_patch to = { .lod = (float)patch->lod,
                             .node = { .corner = { (float)patch->x, (float)patch->y },
                                       .stride = (float)patch_stride(&place),
                                       .grid = (float)place.grid } };

    if (!patch->visible && (!border || !lod_seen(making->view, making->extent, making->look, over)))
        return true;
    for (int slot = 0; slot < RENDER_SLOTS; slot++)
        to.slots[slot] = WIRE_NONE;
    for (int axis = 0; axis < 2; axis++)
        to.node.last[axis] = (float)patch_last(making->view, &place, axis);
    if (!quadtree_borders(&adding->index, patch, making->why) ||
        (patch->visible && !add_meshes(adding, patch, &place, &to)))
        return false;
    set_morph(adding, patch, &to.node);
    for (unsigned edge = 1; edge <= 4; edge++)
        if (border >> (edge - 1) & 1)
            to.meshes[to.mesh_count++] = WIRE_MESH(WIRE_MESH_WALL, place.grid, edge);
    if (!to.mesh_count)
        return true;
    making_ahead(making, &over, &to);
    return add_samples(making, &place, &to) && making_patch(making, &to);
}

static bool fill(struct making *making)
{
    const struct pick_options options = making_options(making, false);
    const struct frustum frustum = { .look = *making->look, .farthest = 1e12 };
    struct picks picks = { 0 };
    struct adding adding = {
        .making = making, .options = &options, .picks = &picks, .shapes = { .making = making }
    };
    bool filled;

    if (options.quadtree.grid > WIRE_GRID_MOST)
        return fault_set(making->why, FAULT_INPUT,
                         "Pictures are drawn in grids of 8 to %d quads a node, not %d",
                         WIRE_GRID_MOST, options.quadtree.grid);
    filled = pick(making->view, making->source.derived, &frustum, &options, &picks, making->why) &&
             quadtree_index_init(&adding.index, making->view, &options, &picks, making->why);
    for (size_t i = 0; filled && i < picks.count; i++)
        filled = add_node(&adding, &picks.patches[i]);
    quadtree_index_fini(&adding.index);
    patch_shape_free(&adding.shapes.shape);
    free(adding.shapes.numbers);
    free(adding.shapes.hashes);
    bytes_free(&adding.shapes.vertices);
    bytes_free(&adding.shapes.indices);
    picks_free(&picks);
    return filled;
}

const struct geometry geometry_quadtree = { .fill = fill, .paged = true };
