#include "terrain/lod/rtin_fine.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A node's surface while it is measured, read in strips of rows. */
enum { STRIP_ROWS = 64 };

struct surface {
    const struct view *view;
    const struct rtin_node *node;
    struct rect vertices; /* on the landscape */
    bool holed;
    enum hole_rule rule;
    const uint8_t *quads; /* of the grid */
    int32_t strip;        /* its first row; it has one row more than it is good for */
    uint16_t *heights;
    uint8_t
        *holes; /* of the quads of the rows, each with one more in front, and of the row above */
};

static int32_t stride_of(const struct rtin_node *node)
{
    return node->size / node->grid;
}

static int32_t log2_of(int32_t size)
{
    int32_t log2 = 0;

    while (size >> log2 > 1)
        log2++;
    return log2;
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

/* Bytes of holes a row: the quad west of each vertex, and east of the last. */
static size_t holes_row(const struct surface *surface)
{
    return (size_t)surface->vertices.width + 1;
}

/* A quad of the surface that is a hole or in one of the grid that is left out: neither counts. */
static void read_holes(struct surface *s, int32_t y, uint8_t *holes)
{
    const struct rect all = s->vertices;
    const int32_t stride = stride_of(s->node);

    memset(holes, 1, holes_row(s));
    if (y < 0 || y >= all.height - 1)
        return;
    view_read_holes(s->view, (struct rect){ all.x, all.y + y, all.width - 1, 1 }, holes + 1,
                    all.width);
    if (!s->quads)
        return;
    for (int32_t x = 0; x < all.width - 1; x++)
        if (s->quads[y / stride * s->node->grid + x / stride] == RTIN_LEFT_OUT)
            holes[1 + x] = 1;
}

static void read_strip(struct surface *s, int32_t y)
{
    const struct rect all = s->vertices;
    const int32_t left = all.height - y, rows = left < STRIP_ROWS + 1 ? left : STRIP_ROWS + 1;

    s->strip = y;
    view_read_heights(s->view, (struct rect){ all.x, all.y + y, all.width, rows }, s->heights,
                      all.width);
    for (int32_t i = 0; s->holed && i <= rows; i++)
        read_holes(s, y + i - 1, s->holes + (size_t)i * holes_row(s));
}

/* Vertices that only holes touch have no height, nor have the holes' middles. */
static void take_out_holes(const struct surface *s, int32_t y, double *heights, double *centres)
{
    const uint8_t *above = s->holes + (size_t)(y - s->strip) * holes_row(s);
    const uint8_t *below = above + holes_row(s);

    for (int32_t x = 0; x < s->vertices.width; x++) {
        if (above[x] && above[x + 1] && below[x] && below[x + 1])
            heights[x] = NAN;
        if (x < s->vertices.width - 1 && below[x + 1])
            centres[x] = NAN;
    }
}

static bool read_surface(void *context, int32_t y, double *heights, double *centres,
                         struct fault *why)
{
    struct surface *s = context;
    const int32_t width = s->vertices.width;
    const uint16_t *row;

    (void)why;
    if (y % STRIP_ROWS == 0)
        read_strip(s, y);
    row = s->heights + (size_t)(y - s->strip) * (size_t)width;
    for (int32_t x = 0; x < width; x++)
        heights[x] = row[x];
    for (int32_t x = 0; y < s->vertices.height - 1 && x < width - 1; x++)
        centres[x] = (row[x] + row[width + x + 1]) / 2.0;
    if (s->holed)
        take_out_holes(s, y, heights, centres);
    return true;
}

/* The quads of the grid: beyond the landscape, hole by the rule, or narrow. */
static void sort_quads(const struct surface *s, uint8_t *quads)
{
    const int32_t n = s->node->grid, stride = stride_of(s->node);
    const int32_t columns = s->vertices.width - 1, rows = s->vertices.height - 1;
    uint8_t *holes = s->holes;
    uint8_t *some = s->holes + columns; /* per column of the grid: 1 solid, 2 hole */

    for (int32_t j = 0; j < n; j++) {
        memset(some, 0, (size_t)n);
        for (int32_t y = j * stride; y < (j + 1) * stride && y < rows; y++) {
            memset(holes, 0, (size_t)columns);
            if (s->holed)
                view_read_holes(s->view,
                                (struct rect){ s->vertices.x, s->vertices.y + y, columns, 1 },
                                holes, columns);
            for (int32_t x = 0; x < columns; x++)
                some[x / stride] |= holes[x] ? 2 : 1;
        }
        for (int32_t i = 0; i < n; i++) {
            const bool solid = s->rule == HOLES_ANY ? some[i] == 1 : some[i] & 1;
            const bool narrow = (i + 1) * stride > columns || (j + 1) * stride > rows;

            quads[j * n + i] = solid ? RTIN_DRAWN | (narrow ? RTIN_NARROW : 0) : RTIN_LEFT_OUT;
        }
    }
}

static bool all_drawn(const uint8_t *quads, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (quads[i] != RTIN_DRAWN)
            return false;
    return true;
}

/* The samples at the grid's vertices, those beyond the landscape being its border's. */
static void read_grid(const struct view *view, const struct rtin_node *node, uint16_t *codes,
                      double *grid)
{
    const struct rect all = node_vertices(view, node);
    const int32_t n = node->grid, stride = stride_of(node);

    for (int32_t j = 0; j <= n; j++) {
        const int32_t y = all.y + (j * stride < all.height ? j * stride : all.height - 1);

        for (int32_t i = 0; i <= n; i++) {
            const int32_t x = all.x + (i * stride < all.width ? i * stride : all.width - 1);

            codes[j * (n + 1) + i] = view_height(view, x, y);
            grid[j * (n + 1) + i] = codes[j * (n + 1) + i];
        }
    }
}

static double surface_code(const struct view *view, int32_t x, int32_t y, double across,
                           double down)
{
    return view_quad_code(view_height(view, x, y), view_height(view, x + 1, y),
                          view_height(view, x, y + 1), view_height(view, x + 1, y + 1), across,
                          down);
}

/* A quad of the grid that the border makes narrow, as it is drawn. */
struct narrow {
    const struct view *view;
    int32_t x, y, width, height;
    double nw, ne, sw, se;
    bool falling;
};

static double narrow_code(const struct narrow *quad, double x, double y)
{
    const double across = (x - quad->x) / quad->width, down = (y - quad->y) / quad->height;

    if (quad->falling)
        return across >= down
                   ? quad->nw + across * (quad->ne - quad->nw) + down * (quad->se - quad->ne)
                   : quad->nw + across * (quad->se - quad->sw) + down * (quad->sw - quad->nw);
    return across + down <= 1
               ? quad->nw + across * (quad->ne - quad->nw) + down * (quad->sw - quad->nw)
               : quad->se + (1 - across) * (quad->sw - quad->se) +
                     (1 - down) * (quad->ne - quad->se);
}

/* Where the narrow quad's side crosses a side or the diagonal of the surface's quad (x, y), and at
 * that quad's corners. */
static double narrow_error_over(const struct narrow *quad, int32_t x, int32_t y)
{
    /* The narrow quad's diagonal, relative to the surface's quad: down = from + slope * across. */
    const double slope = (quad->falling ? 1.0 : -1.0) * quad->height / quad->width;
    const double from =
        (quad->falling ? quad->y : quad->y + quad->height) + slope * (x - quad->x) - y;
    const double points[9][2] = { { 0, 0 },
                                  { 1, 0 },
                                  { 0, 1 },
                                  { 1, 1 },
                                  { 0, from },
                                  { 1, from + slope },
                                  { -from / slope, 0 },
                                  { (1 - from) / slope, 1 },
                                  { from / (1 - slope), from / (1 - slope) } };
    double most = 0;

    for (int i = 0; i < 9; i++) {
        const double across = points[i][0], down = points[i][1];

        if (across >= 0 && across <= 1 && down >= 0 && down <= 1)
            most = fmax(most, fabs(surface_code(quad->view, x, y, across, down) -
                                   narrow_code(quad, x + across, y + down)));
    }
    return most;
}

/* Rounded outwards: crossings are not at whole fractions. */
static double narrow_error(const struct narrow *quad)
{
    double most = 0;

    for (int32_t y = quad->y; y < quad->y + quad->height; y++)
        for (int32_t x = quad->x; x < quad->x + quad->width; x++)
            if (!view_hole(quad->view, x, y))
                most = fmax(most, narrow_error_over(quad, x, y));
    return most + 1e-9;
}

static void measure_narrow(const struct surface *s, const uint8_t *quads, const double *grid,
                           double *rest)
{
    const int32_t n = s->node->grid, stride = stride_of(s->node);
    const int32_t columns = s->vertices.width - 1, rows = s->vertices.height - 1;

    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++) {
            const double *corner = grid + j * (n + 1) + i;
            const int32_t x = i * stride, y = j * stride;
            const struct narrow quad = { s->view,
                                         s->vertices.x + x,
                                         s->vertices.y + y,
                                         columns - x < stride ? columns - x : stride,
                                         rows - y < stride ? rows - y : stride,
                                         corner[0],
                                         corner[1],
                                         corner[n + 1],
                                         corner[n + 2],
                                         ((i ^ j) & 1) == 0 };

            if (quads[j * n + i] & RTIN_NARROW)
                rest[j * n + i] = narrow_error(&quad);
        }
}

struct making {
    const struct view *view;
    struct derived_cache *cache;
    const struct rtin_node *node;
    enum hole_rule rule;
};

/* What is needed while an own map is made. */
struct scratch {
    double *grid, *errors, *rest, *sides;
    uint8_t *quads;
};

static bool scratch_init(struct scratch *scratch, struct surface *s, struct fault *why)
{
    const size_t n = (size_t)s->node->grid, vertices = (n + 1) * (n + 1);
    const size_t width = (size_t)s->vertices.width;

    scratch->grid = malloc(vertices * sizeof(double));
    scratch->errors = calloc(vertices + 2 * n * n, sizeof(double));
    scratch->quads = malloc(n * n);
    s->heights = malloc(width * (STRIP_ROWS + 1) * sizeof *s->heights);
    s->holes = malloc((width + 1) * (STRIP_ROWS + 2) + n);
    if (!scratch->grid || !scratch->errors || !scratch->quads || !s->heights || !s->holes)
        return fault_set(why, FAULT_MEMORY, "no memory for the errors of %d quads a side",
                         s->node->size);
    scratch->rest = scratch->errors + vertices;
    scratch->sides = scratch->rest + n * n;
    return true;
}

static void scratch_fini(struct scratch *scratch, struct surface *s)
{
    free(scratch->grid);
    free(scratch->errors);
    free(scratch->quads);
    free(s->heights);
    free(s->holes);
}

static struct rtin_map *measure_node(struct surface *s, struct scratch *scratch, struct fault *why)
{
    const int32_t n = s->node->grid, stride = stride_of(s->node);
    const struct rtin_field field = {
        log2_of(n), stride, s->vertices.width, s->vertices.height, scratch->grid, read_surface, s
    };
    struct rtin_map *own;
    bool plain;

    sort_quads(s, scratch->quads);
    plain = all_drawn(scratch->quads, n * n);
    own = rtin_own_new(log2_of(n), RTIN_CODES | (plain ? 0 : RTIN_QUADS), why);
    if (!own)
        return NULL;
    own->turns = stride == 1;
    read_grid(s->view, s->node, own->codes, scratch->grid);
    if (!plain) {
        memcpy(own->quads, scratch->quads, (size_t)(n * n));
        s->quads = own->quads;
    }
    if (!rtin_measure(&field, scratch->errors, scratch->rest, scratch->sides, why)) {
        derived_drop(&own->derived);
        return NULL;
    }
    if (!plain)
        measure_narrow(s, own->quads, scratch->grid, scratch->rest);
    rtin_settle(own, scratch->errors, scratch->rest, scratch->sides);
    return own;
}

static struct derived *make_own(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    struct surface s = { making->view,
                         making->node,
                         node_vertices(making->view, making->node),
                         false,
                         making->rule,
                         NULL,
                         0,
                         NULL,
                         NULL };
    struct scratch scratch = { 0 };
    struct rtin_map *own = NULL;

    if (stride_of(s.node) == 1 && s.node->grid >= RTIN_FINE_LEAST)
        return rtin_fine_node(s.view, s.node, s.vertices, (const struct rtin_map *)older, why);
    s.holed = tree_bounds(&s.view->planes[PLANE_HOLES], s.vertices).greatest != 0;
    if (scratch_init(&scratch, &s, why))
        own = measure_node(&s, &scratch, why);
    scratch_fini(&scratch, &s);
    return own ? &own->derived : NULL;
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

bool rtin_node_errors(const struct view *view, struct derived_cache *cache,
                      const struct rtin_node *node, enum hole_rule holes, double *coarsest,
                      double *finest, struct fault *why)
{
    const struct making making = { view, cache, node, holes };
    const double unit = view_grid(view)->scale[2] / 128;
    struct rtin_map *map;
    int16_t most, least;

    *coarsest = *finest = 0;
    if (!on_landscape(view, node))
        return true;
    map = closed_map(&making, why);
    if (!map)
        return false;
    rtin_walk(map, NULL, RTIN_GREATEST, NULL, &most, why);
    least = 0;
    if (!map->turns)
        rtin_walk(map, NULL, 0, NULL, &least, why);
    derived_drop(&map->derived);
    *coarsest = rtin_unpack(most) * unit;
    *finest = rtin_unpack(least) * unit;
    return true;
}
