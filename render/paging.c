#include "render/paging.h"

#include <stdlib.h>
#include <string.h>

#include "render/mesh.h"
#include "render/shelf.h"

enum {
    RECORD_TEXELS = 4,
    RECORDS_ACROSS = 256,
    VERTEX_BYTES = WIRE_SHAPE_NUMBERS * sizeof(uint16_t)
};

static GLuint texture_new(const struct gl *gl)
{
    GLuint name;

    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    return name;
}

void paging_open(struct paging *paging, const struct gl *gl)
{
    gl->ActiveTexture(GL_TEXTURE0);
    paging->pages = texture_new(gl);
    paging->records = texture_new(gl);
    gl->GenBuffers(1, &paging->vertices);
    gl->GenBuffers(1, &paging->indices);
}

void paging_close(struct paging *paging, const struct gl *gl)
{
    gl->DeleteTextures(1, &paging->pages);
    gl->DeleteTextures(1, &paging->records);
    gl->DeleteBuffers(1, &paging->vertices);
    gl->DeleteBuffers(1, &paging->indices);
}

static uint32_t layer_of(const struct wire_patch *node, const int32_t *layers, int slot)
{
    return node->slots[slot] == WIRE_NONE ? 0 : (uint32_t)layers[node->slots[slot]];
}

/* See find_node of pages.glsl. */
static void set_record(uint32_t record[RECORD_TEXELS][4], const struct wire_patch *node,
                       const int32_t *layers)
{
    const uint32_t texels[RECORD_TEXELS - 1][4] = {
        { (uint32_t)node->quads[0], (uint32_t)node->quads[1], (uint32_t)node->quads[2],
          layer_of(node, layers, SLOT_heights) },
        { layer_of(node, layers, SLOT_shade), layer_of(node, layers, SLOT_offsets),
          layer_of(node, layers, SLOT_values), layer_of(node, layers, SLOT_weights0) },
        { layer_of(node, layers, SLOT_weights1), layer_of(node, layers, SLOT_weights2), 0, 0 }
    };

    memcpy(record, texels, sizeof texels);
    memcpy(record[RECORD_TEXELS - 1], node->paints, sizeof node->paints);
}

static bool load_records(const struct paging *paging, const struct gl *gl,
                         const struct scene_parts *parts, const int32_t *layers, struct fault *why)
{
    const struct wire_scene *scene = parts->head;
    size_t rows = scene->node_count / RECORDS_ACROSS + 1;
    uint32_t(*records)[RECORD_TEXELS][4] = calloc(rows * RECORDS_ACROSS, sizeof *records);

    if (!records)
        return fault_set(why, FAULT_MEMORY, "no memory for %u tiles", scene->node_count);
    for (uint32_t i = 0; i < scene->node_count; i++)
        set_record(records[i], &parts->nodes[i], layers);
    gl->BindTexture(GL_TEXTURE_2D, paging->records);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, RECORDS_ACROSS * RECORD_TEXELS, (GLsizei)rows, 0,
                   GL_RGBA_INTEGER, GL_UNSIGNED_INT, records);
    free(records);
    return true;
}

static void fill_buffer(const struct gl *gl, GLenum target, GLuint name, const void *data,
                        size_t bytes)
{
    gl->BindBuffer(target, name);
    gl->BufferData(target, (GLsizeiptr)bytes, data, GL_STREAM_DRAW);
}

/* Those of each shape behind those of the one before, as its indices would be. */
static bool load_apart(const struct paging *paging, const struct gl *gl,
                       const struct scene_parts *parts, struct fault *why)
{
    const size_t bytes = VERTEX_BYTES * (size_t)parts->head->index_count;
    struct bytes vertices = { 0 };
    bool made = bytes_reserve(&vertices, bytes, why);

    for (uint32_t i = 0; made && i < parts->head->shape_count; i++) {
        const struct wire_shape *at = &parts->shapes[i];

        vertices.length = VERTEX_BYTES * (size_t)at->first_index;
        made = mesh_apart(parts->vertices[at->first_vertex], VERTEX_BYTES,
                          parts->indices + at->first_index, at->index_count, &vertices, why);
    }
    if (made)
        fill_buffer(gl, GL_ARRAY_BUFFER, paging->vertices, vertices.data, bytes);
    bytes_free(&vertices);
    return made;
}

static bool load_shapes(struct paging *paging, const struct gl *gl, const struct scene_parts *parts,
                        struct fault *why)
{
    const struct wire_scene *scene = parts->head;

    paging->shapes = parts->shapes;
    gl->BindVertexArray(0);
    if (paging->apart)
        return load_apart(paging, gl, parts, why);
    fill_buffer(gl, GL_ARRAY_BUFFER, paging->vertices, parts->vertices,
                scene->vertex_count * sizeof *parts->vertices);
    fill_buffer(gl, GL_ELEMENT_ARRAY_BUFFER, paging->indices, parts->indices,
                scene->index_count * sizeof *parts->indices);
    return true;
}

bool paging_load(struct paging *paging, const struct gl *gl, const struct scene_parts *parts,
                 const uint32_t *pages, const int32_t *layers, bool apart, struct fault *why)
{
    const struct wire_scene *scene = parts->head;

    paging->apart = apart;
    if (!scene->node_count)
        return true;
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_RECORDS);
    if (!load_records(paging, gl, parts, layers, why))
        return false;
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_PAGES);
    gl->BindTexture(GL_TEXTURE_2D, paging->pages);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, (GLsizei)scene->page_columns,
                   (GLsizei)scene->page_rows, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, pages);
    if (scene->shape_count && !load_shapes(paging, gl, parts, why))
        return false;
    return gl_sound(gl, "loading what a scene brings along", why);
}

struct drawn_mesh paging_shape(const struct paging *paging, const struct gl *gl, uint32_t shape)
{
    const struct wire_shape *at = &paging->shapes[shape];

    gl->BindBuffer(GL_ARRAY_BUFFER, paging->vertices);
    if (paging->apart)
        return (struct drawn_mesh){ .vertices = (size_t)at->first_index * VERTEX_BYTES,
                                    .stride = VERTEX_BYTES,
                                    .count = (int32_t)at->index_count };
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, paging->indices);
    return (struct drawn_mesh){ .vertices = (size_t)at->first_vertex * VERTEX_BYTES,
                                .stride = VERTEX_BYTES,
                                .indices = (size_t)at->first_index * 4,
                                .count = (int32_t)at->index_count,
                                .type = GL_UNSIGNED_INT };
}
