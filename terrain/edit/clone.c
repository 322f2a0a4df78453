/* Clone: copies the heights of another place, of this landscape or another one. */
#include "terrain/edit/dab.h"

#include <math.h>
#include <string.h>

#include "terrain/edit/surface.h"

enum { HEIGHTS_ABSOLUTE, HEIGHTS_RELATIVE };
static const char *const heights_words[] = { "absolute", "relative", NULL };

struct clone {
    struct where where;
    double from[2];        /* grid coordinates; NaN when absent */
    const char *landscape; /* NULL is the one being edited */
    double scale;
    int heights;
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
    struct tree source;
    double at[2];             /* the first point, or the region's first vertex */
    double first[2], step[2]; /* the source's column and row for (0, 0), and on for each quad */
    double code, rise;        /* what source code 0 becomes, and each further one */
    double strength;
};

static void clone_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                      uint16_t *heights)
{
    const struct cloner *cloner = (const struct cloner *)tool;
    double row = cloner->first[1] + y * cloner->step[1];

    for (int32_t i = 0; i < count; i++) {
        double column = cloner->first[0] + (x + i) * cloner->step[0], code;

        if (!surface_bilinear(&cloner->source, column, row, &code))
            continue; /* beyond the source there is nothing to copy */
        code = cloner->code + code * cloner->rise;
        heights[i] = dab_round(heights[i] + (code - heights[i]) * (force[i] * cloner->strength));
    }
}

/* The rectangle of a landscape from one grid position to another. */
static struct rect around(const struct view *view, const double least[2], const double most[2])
{
    const struct grid *grid = view_grid(view);
    int32_t left, right, top, bottom;

    dab_clip(floor(least[0]), most[0] + 1, grid->columns, &left, &right);
    dab_clip(floor(least[1]), most[1] + 1, grid->rows, &top, &bottom);
    return (struct rect){ left, top, right - left, bottom - top };
}

/* What is read of the source for all that a path or region may touch. */
static struct rect source_box(const struct cloner *cloner, struct rect box,
                              const struct view *source)
{
    double least[2] = { box.x, box.y }, most[2] = { box.x + box.width, box.y + box.height };

    for (int i = 0; i < 2; i++) {
        least[i] = cloner->first[i] + least[i] * cloner->step[i];
        most[i] = cloner->first[i] + most[i] * cloner->step[i];
    }
    return around(source, least, most);
}

/* Which of the source's positions goes where, and how its codes become this landscape's. */
static void aim(struct cloner *cloner, const struct clone *clone, const struct view *view,
                const struct view *source, double there[2])
{
    const struct grid *to = view_grid(view), *of = view_grid(source);
    double metres[2];

    memcpy(there, isnan(clone->from[0]) ? cloner->at : clone->from, sizeof cloner->at);
    if (clone->landscape) {
        grid_to_local(to, there, metres);
        grid_from_local(of, metres, there);
    }
    for (int i = 0; i < 2; i++) {
        cloner->step[i] = to->scale[i] / (of->scale[i] * clone->scale);
        cloner->first[i] = there[i] - cloner->at[i] * cloner->step[i];
    }
    cloner->rise = of->scale[2] / to->scale[2];
    cloner->code = grid_code(to, grid_metres(of, 0));
}

/* Relative heights: those of the source less what it has there, upon the ground here. */
static bool put_upon(struct cloner *cloner, const struct tree *ground, const double there[2],
                     struct fault *why)
{
    double source, here;

    if (!surface_bilinear(&cloner->source, there[0], there[1], &source)) {
        fault_set(why, FAULT_IMPOSSIBLE,
                  "the place to copy from lies outside its landscape: no height to count from");
        return fault_at(why, "/from");
    }
    if (!surface_bilinear(ground, cloner->at[0], cloner->at[1], &here)) {
        fault_set(why, FAULT_IMPOSSIBLE,
                  "the path begins outside the landscape: no ground to put relative heights upon");
        return fault_at(why, "/path");
    }
    cloner->code = here - source * cloner->rise;
    return true;
}

static bool begin_op(struct cloner *cloner, struct draft *draft, const struct clone *clone,
                     struct fault *why)
{
    const struct view *view = draft_view(draft), *source = view;
    const struct tree *ground;
    struct rect read;
    double there[2];

    if (clone->landscape) {
        source = draft_landscape(draft, clone->landscape, why);
        if (!source)
            return fault_at(why, "/landscape");
    }
    aim(cloner, clone, view, source, there);
    read = around(view, cloner->at, cloner->at);
    if (source == view)
        read = rect_join(read, source_box(cloner, where_box(&clone->where, view), view));
    ground = draft_surface(draft, read, why);
    if (!ground)
        return false;
    cloner->source = tree_hold(clone->landscape ? &source->planes[PLANE_HEIGHTS] : ground);
    return clone->heights == HEIGHTS_ABSOLUTE || put_upon(cloner, ground, there, why);
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct clone *clone = takes;
    const struct where *where = &clone->where;
    struct cloner cloner = { .tool = { .row = clone_row },
                             .at = { where->region.x, where->region.y },
                             .strength = clone->strength };
    bool applied;

    if (!where_check(where, draft_view(draft), why))
        return false;
    if (!clone->landscape && isnan(clone->from[0])) {
        fault_set(why, FAULT_INPUT, "clone needs the place to copy from, or a landscape");
        return fault_at(why, "/from");
    }
    if (where->path.count)
        memcpy(cloner.at, where->path.items, sizeof cloner.at);
    applied = begin_op(&cloner, draft, clone, why) && where_apply(draft, where, &cloner.tool, why);
    tree_drop(&cloner.source);
    return applied;
}

BRUSH_SHAPE(clone, struct clone, rows, -1);

const struct brush brush_clone = {
    .name = "clone",
    .summary = "Copies the heights of another place, of this landscape or another one",
    .example = "{\"tool\":\"clone\",\"path\":[[40,40]],\"radius\":12,\"from\":[18,20],"
               "\"heights\":\"relative\"}",
    .takes = &brush_clone_takes,
    .apply = apply,
};
