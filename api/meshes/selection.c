#include "api/meshes/selection.h"

#include <math.h>

#include "api/meshes/meshes.h"

const char *const selection_modes[] = { "component", "quadtree", NULL };
static const char *const splits[] = { "distance", "error", "ranges", NULL };

enum { SIDE_MOST = 32768 };

/* Every member as it is counted in `given`. */
#define COMPONENT_MEMBERS                                                                          \
    (BIT(bias) | BIT(lod0_screen_size) | BIT(lod0_distribution) | BIT(lod_distribution) |          \
     BIT(lod) | BIT(per_section))
#define QUADTREE_MEMBERS                                                                           \
    (BIT(split) | BIT(factor) | BIT(pixel_error) | BIT(leaf) | BIT(grid) | BIT(balance) |          \
     BIT(merge_angle) | BIT(half_step))
#define BIT(member) (UINT64_C(1) << MEMBER_##member)

enum {
    MEMBER_mode,
    MEMBER_camera,
    MEMBER_width,
    MEMBER_height,
    MEMBER_near,
    MEMBER_far,
    MEMBER_holes,
    MEMBER_everything,
    MEMBER_bias,
    MEMBER_lod0_screen_size,
    MEMBER_lod0_distribution,
    MEMBER_lod_distribution,
    MEMBER_lod,
    MEMBER_per_section,
    MEMBER_split,
    MEMBER_factor,
    MEMBER_pixel_error,
    MEMBER_leaf,
    MEMBER_grid,
    MEMBER_balance,
    MEMBER_merge_angle,
    MEMBER_half_step,
    MEMBERS
};

/* In the order of the members above. */
static const struct field rows[] = {
    FIELD_AS(FIELD_CHOICE, struct selection, mode,
             "Components at levels of their own, or a quadtree of one grid",
             .words = selection_modes, .required = true),
    FIELD_AS(FIELD_OBJECT, struct selection, camera, VIEWING_HELP, .shape = &viewing_shape),
    FIELD(struct selection, width, "pixels", 1, SIDE_MOST, "The picture, across", .has_value = true,
          .value = 960),
    FIELD(struct selection, height, "pixels", 1, SIDE_MOST, "The picture, down", .has_value = true,
          .value = 600),
    FIELD(struct selection, near, "m", 0, 1e9, "Nothing nearer to the eye is seen"),
    FIELD(struct selection, far, "m", 0, 1e12, "Nothing further ahead of the eye is seen",
          .above_least = true, .has_value = true, .value = 1e12),
    FIELD_AS(FIELD_CHOICE, struct selection, holes,
             "A coarse quad is a hole when all quads below it are, or when any is",
             .words = hole_words, .has_value = true, .value = HOLES_ALL),
    FIELD(struct selection, everything, NULL, 0, 0,
          "Whether what is out of the picture counts as seen"),
    FIELD(struct selection, bias, NULL, -8, 8, "Component: levels added"),
    FIELD(struct selection, lod0_screen_size, NULL, 0, 10,
          "Component: instead of the landscape's own", .above_least = true),
    FIELD(struct selection, lod0_distribution, NULL, 1, 10,
          "Component: instead of the landscape's own"),
    FIELD(struct selection, lod_distribution, NULL, 1, 10,
          "Component: instead of the landscape's own"),
    FIELD(struct selection, lod, NULL, 0, LAYOUT_LODS_MOST - 1,
          "Component: this level for all, instead of by size"),
    FIELD(struct selection, per_section, NULL, 0, 0, "Component: a level for each section"),
    FIELD_AS(FIELD_CHOICE, struct selection, split,
             "Quadtree: by distance in sizes, by the error that shows, or by ranges that double",
             .words = splits, .has_value = true, .value = SPLIT_DISTANCE),
    FIELD(struct selection, factor, NULL, 0, 1000,
          "Quadtree: nodes are split while nearer than this many times their size",
          .above_least = true, .has_value = true, .value = 2),
    FIELD(struct selection, pixel_error, "pixels", 0, 10000,
          "Quadtree: the error that may show, where it splits", .above_least = true,
          .has_value = true, .value = 2),
    FIELD(struct selection, leaf, "quads", 8, 1024,
          "Quadtree: a side of the least node, a power of two", .has_value = true, .value = 64),
    FIELD(struct selection, grid, "quads", 8, 1024,
          "Quadtree: a side of every node's mesh, a power of two; the leaf's by default"),
    FIELD(struct selection, balance, NULL, 0, 3,
          "Quadtree: levels that neighbours may differ by; 0 is no limit", .has_value = true,
          .value = 1),
    FIELD(struct selection, merge_angle, "degrees", -1, 90,
          "Quadtree: quads whose normals differ by no more become one; negative merges nothing",
          .has_value = true, .value = -1),
    FIELD(struct selection, half_step, NULL, 0, 0,
          "Quadtree: the mesh between two levels for what is far enough"),
    { .kind = FIELD_END }
};

_Static_assert(sizeof rows / sizeof rows[0] == MEMBERS + 1, "the members are listed twice");

const struct shape selection_shape = { .name = "selection",
                                       .size = sizeof(struct selection),
                                       .fields = rows,
                                       .given = offsetof(struct selection, given) };

const struct shape selection_detail_shape = { .name = "detail",
                                              .size = sizeof(struct selection),
                                              .fields = rows + MEMBER_holes,
                                              .given = offsetof(struct selection, given) };

static bool of_this_mode(struct request *rq, const struct selection *asked)
{
    bool components = asked->mode == SELECTION_COMPONENT;
    uint64_t strange = asked->given & (components ? QUADTREE_MEMBERS : COMPONENT_MEMBERS);
    int member = 0;

    if (!strange)
        return true;
    while (!(strange >> member & 1))
        member++;
    REFUSE(rq, FAULT_INPUT, "%s is of the mode %s, and this one is %s", rows[member].name,
           selection_modes[!components ? SELECTION_COMPONENT : SELECTION_QUADTREE],
           selection_modes[asked->mode]);
    return fault_at(&rq->fault, "/%s", rows[member].name);
}

static bool power_of_two(struct request *rq, const char *name, int32_t value, int32_t most)
{
    int32_t nearest = 8;

    if ((value & (value - 1)) == 0 && value <= most)
        return true;
    while (nearest * 2 <= value && nearest * 2 <= most)
        nearest *= 2;
    REFUSE(rq, FAULT_INPUT, "%s is a power of two from 8 to %d, such as %d, not %d", name, most,
           nearest, value);
    return fault_at(&rq->fault, "/%s", name);
}

static void set_options(const struct selection *asked, struct pick_options *options)
{
    *options = (struct pick_options){
        .components = asked->mode == SELECTION_COMPONENT,
        .hole_rule = asked->holes,
        .everything = asked->everything,
        .width = asked->width,
        .height = asked->height,
        .component = { .lod0_screen_size = asked->lod0_screen_size,
                       .lod0_distribution = asked->lod0_distribution,
                       .lod_distribution = asked->lod_distribution,
                       .bias = asked->bias,
                       .forced = asked->given & BIT(lod) ? asked->lod : -1,
                       .per_section = asked->per_section },
        .quadtree = { .split = asked->split,
                      .factor = asked->factor,
                      .pixel_error = asked->pixel_error,
                      .leaf = asked->leaf,
                      .grid = asked->given & BIT(grid) ? asked->grid : asked->leaf,
                      .balance = asked->balance,
                      .merge_angle = asked->merge_angle,
                      .half_step = asked->half_step },
    };
}

static bool detail_ready(struct request *rq, const struct selection *asked,
                         struct pick_options *options)
{
    if (!of_this_mode(rq, asked) || !power_of_two(rq, "leaf", asked->leaf, 1024))
        return false;
    set_options(asked, options);
    return power_of_two(rq, "grid", options->quadtree.grid, asked->leaf);
}

bool selection_detail(struct request *rq, const struct selection *asked, int mode,
                      struct pick_options *options)
{
    struct selection whole = *asked;

    whole.given <<= MEMBER_holes;
    whole.mode = mode;
    return detail_ready(rq, &whole, options);
}

bool selection_ready(struct request *rq, const struct selection *asked, struct frustum *frustum,
                     struct pick_options *options)
{
    struct extent extent;
    struct camera camera;

    if (!viewing_check(rq, &asked->camera) || !detail_ready(rq, asked, options))
        return false;
    if (asked->near >= asked->far) {
        REFUSE(rq, FAULT_INPUT, "far lies beyond near, which %g does not beyond %g", asked->far,
               asked->near);
        return fault_at(&rq->fault, "/far");
    }
    viewing_camera(rq->view, &asked->camera, &camera);
    extent_of(rq->view, &extent);
    frustum->nearest = asked->near;
    frustum->farthest = asked->far;
    return camera_look(&camera, &extent, asked->width, asked->height, &frustum->look, &rq->fault) ||
           fault_at(&rq->fault, "/camera");
}

int32_t selection_levels(const struct view *view, int32_t leaf)
{
    const struct grid *grid = view_grid(view);
    int64_t quads = (grid->columns > grid->rows ? grid->columns : grid->rows) - 1;
    int32_t levels = 1;

    for (int64_t size = leaf; size < quads; size *= 2)
        levels++;
    return levels;
}

int32_t selection_level(const struct view *view, int32_t leaf, int32_t size)
{
    int32_t level = selection_levels(view, leaf) - 1;

    for (int64_t at = leaf; at < size; at *= 2)
        level--;
    return level;
}
