#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/flat_inside.h"
#include "render/mode_scale.h"
#include "render/samples.h"
#include "terrain/base/wide.h"

/* Fields that are made together: the first, and how many. */
static const struct {
    enum flat_field first;
    int count;
} groups[] = { { FLAT_Z, 1 },      { FLAT_EAST, 2 }, { FLAT_BEND, 1 }, { FLAT_RED, 3 },
               { FLAT_WEIGHT, 1 }, { FLAT_RISE, 1 }, { FLAT_ERROR, 1 } };

enum { GROUPS = sizeof groups / sizeof *groups, ROOM_ROWS = 5 /* of samples, for any group */ };
enum { EDGE_PIXELS = 2 };

static bool wanted(const struct flat_part *part, int group)
{
    return part->fields >> groups[group].first & ((1u << groups[group].count) - 1);
}

/* Places */

/* A place of the grid, of column or row `axis`, among the samples of the reach. */
static double place(const struct flat_part *part, int axis, double x, double y)
{
    const struct flat_frame *frame = part->frame;
    double vertex = frame->first[axis] + x * frame->right[axis] + y * frame->down[axis];

    return samples_place(frame->level, vertex) - (axis ? part->reach.y : part->reach.x);
}

static int32_t before(double place, int32_t count)
{
    return place > 0 ? place < count - 2 ? (int32_t)place : count - 2 : 0;
}

/* Samples that the part's pixels lie between, of those around the ground; empty when none does. */
static struct rect reach_of(const struct flat_part *part)
{
    const struct rect pixels = part->pixels, solid = part->frame->extent.solid;
    int32_t low[2], high[2];

    for (int axis = 0; axis < 2; axis++) {
        double last = axis ? solid.height - 1 : solid.width - 1, least = HUGE_VAL, most = -HUGE_VAL;

        for (int i = 0; i < 4; i++) {
            double at = place(part, axis, pixels.x + (i & 1 ? pixels.width - 1 : 0),
                              pixels.y + (i & 2 ? pixels.height - 1 : 0));

            least = fmin(least, at);
            most = fmax(most, at);
        }
        least = fmax(least, samples_place(part->frame->level, 0));
        most = fmin(most, samples_place(part->frame->level, last));
        if (!(least <= most))
            return (struct rect){ 0 };
        low[axis] = (int32_t)floor(least);
        high[axis] = (int32_t)floor(most) + 1;
    }
    return (struct rect){ low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1 };
}

/* Room and ground */

static bool read_codes(const struct flat_part *part, const struct view *view, uint16_t **codes)
{
    const struct rect reach = part->reach;
    const struct rect around = { reach.x - 1, reach.y - 1, reach.width + 2, reach.height + 2 };

    *codes = malloc(sizeof **codes * (size_t)rect_area(around));
    return *codes && samples_heights(view, part->frame->level, around, *codes, around.width);
}

static bool read_errors(struct flat_part *part, struct fault *why)
{
    return !(part->fields & FLAT_BIT(ERROR)) ||
           errors_open(&part->errors, part->view, mode_mip(part->view, part->picture),
                       part->derived, part->frame->level, part->reach, why);
}

/* The samples whose holes count: where edges are wanted, of some pixels around the part too, as far
 * as there is ground. */
static struct rect holed_of(const struct flat_part *part)
{
    const struct flat_frame *frame = part->frame;
    const struct rect reach = part->reach, solid = frame->extent.solid;
    int32_t far[2];

    if (!(part->fields & FLAT_BIT(EDGE)))
        return reach;
    for (int axis = 0; axis < 2; axis++) {
        double vertices = EDGE_PIXELS * (fabs(frame->right[axis]) + fabs(frame->down[axis]));

        far[axis] = (int32_t)fmin(vertices / (1 << frame->level), 1 << 20) + 2;
    }
    return rect_join(reach,
                     rect_meet((struct rect){ reach.x - far[0], reach.y - far[1],
                                              reach.width + 2 * far[0], reach.height + 2 * far[1] },
                               (struct rect){ 0, 0, (solid.width >> frame->level) + 1,
                                              (solid.height >> frame->level) + 1 }));
}

static bool read_holes(struct flat_part *part)
{
    const int32_t level = part->frame->level;
    struct rect ground;

    part->holed = holed_of(part);
    ground = rect_meet(samples_reach(level, part->holed), part->frame->extent.solid);
    if (!tree_bounds(&part->view->planes[PLANE_HOLES], ground).greatest)
        return true;
    part->holes = malloc((size_t)rect_area(part->holed));
    return part->holes &&
           samples_holes(part->view, level, part->holed, part->holes, part->holed.width);
}

static bool inside(const struct flat_part *part, int axis, double x, double y)
{
    const struct flat_frame *frame = part->frame;
    double vertex = frame->first[axis] + x * frame->right[axis] + y * frame->down[axis];
    int32_t count = axis ? frame->extent.solid.height : frame->extent.solid.width;

    return vertex >= 0 && vertex <= count - 1;
}

static bool lay_columns(struct flat_part *part)
{
    int32_t width = part->pixels.width;

    part->inside = malloc((size_t)width);
    if (!flat_stretch_init(&part->stretch, width) || !part->inside)
        return false;
    for (int32_t x = 0; x < width; x++) {
        double at = place(part, 0, part->pixels.x + x, part->pixels.y);

        part->stretch.columns[x] = before(at, part->reach.width);
        part->stretch.shares[x] = (float)fmin(fmax(at - part->stretch.columns[x], 0), 1);
        part->inside[x] = inside(part, 0, part->pixels.x + x, part->pixels.y);
    }
    return flat_stretch_settle(&part->stretch);
}

static bool open_lane(const struct flat_part *part, struct flat_lane *lane)
{
    size_t width = (size_t)part->pixels.width;

    lane->at[0] = lane->at[1] = -1;
    lane->row = malloc(sizeof *lane->row * width);
    if (part->along) {
        lane->rows[0] = malloc(sizeof *lane->row * width);
        lane->rows[1] = malloc(sizeof *lane->row * width);
        return lane->row && lane->rows[0] && lane->rows[1];
    }
    lane->plane = malloc(sizeof *lane->plane * (size_t)rect_area(part->reach));
    return lane->row && lane->plane;
}

static void fill_planes(struct flat_part *part)
{
    size_t width = (size_t)part->reach.width;

    for (int g = 0; g < GROUPS; g++)
        for (int32_t row = 0; wanted(part, g) && row < part->reach.height; row++) {
            flat_samples(part, groups[g].first, row, part->samples);
            for (int k = 0; k < groups[g].count; k++)
                memcpy(part->lanes[groups[g].first + k].plane + (size_t)row * width,
                       part->samples + (size_t)k * width, sizeof *part->samples * width);
        }
}

static bool open_lanes(struct flat_part *part)
{
    struct flat_lane *edge = &part->lanes[FLAT_EDGE];

    if (part->fields & FLAT_BIT(EDGE)) {
        edge->row = malloc(sizeof *edge->row * (size_t)part->pixels.width);
        if (!edge->row)
            return false;
    }
    for (int g = 0; g < GROUPS; g++)
        for (int k = 0; wanted(part, g) && k < groups[g].count; k++)
            if (!open_lane(part, &part->lanes[groups[g].first + k]))
                return false;
    if (!part->along)
        fill_planes(part);
    return true;
}

bool flat_part_init(struct flat_part *part, struct fault *why)
{
    const struct flat_frame *frame = part->frame;
    size_t width;

    *why = (struct fault){ 0 };
    part->along = frame->right[1] == 0 && frame->down[0] == 0;
    part->reach = reach_of(part);
    if (rect_empty(part->reach))
        return true;
    width = (size_t)part->reach.width + 2;
    part->samples = malloc(sizeof *part->samples * (ROOM_ROWS * width + FLAT_STRETCH_BEYOND));
    part->weights = malloc(width << frame->level);
    if (part->samples && part->weights && read_codes(part, part->view, &part->codes) &&
        (!(part->fields & FLAT_BIT(RISE)) || read_codes(part, part->before, &part->codes_before)) &&
        read_errors(part, why) && read_holes(part) && (!part->along || lay_columns(part)) &&
        open_lanes(part))
        return true;
    return why->code ? false
                     : fault_set(why, FAULT_MEMORY, "no memory for a picture of %d x %d samples",
                                 part->reach.width, part->reach.height);
}

void flat_part_fini(struct flat_part *part)
{
    for (int field = 0; field < FLAT_FIELDS; field++) {
        free(part->lanes[field].rows[0]);
        free(part->lanes[field].rows[1]);
        free(part->lanes[field].plane);
        free(part->lanes[field].row);
    }
    free(part->codes);
    free(part->codes_before);
    free(part->holes);
    errors_close(&part->errors);
    flat_stretch_fini(&part->stretch);
    free(part->inside);
    free(part->samples);
    free(part->weights);
}

/* Rows of pixels */

WIDE static void blend(const float *north, const float *south, float share, int32_t count,
                       float *to)
{
    for (int32_t i = 0; i < count; i++)
        to[i] = north[i] + (south[i] - north[i]) * share;
}

/* The row of samples, brought to the pixels' columns; the one before or after it stays. */
static void need(struct flat_part *part, int group, int32_t row)
{
    struct flat_lane *lanes = &part->lanes[groups[group].first];

    if (lanes[0].at[row & 1] == row)
        return;
    flat_samples(part, groups[group].first, row, part->samples);
    for (int k = 0; k < groups[group].count; k++) {
        flat_stretch(&part->stretch, part->samples + k * part->reach.width, lanes[k].rows[row & 1]);
        lanes[k].at[row & 1] = row;
    }
}

static void row_along(struct flat_part *part, int32_t y)
{
    double at = place(part, 1, part->pixels.x, part->pixels.y + y);
    int32_t north = before(at, part->reach.height);
    float share = (float)fmin(fmax(at - north, 0), 1);

    for (int g = 0; g < GROUPS; g++) {
        if (!wanted(part, g))
            continue;
        need(part, g, north);
        need(part, g, north + 1);
        for (int k = 0; k < groups[g].count; k++) {
            struct flat_lane *lane = &part->lanes[groups[g].first + k];

            blend(lane->rows[north & 1], lane->rows[(north + 1) & 1], share, part->pixels.width,
                  lane->row);
        }
    }
}

static void row_across(struct flat_part *part, int32_t y)
{
    const int32_t width = part->reach.width, height = part->reach.height;

    for (int32_t x = 0; x < part->pixels.width; x++) {
        double column = place(part, 0, part->pixels.x + x, part->pixels.y + y);
        double row = place(part, 1, part->pixels.x + x, part->pixels.y + y);
        int32_t west = before(column, width), north = before(row, height);
        float across = (float)fmin(fmax(column - west, 0), 1);
        float down = (float)fmin(fmax(row - north, 0), 1);

        for (int field = 0; field < FLAT_FIELDS; field++) {
            const float *plane = part->lanes[field].plane;

            if (!plane)
                continue;
            plane += (int64_t)north * width + west;
            part->lanes[field].row[x] =
                (plane[0] + (plane[1] - plane[0]) * across) * (1 - down) +
                (plane[width] + (plane[width + 1] - plane[width]) * across) * down;
        }
    }
}

/* Ground */

static bool hole_at(const struct flat_part *part, double x, double y)
{
    const struct flat_frame *frame = part->frame;
    int32_t at[2];

    for (int axis = 0; axis < 2; axis++) {
        double vertex = frame->first[axis] + x * frame->right[axis] + y * frame->down[axis];
        int32_t first = axis ? part->holed.y : part->holed.x;
        int32_t count = axis ? part->holed.height : part->holed.width;

        at[axis] = (int32_t)floor(vertex / (1 << frame->level)) - first;
        at[axis] = at[axis] < 0 ? 0 : at[axis] > count - 1 ? count - 1 : at[axis];
    }
    return part->holes[(int64_t)at[1] * part->holed.width + at[0]];
}

/* Beyond the landscape there is nothing to outline. */
static bool gone(const struct flat_part *part, double x, double y)
{
    return inside(part, 0, x, y) && inside(part, 1, x, y) && hole_at(part, x, y);
}

/* The pixels around one that make it an edge when one of them is a hole. */
static bool beside_hole(const struct flat_part *part, double x, double y)
{
    static const double around[][2] = { { 1, 0 }, { 0, 1 },     { 2, 0 },
                                        { 0, 2 }, { 1.4, 1.4 }, { 1.4, -1.4 } };

    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        if (gone(part, x + around[i][0], y + around[i][1]) ||
            gone(part, x - around[i][0], y - around[i][1]))
            return true;
    return false;
}

static void row_of_edges(struct flat_part *part, int32_t y)
{
    for (int32_t x = 0; x < part->pixels.width; x++)
        part->lanes[FLAT_EDGE].row[x] =
            part->holes && beside_hole(part, part->pixels.x + x, part->pixels.y + y);
}

void flat_part_row(struct flat_part *part, int32_t y)
{
    if (part->along)
        row_along(part, y);
    else
        row_across(part, y);
    if (part->fields & FLAT_BIT(EDGE))
        row_of_edges(part, y);
}

void flat_part_ground(const struct flat_part *part, int32_t y, uint8_t *ground)
{
    const int32_t width = part->pixels.width;
    const double row = part->pixels.y + y;

    if (!part->along) {
        for (int32_t x = 0; x < width; x++)
            ground[x] = inside(part, 0, part->pixels.x + x, row) &&
                        inside(part, 1, part->pixels.x + x, row);
    } else if (inside(part, 1, part->pixels.x, row)) {
        memcpy(ground, part->inside, (size_t)width);
    } else {
        memset(ground, 0, (size_t)width);
    }
    for (int32_t x = 0; part->holes && x < width; x++)
        ground[x] = ground[x] && !hole_at(part, part->pixels.x + x, row);
}
