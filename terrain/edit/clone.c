/* Clone: copies what another place has, of this landscape or another one. */
#include "terrain/edit/clone.h"

#include <math.h>
#include <string.h>

#include "terrain/edit/surface.h"

enum { WHAT_HEIGHTS, WHAT_WEIGHTS, WHAT_HOLES, WHAT_ALL };
static const char *const whats[] = { "heights", "weights", "holes", "all", NULL };
enum { HEIGHTS_ABSOLUTE, HEIGHTS_RELATIVE };
static const char *const heights_words[] = { "absolute", "relative", NULL };

struct clone {
    struct where where;
    double from[2];        /* grid coordinates; NaN when absent */
    const char *landscape; /* NULL is the one being edited */
    double scale;
    int what, heights;
    double strength;
};

static const struct field rows[] = {
    FIELD_AS(FIELD_POINT, struct clone, from,
             "What lies here comes to the path's first point, or to the region's north-west "
             "vertex, and its surroundings around that. In another landscape it is the position "
             "of the same local coordinates, by default those of the first point or vertex"),
    FIELD_AS(FIELD_NAME, struct clone, landscape, "The landscape to copy from, if another one"),
    FIELD(struct clone, scale, "", 0.001, 1000,
          "Lengths of the copy against those of its source; heights stay as they are",
          .has_value = true, .value = 1),
    FIELD_AS(FIELD_CHOICE, struct clone, what,
             "What is copied. Weights go to the paint layers of the same names; a quad becomes a "
             "hole, or solid, where its force is above a half",
             .words = whats, .has_value = true, .value = WHAT_HEIGHTS),
    FIELD_AS(FIELD_CHOICE, struct clone, heights,
             "absolute: the heights themselves; relative: what stands out above the source's "
             "height at from is put upon the ground as it is at the first point or vertex",
             .words = heights_words, .has_value = true, .value = HEIGHTS_ABSOLUTE),
    FIELD(struct clone, strength, "", 0, 1, "Share of the way that a full force goes",
          .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

struct cloner {
    struct tool tool;
    const struct cloning *cloning;
    struct tree source;
    double code, rise; /* what source code 0 becomes, and each further one */
};

static void clone_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                      uint16_t *heights)
{
    const struct cloner *cloner = (const struct cloner *)tool;
    const struct cloning *cloning = cloner->cloning;
    double row = cloning_row(cloning, y), code;

    for (int32_t i = 0; i < count; i++) {
        if (!surface_bilinear(&cloner->source, cloning_column(cloning, x + i), row, &code))
            continue; /* beyond the source there is nothing to copy */
        code = cloner->code + code * cloner->rise;
        heights[i] = dab_round(heights[i] + (code - heights[i]) * (force[i] * cloning->strength));
    }
}

/* The rectangle of a landscape from one grid position to another. */
static struct rect around(struct rect all, const double least[2], const double most[2])
{
    int32_t left, right, top, bottom;

    dab_clip(floor(least[0]), most[0] + 1, all.width, &left, &right);
    dab_clip(floor(least[1]), most[1] + 1, all.height, &top, &bottom);
    return (struct rect){ left, top, right - left, bottom - top };
}

/* Which of the source's positions goes where: `there` to `at`. */
static void aim(struct cloning *cloning, const struct clone *clone, const struct view *view,
                const double at[2], double there[2])
{
    const struct view *source = cloning->other ? cloning->other : view;
    const struct grid *to = view_grid(view), *of = view_grid(source);
    struct rect box = where_box(&clone->where, view);
    double least[2] = { box.x, box.y }, most[2] = { box.x + box.width, box.y + box.height };
    double metres[2];

    memcpy(there, isnan(clone->from[0]) ? at : clone->from, 2 * sizeof *there);
    if (cloning->other) {
        grid_to_local(to, there, metres);
        grid_from_local(of, metres, there);
    }
    for (int i = 0; i < 2; i++) {
        cloning->step[i] = to->scale[i] / (of->scale[i] * clone->scale);
        cloning->first[i] = there[i] - at[i] * cloning->step[i];
        least[i] = cloning->first[i] + least[i] * cloning->step[i];
        most[i] = cloning->first[i] + most[i] * cloning->step[i];
    }
    cloning->all = view_rect(source);
    cloning->read = around(cloning->all, least, most);
}

/* Relative heights: those of the source less what it has there, upon the ground here. */
static bool put_upon(struct cloner *cloner, const struct tree *ground, const double at[2],
                     const double there[2], struct fault *why)
{
    double source, here;

    if (!surface_bilinear(&cloner->source, there[0], there[1], &source)) {
        fault_set(why, FAULT_IMPOSSIBLE,
                  "the place to copy from lies outside its landscape: no height to count from");
        return fault_at(why, "/from");
    }
    if (!surface_bilinear(ground, at[0], at[1], &here)) {
        fault_set(why, FAULT_IMPOSSIBLE,
                  "the path begins outside the landscape: no ground to put relative heights upon");
        return fault_at(why, "/path");
    }
    cloner->code = here - source * cloner->rise;
    return true;
}

static bool clone_heights(struct draft *draft, const struct clone *clone,
                          const struct cloning *cloning, const double at[2], const double there[2],
                          struct fault *why)
{
    const struct view *view = draft_view(draft), *other = cloning->other;
    const struct grid *to = view_grid(view), *of = view_grid(other ? other : view);
    struct rect here = around(view_rect(view), at, at);
    const struct tree *ground =
        draft_surface(draft, other ? here : rect_join(here, cloning->read), why);
    struct cloner cloner = { .tool = { .row = clone_row },
                             .cloning = cloning,
                             .rise = of->scale[2] / to->scale[2],
                             .code = grid_code(to, grid_metres(of, 0)) };
    bool done;

    if (!ground)
        return false;
    cloner.source = tree_hold(other ? &other->planes[PLANE_HEIGHTS] : ground);
    done = (clone->heights == HEIGHTS_ABSOLUTE || put_upon(&cloner, ground, at, there, why)) &&
           where_apply(draft, &clone->where, &cloner.tool, why);
    tree_drop(&cloner.source);
    return done;
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct clone *clone = takes;
    const struct where *where = &clone->where;
    struct cloning cloning = { .strength = clone->strength };
    double at[2] = { where->region.x, where->region.y }, there[2];
    int what = clone->what;

    if (!where_check(where, draft_view(draft), why))
        return false;
    if (!clone->landscape && isnan(clone->from[0])) {
        fault_set(why, FAULT_INPUT, "clone needs the place to copy from, or a landscape");
        return fault_at(why, "/from");
    }
    if (clone->landscape) {
        cloning.other = draft_landscape(draft, clone->landscape, why);
        if (!cloning.other)
            return fault_at(why, "/landscape");
    }
    if (where->path.count)
        memcpy(at, where->path.items, sizeof at);
    aim(&cloning, clone, draft_view(draft), at, there);
    /* heights last: masks of the ground see it as it was */
    return (!(what == WHAT_ALL || what == WHAT_HOLES) ||
            clone_holes(draft, where, &cloning, why)) &&
           (!(what == WHAT_ALL || what == WHAT_WEIGHTS) ||
            clone_weights(draft, where, &cloning, why)) &&
           (!(what == WHAT_ALL || what == WHAT_HEIGHTS) ||
            clone_heights(draft, clone, &cloning, at, there, why));
}

BRUSH_SHAPE(clone, struct clone, rows, -1);

const struct brush brush_clone = {
    .name = "clone",
    .summary =
        "Copies heights, weights or holes of another place, of this landscape or another one",
    .example = "{\"tool\":\"clone\",\"path\":[[40,40]],\"radius\":12,\"from\":[18,20],"
               "\"heights\":\"relative\"}",
    .takes = &brush_clone_takes,
    .apply = apply,
};
