#include "terrain/lod/quadtree.h"

#include <math.h>
#include <stdlib.h>

#include "terrain/lod/extent.h"
#include "terrain/lod/quadtree_bounds.h"

enum { PATCHES_MOST = 1 << 22, NODE_ABSENT = -2, NODE_LEAF = -1 };

struct node {
    int32_t x, y; /* nodes of its level */
    int32_t level;
    int32_t below; /* the first of its four children; NODE_LEAF; NODE_ABSENT */
};

struct picking {
    const struct view *view;
    const struct frustum *frustum;
    const struct pick_options *options;
    const struct quadtree_bounds *bounds;
    double across;      /* metres a quad, of the wider axis */
    double pixels;      /* a metre, one metre away or, if ortho, anywhere */
    struct node *nodes; /* the root first */
    size_t count, room, leaves;
    int32_t *queue; /* to be looked at for balance */
    size_t queued, queue_room;
};

static int32_t node_size(const struct picking *picking, int32_t level)
{
    return picking->bounds->leaf << level;
}

static void node_box(const struct picking *picking, const struct node *node, double low[3],
                     double high[3])
{
    const struct grid *grid = view_grid(picking->view);
    const int32_t size = node_size(picking, node->level),
                  at[2] = { node->x * size, node->y * size };
    const struct node_range *range =
        &picking->bounds->level[node->level]
             .ranges[quadtree_node(picking->bounds, node->level, node->x, node->y)];

    for (int axis = 0; axis < 2; axis++) {
        int32_t end = patch_end(picking->view, axis);

        end = end - at[axis] < size ? end : at[axis] + size;
        low[axis] = grid->origin[axis] + at[axis] * grid->scale[axis];
        high[axis] = grid->origin[axis] + end * grid->scale[axis];
    }
    low[2] = grid_metres(grid, range->least);
    high[2] = grid_metres(grid, range->greatest);
    extent_widen(picking->view, (struct rect){ at[0], at[1], size + 1, size + 1 }, low, high);
}

/* How far its mesh lies from the ground: up and down, and aside where vertices are moved by other
 * offsets than those between which they are left out. */
static double node_error(const struct picking *picking, const struct node *node)
{
    const struct grid *grid = view_grid(picking->view);
    const int32_t size = node_size(picking, node->level);
    const struct rect closed = { node->x * size, node->y * size, size + 1, size + 1 };
    double error = picking->bounds->level[node->level]
                       .errors[quadtree_node(picking->bounds, node->level, node->x, node->y)] *
                   grid->scale[2] / 128;
    double least[2], greatest[2];

    if (size == picking->options->quadtree.grid)
        return error;
    view_bound_offsets(picking->view, closed, least, greatest);
    for (int axis = 0; axis < 2; axis++)
        error = hypot(error, (greatest[axis] - least[axis]) * grid->scale[axis]);
    return error;
}

static double node_distance(const struct picking *picking, const struct node *node)
{
    double low[3], high[3];

    node_box(picking, node, low, high);
    return look_distance(&picking->frustum->look, low, high);
}

/* How near the eye must be for the node to be split. */
static double split_distance(const struct picking *picking, const struct node *node)
{
    const struct quadtree_options *options = &picking->options->quadtree;
    double metres = node_size(picking, node->level) * picking->across, error;

    switch (options->split) {
    case SPLIT_DISTANCE:
        return options->factor * metres;
    case SPLIT_RANGES:
        return options->factor * metres / 2;
    default:
        error = node_error(picking, node) * picking->pixels / options->pixel_error;
        if (picking->frustum->look.ortho)
            return error > 1 ? INFINITY : 0;
        return error;
    }
}

static bool room_for_four(struct picking *picking)
{
    struct node *grown;
    size_t room = picking->room * 2 + 64;

    if (picking->count + 4 <= picking->room)
        return true;
    grown = realloc(picking->nodes, room * sizeof *grown);
    if (!grown)
        return false;
    picking->nodes = grown;
    picking->room = room;
    return true;
}

static bool split(struct picking *picking, size_t number, struct fault *why)
{
    const struct node node = picking->nodes[number];
    const struct node_level *below = &picking->bounds->level[node.level - 1];

    if (picking->leaves + 3 > PATCHES_MOST)
        return fault_set(why, FAULT_LIMIT,
                         "the selection has more than %d nodes: split later, by a smaller factor "
                         "or a greater pixel error, or take greater leaves",
                         PATCHES_MOST);
    if (!room_for_four(picking))
        return fault_set(why, FAULT_MEMORY, "no memory for %zu nodes", picking->count + 4);
    picking->nodes[number].below = (int32_t)picking->count;
    picking->leaves--;
    for (int k = 0; k < 4; k++) {
        struct node child = { node.x * 2 + (k & 1), node.y * 2 + (k >> 1), node.level - 1,
                              NODE_LEAF };

        if (child.x >= below->across || child.y >= below->down)
            child.below = NODE_ABSENT;
        else
            picking->leaves++;
        picking->nodes[picking->count++] = child;
    }
    return true;
}

/* Nodes are looked at as they are made, so that the array is its own queue. */
static bool split_all(struct picking *picking, struct fault *why)
{
    for (size_t number = 0; number < picking->count; number++) {
        const struct node *node = &picking->nodes[number];

        if (node->below == NODE_ABSENT || node->level == 0 ||
            !(node_distance(picking, node) < split_distance(picking, node)))
            continue;
        if (!split(picking, number, why))
            return false;
    }
    return true;
}

static bool enqueue(struct picking *picking, size_t number)
{
    if (picking->queued == picking->queue_room) {
        size_t room = picking->queue_room * 2 + 64;
        int32_t *grown = realloc(picking->queue, room * sizeof *grown);

        if (!grown)
            return false;
        picking->queue = grown;
        picking->queue_room = room;
    }
    picking->queue[picking->queued++] = (int32_t)number;
    return true;
}

/* The leaf of the tree over a quad. */
static size_t leaf_over(const struct picking *picking, int32_t x, int32_t y)
{
    size_t number = 0;

    while (picking->nodes[number].below >= 0) {
        const struct node *node = &picking->nodes[number];
        int32_t half = node_size(picking, node->level - 1);

        number = (size_t)node->below + (size_t)((x / half & 1) + (y / half & 1) * 2);
    }
    return number;
}

/* A quad beyond a side of the node: north, west, east, south. False beyond the landscape. */
static bool beyond(const struct picking *picking, const struct node *node, int side, int32_t at[2])
{
    const int32_t size = node_size(picking, node->level);

    at[0] = node->x * size + (side == 1 ? -1 : side == 2 ? size : 0);
    at[1] = node->y * size + (side == 0 ? -1 : side == 3 ? size : 0);
    return at[0] >= 0 && at[1] >= 0 && at[0] < patch_end(picking->view, 0) &&
           at[1] < patch_end(picking->view, 1);
}

/* A node makes its coarser neighbours fit it; what that makes is looked at in turn. Which nodes
 * have to be split follows from those that are there, in whatever order they are looked at. */
static bool balance_one(struct picking *picking, size_t number, struct fault *why)
{
    const struct node node = picking->nodes[number];

    for (int side = 0; side < 4; side++) {
        int32_t at[2];

        if (!beyond(picking, &node, side, at))
            continue;
        for (;;) {
            size_t other = leaf_over(picking, at[0], at[1]);

            if (picking->nodes[other].level - node.level <= picking->options->quadtree.balance)
                break;
            if (!split(picking, other, why))
                return false;
            for (size_t k = 4; k > 0; k--)
                if (!enqueue(picking, picking->count - k))
                    return fault_set(why, FAULT_MEMORY, "no memory to balance the nodes");
        }
    }
    return true;
}

static bool balance(struct picking *picking, struct fault *why)
{
    if (!picking->options->quadtree.balance)
        return true;
    for (size_t number = picking->count; number > 0; number--)
        if (!enqueue(picking, number - 1))
            return fault_set(why, FAULT_MEMORY, "no memory to balance the nodes");
    while (picking->queued > 0) {
        size_t number = (size_t)picking->queue[--picking->queued];

        if (picking->nodes[number].below == NODE_LEAF && !balance_one(picking, number, why))
            return false;
    }
    return true;
}

/* The mesh between two levels shows no more error than the parent would. */
static bool beyond_half(const struct picking *picking, const struct node *node, double distance)
{
    double from = sqrt(2) * split_distance(picking, node);

    if (!picking->options->quadtree.half_step)
        return false;
    if (picking->options->quadtree.split == SPLIT_ERROR) {
        struct node parent = { node->x / 2, node->y / 2, node->level + 1, 0 };

        if (parent.level >= picking->bounds->levels)
            return false;
        from = fmax(from, split_distance(picking, &parent));
    }
    return distance >= from;
}

static void fill_neighbours(const struct picking *picking, const struct node *node,
                            struct patch *patch)
{
    for (int side = 0; side < 4; side++) {
        int32_t at[2], level = node->level;

        if (beyond(picking, node, side, at))
            level = picking->nodes[leaf_over(picking, at[0], at[1])].level;
        patch->neighbours[side] = level > node->level ? level - node->level : 0;
    }
}

static double shown_level(const struct picking *picking, const struct node *node, double distance)
{
    struct patch_morph morph;

    if (picking->options->quadtree.split != SPLIT_RANGES)
        return node->level;
    quadtree_morph(picking->view, &picking->options->quadtree, node->level, &morph);
    return node->level + patch_morphed(&morph, distance);
}

static void fill_patch(const struct picking *picking, const struct node *node, struct patch *patch)
{
    const int32_t size = node_size(picking, node->level);
    const struct node_range *range =
        &picking->bounds->level[node->level]
             .ranges[quadtree_node(picking->bounds, node->level, node->x, node->y)];
    double low[3], high[3];

    node_box(picking, node, low, high);
    *patch = (struct patch){ .x = node->x * size,
                             .y = node->y * size,
                             .size = size,
                             .level = node->level,
                             .least = range->least,
                             .greatest = range->greatest };
    patch->distance = look_distance(&picking->frustum->look, low, high);
    patch->lod = shown_level(picking, node, patch->distance);
    patch->draw = beyond_half(picking, node, patch->distance);
    patch->visible = picking->options->everything || frustum_sees(picking->frustum, low, high);
    fill_neighbours(picking, node, patch);
}

static int by_place(const void *one, const void *other)
{
    const struct patch *a = one, *b = other;

    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->y < b->y ? -1 : a->y > b->y;
}

static bool fill_patches(const struct picking *picking, struct picks *picks, struct fault *why)
{
    picks->patches = malloc(picking->leaves * sizeof *picks->patches);
    if (!picks->patches)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu patches", picking->leaves);
    for (size_t number = 0; number < picking->count; number++)
        if (picking->nodes[number].below == NODE_LEAF)
            fill_patch(picking, &picking->nodes[number], &picks->patches[picks->count++]);
    qsort(picks->patches, picks->count, sizeof *picks->patches, by_place);
    return true;
}

/* Only holes, and neighbours beyond the reach of strips, give a node more triangles than the
 * differences say. */
static bool borders_are_plain(const struct picking *picking)
{
    return picking->options->quadtree.balance && !patch_any_hole(picking->view);
}

static bool count_one(const struct picking *picking, struct derived_cache *cache,
                      struct quadtree_index *index, struct patch *patch, struct fault *why)
{
    struct patch_place place = quadtree_place(&picking->options->quadtree, patch);
    struct patch_style style = quadtree_style(picking->options, patch);
    struct patch_border plain[PATCH_SIDES];
    const struct patch_border *borders = plain;
    int64_t triangles;

    if (index->slots) {
        if (!quadtree_borders(index, patch, why))
            return false;
        borders = index->borders;
    } else {
        quadtree_borders_plain(patch, plain);
    }
    if (!patch_count(picking->view, cache, &place, &style, borders, &triangles, why))
        return false;
    patch->triangles = (int32_t)triangles;
    patch->draws = triangles > 0;
    return true;
}

/* Triangles and draws of what is visible. */
static bool count_all(const struct picking *picking, struct derived_cache *cache,
                      struct picks *picks, struct fault *why)
{
    struct quadtree_index index = { 0 };
    bool counted = borders_are_plain(picking) ||
                   quadtree_index_init(&index, picking->view, picking->options, picks, why);

    for (size_t i = 0; counted && i < picks->count; i++) {
        struct patch *patch = &picks->patches[i];

        picks->visible += patch->visible;
        picks->culled += !patch->visible;
        counted = !patch->visible || count_one(picking, cache, &index, patch, why);
        picks->triangles += patch->triangles;
        picks->draws += patch->draws;
    }
    quadtree_index_fini(&index);
    return counted;
}

static bool power_of_two(int32_t number)
{
    return number > 0 && !(number & (number - 1));
}

static bool options_fit(const struct quadtree_options *options, struct fault *why)
{
    const int32_t least = 1 << PATCH_GRID_LOG2_LEAST, most = 1 << PATCH_GRID_LOG2_MOST;

    if (!power_of_two(options->leaf) || options->leaf < least || options->leaf > most)
        return fault_set(why, FAULT_INPUT, "leaf %d is no power of two from %d to %d",
                         options->leaf, least, most) ||
               fault_at(why, "leaf");
    if (!power_of_two(options->grid) || options->grid < least || options->grid > options->leaf)
        return fault_set(why, FAULT_INPUT, "grid %d is no power of two from %d to the leaf's %d",
                         options->grid, least, options->leaf) ||
               fault_at(why, "grid");
    if (options->balance < 0 || options->balance > PATCH_DIFFERENCES - 1)
        return fault_set(why, FAULT_INPUT, "balance %d is not from 0 to %d", options->balance,
                         PATCH_DIFFERENCES - 1) ||
               fault_at(why, "balance");
    if (options->split == SPLIT_ERROR ? !(options->pixel_error > 0) : !(options->factor >= 0))
        return fault_set(why, FAULT_INPUT,
                         "nodes are split by a factor from 0 on, or by a pixel "
                         "error above 0");
    return true;
}

bool pick_quadtree(const struct view *view, struct derived_cache *cache,
                   const struct frustum *frustum, const struct pick_options *options,
                   struct picks *picks, struct fault *why)
{
    const struct quadtree_options *own = &options->quadtree;
    const struct grid *grid = view_grid(view);
    struct picking picking = { .view = view, .frustum = frustum, .options = options };
    struct quadtree_bounds *bounds;
    bool picked = false;

    *picks = (struct picks){ 0 };
    if (!options_fit(own, why))
        return false;
    bounds =
        quadtree_bounds(view, cache, own->leaf, own->split == SPLIT_ERROR ? own->grid : 0, why);
    if (!bounds)
        return false;
    picking.bounds = bounds;
    picking.across = fmax(grid->scale[0], grid->scale[1]);
    picking.pixels = options->height / (2 * frustum->look.half[1]);
    picks->leaf = own->leaf;
    picks->levels = bounds->levels;
    for (int k = 0; k < 3; k++)
        picks->eye[k] = frustum->look.eye[k];
    if (!room_for_four(&picking)) {
        fault_set(why, FAULT_MEMORY, "no memory for a quadtree");
        goto done;
    }
    picking.nodes[0] = (struct node){ 0, 0, bounds->levels - 1, NODE_LEAF };
    picking.count = picking.leaves = 1;
    picked = split_all(&picking, why) && balance(&picking, why) &&
             fill_patches(&picking, picks, why) && count_all(&picking, cache, picks, why);

done:
    free(picking.nodes);
    free(picking.queue);
    derived_drop(&bounds->derived);
    if (!picked)
        picks_free(picks);
    return picked;
}
