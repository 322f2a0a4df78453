/* Masks of masks: all, any, not. */
#include "terrain/edit/mask.h"

enum { INSIDE_MOST = 64 };

struct several {
    struct mask_base base;
    struct list masks; /* struct variant */
};

static const struct field several_rows[] = {
    FIELD_AS(FIELD_VARIANTS, struct several, masks, "What is combined", .unit = "masks", .least = 1,
             .greatest = INSIDE_MOST, .variants = &mask_variants, .required = true),
    { .kind = FIELD_END }
};

static struct list several_inside(const void *takes)
{
    return ((const struct several *)takes)->masks;
}

static void all_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                    int32_t count, double *shares)
{
    double other[BLOCK_SIDE];

    masker_row(&masker->inner[0], scene, x, y, count, shares);
    for (size_t m = 1; m < masker->inner_count; m++) {
        masker_row(&masker->inner[m], scene, x, y, count, other);
        for (int32_t i = 0; i < count; i++)
            shares[i] = other[i] < shares[i] ? other[i] : shares[i];
    }
}

MASK_SHAPE(all, struct several, several_rows);

const struct mask mask_all = {
    .name = "all",
    .summary = "Where all of its masks agree: the least share",
    .example = "{\"type\":\"all\",\"masks\":[{\"type\":\"slope\",\"from\":5},"
               "{\"type\":\"rectangle\",\"x\":4,\"y\":4,\"width\":56,\"height\":56}]}",
    .takes = &mask_all_takes,
    .inside = several_inside,
    .row = all_row,
};

static void any_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                    int32_t count, double *shares)
{
    double other[BLOCK_SIDE];

    masker_row(&masker->inner[0], scene, x, y, count, shares);
    for (size_t m = 1; m < masker->inner_count; m++) {
        masker_row(&masker->inner[m], scene, x, y, count, other);
        for (int32_t i = 0; i < count; i++)
            shares[i] = other[i] > shares[i] ? other[i] : shares[i];
    }
}

MASK_SHAPE(any, struct several, several_rows);

const struct mask mask_any = {
    .name = "any",
    .summary = "Where any of its masks acts: the greatest share",
    .example = "{\"type\":\"any\",\"masks\":[{\"type\":\"height\",\"to\":0},"
               "{\"type\":\"ellipse\",\"center\":[32,32],\"radii\":[20,20]}]}",
    .takes = &mask_any_takes,
    .inside = several_inside,
    .row = any_row,
};

struct negation {
    struct mask_base base;
    struct variant mask;
};

static const struct field negation_rows[] = {
    FIELD_AS(FIELD_VARIANT, struct negation, mask, "What is turned round",
             .variants = &mask_variants, .required = true),
    { .kind = FIELD_END }
};

static struct list negation_inside(const void *takes)
{
    struct variant *mask = &((struct negation *)(uintptr_t)takes)->mask;

    return (struct list){ 1, mask };
}

static void not_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                    int32_t count, double *shares)
{
    masker_row(&masker->inner[0], scene, x, y, count, shares);
    for (int32_t i = 0; i < count; i++)
        shares[i] = 1 - shares[i];
}

MASK_SHAPE(not, struct negation, negation_rows);

const struct mask mask_not = {
    .name = "not",
    .summary = "Where its mask does not act: 1 less the share",
    .example = "{\"type\":\"not\",\"mask\":{\"type\":\"slope\",\"to\":3}}",
    .takes = &mask_not_takes,
    .inside = negation_inside,
    .row = not_row,
};
