/* Flatten: towards a height, a plane, or the nearest terrace. */
#include "terrain/edit/dab.h"

#include <math.h>
#include <stddef.h>

#include "terrain/base/wide.h"
#include "terrain/edit/paint_tools.h"
#include "terrain/edit/surface.h"

enum { MODE_BOTH, MODE_RAISE, MODE_LOWER };
static const char *const modes[] = { "both", "raise", "lower", NULL };
static const char *const pick[] = { "pick", NULL };

struct flatten {
    struct where where;
    uint64_t given; /* bit 0: target */
    double target;  /* m; NaN picks the height under the first point */
    double strength;
    int mode;
    double terrace;    /* m between terraces, of which one lies at 0 m; 0 is none */
    struct list plane; /* three of double[3] */
    const char *layer;
};

static const struct field rows[] = {
    FIELD_AS(
        FIELD_PICK, struct flatten, target,
        "The height, or the weight of a layer, or the one under the path's first point; or give "
        "terrace or plane",
        .unit = "m", .least = -1e9, .greatest = 1e9, .words = pick),
    FIELD(struct flatten, strength, "", 0, 1, "Share of the way that a full force goes",
          .has_value = true, .value = 1),
    FIELD_AS(FIELD_CHOICE, struct flatten, mode, "Whether ground may be raised, lowered or both",
             .words = modes, .has_value = true, .value = MODE_BOTH),
    FIELD(
        struct flatten, terrace, "m", 0, 1e9,
        "Metres between steps: each vertex goes to the nearest height that is a whole multiple of "
        "so many metres, the upper one if two are as near",
        .above_least = true),
    FIELD_AS(FIELD_POINTS, struct flatten, plane, "Three points [x, y, z] of a plane to go to",
             .unit = "points", .least = 3, .greatest = 3, .count = 3),
    PAINT_LAYER_ROW(struct flatten),
    { .kind = FIELD_END }
};

struct flattener {
    struct tool tool;
    const struct grid *grid;
    double strength;
    int mode;
    double terrace;       /* m; 0 is none */
    double code, rise[2]; /* the target at (0, 0) and how it rises a quad, in codes */
};

static void targets(const struct flattener *flattener, int32_t x, int32_t y, int32_t count,
                    const uint16_t *heights, double *to)
{
    if (flattener->terrace > 0) {
        for (int32_t i = 0; i < count; i++) {
            double step =
                floor(grid_metres(flattener->grid, heights[i]) / flattener->terrace + 0.5);

            to[i] = grid_code(flattener->grid, step * flattener->terrace);
        }
        return;
    }
    for (int32_t i = 0; i < count; i++)
        to[i] = flattener->code + flattener->rise[0] * (x + i) + flattener->rise[1] * y;
}

WIDE static void flatten_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                             const double *force, uint16_t *heights)
{
    const struct flattener *flattener = (const struct flattener *)tool;
    double to[BLOCK_SIDE], strength = flattener->strength;
    bool raise = flattener->mode != MODE_LOWER, lower = flattener->mode != MODE_RAISE;

    targets(flattener, x, y, count, heights, to);
    for (int32_t i = 0; i < count; i++) {
        double way = to[i] - heights[i];
        bool goes = force[i] > 0 && (way > 0 ? raise : lower);

        heights[i] = goes ? dab_round(heights[i] + way * (force[i] * strength)) : heights[i];
    }
}

/* The plane through three points, as a target that rises. */
static bool plane_target(struct flattener *flattener, const double points[3][3], struct fault *why)
{
    double x[2], y[2], z[2], first = grid_code(flattener->grid, points[0][2]), area;

    for (int i = 0; i < 2; i++) {
        x[i] = points[i + 1][0] - points[0][0];
        y[i] = points[i + 1][1] - points[0][1];
        z[i] = grid_code(flattener->grid, points[i + 1][2]) - first;
    }
    area = x[0] * y[1] - x[1] * y[0];
    if (!(fabs(area) > 1e-9)) {
        fault_set(why, FAULT_INPUT, "the three points of a plane may not lie on one line");
        return fault_at(why, "/plane");
    }
    flattener->rise[0] = (z[0] * y[1] - z[1] * y[0]) / area;
    flattener->rise[1] = (x[0] * z[1] - x[1] * z[0]) / area;
    flattener->code = first - flattener->rise[0] * points[0][0] - flattener->rise[1] * points[0][1];
    return true;
}

/* The surface as it lies before the first dab, read around its middle. */
static bool pick_target(struct flattener *flattener, const struct where *where, struct draft *draft,
                        struct fault *why)
{
    const double *first = where->path.items;
    const struct grid *grid = flattener->grid;
    const struct tree *surface;
    int32_t left, right, top, bottom;

    if (where->path.count == 0) {
        fault_set(why, FAULT_INPUT,
                  "a target is picked under the first point of a path; a region "
                  "needs a height");
        return fault_at(why, "/target");
    }
    dab_clip(floor(first[0]), first[0] + 1, grid->columns, &left, &right);
    dab_clip(floor(first[1]), first[1] + 1, grid->rows, &top, &bottom);
    surface = draft_surface(draft, (struct rect){ left, top, right - left, bottom - top }, why);
    if (!surface)
        return false;
    if (surface_triangle(surface, first[0], first[1], &flattener->code))
        return true;
    fault_set(why, FAULT_IMPOSSIBLE, "the path begins outside the landscape: no height to pick");
    return fault_at(why, "/target");
}

static bool paint(struct draft *draft, const struct flatten *flatten, struct fault *why)
{
    const struct paint_flatten weights = { flatten->layer, flatten->target, flatten->strength,
                                           flatten->mode != MODE_LOWER,
                                           flatten->mode != MODE_RAISE };

    if (flatten->given & 1 && flatten->plane.count == 0 && !(flatten->terrace > 0))
        return paint_flatten(draft, &flatten->where, &weights, why);
    fault_set(why, FAULT_INPUT,
              "a paint layer is flattened to a target; terraces and planes are of "
              "heights");
    return fault_at(why, "/target");
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct flatten *flatten = takes;
    const struct view *view = draft_view(draft);
    struct grid grid = *view_grid(view);
    struct flattener flattener = { .tool = { .row = flatten_row },
                                   .grid = &grid,
                                   .strength = flatten->strength,
                                   .mode = flatten->mode,
                                   .terrace = flatten->terrace };
    bool target = flatten->given & 1, plane = flatten->plane.count == 3;

    if (target + plane + (flatten->terrace > 0) != 1) {
        fault_set(why, FAULT_INPUT, "flatten needs one of target, terrace and plane");
        return fault_at(why, "/target");
    }
    if (flatten->layer)
        return paint(draft, flatten, why);
    if (!where_check(&flatten->where, view, why))
        return false;
    if (plane && !plane_target(&flattener, flatten->plane.items, why))
        return false;
    if (target && isnan(flatten->target) && !pick_target(&flattener, &flatten->where, draft, why))
        return false;
    if (target && !isnan(flatten->target))
        flattener.code = grid_code(&grid, flatten->target);
    return where_apply(draft, &flatten->where, &flattener.tool, why);
}

BRUSH_SHAPE(flatten, struct flatten, rows, offsetof(struct flatten, given));

const struct brush brush_flatten = {
    .name = "flatten",
    .summary = "Takes the ground towards a height, a plane or terraces",
    .example = "{\"tool\":\"flatten\",\"path\":[[32,32]],\"radius\":15,\"target\":\"pick\","
               "\"strength\":0.8}",
    .takes = &brush_flatten_takes,
    .apply = apply,
};
