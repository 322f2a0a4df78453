/* One long script of random edits on several layouts, and one checksum of all that comes out:
 * heights, holes, differences, textures, points. The same wherever it is compiled. Needs the core
 * and libc alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/component.h"
#include "terrain/edit/brush.h"
#include "terrain/query/collide.h"
#include "terrain/query/cover_tile.h"
#include "terrain/query/cover.h"
#include "tests/terrain/dice.h"
#include "tests/terrain/masks.h"
#include "tests/terrain/ops.h"

static uint64_t checksum = 0xcbf29ce484222325u;

/* FNV-1a over numbers, so that the machine's byte order does not show. */
static void note(uint64_t number)
{
    for (int i = 0; i < 8; i++, number >>= 8)
        checksum = (checksum ^ (number & 0xff)) * 0x100000001b3u;
}

static void note_real(double real)
{
    uint64_t bits;

    memcpy(&bits, &real, sizeof bits);
    note(real != real ? 0 : bits); /* a NaN's sign is nobody's business */
}

static void fail(const char *doing, const struct fault *why)
{
    fprintf(stderr, "%s: %s at \"%s\"\n", doing, why->detail, why->place);
    exit(1);
}

static void *room(size_t size)
{
    void *memory = malloc(size);

    if (!memory)
        fail("memory", &(struct fault){ .detail = "none" });
    return memory;
}

static struct view *finish(struct draft *draft, struct view *base)
{
    struct fault why = { 0 };
    struct bytes difference = { 0 };
    struct change change;
    struct view *view = draft_finish(draft, &change, &why);

    if (!view || !difference_write(base, view, &difference, &why))
        fail("finishing", &why);
    note((uint64_t)change.vertices);
    note((uint64_t)change.dirty.x << 32 | (uint32_t)change.dirty.width);
    note(difference.length);
    for (size_t i = 0; i < difference.length; i += 7)
        note(difference.data[i]);
    bytes_free(&difference);
    draft_free(draft);
    view_drop(base);
    return view;
}

static void make_holes(struct draft *draft, struct dice *dice)
{
    struct grid grid = *view_grid(draft_view(draft));
    struct rect to = dice_rect(dice, grid.columns - 1, grid.rows - 1, 20);
    uint8_t holes[400];
    struct fault why = { 0 };

    memset(holes, dice_between(dice, 0, 1), sizeof holes);
    if (!draft_write_holes(draft, to, holes, to.width, &why))
        fail("holes", &why);
}

static struct view *edit(struct view *view, struct dice *dice)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);

    if (draft)
        draft_lend(draft, &mask_sources);
    for (int ops = dice_between(dice, 1, 3); draft && ops > 0; ops--) {
        int brush = dice_between(dice, 0, brush_count - 1);
        struct op *op = op_random(brush, view_rect(view), dice);

        if (!op || !brush_apply_all(draft, &op->variant, 1, &why))
            fail("editing", &why);
        op_free(op);
    }
    if (!draft)
        fail("editing", &why);
    if (dice_between(dice, 0, 9) == 0)
        make_holes(draft, dice);
    return finish(draft, view);
}

static void note_texture(const struct view *view, struct dice *dice)
{
    const struct layout *layout = &view->settings->layout;
    int32_t mip = dice_between(dice, 0, layout_lods(layout->section_quads) - 1);
    int32_t cx = dice_between(dice, 0, layout->components[0] - 1);
    int32_t cy = dice_between(dice, 0, layout->components[1] - 1);
    size_t count =
        (size_t)component_texels(layout, mip) * (size_t)component_texels(layout, mip) * 4;
    uint8_t *rgba = room(count);
    struct fault why = { 0 };

    if (!component_texture(view, cx, cy, mip, rgba, &why))
        fail("a texture", &why);
    for (size_t i = 0; i < count; i++)
        note(rgba[i]);
    free(rgba);
}

static void note_points(const struct view *view, struct dice *dice)
{
    enum { POINTS = 64 };
    double points[2 * POINTS], z[POINTS];
    struct surface surface;
    struct cover cover;
    struct fault why;

    for (int i = 0; i < POINTS; i++) {
        points[2 * i] = dice_real(dice, -1, view_grid(view)->columns);
        points[2 * i + 1] = dice_real(dice, -1, view_grid(view)->rows);
    }
    collide_heights(view, points, POINTS, &(const struct collide_ways){ 0 }, z, NULL, NULL);
    for (int i = 0; i < POINTS; i++) {
        note_real(z[i]);
        if (cover_at(view, points + 2 * i, 1, &cover)) {
            note((uint64_t)(cover.first + 1) << 8 | (uint64_t)(cover.second + 1));
            note_real(cover.first_weight);
        }
        if (collide_surface(view, points + 2 * i, &surface, &why)) {
            for (int axis = 0; axis < 3; axis++) {
                note_real(surface.normal[axis]);
                note_real(surface.smooth[axis]);
            }
        }
    }
}

static void note_weights(const struct view *view)
{
    struct rect all = view_rect(view);
    uint8_t *weights = room((size_t)rect_area(all));

    for (int paint = 0; paint < OPS_PAINTS; paint++) {
        struct coverage coverage = cover_statistics(view, paint);

        cover_read(view, paint, all, weights, all.width);
        for (int64_t i = 0; i < rect_area(all); i++)
            note(weights[i]);
        note_real(coverage.mean);
    }
    free(weights);
}

static void note_tile(const struct view *view)
{
    uint8_t entries[COVER_ENTRY_BYTES], channels[COVER_CHANNEL_BYTES];
    struct fault why = { 0 };

    if (!cover_tile(view, cover_tile_levels(view) - 1, 0, 0, entries, channels, &why))
        fail("a tile of weights", &why);
    for (size_t i = 0; i < sizeof entries; i++)
        note(entries[i]);
    for (size_t i = 0; i < sizeof channels; i++)
        note(channels[i]);
}

static void note_heights(const struct view *view)
{
    int32_t columns = view_grid(view)->columns;
    uint16_t *row = room((size_t)columns * sizeof *row);

    for (int32_t y = 0; y < view_grid(view)->rows; y++) {
        view_read_heights(view, (struct rect){ 0, y, columns, 1 }, row, columns);
        for (int32_t x = 0; x < columns; x++)
            note(row[x]);
    }
    free(row);
}

static void run(const struct layout *layout, int edits, struct dice *dice)
{
    struct settings *settings = settings_new(layout);
    struct view *view;

    for (int i = 0; settings && i < 3; i++) {
        settings->grid.scale[i] = dice_real(dice, 0.5, 3);
        settings->grid.origin[i] = dice_real(dice, -1000, 1000);
    }
    view = settings && ops_paint_layers(settings) ? view_new(&settings, 1, 1, 32768) : NULL;
    if (!view)
        fail("a landscape", &(struct fault){ .detail = "no memory" });
    for (int i = 0; i < edits; i++) {
        view = edit(view, dice);
        if (i % 16 == 0) {
            note_texture(view, dice);
            note_points(view, dice);
        }
    }
    note_heights(view);
    note_weights(view);
    note_tile(view);
    note(view->version);
    view_drop(view);
}

int main(void)
{
    static const struct layout layouts[] = {
        { { 1, 1 }, 1, 7 },  { { 3, 2 }, 2, 7 },  { { 2, 5 }, 1, 15 },  { { 2, 2 }, 2, 31 },
        { { 4, 3 }, 1, 63 }, { { 1, 3 }, 2, 63 }, { { 2, 1 }, 2, 127 }, { { 1, 2 }, 1, 255 },
    };
    struct dice dice = { 2024 };

    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        run(&layouts[i], 300, &dice);
    printf("%016llx\n", (unsigned long long)checksum);
    return 0;
}
