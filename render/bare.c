#include "render/bare.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "render/mesh.h"
#include "render/program.h"
#include "render/target.h"
#include "terrain/base/bytes.h"

struct vertex {
    float at[4]; /* as gl_Position */
    uint8_t colour[4];
};

struct bare {
    const struct gl *gl;
    GLuint program, vertex_array, vertices, indices;
    struct target target;
    int32_t width, height;
    GLsizei index_count;
};

/* What is built of the scene. */
enum { GRIDS_MOST = 64 };

/* A mesh as it is built. */
struct built {
    uint32_t key;
    struct bytes corners, indices;
};

/* What is built of the scene. */
struct piling {
    const struct scene_parts *parts;
    const uint16_t **tiles; /* heights of each key, or of sections; NULL for other planes */
    struct built grids[GRIDS_MOST];
    int grid_count;
    struct bytes vertices, indices;
    struct fault *why;
};

static bool find_tiles(struct piling *piling, const unsigned char *tiles)
{
    const struct wire_scene *head = piling->parts->head;

    piling->tiles = calloc(head->tile_count + 1, sizeof *piling->tiles);
    if (!piling->tiles)
        return fault_set(piling->why, FAULT_MEMORY, "no memory to draw barely");
    for (uint32_t i = 0; i < head->tile_count; i++) {
        if (piling->parts->keys[i].plane == RENDER_PLANE_heights ||
            piling->parts->keys[i].plane == RENDER_PLANE_chain)
            piling->tiles[i] = (const uint16_t *)(const void *)tiles;
        tiles += plane_bytes(piling->parts->keys[i].plane);
    }
    return true;
}

static float clamp(float value, float least, float most)
{
    return value < least ? least : value > most ? most : value;
}

static float code_at(const uint16_t *codes, int x, int y)
{
    x = (int)clamp((float)(x + TILE_MARGIN), 0, TILE_SIDE - 1);
    y = (int)clamp((float)(y + TILE_MARGIN), 0, TILE_SIDE - 1);
    return codes[y * TILE_SIDE + x];
}

static float code_between(const uint16_t *codes, float x, float y)
{
    float left = floorf(x), top = floorf(y), across = x - left, down = y - top;
    int column = (int)left, row = (int)top;
    float north =
        code_at(codes, column, row) * (1 - across) + code_at(codes, column + 1, row) * across;
    float south = code_at(codes, column, row + 1) * (1 - across) +
                  code_at(codes, column + 1, row + 1) * across;

    return north * (1 - down) + south * down;
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The whole picture as painter.c frames it: rows run down. */
static void project(const struct wire_scene *scene, const float from_eye[3], float at[4])
{
    float near = scene->nearest, far = scene->farthest, ahead = dot(scene->forward, from_eye);

    at[0] = dot(scene->right, from_eye) / scene->half[0];
    at[1] = -dot(scene->up, from_eye) / scene->half[1];
    if (scene->ortho) {
        at[2] = (2 * ahead - far - near) / (far - near);
        at[3] = 1;
    } else {
        at[2] = ((far + near) * ahead - 2 * far * near) / (far - near);
        at[3] = ahead;
    }
}

static bool add_vertex(struct piling *piling, const float from_eye[3], float slope)
{
    float light = clamp(0.6f + 0.4f * slope, 0, 1);
    struct vertex vertex;

    project(piling->parts->head, from_eye, vertex.at);
    for (int i = 0; i < 4; i++)
        vertex.colour[i] = i == 3 ? 255 : (uint8_t)(light * 255);
    return bytes_add(&piling->vertices, &vertex, sizeof vertex, piling->why);
}

/* As node.vert places a corner of a mesh, without offsets and morph. */
static bool add_node_vertex(struct piling *piling, const struct wire_patch *patch,
                            const uint16_t corner[4])
{
    const struct wire_scene *scene = piling->parts->head;
    const uint16_t *codes = piling->tiles[patch->slots[SLOT_heights]];
    float from_eye[3], code, west;
    int at[2];

    for (int i = 0; i < 2; i++) {
        float place;

        at[i] = (int)fminf(corner[i], patch->node.last[i]);
        place = clamp(patch->node.corner[i] + (float)at[i] * patch->node.stride, scene->solid[i],
                      scene->solid[i + 2]);
        from_eye[i] = (place - scene->eye_quads[i] - scene->eye_more[i]) * scene->metres[i];
        at[i] += (int)clamp(patch->node.first[i], -TILE_SIDE, TILE_SIDE);
    }
    code = code_at(codes, at[0], at[1]);
    west = code_at(codes, at[0] - 1, at[1]);
    from_eye[2] =
        corner[2] && corner[3] ? scene->base : code * scene->code_metres + scene->code_zero;
    return add_vertex(piling, from_eye, (code - west) * scene->code_metres / scene->metres[0]);
}

/* A vertex that a finer neighbour has, as node.vert places it. */
static bool add_more_vertex(struct piling *piling, const struct wire_patch *patch,
                            const uint16_t corner[4])
{
    const struct wire_scene *scene = piling->parts->head;
    float from_eye[3] = { 0, 0, corner[3] * scene->code_metres + scene->code_zero };

    for (int i = 0; i < 2; i++)
        from_eye[i] =
            (patch->node.corner[i] + corner[i] - scene->eye_quads[i] - scene->eye_more[i]) *
            scene->metres[i];
    return add_vertex(piling, from_eye, 0);
}

/* As component.vert does, without offsets and on the way to no other level. */
static bool add_component_vertex(struct piling *piling, const struct wire_patch *patch,
                                 const uint16_t corner[4])
{
    const struct wire_scene *scene = piling->parts->head;
    const struct wire_component *component = &patch->component;
    const int sub[2] = { corner[2] & 1, corner[2] >> 1 & 1 };
    uint32_t tile = patch->slots[SLOT_chain0 + sub[0] + 2 * sub[1]];
    float side = clamp(component->cell_quads, 2, CHAIN_SIDE), from_eye[3], code;
    int texel[2], cells = CHAIN_SIDE / (int)side;

    if (tile == WIRE_NONE)
        return fault_set(piling->why, FAULT_INPUT, "A patch of the scene has no heights");
    for (int i = 0; i < 2; i++) {
        int cell = ((int)clamp(component->cell[i], 0, CHAIN_SIDE) + sub[i]) % cells;
        float place = component->corner[i] + (float)(sub[i] * (int)scene->section_quads) +
                      corner[i] * (float)scene->section_quads / (side - 1);

        place = clamp(place, scene->solid[i], scene->solid[i + 2]);
        texel[i] = cell * (int)side * (i ? 3 : 2) / 2 + corner[i];
        texel[i] = (int)clamp((float)texel[i], 0, (i ? CHAIN_SIDE * 3 / 2 : CHAIN_SIDE) - 1);
        from_eye[i] = (place - scene->eye_quads[i] - scene->eye_more[i]) * scene->metres[i];
    }
    code = piling->tiles[tile][texel[1] * CHAIN_SIDE + texel[0]];
    from_eye[2] = corner[3] & 1 ? scene->base : code * scene->code_metres + scene->code_zero;
    return add_vertex(piling, from_eye, 0);
}

/* As terrain.vert places a corner of a mesh. */
static bool add_tile_vertex(struct piling *piling, const struct wire_patch *patch,
                            const uint16_t corner[4])
{
    const struct wire_scene *scene = piling->parts->head;
    const uint16_t *codes = piling->tiles[patch->slots[SLOT_heights]];
    float x = clamp(patch->first[0] + corner[0] * patch->step, patch->limit[0], patch->limit[2]);
    float y = clamp(patch->first[1] + corner[1] * patch->step, patch->limit[1], patch->limit[3]);
    float shifted_x = x + patch->shift, shifted_y = y + patch->shift;
    float code = code_between(codes, shifted_x, shifted_y);
    float west = code_between(codes, shifted_x - 1, shifted_y);
    float z = code * scene->code_metres + scene->code_zero;
    bool border = corner[2] == 1   ? y <= patch->limit[1]
                  : corner[2] == 2 ? x >= patch->limit[2]
                  : corner[2] == 3 ? y >= patch->limit[3]
                                   : corner[2] == 4 && x <= patch->limit[0];
    float from_eye[3];

    if (corner[3])
        z = border ? scene->base : fmaxf(z - patch->drop, scene->base);
    from_eye[0] = patch->origin[0] + x * patch->spacing[0];
    from_eye[1] = patch->origin[1] + y * patch->spacing[1];
    from_eye[2] = z;
    return add_vertex(piling, from_eye, (code - west) * scene->code_metres / patch->spacing[0]);
}

/* A mesh, built when first asked for. */
static const struct built *built_of(struct piling *piling, uint32_t key)
{
    struct built *grid;

    for (int i = 0; i < piling->grid_count; i++)
        if (piling->grids[i].key == key)
            return &piling->grids[i];
    if (piling->grid_count == GRIDS_MOST) {
        fault_set(piling->why, FAULT_LIMIT, "Triangles alone are of at most %d meshes", GRIDS_MOST);
        return NULL;
    }
    grid = &piling->grids[piling->grid_count++];
    grid->key = key;
    return mesh_build(key, &grid->corners, &grid->indices, piling->why) ? grid : NULL;
}

static bool add_corner(struct piling *piling, const struct wire_patch *patch, uint32_t key,
                       const uint16_t corner[4])
{
    uint32_t kind = WIRE_MESH_KIND(key);

    if (kind == WIRE_MESH_SECTIONS || kind == WIRE_MESH_SECTION_WALL)
        return add_component_vertex(piling, patch, corner);
    if (patch->slots[SLOT_heights] == WIRE_NONE)
        return fault_set(piling->why, FAULT_INPUT, "A patch of the scene has no heights");
    if (kind == WIRE_MESH_SKIRTED)
        return add_tile_vertex(piling, patch, corner);
    return kind == WIRE_MESH_SHAPE && corner[2] == 8 ? add_more_vertex(piling, patch, corner)
                                                     : add_node_vertex(piling, patch, corner);
}

static bool add_indices(struct piling *piling, const uint32_t *indices, size_t count,
                        uint32_t before)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t index = indices[i] + before;

        if (!bytes_add(&piling->indices, &index, sizeof index, piling->why))
            return false;
    }
    return true;
}

static bool add_shape(struct piling *piling, const struct wire_patch *patch, uint32_t key)
{
    const struct scene_parts *parts = piling->parts;
    const struct wire_shape *shape = &parts->shapes[WIRE_SHAPE_OF(key)];
    uint32_t before = (uint32_t)(piling->vertices.length / sizeof(struct vertex));

    for (uint32_t i = 0; i < shape->vertex_count; i++)
        if (!add_corner(piling, patch, key, parts->vertices[shape->first_vertex + i]))
            return false;
    return add_indices(piling, parts->indices + shape->first_index, shape->index_count, before);
}

static bool add_mesh(struct piling *piling, const struct wire_patch *patch, uint32_t key)
{
    const struct built *grid;
    uint32_t before = (uint32_t)(piling->vertices.length / sizeof(struct vertex));
    const uint16_t(*corners)[4];

    if (WIRE_MESH_KIND(key) == WIRE_MESH_SHAPE)
        return add_shape(piling, patch, key);
    grid = built_of(piling, key);
    if (!grid)
        return false;
    corners = (const uint16_t(*)[4])(const void *)grid->corners.data;
    for (size_t i = 0; i < grid->corners.length / sizeof *corners; i++)
        if (!add_corner(piling, patch, key, corners[i]))
            return false;
    return add_indices(piling, (const uint32_t *)(const void *)grid->indices.data,
                       grid->indices.length / sizeof(uint32_t), before);
}

static bool add_patch(struct piling *piling, const struct wire_patch *patch)
{
    for (uint32_t i = 0; i < patch->mesh_count; i++)
        if (!add_mesh(piling, patch, patch->meshes[i]))
            return false;
    return true;
}

static bool pile_up(struct piling *piling, const unsigned char *tiles)
{
    if (!find_tiles(piling, tiles))
        return false;
    for (uint32_t i = 0; i < piling->parts->head->patch_count; i++)
        if (!add_patch(piling, &piling->parts->patches[i]))
            return false;
    return true;
}

static void upload(struct bare *bare, const struct piling *piling)
{
    const struct gl *gl = bare->gl;

    gl->GenVertexArrays(1, &bare->vertex_array);
    gl->BindVertexArray(bare->vertex_array);
    gl->GenBuffers(1, &bare->vertices);
    gl->BindBuffer(GL_ARRAY_BUFFER, bare->vertices);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)piling->vertices.length, piling->vertices.data,
                   GL_STATIC_DRAW);
    gl->GenBuffers(1, &bare->indices);
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, bare->indices);
    gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)piling->indices.length,
                   piling->indices.data, GL_STATIC_DRAW);
    gl->EnableVertexAttribArray(0);
    gl->VertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(struct vertex), NULL);
    gl->EnableVertexAttribArray(1);
    gl->VertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(struct vertex),
                            (const void *)offsetof(struct vertex, colour));
    bare->index_count = (GLsizei)(piling->indices.length / sizeof(uint32_t));
}

struct bare *bare_new(const struct gl *gl, const struct scene_parts *parts,
                      const unsigned char *tiles, struct fault *why)
{
    struct piling piling = { .parts = parts, .why = why };
    struct bare *bare = calloc(1, sizeof *bare);
    bool made = bare || fault_set(why, FAULT_MEMORY, "no memory to draw barely");

    if (made) {
        bare->gl = gl;
        bare->width = (int32_t)parts->head->width;
        bare->height = (int32_t)parts->head->height;
        bare->program = program_new(gl, "", "bare.vert", "bare.frag", NULL, why);
        made = bare->program && pile_up(&piling, tiles);
    }
    if (made) {
        upload(bare, &piling);
        made = gl_sound(gl, "keeping triangles", why);
    }
    free(piling.tiles);
    for (int i = 0; i < piling.grid_count; i++) {
        bytes_free(&piling.grids[i].corners);
        bytes_free(&piling.grids[i].indices);
    }
    bytes_free(&piling.vertices);
    bytes_free(&piling.indices);
    if (made)
        return bare;
    bare_free(bare);
    return NULL;
}

void bare_free(struct bare *bare)
{
    if (!bare)
        return;
    target_close(&bare->target, bare->gl);
    bare->gl->DeleteProgram(bare->program);
    bare->gl->DeleteVertexArrays(1, &bare->vertex_array);
    bare->gl->DeleteBuffers(1, &bare->vertices);
    bare->gl->DeleteBuffers(1, &bare->indices);
    free(bare);
}

uint64_t bare_triangles(const struct bare *bare)
{
    return (uint64_t)bare->index_count / 3;
}

bool bare_draw(struct bare *bare, uint8_t *rgba, struct fault *why)
{
    const struct gl *gl = bare->gl;

    if (!target_open(&bare->target, gl, bare->width, bare->height, 0, why))
        return false;
    gl->BindFramebuffer(GL_FRAMEBUFFER, bare->target.drawn);
    gl->Viewport(0, 0, bare->width, bare->height);
    gl->Enable(GL_DEPTH_TEST);
    gl->DepthFunc(GL_LESS);
    gl->ClearColor(0.5f, 0.5f, 0.5f, 1);
    gl->Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl->UseProgram(bare->program);
    gl->BindVertexArray(bare->vertex_array);
    gl->DrawElementsInstanced(GL_TRIANGLES, bare->index_count, GL_UNSIGNED_INT, NULL, 1);
    return target_read(&bare->target, gl, bare->width, bare->height, bare->width, rgba, why);
}
