#include "terrain/lod/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mesh_init(struct mesh *mesh, bool with_normals)
{
    *mesh = (struct mesh){ .with_normals = with_normals, .bound = NAN };
}

void mesh_free(struct mesh *mesh)
{
    free(mesh->at);
    free(mesh->normals);
    free(mesh->indices);
    mesh_init(mesh, mesh->with_normals);
}

/* At least twice the room, so that growing costs little each. */
static size_t room_for(size_t room, size_t needed)
{
    return needed <= room ? room : needed > room * 2 ? needed : room * 2;
}

static bool grow(void **items, size_t size, size_t room)
{
    void *grown = realloc(*items, size * room);

    if (!grown)
        return false;
    *items = grown;
    return true;
}

bool mesh_reserve(struct mesh *mesh, size_t vertices, size_t indices, struct fault *why)
{
    size_t vertex_room = room_for(mesh->vertex_room, mesh->vertex_count + vertices);
    size_t index_room = room_for(mesh->index_room, mesh->index_count + indices);

    if (mesh->vertex_count + vertices > UINT32_MAX)
        return fault_set(why, FAULT_LIMIT, "a mesh has at most %u vertices", UINT32_MAX);
    if (vertex_room > mesh->vertex_room) {
        if (!grow((void **)&mesh->at, sizeof *mesh->at, vertex_room) ||
            (mesh->with_normals &&
             !grow((void **)&mesh->normals, sizeof *mesh->normals, vertex_room)))
            return fault_set(why, FAULT_MEMORY, "no memory for %zu vertices", vertex_room);
        mesh->vertex_room = vertex_room;
    }
    if (index_room > mesh->index_room) {
        if (!grow((void **)&mesh->indices, sizeof *mesh->indices, index_room))
            return fault_set(why, FAULT_MEMORY, "no memory for %zu indices", index_room);
        mesh->index_room = index_room;
    }
    return true;
}

/* A table from coordinates, or from edges, to numbers: open addressing, a power of two of slots. */
struct table {
    uint32_t *slots; /* a number + 1; 0 is free */
    size_t mask;
};

static bool table_init(struct table *table, size_t count)
{
    size_t room = 16;

    while (room < count * 2)
        room *= 2;
    table->mask = room - 1;
    table->slots = calloc(room, sizeof *table->slots);
    return table->slots;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static uint64_t place_hash(const double at[3])
{
    uint64_t hash = 0;

    for (int i = 0; i < 3; i++) {
        double value = at[i] + 0.0; /* -0 is 0 */
        uint64_t word;

        memcpy(&word, &value, sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

static bool same_place(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* The first vertex at the same place, among those put in; itself when it is the first. */
static uint32_t first_there(struct table *table, const struct mesh *mesh, uint32_t vertex)
{
    size_t slot = place_hash(mesh->at[vertex]) & table->mask;

    while (table->slots[slot]) {
        uint32_t other = table->slots[slot] - 1;

        if (same_place(mesh->at[other], mesh->at[vertex]))
            return other;
        slot = (slot + 1) & table->mask;
    }
    table->slots[slot] = vertex + 1;
    return vertex;
}

bool mesh_weld(struct mesh *mesh, struct fault *why)
{
    uint32_t *becomes = malloc((mesh->vertex_count + 1) * sizeof *becomes);
    struct table table = { 0 };
    size_t kept = 0, to = 0;

    if (!becomes || !table_init(&table, mesh->vertex_count)) {
        free(becomes);
        return fault_set(why, FAULT_MEMORY, "no memory to weld %zu vertices", mesh->vertex_count);
    }
    /* Vertices move forward only over such as have been looked at, and those that stay keep their
     * place in the table by the number they move to. */
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        uint32_t there;

        memmove(mesh->at[kept], mesh->at[i], sizeof mesh->at[i]);
        if (mesh->with_normals)
            memmove(mesh->normals[kept], mesh->normals[i], sizeof mesh->normals[i]);
        there = first_there(&table, mesh, (uint32_t)kept);
        becomes[i] = there;
        kept += there == kept;
    }
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        uint32_t a = becomes[mesh->indices[i]], b = becomes[mesh->indices[i + 1]];
        uint32_t c = becomes[mesh->indices[i + 2]];

        if (a == b || b == c || c == a)
            continue;
        mesh->indices[to++] = a;
        mesh->indices[to++] = b;
        mesh->indices[to++] = c;
    }
    mesh->vertex_count = kept;
    mesh->index_count = to;
    free(table.slots);
    free(becomes);
    return true;
}

/* Edges that lie on one side of the rectangle, from corner to corner of their triangle. */
struct border_edge {
    uint32_t from, to;
};

static bool on_side(const double low[2], const double high[2], const double *a, const double *b)
{
    return (a[0] == low[0] && b[0] == low[0]) || (a[0] == high[0] && b[0] == high[0]) ||
           (a[1] == low[1] && b[1] == low[1]) || (a[1] == high[1] && b[1] == high[1]);
}

static size_t border_edges(const struct mesh *mesh, const double low[2], const double high[2],
                           struct border_edge *edges)
{
    size_t count = 0;

    for (size_t i = 0; i < mesh->index_count; i += 3) {
        for (int corner = 0; corner < 3; corner++) {
            uint32_t from = mesh->indices[i + (size_t)corner];
            uint32_t to = mesh->indices[i + (size_t)(corner + 1) % 3];

            if (!on_side(low, high, mesh->at[from], mesh->at[to]))
                continue;
            if (edges)
                edges[count] = (struct border_edge){ from, to };
            count++;
        }
    }
    return count;
}

static uint32_t hang(struct mesh *mesh, uint32_t vertex, double codes)
{
    const double *at = mesh->at[vertex];
    uint32_t below = mesh_vertex(mesh, at[0], at[1], at[2] - codes);

    if (mesh->with_normals)
        memcpy(mesh->normals[below], mesh->normals[vertex], sizeof mesh->normals[below]);
    return below;
}

bool mesh_add_skirts(struct mesh *mesh, const double low[2], const double high[2], double codes,
                     struct fault *why)
{
    size_t count = border_edges(mesh, low, high, NULL);
    struct border_edge *edges = malloc((count + 1) * sizeof *edges);
    uint32_t *below = malloc((mesh->vertex_count + 1) * sizeof *below);
    bool added = false;

    if (!edges || !below) {
        fault_set(why, FAULT_MEMORY, "no memory for the skirts of %zu edges", count);
        goto done;
    }
    if (!mesh_reserve(mesh, count * 2, count * 6, why))
        goto done;
    border_edges(mesh, low, high, edges);
    memset(below, 0xff, mesh->vertex_count * sizeof *below);
    for (size_t i = 0; i < count; i++) {
        uint32_t from = edges[i].from, to = edges[i].to;

        if (below[from] == UINT32_MAX)
            below[from] = hang(mesh, from, codes);
        if (below[to] == UINT32_MAX)
            below[to] = hang(mesh, to, codes);
        /* The triangle runs the edge forwards, the curtain backwards. */
        mesh_triangle(mesh, to, from, below[from]);
        mesh_triangle(mesh, to, below[from], below[to]);
    }
    added = true;

done:
    free(below);
    free(edges);
    return added;
}
