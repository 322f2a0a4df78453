/* Masks: what each means, worked out again vertex by vertex, and what they do to every tool. */
#include "tests/terrain/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/angle.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"

enum { COLUMNS = 150, ROWS = 140 };

static struct arena arena;

/* Each of the paint layers dabbed about, so that their weights differ. Takes the view. */
static struct view *painted(struct view *view)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct dice dice = { 31 };
    struct change change;

    for (int i = 0; i < 3 * OPS_PAINTS; i++) {
        const double path[1][2] = { { dice_real(&dice, 0, COLUMNS), dice_real(&dice, 0, ROWS) } };
        struct op *op = op_new("paint");

        op_name(op, "layer", ops_paints[i % OPS_PAINTS]);
        op_path(op, path, 1);
        op_real(op, "radius", 70);
        op_real(op, "falloff", 1);
        op_real(op, "amount", 240);
        if (!brush_apply_all(draft, &op->variant, 1, &why))
            fail_msg("%s %s", why.place, why.detail);
        op_free(op);
    }
    return ground_finish(draft, view, &change);
}

static int begin(void **state)
{
    struct view *view = ground_rough(COLUMNS, ROWS, 5);

    view->settings->grid.scale[0] = 1.25;
    view->settings->grid.scale[1] = 0.75;
    view->settings->grid.scale[2] = 0.5;
    *state = painted(view);
    return 0;
}

static int end(void **state)
{
    view_drop(*state);
    arena_free(&arena);
    arena = (struct arena){ 0 };
    return 0;
}

/* The slow way: one vertex at a time, from the header's sentences alone. */

static double slow_share(const struct view *view, const struct variant *mask, int32_t x, int32_t y,
                         const double middle[2], const double half[2]);

/* The value of a member, by its name. */
static double value(const struct variant *mask, const char *name)
{
    const struct shape *shapes[2] = { masks[mask->chosen]->takes, &mask_base_shape };

    for (int s = 0; s < 2; s++) {
        for (const struct field *field = shapes[s]->fields; field->kind != FIELD_END; field++) {
            const void *at = field_in(field, mask->members);

            if (strcmp(field->name, name) != 0)
                continue;
            switch (field->kind) {
            case FIELD_REAL:
                return *(const double *)at;
            case FIELD_INT:
                return *(const int32_t *)at;
            case FIELD_INT64:
                return (double)*(const int64_t *)at;
            case FIELD_BOOL:
                return *(const bool *)at;
            default:
                return *(const int *)at;
            }
        }
    }
    fail_msg("%s has no %s", masks[mask->chosen]->name, name);
    return 0;
}

static void *place(const struct variant *mask, const char *name)
{
    for (const struct field *field = masks[mask->chosen]->takes->fields;; field++) {
        assert_true(field->kind != FIELD_END);
        if (strcmp(field->name, name) == 0)
            return field_in(field, mask->members);
    }
}

static double z(const struct view *view, int32_t x, int32_t y)
{
    return grid_metres(view_grid(view), view_height(view, x, y));
}

static double slow_feather(const struct variant *mask, double distance)
{
    double feather = value(mask, "feather");

    return distance < 0 ? 0 : distance >= feather ? 1 : distance / feather;
}

static double slow_range(const struct variant *mask, double at)
{
    double from = value(mask, "from"), to = value(mask, "to"), fade = value(mask, "fade");
    double beyond = fmax(fmax(from - at, at - to), 0);

    return beyond == 0 ? 1 : fmax(0, fade > 0 ? 1 - beyond / fade : 0);
}

static double slow_rectangle(const struct view *view, const struct variant *mask, int32_t x,
                             int32_t y)
{
    const double *scale = view_grid(view)->scale;
    double west = (x - value(mask, "x")) * scale[0], north = (y - value(mask, "y")) * scale[1];
    double east = (value(mask, "width") - 1) * scale[0] - west;
    double south = (value(mask, "height") - 1) * scale[1] - north;

    return slow_feather(mask, fmin(fmin(west, east), fmin(north, south)));
}

/* Inside by the sum of the angles that the corners go round: odd windings of a polygon are those of
 * the even-odd rule. */
static double slow_polygon(const struct view *view, const struct variant *mask, int32_t x,
                           int32_t y)
{
    const struct list *list = place(mask, "points");
    const double(*points)[2] = list->items, *scale = view_grid(view)->scale;
    double turned = 0, least = INFINITY;

    for (size_t i = 0; i < list->count; i++) {
        const double *a = points[i], *b = points[(i + 1) % list->count];
        double ax = a[0] - x, ay = a[1] - y, bx = b[0] - x, by = b[1] - y;

        turned += atan2(ax * by - ay * bx, ax * bx + ay * by);
        for (int step = 0; step <= 1000;
             step++) { /* near enough to the nearest point of the edge */
            double t = step / 1000.0, px = (ax + t * (bx - ax)) * scale[0];
            double py = (ay + t * (by - ay)) * scale[1];

            least = fmin(least, sqrt(px * px + py * py));
        }
    }
    if (least < 0.2)
        return NAN; /* on the outline either will do */
    return lround(turned / (2 * acos(-1))) % 2 == 0 ? 0 : slow_feather(mask, least);
}

static double slow_ellipse(const struct view *view, const struct variant *mask, int32_t x,
                           int32_t y)
{
    const double *center = place(mask, "center"), *radii = place(mask, "radii");
    double turn = value(mask, "rotation") * acos(-1) / 180;
    double east = (x - center[0]) * view_grid(view)->scale[0];
    double south = (y - center[1]) * view_grid(view)->scale[1];
    double u = (cos(turn) * east + sin(turn) * south) / radii[0];
    double v = (cos(turn) * south - sin(turn) * east) / radii[1];

    if (fabs(hypot(u, v) - 1) < 1e-9)
        return NAN;
    return slow_feather(mask, (1 - hypot(u, v)) * fmin(radii[0], radii[1]));
}

static double slow_image(const struct view *view, const struct variant *mask, int32_t x, int32_t y,
                         const double middle[2], const double half[2])
{
    const struct rect *region = place(mask, "region");
    double threshold = value(mask, "threshold"), at[2], share = 0;
    const double place_of[2] = { x, y };

    (void)view;
    for (int i = 0; i < 2; i++) {
        int32_t samples = i ? mask_picture.height : mask_picture.width;
        double first = i ? region->y : region->x;
        double size = (i ? region->height : region->width) - 1;

        if (region->width <= 0) {
            first = middle[i] - half[i];
            size = 2 * half[i];
        }
        at[i] = size > 0 ? (place_of[i] - first) / size * (samples - 1) : (samples - 1) / 2.0;
        if (at[i] < 0 || at[i] > samples - 1)
            return fabs(at[i] - (at[i] < 0 ? 0 : samples - 1)) < 1e-6 ? NAN : 0;
    }
    share = mask_picture_at(at[0], at[1]);
    if (fabs(share - threshold) < 1e-9)
        return NAN;
    return isnan(threshold) ? share : share >= threshold;
}

static int32_t clamped(double at, int32_t size)
{
    return at < 0 ? 0 : at > size - 1 ? size - 1 : (int32_t)at;
}

static double slow_slope(const struct view *view, int32_t x, int32_t y, int32_t reach,
                         double gradient[2])
{
    const struct grid *grid = view_grid(view);
    int32_t west = clamped(x - reach, grid->columns), east = clamped(x + reach, grid->columns);
    int32_t north = clamped(y - reach, grid->rows), south = clamped(y + reach, grid->rows);

    gradient[0] = (z(view, east, y) - z(view, west, y)) / ((east - west) * grid->scale[0]);
    gradient[1] = (z(view, x, south) - z(view, x, north)) / ((south - north) * grid->scale[1]);
    return atan(hypot(gradient[0], gradient[1])) * 180 / acos(-1);
}

static double slow_aspect(const struct variant *mask, const double gradient[2])
{
    double angle = atan2(-gradient[0], gradient[1]) * 180 / acos(-1), least = INFINITY;
    double from = value(mask, "from"), to = value(mask, "to"), fade = value(mask, "fade");

    if (gradient[0] == 0 && gradient[1] == 0)
        return 0;
    to += to < from ? 360 : 0;
    for (int turns = -2; turns <= 2; turns++) {
        double at = angle + 360 * turns;

        if (fabs(at - from) < 1e-6 || fabs(at - to) < 1e-6)
            return NAN;
        least = fmin(least, fmax(fmax(from - at, at - to), 0));
    }
    return least == 0 ? 1 : fmax(0, fade > 0 ? 1 - least / fade : 0);
}

static double slow_curvature(const struct view *view, int32_t x, int32_t y, int32_t reach)
{
    const struct grid *grid = view_grid(view);
    double across = reach * grid->scale[0], down = reach * grid->scale[1], bend = 0;

    if (x >= reach && x + reach < grid->columns)
        bend +=
            (2 * z(view, x, y) - z(view, x - reach, y) - z(view, x + reach, y)) / (across * across);
    if (y >= reach && y + reach < grid->rows)
        bend += (2 * z(view, x, y) - z(view, x, y - reach) - z(view, x, y + reach)) / (down * down);
    return bend;
}

static double lattice(double column, double row, uint32_t seed)
{
    uint32_t h = (uint32_t)(int64_t)column * 0x8da6b343u ^ (uint32_t)(int64_t)row * 0xd8163841u ^
                 seed * 0xcb1ab31fu;

    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return (h ^ h >> 16) / 4294967296.0 * 2 - 1;
}

static double slow_noise(const struct variant *mask, int32_t x, int32_t y)
{
    double sum = 0, all = 0, threshold = value(mask, "threshold"), fade = value(mask, "fade");

    for (int octave = 0; octave < value(mask, "octaves"); octave++) {
        double cell = value(mask, "cell") / pow(2, octave), share = pow(0.5, octave), n = 0;
        uint32_t seed = (uint32_t)value(mask, "seed") + (uint32_t)octave;
        double u = x / cell, v = y / cell;

        for (int corner = 0; corner < 4; corner++) {
            double i = floor(u) + corner % 2, j = floor(v) + corner / 2;
            double tx = 1 - fabs(u - i), ty = 1 - fabs(v - j);

            n += lattice(i, j, seed) * tx * tx * (3 - 2 * tx) * ty * ty * (3 - 2 * ty);
        }
        n = value(mask, "kind") == 1   ? 2 * fabs(n) - 1
            : value(mask, "kind") == 2 ? 1 - 2 * fabs(n)
                                       : n;
        sum += share * n;
        all += share;
    }
    sum = (sum / all + 1) / 2;
    if (isnan(threshold))
        return sum;
    if (fabs(sum - threshold) < 1e-9)
        return NAN;
    return sum >= threshold ? 1 : fmax(0, fade > 0 ? 1 - (threshold - sum) / fade : 0);
}

static double slow_layer(const struct view *view, const struct variant *mask, int32_t x, int32_t y)
{
    const struct stack *stack = view->settings->stack;
    int paint = stack_paint(stack, *(const char **)place(mask, "layer"));
    const struct tree *weights = view_weights(view, stack->paints[paint].id);
    double weight = weights ? tree_value(weights, x, y) : 0, beyond;
    double from = value(mask, "from"), to = value(mask, "to"), fade = value(mask, "fade");

    if (isnan(from) && isnan(to))
        return weight / 255;
    beyond = fmax(fmax(isnan(from) ? 0 : from - weight, isnan(to) ? 0 : weight - to), 0);
    return beyond == 0 ? 1 : fmax(0, fade > 0 ? 1 - beyond / fade : 0);
}

static double slow_several(const struct view *view, const struct variant *mask, int32_t x,
                           int32_t y, const double middle[2], const double half[2], bool least)
{
    const struct list *list = place(mask, "masks");
    double share = least ? 1 : 0;

    for (size_t i = 0; i < list->count; i++) {
        double other = slow_share(view, (struct variant *)list->items + i, x, y, middle, half);

        if (isnan(other))
            return NAN;
        share = least ? fmin(share, other) : fmax(share, other);
    }
    return share;
}

static double slow_ground(const struct view *view, const struct variant *mask, const char *name,
                          int32_t x, int32_t y)
{
    double gradient[2], at;
    int32_t reach;

    if (!strcmp(name, "height"))
        return slow_range(mask, z(view, x, y));
    reach = (int32_t)value(mask, "reach");
    if (!strcmp(name, "curvature"))
        return slow_range(mask, slow_curvature(view, x, y, reach));
    at = slow_slope(view, x, y, reach, gradient);
    return strcmp(name, "slope") ? slow_aspect(mask, gradient) : slow_range(mask, at);
}

/* NaN where rounding decides. */
static double slow_share(const struct view *view, const struct variant *mask, int32_t x, int32_t y,
                         const double middle[2], const double half[2])
{
    const char *name = masks[mask->chosen]->name;
    double share;

    if (!strcmp(name, "rectangle"))
        share = slow_rectangle(view, mask, x, y);
    else if (!strcmp(name, "polygon"))
        share = slow_polygon(view, mask, x, y);
    else if (!strcmp(name, "ellipse"))
        share = slow_ellipse(view, mask, x, y);
    else if (!strcmp(name, "image"))
        share = slow_image(view, mask, x, y, middle, half);
    else if (!strcmp(name, "noise"))
        share = slow_noise(mask, x, y);
    else if (!strcmp(name, "layer"))
        share = slow_layer(view, mask, x, y);
    else if (!strcmp(name, "all") || !strcmp(name, "any"))
        share = slow_several(view, mask, x, y, middle, half, name[1] == 'l');
    else if (!strcmp(name, "not"))
        share = 1 - slow_share(view, place(mask, "mask"), x, y, middle, half);
    else
        share = slow_ground(view, mask, name, x, y);
    return value(mask, "invert") ? 1 - share : share;
}

/* The quick way: what a tool is given. */

struct listener {
    struct tool tool;
    double *forces; /* of the whole landscape */
};

static void listen(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                   uint16_t *heights)
{
    struct listener *listener = (struct listener *)tool;

    (void)heights;
    memcpy(listener->forces + y * COLUMNS + x, force, (size_t)count * sizeof *force);
}

/* The forces of a dab, or of the whole landscape as a region, through the mask; to be freed. */
static double *forces(const struct view *view, const struct where *where)
{
    struct listener listener = { .tool = { .row = listen },
                                 .forces = calloc(COLUMNS * ROWS, sizeof(double)) };
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);

    draft_lend(draft, &mask_sources);
    if (!where_apply(draft, where, &listener.tool, &why))
        fail_msg("%s %s", why.place, why.detail);
    draft_free(draft);
    return listener.forces;
}

static struct where everywhere(struct variant mask)
{
    return (struct where){ .region = { 0, 0, COLUMNS, ROWS }, .mask = mask };
}

static double *shares_of(const struct view *view, struct variant mask)
{
    struct where where = everywhere(mask);

    return forces(view, &where);
}

/* Distances to polygons are measured in steps. */
static double tolerance(const struct variant *mask)
{
    return masks[mask->chosen]->inside || !strcmp(masks[mask->chosen]->name, "polygon") ? 0.05
                                                                                        : 1e-6;
}

static void assert_as_slow(const struct view *view, const struct variant *mask)
{
    const double middle[2] = { (COLUMNS - 1) / 2.0, (ROWS - 1) / 2.0 };
    double *shares = shares_of(view, *mask);
    int told = 0;

    for (int32_t y = 0; y < ROWS; y++) {
        for (int32_t x = (y * 7) % 3; x < COLUMNS; x += 3) {
            double slow = slow_share(view, mask, x, y, middle, middle);
            double quick = shares[y * COLUMNS + x];

            assert_true(quick >= 0 && quick <= 1);
            if (isnan(slow))
                continue;
            if (fabs(slow - quick) > tolerance(mask))
                fail_msg("%s at (%d, %d): %.9g, not %.9g", masks[mask->chosen]->name, x, y, quick,
                         slow);
            told++;
        }
    }
    assert_true(told > COLUMNS * ROWS / 6);
    free(shares);
}

static void every_mask_is_what_its_definition_says(void **state)
{
    struct dice dice = { 21 };

    for (int mask = 0; mask < mask_count - 3; mask++) {
        for (int round = 0; round < 6; round++) {
            struct variant thrown =
                mask_random(&arena, mask, (struct rect){ 0, 0, COLUMNS, ROWS }, &dice, 1);

            if (round % 2) {
                mask_real(&thrown, "threshold", NAN);
                mask_real(&thrown, "feather", 0);
            }
            if (round % 2 && !strcmp(masks[mask]->name, "layer"))
                mask_real(&thrown, "from", NAN);
            if (round == 1 && !strcmp(masks[mask]->name, "layer"))
                mask_real(&thrown, "to", NAN);
            if (round == 3 && !strcmp(masks[mask]->name, "image"))
                memset(place(&thrown, "region"), 0, sizeof(struct rect));
            assert_as_slow(*state, &thrown);
        }
    }
}

static void combinations_are_least_greatest_and_the_rest(void **state)
{
    struct dice dice = { 22 };

    for (int round = 0; round < 15; round++) {
        struct variant parts[2], all = mask_new(&arena, "all"), any = mask_new(&arena, "any");
        struct list list = { 2, parts };
        double *shares[4];

        for (int i = 0; i < 2; i++)
            parts[i] = mask_random(&arena, dice_between(&dice, 0, mask_count - 1),
                                   (struct rect){ 0, 0, COLUMNS, ROWS }, &dice, 3);
        *(struct list *)place(&all, "masks") = list;
        *(struct list *)place(&any, "masks") = list;
        for (int i = 0; i < 2; i++)
            shares[i] = shares_of(*state, parts[i]);
        shares[2] = shares_of(*state, all);
        shares[3] = shares_of(*state, any);
        for (int i = 0; i < COLUMNS * ROWS; i++) {
            double least = shares[0][i] < shares[1][i] ? shares[0][i] : shares[1][i];

            assert_true(shares[2][i] == least);
            assert_true(shares[3][i] == (least == shares[0][i] ? shares[1][i] : shares[0][i]));
        }
        for (int i = 0; i < 4; i++)
            free(shares[i]);
    }
}

static struct variant negated(struct variant mask)
{
    struct variant made = mask_new(&arena, "not");

    *(struct variant *)place(&made, "mask") = mask;
    return made;
}

static struct variant combined(const char *type, struct variant a, struct variant b)
{
    struct variant made = mask_new(&arena, type), *both = arena_new(&arena, 2 * sizeof *both);

    both[0] = a;
    both[1] = b;
    *(struct list *)place(&made, "masks") = (struct list){ 2, both };
    return made;
}

static void assert_same(const struct view *view, struct variant a, struct variant b)
{
    double *one = shares_of(view, a), *two = shares_of(view, b);

    for (int i = 0; i < COLUMNS * ROWS; i++)
        assert_true(one[i] == two[i]);
    free(one);
    free(two);
}

static void masks_obey_the_laws_of_logic(void **state)
{
    struct dice dice = { 23 };
    const struct rect all = { 0, 0, COLUMNS, ROWS };

    for (int mask = 0; mask < mask_count; mask++) {
        struct variant a = mask_random(&arena, mask, all, &dice, 2);
        struct variant b =
            mask_random(&arena, dice_between(&dice, 0, mask_count - 1), all, &dice, 2);

        assert_same(*state, combined("any", negated(a), negated(b)),
                    negated(combined("all", a, b)));
        assert_same(*state, combined("all", a, combined("any", a, b)), a);
        assert_same(*state, combined("all", a, b), combined("all", b, a));
    }
}

/* Not exactly 1 - (1 - x) = x where shares are finer than doubles below 1 can tell. */
static void what_is_turned_round_twice_is_back(void **state)
{
    struct dice dice = { 24 };

    for (int mask = 0; mask < mask_count; mask++) {
        struct variant a =
            mask_random(&arena, mask, (struct rect){ 0, 0, COLUMNS, ROWS }, &dice, 2);
        double *one = shares_of(*state, a), *two = shares_of(*state, negated(negated(a)));

        for (int i = 0; i < COLUMNS * ROWS; i++)
            assert_float_equal(one[i], two[i], 1e-15);
        free(one);
        free(two);
    }
}

static void a_sharp_mask_and_its_opposite_share_nothing(void **state)
{
    struct dice dice = { 25 };

    for (int mask = 0; mask < mask_count - 3; mask++) {
        struct variant a =
            mask_random(&arena, mask, (struct rect){ 0, 0, COLUMNS, ROWS }, &dice, 1);
        double *none, *every;

        mask_real(&a, "fade", 0);
        mask_real(&a, "feather", 0);
        mask_real(&a, "threshold", 0.5);
        if (!strcmp(masks[mask]->name, "layer"))
            mask_real(&a, "from", 100), mask_real(&a, "to", 200);
        none = shares_of(*state, combined("all", a, negated(a)));
        every = shares_of(*state, combined("any", a, negated(a)));
        for (int i = 0; i < COLUMNS * ROWS; i++) {
            assert_true(none[i] == 0);
            assert_true(every[i] == 1);
        }
        free(none);
        free(every);
    }
}

static void a_dab_fades_as_its_falloff_times_its_mask(void **state)
{
    struct dice dice = { 26 };
    double point[1][2] = { { 70.25, 66.5 } };

    for (int mask = 0; mask < mask_count; mask++) {
        struct variant a =
            mask_random(&arena, mask, (struct rect){ 0, 0, COLUMNS, ROWS }, &dice, 2);
        struct where where = { .path = { 1, point }, .radius = 40, .falloff = 0.7 };
        const double half[2] = { 40 / 1.25, 40 / 0.75 };
        double *plain = forces(*state, &where), *through;

        where.mask = a;
        through = forces(*state, &where);
        for (int32_t i = 0; i < COLUMNS * ROWS; i += 11) {
            double share = slow_share(*state, &a, i % COLUMNS, i / COLUMNS, point[0], half);

            if (!isnan(share))
                assert_float_equal(through[i], plain[i] * share, tolerance(&a));
            assert_true(through[i] <= plain[i]);
        }
        free(plain);
        free(through);
    }
}

/* Every tool, through each mask: nothing changes where the mask is 0. */
static void every_brush_acts_only_where_its_mask_does(void **state)
{
    const struct view *view = *state;
    struct dice dice = { 27 };

    for (int brush = 0; brush < brush_count; brush++) {
        for (int mask = 0; mask < mask_count; mask++) {
            struct op *op = op_random(brush, view_rect(view), &dice);
            struct variant thrown = mask_random(&arena, mask, view_rect(view), &dice, 2);
            struct rect all = view_rect(view);
            struct fault why = { 0 };
            struct draft *draft = draft_new(view, &why);
            struct change change;
            struct view *changed;
            double *shares;

            if (!strcmp(masks[mask]->name, "image")) /* what lies on the dab moves with it */
                *(struct rect *)place(&thrown, "region") = all;
            /* a path's later dabs see what the earlier ones have done: one region is one dab */
            if (op_region(op, all))
                op_path(op, NULL, 0);
            op_mask(op, thrown);
            shares = shares_of(view, thrown);
            draft_lend(draft, &mask_sources);
            if (!brush_apply_all(draft, &op->variant, 1, &why))
                fail_msg("%s: %s %s", brushes[brush]->name, why.place, why.detail);
            changed = ground_finish(draft, view_hold(view), &change);
            for (int32_t i = 0; i < COLUMNS * ROWS; i++) {
                int32_t x = i % COLUMNS, y = i / COLUMNS;

                if (shares[i] == 0 && view_height(view, x, y) != view_height(changed, x, y))
                    fail_msg("%s through %s at (%d, %d)", brushes[brush]->name, masks[mask]->name,
                             x, y);
            }
            op_free(op);
            view_drop(changed);
            free(shares);
        }
    }
}

static void a_mask_of_the_ground_sees_what_was_there_before_the_dab(void **state)
{
    struct view *view = ground_flat(64, 64, 32768), *changed;
    double path[2][2] = { { 30, 30 }, { 30, 30 } };
    struct variant mask = mask_new(&arena, "height");
    struct op *op = op_new("raise");
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;

    (void)state;
    mask_real(&mask, "to", 3);
    op_path(op, (const double(*)[2])path, 2);
    op_real(op, "radius", 10);
    op_real(op, "falloff", 0);
    op_real(op, "amount", 5);
    op_mask(op, mask);
    assert_true(brush_apply_all(draft, &op->variant, 1, &why));
    changed = ground_finish(draft, view, &change);
    /* all of the first dab, none of the second */
    assert_int_equal(view_height(changed, 30, 30), 32768 + 5 * 128);
    assert_int_equal(view_height(changed, 24, 36), 32768 + 5 * 128);
    view_drop(changed);
    op_free(op);
}

/* A plane has the slope and the aspect that it was made with, to its border. */
static void slope_and_aspect_of_a_plane_are_exact(void **state)
{
    static const struct {
        int east, south; /* codes a quad at 1 m: 128 is 45 degrees */
        double slope, aspect;
    } planes[] = {
        { 128, 0, 45, 270 },  { -128, 0, 45, 90 }, { 0, 128, 45, 0 },
        { 0, -128, 45, 180 }, { 0, 0, 0, -1 },     { 128, 128, 54.735610317245346, 315 },
    };

    (void)state;
    for (size_t p = 0; p < sizeof planes / sizeof *planes; p++) {
        uint16_t *heights = malloc(COLUMNS * ROWS * sizeof *heights);
        struct variant slope = mask_new(&arena, "slope"), aspect = mask_new(&arena, "aspect");
        struct view *view;
        double *shares;

        for (int i = 0; i < COLUMNS * ROWS; i++)
            heights[i] =
                (uint16_t)(28000 + i % COLUMNS * planes[p].east + i / COLUMNS * planes[p].south);
        view = ground_of(COLUMNS, ROWS, heights);
        mask_real(&slope, "from", planes[p].slope - (p == 5 ? 1e-9 : 0));
        mask_real(&slope, "to", planes[p].slope + (p == 5 ? 1e-9 : 0));
        shares = shares_of(view, slope);
        for (int i = 0; i < COLUMNS * ROWS; i++)
            assert_true(shares[i] == 1);
        free(shares);
        mask_real(&aspect, "from", planes[p].aspect < 0 ? 0 : planes[p].aspect);
        mask_real(&aspect, "to", planes[p].aspect < 0 ? 360 : planes[p].aspect);
        shares = shares_of(view, aspect);
        for (int i = 0; i < COLUMNS * ROWS; i++)
            assert_true(shares[i] == (planes[p].aspect < 0 ? 0 : 1)); /* level ground has none */
        free(shares);
        view_drop(view);
        free(heights);
    }
}

static void a_range_of_aspects_wraps_at_north(void **state)
{
    struct variant mask = mask_new(&arena, "aspect");
    uint16_t *heights = malloc(COLUMNS * ROWS * sizeof *heights);
    struct view *view;
    double *shares;

    (void)state;
    for (int i = 0; i < COLUMNS * ROWS; i++) /* falls a little west of north */
        heights[i] = (uint16_t)(20000 + i % COLUMNS * 10 + i / COLUMNS * 100);
    view = ground_of(COLUMNS, ROWS, heights);
    mask_real(&mask, "from", 350);
    mask_real(&mask, "to", 10);
    shares = shares_of(view, mask);
    assert_true(shares[20 * COLUMNS + 20] == 1);
    free(shares);
    mask_real(&mask, "from", 0);
    mask_real(&mask, "fade", 10); /* 5.71 degrees beyond */
    shares = shares_of(view, mask);
    assert_float_equal(shares[20 * COLUMNS + 20], 1 - 5.710593137499643 / 10, 1e-9);
    free(shares);
    view_drop(view);
    free(heights);
}

static void refused(const struct view *view, struct variant mask, enum fault_code code,
                    const char *at)
{
    struct where where = everywhere(mask);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct listener listener = { .tool = { .row = listen } };

    assert_false(where_apply(draft, &where, &listener.tool, &why));
    assert_int_equal(why.code, code);
    assert_string_equal(why.place, at);
    assert_true(why.detail[0] != '\0');
    draft_free(draft);
}

static void what_rows_cannot_say_is_refused_at_its_member(void **state)
{
    struct variant slope = mask_new(&arena, "slope"), image = mask_new(&arena, "image");
    struct variant deep = mask_new(&arena, "rectangle"), wide = mask_new(&arena, "rectangle");

    mask_real(&slope, "from", 40);
    mask_real(&slope, "to", 30);
    refused(*state, slope, FAULT_INPUT, "/mask/to");
    refused(*state, combined("any", mask_new(&arena, "height"), slope), FAULT_INPUT,
            "/mask/masks/1/to");
    refused(*state, negated(combined("all", slope, slope)), FAULT_INPUT, "/mask/mask/masks/0/to");
    *(const char **)place(&image, "image") = "none"; /* the draft has been lent nothing */
    refused(*state, image, FAULT_MISSING, "/mask/image");
    for (int i = 0; i < 8; i++)
        deep = negated(deep);
    refused(*state, deep, FAULT_LIMIT, "/mask/mask/mask/mask/mask/mask/mask/mask/mask");
    for (int i = 0; i < 6; i++)
        wide = combined("any", wide, wide);
    /* of 127 masks the first 64 are the top and all of its first half */
    refused(*state, wide, FAULT_LIMIT, "/mask/masks/1");
}

static void masks_are_not_free(void **state)
{
    struct variant mask = mask_new(&arena, "curvature");
    struct where where = everywhere(mask);
    struct fault why = { 0 };
    struct draft *draft = draft_new(*state, &why);
    double *room = calloc(COLUMNS * ROWS, sizeof *room);
    struct listener listener = { .tool = { .row = listen }, .forces = room };

    draft_limit(draft, 2 * COLUMNS * ROWS);
    assert_false(where_apply(draft, &where, &listener.tool, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    draft_free(draft);
    draft = draft_new(*state, &why);
    draft_limit(draft, 5 * COLUMNS * ROWS);
    assert_true(where_apply(draft, &where, &listener.tool, &why));
    draft_free(draft);
    free(room);
}

static void every_mask_has_its_row_in_full(void **state)
{
    (void)state;
    assert_int_equal(mask_variants.count, mask_count);
    assert_string_equal(mask_variants.tag, "type");
    for (int i = 0; i < mask_count; i++) {
        assert_string_equal(masks[i]->name, mask_variants.words[i]);
        assert_ptr_equal(masks[i]->takes, mask_variants.shapes[i]);
        assert_ptr_equal(masks[i]->takes->base, &mask_base_shape);
        assert_true(masks[i]->summary[0] && strstr(masks[i]->example, masks[i]->name));
    }
    assert_null(mask_variants.words[mask_count]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(every_mask_is_what_its_definition_says),
        TEST(combinations_are_least_greatest_and_the_rest),
        TEST(masks_obey_the_laws_of_logic),
        TEST(what_is_turned_round_twice_is_back),
        TEST(a_sharp_mask_and_its_opposite_share_nothing),
        TEST(a_dab_fades_as_its_falloff_times_its_mask),
        TEST(every_brush_acts_only_where_its_mask_does),
        TEST(a_mask_of_the_ground_sees_what_was_there_before_the_dab),
        TEST(slope_and_aspect_of_a_plane_are_exact),
        TEST(a_range_of_aspects_wraps_at_north),
        TEST(what_rows_cannot_say_is_refused_at_its_member),
        TEST(masks_are_not_free),
        TEST(every_mask_has_its_row_in_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
