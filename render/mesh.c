#include "render/mesh.h"

#include "terrain/base/bytes.h"

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

static bool build(struct building *b, struct meshes *meshes)
{
    for (int i = 0; i < WIRE_MESHES; i++) {
        meshes->offset[i] = b->indices.length;
        if (!add_grid(b, 1 << i))
            return false;
        for (int edge = 1; edge <= 4; edge++)
            if (!add_skirt(b, 1 << i, edge))
                return false;
        meshes->count[i] = (int32_t)((b->indices.length - meshes->offset[i]) / 2);
    }
    return true;
}

bool meshes_open(struct meshes *meshes, const struct gl *gl, struct fault *why)
{
    struct building b = { .why = why };
    bool built = build(&b, meshes);

    if (built) {
        gl->GenBuffers(1, &meshes->vertices);
        gl->BindBuffer(GL_ARRAY_BUFFER, meshes->vertices);
        gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)b.vertices.length, b.vertices.data,
                       GL_STATIC_DRAW);
        gl->GenBuffers(1, &meshes->indices);
        gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, meshes->indices);
        gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)b.indices.length, b.indices.data,
                       GL_STATIC_DRAW);
    }
    bytes_free(&b.vertices);
    bytes_free(&b.indices);
    return built && gl_sound(gl, "making the meshes", why);
}

void meshes_close(struct meshes *meshes, const struct gl *gl)
{
    gl->DeleteBuffers(1, &meshes->vertices);
    gl->DeleteBuffers(1, &meshes->indices);
    *meshes = (struct meshes){ 0 };
}
