#include "terrain/lod/select.h"

#include <math.h>
#include <stdlib.h>

#include "terrain/lod/frustum.h"

struct box {
    double low[3], high[3];
};

struct search {
    const struct view *view;
    const struct extent *extent;
    const struct look *look;
    const struct lod_want *want;
    double pixel;         /* metres of a pixel one metre ahead, or anywhere if ortho */
    double sample_pixels; /* as wanted, or more */
    size_t room;
    struct lod_selection *found;
    bool overflow, memory_out;
};

void lod_selection_fini(struct lod_selection *selection)
{
    free(selection->nodes);
    *selection = (struct lod_selection){ 0 };
}

static struct rect node_quads(int32_t level, int32_t x, int32_t y)
{
    int32_t side = NODE_QUADS << level;

    return (struct rect){ x * side, y * side, side, side };
}

/* The part of it with ground, as quads. */
static struct rect on_solid(const struct extent *extent, struct rect quads)
{
    struct rect solid = extent->solid;

    return rect_meet(quads, (struct rect){ solid.x, solid.y, solid.width - 1, solid.height - 1 });
}

/* A tile's coarse samples are means, of which the outermost reach beyond it by one. */
static struct rect with_means(struct rect vertices)
{
    int32_t more = vertices.width / NODE_QUADS + 1;

    return (struct rect){ vertices.x - more, vertices.y - more, vertices.width + 2 * more,
                          vertices.height + 2 * more };
}

/* Bounds of a rectangle of quads in metres; heights alone, or down to the base at the border. */
static struct box quads_box(const struct view *view, const struct extent *extent, struct rect quads,
                            double *relief)
{
    const struct grid *grid = view_grid(view);
    struct rect vertices = { quads.x, quads.y, quads.width + 1, quads.height + 1 };
    struct summary heights = tree_bounds(&view->planes[PLANE_HEIGHTS], vertices);
    struct rect solid = extent->solid;
    struct box box;

    grid_to_local(grid, (const double[2]){ quads.x, quads.y }, box.low);
    grid_to_local(grid, (const double[2]){ quads.x + quads.width, quads.y + quads.height },
                  box.high);
    box.low[2] = grid_metres(grid, heights.least);
    box.high[2] = grid_metres(grid, heights.greatest);
    extent_widen(view, with_means(vertices), box.low, box.high);
    *relief = box.high[2] - box.low[2];
    if (quads.x == solid.x || quads.y == solid.y ||
        quads.x + quads.width == solid.x + solid.width - 1 ||
        quads.y + quads.height == solid.y + solid.height - 1)
        box.low[2] = extent->base;
    return box;
}

/* How far ahead the box's nearest and farthest corners lie; false when all of it is beyond one
 * edge of the picture, or behind. */
static bool box_seen(const struct look *look, const struct box *box, double ahead[2])
{
    unsigned beyond = ~0u;

    ahead[0] = HUGE_VAL;
    ahead[1] = -HUGE_VAL;
    for (int i = 0; i < 8; i++) {
        double corner[3] = { i & 1 ? box->high[0] : box->low[0], i & 2 ? box->high[1] : box->low[1],
                             i & 4 ? box->high[2] : box->low[2] };
        double seen[3], half[2];
        unsigned out = 0;

        look_at(look, corner, seen);
        for (int axis = 0; axis < 2; axis++) {
            half[axis] = look->ortho ? look->half[axis] : look->half[axis] * seen[2];
            out |= (unsigned)(seen[axis] > half[axis]) << (axis * 2);
            out |= (unsigned)(seen[axis] < -half[axis]) << (axis * 2 + 1);
        }
        out |= (unsigned)(seen[2] <= 0) << 4;
        beyond &= out;
        ahead[0] = fmin(ahead[0], seen[2]);
        ahead[1] = fmax(ahead[1], seen[2]);
    }
    return !beyond;
}

/* The metres that a pixel covers on level ground at the box: stretched where it is seen flatly. */
static double pixel_on_ground(const struct search *s, const struct box *box, double distance)
{
    double drop, slant;

    if (s->look->ortho) {
        slant = fabs(s->look->forward[2]);
        return s->pixel / sqrt(fmax(slant, 0.1));
    }
    drop = fmax(fabs(s->look->eye[2] - box->low[2]), fabs(s->look->eye[2] - box->high[2]));
    slant = distance > 0 ? fmin(drop / distance, 1) : 1;
    return s->pixel * distance / sqrt(fmax(slant, 0.1));
}

/* The nearest power of two by ratio. */
static int32_t power_near(double number)
{
    int32_t power = 1;

    while (power < number * 0.7071 && power < NODE_QUADS)
        power *= 2;
    return power;
}

/* As many quads as the relief needs to be drawn within the error, and the picture can show. */
static int32_t quads_for(const struct search *s, double side, double relief, double pixel)
{
    double needed, shown;

    if (!(pixel > 0))
        return NODE_QUADS;
    needed = relief / pixel / s->want->error_pixels;
    shown = side / pixel / s->want->quad_pixels;
    return power_near(fmin(needed, shown));
}

static bool add(struct search *s, const struct lod_node *node)
{
    struct lod_selection *found = s->found;

    if (found->count == s->want->nodes_most) {
        s->overflow = true;
        return false;
    }
    if (found->count == s->room) {
        size_t room = s->room ? s->room * 2 : 64;
        struct lod_node *nodes = realloc(found->nodes, room * sizeof *nodes);

        if (!nodes) {
            s->memory_out = true;
            return false;
        }
        found->nodes = nodes;
        s->room = room;
    }
    found->nodes[found->count++] = *node;
    return true;
}

/* Ground that moves aside comes near from all around. */
static double clearance_of_moved(const struct search *s)
{
    const struct grid *grid = view_grid(s->view);
    struct summary heights = s->view->planes[PLANE_HEIGHTS].root.summary;
    double low = grid_metres(grid, heights.least), high = grid_metres(grid, heights.greatest);

    return fmax(0, fmax(s->look->eye[2] - high, low - s->look->eye[2]));
}

/* Between the eye and the ground around it there is this much room. */
static double clearance(const struct search *s)
{
    const struct grid *grid = view_grid(s->view);
    double at[2];
    int32_t x, y;

    if (view_has_offsets(s->view))
        return clearance_of_moved(s);
    grid_from_local(grid, s->look->eye, at);
    x = (int32_t)fmin(fmax(floor(at[0]), 0), grid->columns - 2);
    y = (int32_t)fmin(fmax(floor(at[1]), 0), grid->rows - 2);
    at[0] = fmin(fmax(at[0] - x, 0), 1);
    at[1] = fmin(fmax(at[1] - y, 0), 1);
    return fabs(s->look->eye[2] -
                grid_metres(grid, (view_height(s->view, x, y) * (1 - at[0]) +
                                   view_height(s->view, x + 1, y) * at[0]) *
                                          (1 - at[1]) +
                                      (view_height(s->view, x, y + 1) * (1 - at[0]) +
                                       view_height(s->view, x + 1, y + 1) * at[0]) *
                                          at[1]));
}

/* A plane ahead of the eye that cuts nothing of the box off: as near as the box is, or, inside the
 * box, as near as the ground can be. */
static void widen(struct search *s, const double ahead[2], double distance)
{
    const double *half = s->look->half;
    double near = ahead[0];

    if (!s->look->ortho) {
        double slant = 1 / sqrt(1 + half[0] * half[0] + half[1] * half[1]);
        double room = distance > 0 ? distance : 0.2 * clearance(s);

        near = fmax(near, fmax(room * slant, 1e-3));
    }
    s->found->nearest = fmin(s->found->nearest, near);
    s->found->farthest = fmax(s->found->farthest, ahead[1]);
}

static bool visit(struct search *s, int32_t level, int32_t x, int32_t y)
{
    const struct grid *grid = view_grid(s->view);
    struct rect quads = on_solid(s->extent, node_quads(level, x, y));
    double relief, ahead[2], distance, pixel, sample, step;
    struct box box;

    if (rect_empty(quads))
        return true;
    box = quads_box(s->view, s->extent, quads, &relief);
    if (!box_seen(s->look, &box, ahead) || extent_hollow(s->view, quads)) {
        s->found->culled++;
        return true;
    }
    distance = look_distance(s->look, box.low, box.high);
    pixel = pixel_on_ground(s, &box, distance);
    step = fmax(fabs(grid->scale[0]), fabs(grid->scale[1]));
    sample = step * (1 << level);
    if (level > 0 && sample > pixel * s->sample_pixels) {
        for (int32_t child = 0; child < 4; child++)
            if (!visit(s, level - 1, x * 2 + (child & 1), y * 2 + (child >> 1)))
                return false;
        return true;
    }
    widen(s, ahead, distance);
    return add(s, &(struct lod_node){ .level = level,
                                      .x = x,
                                      .y = y,
                                      .distance = distance,
                                      .quads = quads_for(s, sample * NODE_QUADS, relief, pixel) });
}

static int nearer(const void *left, const void *right)
{
    const struct lod_node *a = left, *b = right;

    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a->level != b->level)
        return a->level - b->level;
    return a->y != b->y ? a->y - b->y : a->x - b->x;
}

static int32_t drawn_step(const struct lod_node *node)
{
    return (NODE_QUADS << node->level) / node->quads;
}

static bool touch(struct rect a, struct rect b)
{
    return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height &&
           b.y <= a.y + a.height;
}

/* The longest drawn quad of a node and of those around it. */
static int32_t coarsest_step(const struct lod_selection *found, const struct lod_node *node)
{
    struct rect own = node_quads(node->level, node->x, node->y);
    int32_t step = drawn_step(node);

    for (size_t i = 0; i < found->count; i++) {
        const struct lod_node *other = &found->nodes[i];

        if (drawn_step(other) > step && touch(own, node_quads(other->level, other->x, other->y)))
            step = drawn_step(other);
    }
    return step;
}

/* The greatest relief of any stretch of a border, `step` quads long and reaching `more` to its
 * sides. */
static uint16_t stretch_relief(const struct view *view, struct rect border, int32_t step,
                               int32_t more)
{
    struct rect all = view_rect(view);
    bool level = border.height == 0;
    int32_t first = (level ? border.x : border.y) / step * step;
    int32_t last = level ? border.x + border.width : border.y + border.height;
    uint16_t relief = 0;

    for (int32_t at = first; at < last; at += step) {
        struct rect stretch =
            level ? (struct rect){ at, border.y, step, 0 } : (struct rect){ border.x, at, 0, step };
        struct rect around = { stretch.x - more, stretch.y - more, stretch.width + 2 * more + 1,
                               stretch.height + 2 * more + 1 };
        struct summary heights;

        around = rect_meet(around, all);
        if (rect_empty(around))
            continue;
        heights = tree_bounds(&view->planes[PLANE_HEIGHTS], around);
        if (heights.greatest - heights.least > relief)
            relief = (uint16_t)(heights.greatest - heights.least);
    }
    return relief;
}

/* What two neighbours make of their border are both means between the heights along one drawn quad
 * of the coarser, so that they differ by no more than its relief. */
static void set_drop(struct search *s, struct lod_node *node)
{
    struct rect own = node_quads(node->level, node->x, node->y);
    int32_t step = coarsest_step(s->found, node);
    int32_t more = step > 2 << node->level ? step : 2 << node->level;
    struct rect borders[4] = { { own.x, own.y, own.width, 0 },
                               { own.x, own.y + own.height, own.width, 0 },
                               { own.x, own.y, 0, own.height },
                               { own.x + own.width, own.y, 0, own.height } };
    uint16_t relief = 0;

    for (int i = 0; i < 4; i++) {
        uint16_t one = stretch_relief(s->view, borders[i], step, more);

        relief = one > relief ? one : relief;
    }
    node->drop = relief / 128.0 * fabs(view_grid(s->view)->scale[2]);
}

static int32_t root_level(const struct view *view)
{
    const struct grid *grid = view_grid(view);
    int32_t level = 0;

    while ((NODE_QUADS << level) < grid->columns - 1 || (NODE_QUADS << level) < grid->rows - 1)
        level++;
    return level;
}

bool lod_seen(const struct view *view, const struct extent *extent, const struct look *look,
              struct rect quads)
{
    double ahead[2], relief;
    struct box box;

    quads = on_solid(extent, quads);
    if (rect_empty(quads))
        return false;
    box = quads_box(view, extent, quads, &relief);
    return box_seen(look, &box, ahead) && !extent_hollow(view, quads);
}

bool lod_select(const struct view *view, const struct extent *extent, const struct look *look,
                int32_t width, int32_t height, const struct lod_want *want,
                struct lod_selection *selection, struct fault *why)
{
    struct search s = { .view = view,
                        .extent = extent,
                        .look = look,
                        .want = want,
                        .pixel = fmax(look->half[0] * 2 / width, look->half[1] * 2 / height),
                        .sample_pixels = want->sample_pixels,
                        .found = selection };

    do {
        if (s.overflow)
            s.sample_pixels *= 1.3;
        s.overflow = false;
        selection->count = 0;
        selection->culled = 0;
        selection->nearest = HUGE_VAL;
        selection->farthest = 0;
        if (!visit(&s, root_level(view), 0, 0) && s.memory_out)
            return fault_set(why, FAULT_MEMORY, "No memory to choose what the picture shows");
    } while (s.overflow);
    for (size_t i = 0; i < selection->count; i++)
        set_drop(&s, &selection->nodes[i]);
    if (selection->count > 1)
        qsort(selection->nodes, selection->count, sizeof *selection->nodes, nearer);
    return true;
}
