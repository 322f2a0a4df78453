/* Painting in memory, without HTTP or a disk: a dab of paint from the draft to the finished
 * version, beside the bare loop over the same box in flat arrays, which shares what is left among
 * the other layers without rounding it fairly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/client.h"
#include "terrain/base/wide.h"
#include "terrain/core/weights.h"
#include "terrain/edit/brush.h"
#include "terrain/edit/paint_write.h"

enum { ROUNDS = 100, COMPONENTS = 16, LAYERS_MOST = 8, CHUNK = 128 };

/* Of this thread alone: a machine that does something else beside does not count. */
static double used(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void demand_true(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "bench_paint: %s\n", why->detail);
    exit(1);
}

/* ---- the floor ---- */

/* A flat array of weights for each layer. */
struct flat {
    int32_t side;
    int layers;
    uint8_t *planes[LAYERS_MOST];
};

/* 1 - smooth fading over half the radius, and the weight that comes of it. */
WIDE static void bare_ask(const uint8_t *restrict own, int32_t count, double left, double square,
                          double radius, double amount, uint8_t *restrict asked)
{
    double inner = radius / 2, per_rim = 2 / radius;

    for (int32_t i = 0; i < count; i++) {
        double across = left + i, z, weight;

        z = 1 - (sqrt(across * across + square) - inner) * per_rim;
        z = z > 0 ? z : 0;
        z = z < 1 ? z : 1;
        weight = own[i] + amount * (z * z * (3 - 2 * z));
        weight = weight > 0 ? weight : 0;
        weight = weight < 255 ? weight : 255;
        asked[i] = (uint8_t)(int32_t)(weight + 0.5);
    }
}

WIDE static void bare_scale(const uint8_t *restrict asked, const uint16_t *restrict totals,
                            int32_t count, float *restrict scales, uint16_t *restrict left)
{
    for (int32_t i = 0; i < count; i++) {
        scales[i] = (float)(255 - asked[i]) / (float)(totals[i] + (totals[i] == 0));
        left[i] = (uint16_t)(255 - asked[i]);
    }
}

WIDE static void bare_share(uint8_t *restrict row, int32_t count, const float *restrict scales,
                            uint16_t *restrict left)
{
    for (int32_t i = 0; i < count; i++) {
        row[i] = (uint8_t)(int32_t)((float)row[i] * scales[i]);
        left[i] = (uint16_t)(left[i] - row[i]);
    }
}

WIDE static void bare_add(const uint8_t *restrict row, int32_t count, uint16_t *restrict totals)
{
    for (int32_t i = 0; i < count; i++)
        totals[i] = (uint16_t)(totals[i] + row[i]);
}

WIDE static void bare_rest(uint8_t *restrict row, int32_t count, const uint16_t *restrict left)
{
    for (int32_t i = 0; i < count; i++)
        row[i] = (uint8_t)left[i];
}

static void bare_row(const struct flat *flat, int64_t at, int32_t count, const uint8_t *asked)
{
    uint16_t totals[CHUNK] = { 0 }, left[CHUNK];
    float scales[CHUNK];

    for (int k = 1; k < flat->layers; k++)
        bare_add(flat->planes[k] + at, count, totals);
    bare_scale(asked, totals, count, scales, left);
    for (int k = 2; k < flat->layers; k++)
        bare_share(flat->planes[k] + at, count, scales, left);
    bare_rest(flat->planes[1] + at, count, left);
    memcpy(flat->planes[0] + at, asked, (size_t)count);
}

static void bare_paint(const struct flat *flat, double x, double y, double radius, double amount)
{
    int32_t left = (int32_t)(x - radius), right = (int32_t)(x + radius) + 1;
    int32_t top = (int32_t)(y - radius), bottom = (int32_t)(y + radius) + 1;
    uint8_t asked[CHUNK];

    for (int32_t j = top; j <= bottom; j++) {
        for (int32_t i = left; i <= right; i += CHUNK) {
            int32_t count = right - i + 1 < CHUNK ? right - i + 1 : CHUNK;
            int64_t at = (int64_t)j * flat->side + i;

            bare_ask(flat->planes[0] + at, count, i - x, (j - y) * (j - y), radius, amount, asked);
            bare_row(flat, at, count, asked);
        }
    }
}

/* ---- the edit ---- */

/* Weights of all layers everywhere, that add up. */
static void fill(struct flat *flat)
{
    size_t count = (size_t)flat->side * (size_t)flat->side;
    bool blended[LAYERS_MOST];

    memset(blended, true, sizeof blended);
    for (int k = 0; k < flat->layers; k++)
        flat->planes[k] = malloc(count);
    for (size_t i = 0; i < count; i++) {
        uint8_t weights[LAYERS_MOST];

        for (int k = 0; k < flat->layers; k++)
            weights[k] = (uint8_t)(1 + (i * 2654435761u >> (k + 8) ^ i >> 3) % 200);
        weights_normalise(weights, blended, flat->layers);
        for (int k = 0; k < flat->layers; k++)
            flat->planes[k][i] = weights[k];
    }
}

static void add_layers(struct draft *draft, int count)
{
    struct settings *settings = settings_copy(draft_view(draft)->settings);
    struct stack *stack = stack_copy(settings->stack);
    struct fault why = { 0 };
    char name[16];

    for (int k = 0; k < count; k++) {
        snprintf(name, sizeof name, "layer%d", k);
        demand_true(stack_add_paint(stack, name, &why) != NULL, &why);
    }
    stack_drop(settings->stack);
    settings->stack = stack;
    demand_true(draft_settings(draft, &settings, &why), &why);
}

static struct view *painted(const struct flat *flat)
{
    struct layout layout = { { COMPONENTS, COMPONENTS }, 1, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *bare = view_new(&settings, 0, 1, 32768), *view;
    size_t count = (size_t)rect_area(view_rect(bare));
    uint8_t *all = malloc(count * (size_t)flat->layers);
    int paints[LAYERS_MOST];
    struct paint_planes planes = { paints, flat->layers, view_rect(bare), all };
    struct fault why = { 0 };
    struct draft *draft = draft_new(bare, &why);
    struct change change;

    for (int k = 0; k < flat->layers; k++) {
        paints[k] = k;
        memcpy(all + (size_t)k * count, flat->planes[k], count);
    }
    add_layers(draft, flat->layers);
    demand_true(paint_write(draft, &planes, &why), &why);
    view = draft_finish(draft, &change, &why);
    demand_true(view != NULL, &why);
    draft_free(draft);
    view_drop(bare);
    free(all);
    return view;
}

/* The parameters of paint, as its rows lay them out. */
static void *paint_op(const struct shape *shape, double *path, double radius, double amount)
{
    char *op = calloc(1, shape->size);
    struct where *where = (struct where *)(void *)op;

    *where = (struct where){ .path = { 1, path }, .radius = radius, .falloff = 0.5 };
    for (const struct field *field = shape->fields; field->kind != FIELD_END; field++) {
        if (strcmp(field->name, "layer") == 0)
            *(const char **)field_in(field, op) = "layer0";
        if (strcmp(field->name, "amount") == 0) {
            *(double *)field_in(field, op) = amount;
            *(uint64_t *)(void *)(op + shape->given) |= (uint64_t)1 << (field - shape->fields);
        }
    }
    return op;
}

static int brush_named(const char *name)
{
    int at = 0;

    while (strcmp(brushes[at]->name, name) != 0)
        at++;
    return at;
}

static double paint_once(struct view **view, double x, double y, double radius, double amount)
{
    int brush = brush_named(amount < 0 ? "unpaint" : "paint");
    double path[2] = { x, y }, began;
    void *op = paint_op(brushes[brush]->takes, path, radius, fabs(amount));
    struct variant variant = { brush, op };
    struct fault why = { 0 };
    struct draft *draft;
    struct change change;
    struct view *after;

    began = used();
    draft = draft_new(*view, &why);
    demand_true(draft && brush_apply_all(draft, &variant, 1, &why), &why);
    after = draft_finish(draft, &change, &why);
    demand_true(after != NULL, &why);
    draft_free(draft);
    began = used() - began;
    view_drop(*view);
    *view = after;
    free(op);
    return began;
}

static void measure(int layers, int32_t radius)
{
    struct flat flat = { .side = COMPONENTS * 63 + 1, .layers = layers };
    int32_t room = flat.side - 2 * radius - 2;
    double bare[ROUNDS], edit[ROUNDS], floor_time, time;
    struct view *view;

    fill(&flat);
    view = painted(&flat);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        double x = radius + i * 2654435761u % (unsigned)room + 0.25;
        double y = radius + i * 40503u % (unsigned)room + 0.75;
        double amount = i % 2 ? -60 : 60;

        bare[i] = used();
        bare_paint(&flat, x, y, radius, amount);
        bare[i] = used() - bare[i];
        edit[i] = paint_once(&view, x, y, radius, amount);
    }
    floor_time = median(bare, ROUNDS);
    time = median(edit, ROUNDS);
    printf("paint R=%d, %d layers: bare loop %.1f us, edit %.1f us = %.2f x (aim 3)\n", radius,
           layers, floor_time * 1e6, time * 1e6, time / floor_time);
    view_drop(view);
    for (int k = 0; k < layers; k++)
        free(flat.planes[k]);
}

int main(void)
{
    static const int32_t radii[] = { 64, 256 };
    static const int layers[] = { 2, 4, 8 };

    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            measure(layers[k], radii[i]);
    }
    return 0;
}
