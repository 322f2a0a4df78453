#include "tests/terrain/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/terrain/masks.h"

/* The brush's field of that name, and where its struct notes what was given. */
struct found {
    const char *name;
    const struct field *field;
    int index;
};

static bool is_named(const struct field *field, int index, void *context)
{
    struct found *found = context;

    if (strcmp(field->name, found->name) != 0)
        return true;
    found->field = field;
    found->index = index;
    return false;
}

static const struct shape *op_shape(const struct op *op)
{
    return brush_variants.shapes[op->variant.chosen];
}

/* The member's place; notes that it was given. */
static void *member(struct op *op, const char *name, enum field_kind kind)
{
    const struct shape *shape = op_shape(op);
    struct found found = { .name = name };

    if (shape_each(shape, is_named, &found) || found.field->kind != kind)
        return NULL;
    if (shape->given >= 0 && found.index >= 0)
        *(uint64_t *)((char *)op->variant.members + shape->given) |= (uint64_t)1 << found.index;
    return field_in(found.field, op->variant.members);
}

static bool set_default(const struct field *field, int index, void *context)
{
    void *at = field_in(field, context);

    (void)index;
    if (field->kind == FIELD_POINT)
        ((double *)at)[0] = ((double *)at)[1] = NAN;
    if (!field->has_value)
        return true;
    switch (field->kind) {
    case FIELD_INT:
        *(int32_t *)at = (int32_t)field->value;
        break;
    case FIELD_INT64:
        *(int64_t *)at = (int64_t)field->value;
        break;
    case FIELD_CHOICE:
        *(int *)at = (int)field->value;
        break;
    default:
        *(double *)at = field->value;
        break;
    }
    return true;
}

struct op *op_new(const char *brush)
{
    struct op *op = calloc(1, sizeof *op);

    while (op && op->variant.chosen < brush_count &&
           strcmp(brushes[op->variant.chosen]->name, brush) != 0)
        op->variant.chosen++;
    if (!op || op->variant.chosen == brush_count) {
        free(op);
        return NULL;
    }
    op->variant.members = calloc(1, op_shape(op)->size);
    if (!op->variant.members) {
        free(op);
        return NULL;
    }
    shape_each(op_shape(op), set_default, op->variant.members);
    return op;
}

void op_free(struct op *op)
{
    if (!op)
        return;
    arena_free(&op->arena);
    free(op->variant.members);
    free(op);
}

bool op_real(struct op *op, const char *name, double value)
{
    double *at = member(op, name, FIELD_REAL);

    if (!at)
        at = member(op, name, FIELD_PICK);
    if (at)
        *at = value;
    return at != NULL;
}

bool op_integer(struct op *op, const char *name, int64_t value)
{
    int32_t *at = member(op, name, FIELD_INT);
    int64_t *wide = at ? NULL : member(op, name, FIELD_INT64);

    if (at)
        *at = (int32_t)value;
    if (wide)
        *wide = value;
    return at || wide;
}

bool op_word(struct op *op, const char *name, const char *word)
{
    struct found found = { .name = name };
    int *at = member(op, name, FIELD_CHOICE);

    if (!at)
        return false;
    shape_each(op_shape(op), is_named, &found);
    for (*at = 0; found.field->words[*at]; ++*at) {
        if (strcmp(found.field->words[*at], word) == 0)
            return true;
    }
    return false;
}

bool op_name(struct op *op, const char *name, const char *value)
{
    const char **at = member(op, name, FIELD_NAME);

    if (at)
        *at = value;
    return at != NULL;
}

bool op_text(struct op *op, const char *name, const char *text)
{
    const char **at = member(op, name, FIELD_TEXT);

    if (at)
        *at = text;
    return at != NULL;
}

bool op_region(struct op *op, struct rect region)
{
    struct rect *at = member(op, "region", FIELD_RECT);

    if (at)
        *at = region;
    return at != NULL;
}

bool op_path(struct op *op, const double (*points)[2], size_t count)
{
    struct list *at = member(op, "path", FIELD_POINTS);

    if (!at || count * 2 > sizeof op->path / sizeof(double))
        return false;
    if (count)
        memcpy(op->path, points, count * sizeof *points);
    *at = (struct list){ count, op->path };
    return true;
}

bool op_plane(struct op *op, const double points[3][3])
{
    struct list *at = member(op, "plane", FIELD_POINTS);

    if (!at)
        return false;
    memcpy(op->plane, points, sizeof op->plane);
    *at = (struct list){ 3, op->plane };
    return true;
}

bool op_line(struct op *op, const double points[2][2])
{
    struct list *at = member(op, "line", FIELD_POINTS);

    if (!at)
        return false;
    memcpy(op->line, points, sizeof op->line);
    *at = (struct list){ 2, op->line };
    return true;
}

bool op_forget(struct op *op, const char *name)
{
    struct found found = { .name = name };
    const struct shape *shape = op_shape(op);

    if (shape_each(shape, is_named, &found) || shape->given < 0)
        return false;
    *(uint64_t *)((char *)op->variant.members + shape->given) &= ~((uint64_t)1 << found.index);
    return true;
}

bool op_point(struct op *op, const char *name, const double point[2])
{
    double *at = member(op, name, FIELD_POINT);

    if (at)
        memcpy(at, point, 2 * sizeof *point);
    return at != NULL;
}

bool op_point3(struct op *op, const char *name, const double point[3])
{
    double *at = member(op, name, FIELD_POINT3);

    if (at)
        memcpy(at, point, 3 * sizeof *point);
    return at != NULL;
}

bool op_mask(struct op *op, struct variant mask)
{
    struct variant *at = member(op, "mask", FIELD_VARIANT);

    if (at)
        *at = mask;
    return at != NULL;
}

/* Random ops */

const char *const ops_paints[OPS_PAINTS] = { "grass", "rock", "snow", "wet" };

bool ops_paint_layers(struct settings *settings)
{
    struct stack *stack = stack_copy(settings->stack);
    struct fault why;

    for (int i = 0; stack && i < OPS_PAINTS; i++) {
        struct paint_layer *layer = stack_add_paint(stack, ops_paints[i], &why);

        if (!layer) {
            stack_drop(stack);
            return false;
        }
        layer->blended = i < OPS_PAINTS - 1;
    }
    if (!stack)
        return false;
    stack_drop(settings->stack);
    settings->stack = stack;
    return true;
}

struct throwing {
    struct op *op;
    struct rect landscape;
    struct dice *dice;
};

static void throw_point(struct throwing *throwing, double *point)
{
    point[0] = dice_real(throwing->dice, -20, throwing->landscape.width + 20);
    point[1] = dice_real(throwing->dice, -20, throwing->landscape.height + 20);
}

static void throw_inside(struct throwing *throwing, double *point)
{
    point[0] = dice_real(throwing->dice, 0, throwing->landscape.width - 1);
    point[1] = dice_real(throwing->dice, 0, throwing->landscape.height - 1);
}

static bool throw_member(const struct field *field, int index, void *context)
{
    struct throwing *throwing = context;
    double least = field->least > -60 ? field->least : -60;
    double most = field->greatest < 60 ? field->greatest : 60;
    int words = 0;

    (void)index;
    switch (field->kind) {
    case FIELD_REAL:
        op_real(throwing->op, field->name, dice_real(throwing->dice, least, most));
        break;
    case FIELD_INT:
    case FIELD_INT64:
        op_integer(throwing->op, field->name,
                   dice_between(throwing->dice, (int32_t)least, most < 6 ? (int32_t)most : 6));
        break;
    case FIELD_CHOICE:
        while (field->words[words])
            words++;
        op_word(throwing->op, field->name,
                field->words[dice_between(throwing->dice, 0, words - 1)]);
        break;
    case FIELD_POINT: {
        double point[2];

        throw_inside(throwing, point);
        op_point(throwing->op, field->name, point);
        break;
    }
    case FIELD_POINT3: {
        double point[3] = { 0, 0, dice_real(throwing->dice, -60, 60) };

        throw_point(throwing, point);
        op_point3(throwing->op, field->name, point);
        break;
    }
    default: /* path, region, target and plane are chosen together */
        break;
    }
    return true;
}

static void throw_where(struct throwing *throwing)
{
    struct rect all = throwing->landscape, region;
    double points[4][2];

    region.x = dice_between(throwing->dice, 0, all.width - 1);
    region.y = dice_between(throwing->dice, 0, all.height - 1);
    region.width = dice_between(throwing->dice, 1, all.width - region.x);
    region.height = dice_between(throwing->dice, 1, all.height - region.y);
    throw_inside(throwing, points[0]);
    for (int i = 1; i < 4; i++)
        throw_point(throwing, points[i]);
    if (dice_between(throwing->dice, 0, 3) == 0) {
        op_region(throwing->op, region);
        return;
    }
    op_path(throwing->op, (const double(*)[2])points, (size_t)dice_between(throwing->dice, 1, 4));
    op_real(throwing->op, "radius", dice_real(throwing->dice, 0.5, 40));
    op_real(throwing->op, "spacing",
            dice_between(throwing->dice, 0, 1) ? 0 : dice_real(throwing->dice, 3, 30));
}

/* What flatten goes to: one of three. */
static void throw_target(struct throwing *throwing)
{
    double plane[3][3] = { { 0, 0, 5 }, { 40, 3, -9 }, { 7, 50, 20 } };
    double terrace = dice_real(throwing->dice, 0.25, 8);

    if (!op_real(throwing->op, "terrace", 0))
        return;
    switch (dice_between(throwing->dice, 0, 2)) {
    case 0:
        op_real(throwing->op, "target", dice_real(throwing->dice, -60, 60));
        break;
    case 1:
        op_real(throwing->op, "terrace", terrace);
        break;
    default:
        op_plane(throwing->op, plane);
        break;
    }
}

/* What mirror reflects across: an axis, or sometimes a line. */
static void throw_mirror(struct throwing *throwing)
{
    double line[2][2];

    throw_inside(throwing, line[0]);
    throw_point(throwing, line[1]);
    if (dice_between(throwing->dice, 0, 1) == 0 && op_line(throwing->op, line))
        op_forget(throwing->op, "axis");
}

/* Which paint layer: always for those that do nothing else, every other time for the rest. */
static void throw_layer(struct throwing *throwing)
{
    const char *tool = brushes[throwing->op->variant.chosen]->name;
    bool paints = strcmp(tool, "paint") == 0 || strcmp(tool, "unpaint") == 0;
    const char *layer = ops_paints[dice_between(throwing->dice, 0, OPS_PAINTS - 1)];

    if (!paints && (dice_between(throwing->dice, 0, 1) || !op_name(throwing->op, "layer", layer)))
        return;
    if (!paints) { /* whose targets are weights then */
        op_real(throwing->op, "target", dice_between(throwing->dice, 0, 255));
        op_real(throwing->op, "amplitude", dice_real(throwing->dice, -255, 255));
        if (op_real(throwing->op, "terrace", 0))
            *(struct list *)member(throwing->op, "plane", FIELD_POINTS) = (struct list){ 0 };
        return;
    }
    op_name(throwing->op, "layer", layer);
    op_real(throwing->op, "amount", dice_real(throwing->dice, 0, 255));
    op_real(throwing->op, "target", dice_real(throwing->dice, 0, 255));
    op_forget(throwing->op, dice_between(throwing->dice, 0, 1) ? "amount" : "target");
}

/* Whose samples are metres, or codes as they are. */
static void throw_image(struct throwing *throwing)
{
    if (!op_name(throwing->op, "image", "picture") || dice_between(throwing->dice, 0, 1))
        return;
    op_forget(throwing->op, "base");
    op_forget(throwing->op, "amplitude");
}

/* Something that reads whatever can be read. */
static void throw_expression(struct throwing *throwing)
{
    static const char *const texts[] = {
        "h + 3 * sin(x / 7) * cos(y / 5) - w('grass') / 50",
        "slope > 20 ? h - 2 : max(h, noise(c / 9, r / 9, 4) * 8)",
        "lerp(h, smoothstep(0, 360, aspect) * 20, 0.5) + clamp(curvature, -1, 1) ^ 2",
        "(c + r) % 3 < 1 ? 255 * noise(c / 20, r / 20) : 0/0",
        "exp(-(abs(h) / 40)) * 99 + log(1 + c) + (r / 3) ^ 1.3",
    };

    op_text(throwing->op, "expression",
            texts[dice_between(throwing->dice, 0, sizeof texts / sizeof *texts - 1)]);
}

static void throw_mask(struct throwing *throwing)
{
    int mask = dice_between(throwing->dice, 0, 2 * mask_count - 1);

    if (mask < mask_count)
        op_mask(throwing->op,
                mask_random(&throwing->op->arena, mask, throwing->landscape, throwing->dice, 3));
}

/* Simulations that a test has the time for. */
static void throw_work(struct throwing *throwing)
{
    op_real(throwing->op, "rain", dice_real(throwing->dice, 0.01, 0.3));
    op_integer(throwing->op, "iterations", dice_between(throwing->dice, 1, 3));
}

struct op *op_random(int brush, struct rect landscape, struct dice *dice)
{
    struct throwing throwing = { op_new(brushes[brush]->name), landscape, dice };

    if (!throwing.op)
        return NULL;
    shape_each(op_shape(throwing.op), throw_member, &throwing);
    throw_where(&throwing);
    throw_target(&throwing);
    throw_mirror(&throwing);
    throw_layer(&throwing);
    throw_work(&throwing);
    throw_image(&throwing);
    throw_expression(&throwing);
    throw_mask(&throwing);
    return throwing.op;
}
