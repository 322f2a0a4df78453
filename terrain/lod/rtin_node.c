#include "terrain/lod/rtin_coarse.h"

#include <assert.h>

static int32_t stride_of(const struct rtin_node *node)
{
    return node->size / node->grid;
}

static struct rect node_vertices(const struct view *view, const struct rtin_node *node)
{
    return rect_meet((struct rect){ node->x, node->y, node->size + 1, node->size + 1 },
                     view_rect(view));
}

/* Whether any quad of it is on the landscape. */
static bool on_landscape(const struct view *view, const struct rtin_node *node)
{
    const struct rect there = node_vertices(view, node);

    return there.width > 1 && there.height > 1;
}

struct making {
    const struct view *view;
    struct derived_cache *cache;
    const struct rtin_node *node;
    enum hole_rule rule;
};

static struct derived *make_own(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    const struct rtin_node *node = making->node;
    const struct rect vertices = node_vertices(making->view, node);
    const struct rtin_map *was = (const struct rtin_map *)older;

    if (stride_of(node) == 1 && node->grid >= RTIN_FINE_LEAST)
        return rtin_fine_node(making->view, node, vertices, was, why);
    return rtin_coarse_node(making->view, node, making->rule, vertices, was, why);
}

/* Names what a rectangle's surface was made from. */
static uint64_t stamp_of(const struct view *view, struct rect over)
{
    const struct rect all = view_rect(view);
    const uint64_t words[] = { view_newest(view, rect_meet(over, all)), view->again,
                               (uint64_t)all.width, (uint64_t)all.height };
    uint64_t stamp = 0;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        stamp = (stamp ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        stamp ^= stamp >> 29;
    }
    return stamp;
}

static struct derived_place place_of(const void *kind, const struct making *making)
{
    const struct rtin_node *node = making->node;

    return (struct derived_place){ kind,
                                   making->view->incarnation,
                                   { node->x, node->y, node->size, node->grid },
                                   (uint64_t)making->rule };
}

static struct rtin_map *own_map(const struct making *making, struct fault *why)
{
    static const char kind;
    const struct derived_place place = place_of(&kind, making);
    const struct rtin_node *node = making->node;
    const uint64_t stamp =
        stamp_of(making->view, (struct rect){ node->x, node->y, node->size + 1, node->size + 1 });

    return (struct rtin_map *)derived_get(making->cache, &place, stamp, make_own,
                                          (void *)(uintptr_t)making, why);
}

static struct derived *make_closed(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    const struct rtin_map *around[9] = { NULL };
    struct rtin_map *closed = NULL;
    bool done = true;

    (void)older;
    for (int32_t i = 0; done && i < 9; i++) {
        struct rtin_node node = *making->node;
        const struct making there = { making->view, making->cache, &node, making->rule };

        node.x += (i % 3 - 1) * node.size;
        node.y += (i / 3 - 1) * node.size;
        if (node.x < 0 || node.y < 0 || !on_landscape(making->view, &node))
            continue;
        around[i] = own_map(&there, why);
        done = around[i];
    }
    if (done)
        closed = rtin_close(around, why);
    for (int i = 0; i < 9; i++)
        if (around[i])
            derived_drop((struct derived *)(uintptr_t)&around[i]->derived);
    return closed ? &closed->derived : NULL;
}

static struct rtin_map *closed_map(const struct making *making, struct fault *why)
{
    static const char kind;
    const struct derived_place place = place_of(&kind, making);
    const struct rtin_node *node = making->node;
    const int32_t side = node->size * 3 + 1;
    const uint64_t stamp = stamp_of(
        making->view, (struct rect){ node->x - node->size, node->y - node->size, side, side });

    assert(node->grid >= 1 << RTIN_LOG2_LEAST && node->grid <= 1 << RTIN_LOG2_MOST);
    assert(node->size % node->grid == 0 && node->x % node->size == 0 && node->y % node->size == 0);
    return (struct rtin_map *)derived_get(making->cache, &place, stamp, make_closed,
                                          (void *)(uintptr_t)making, why);
}

struct rtin_map *rtin_node_map(const struct view *view, struct derived_cache *cache,
                               const struct rtin_node *node, enum hole_rule holes,
                               struct fault *why)
{
    const struct making making = { view, cache, node, holes };

    return closed_map(&making, why);
}

bool rtin_node_mesh(const struct view *view, struct derived_cache *cache,
                    const struct rtin_node *node, enum hole_rule holes, double max_error,
                    struct mesh *mesh, struct fault *why)
{
    const struct making making = { view, cache, node, holes };
    const struct grid *grid = view_grid(view);
    const struct rtin_frame frame = { { node->x, node->y },
                                      stride_of(node),
                                      { grid->columns - 1, grid->rows - 1 } };
    const size_t first = mesh->vertex_count;
    struct rtin_map *map;
    bool done;

    if (!on_landscape(view, node))
        return true;
    map = closed_map(&making, why);
    if (!map)
        return false;
    done = rtin_mesh_within(map, &frame, grid->scale[2] / 128, max_error, mesh, why);
    derived_drop(&map->derived);
    if (done)
        mesh_fill_normals(view, mesh, first);
    return done;
}

/* What is left when nothing is left out of the grid. */
static int16_t least_left(const struct rtin_map *own)
{
    const int32_t quads = 1 << 2 * own->log2;
    int16_t most = 0;

    for (int32_t i = 0; i < quads && !own->turns; i++)
        if (own->rest[i] > most && !(own->quads && own->quads[i] == RTIN_LEFT_OUT))
            most = own->rest[i];
    return most;
}

bool rtin_node_errors(const struct view *view, struct derived_cache *cache,
                      const struct rtin_node *node, enum hole_rule holes, double *coarsest,
                      double *finest, struct fault *why)
{
    const struct making making = { view, cache, node, holes };
    const double unit = view_grid(view)->scale[2] / 128;
    struct rtin_map *map;
    int16_t most;

    *coarsest = *finest = 0;
    if (!on_landscape(view, node))
        return true;
    map = closed_map(&making, why);
    if (!map)
        return false;
    rtin_walk(map, NULL, RTIN_GREATEST, NULL, &most, why);
    *coarsest = rtin_unpack(most) * unit;
    *finest = rtin_unpack(least_left(map->of)) * unit;
    derived_drop(&map->derived);
    return true;
}
