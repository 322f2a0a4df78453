/* Ramp: a graded strip from one point to another, its sides fading into the ground. */
#include "terrain/edit/dab.h"

#include <math.h>
#include <stddef.h>

#include "terrain/edit/falloff.h"
#include "terrain/edit/mask.h"

struct ramp {
    double from[3], to[3]; /* grid coordinates and metres */
    double width;          /* m */
    double falloff;        /* share of half the width that fades */
    struct variant mask;
};

static const struct field rows[] = {
    FIELD_AS(FIELD_POINT3, struct ramp, from, "Where it begins, and at which height",
             .required = true),
    FIELD_AS(FIELD_POINT3, struct ramp, to, "Where it ends, and at which height", .required = true),
    FIELD(struct ramp, width, "m", 0, 1e9, "Across, the fading sides included", .above_least = true,
          .required = true),
    FIELD(struct ramp, falloff, "", 0, 1, "Share of half the width over which each side fades",
          .has_value = true, .value = 0.5),
    MASK_FIELD(struct ramp),
    { .kind = FIELD_END }
};

/* The strip, in metres from its beginning: along it and to its side. */
struct strip {
    struct dab dab;
    struct tool tool;
    double from[2], scale[2]; /* grid coordinates, metres a quad */
    double along[2];          /* unit vector, metres */
    double length, half, share;
    double codes[2]; /* at the beginning and the end */
    int32_t columns;
};

static struct strip *strip_of_tool(struct tool *tool)
{
    return (struct strip *)((char *)tool - offsetof(struct strip, tool));
}

/* The columns in which begin + step * column lies in [least, most]. */
static void cut(double begin, double step, double least, double most, double *from, double *to)
{
    double a, b;

    if (fabs(step) < 1e-12 * (most - least)) {
        if (begin < least || begin > most)
            *to = *from - 1;
        return;
    }
    a = (least - begin) / step;
    b = (most - begin) / step;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

static void strip_span(const struct dab *dab, int32_t y, int32_t *first, int32_t *end)
{
    const struct strip *strip = (const struct strip *)dab;
    double down = (y - strip->from[1]) * strip->scale[1];
    double west = -strip->from[0] * strip->scale[0], step = strip->scale[0];
    double from = -1, to = strip->columns;

    cut(west * strip->along[0] + down * strip->along[1], step * strip->along[0], 0, strip->length,
        &from, &to);
    cut(west * strip->along[1] - down * strip->along[0], step * strip->along[1], -strip->half,
        strip->half, &from, &to);
    /* One vertex more a side: the force itself decides. */
    dab_clip(from - 1, to + 1, strip->columns, first, end);
}

/* The share of the way at a vertex; below 0 or above 1 beyond the ends. */
static double strip_way(const struct strip *strip, int32_t x, int32_t y, double *aside)
{
    double across = (x - strip->from[0]) * strip->scale[0];
    double down = (y - strip->from[1]) * strip->scale[1];

    *aside = across * strip->along[1] - down * strip->along[0];
    return (across * strip->along[0] + down * strip->along[1]) / strip->length;
}

static void strip_force(const struct dab *dab, int32_t x, int32_t y, int32_t count, double *force)
{
    const struct strip *strip = (const struct strip *)dab;
    double squares[BLOCK_SIDE], aside;

    for (int32_t i = 0; i < count; i++) {
        double way = strip_way(strip, x + i, y, &aside);

        squares[i] = way >= 0 && way <= 1 ? aside * aside : INFINITY;
    }
    falloff_row(FALLOFF_SMOOTH, strip->half, strip->share, count, squares, force);
}

static void strip_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                      uint16_t *heights)
{
    const struct strip *strip = strip_of_tool(tool);
    double rise = strip->codes[1] - strip->codes[0], aside;

    for (int32_t i = 0; i < count; i++) {
        double to = strip->codes[0] + rise * strip_way(strip, x + i, y, &aside);

        heights[i] =
            force[i] > 0 ? dab_round(heights[i] + (to - heights[i]) * force[i]) : heights[i];
    }
}

static struct rect strip_box(const struct ramp *ramp, const struct grid *grid)
{
    double across = ramp->width / 2 / grid->scale[0] + 1;
    double down = ramp->width / 2 / grid->scale[1] + 1;
    int32_t left, right, top, bottom;

    dab_clip(fmin(ramp->from[0], ramp->to[0]) - across, fmax(ramp->from[0], ramp->to[0]) + across,
             grid->columns, &left, &right);
    dab_clip(fmin(ramp->from[1], ramp->to[1]) - down, fmax(ramp->from[1], ramp->to[1]) + down,
             grid->rows, &top, &bottom);
    return (struct rect){ left, top, right - left, bottom - top };
}

static struct dab strip_dab(const struct ramp *ramp, const struct grid *grid)
{
    struct dab dab = { .box = strip_box(ramp, grid), .span = strip_span, .force = strip_force };

    for (int i = 0; i < 2; i++) {
        dab.middle[i] = (ramp->from[i] + ramp->to[i]) / 2;
        dab.half[i] = (fabs(ramp->to[i] - ramp->from[i]) + ramp->width / grid->scale[i]) / 2;
    }
    return dab;
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct ramp *ramp = takes;
    struct grid grid = *view_grid(draft_view(draft));
    double across = (ramp->to[0] - ramp->from[0]) * grid.scale[0];
    double down = (ramp->to[1] - ramp->from[1]) * grid.scale[1];
    double length = sqrt(across * across + down * down);
    struct strip strip = { .dab = strip_dab(ramp, &grid),
                           .tool = { .row = strip_row },
                           .from = { ramp->from[0], ramp->from[1] },
                           .scale = { grid.scale[0], grid.scale[1] },
                           .along = { across / length, down / length },
                           .length = length,
                           .half = ramp->width / 2,
                           .share = ramp->falloff,
                           .codes = { grid_code(&grid, ramp->from[2]),
                                      grid_code(&grid, ramp->to[2]) },
                           .columns = grid.columns };
    struct masking *masking;
    bool applied;

    if (!(length > 1e-9 && length < 1e15)) {
        fault_set(why, FAULT_INPUT, "a ramp's ends must lie apart, not %g m", length);
        return fault_at(why, "/to");
    }
    if (!masking_new(draft, &ramp->mask, &masking, why))
        return false;
    applied = masking_apply(masking, draft, &strip.dab, &strip.tool, why);
    masking_free(masking);
    return applied;
}

const struct shape brush_ramp_takes = {
    .name = "ramp", .size = sizeof(struct ramp), .fields = rows, .given = -1
};

const struct brush brush_ramp = {
    .name = "ramp",
    .summary = "Lays a graded strip from one point to another",
    .example = "{\"tool\":\"ramp\",\"from\":[10,10,0],\"to\":[50,40,12],\"width\":8}",
    .takes = &brush_ramp_takes,
    .apply = apply,
};
