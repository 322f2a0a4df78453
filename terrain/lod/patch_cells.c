#include "terrain/lod/patch_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/angle.h"

/* What the making of an inside works on. */
struct making {
    const struct view *view;
    const struct patch_place *tile;
    const struct patch_style *style;
    struct patch_inside *inside;
    int32_t grid, solid[2]; /* cells end before these columns and rows */
    double (*normals)[3];   /* of the vertices, or NULL */
    uint8_t *used;          /* vertices that are corners of cells */
};

struct unit {
    double x, y, z;
};

static struct unit unit_of(double x, double y, double z)
{
    double length = sqrt(x * x + y * y + z * z);

    return (struct unit){ x / length, y / length, z / length };
}

/* The normals of both triangles of a quad: 00, 10, 11 and 00, 11, 01. */
static void quad_normals(const uint16_t *nw, int32_t side, const double scale[3],
                         struct unit normals[2])
{
    const double up = scale[2] / 128;
    const double to[3] = { (nw[1] - nw[0]) * up, (nw[side + 1] - nw[0]) * up,
                           (nw[side] - nw[0]) * up };

    /* (1, 0, a) x (1, 1, b) and (1, 1, b) x (0, 1, c), scaled */
    normals[0] = unit_of(-to[0] * scale[1], -(to[1] - to[0]) * scale[0], scale[0] * scale[1]);
    normals[1] = unit_of(-(to[1] - to[2]) * scale[1], -to[2] * scale[0], scale[0] * scale[1]);
}

static void add(double to[3], struct unit normal)
{
    to[0] += normal.x;
    to[1] += normal.y;
    to[2] += normal.z;
}

/* Quad (i, j) of the grid and its ring counts for the normals around it when all of it is on the
 * landscape. */
static bool quad_whole(const struct making *making, int32_t i, int32_t j)
{
    const struct patch_place *tile = making->tile;
    int64_t stride = patch_stride(tile), x = tile->x + i * stride, y = tile->y + j * stride;

    return x >= 0 && y >= 0 && x + stride <= patch_end(making->view, 0) &&
           y + stride <= patch_end(making->view, 1);
}

static void sum_quad(const struct making *making, const uint16_t *heights, const double scale[3],
                     int32_t i, int32_t j)
{
    const int32_t grid = making->grid, side = grid + 3;
    struct unit normals[2];

    if (!quad_whole(making, i, j))
        return;
    quad_normals(heights + (size_t)(j + 1) * (size_t)side + (size_t)(i + 1), side, scale, normals);
    for (int corner = 0; corner < 4; corner++) {
        int32_t x = i + (corner & 1), y = j + (corner >> 1);
        double *to;

        if (x < 0 || y < 0 || x > grid || y > grid)
            continue;
        to = making->normals[(size_t)y * (size_t)(grid + 1) + (size_t)x];
        if (corner != 2)
            add(to, normals[0]);
        if (corner != 1)
            add(to, normals[1]);
    }
}

/* Of the vertices, on the tile's own grid and one ring around it. */
static bool find_normals(struct making *making)
{
    const int32_t grid = making->grid, stride = patch_stride(making->tile);
    const double *own = view_grid(making->view)->scale;
    const double scale[3] = { own[0] * stride, own[1] * stride, own[2] };
    const size_t vertices = (size_t)(grid + 1) * (size_t)(grid + 1);
    uint16_t *heights = malloc((size_t)(grid + 3) * (size_t)(grid + 3) * sizeof *heights);

    making->normals = calloc(vertices, sizeof *making->normals);
    if (!heights || !making->normals) {
        free(heights);
        return false;
    }
    patch_heights(making->view, making->tile, 1, heights);
    for (int32_t j = -1; j <= grid; j++)
        for (int32_t i = -1; i <= grid; i++)
            sum_quad(making, heights, scale, i, j);
    for (size_t v = 0; v < vertices; v++) {
        double *normal = making->normals[v];
        double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);

        for (int k = 0; k < 3 && length > 0; k++)
            normal[k] /= length;
    }
    free(heights);
    return true;
}

static uint8_t *group_at(const struct making *making, int32_t x, int32_t y)
{
    return making->inside->groups + (size_t)(y >> 1) * (size_t)(making->grid >> 1) + (x >> 1);
}

/* Whether the cell may be one at all: no holes, and not across the landscape's border. */
static bool cell_solid(const struct making *making, int32_t x, int32_t y)
{
    const uint8_t *dropped = making->inside->dropped;

    if (x + 2 > making->solid[0] || y + 2 > making->solid[1])
        return false;
    if (!dropped)
        return true;
    dropped += (size_t)y * (size_t)making->grid + (size_t)x;
    return !(dropped[0] | dropped[1] | dropped[making->grid] | dropped[making->grid + 1]);
}

static bool cell_even(const struct making *making, int32_t x, int32_t y, int32_t size, double least)
{
    const size_t side = (size_t)making->grid + 1;
    const double *middle = making->normals[(size_t)(y + size / 2) * side + (size_t)(x + size / 2)];

    for (int32_t j = y; j <= y + size; j++)
        for (int32_t i = x; i <= x + size; i++) {
            const double *normal = making->normals[(size_t)j * side + (size_t)i];

            if (normal[0] * middle[0] + normal[1] * middle[1] + normal[2] * middle[2] < least)
                return false;
        }
    return true;
}

static bool quarters_merged(const struct making *making, int32_t x, int32_t y, int32_t size,
                            int log2)
{
    for (int k = 0; k < 4; k++)
        if (*group_at(making, x + (k & 1) * size / 2, y + (k >> 1) * size / 2) != log2 - 1)
            return false;
    return true;
}

static void mark_merged(const struct making *making, int32_t x, int32_t y, int32_t size, int log2)
{
    for (int32_t j = y; j < y + size; j += 2)
        memset(group_at(making, x, j), log2, (size_t)size / 2);
}

static void merge(const struct making *making)
{
    /* the slack is the reference's */
    const double least = angle_cos(making->style->merge_angle) - 1e-12;
    bool any = true;
    int log2 = 1;

    for (int32_t size = 2; any && size * 4 <= making->grid; size *= 2, log2++) {
        any = false;
        for (int32_t y = size; y + size < making->grid; y += size)
            for (int32_t x = size; x + size < making->grid; x += size) {
                if (log2 == 1 ? !cell_solid(making, x, y)
                              : !quarters_merged(making, x, y, size, log2))
                    continue;
                if (!cell_even(making, x, y, size, least))
                    continue;
                mark_merged(making, x, y, size, log2);
                any = true;
            }
    }
}

static void make_fans(const struct making *making)
{
    for (int32_t y = 2; y + 2 < making->grid; y += 2)
        for (int32_t x = 2; x + 2 < making->grid; x += 2) {
            uint8_t *group = group_at(making, x, y);

            if (!*group && cell_solid(making, x, y))
                *group = PATCH_FAN | 1;
        }
}

/* Calls for every cell: its corner and side, and whether it is a fan. */
typedef void each_cell(struct making *making, int32_t x, int32_t y, int32_t size, bool fan);

static void cells_visit(struct making *making, each_cell *each)
{
    const int32_t grid = making->grid;

    for (int32_t y = 1; y < grid - 1; y++)
        for (int32_t x = 1; x < grid - 1; x++) {
            uint8_t group = *group_at(making, x, y);
            int32_t size = 1 << (group & ~PATCH_FAN);

            if (!((x | y) & (size - 1)))
                each(making, x, y, size, group & PATCH_FAN);
        }
}

static void mark_used(struct making *making, int32_t x, int32_t y, int32_t size, bool fan)
{
    const size_t side = (size_t)making->grid + 1;
    uint8_t *corner = making->used + (size_t)y * side + (size_t)x;

    (void)fan;
    corner[0] = corner[size] = 1;
    corner[(size_t)size * side] = corner[(size_t)size * side + (size_t)size] = 1;
}

static void put(struct making *making, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *to = making->inside->corners[making->inside->count++];

    to[0] = a;
    to[1] = b;
    to[2] = c;
}

/* The number of used vertices between a cell's corners. */
static int used_between(const struct making *making, uint32_t nw, int32_t size)
{
    const uint32_t side = (uint32_t)making->grid + 1, across = (uint32_t)size;
    int count = 0;

    for (uint32_t k = 1; k < across; k++)
        count += making->used[nw + k] + making->used[nw + k * side] +
                 making->used[nw + across * side + k] + making->used[nw + k * side + across];
    return count;
}

/* From the middle to the used vertices around: down the west side, along the south, up, back. */
static void put_fan(struct making *making, uint32_t nw, uint32_t size)
{
    const uint32_t side = (uint32_t)making->grid + 1, middle = nw + (size / 2) * (side + 1);
    const int64_t steps[4] = { side, 1, -(int64_t)side, -1 };
    uint32_t from = nw, at = nw;

    for (int edge = 0; edge < 4; edge++)
        for (uint32_t k = 0; k < size; k++) {
            at = (uint32_t)(at + steps[edge]);
            if (!making->used[at])
                continue;
            put(making, middle, from, at);
            from = at;
        }
}

static void put_cell(struct making *making, int32_t x, int32_t y, int32_t size, bool fan)
{
    const uint32_t side = (uint32_t)making->grid + 1, across = (uint32_t)size;
    uint32_t nw = (uint32_t)y * side + (uint32_t)x, se = nw + across * (side + 1);
    const uint8_t *dropped = making->inside->dropped;

    if (size == 1 && dropped && dropped[(size_t)y * (size_t)making->grid + (size_t)x])
        return;
    if (fan || used_between(making, nw, size)) {
        put_fan(making, nw, across);
        return;
    }
    put(making, nw, se, nw + across);
    put(making, nw, nw + across * side, se);
}

static void inside_free(struct derived *thing)
{
    struct patch_inside *inside = (struct patch_inside *)thing;

    free(inside->corners);
    free(inside->groups);
    free(inside->dropped);
    free(inside);
}

static bool find_dropped(struct making *making)
{
    const int32_t grid = making->grid;
    uint8_t *dropped;

    if (!patch_holed(making->view, making->tile))
        return true;
    dropped = malloc((size_t)grid * (size_t)grid);
    making->inside->dropped = dropped;
    if (!dropped)
        return false;
    making->inside->derived.bytes += (size_t)grid * (size_t)grid;
    for (int32_t j = 0; j < grid; j++)
        for (int32_t i = 0; i < grid; i++)
            *dropped++ = patch_dropped(making->view, making->tile, making->style->hole_rule, i, j);
    return true;
}

/* The quads that are wholly on the landscape are these. */
static void find_solid(struct making *making)
{
    const struct patch_place *tile = making->tile;
    const int32_t at[2] = { tile->x, tile->y };

    for (int axis = 0; axis < 2; axis++) {
        int32_t whole = (patch_end(making->view, axis) - at[axis]) / patch_stride(tile);

        making->solid[axis] = whole < making->grid ? whole : making->grid;
    }
}

/* What is kept takes no more than it needs; failing to shrink is no failure. */
static void shrink(struct patch_inside *inside)
{
    void *shrunk = realloc(inside->corners, (inside->count + 1) * sizeof *inside->corners);

    if (shrunk)
        inside->corners = shrunk;
}

static bool make_cells(struct making *making)
{
    struct patch_inside *inside = making->inside;
    const size_t quads = (size_t)making->grid * (size_t)making->grid;
    const size_t vertices = (size_t)(making->grid + 1) * (size_t)(making->grid + 1);

    inside->groups = calloc(quads / 4, 1);
    making->used = calloc(vertices, 1);
    inside->corners = malloc(quads * 2 * sizeof *inside->corners);
    if (!inside->groups || !making->used || !inside->corners)
        return false;
    if (making->style->merge_angle >= 0) {
        if (!find_normals(making))
            return false;
        merge(making);
    }
    if (making->style->half_step)
        make_fans(making);
    cells_visit(making, mark_used);
    cells_visit(making, put_cell);
    inside->derived.bytes += quads / 4 + inside->count * sizeof *inside->corners;
    shrink(inside);
    return true;
}

static struct derived *make_inside(void *context, const struct derived *older, struct fault *why)
{
    struct making *making = context;
    struct patch_inside *inside = calloc(1, sizeof *inside);
    bool made = false;

    (void)older;
    if (!inside)
        goto done;
    inside->derived.free = inside_free;
    inside->derived.bytes = sizeof *inside;
    atomic_init(&inside->derived.holders, 1);
    making->inside = inside;
    if (!find_dropped(making))
        goto done;
    find_solid(making);
    inside->plain = making->style->merge_angle < 0 && !making->style->half_step && !inside->dropped;
    inside->count = inside->plain ? 2 * (size_t)(making->grid - 2) * (size_t)(making->grid - 2) : 0;
    made = inside->plain || make_cells(making);

done:
    free(making->normals);
    free(making->used);
    if (made)
        return &inside->derived;
    if (inside)
        inside_free(&inside->derived);
    fault_set(why, FAULT_MEMORY, "no memory for a tile of %d quads a side", making->grid);
    return NULL;
}

/* All that its cells depend on: one ring of quads around it. */
static struct rect around(const struct view *view, const struct patch_place *tile)
{
    int32_t stride = patch_stride(tile);
    struct rect rect = { tile->x - stride, tile->y - stride, tile->size + 2 * stride + 1,
                         tile->size + 2 * stride + 1 };

    return rect_meet(rect, view_rect(view));
}

struct patch_inside *patch_inside(const struct view *view, struct derived_cache *cache,
                                  const struct patch_place *tile, const struct patch_style *style,
                                  struct fault *why)
{
    static const char kind;
    struct making making = { .view = view, .tile = tile, .style = style, .grid = tile->grid };
    struct derived_place place = {
        .kind = &kind,
        .incarnation = view->incarnation,
        .at = { (int64_t)tile->y << 32 | tile->x, (int64_t)tile->size << 32 | tile->grid,
                (int64_t)view->again },
        .options = (uint64_t)style->half_step | (uint64_t)style->hole_rule << 1
    };

    memcpy(&place.at[3], &style->merge_angle, sizeof place.at[3]);
    /* A tile without cells is no work worth keeping. */
    if (style->merge_angle < 0 && !style->half_step && !patch_holed(view, tile))
        cache = NULL;
    return (struct patch_inside *)derived_get(cache, &place, view_newest(view, around(view, tile)),
                                              make_inside, &making, why);
}
