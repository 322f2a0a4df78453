#include "render/mesh.h"

#include <string.h>

struct building {
    struct bytes vertices, indices;
    struct fault *why;
};

static uint16_t vertex_count(const struct building *b)
{
    return (uint16_t)(b->vertices.length / 4);
}

static bool add_vertex(struct building *b, int column, int row, int edge, int hem)
{
    const uint8_t vertex[4] = { (uint8_t)column, (uint8_t)row, (uint8_t)edge, (uint8_t)hem };

    return bytes_add(&b->vertices, vertex, sizeof vertex, b->why);
}

static bool add_quad(struct building *b, int nw, int ne, int sw, int se)
{
    const uint16_t indices[6] = { (uint16_t)nw, (uint16_t)sw, (uint16_t)se,
                                  (uint16_t)nw, (uint16_t)se, (uint16_t)ne };

    return bytes_add(&b->indices, indices, sizeof indices, b->why);
}

static bool add_grid(struct building *b, int quads)
{
    int first = vertex_count(b), across = quads + 1;

    for (int row = 0; row <= quads; row++)
        for (int column = 0; column <= quads; column++)
            if (!add_vertex(b, column, row, 0, 0))
                return false;
    for (int row = 0; row < quads; row++)
        for (int column = 0; column < quads; column++) {
            int nw = first + row * across + column;

            if (!add_quad(b, nw, nw + 1, nw + across, nw + across + 1))
                return false;
        }
    return true;
}

static bool add_skirt(struct building *b, int quads, int edge)
{
    int first = vertex_count(b);

    for (int i = 0; i <= quads; i++) {
        int column = edge == 2 ? quads : edge == 4 ? 0 : i;
        int row = edge == 3 ? quads : edge == 1 ? 0 : i;

        if (!add_vertex(b, column, row, edge, 0) || !add_vertex(b, column, row, edge, 1))
            return false;
        if (i > 0 &&
            !add_quad(b, first + 2 * i - 2, first + 2 * i, first + 2 * i - 1, first + 2 * i + 1))
            return false;
    }
    return true;
}

static bool build(struct building *b, struct mesh_grids *grids)
{
    for (int i = 0; i < WIRE_MESHES; i++) {
        grids->first_vertex[i] = vertex_count(b);
        grids->offset[i] = b->indices.length;
        if (!add_grid(b, 1 << i))
            return false;
        for (int edge = 1; edge <= 4; edge++)
            if (!add_skirt(b, 1 << i, edge))
                return false;
        grids->vertex_count[i] = vertex_count(b) - grids->first_vertex[i];
        grids->count[i] = (int32_t)((b->indices.length - grids->offset[i]) / 2);
    }
    return true;
}

bool mesh_grids_build(struct mesh_grids *grids, struct fault *why)
{
    struct building b = { .why = why };
    bool built = build(&b, grids);

    grids->vertices = b.vertices;
    grids->indices = b.indices;
    return built;
}

void mesh_grids_fini(struct mesh_grids *grids)
{
    bytes_free(&grids->vertices);
    bytes_free(&grids->indices);
}

static void upload(struct meshes *meshes, const struct gl *gl, const struct mesh_grids *grids)
{
    gl->GenBuffers(1, &meshes->vertices);
    gl->BindBuffer(GL_ARRAY_BUFFER, meshes->vertices);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)grids->vertices.length, grids->vertices.data,
                   GL_STATIC_DRAW);
    gl->GenBuffers(1, &meshes->indices);
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, meshes->indices);
    gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)grids->indices.length, grids->indices.data,
                   GL_STATIC_DRAW);
    memcpy(meshes->offset, grids->offset, sizeof meshes->offset);
    memcpy(meshes->count, grids->count, sizeof meshes->count);
}

bool meshes_open(struct meshes *meshes, const struct gl *gl, struct fault *why)
{
    struct mesh_grids grids = { 0 };
    bool built = mesh_grids_build(&grids, why);

    if (built)
        upload(meshes, gl, &grids);
    mesh_grids_fini(&grids);
    return built && gl_sound(gl, "making the meshes", why);
}

void meshes_close(struct meshes *meshes, const struct gl *gl)
{
    gl->DeleteBuffers(1, &meshes->vertices);
    gl->DeleteBuffers(1, &meshes->indices);
    *meshes = (struct meshes){ 0 };
}
