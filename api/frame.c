#include "api/frame.h"

#include <math.h>

#include "api/member.h"
#include "terrain/format/georef.h"

const char *const frame_words[] = { "local", "grid", "lonlat", NULL };

/* One conversion of many positions, a `stride` of doubles apart. */
struct passage {
    enum frame frame;
    const struct settings *settings;
    bool into; /* the grid; else out of it */
};

static bool shape_pass(const struct passage *passage, const struct shape *shape, void *value,
                       struct fault *why);

static void local_pass(const struct passage *passage, double *at)
{
    double from[2] = { at[0], at[1] };

    if (passage->into)
        grid_from_local(&passage->settings->grid, from, at);
    else
        grid_to_local(&passage->settings->grid, from, at);
}

static bool pairs_pass(const struct passage *passage, double *points, size_t count,
                       struct fault *why)
{
    if (passage->frame == FRAME_LOCAL)
        for (size_t i = 0; i < count; i++)
            local_pass(passage, points + 2 * i);
    if (passage->frame != FRAME_LONLAT || !count)
        return true;
    return passage->into ? georef_to_grid(passage->settings, GEOREF_LONLAT, points, count, why)
                         : georef_from_grid(passage->settings, GEOREF_LONLAT, points, count, why);
}

static bool no_place(const struct field *field, struct fault *why)
{
    return fault_set(why, FAULT_IMPOSSIBLE,
                     "%s is a position that the landscape's CRS cannot express", field->name);
}

static bool point_pass(const struct passage *passage, const struct field *field, double *at,
                       struct fault *why)
{
    if (isnan(at[0]) || isnan(at[1]))
        return true;
    if (!pairs_pass(passage, at, 1, why))
        return false;
    return !passage->into || field->anywhere || isfinite(at[0] + at[1]) || no_place(field, why);
}

/* Positions with metres behind them; there are few of those. */
static bool triples_pass(const struct passage *passage, const struct field *field, double *points,
                         size_t count, struct fault *why)
{
    for (size_t i = 0; i < count; i++)
        if (!point_pass(passage, field, points + 3 * i, why))
            return fault_within(why, "/%zu", i);
    return true;
}

static bool points_pass(const struct passage *passage, const struct field *field, struct list *list,
                        struct fault *why)
{
    double *points = list->items;

    if (field_point_numbers(field) == 3)
        return triples_pass(passage, field, points, list->count, why);
    if (!pairs_pass(passage, points, list->count, why))
        return false;
    for (size_t i = 0; passage->into && !field->anywhere && i < 2 * list->count; i++)
        if (!isfinite(points[i]))
            return no_place(field, why) || fault_within(why, "/%zu", i / 2);
    return true;
}

static bool variant_pass(const struct passage *passage, const struct variant_set *set,
                         struct variant *variant, struct fault *why)
{
    return !variant->members ||
           shape_pass(passage, set->shapes[variant->chosen], variant->members, why);
}

static bool list_pass(const struct passage *passage, const struct field *field, struct list *list,
                      struct fault *why)
{
    for (size_t i = 0; i < list->count; i++) {
        bool passed =
            field->kind == FIELD_VARIANTS
                ? variant_pass(passage, field->variants, (struct variant *)list->items + i, why)
                : shape_pass(passage, field->shape, (char *)list->items + i * field->shape->size,
                             why);
        if (!passed)
            return fault_within(why, "/%zu", i);
    }
    return true;
}

static bool field_pass(const struct passage *passage, const struct field *field, void *at,
                       struct fault *why)
{
    switch (field->kind) {
    case FIELD_POINT:
    case FIELD_POINT3:
        return point_pass(passage, field, at, why);
    case FIELD_POINTS:
        return points_pass(passage, field, at, why);
    case FIELD_OBJECT:
        return shape_pass(passage, field->shape, at, why);
    case FIELD_VARIANT:
        return variant_pass(passage, field->variants, at, why);
    case FIELD_LIST:
    case FIELD_VARIANTS:
        return list_pass(passage, field, at, why);
    default:
        return true;
    }
}

static bool shape_pass(const struct passage *passage, const struct shape *shape, void *value,
                       struct fault *why)
{
    struct member member = { 0 };

    while (member_next(shape, &member))
        if (!field_pass(passage, member.field, field_in(member.field, value), why))
            return fault_within(why, "/%s", member.field->name);
    return true;
}

bool frame_to_grid(const struct shape *shape, void *value, enum frame frame,
                   const struct settings *settings, struct fault *why)
{
    return frame == FRAME_GRID ||
           shape_pass(&(struct passage){ frame, settings, true }, shape, value, why);
}

bool frame_from_grid(const struct shape *shape, void *value, enum frame frame,
                     const struct settings *settings, struct fault *why)
{
    return frame == FRAME_GRID ||
           shape_pass(&(struct passage){ frame, settings, false }, shape, value, why);
}
