/* The vertices of a tile: where they are, and how they move towards the next coarser grid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/offset.h"
#include "terrain/lod/patch_mesh.h"

struct adding {
    const struct view *view;
    const struct patch_place *tile;
    const struct patch_border *borders;
    const struct patch_morph *morph;
    uint16_t *heights; /* (grid + 1) squared */
    int32_t side, stride, end[2];
};

static int32_t place_of(const struct adding *adding, int axis, int32_t number)
{
    int64_t at = (axis ? adding->tile->y : adding->tile->x) + (int64_t)number * adding->stride;

    return at < adding->end[axis] ? (int32_t)at : adding->end[axis];
}

static int32_t height_at(const struct adding *adding, int32_t i, int32_t j)
{
    return adding->heights[(size_t)j * (size_t)adding->side + (size_t)i];
}

/* How far a vertex lies between its even neighbours, which may stand closer at the border. */
static double between(const struct adding *adding, int axis, int32_t number)
{
    int32_t before = place_of(adding, axis, number & ~1);
    int32_t after = place_of(adding, axis, (number + 1) & ~1);

    return after > before
               ? (double)(place_of(adding, axis, number) - before) / (double)(after - before)
               : 0;
}

/* The two corners at which strips meet along the other diagonal. */
static bool across_corner(const struct adding *adding, int32_t i, int32_t j)
{
    const struct patch_place *tile = adding->tile;
    const bool east = tile->x & tile->size, south = tile->y & tile->size;
    const int32_t last = adding->side - 2;

    return (east && !south && i == last && j == 1) || (!east && south && i == 1 && j == last);
}

/* A number of each vertex of the tile. */
typedef int32_t number_at(const struct adding *adding, int32_t i, int32_t j);

/* The number that the next coarser node's mesh has there, of which this tile is a quarter. */
static double coarser_number(const struct adding *adding, number_at *at, int32_t i, int32_t j)
{
    const int32_t west = i & ~1, north = j & ~1, east = (i + 1) & ~1, south = (j + 1) & ~1;
    const int32_t nw = at(adding, west, north), ne = at(adding, east, north);
    const int32_t sw = at(adding, west, south), se = at(adding, east, south);
    const double across = between(adding, 0, i), down = between(adding, 1, j);

    if (!across_corner(adding, i, j))
        return view_quad_code(nw, ne, sw, se, across, down);
    if (across + down <= 1)
        return nw + across * (ne - nw) + down * (sw - nw);
    return se + (1 - across) * (sw - se) + (1 - down) * (ne - se);
}

static bool on_still_border(const struct adding *adding, int32_t i, int32_t j)
{
    const struct patch_border *borders = adding->borders;
    const int32_t grid = adding->side - 1;

    return (i == 0 && borders[PATCH_WEST].still) || (i == grid && borders[PATCH_EAST].still) ||
           (j == 0 && borders[PATCH_NORTH].still) || (j == grid && borders[PATCH_SOUTH].still);
}

double patch_morphed(const struct patch_morph *morph, double distance)
{
    double part = (distance - morph->start) / (morph->end - morph->start);

    return part > 0 ? part < 1 ? part : 1 : 0;
}

static double distance_to(const struct adding *adding, int32_t i, int32_t j)
{
    const struct grid *grid = view_grid(adding->view);
    const double at[2] = { place_of(adding, 0, i), place_of(adding, 1, j) };
    const double *eye = adding->morph->eye;
    double local[3], sum = 0;

    grid_to_local(grid, at, local);
    local[2] = grid_metres(grid, height_at(adding, i, j));
    for (int k = 0; k < 3; k++)
        sum += (local[k] - eye[k]) * (local[k] - eye[k]);
    return sqrt(sum);
}

static double number_of(const struct adding *adding, number_at *at, int32_t i, int32_t j)
{
    double number = at(adding, i, j), part;

    if (!adding->morph || !((i | j) & 1) || on_still_border(adding, i, j))
        return number;
    part = patch_morphed(adding->morph, distance_to(adding, i, j));
    return part > 0 ? number + (coarser_number(adding, at, i, j) - number) * part : number;
}

static uint32_t add_vertex(const struct adding *adding, const struct patch_shape *shape,
                           uint32_t number, struct mesh *mesh)
{
    const uint32_t own = (uint32_t)adding->side * (uint32_t)adding->side;
    int32_t i = (int32_t)(number % (uint32_t)adding->side);
    int32_t j = (int32_t)(number / (uint32_t)adding->side);

    if (number >= own) {
        int32_t x = adding->tile->x + shape->more[number - own][0];
        int32_t y = adding->tile->y + shape->more[number - own][1];

        return mesh_vertex(mesh, x, y, view_height(adding->view, x, y));
    }
    return mesh_vertex(mesh, place_of(adding, 0, i), place_of(adding, 1, j),
                       number_of(adding, height_at, i, j));
}

static int32_t offset_at(const struct adding *adding, int axis, int32_t i, int32_t j)
{
    struct rect vertex = { place_of(adding, 0, i), place_of(adding, 1, j), 1, 1 };
    uint16_t offset;

    view_read_offsets(adding->view, axis, vertex, &offset, 1);
    return offset;
}

static int32_t east_at(const struct adding *adding, int32_t i, int32_t j)
{
    return offset_at(adding, 0, i, j);
}

static int32_t south_at(const struct adding *adding, int32_t i, int32_t j)
{
    return offset_at(adding, 1, i, j);
}

/* Whoever fetches a surface wants it where its vertices stand. */
static void move_vertex(const struct adding *adding, uint32_t number, double at[3])
{
    const uint32_t side = (uint32_t)adding->side;
    int32_t i = (int32_t)(number % side), j = (int32_t)(number / side);
    double moved[2];

    for (int axis = 0; axis < 2; axis++) {
        double offset;

        if (number < side * side) {
            offset = number_of(adding, axis ? south_at : east_at, i, j);
        } else {
            uint16_t own;

            view_read_offsets(adding->view, axis,
                              (struct rect){ (int32_t)at[0], (int32_t)at[1], 1, 1 }, &own, 1);
            offset = own;
        }
        moved[axis] = (offset - OFFSET_REST) / OFFSET_QUAD;
    }
    for (int axis = 0; axis < 2; axis++)
        at[axis] += moved[axis];
}

static void move_all(const struct adding *adding, const uint32_t *becomes, size_t count,
                     struct mesh *mesh)
{
    for (size_t number = 0; number < count; number++)
        if (becomes[number] != UINT32_MAX)
            move_vertex(adding, (uint32_t)number, mesh->at[becomes[number]]);
}

static void add_all(const struct adding *adding, const struct patch_shape *shape, uint32_t *becomes,
                    struct mesh *mesh)
{
    uint32_t *to = mesh->indices + mesh->index_count;
    const uint32_t *from = (const uint32_t *)shape->corners;

    for (size_t k = 0; k < shape->count * 3; k++) {
        uint32_t *vertex = &becomes[from[k]];

        if (*vertex == UINT32_MAX)
            *vertex = add_vertex(adding, shape, from[k], mesh);
        to[k] = *vertex;
    }
    mesh->index_count += shape->count * 3;
}

bool patch_mesh_add(const struct view *view, const struct patch_place *tile,
                    const struct patch_border borders[PATCH_SIDES], const struct patch_shape *shape,
                    const struct patch_morph *morph, struct mesh *mesh, struct fault *why)
{
    const size_t own = (size_t)(tile->grid + 1) * (size_t)(tile->grid + 1);
    const size_t vertices = own + shape->more_count, first = mesh->vertex_count;
    struct adding adding = { .view = view,
                             .tile = tile,
                             .borders = borders,
                             .morph = morph,
                             .side = tile->grid + 1,
                             .stride = patch_stride(tile),
                             .end = { patch_end(view, 0), patch_end(view, 1) } };
    uint32_t *becomes = malloc(vertices * sizeof *becomes);
    bool added = false;

    adding.heights = malloc(own * sizeof *adding.heights);
    if (!becomes || !adding.heights) {
        fault_set(why, FAULT_MEMORY, "no memory for %zu vertices of a tile", vertices);
        goto done;
    }
    if (!mesh_reserve(mesh, vertices, shape->count * 3, why))
        goto done;
    memset(becomes, 0xff, vertices * sizeof *becomes);
    patch_heights(view, tile, 0, adding.heights);
    add_all(&adding, shape, becomes, mesh);
    mesh_fill_normals(view, mesh, first);
    if (view_has_offsets(view))
        move_all(&adding, becomes, vertices, mesh);
    added = true;

done:
    free(adding.heights);
    free(becomes);
    return added;
}
