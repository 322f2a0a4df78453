#include "render/moved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/offset.h"

enum { BARE = -1, REACH = 130 /* quads: offsets go no further, and a quad of theirs */ };

/* A block's places, and the vertices that may stand in it. */
struct patch {
    const struct view *view;
    struct rect to, from;
    uint16_t *heights;    /* of `from` */
    uint16_t *offsets[2]; /* likewise */
    float *stands;        /* codes, of `to`; BARE where nothing stands */
};

/* Where a vertex stands, in quads from the block's first place, and its code. */
struct corner {
    double x, y, code;
};

static struct corner corner_at(const struct patch *patch, int32_t x, int32_t y)
{
    int64_t at = (int64_t)(y - patch->from.y) * patch->from.width + (x - patch->from.x);

    return (struct corner){ x - patch->to.x + offset_decode(patch->offsets[0][at]),
                            y - patch->to.y + offset_decode(patch->offsets[1][at]),
                            patch->heights[at] };
}

static double least_of(double a, double b, double c)
{
    return fmin(a, fmin(b, c));
}

static double greatest_of(double a, double b, double c)
{
    return fmax(a, fmax(b, c));
}

/* Twice the area that lies left of the way from a to b, seen from a place. */
static double beside(const struct corner *a, const struct corner *b, double x, double y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

/* Lays a triangle over the places that it covers, its edges included. */
static void lay(const struct patch *patch, const struct corner *a, const struct corner *b,
                const struct corner *c)
{
    const double area = beside(a, b, c->x, c->y), slack = 1e-9 * fabs(area);
    const double west = fmax(ceil(least_of(a->x, b->x, c->x) - 1e-9), 0);
    const double north = fmax(ceil(least_of(a->y, b->y, c->y) - 1e-9), 0);
    const double east = fmin(greatest_of(a->x, b->x, c->x) + 1e-9, patch->to.width - 1);
    const double south = fmin(greatest_of(a->y, b->y, c->y) + 1e-9, patch->to.height - 1);

    if (area == 0) /* on edge: what it joins covers it */
        return;
    for (int32_t y = (int32_t)north; y <= south; y++)
        for (int32_t x = (int32_t)west; x <= east; x++) {
            double of_a = beside(b, c, x, y), of_b = beside(c, a, x, y), of_c = beside(a, b, x, y);
            float *stands = &patch->stands[(int64_t)y * patch->to.width + x];
            double code = (of_a * a->code + of_b * b->code + of_c * c->code) / area;

            if (area < 0) {
                of_a = -of_a;
                of_b = -of_b;
                of_c = -of_c;
            }
            if (of_a >= -slack && of_b >= -slack && of_c >= -slack && code > *stands)
                *stands = (float)code;
        }
}

static void lay_all(const struct patch *patch)
{
    const struct rect from = patch->from;

    for (int32_t y = from.y; y < from.y + from.height - 1; y++)
        for (int32_t x = from.x; x < from.x + from.width - 1; x++) {
            const struct corner nw = corner_at(patch, x, y), ne = corner_at(patch, x + 1, y);
            const struct corner sw = corner_at(patch, x, y + 1);
            const struct corner se = corner_at(patch, x + 1, y + 1);

            lay(patch, &nw, &ne, &se);
            lay(patch, &nw, &se, &sw);
        }
}

/* Places of a row or column that are bare become what is nearest in it. */
static bool fill_line(float *first, int32_t count, int64_t step)
{
    int32_t last = -1;

    for (int32_t i = 0; i < count; i++) {
        if (first[i * step] < 0)
            continue;
        for (int32_t k = last + 1; k < i; k++)
            first[k * step] = last >= 0 && k - last < i - k ? first[last * step] : first[i * step];
        last = i;
    }
    for (int32_t k = last + 1; k < count && last >= 0; k++)
        first[k * step] = first[last * step];
    return last >= 0;
}

/* A block that all has moved out of stays as high as it was. */
static void fill_bare(const struct patch *patch)
{
    const struct rect to = patch->to;
    bool any = false;

    for (int32_t y = 0; y < to.height; y++)
        any |= fill_line(patch->stands + (int64_t)y * to.width, to.width, 1);
    for (int32_t x = 0; any && x < to.width; x++)
        fill_line(patch->stands + x, to.height, to.width);
    for (int64_t i = 0; !any && i < rect_area(to); i++)
        patch->stands[i] = view_height(patch->view, to.x + (int32_t)(i % to.width),
                                       to.y + (int32_t)(i / to.width));
}

/* The vertices that may stand in a rectangle; empty when they all stand in their places. */
static struct rect may_stand_in(const struct view *view, struct rect to)
{
    struct rect from = view_rect(view);

    /* The bounds of all, and then of those that this leaves. */
    for (int i = 0; i < 2; i++) {
        double least[2], greatest[2];
        int32_t west, north, east, south;

        view_bound_offsets(view, from, least, greatest);
        if (least[0] == 0 && least[1] == 0 && greatest[0] == 0 && greatest[1] == 0)
            return (struct rect){ 0 };
        west = to.x - (int32_t)ceil(fmax(greatest[0], 0)) - 1;
        north = to.y - (int32_t)ceil(fmax(greatest[1], 0)) - 1;
        east = to.x + to.width + (int32_t)ceil(fmax(-least[0], 0)) + 1;
        south = to.y + to.height + (int32_t)ceil(fmax(-least[1], 0)) + 1;
        from = rect_meet((struct rect){ west, north, east - west, south - north }, view_rect(view));
    }
    return from;
}

static struct block *make_block(struct patch *patch)
{
    const size_t count = (size_t)rect_area(patch->from), places = (size_t)rect_area(patch->to);
    struct block *block = block_new(PLANE_HEIGHTS, 0);
    uint16_t *heights = block ? block_writable(block) : NULL;

    patch->heights = malloc(sizeof *patch->heights * 3 * count);
    patch->stands = malloc(sizeof *patch->stands * places);
    if (!heights || !patch->heights || !patch->stands) {
        block_drop(block);
        block = NULL;
        goto done;
    }
    view_read_heights(patch->view, patch->from, patch->heights, patch->from.width);
    for (int axis = 0; axis < 2; axis++) {
        patch->offsets[axis] = patch->heights + (size_t)(axis + 1) * count;
        view_read_offsets(patch->view, axis, patch->from, patch->offsets[axis], patch->from.width);
    }
    for (size_t i = 0; i < places; i++)
        patch->stands[i] = BARE;
    lay_all(patch);
    fill_bare(patch);
    for (int32_t y = 0; y < patch->to.height; y++)
        for (int32_t x = 0; x < patch->to.width; x++)
            heights[y * BLOCK_SIDE + x] =
                (uint16_t)(patch->stands[(int64_t)y * patch->to.width + x] + 0.5f);

done:
    free(patch->stands);
    free(patch->heights);
    return block;
}

/* Whether nothing that could ever stand in the rectangle has changed since that version. */
static bool same_since(const struct view *view, struct rect to, uint64_t version)
{
    const struct rect near = rect_meet(
        (struct rect){ to.x - REACH, to.y - REACH, to.width + 2 * REACH, to.height + 2 * REACH },
        view_rect(view));

    return view_newest(view, near) <= version && view_newest_offsets(view, near) <= version;
}

/* The block of the landscape itself, or what stands there instead; *bytes grows by the latter. */
static bool put_block(const struct view *view, const struct view *older, struct tree *tree,
                      int32_t bx, int32_t by, size_t *bytes)
{
    struct patch patch = { .view = view, .to = tree_block_rect(tree, bx, by) };
    const bool kept = older && same_since(view, patch.to, older->version);
    struct child same = tree_block(&(kept ? older : view)->planes[PLANE_HEIGHTS], bx, by);
    struct block *block = same.below ? block_hold(same.below) : NULL;
    bool put;

    patch.from = may_stand_in(view, patch.to);
    if (!rect_empty(patch.from))
        *bytes += plane_block_bytes(PLANE_HEIGHTS);
    if (!rect_empty(patch.from) && !kept) {
        block_drop(block);
        block = make_block(&patch);
        if (!block)
            return false;
    }
    put = tree_put(tree, bx, by, &block, same.summary.least, view->version);
    block_drop(block);
    return put;
}

/* `older`: of an earlier version, or NULL. */
static struct view *move(const struct view *view, const struct view *older, size_t *bytes,
                         struct fault *why)
{
    struct settings *settings = settings_hold(view->settings);
    struct view *moved = view_new(&settings, view->incarnation, view->version, 0);
    struct tree *tree = moved ? &moved->planes[PLANE_HEIGHTS] : NULL;
    bool done = moved;

    if (moved)
        moved->again = view->again;
    else
        settings_drop(settings);
    for (int32_t by = 0; done && by < tree_blocks_down(tree); by++)
        for (int32_t bx = 0; done && bx < tree_blocks_across(tree); bx++)
            done = put_block(view, older, tree, bx, by, bytes);
    if (done)
        return moved;
    view_drop(moved);
    fault_set(why, FAULT_MEMORY, "no memory for ground that is moved");
    return NULL;
}

/* In the cache */

struct kept {
    struct derived derived;
    struct view *view;
};

static void kept_free(struct derived *thing)
{
    struct kept *kept = (struct kept *)thing;

    view_drop(kept->view);
    free(kept);
}

static struct derived *make(void *context, const struct derived *older, struct fault *why)
{
    const struct view *view = context, *was = older ? ((const struct kept *)older)->view : NULL;
    struct kept *kept = malloc(sizeof *kept);
    size_t bytes = sizeof *kept;

    if (!kept) {
        fault_set(why, FAULT_MEMORY, "no memory for ground that is moved");
        return NULL;
    }
    kept->view = move(view, was && was->version <= view->version ? was : NULL, &bytes, why);
    if (!kept->view) {
        free(kept);
        return NULL;
    }
    kept->derived = (struct derived){ .bytes = bytes, .free = kept_free };
    atomic_init(&kept->derived.holders, 1);
    return &kept->derived;
}

struct view *moved_ground(const struct view *view, struct derived_cache *derived, struct fault *why)
{
    static const char kind;
    const struct derived_place place = { .kind = &kind,
                                         .incarnation = view->incarnation,
                                         .options = view->again };
    struct view *ground = NULL;
    struct kept *kept;

    if (!view_has_offsets(view))
        return view_hold(view);
    kept = (struct kept *)derived_get(derived, &place, view->version, make, (void *)(uintptr_t)view,
                                      why);
    if (kept)
        ground = view_hold(kept->view);
    derived_drop((struct derived *)kept);
    return ground;
}
