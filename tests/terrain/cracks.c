#include "tests/terrain/cracks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/terrain/ground.h"

/* Vertices by their place, and edges by their two ends: open addressing, half full at most. */
struct edge {
    uint32_t low, high; /* welded ends; low == high is a free slot */
    uint32_t up, down;  /* triangles that run it from low to high, and back */
};

struct welded {
    const struct mesh *mesh;
    uint32_t *place; /* of each vertex, the first that lies where it does */
    uint32_t *slots; /* vertex + 1; 0 is free */
    size_t slot_mask;
    struct edge *edges;
    size_t edge_mask;
};

static size_t room_for(size_t count)
{
    size_t room = 16;

    while (room < count * 2)
        room *= 2;
    return room;
}

static uint64_t stir(uint64_t hash, uint64_t word)
{
    hash = (hash + word) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 29;
}

static uint32_t weld_one(struct welded *welded, uint32_t vertex)
{
    const double *at = welded->mesh->at[vertex];
    uint64_t hash = 1;
    size_t slot;

    for (int i = 0; i < 3; i++) {
        double value = at[i] == 0 ? 0 : at[i];
        uint64_t word;

        memcpy(&word, &value, sizeof word);
        hash = stir(hash, word);
    }
    for (slot = hash & welded->slot_mask; welded->slots[slot];
         slot = (slot + 1) & welded->slot_mask) {
        const double *other = welded->mesh->at[welded->slots[slot] - 1];

        if (at[0] == other[0] && at[1] == other[1] && at[2] == other[2])
            return welded->slots[slot] - 1;
    }
    welded->slots[slot] = vertex + 1;
    return vertex;
}

static struct edge *edge_of(struct welded *welded, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    size_t slot = stir(stir(2, low), high) & welded->edge_mask;
    struct edge *edge;

    for (edge = &welded->edges[slot]; edge->low != edge->high;
         edge = &welded->edges[slot = (slot + 1) & welded->edge_mask])
        if (edge->low == low && edge->high == high)
            return edge;
    edge->low = low;
    edge->high = high;
    return edge;
}

static void corners_of(const struct welded *welded, size_t triangle, uint32_t corners[3])
{
    for (size_t i = 0; i < 3; i++)
        corners[i] = welded->place[welded->mesh->indices[triangle * 3 + i]];
}

static bool collapsed(const uint32_t corners[3])
{
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

/* Seen from above, in quads; positive when it turns as (00, 11, 10). */
static double area_of(const struct mesh *mesh, const uint32_t corners[3])
{
    const double *a = mesh->at[corners[0]], *b = mesh->at[corners[1]], *c = mesh->at[corners[2]];

    return ((c[0] - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (c[1] - a[1])) / 2;
}

static bool found(struct crack *crack, enum crack_kind kind, size_t triangle, const double *from,
                  const double *to, const char *says)
{
    crack->kind = kind;
    crack->triangle = triangle;
    memset(crack->from, 0, sizeof crack->from);
    memset(crack->to, 0, sizeof crack->to);
    if (from)
        memcpy(crack->from, from, sizeof crack->from);
    if (to)
        memcpy(crack->to, to, sizeof crack->to);
    snprintf(crack->says, sizeof crack->says,
             "triangle %zu, (%.17g, %.17g, %.17g) to (%.17g, %.17g, %.17g): %s", triangle,
             crack->from[0], crack->from[1], crack->from[2], crack->to[0], crack->to[1],
             crack->to[2], says);
    return false;
}

static bool sound(const struct mesh *mesh, struct crack *first)
{
    if (mesh->index_count % 3)
        return found(first, CRACK_BROKEN, mesh->index_count / 3, NULL, NULL, "is no whole one");
    for (size_t i = 0; i < mesh->index_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count)
            return found(first, CRACK_BROKEN, i / 3, NULL, NULL, "has no such vertex");
    for (size_t i = 0; i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(mesh->at[i][k]))
                return found(first, CRACK_BROKEN, 0, mesh->at[i], NULL, "is no place");
    return true;
}

static bool weld(struct welded *welded, const struct mesh *mesh)
{
    size_t slots = room_for(mesh->vertex_count), edges = room_for(mesh->index_count);

    *welded = (struct welded){ .mesh = mesh, .slot_mask = slots - 1, .edge_mask = edges - 1 };
    welded->place = malloc((mesh->vertex_count + 1) * sizeof *welded->place);
    welded->slots = calloc(slots, sizeof *welded->slots);
    welded->edges = calloc(edges, sizeof *welded->edges);
    if (!welded->place || !welded->slots || !welded->edges)
        return false;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        welded->place[i] = weld_one(welded, i);
    for (size_t t = 0; t < mesh->index_count / 3; t++) {
        uint32_t corners[3];

        corners_of(welded, t, corners);
        if (collapsed(corners))
            continue;
        for (int i = 0; i < 3; i++) {
            uint32_t from = corners[i], to = corners[(i + 1) % 3];
            struct edge *edge = edge_of(welded, from, to);

            edge->up += from < to;
            edge->down += from > to;
        }
    }
    return true;
}

static bool triangle_whole(struct welded *welded, const struct cracks_rule *rule, size_t triangle,
                           struct crack *first)
{
    const struct mesh *mesh = welded->mesh;
    uint32_t corners[3];
    double area;

    corners_of(welded, triangle, corners);
    area = area_of(mesh, corners);
    if (!rule->folds && !(area > 0))
        return found(first, area < 0 ? CRACK_TURNED : CRACK_FLAT, triangle, mesh->at[corners[0]],
                     mesh->at[corners[1]], area < 0 ? "is seen from below" : "has no area");
    if (collapsed(corners))
        return true;
    for (int i = 0; i < 3; i++) {
        uint32_t from = corners[i], to = corners[(i + 1) % 3];
        const struct edge *edge = edge_of(welded, from, to);

        if (edge->up > 1 || edge->down > 1)
            return found(first, CRACK_CROWDED, triangle, mesh->at[from], mesh->at[to],
                         "too many triangles meet at this edge");
        if (edge->up + edge->down == 1 &&
            !rule->may_end(rule->context, mesh->at[from], mesh->at[to]))
            return found(first, CRACK_OPEN, triangle, mesh->at[from], mesh->at[to],
                         "nothing on the other side, where there is ground");
    }
    return true;
}

static bool all_whole(struct welded *welded, const struct cracks_rule *rule, struct crack *first)
{
    double area = 0;

    for (size_t t = 0; t < welded->mesh->index_count / 3; t++) {
        uint32_t corners[3];

        if (!triangle_whole(welded, rule, t, first))
            return false;
        corners_of(welded, t, corners);
        area += area_of(welded->mesh, corners);
    }
    if (fabs(area - rule->area) > 1e-6 * fmax(1, rule->area)) {
        char says[120];

        snprintf(says, sizeof says, "%.9g quads are covered, not %.9g", area, rule->area);
        return found(first, CRACK_AREA, 0, NULL, NULL, says);
    }
    return true;
}

bool cracks_none(const struct mesh *mesh, const struct cracks_rule *rule, struct crack *first)
{
    struct welded welded = { 0 };
    bool none = false;

    *first = (struct crack){ .kind = CRACK_NONE };
    if (!sound(mesh, first))
        return false;
    if (!weld(&welded, mesh))
        found(first, CRACK_BROKEN, 0, NULL, NULL, "no memory to look at it");
    else
        none = all_whole(&welded, rule, first);
    free(welded.place);
    free(welded.slots);
    free(welded.edges);
    return none;
}

void cracks_assert_none(const struct mesh *mesh, const struct cracks_rule *rule)
{
    struct crack first;

    if (!cracks_none(mesh, rule, &first))
        fail_msg("%s", first.says);
}

static bool drawn(const struct cracks_ground *ground, int32_t x, int32_t y)
{
    if (x < 0 || y < 0 || x >= ground->columns || y >= ground->rows)
        return false;
    return !ground->drawn || ground->drawn[(size_t)y * (size_t)ground->columns + (size_t)x];
}

bool cracks_ground_ends(void *context, const double from[3], const double to[3])
{
    const struct cracks_ground *ground = context;
    int along = from[0] == to[0]; /* the axis that it runs along */
    double line = from[!along], low = fmin(from[along], to[along]);
    double high = fmax(from[along], to[along]);
    int32_t beyond;

    if (from[!along] != to[!along] || line != floor(line))
        return false;
    /* (-dy, dx): running east, south is beyond it; running south, west */
    beyond = (int32_t)line - ((from[along] < to[along]) == along);
    for (int32_t i = (int32_t)floor(low); i < high; i++)
        if (along ? drawn(ground, beyond, i) : drawn(ground, i, beyond))
            return false;
    return true;
}

struct cracks_rule cracks_ground_rule(struct cracks_ground *ground)
{
    size_t quads = (size_t)ground->columns * (size_t)ground->rows, count = 0;

    for (size_t i = 0; i < quads; i++)
        count += !ground->drawn || ground->drawn[i];
    return (struct cracks_rule){ .may_end = cracks_ground_ends,
                                 .context = ground,
                                 .area = (double)count };
}
