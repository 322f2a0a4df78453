#include "terrain/lod/quadtree_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/lod/patch_ground.h"

enum {
    PARTS_LOG2_MOST = 3,
    WHOLE_MOST = 8192 /* quads a side, below which sums of three codes times it fit 31 bits */
};

struct making {
    const struct view *view;
    int32_t leaf, grid;
    const struct quadtree_bounds *older;
    struct quadtree_bounds *bounds;
    uint8_t *changed[QUADTREE_LEVELS_MOST]; /* since `older`, by node */
    uint16_t *heights;                      /* room for lines of vertices */
};

static void bounds_free(struct derived *thing)
{
    struct quadtree_bounds *bounds = (struct quadtree_bounds *)thing;

    for (int level = 0; level < bounds->levels; level++) {
        free(bounds->level[level].ranges);
        free(bounds->level[level].errors);
        free(bounds->level[level].parts);
    }
    free(bounds->stamps);
    free(bounds->squares);
    free(bounds);
}

static int32_t nodes_along(int32_t quads, int64_t size)
{
    return (int32_t)((quads + size - 1) / size);
}

static bool level_init(struct making *making, int level)
{
    struct quadtree_bounds *bounds = making->bounds;
    struct node_level *nodes = &bounds->level[level];
    int64_t size = (int64_t)making->leaf << level;
    size_t count, each = sizeof *nodes->ranges, parts, squares;

    nodes->across = nodes_along(patch_end(making->view, 0), size);
    nodes->down = nodes_along(patch_end(making->view, 1), size);
    nodes->parts_log2 = level < PARTS_LOG2_MOST ? level : PARTS_LOG2_MOST;
    count = (size_t)nodes->across * (size_t)nodes->down;
    parts = (size_t)1 << 2 * nodes->parts_log2;
    bounds->levels = level + 1;
    nodes->ranges = malloc(count * sizeof *nodes->ranges);
    making->changed[level] = malloc(count);
    if (level == 0) {
        bounds->stamps = malloc(count * sizeof *bounds->stamps);
        each += sizeof *bounds->stamps;
        squares = (size_t)nodes_along(nodes->across, QUADTREE_SQUARE) *
                  (size_t)nodes_along(nodes->down, QUADTREE_SQUARE);
        bounds->squares = malloc(squares * sizeof *bounds->squares);
        bounds->derived.bytes += squares * sizeof *bounds->squares;
    }
    if (making->grid) {
        nodes->errors = malloc(count * sizeof *nodes->errors);
        nodes->parts = malloc(count * parts * sizeof *nodes->parts);
        each += (parts + 1) * sizeof(float);
    }
    bounds->derived.bytes += count * each;
    return nodes->ranges && bounds->stamps && bounds->squares && making->changed[level] &&
           (!making->grid || (nodes->errors && nodes->parts));
}

static bool levels_init(struct making *making)
{
    int level = 0;

    do
        if (!level_init(making, level))
            return false;
    while (making->bounds->level[level].across * making->bounds->level[level].down > 1 &&
           ++level < QUADTREE_LEVELS_MOST);
    return true;
}

static void widen(struct node_range *range, struct node_range by)
{
    range->least = by.least < range->least ? by.least : range->least;
    range->greatest = by.greatest > range->greatest ? by.greatest : range->greatest;
}

/* A line of vertices, at most `leaf` + 1 of them. */
static struct node_range line_range(const struct making *making, struct rect line)
{
    int32_t count = line.width * line.height;
    struct node_range range = { UINT16_MAX, 0 };

    view_read_heights(making->view, line, making->heights, line.width);
    for (int32_t k = 0; k < count; k++)
        widen(&range, (struct node_range){ making->heights[k], making->heights[k] });
    return range;
}

/* Whole cells are exact as they are kept; the last column and row of the closed square are the
 * first of the cells beyond. */
static struct node_range leaf_range(const struct making *making, struct rect closed)
{
    const int32_t leaf = making->leaf;
    struct rect open = rect_meet(closed, (struct rect){ closed.x, closed.y, leaf, leaf });
    struct summary cells = tree_bounds(&making->view->planes[PLANE_HEIGHTS], open);
    struct node_range range = { cells.least, cells.greatest };

    if (closed.width > leaf)
        widen(&range,
              line_range(making, (struct rect){ closed.x + leaf, closed.y, 1, closed.height }));
    if (closed.height > leaf)
        widen(&range,
              line_range(making, (struct rect){ closed.x, closed.y + leaf, closed.width, 1 }));
    return range;
}

/* A quad of a coarse mesh, and the vertices of the ground below it. */
struct quad {
    int32_t width, height;
    int32_t corners[4]; /* north-west, north-east, south-west, south-east */
    double near;        /* so near to the diagonal, both triangles count */
};

/* How far a vertex lies from the quad's triangles. Both meshes split their quads along diagonals of
 * one direction, so that they are furthest apart at the ground's vertices, unless the quad is
 * narrower than others: then its diagonal runs across the ground's edges, and what it may cross is
 * measured against either triangle. */
static double vertex_error(const struct quad *quad, double across, double down, double code)
{
    const int32_t nw = quad->corners[0], ne = quad->corners[1];
    const int32_t sw = quad->corners[2], se = quad->corners[3];
    double error = fabs(view_quad_code(nw, ne, sw, se, across, down) - code);

    if (fabs(across - down) <= quad->near) {
        double east = nw + across * (ne - nw) + down * (se - ne);
        double west = nw + across * (se - sw) + down * (sw - nw);

        error = fmax(error, fmax(fabs(east - code), fabs(west - code)));
    }
    return error;
}

static double cut_row_error(const struct quad *quad, int32_t row, const uint16_t *heights)
{
    const double down = (double)row / quad->height;
    double error = 0;

    for (int32_t i = 0; i <= quad->width; i++)
        error = fmax(error, vertex_error(quad, (double)i / quad->width, down, heights[i]));
    return error;
}

/* The greatest of |from + i * step - heights[i] * scale|. */
static int32_t line_error(int32_t from, int32_t step, int32_t scale, const uint16_t *heights,
                          int32_t first, int32_t last)
{
    int32_t error = 0;

    for (int32_t i = first; i <= last; i++) {
        int32_t apart = from + i * step - heights[i] * scale;

        apart = apart < 0 ? -apart : apart;
        error = apart > error ? apart : error;
    }
    return error;
}

/* A whole quad's in whole numbers, `width` times as large: west of the diagonal, and east of it. */
static double quad_row_error(const struct quad *quad, int32_t row, const uint16_t *heights)
{
    const int32_t nw = quad->corners[0], ne = quad->corners[1], width = quad->width;
    const int32_t sw = quad->corners[2], se = quad->corners[3];
    int32_t west, east;

    if (quad->width != quad->height || width > WHOLE_MOST)
        return cut_row_error(quad, row, heights);
    west = line_error(nw * width + row * (sw - nw), se - sw, width, heights, 0, row - 1);
    east = line_error(nw * width + row * (se - ne), ne - nw, width, heights, row, width);
    return (double)(west > east ? west : east) / width;
}

/* A row of coarse quads: the lines of vertices along its northern and southern edges, and one
 * between them. */
struct quad_row {
    int32_t x, length, stride, height; /* quads */
    uint16_t *north, *south, *line;
};

static struct quad quad_at(const struct quad_row *row, int32_t i)
{
    const int32_t left = row->length - i, width = left < row->stride ? left : row->stride;
    struct quad quad = { width,
                         row->height,
                         { row->north[i], row->north[i + width], row->south[i],
                           row->south[i + width] },
                         -1 };

    if (width != row->height)
        quad.near = 1.0 / width + 1.0 / row->height;
    return quad;
}

static double line_of_quads_error(const struct quad_row *row, int32_t down, const uint16_t *heights)
{
    double error = 0;

    for (int32_t i = 0; i < row->length; i += row->stride) {
        const struct quad quad = quad_at(row, i);

        error = fmax(error, quad_row_error(&quad, down, heights + i));
    }
    return error;
}

static void read_line(const struct making *making, const struct quad_row *row, int32_t y,
                      uint16_t *heights)
{
    view_read_heights(making->view, (struct rect){ row->x, y, row->length + 1, 1 }, heights,
                      row->length + 1);
}

/* Of a square of quads `stride` wide, on the landscape at least in part. */
static double square_error(const struct making *making, int32_t x, int32_t y, int32_t size,
                           int32_t stride)
{
    const int32_t right = patch_end(making->view, 0) - x, bottom = patch_end(making->view, 1);
    struct quad_row row = { .x = x, .length = right < size ? right : size, .stride = stride };
    double error = 0;

    row.north = making->heights;
    row.south = row.north + row.length + 1;
    row.line = row.south + row.length + 1;
    for (int32_t j = y; stride > 1 && j < y + size && j < bottom; j += stride) {
        row.height = bottom - j < stride ? bottom - j : stride;
        read_line(making, &row, j, row.north);
        read_line(making, &row, j + row.height, row.south);
        error = fmax(error, line_of_quads_error(&row, 0, row.north));
        error = fmax(error, line_of_quads_error(&row, row.height, row.south));
        for (int32_t down = 1; down < row.height; down++) {
            read_line(making, &row, j + down, row.line);
            error = fmax(error, line_of_quads_error(&row, down, row.line));
        }
    }
    return error;
}

static float rounded_up(double error)
{
    float rounded = (float)error;

    return rounded < error ? nextafterf(rounded, INFINITY) : rounded;
}

/* The node's own error, of which only what changed is measured. */
static float own_error(struct making *making, int level, int32_t x, int32_t y)
{
    struct quadtree_bounds *bounds = making->bounds;
    struct node_level *here = &bounds->level[level];
    const int log2 = here->parts_log2, below = level - log2;
    const int32_t side = 1 << log2, size = making->leaf << below;
    const int32_t stride = (making->leaf << level) / making->grid;
    const size_t first = quadtree_node(bounds, level, x, y) << 2 * log2;
    float error = 0;

    for (int32_t part = 0; part < side * side; part++) {
        int32_t px = x * side + part % side, py = y * side + part / side;
        float *to = &here->parts[first + (size_t)part];

        *to = 0;
        if (px >= bounds->level[below].across || py >= bounds->level[below].down)
            continue;
        if (making->changed[below][quadtree_node(bounds, below, px, py)])
            *to = rounded_up(square_error(making, px * size, py * size, size, stride));
        else
            *to = making->older->level[level].parts[first + (size_t)part];
        error = fmaxf(error, *to);
    }
    return error;
}

static void make_leaf(struct making *making, int32_t x, int32_t y)
{
    const int32_t leaf = making->leaf;
    struct quadtree_bounds *bounds = making->bounds;
    const size_t node = quadtree_node(bounds, 0, x, y);
    struct rect closed = { x * leaf, y * leaf, leaf + 1, leaf + 1 };
    bool same;

    closed = rect_meet(closed, view_rect(making->view));
    bounds->stamps[node] = tree_newest(&making->view->planes[PLANE_HEIGHTS], closed);
    same = making->older && making->older->stamps[node] == bounds->stamps[node];
    making->changed[0][node] = !same;
    bounds->level[0].ranges[node] =
        same ? making->older->level[0].ranges[node] : leaf_range(making, closed);
    if (making->grid)
        bounds->level[0].errors[node] = own_error(making, 0, x, y);
}

/* Leaves of one row, from one that is as it was to the last of them. */
static void copy_leaves(struct making *making, size_t first, size_t count)
{
    const struct quadtree_bounds *older = making->older;
    struct quadtree_bounds *bounds = making->bounds;
    struct node_level *here = &bounds->level[0];
    const struct node_level *was = &older->level[0];

    memcpy(bounds->stamps + first, older->stamps + first, count * sizeof *bounds->stamps);
    memcpy(here->ranges + first, was->ranges + first, count * sizeof *here->ranges);
    memset(making->changed[0] + first, 0, count);
    if (!making->grid)
        return;
    memcpy(here->errors + first, was->errors + first, count * sizeof *here->errors);
    memcpy(here->parts + first, was->parts + first, count * sizeof *here->parts);
}

/* A square of leaves; most are as they were, which one look tells. */
static void make_square(struct making *making, int32_t sx, int32_t sy)
{
    struct quadtree_bounds *bounds = making->bounds;
    const struct node_level *leaves = &bounds->level[0];
    const int32_t x = sx * QUADTREE_SQUARE, y = sy * QUADTREE_SQUARE, leaf = making->leaf;
    const int32_t right =
        leaves->across - x < QUADTREE_SQUARE ? leaves->across : x + QUADTREE_SQUARE;
    const int32_t bottom = leaves->down - y < QUADTREE_SQUARE ? leaves->down : y + QUADTREE_SQUARE;
    const struct rect closed = { x * leaf, y * leaf, (right - x) * leaf + 1,
                                 (bottom - y) * leaf + 1 };
    const size_t square =
        (size_t)sy * (size_t)nodes_along(leaves->across, QUADTREE_SQUARE) + (size_t)sx;
    bool same;

    bounds->squares[square] = tree_newest(&making->view->planes[PLANE_HEIGHTS],
                                          rect_meet(closed, view_rect(making->view)));
    same = making->older && making->older->squares[square] == bounds->squares[square];
    for (int32_t j = y; j < bottom; j++) {
        if (same) {
            copy_leaves(making, quadtree_node(bounds, 0, x, j), (size_t)(right - x));
            continue;
        }
        for (int32_t i = x; i < right; i++)
            make_leaf(making, i, j);
    }
}

/* A node below which nothing has changed. */
static void copy_node(struct making *making, int level, size_t node)
{
    const struct node_level *was = &making->older->level[level];
    struct node_level *here = &making->bounds->level[level];
    const int parts_log2 = 2 * here->parts_log2;

    here->ranges[node] = was->ranges[node];
    making->changed[level][node] = false;
    if (!making->grid)
        return;
    here->errors[node] = was->errors[node];
    memcpy(here->parts + (node << parts_log2), was->parts + (node << parts_log2),
           sizeof *here->parts << parts_log2);
}

static void make_node(struct making *making, int level, int32_t x, int32_t y)
{
    struct quadtree_bounds *bounds = making->bounds;
    const struct node_level *below = &bounds->level[level - 1], *here = &bounds->level[level];
    const size_t node = quadtree_node(bounds, level, x, y);
    struct node_range range = { UINT16_MAX, 0 };
    float error = 0;
    bool changed = false;

    for (int k = 0; k < 4; k++) {
        int32_t cx = 2 * x + (k & 1), cy = 2 * y + (k >> 1);
        size_t child = quadtree_node(bounds, level - 1, cx, cy);

        if (cx >= below->across || cy >= below->down)
            continue;
        changed |= making->changed[level - 1][child];
        widen(&range, below->ranges[child]);
        if (making->grid)
            error = fmaxf(error, below->errors[child]);
    }
    if (!changed) {
        copy_node(making, level, node);
        return;
    }
    here->ranges[node] = range;
    making->changed[level][node] = changed;
    if (making->grid)
        here->errors[node] = fmaxf(error, own_error(making, level, x, y));
}

/* Three lines of a node's greatest part; of a least node. */
static bool heights_room(struct making *making)
{
    const int above = making->bounds->levels - 1 - PARTS_LOG2_MOST;
    const size_t most = (size_t)making->leaf << (above > 0 ? above : 0);

    making->heights = malloc(3 * (most + 1) * sizeof *making->heights);
    return making->heights;
}

static void make_all(struct making *making)
{
    struct quadtree_bounds *bounds = making->bounds;
    const struct node_level *leaves = &bounds->level[0];

    for (int32_t y = 0; y < nodes_along(leaves->down, QUADTREE_SQUARE); y++)
        for (int32_t x = 0; x < nodes_along(leaves->across, QUADTREE_SQUARE); x++)
            make_square(making, x, y);
    for (int level = 1; level < bounds->levels; level++)
        for (int32_t y = 0; y < bounds->level[level].down; y++)
            for (int32_t x = 0; x < bounds->level[level].across; x++)
                make_node(making, level, x, y);
}

static struct derived *make_bounds(void *context, const struct derived *older, struct fault *why)
{
    struct making *making = context;
    struct quadtree_bounds *bounds = calloc(1, sizeof *bounds);
    bool made = false;

    if (bounds) {
        bounds->derived.free = bounds_free;
        bounds->derived.bytes = sizeof *bounds;
        atomic_init(&bounds->derived.holders, 1);
        bounds->leaf = making->leaf;
        bounds->grid = making->grid;
        making->bounds = bounds;
        making->older = (const struct quadtree_bounds *)older;
        made = levels_init(making) && heights_room(making);
    }
    if (made)
        make_all(making);
    for (int level = 0; level < QUADTREE_LEVELS_MOST; level++)
        free(making->changed[level]);
    free(making->heights);
    if (made)
        return &bounds->derived;
    if (bounds)
        bounds_free(&bounds->derived);
    fault_set(why, FAULT_MEMORY, "no memory for the bounds of a quadtree's nodes");
    return NULL;
}

struct quadtree_bounds *quadtree_bounds(const struct view *view, struct derived_cache *cache,
                                        int32_t leaf, int32_t grid, struct fault *why)
{
    static const char kind;
    const struct grid *own = view_grid(view);
    struct making making = { .view = view, .leaf = leaf, .grid = grid };
    struct derived_place place = { .kind = &kind,
                                   .incarnation = view->incarnation,
                                   .at = { leaf, grid, (int64_t)own->rows << 32 | own->columns,
                                           (int64_t)view->again } };

    return (struct quadtree_bounds *)derived_get(
        cache, &place, view->planes[PLANE_HEIGHTS].root.summary.version, make_bounds, &making, why);
}
