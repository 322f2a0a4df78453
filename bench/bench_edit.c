/* An edit in memory, without HTTP or a disk: a raise from the draft to the finished version, with
 * the blocks copied, the cells and the pyramid summed and what changed counted, beside the bare
 * loop over the same box in one flat array. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/json_read.h"
#include "bench/client.h"
#include "terrain/base/wide.h"
#include "terrain/edit/brush.h"

enum { ROUNDS = 200, FLAT_SIDE = 1009, LAYERS = 32 };

/* CPU time: nothing here waits for anything, and others may be at work. */
static double cpu(void)
{
    struct timespec at;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void demand_true(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "bench_edit: %s\n", why->detail);
    exit(1);
}

/* ---- the floor ---- */

/* The same arithmetic: 1 - smooth fading over half the radius, rounded and cut off. */
WIDE static void bare_raise(uint16_t *heights, int32_t side, double x, double y, double radius,
                            double codes)
{
    int32_t left = (int32_t)(x - radius), right = (int32_t)(x + radius) + 1;
    int32_t top = (int32_t)(y - radius), bottom = (int32_t)(y + radius) + 1;
    double inner = radius / 2, per_rim = 2 / radius;

    for (int32_t j = top; j <= bottom; j++) {
        uint16_t *row = heights + (int64_t)j * side;
        double down = j - y, square = down * down;

        for (int32_t i = left; i <= right; i++) {
            double across = i - x, z, code;

            z = 1 - (sqrt(across * across + square) - inner) * per_rim;
            z = z > 0 ? z : 0;
            z = z < 1 ? z : 1;
            code = row[i] + codes * (z * z * (3 - 2 * z));
            code = code > 0 ? code : 0;
            code = code < 65535 ? code : 65535;
            row[i] = (uint16_t)(int32_t)(code + 0.5);
        }
    }
}

/* In single precision, twice as many at once: what it may not be, as heights differ then. */
WIDE static void bare_raise_single(uint16_t *heights, int32_t side, float x, float y, float radius,
                                   float codes)
{
    int32_t left = (int32_t)(x - radius), right = (int32_t)(x + radius) + 1;
    int32_t top = (int32_t)(y - radius), bottom = (int32_t)(y + radius) + 1;
    float inner = radius / 2, per_rim = 2 / radius;

    for (int32_t j = top; j <= bottom; j++) {
        uint16_t *row = heights + (int64_t)j * side;
        float down = (float)j - y, square = down * down;

        for (int32_t i = left; i <= right; i++) {
            float across = (float)i - x, z, code;

            z = 1 - (sqrtf(across * across + square) - inner) * per_rim;
            z = z > 0 ? z : 0;
            z = z < 1 ? z : 1;
            code = row[i] + codes * (z * z * (3 - 2 * z));
            code = code > 0 ? code : 0;
            code = code < 65535 ? code : 65535;
            row[i] = (uint16_t)(int32_t)(code + 0.5f);
        }
    }
}

/* ---- the edit ---- */

static double wave(double x)
{
    x -= floor(x);
    return x < 0.5 ? x : 1 - x;
}

/* Slopes everywhere, so that no block is all one value. */
static void fill(uint16_t *band, int32_t width, int32_t top)
{
    for (int32_t i = 0; i < width * BLOCK_SIDE; i++) {
        int32_t x = i % width, y = top + i / width;

        band[i] = (uint16_t)(30000 + 6000 * wave(x / 311.0) * wave(y / 227.0) + (x * 7 + y) % 16);
    }
}

static struct view *hills(int32_t components)
{
    struct layout layout = { { components, components }, 1, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *flat = view_new(&settings, 0, 1, 32768), *view;
    struct rect all = view_rect(flat);
    uint16_t *band = malloc((size_t)all.width * BLOCK_SIDE * sizeof *band);
    struct fault why = { 0 };
    struct draft *draft = draft_new(flat, &why);
    struct change change;

    for (int32_t y = 0; y < all.height; y += BLOCK_SIDE) {
        struct rect to = rect_meet(all, (struct rect){ 0, y, all.width, BLOCK_SIDE });

        fill(band, all.width, y);
        demand_true(draft_write_heights(draft, to, band, all.width, &why), &why);
    }
    view = draft_finish(draft, &change, &why);
    demand_true(view != NULL, &why);
    draft_free(draft);
    view_drop(flat);
    free(band);
    return view;
}

struct ops {
    struct list ops;
};

static const struct field ops_rows[] = { FIELD_AS(FIELD_VARIANTS, struct ops, ops, "What to do",
                                                  .variants = &brush_variants),
                                         { .kind = FIELD_END } };

/* The version after the ops on an edit layer; takes the view. */
static struct view *edited(struct view *view, const char *layer, const struct ops *ops)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    struct view *after;

    demand_true(draft && draft_layer(draft, layer, &why), &why);
    demand_true(brush_apply_all(draft, ops->ops.items, ops->ops.count, &why), &why);
    after = draft_finish(draft, &change, &why);
    demand_true(after != NULL, &why);
    draft_free(draft);
    view_drop(view);
    return after;
}

/* A raise at a place of its own for each number, and how long it took. */
static double raise_once(struct view **view, const char *layer, int32_t radius, uint32_t number)
{
    uint32_t room = (uint32_t)(view_rect(*view).width - 2 * radius - 2);
    struct arena arena = { 0 };
    struct fault why = { 0 };
    struct ops ops = { { 0 } };
    char *text =
        arena_print(&arena,
                    "{\"ops\":[{\"tool\":\"raise\",\"path\":[[%u.25,%u.75]],"
                    "\"radius\":%d,\"amount\":%s3}]}",
                    (unsigned)radius + number * 2654435761u % room,
                    (unsigned)radius + number * 40503u % room, radius, number % 2 ? "-" : "");
    double began;

    demand_true(json_read(SHAPE(struct ops, ops_rows), text, strlen(text), &arena, &ops, &why),
                &why);
    began = cpu();
    *view = edited(*view, layer, &ops);
    began = cpu() - began;
    arena_free(&arena);
    return began;
}

static double edit_time(struct view **view, const char *layer, int32_t radius)
{
    double times[ROUNDS];

    for (uint32_t i = 0; i < ROUNDS; i++)
        times[i] = raise_once(view, layer, radius, i);
    return median(times, ROUNDS);
}

/* The same landscape with edit layers above base, each with a hill somewhere; takes the view. */
static struct view *layered(struct view *view)
{
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct settings *settings = settings_copy(view->settings);
    struct stack *stack = stack_copy(view->settings->stack);
    struct change change;
    struct view *after;
    char name[16];

    for (int i = 1; i < LAYERS; i++) {
        snprintf(name, sizeof name, "layer%d", i);
        demand_true(stack_add_edit(stack, name, &why) != NULL, &why);
    }
    stack_drop(settings->stack);
    settings->stack = stack;
    demand_true(draft_settings(draft, &settings, &why), &why);
    after = draft_finish(draft, &change, &why);
    demand_true(after != NULL, &why);
    draft_free(draft);
    view_drop(view);
    for (uint32_t i = 1; i < LAYERS; i++) {
        snprintf(name, sizeof name, "layer%u", i);
        raise_once(&after, name, 60, i);
    }
    return after;
}

static double bare_time(uint16_t *heights, int32_t radius, bool single)
{
    int32_t room = FLAT_SIDE - 2 * radius - 2;
    double times[ROUNDS];

    for (uint32_t i = 0; i < ROUNDS; i++) {
        double x = radius + i * 2654435761u % (unsigned)room + 0.25;
        double y = radius + i * 40503u % (unsigned)room + 0.75;
        double began = cpu(), codes = i % 2 ? -384 : 384;

        if (single)
            bare_raise_single(heights, FLAT_SIDE, (float)x, (float)y, (float)radius, (float)codes);
        else
            bare_raise(heights, FLAT_SIDE, x, y, radius, codes);
        times[i] = cpu() - began;
    }
    return median(times, ROUNDS);
}

int main(void)
{
    static const int32_t radii[] = { 16, 64, 256 };
    struct view *small = hills(16), *wide = hills(128), *high = layered(view_hold(small));
    uint16_t *heights = malloc((size_t)FLAT_SIDE * FLAT_SIDE * sizeof *heights);

    if (!heights)
        return 1;
    view_read_heights(small, view_rect(small), heights, FLAT_SIDE);
    for (int i = 0; i < 3; i++) {
        double bare = bare_time(heights, radii[i], false);
        double single = bare_time(heights, radii[i], true);
        double time = edit_time(&small, "base", radii[i]);
        double far = edit_time(&wide, "base", radii[i]);
        double deep = edit_time(&high, "base", radii[i]);
        double top = edit_time(&high, "layer31", radii[i]);

        printf("raise R=%d: bare loop %.1f us (single precision %.1f us); edit on %d^2 %.1f us = "
               "%.2f x (%.2f x); on %d^2 %.2f x that; of %d edit layers the lowest %.2f x, the "
               "highest %.2f x\n",
               radii[i], bare * 1e6, single * 1e6, view_rect(small).width, time * 1e6, time / bare,
               time / single, view_rect(wide).width, far / time, LAYERS, deep / time, top / time);
    }
    free(heights);
    view_drop(small);
    view_drop(wide);
    view_drop(high);
    return 0;
}
