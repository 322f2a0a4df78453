#include "terrain/edit/mask.h"

#include <stdlib.h>

enum {
    MASKS_MOST = 64, /* of one op */
    DEPTH_MOST = 8,
    COST_UNIT = 8
};

#define MASK(name) extern const struct mask mask_##name;
#include "terrain/edit/masks.def"
#undef MASK

const struct mask *const masks[] = {
#define MASK(name) &mask_##name,
#include "terrain/edit/masks.def"
#undef MASK
};

const int mask_count = sizeof masks / sizeof *masks;

static const char *const words[] = {
#define MASK(name) #name,
#include "terrain/edit/masks.def"
#undef MASK
    NULL
};

#define MASK(name) extern const struct shape mask_##name##_takes;
#include "terrain/edit/masks.def"
#undef MASK

static const struct shape *const shapes[] = {
#define MASK(name) &mask_##name##_takes,
#include "terrain/edit/masks.def"
#undef MASK
};

const struct variant_set mask_variants = { .tag = "type",
                                           .words = words,
                                           .shapes = shapes,
                                           .count = sizeof shapes / sizeof *shapes,
                                           .name = "mask",
                                           .plain = "image" };

static const struct field base_rows[] = { FIELD(struct mask_base, invert, NULL, 0, 0,
                                                "Everywhere else instead: 1 less the share"),
                                          { .kind = FIELD_END } };

const struct shape mask_base_shape = {
    .name = "mask_base", .size = sizeof(struct mask_base), .fields = base_rows, .given = -1
};

/* Made ready */

struct masking {
    struct masker top;
    struct grid grid;
    int32_t reach; /* the greatest of all masks; -1 when none reads the surface */
    int64_t cost;  /* of all of them */
};

static bool ready(struct masking *masking, struct masker *masker, const struct variant *mask,
                  struct draft *draft, int depth, int *left, struct fault *why);

static bool ready_inside(struct masking *masking, struct masker *masker, struct list inside,
                         struct draft *draft, int depth, int *left, struct fault *why)
{
    const struct variant *items = inside.items;

    masker->inner = calloc(inside.count, sizeof *masker->inner);
    if (!masker->inner)
        return fault_set(why, FAULT_MEMORY, "no memory for a mask");
    masker->inner_count = inside.count;
    for (size_t i = 0; i < inside.count; i++) {
        if (ready(masking, &masker->inner[i], &items[i], draft, depth + 1, left, why))
            continue;
        /* `not` has one mask, the others have a list of them */
        return masker->mask->takes->fields->kind == FIELD_VARIANT
                   ? fault_within(why, "/mask")
                   : fault_within(why, "/masks/%zu", i);
    }
    return true;
}

static bool ready(struct masking *masking, struct masker *masker, const struct variant *mask,
                  struct draft *draft, int depth, int *left, struct fault *why)
{
    struct list inside;

    *masker = (struct masker){ .mask = masks[mask->chosen],
                               .takes = mask->members,
                               .reach = -1,
                               .paint = -1,
                               .cost = COST_UNIT / 4 };
    if (depth > DEPTH_MOST)
        return fault_set(why, FAULT_LIMIT, "masks may lie at most %d deep within each other",
                         DEPTH_MOST);
    if (--*left < 0)
        return fault_set(why, FAULT_LIMIT, "an op may have at most %d masks", MASKS_MOST);
    if (masker->mask->ready && !masker->mask->ready(masker, draft, why))
        return false;
    masking->reach = masker->reach > masking->reach ? masker->reach : masking->reach;
    masking->cost += masker->cost;
    if (!masker->mask->inside)
        return true;
    inside = masker->mask->inside(masker->takes);
    return ready_inside(masking, masker, inside, draft, depth, left, why);
}

static void masker_fini(struct masker *masker)
{
    for (size_t i = 0; i < masker->inner_count; i++)
        masker_fini(&masker->inner[i]);
    free(masker->inner);
}

bool masking_new(struct draft *draft, const struct variant *mask, struct masking **masking,
                 struct fault *why)
{
    struct masking *made;
    int left = MASKS_MOST;

    *masking = NULL;
    if (!mask->members)
        return true;
    made = calloc(1, sizeof *made);
    if (!made)
        return fault_set(why, FAULT_MEMORY, "no memory for a mask");
    made->grid = *view_grid(draft_view(draft));
    made->reach = -1;
    if (!ready(made, &made->top, mask, draft, 1, &left, why)) {
        masking_free(made);
        return fault_within(why, "/mask");
    }
    *masking = made;
    return true;
}

void masking_free(struct masking *masking)
{
    if (!masking)
        return;
    masker_fini(&masking->top);
    free(masking);
}

/* At work */

/* A dab as its mask lets it through. */
struct masked {
    struct dab dab;
    const struct masker *masker;
    struct scene scene;
};

void masker_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                int32_t count, double *shares)
{
    masker->mask->row(masker, scene, x, y, count, shares);
    if (((const struct mask_base *)masker->takes)->invert)
        for (int32_t i = 0; i < count; i++)
            shares[i] = 1 - shares[i];
}

static void masked_span(const struct dab *dab, int32_t y, int32_t *first, int32_t *end)
{
    const struct dab *under = ((const struct masked *)dab)->scene.dab;

    under->span(under, y, first, end);
}

static void masked_force(const struct dab *dab, int32_t x, int32_t y, int32_t count, double *force)
{
    const struct masked *masked = (const struct masked *)dab;
    const struct dab *under = masked->scene.dab;
    double shares[BLOCK_SIDE];

    under->force(under, x, y, count, force);
    masker_row(masked->masker, &masked->scene, x, y, count, shares);
    for (int32_t i = 0; i < count; i++)
        force[i] *= shares[i];
}

/* What masks read around the dab, as it is now: kept while the dab changes it. */
static bool surface_keep(const struct masking *masking, struct draft *draft, struct rect box,
                         struct tree *kept, struct fault *why)
{
    int32_t reach = masking->reach;
    struct rect around = { box.x - reach, box.y - reach, box.width + 2 * reach,
                           box.height + 2 * reach };
    const struct tree *surface =
        draft_surface(draft, rect_meet(around, view_rect(draft_view(draft))), why);

    if (!surface)
        return false;
    *kept = tree_hold(surface);
    return true;
}

/* The weights that a mask and those inside of it read; false when memory is out. */
static bool weights_keep(struct masker *masker, struct draft *draft, struct rect box,
                         struct fault *why)
{
    const struct tree *weights;

    if (masker->paint >= 0) {
        weights = draft_weights(draft, masker->paint, box, why);
        if (!weights)
            return false;
        masker->weights = tree_hold(weights);
    }
    for (size_t i = 0; i < masker->inner_count; i++)
        if (!weights_keep(&masker->inner[i], draft, box, why))
            return false;
    return true;
}

static void weights_drop(struct masker *masker)
{
    if (masker->paint >= 0)
        tree_drop(&masker->weights);
    masker->weights = (struct tree){ 0 };
    for (size_t i = 0; i < masker->inner_count; i++)
        weights_drop(&masker->inner[i]);
}

bool masking_apply(struct masking *masking, struct draft *draft, const struct dab *dab,
                   struct tool *tool, struct fault *why)
{
    struct masked masked = { .dab = *dab };
    struct tree kept = { 0 };
    bool reads = masking && masking->reach >= 0, applied;

    if (!masking || rect_empty(dab->box))
        return dab_apply(draft, dab, tool, why);
    masked.dab.span = masked_span;
    masked.dab.force = masked_force;
    masked.masker = &masking->top;
    masked.scene = (struct scene){ &masking->grid, dab, reads ? &kept : NULL };
    if (!draft_spend(draft, dab_vertices(dab) * masking->cost / COST_UNIT, why) ||
        (reads && !surface_keep(masking, draft, dab->box, &kept, why)))
        return false;
    applied = weights_keep(&masking->top, draft, dab->box, why) &&
              dab_apply(draft, &masked.dab, tool, why);
    weights_drop(&masking->top);
    if (reads)
        tree_drop(&kept);
    return applied;
}

/* Ranges */

bool range_check(const struct range *range, struct fault *why)
{
    if (range->from <= range->to)
        return true;
    fault_set(why, FAULT_INPUT, "to must be at least from, which is %.9g, not %.9g", range->from,
              range->to);
    return fault_at(why, "/to");
}

double range_share(const struct range *range, double value)
{
    double beyond = value < range->from ? range->from - value : value - range->to;

    if (value >= range->from && value <= range->to)
        return 1;
    return beyond < range->fade ? 1 - beyond / range->fade : 0;
}
