#include "terrain/core/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/offset.h"

struct view *view_new(struct settings **settings, uint64_t incarnation, uint64_t version,
                      uint16_t code)
{
    const struct grid *grid = &(*settings)->grid;
    struct view *view = calloc(1, sizeof *view);
    struct layer_plane *base;

    if (!view)
        return NULL;
    atomic_init(&view->holders, 1);
    view->incarnation = incarnation;
    view->version = version;
    view->settings_version = version;
    view->place_version = version;
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        view->planes[plane] = tree_flat((enum plane)plane, grid->columns, grid->rows,
                                        plane == PLANE_HEIGHTS ? code : 0, version);
    view->settings = settings_hold(*settings);
    base = view_layer_put(view, channel_key(BASE_LAYER, CHANNEL_LOW, 0), version);
    if (!base) {
        view_drop(view);
        return NULL;
    }
    base->tree = tree_hold(&view->planes[PLANE_HEIGHTS]);
    settings_drop(*settings);
    *settings = NULL;
    return view;
}

void view_again(struct view *view)
{
    static _Atomic uint64_t makings = 1;

    view->again = atomic_fetch_add_explicit(&makings, 1, memory_order_relaxed);
    view->change_count = 0;
}

bool view_share_base(struct view *view, struct fault *why)
{
    static const struct {
        enum plane plane;
        enum channel channel;
    } shared[] = { { PLANE_HEIGHTS, CHANNEL_LOW }, { PLANE_HOLES, CHANNEL_HOLES } };

    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        const struct tree *tree = &view->planes[shared[i].plane];
        uint64_t key = channel_key(BASE_LAYER, shared[i].channel, 0);
        bool rests =
            !tree->root.below && tree->root.summary.least == channels[shared[i].channel].rest;
        struct layer_plane *layer;

        if (rests && !view_layer(view, key))
            continue;
        layer = view_layer_put(view, key, view->version);
        if (!layer)
            return fault_set(why, FAULT_MEMORY, "no memory for a layer's planes");
        tree_drop(&layer->tree);
        layer->tree = tree_hold(tree);
    }
    return true;
}

struct view *view_copy(const struct view *view)
{
    const size_t rest = offsetof(struct view, incarnation);
    struct view *copy = malloc(sizeof *copy);

    if (!copy)
        return NULL;
    atomic_init(&copy->holders, 1); /* the view's own may be changing */
    memcpy((char *)copy + rest, (const char *)view + rest, sizeof *copy - rest);
    copy->weights =
        view->weights_count ? malloc((size_t)view->weights_count * sizeof *copy->weights) : NULL;
    copy->layers =
        view->layers_count ? malloc((size_t)view->layers_count * sizeof *copy->layers) : NULL;
    if ((view->weights_count && !copy->weights) || (view->layers_count && !copy->layers)) {
        free(copy->weights);
        free(copy->layers);
        free(copy);
        return NULL;
    }
    settings_hold(view->settings);
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        tree_hold(&view->planes[plane]);
    for (int32_t i = 0; i < view->weights_count; i++) {
        copy->weights[i] = view->weights[i];
        tree_hold(&view->weights[i].tree);
    }
    for (int32_t i = 0; i < view->layers_count; i++) {
        copy->layers[i] = view->layers[i];
        tree_hold(&view->layers[i].tree);
    }
    return copy;
}

static void backdate(uint64_t *stamp, uint64_t version)
{
    *stamp = *stamp < version ? *stamp : version;
}

static bool backdate_stack(struct view *view, uint64_t version)
{
    struct settings *settings;
    struct stack *stack;

    if (view->settings->stack->reshaped <= version)
        return true;
    settings = settings_copy(view->settings);
    stack = settings ? stack_copy(settings->stack) : NULL;
    if (!stack) {
        settings_drop(settings);
        return false;
    }
    stack->reshaped = version;
    stack_drop(settings->stack);
    settings->stack = stack;
    settings_drop(view->settings);
    view->settings = settings;
    return true;
}

bool view_backdate(struct view *view, uint64_t version)
{
    bool done = backdate_stack(view, version);

    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        done = done && tree_backdate(&view->planes[plane], version);
    for (int32_t i = 0; i < view->weights_count; i++)
        done = done && tree_backdate(&view->weights[i].tree, version);
    for (int32_t i = 0; i < view->layers_count; i++) {
        done = done && tree_backdate(&view->layers[i].tree, version);
        backdate(&view->layers[i].born, version);
    }
    view->change_count = 0;
    backdate(&view->version, version);
    backdate(&view->settings_version, version);
    backdate(&view->place_version, version);
    return done;
}

struct view *view_hold(const struct view *view)
{
    struct view *held = (struct view *)(uintptr_t)view;

    atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
    return held;
}

void view_drop(struct view *view)
{
    if (!view || atomic_fetch_sub_explicit(&view->holders, 1, memory_order_acq_rel) != 1)
        return;
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        tree_drop(&view->planes[plane]);
    for (int32_t i = 0; i < view->weights_count; i++)
        tree_drop(&view->weights[i].tree);
    for (int32_t i = 0; i < view->layers_count; i++)
        tree_drop(&view->layers[i].tree);
    free(view->weights);
    free(view->layers);
    settings_drop(view->settings);
    free(view);
}

/* Where the key is among the layers' planes, or belongs. */
static int32_t layer_place(const struct view *view, uint64_t key)
{
    int32_t first = 0, end = view->layers_count;

    while (first < end) {
        int32_t middle = (first + end) / 2;

        if (view->layers[middle].key < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static int32_t weights_place(const struct view *view, uint32_t paint)
{
    int32_t first = 0;

    while (first < view->weights_count && view->weights[first].paint < paint)
        first++;
    return first;
}

const struct tree *view_layer(const struct view *view, uint64_t key)
{
    int32_t at = layer_place(view, key);

    return at < view->layers_count && view->layers[at].key == key ? &view->layers[at].tree : NULL;
}

const struct layer_plane *view_layer_all(const struct view *view, uint32_t layer, int32_t *count)
{
    int32_t first = layer_place(view, channel_key(layer, (enum channel)0, 0)), end = first;

    while (end < view->layers_count && key_layer(view->layers[end].key) == layer)
        end++;
    *count = end - first;
    return view->layers + first;
}

const struct tree *view_weights(const struct view *view, uint32_t paint)
{
    int32_t at = weights_place(view, paint);

    return at < view->weights_count && view->weights[at].paint == paint ? &view->weights[at].tree
                                                                        : NULL;
}

struct layer_plane *view_layer_put(struct view *view, uint64_t key, uint64_t born)
{
    int32_t at = layer_place(view, key);
    struct layer_plane *grown;

    if (at < view->layers_count && view->layers[at].key == key)
        return &view->layers[at];
    grown = realloc(view->layers, (size_t)(view->layers_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    memmove(grown + at + 1, grown + at, (size_t)(view->layers_count - at) * sizeof *grown);
    grown[at] = (struct layer_plane){ key, born, channel_tree(view->settings, key, 1) };
    view->layers = grown;
    view->layers_count++;
    return &grown[at];
}

struct tree *view_weights_put(struct view *view, uint32_t paint)
{
    const struct grid *grid = view_grid(view);
    int32_t at = weights_place(view, paint);
    struct paint_plane *grown;

    if (at < view->weights_count && view->weights[at].paint == paint)
        return &view->weights[at].tree;
    grown = realloc(view->weights, (size_t)(view->weights_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    memmove(grown + at + 1, grown + at, (size_t)(view->weights_count - at) * sizeof *grown);
    grown[at] =
        (struct paint_plane){ paint, tree_flat(PLANE_WEIGHTS, grid->columns, grid->rows, 0, 1) };
    view->weights = grown;
    view->weights_count++;
    return &grown[at].tree;
}

void view_layer_drop(struct view *view, uint64_t key)
{
    int32_t at = layer_place(view, key);

    if (at == view->layers_count || view->layers[at].key != key)
        return;
    tree_drop(&view->layers[at].tree);
    view->layers_count--;
    memmove(view->layers + at, view->layers + at + 1,
            (size_t)(view->layers_count - at) * sizeof *view->layers);
}

void view_weights_drop(struct view *view, uint32_t paint)
{
    int32_t at = weights_place(view, paint);

    if (at == view->weights_count || view->weights[at].paint != paint)
        return;
    tree_drop(&view->weights[at].tree);
    view->weights_count--;
    memmove(view->weights + at, view->weights + at + 1,
            (size_t)(view->weights_count - at) * sizeof *view->weights);
}

uint16_t view_height(const struct view *view, int32_t x, int32_t y)
{
    return tree_value(&view->planes[PLANE_HEIGHTS], x, y);
}

bool view_hole(const struct view *view, int32_t x, int32_t y)
{
    return tree_value(&view->planes[PLANE_HOLES], x, y) != 0;
}

/* The four corners of a quad: one look-up when they lie in one block. */
static void read_corners(const struct view *view, int32_t i, int32_t j, int32_t corners[4])
{
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    int32_t x = i & BLOCK_MASK, y = j & BLOCK_MASK;

    if (x < BLOCK_MASK && y < BLOCK_MASK) {
        const struct child *leaf = tree_leaf(tree, i >> BLOCK_LOG2, j >> BLOCK_LOG2);
        const uint16_t *at = leaf->below ? block_heights(leaf->below) + y * BLOCK_SIDE + x : NULL;

        corners[0] = at ? at[0] : leaf->summary.least;
        corners[1] = at ? at[1] : leaf->summary.least;
        corners[2] = at ? at[BLOCK_SIDE] : leaf->summary.least;
        corners[3] = at ? at[BLOCK_SIDE + 1] : leaf->summary.least;
        return;
    }
    for (int k = 0; k < 4; k++)
        corners[k] = tree_value(tree, i + (k & 1), j + (k >> 1));
}

bool view_code_at(const struct view *view, double x, double y, double *code)
{
    const struct grid *grid = view_grid(view);
    double across, down;
    int32_t corners[4], i, j;

    if (!(x >= 0 && y >= 0 && x <= grid->columns - 1 && y <= grid->rows - 1))
        return false;
    i = x < grid->columns - 2 ? (int32_t)x : grid->columns - 2;
    j = y < grid->rows - 2 ? (int32_t)y : grid->rows - 2;
    across = x - i;
    down = y - j;
    read_corners(view, i, j, corners);
    *code = view_quad_code(corners[0], corners[1], corners[2], corners[3], across, down);
    return true;
}

void view_read_heights(const struct view *view, struct rect from, uint16_t *heights, int64_t stride)
{
    tree_read(&view->planes[PLANE_HEIGHTS], from, heights, stride);
}

void view_read_around(const struct view *view, struct rect from, uint16_t *heights, int64_t stride)
{
    struct rect inside = rect_meet(from, view_rect(view));
    int32_t west = inside.x - from.x, north = inside.y - from.y;

    if (rect_empty(inside)) {
        /* Wholly beyond: every value is one of the border's. */
        int32_t right = view_rect(view).width - 1, bottom = view_rect(view).height - 1;

        for (int32_t y = 0; y < from.height; y++) {
            for (int32_t x = 0; x < from.width; x++) {
                int32_t i = from.x + x, j = from.y + y;

                heights[y * stride + x] = view_height(view,
                                                      i < 0       ? 0
                                                      : i > right ? right
                                                                  : i,
                                                      j < 0        ? 0
                                                      : j > bottom ? bottom
                                                                   : j);
            }
        }
        return;
    }
    view_read_heights(view, inside, heights + north * stride + west, stride);
    for (int32_t y = north; y < north + inside.height; y++) {
        uint16_t *row = heights + y * stride;

        for (int32_t x = 0; x < west; x++)
            row[x] = row[west];
        for (int32_t x = west + inside.width; x < from.width; x++)
            row[x] = row[west + inside.width - 1];
    }
    for (int32_t y = 0; y < from.height; y++) {
        int32_t nearest = y < north ? north : north + inside.height - 1;

        if (y < north || y > nearest)
            memcpy(heights + y * stride, heights + nearest * stride,
                   (size_t)from.width * sizeof *heights);
    }
}

void view_read_holes(const struct view *view, struct rect from, uint8_t *holes, int64_t stride)
{
    tree_read(&view->planes[PLANE_HOLES], from, holes, stride);
    for (int32_t y = 0; y < from.height; y++) {
        for (int32_t x = 0; x < from.width; x++)
            holes[y * stride + x] = holes[y * stride + x] ? 255 : 0;
    }
}

static const struct tree *offsets_of(const struct view *view, int axis)
{
    return view_layer(view, channel_key(0, axis ? CHANNEL_OFFSET_Y : CHANNEL_OFFSET_X, 0));
}

void view_read_offsets(const struct view *view, int axis, struct rect from, uint16_t *offsets,
                       int64_t stride)
{
    const struct tree *tree = offsets_of(view, axis);

    if (tree) {
        tree_read(tree, from, offsets, stride);
        return;
    }
    for (int32_t y = 0; y < from.height; y++)
        for (int32_t x = 0; x < from.width; x++)
            offsets[y * stride + x] = OFFSET_REST;
}

bool view_has_offsets(const struct view *view)
{
    for (int axis = 0; axis < 2; axis++) {
        const struct tree *tree = offsets_of(view, axis);

        if (tree &&
            (tree->root.summary.least != OFFSET_REST || tree->root.summary.greatest != OFFSET_REST))
            return true;
    }
    return false;
}

void view_bound_offsets(const struct view *view, struct rect over, double least[2],
                        double greatest[2])
{
    over = rect_meet(over, view_rect(view));
    for (int axis = 0; axis < 2; axis++) {
        const struct tree *tree = offsets_of(view, axis);
        struct summary all = { 0, OFFSET_REST, OFFSET_REST };

        if (tree && !rect_empty(over))
            all = tree_bounds(tree, over);
        least[axis] = offset_decode(all.least);
        greatest[axis] = offset_decode(all.greatest);
    }
}

uint64_t view_newest_offsets(const struct view *view, struct rect over)
{
    uint64_t newest = 0;

    for (int axis = 0; axis < 2; axis++) {
        const struct tree *tree = offsets_of(view, axis);
        uint64_t version = tree ? tree_newest(tree, over) : 0;

        newest = version > newest ? version : newest;
    }
    return newest;
}

uint64_t view_newest(const struct view *view, struct rect over)
{
    uint64_t newest = view->place_version;

    for (int plane = 0; plane < RESOLVED_PLANES; plane++) {
        uint64_t version = tree_newest(&view->planes[plane], over);

        newest = version > newest ? version : newest;
    }
    return newest;
}

uint64_t view_newest_weights(const struct view *view, struct rect over)
{
    uint64_t newest = view->settings->stack->reshaped;

    for (int32_t i = 0; i < view->weights_count; i++) {
        uint64_t version = tree_newest(&view->weights[i].tree, over);

        newest = version > newest ? version : newest;
    }
    return newest;
}

/* Blocks that a resolved plane and the base layer share count once. */
uint64_t view_bytes(const struct view *view)
{
    uint64_t bytes = sizeof *view + sizeof *view->settings;

    for (int32_t i = 0; i < view->layers_count; i++)
        bytes += tree_bytes(&view->layers[i].tree);
    for (int plane = 0; plane < RESOLVED_PLANES; plane++)
        bytes += tree_bytes_beside(
            &view->planes[plane],
            view_layer(view, channel_key(BASE_LAYER,
                                         plane == PLANE_HEIGHTS ? CHANNEL_LOW : CHANNEL_HOLES, 0)));
    for (int32_t i = 0; i < view->weights_count; i++)
        bytes += tree_bytes_beside(
            &view->weights[i].tree,
            view_layer(view, channel_key(BASE_LAYER, CHANNEL_WEIGHTS, view->weights[i].paint)));
    return bytes;
}
