#include "terrain/edit/resize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/offset.h"

/* Settings */

/* Components before the ground that stays, along an axis. */
static int32_t before_of(const struct resize *resize, const struct layout *was, int axis)
{
    int where = axis == 0 ? resize->anchor % 3 : resize->anchor / 3;
    int32_t more = resize->components[axis] - was->components[axis];

    if (resize->mode == RESIZE_RESAMPLE || where == 0)
        return 0;
    return where == 2 ? more : (int32_t)floor(more / 2.0);
}

static bool size_fits(const struct settings *settings, const struct resize *resize,
                      struct fault *why)
{
    for (int i = 0; i < 2; i++) {
        int32_t was = settings->layout.components[i], is = resize->components[i];

        if ((resize->mode == RESIZE_EXPAND && is < was) ||
            (resize->mode == RESIZE_CLIP && is > was)) {
            fault_set(why, FAULT_IMPOSSIBLE, "%s cannot go from %d components to %d; %s does",
                      resize->mode == RESIZE_EXPAND ? "expand" : "clip", was, is,
                      resize->mode == RESIZE_EXPAND ? "clip" : "expand");
            return fault_at(why, "/components/%d", i);
        }
    }
    return true;
}

/* Border positions of the CRS follow the grid; rows run south. */
static void resize_bounds(struct settings *settings, const double before[2], const struct grid *was)
{
    double step_x = (settings->bounds[2] - settings->bounds[0]) / (was->columns - 1);
    double step_y = (settings->bounds[3] - settings->bounds[1]) / (was->rows - 1);

    settings->bounds[0] -= before[0] * step_x;
    settings->bounds[3] += before[1] * step_y;
    settings->bounds[2] = settings->bounds[0] + step_x * (settings->grid.columns - 1);
    settings->bounds[1] = settings->bounds[3] - step_y * (settings->grid.rows - 1);
}

static void place_resampled(struct settings *settings, const struct grid *was)
{
    struct grid *grid = &settings->grid;

    grid->scale[0] *= (was->columns - 1) / (double)(grid->columns - 1);
    grid->scale[1] *= (was->rows - 1) / (double)(grid->rows - 1);
    for (int i = 0; i < 2; i++) {
        int32_t old = i ? was->rows : was->columns, new = i ? grid->rows : grid->columns;

        settings->padded[i] = (int32_t)floor(settings->padded[i] * (double)(new - 1) / (old - 1));
    }
}

static void place_moved(struct settings *settings, const struct resize *resize,
                        const struct layout *was_layout, const struct grid *was)
{
    int32_t quads = was_layout->sections * was_layout->section_quads;
    double before[2];

    for (int i = 0; i < 2; i++) {
        int32_t first = before_of(resize, was_layout, i);
        int32_t after = resize->components[i] - was_layout->components[i] - first;
        int32_t pad = settings->padded[i] + after * quads;

        before[i] = (double)first * quads;
        settings->grid.origin[i] -= before[i] * settings->grid.scale[i];
        settings->padded[i] = settings->padded[i] > 0 && pad > 0 ? pad : 0;
    }
    if (settings->placed)
        resize_bounds(settings, before, was);
}

struct settings *resize_settings(const struct settings *settings, const struct resize *resize,
                                 struct fault *why)
{
    struct settings *made;

    if (!size_fits(settings, resize, why))
        return NULL;
    made = settings_copy(settings);
    if (!made) {
        fault_set(why, FAULT_MEMORY, "no memory for settings");
        return NULL;
    }
    memcpy(made->layout.components, resize->components, sizeof resize->components);
    if (!layout_check(&made->layout, why)) {
        settings_drop(made);
        return NULL;
    }
    made->grid.columns = layout_columns(&made->layout);
    made->grid.rows = layout_rows(&made->layout);
    if (resize->mode == RESIZE_RESAMPLE)
        place_resampled(made, &settings->grid);
    else
        place_moved(made, resize, &settings->layout, &settings->grid);
    if (settings_check(made, why))
        return made;
    settings_drop(made);
    return NULL;
}

/* Planes */

/* Where vertices of the new ground lie on the old, along an axis. */
struct axis {
    int32_t was, is; /* vertices */
    int32_t before;  /* new ones before the first that stays */
    bool resample;
};

struct moving {
    const struct view *from;
    struct axis axes[2];
};

static int32_t clamped(int32_t at, int32_t size)
{
    return at < 0 ? 0 : at < size ? at : size - 1;
}

/* The old vertex at or before new vertex i, and the share of the way to the next. In whole numbers,
 * so that a vertex on a vertex is exactly there. */
static int32_t axis_at(const struct axis *axis, int32_t i, double *share)
{
    int64_t along = (int64_t)i * (axis->was - 1);

    *share = 0;
    if (!axis->resample)
        return clamped(i - axis->before, axis->was);
    *share = (double)(along % (axis->is - 1)) / (axis->is - 1);
    return (int32_t)(along / (axis->is - 1));
}

/* The old quad in which the middle of new quad i lies; -1 beyond. */
static int32_t axis_quad(const struct axis *axis, int32_t i)
{
    int32_t at = axis->resample
                     ? (int32_t)(((int64_t)2 * i + 1) * (axis->was - 1) / (2 * (axis->is - 1)))
                     : i - axis->before;

    return at >= 0 && at < axis->was - 1 && i < axis->is - 1 ? at : -1;
}

/* A row of a plane as numbers, west to east over the whole landscape; beyond it the border. */
static void read_row(const struct tree *tree, int32_t y, double *row)
{
    union {
        uint16_t wide[BLOCK_SIDE];
        uint8_t narrow[BLOCK_SIDE];
    } part;

    for (int32_t x = 0; x < tree->columns; x += BLOCK_SIDE) {
        int32_t count = tree->columns - x < BLOCK_SIDE ? tree->columns - x : BLOCK_SIDE;

        tree_read(tree, (struct rect){ x, y, count, 1 }, &part, BLOCK_SIDE);
        for (int32_t i = 0; i < count; i++)
            row[x + i] = tree->plane == PLANE_HEIGHTS ? part.wide[i] : part.narrow[i];
    }
}

/* Deltas, low and high together; other planes as they are. */
static void read_values(const struct view *view, uint64_t key, int32_t y, double *row)
{
    struct tree rest = channel_tree(view->settings, key, 0);
    const struct tree *tree = view_layer(view, key), *high = NULL;

    read_row(tree ? tree : &rest, y, row);
    if (key_channel(key) == CHANNEL_LOW)
        high = view_layer(view, channel_key(key_layer(key), CHANNEL_HIGH, 0));
    for (int32_t x = 0; high && x < high->columns; x++)
        row[x] += 65536.0 * (int16_t)tree_value(high, x, y);
}

/* Catmull-Rom between b and c, never beyond them. */
static double cubic(double a, double b, double c, double d, double t)
{
    double value =
        b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
    double least = b < c ? b : c, most = b < c ? c : b;

    return value < least ? least : value > most ? most : value;
}

/* The value at a place between the four around it; beyond the border it goes on straight. */
static double between(double a, double b, double c, double d, double t, int32_t at, int32_t size,
                      enum channel channel)
{
    if (t == 0)
        return b;
    if (channel != CHANNEL_LOW)
        return b + (c - b) * t;
    if (at == 0)
        a = 2 * b - c;
    if (at + 2 >= size)
        d = 2 * c - b;
    return cubic(a, b, c, d, t);
}

/* Rows of the old plane around the new one in work, kept while they are of use. */
struct window {
    double *rows[4];
    int32_t have[4]; /* their number, or -1 */
    double *made;    /* the new row */
    double *mixed;   /* of the old columns */
};

static bool window_open(struct window *window, int32_t columns, int32_t new_columns)
{
    bool whole = true;

    for (int i = 0; i < 4; i++) {
        window->rows[i] = malloc((size_t)columns * sizeof(double));
        window->have[i] = -1;
        whole = whole && window->rows[i];
    }
    window->mixed = malloc((size_t)columns * sizeof(double));
    window->made = malloc((size_t)new_columns * sizeof(double));
    return whole && window->mixed && window->made;
}

static void window_shut(struct window *window)
{
    for (int i = 0; i < 4; i++)
        free(window->rows[i]);
    free(window->mixed);
    free(window->made);
}

static const double *old_row(struct window *window, const struct moving *moving, uint64_t key,
                             int32_t y)
{
    int slot = y & 3;

    if (window->have[slot] != y)
        read_values(moving->from, key, y, window->rows[slot]);
    window->have[slot] = y;
    return window->rows[slot];
}

/* The old columns, at the height of new row y. */
static void mix_rows(struct window *window, const struct moving *moving, uint64_t key, int32_t y)
{
    int32_t rows = moving->axes[1].was;
    double share;
    int32_t at = axis_at(&moving->axes[1], y, &share);
    const double *around[4];

    for (int i = 0; i < 4; i++)
        around[i] = old_row(window, moving, key, clamped(at - 1 + i, rows));
    for (int32_t x = 0; x < moving->axes[0].was; x++)
        window->mixed[x] = between(around[0][x], around[1][x], around[2][x], around[3][x], share,
                                   at, rows, key_channel(key));
}

/* Offsets are in quads, and these have become shorter or longer. */
static double as_long(const struct axis *axis, double offset)
{
    double longer = axis->resample ? (double)(axis->is - 1) / (axis->was - 1) : 1;
    double value = (offset - OFFSET_REST) * longer + OFFSET_REST;

    return value < 0 ? 0 : value > UINT16_MAX ? UINT16_MAX : value;
}

static void mix_columns(struct window *window, const struct moving *moving, uint64_t key)
{
    enum channel channel = key_channel(key);
    int32_t size = moving->axes[0].was;
    const double *mixed = window->mixed;

    for (int32_t i = 0; i < moving->axes[0].is; i++) {
        double share;
        int32_t at = axis_at(&moving->axes[0], i, &share);

        window->made[i] =
            between(mixed[clamped(at - 1, size)], mixed[at], mixed[clamped(at + 1, size)],
                    mixed[clamped(at + 2, size)], share, at, size, channel);
        if (channel == CHANNEL_OFFSET_X || channel == CHANNEL_OFFSET_Y)
            window->made[i] = as_long(&moving->axes[channel == CHANNEL_OFFSET_Y], window->made[i]);
    }
}

static void pick_holes(struct window *window, const struct moving *moving, uint64_t key, int32_t y)
{
    int32_t j = axis_quad(&moving->axes[1], y);

    for (int32_t i = 0; i < moving->axes[0].is; i++) {
        int32_t at = j < 0 ? -1 : axis_quad(&moving->axes[0], i);

        window->made[i] = at < 0 ? 0 : old_row(window, moving, key, j)[at];
    }
}

/* Numbers as a plane stores them, into a block's row. */
static void store_values(enum channel channel, const double *values, int32_t count, int32_t y,
                         struct block *block)
{
    void *to = block_writable(block);

    for (int32_t x = 0; x < count; x++) {
        double value = floor(values[x] + 0.5);

        switch (channels[channel].plane) {
        case PLANE_HEIGHTS:
            ((uint16_t *)to)[y * BLOCK_SIDE + x] = channel == CHANNEL_HIGH
                                                       ? (uint16_t)(int32_t)floor(value / 65536)
                                                       : (uint16_t)((int64_t)value & 0xffff);
            break;
        case PLANE_WEIGHTS:
            ((uint8_t *)to)[y * BLOCK_SIDE + x] = (uint8_t)value;
            break;
        default:
            if (values[x] > 0)
                ((uint64_t *)to)[y * 2 + (x >> 6)] |= (uint64_t)1 << (x & 63);
        }
    }
}

/* The block row by of a plane. High is made of the same numbers as low. */
static bool make_row(struct draft *draft, const struct moving *moving, struct window *window,
                     uint64_t key, int32_t by, struct fault *why)
{
    const struct grid *grid = view_grid(draft_view(draft));
    enum channel channel = key_channel(key);
    uint64_t from = channel == CHANNEL_HIGH ? channel_key(key_layer(key), CHANNEL_LOW, 0) : key;
    int32_t across = (grid->columns + BLOCK_MASK) >> BLOCK_LOG2;
    int32_t rows =
        grid->rows - by * BLOCK_SIDE < BLOCK_SIDE ? grid->rows - by * BLOCK_SIDE : BLOCK_SIDE;
    struct block **blocks = calloc((size_t)across, sizeof *blocks);
    bool made = blocks != NULL;

    for (int32_t bx = 0; made && bx < across; bx++)
        made = (blocks[bx] = block_new(channels[channel].plane, 0)) != NULL;
    for (int32_t y = 0; made && y < rows; y++) {
        if (channels[channel].plane == PLANE_HOLES) {
            pick_holes(window, moving, from, by * BLOCK_SIDE + y);
        } else {
            mix_rows(window, moving, from, by * BLOCK_SIDE + y);
            mix_columns(window, moving, from);
        }
        for (int32_t bx = 0; bx < across; bx++) {
            int32_t left = grid->columns - bx * BLOCK_SIDE;

            store_values(channel, window->made + bx * BLOCK_SIDE,
                         left < BLOCK_SIDE ? left : BLOCK_SIDE, y, blocks[bx]);
        }
    }
    if (!made)
        fault_set(why, FAULT_MEMORY, "no memory for the blocks of another size");
    for (int32_t bx = 0; blocks && bx < across; bx++) {
        made = made && draft_plane_put(draft, key, bx, by, &blocks[bx], 0, why);
        block_drop(blocks[bx]);
    }
    free(blocks);
    return made;
}

static bool move_plane(struct draft *draft, const struct moving *moving, uint64_t key,
                       struct fault *why)
{
    const struct grid *grid = view_grid(draft_view(draft));
    struct window window = { .made = NULL };
    bool moved = window_open(&window, moving->axes[0].was, grid->columns);

    if (!moved)
        fault_set(why, FAULT_MEMORY, "no memory for a row of another size");
    for (int32_t by = 0; moved && by * BLOCK_SIDE < grid->rows; by++)
        moved = make_row(draft, moving, &window, key, by, why);
    window_shut(&window);
    return moved;
}

static bool move_planes(struct draft *draft, const struct moving *moving, struct fault *why)
{
    const struct view *from = moving->from;

    for (int32_t i = 0; i < from->layers_count; i++) {
        uint64_t key = from->layers[i].key;
        uint64_t low = channel_key(key_layer(key), CHANNEL_LOW, 0);

        if (channels[key_channel(key)].component)
            continue; /* follows from the weights */
        if (key_channel(key) == CHANNEL_HIGH && !view_layer(from, low) &&
            !move_plane(draft, moving, low, why))
            return false;
        if (!move_plane(draft, moving, key, why))
            return false;
    }
    return true;
}

static bool none_locked(const struct stack *stack, struct fault *why)
{
    for (int i = 0; i < stack->edit_count; i++)
        if (stack->edits[i].locked)
            return fault_set(why, FAULT_LOCKED, "the edit layer %s is locked",
                             stack->edits[i].name);
    return true;
}

bool resize_apply(struct draft *draft, const struct resize *resize, struct fault *why)
{
    struct moving moving = { 0 };
    const struct view *was = draft_view(draft);
    const struct layout *layout = &was->settings->layout;
    int32_t quads = layout->sections * layout->section_quads;
    struct settings *settings;
    struct view *from;
    bool done;

    if (!draft_settle(draft, why) || !none_locked(was->settings->stack, why))
        return false;
    settings = resize_settings(was->settings, resize, why);
    if (!settings)
        return false;
    from = view_copy(was);
    moving.from = from;
    for (int i = 0; i < 2; i++)
        moving.axes[i] =
            (struct axis){ i ? was->settings->grid.rows : was->settings->grid.columns,
                           i ? settings->grid.rows : settings->grid.columns,
                           before_of(resize, layout, i) * quads, resize->mode == RESIZE_RESAMPLE };
    if (!from)
        done = fault_set(why, FAULT_MEMORY, "no memory for another size");
    else
        done = draft_settings(draft, &settings, why) && move_planes(draft, &moving, why);
    settings_drop(settings);
    view_drop(from);
    return done;
}
