#include "render/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/bytes.h"
#include "terrain/lod/patch_mesh.h"

struct building {
    struct bytes vertices, indices;
    struct fault *why;
};

static uint32_t vertex_count(const struct building *b)
{
    return (uint32_t)(b->vertices.length / 8);
}

static bool add_vertex(struct building *b, int32_t column, int32_t row, int32_t third,
                       int32_t fourth)
{
    const uint16_t vertex[4] = { (uint16_t)column, (uint16_t)row, (uint16_t)third,
                                 (uint16_t)fourth };

    return bytes_add(&b->vertices, vertex, sizeof vertex, b->why);
}

static bool add_quad(struct building *b, uint32_t nw, uint32_t ne, uint32_t sw, uint32_t se)
{
    const uint32_t indices[6] = { nw, sw, se, nw, se, ne };

    return bytes_add(&b->indices, indices, sizeof indices, b->why);
}

/* (quads + 1) x (quads + 1) vertices, and the quads but for so many rings of them. */
static bool add_grid(struct building *b, int32_t quads, int32_t section, int32_t rings)
{
    uint32_t first = vertex_count(b), across = (uint32_t)quads + 1;

    for (int32_t row = 0; row <= quads; row++)
        for (int32_t column = 0; column <= quads; column++)
            if (!add_vertex(b, column, row, section, 0))
                return false;
    for (int32_t row = rings; row < quads - rings; row++)
        for (int32_t column = rings; column < quads - rings; column++) {
            uint32_t nw = first + (uint32_t)row * across + (uint32_t)column;

            if (!add_quad(b, nw, nw + 1, nw + across, nw + across + 1))
                return false;
        }
    return true;
}

/* A strip that hangs from an edge of a grid: at its top and at its hem, `third` and `fourth` are of
 * the vertex. */
static bool add_curtain(struct building *b, int32_t quads, int edge, int32_t third,
                        const int32_t fourth[2])
{
    uint32_t first = vertex_count(b);

    for (int32_t i = 0; i <= quads; i++) {
        int32_t column = edge == 2 ? quads : edge == 4 ? 0 : i;
        int32_t row = edge == 3 ? quads : edge == 1 ? 0 : i;
        uint32_t top = first + 2 * (uint32_t)i;

        if (!add_vertex(b, column, row, third, fourth[0]) ||
            !add_vertex(b, column, row, third, fourth[1]))
            return false;
        if (i > 0 && !add_quad(b, top - 2, top, top - 1, top + 1))
            return false;
    }
    return true;
}

static bool add_skirted(struct building *b, int32_t quads)
{
    if (!add_grid(b, quads, 0, 0))
        return false;
    for (int edge = 1; edge <= 4; edge++)
        if (!add_curtain(b, quads, edge, edge, (const int32_t[2]){ 0, 1 }))
            return false;
    return true;
}

static bool add_sections(struct building *b, int32_t quads, int32_t sections)
{
    for (int32_t s = 0; s < sections * sections; s++)
        if (!add_grid(b, quads, s % sections + s / sections * 2, 0))
            return false;
    return true;
}

/* Along one edge of a component, section after section. */
static bool add_section_walls(struct building *b, int32_t quads, int32_t sections, int edge)
{
    for (int32_t s = 0; s < sections; s++) {
        int32_t sx = edge == 2 ? sections - 1 : edge == 4 ? 0 : s;
        int32_t sy = edge == 3 ? sections - 1 : edge == 1 ? 0 : s;

        if (!add_curtain(b, quads, edge, sx + sy * 2, (const int32_t[2]){ edge * 2, edge * 2 + 1 }))
            return false;
    }
    return true;
}

static bool add_strip(struct building *b, int32_t grid, int side, int difference)
{
    const struct patch_strip *strip = patch_strip(grid, (enum patch_side)side, difference, b->why);
    uint32_t side_vertices = (uint32_t)grid + 1;
    uint32_t *numbers = strip ? malloc(side_vertices * side_vertices * sizeof *numbers) : NULL;
    bool added = numbers != NULL;

    if (strip && !numbers)
        fault_set(b->why, FAULT_MEMORY, "no memory for a strip of %d quads", grid);
    if (numbers)
        memset(numbers, 0xff, side_vertices * side_vertices * sizeof *numbers);
    for (size_t k = 0; added && k < strip->count * 3; k++) {
        uint32_t corner = strip->corners[k / 3][k % 3];

        if (numbers[corner] == UINT32_MAX) {
            numbers[corner] = vertex_count(b);
            added = add_vertex(b, (int32_t)(corner % side_vertices),
                               (int32_t)(corner / side_vertices), 0, 0);
        }
        added = added && bytes_add(&b->indices, &numbers[corner], sizeof numbers[corner], b->why);
    }
    free(numbers);
    return added;
}

static bool build(struct building *b, uint32_t key)
{
    int32_t size = (int32_t)WIRE_MESH_SIZE(key), what = (int32_t)WIRE_MESH_WHAT(key);

    switch (WIRE_MESH_KIND(key)) {
    case WIRE_MESH_SKIRTED:
        return add_skirted(b, size);
    case WIRE_MESH_WHOLE:
        return add_grid(b, size, 0, 0);
    case WIRE_MESH_INSIDE:
        return add_grid(b, size, 0, 1);
    case WIRE_MESH_STRIP:
        return add_strip(b, size, what / PATCH_DIFFERENCES, what % PATCH_DIFFERENCES);
    case WIRE_MESH_WALL:
        return add_curtain(b, size, what, what, (const int32_t[2]){ 0, 1 });
    case WIRE_MESH_SECTIONS:
        return add_sections(b, size, what);
    default:
        return add_section_walls(b, size, what / 8, what % 8);
    }
}

/* Short indices where they suffice. */
static void shorten(struct bytes *indices)
{
    size_t count = indices->length / 4;

    for (size_t i = 0; i < count; i++) {
        uint32_t index;
        uint16_t half;

        memcpy(&index, indices->data + i * 4, sizeof index);
        half = (uint16_t)index;
        memcpy(indices->data + i * 2, &half, sizeof half);
    }
    indices->length = count * 2;
}

static void let_go(struct mesh_kept *kept, const struct gl *gl)
{
    gl->DeleteBuffers(1, &kept->vertices);
    gl->DeleteBuffers(1, &kept->indices);
    *kept = (struct mesh_kept){ 0 };
}

bool mesh_build(uint32_t key, struct bytes *vertices, struct bytes *indices, struct fault *why)
{
    struct building b = { .why = why };
    bool built = build(&b, key);

    *vertices = b.vertices;
    *indices = b.indices;
    return built;
}

bool mesh_apart(const void *vertices, size_t bytes, const uint32_t *indices, size_t count,
                struct bytes *to, struct fault *why)
{
    if (!bytes_reserve(to, bytes * count, why))
        return false;
    for (size_t i = 0; i < count; i++)
        memcpy(to->data + to->length + bytes * i, (const char *)vertices + bytes * indices[i],
               bytes);
    to->length += bytes * count;
    return true;
}

static void fill_buffer(const struct gl *gl, GLenum target, const struct bytes *from, GLuint *name)
{
    gl->GenBuffers(1, name);
    gl->BindBuffer(target, *name);
    gl->BufferData(target, (GLsizeiptr)from->length, from->data, GL_STATIC_DRAW);
}

static bool make_apart(struct mesh_kept *kept, const struct gl *gl, const struct building *b)
{
    struct bytes vertices = { 0 };
    bool made = mesh_apart(b->vertices.data, 8, (const uint32_t *)b->indices.data,
                           b->indices.length / 4, &vertices, b->why);

    if (made)
        fill_buffer(gl, GL_ARRAY_BUFFER, &vertices, &kept->vertices);
    bytes_free(&vertices);
    return made;
}

static bool make(struct mesh_kept *kept, const struct gl *gl, uint32_t key, bool apart,
                 struct fault *why)
{
    struct building b = { .why = why };
    bool built = build(&b, key);

    let_go(kept, gl);
    if (built && apart) {
        built = make_apart(kept, gl, &b);
    } else if (built) {
        kept->type = vertex_count(&b) <= 65536 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
        fill_buffer(gl, GL_ARRAY_BUFFER, &b.vertices, &kept->vertices);
    }
    if (built) {
        kept->key = key;
        kept->apart = apart;
        kept->count = (int32_t)(b.indices.length / 4);
    }
    if (built && !apart) {
        if (kept->type == GL_UNSIGNED_SHORT)
            shorten(&b.indices);
        fill_buffer(gl, GL_ELEMENT_ARRAY_BUFFER, &b.indices, &kept->indices);
    }
    bytes_free(&b.vertices);
    bytes_free(&b.indices);
    return built && gl_sound(gl, "making a mesh", why);
}

const struct mesh_kept *meshes_get(struct meshes *meshes, const struct gl *gl, uint32_t key,
                                   bool apart, struct fault *why)
{
    struct mesh_kept *oldest = &meshes->kept[0];

    meshes->asked++;
    for (int i = 0; i < MESHES_MOST; i++) {
        struct mesh_kept *at = &meshes->kept[i];

        if (at->count && at->key == key && at->apart == apart) {
            at->used = meshes->asked;
            return at;
        }
        if (at->used < oldest->used)
            oldest = at;
    }
    if (!make(oldest, gl, key, apart, why))
        return NULL;
    oldest->used = meshes->asked;
    return oldest;
}

void meshes_close(struct meshes *meshes, const struct gl *gl)
{
    for (int i = 0; i < MESHES_MOST; i++)
        let_go(&meshes->kept[i], gl);
}
