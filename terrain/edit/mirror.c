/* Mirror: reflects the ground across the middle of each dab's area, or across a line. */
#include "terrain/edit/dab.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "terrain/edit/surface.h"

enum { AXIS_X, AXIS_Y, AXIS_XY };
static const char *const axes[] = { "x", "y", "xy", NULL };
enum { KEEP_NONE, KEEP_FIRST, KEEP_SECOND };
static const char *const keeps[] = { "none", "first", "second", NULL };

struct mirror {
    struct where where;
    uint64_t given; /* bit 0: axis, bit 1: line */
    int axis;
    struct list line; /* two of double[2], grid coordinates */
    int keep;
    double strength;
};

static const struct field rows[] = {
    FIELD_AS(FIELD_CHOICE, struct mirror, axis,
             "Across the middle of the area: x changes west and east, y north and south, xy both, "
             "which is half a turn",
             .words = axes, .has_value = true, .value = AXIS_X),
    FIELD_AS(FIELD_POINTS, struct mirror, line,
             "Two positions of a line to reflect across, instead of an axis", .unit = "positions",
             .least = 2, .greatest = 2),
    FIELD_AS(FIELD_CHOICE, struct mirror, keep,
             "The half that stays and is copied to the other: first is the west, with y and xy the "
             "north, with a line its left hand; none: each half takes the heights of the other",
             .words = keeps, .has_value = true, .value = KEEP_NONE),
    FIELD(struct mirror, strength, "", 0, 1, "Share of the way that a full force goes",
          .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

/* Where a position's height comes from: base + x * by_x + y * by_y, all in grid coordinates. On
 * which side of the mirror it lies: the sign of side[0] + x * side[1] + y * side[2]; the first
 * half is below 0. */
struct mirrorer {
    struct tool tool;
    struct tree before;
    const struct mirror *mirror;
    double scale[2]; /* metres a quad */
    double base[2], by_x[2], by_y[2], side[3];
    double keeps; /* the sign of the half that stays, or 0 */
    double strength;
};

static void aim_at_middle(struct mirrorer *mirrorer, const double middle[2])
{
    int axis = mirrorer->mirror->axis;
    bool across = axis != AXIS_Y, down = axis != AXIS_X;

    mirrorer->base[0] = across ? 2 * middle[0] : 0;
    mirrorer->base[1] = down ? 2 * middle[1] : 0;
    mirrorer->by_x[0] = across ? -1 : 1;
    mirrorer->by_y[1] = down ? -1 : 1;
    mirrorer->by_x[1] = mirrorer->by_y[0] = 0;
    /* In half a turn the middle row is cut too: its west belongs to the north. */
    mirrorer->side[1] = !down ? 1 : across ? 1e-9 : 0;
    mirrorer->side[2] = down;
    mirrorer->side[0] = -middle[0] * mirrorer->side[1] - middle[1] * mirrorer->side[2];
}

/* In metres a position p goes to p - 2 (n . (p - a)) n, n being the line's normal. */
static bool aim_at_line(struct mirrorer *mirrorer, struct fault *why)
{
    const double(*line)[2] = mirrorer->mirror->line.items;
    double along[2], length, normal[2], begin;

    for (int i = 0; i < 2; i++)
        along[i] = (line[1][i] - line[0][i]) * mirrorer->scale[i];
    length = sqrt(along[0] * along[0] + along[1] * along[1]);
    if (!(length > 1e-9 && length < 1e15)) {
        fault_set(why, FAULT_INPUT, "the positions of a line must lie apart, not %g m", length);
        return fault_at(why, "/line");
    }
    normal[0] = -along[1] / length;
    normal[1] = along[0] / length;
    begin =
        normal[0] * line[0][0] * mirrorer->scale[0] + normal[1] * line[0][1] * mirrorer->scale[1];
    for (int i = 0; i < 2; i++) {
        double twice = 2 * normal[i] / mirrorer->scale[i];

        mirrorer->base[i] = twice * begin;
        mirrorer->by_x[i] = (i == 0) - twice * normal[0] * mirrorer->scale[0];
        mirrorer->by_y[i] = (i == 1) - twice * normal[1] * mirrorer->scale[1];
        mirrorer->side[1 + i] = normal[i] * mirrorer->scale[i];
    }
    mirrorer->side[0] = -begin;
    return true;
}

static void image_of(const struct mirrorer *mirrorer, double x, double y, double image[2])
{
    for (int i = 0; i < 2; i++)
        image[i] = mirrorer->base[i] + x * mirrorer->by_x[i] + y * mirrorer->by_y[i];
}

/* The rectangle on the landscape that a box is reflected to. */
static struct rect image_box(const struct mirrorer *mirrorer, struct rect box,
                             const struct grid *grid)
{
    double least[2] = { INFINITY, INFINITY }, most[2] = { -INFINITY, -INFINITY }, image[2];
    int32_t left, right, top, bottom;

    for (int corner = 0; corner < 4; corner++) {
        image_of(mirrorer, box.x + (corner & 1) * box.width, box.y + (corner >> 1) * box.height,
                 image);
        for (int i = 0; i < 2; i++) {
            least[i] = fmin(least[i], image[i]);
            most[i] = fmax(most[i], image[i]);
        }
    }
    dab_clip(least[0] - 1, most[0] + 1, grid->columns, &left, &right);
    dab_clip(least[1] - 1, most[1] + 1, grid->rows, &top, &bottom);
    return (struct rect){ left, top, right - left, bottom - top };
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    struct mirrorer *mirrorer = (struct mirrorer *)tool;
    const struct tree *surface;

    if (mirrorer->mirror->line.count == 0)
        aim_at_middle(mirrorer, tool->dab->middle);
    box = rect_join(box, image_box(mirrorer, box, view_grid(draft_view(draft))));
    surface = draft_surface(draft, box, why);
    if (!surface)
        return false;
    tree_drop(&mirrorer->before);
    mirrorer->before = tree_hold(surface);
    return true;
}

static void mirror_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                       uint16_t *heights)
{
    const struct mirrorer *mirrorer = (const struct mirrorer *)tool;
    const double *side = mirrorer->side;

    for (int32_t i = 0; i < count; i++) {
        double where = side[0] + (x + i) * side[1] + y * side[2], image[2], code;

        image_of(mirrorer, x + i, y, image);
        if (where * mirrorer->keeps > 0 ||
            !surface_bilinear(&mirrorer->before, image[0], image[1], &code))
            continue; /* the half that stays, or the image lies beyond the landscape */
        heights[i] = dab_round(heights[i] + (code - heights[i]) * (force[i] * mirrorer->strength));
    }
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    static const double signs[] = { [KEEP_NONE] = 0, [KEEP_FIRST] = -1, [KEEP_SECOND] = 1 };
    const struct mirror *mirror = takes;
    const struct view *view = draft_view(draft);
    struct mirrorer mirrorer = { .tool = { .begin = begin, .row = mirror_row },
                                 .mirror = mirror,
                                 .scale = { view_grid(view)->scale[0], view_grid(view)->scale[1] },
                                 .keeps = signs[mirror->keep],
                                 .strength = mirror->strength };
    bool applied;

    if (!where_check(&mirror->where, view, why))
        return false;
    if (mirror->given & 1 && mirror->line.count) {
        fault_set(why, FAULT_INPUT, "mirror takes an axis or a line, not both");
        return fault_at(why, "/line");
    }
    if (mirror->line.count && !aim_at_line(&mirrorer, why))
        return false;
    applied = where_apply(draft, &mirror->where, &mirrorer.tool, why);
    tree_drop(&mirrorer.before);
    return applied;
}

BRUSH_SHAPE(mirror, struct mirror, rows, offsetof(struct mirror, given));

const struct brush brush_mirror = {
    .name = "mirror",
    .summary = "Reflects the ground across the middle of the area, or across a line",
    .example = "{\"tool\":\"mirror\",\"region\":{\"x\":4,\"y\":4,\"width\":50,\"height\":40},"
               "\"axis\":\"x\",\"keep\":\"first\"}",
    .takes = &brush_mirror_takes,
    .apply = apply,
};
