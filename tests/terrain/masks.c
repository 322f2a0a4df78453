#include "tests/terrain/masks.h"

#include <math.h>
#include <string.h>

#include "tests/terrain/ops.h"

/* Black to the west and in a ring, and noise elsewhere; not square. */
enum { PICTURE_WIDTH = 23, PICTURE_HEIGHT = 17 };
static uint16_t samples[PICTURE_WIDTH * PICTURE_HEIGHT];
const struct image mask_picture = { PICTURE_WIDTH, PICTURE_HEIGHT, samples };

static const struct image *lend(void *context, const char *name, enum image_channel channel,
                                struct fault *why)
{
    struct dice dice = { 99 };

    (void)context;
    (void)name;
    (void)channel;
    (void)why;
    for (int i = 0; i < PICTURE_WIDTH * PICTURE_HEIGHT; i++)
        samples[i] = i % PICTURE_WIDTH < 5 ? 0 : (uint16_t)dice_between(&dice, 0, 65535);
    return &mask_picture;
}

const struct sources mask_sources = { .image = lend };

double mask_picture_at(double u, double v)
{
    double value = 0;

    for (int32_t y = 0; y < PICTURE_HEIGHT; y++)
        for (int32_t x = 0; x < PICTURE_WIDTH; x++)
            value += fmax(0, 1 - fabs(u - x)) * fmax(0, 1 - fabs(v - y)) *
                     samples[y * PICTURE_WIDTH + x] / 65535.0;
    return value;
}

struct found {
    const char *name;
    const struct field *field;
};

static bool is_named(const struct field *field, int index, void *context)
{
    struct found *found = context;

    (void)index;
    if (strcmp(field->name, found->name) != 0)
        return true;
    found->field = field;
    return false;
}

static void *member(struct variant *mask, const char *name, enum field_kind kind)
{
    struct found found = { .name = name };

    if (shape_each(masks[mask->chosen]->takes, is_named, &found) || found.field->kind != kind)
        return NULL;
    return field_in(found.field, mask->members);
}

bool mask_real(struct variant *mask, const char *name, double value)
{
    double *at = member(mask, name, FIELD_REAL);

    if (at)
        *at = value;
    return at != NULL;
}

bool mask_integer(struct variant *mask, const char *name, int64_t value)
{
    int32_t *at = member(mask, name, FIELD_INT);
    int64_t *wide = at ? NULL : member(mask, name, FIELD_INT64);
    bool *yes = at || wide ? NULL : member(mask, name, FIELD_BOOL);
    int *word = at || wide || yes ? NULL : member(mask, name, FIELD_CHOICE);

    if (at)
        *at = (int32_t)value;
    if (wide)
        *wide = value;
    if (yes)
        *yes = value != 0;
    if (word)
        *word = (int)value;
    return at || wide || yes || word;
}

static bool set_default(const struct field *field, int index, void *context)
{
    struct variant *mask = context;

    (void)index;
    if (!field->has_value)
        return true;
    if (field->kind == FIELD_REAL)
        mask_real(mask, field->name, field->value);
    else
        mask_integer(mask, field->name, (int64_t)field->value);
    return true;
}

struct variant mask_new(struct arena *arena, const char *type)
{
    struct variant mask = { 0 };

    while (mask.chosen < mask_count && strcmp(masks[mask.chosen]->name, type) != 0)
        mask.chosen++;
    if (mask.chosen == mask_count)
        return mask;
    mask.members = arena_new(arena, masks[mask.chosen]->takes->size);
    if (mask.members)
        shape_each(masks[mask.chosen]->takes, set_default, &mask);
    return mask;
}

/* Random masks */

struct throwing {
    struct arena *arena;
    struct variant mask;
    struct rect landscape;
    struct dice *dice;
    int depth;
};

static void throw_rect(struct throwing *throwing, struct rect *to)
{
    const struct rect all = throwing->landscape;

    to->x = dice_between(throwing->dice, -10, all.width);
    to->y = dice_between(throwing->dice, -10, all.height);
    to->width = dice_between(throwing->dice, 1, all.width);
    to->height = dice_between(throwing->dice, 1, all.height);
}

static void throw_points(struct throwing *throwing, struct list *to)
{
    size_t count = (size_t)dice_between(throwing->dice, 3, 12);
    double(*points)[2] = arena_new(throwing->arena, count * sizeof *points);

    for (size_t i = 0; points && i < count; i++) {
        points[i][0] = dice_real(throwing->dice, -10, throwing->landscape.width + 10);
        points[i][1] = dice_real(throwing->dice, -10, throwing->landscape.height + 10);
        if (i % 3 == 1) /* corners on vertices and level edges too */
            points[i][1] = floor(points[i][1]);
    }
    *to = (struct list){ points ? count : 0, points };
}

static void throw_inside(struct throwing *throwing, struct variant *to, size_t count)
{
    /* the last rows are the combinations */
    int kinds = throwing->depth > 1 ? mask_count : mask_count - 3;

    for (size_t i = 0; i < count; i++)
        to[i] = mask_random(throwing->arena, dice_between(throwing->dice, 0, kinds - 1),
                            throwing->landscape, throwing->dice, throwing->depth - 1);
}

static bool throw_member(const struct field *field, int index, void *context)
{
    struct throwing *throwing = context;
    void *at = field_in(field, throwing->mask.members);
    double least = field->least > -60 ? field->least : -60;
    double most = field->greatest < 60 ? field->greatest : 60;
    struct list *list = at;

    (void)index;
    switch (field->kind) {
    case FIELD_REAL:
        *(double *)at = dice_real(throwing->dice, least, most);
        break;
    case FIELD_REALS:
        for (int i = 0; i < field->count; i++)
            ((double *)at)[i] = dice_real(throwing->dice, 1, 60);
        break;
    case FIELD_INT:
    case FIELD_INT64:
        mask_integer(&throwing->mask, field->name,
                     dice_between(throwing->dice, (int32_t)least, most < 6 ? (int32_t)most : 6));
        break;
    case FIELD_BOOL:
    case FIELD_CHOICE:
        mask_integer(&throwing->mask, field->name, dice_between(throwing->dice, 0, 1));
        break;
    case FIELD_NAME:
        *(const char **)at = strcmp(field->name, "layer")
                                 ? "picture"
                                 : ops_paints[dice_between(throwing->dice, 0, OPS_PAINTS - 1)];
        break;
    case FIELD_POINT:
        ((double *)at)[0] = dice_real(throwing->dice, 0, throwing->landscape.width);
        ((double *)at)[1] = dice_real(throwing->dice, 0, throwing->landscape.height);
        break;
    case FIELD_RECT:
        throw_rect(throwing, at);
        break;
    case FIELD_POINTS:
        throw_points(throwing, at);
        break;
    case FIELD_VARIANT:
        throw_inside(throwing, at, 1);
        break;
    case FIELD_VARIANTS:
        list->count = (size_t)dice_between(throwing->dice, 1, 3);
        list->items = arena_new(throwing->arena, list->count * sizeof(struct variant));
        throw_inside(throwing, list->items, list->count);
        break;
    default:
        break;
    }
    return true;
}

/* What has to be in order. */
static void settle(struct throwing *throwing)
{
    double *from = member(&throwing->mask, "from", FIELD_REAL);
    double *to = member(&throwing->mask, "to", FIELD_REAL), swap;

    if (!from || *from <= *to || !strcmp(masks[throwing->mask.chosen]->name, "aspect"))
        return;
    swap = *from;
    *from = *to;
    *to = swap;
}

struct variant mask_random(struct arena *arena, int mask, struct rect landscape, struct dice *dice,
                           int depth)
{
    struct throwing throwing = { arena, mask_new(arena, masks[mask]->name), landscape, dice,
                                 depth };
    struct rect rect;

    if (!throwing.mask.members)
        return throwing.mask;
    shape_each(masks[mask]->takes, throw_member, &throwing);
    throw_rect(&throwing, &rect);
    if (mask_integer(&throwing.mask, "x", rect.x)) {
        mask_integer(&throwing.mask, "y", rect.y);
        mask_integer(&throwing.mask, "width", rect.width);
        mask_integer(&throwing.mask, "height", rect.height);
    }
    settle(&throwing);
    return throwing.mask;
}
