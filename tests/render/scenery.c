#include "tests/render/scenery.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/hash.h"
#include "terrain/core/offset.h"
#include "terrain/edit/draft.h"
#include "terrain/edit/paint_write.h"
#include "terrain/edit/paints.h"

static uint64_t next_incarnation = 1;

static bool fill(struct draft *draft, int32_t columns, int32_t rows, const uint16_t *codes)
{
    struct rect all = view_rect(draft_view(draft));
    uint16_t *row = malloc(sizeof *row * (size_t)all.width);
    uint8_t *holes = malloc((size_t)all.width);
    struct fault why;
    bool filled = row && holes;

    for (int32_t y = 0; filled && y < all.height; y++) {
        const uint16_t *from = codes + (size_t)(y < rows ? y : rows - 1) * (size_t)columns;

        for (int32_t x = 0; x < all.width; x++) {
            row[x] = from[x < columns ? x : columns - 1];
            holes[x] = x >= columns - 1 || y >= rows - 1 ? 255 : 0;
        }
        filled =
            draft_write_heights(draft, (struct rect){ 0, y, all.width, 1 }, row, all.width, &why);
        if (filled && y < all.height - 1)
            filled = draft_write_holes(draft, (struct rect){ 0, y, all.width - 1, 1 }, holes,
                                       all.width, &why);
    }
    free(row);
    free(holes);
    return filled;
}

struct view *scenery_of(int32_t columns, int32_t rows, const uint16_t *codes, const double scale[3])
{
    struct layout layout;
    struct fault why;
    struct settings *settings;
    struct view *blank, *view = NULL;
    struct draft *draft;

    if (!layout_for(columns, rows, 0, 0, &layout, &why) || !(settings = settings_new(&layout)))
        return NULL;
    memcpy(settings->grid.scale, scale, sizeof settings->grid.scale);
    settings->padded[0] = layout_columns(&layout) - columns;
    settings->padded[1] = layout_rows(&layout) - rows;
    blank = view_new(&settings, next_incarnation++, 1, 32768);
    draft = blank ? draft_new(blank, &why) : NULL;
    if (draft && fill(draft, columns, rows, codes))
        view = draft_finish(draft, &(struct change){ 0 }, &why);
    draft_free(draft);
    view_drop(blank);
    return view;
}

static double ridge(double x, double y)
{
    double height = 0, weight = 0.5, twist = 0.6;

    for (int octave = 0; octave < 9; octave++) {
        double fold = sin(x) * cos(y * 1.1 + 0.7 * octave) + 0.4 * sin(0.7 * y + 1.9 * octave + x);
        double turned = x * cos(twist) - y * sin(twist);

        height += weight * (1 - fabs(fold));
        y = 1.93 * (x * sin(twist) + y * cos(twist)) + 1.7;
        x = 1.93 * turned + 0.9;
        weight *= 0.47;
        twist += 0.9;
    }
    return fmax(height, 0);
}

struct view *scenery_mountains(int32_t side, double scale)
{
    uint16_t *codes = malloc(sizeof *codes * (size_t)side * (size_t)side);
    double high = (side - 1) * scale * 0.16, fine = 1;
    struct view *view;

    while (512 * fine < 1.25 * high)
        fine *= 2;
    for (int32_t y = 0; codes && y < side; y++)
        for (int32_t x = 0; x < side; x++)
            codes[(size_t)y * (size_t)side + (size_t)x] =
                (uint16_t)(20000 + 128 / fine * high *
                                       pow(ridge(5.0 * x / (side - 1), 5.0 * y / (side - 1)), 1.6));
    view = codes ? scenery_of(side, side, codes, (const double[3]){ scale, scale, fine }) : NULL;
    free(codes);
    return view;
}

struct view *scenery_plain(int32_t side, double scale, uint16_t code)
{
    uint16_t *codes = malloc(sizeof *codes * (size_t)side * (size_t)side);
    struct view *view;

    for (size_t i = 0; codes && i < (size_t)side * (size_t)side; i++)
        codes[i] = code;
    view = codes ? scenery_of(side, side, codes, (const double[3]){ scale, scale, 1 }) : NULL;
    free(codes);
    return view;
}

static struct view *finish(struct draft *draft, bool written)
{
    struct fault why;
    struct change change;
    struct view *view = written ? draft_finish(draft, &change, &why) : NULL;

    draft_free(draft);
    return view;
}

struct view *scenery_change(const struct view *view, struct rect where, uint16_t code)
{
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    uint16_t *codes = malloc(sizeof *codes * (size_t)rect_area(where));
    struct view *changed = NULL;

    for (int64_t i = 0; codes && i < rect_area(where); i++)
        codes[i] = code;
    if (draft && codes)
        changed = finish(draft, draft_write_heights(draft, where, codes, where.width, &why));
    free(codes);
    return changed;
}

static struct view *set_holes(const struct view *view, struct rect quads, uint8_t value)
{
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    uint8_t *holes = malloc((size_t)rect_area(quads));
    struct view *changed = NULL;

    if (draft && holes) {
        memset(holes, value, (size_t)rect_area(quads));
        changed = finish(draft, draft_write_holes(draft, quads, holes, quads.width, &why));
    }
    free(holes);
    return changed;
}

struct view *scenery_holes(const struct view *view, struct rect quads)
{
    return set_holes(view, quads, 255);
}

struct view *scenery_ground(const struct view *view, struct rect quads)
{
    return set_holes(view, quads, 0);
}

struct view *scenery_paint_layer(const struct view *view, const char *name)
{
    struct fault why;
    struct draft *draft = draft_new(view, &why);

    return draft ? finish(draft, paints_add(draft, name, &(struct paints_change){ 0 }, &why))
                 : NULL;
}

struct view *scenery_paint(const struct view *view, const char *name, struct rect where,
                           uint8_t weight)
{
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    uint8_t *weights = malloc((size_t)rect_area(where));
    int paint = stack_paint(view->settings->stack, name);
    const struct paint_planes planes = { &paint, 1, where, weights };
    struct view *changed = NULL;

    if (draft && weights) {
        memset(weights, weight, (size_t)rect_area(where));
        changed = finish(draft, paint_write(draft, &planes, &why));
    }
    free(weights);
    return changed;
}

struct view *scenery_moved(const struct view *view,
                           void (*aside)(int32_t x, int32_t y, double quads[2]))
{
    struct fault why;
    struct draft *draft = draft_new(view, &why);
    struct rect all = view_rect(view);
    uint16_t(*xy)[2] = malloc(sizeof *xy * (size_t)rect_area(all));
    struct view *changed = NULL;

    for (int32_t i = 0; xy && i < rect_area(all); i++) {
        double quads[2];

        aside(i % all.width, i / all.width, quads);
        for (int axis = 0; axis < 2; axis++)
            xy[i][axis] = offset_encode(quads[axis]);
    }
    if (draft && xy)
        changed = finish(
            draft, draft_write_offsets(draft, all, (const uint16_t(*)[2])xy, all.width, &why));
    free(xy);
    return changed;
}

void scenery_tremble(int32_t x, int32_t y, double quads[2])
{
    for (int axis = 0; axis < 2; axis++)
        quads[axis] = hash32((uint32_t)x, (uint32_t)y, (uint32_t)axis) / 4294967296.0 * 0.9 - 0.45;
}
