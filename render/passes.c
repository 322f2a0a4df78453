#include "render/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/picture.h"

struct passes {
    const struct scene_parts *parts;
    int32_t room[RENDER_PLANES];
    const struct wire_patch **order; /* patches as a single pass would draw them */
    uint32_t *patches, *tiles;       /* of the pass */
    uint32_t *marks, mark;           /* of each tile: the pass that has it, at last */
    uint32_t *groups, group_count;   /* of nodes, from 1 on */
    uint32_t *pages;                 /* of the pass */
    uint32_t group, next;            /* the group that is drawn, the next of the order */
    int32_t counts[RENDER_PLANES];   /* of the pass */
    bool (*drawn)(const void *context, uint32_t patch);
    const void *context;
};

static int compare_patches(const void *left, const void *right)
{
    const struct wire_patch *a = *(const struct wire_patch *const *)left;
    const struct wire_patch *b = *(const struct wire_patch *const *)right;
    uint32_t a_holes = a->variant & WIRE_BIT(HOLES), b_holes = b->variant & WIRE_BIT(HOLES);

    if (a_holes != b_holes)
        return a_holes < b_holes ? -1 : 1;
    if (a->variant != b->variant)
        return a->variant < b->variant ? -1 : 1;
    if (a->meshes[0] != b->meshes[0])
        return a->meshes[0] < b->meshes[0] ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void add_tile(struct passes *passes, struct pass *pass, uint32_t tile)
{
    if (tile == WIRE_NONE || passes->marks[tile] == passes->mark)
        return;
    passes->marks[tile] = passes->mark;
    passes->counts[passes->parts->keys[tile].plane]++;
    passes->tiles[pass->tile_count++] = tile;
}

/* Whether there is room for all tiles of a patch or a node as well. Planes that patches and nodes
 * both have tiles of are left to nodes by half. */
static bool fits(const struct passes *passes, const struct wire_patch *patch, bool node)
{
    int32_t more[RENDER_PLANES] = { 0 };

    for (int slot = 0; slot < RENDER_SLOTS; slot++) {
        uint32_t tile = patch->slots[slot];

        /* one that is in two slots counts twice, which is on the safe side */
        if (tile != WIRE_NONE && passes->marks[tile] != passes->mark)
            more[slot_planes[slot]]++;
    }
    for (int plane = 0; plane < RENDER_PLANES; plane++) {
        bool shared = plane == RENDER_PLANE_heights || plane == RENDER_PLANE_offsets;
        int32_t room = passes->room[plane] / (node && shared ? 2 : 1);

        if (more[plane] && passes->counts[plane] + more[plane] > room)
            return false;
    }
    return true;
}

static void add_patch(struct passes *passes, struct pass *pass, const struct wire_patch *patch)
{
    for (int slot = 0; slot < RENDER_SLOTS; slot++)
        add_tile(passes, pass, patch->slots[slot]);
}

/* Nothing but what every pass has: surfaces, for which there is always room. */
static void clear(struct passes *passes, struct pass *pass)
{
    const struct scene_parts *parts = passes->parts;

    *pass = (struct pass){ .patches = passes->patches, .tiles = passes->tiles };
    memset(passes->counts, 0, sizeof passes->counts);
    passes->mark++;
    for (uint32_t i = 0; i < parts->head->tile_count; i++)
        if (parts->keys[i].plane == RENDER_PLANE_surfaces)
            add_tile(passes, pass, i);
}

static bool group_nodes(struct passes *passes, struct fault *why)
{
    const struct scene_parts *parts = passes->parts;
    struct pass pass;

    passes->group_count = 1;
    clear(passes, &pass);
    for (uint32_t i = 0; i < parts->head->node_count; i++) {
        if (!fits(passes, &parts->nodes[i], true)) {
            passes->group_count++;
            clear(passes, &pass);
        }
        if (!fits(passes, &parts->nodes[i], true))
            return fault_set(why, FAULT_LIMIT, "There is no room for a single tile of a picture");
        add_patch(passes, &pass, &parts->nodes[i]);
        passes->groups[i] = passes->group_count;
    }
    return true;
}

static bool get_room(struct passes *passes)
{
    const struct wire_scene *head = passes->parts->head;
    size_t pages = (size_t)head->page_columns * head->page_rows;

    passes->order = malloc(((size_t)head->patch_count + 1) * sizeof *passes->order);
    passes->patches = malloc(((size_t)head->patch_count + 1) * sizeof *passes->patches);
    passes->tiles = malloc(((size_t)head->tile_count + 1) * sizeof *passes->tiles);
    passes->marks = calloc((size_t)head->tile_count + 1, sizeof *passes->marks);
    passes->groups = calloc((size_t)head->node_count + 1, sizeof *passes->groups);
    passes->pages = malloc((pages + 1) * sizeof *passes->pages);
    return passes->order && passes->patches && passes->tiles && passes->marks && passes->groups &&
           passes->pages;
}

struct passes *passes_new(const struct scene_parts *parts, const int32_t room[RENDER_PLANES],
                          struct fault *why)
{
    struct passes *passes = calloc(1, sizeof *passes);

    if (passes) {
        passes->parts = parts;
        memcpy(passes->room, room, sizeof passes->room);
    }
    if (!passes || !get_room(passes)) {
        fault_set(why, FAULT_MEMORY, "no memory to draw %u patches one by one",
                  parts->head->patch_count);
        passes_free(passes);
        return NULL;
    }
    for (uint32_t i = 0; i < parts->head->patch_count; i++)
        passes->order[i] = &parts->patches[i];
    qsort(passes->order, parts->head->patch_count, sizeof *passes->order, compare_patches);
    if (group_nodes(passes, why))
        return passes;
    passes_free(passes);
    return NULL;
}

void passes_free(struct passes *passes)
{
    if (!passes)
        return;
    free(passes->order);
    free(passes->patches);
    free(passes->tiles);
    free(passes->marks);
    free(passes->groups);
    free(passes->pages);
    free(passes);
}

void passes_begin(struct passes *passes, bool (*drawn)(const void *context, uint32_t patch),
                  const void *context)
{
    passes->drawn = drawn;
    passes->context = context;
    passes->group = 0;
    passes->next = passes->parts->head->patch_count;
}

/* A page's number, where a place may be anything. */
static int32_t page_at(float place, float quads, uint32_t count)
{
    float page = floorf(place / quads);

    return page < 0 ? 0 : page < (float)count ? (int32_t)page : (int32_t)count - 1;
}

/* Whether the group colours any of the patch's ground, of which a point on the border may be taken
 * for one beyond. */
static bool in_group(const struct passes *passes, const struct wire_patch *patch)
{
    const struct wire_scene *head = passes->parts->head;
    const bool component = head->geometry == RENDER_GEOMETRY_component;
    const float *corner = component ? patch->component.corner : patch->node.corner;
    const float side = component ? (float)head->sections * (float)head->section_quads
                                 : patch->node.stride * patch->node.grid;
    const float quads = (float)head->page_quads;
    int32_t left = page_at(corner[0] - 1, quads, head->page_columns);
    int32_t right = page_at(corner[0] + side + 1, quads, head->page_columns);
    int32_t top = page_at(corner[1] - 1, quads, head->page_rows);
    int32_t bottom = page_at(corner[1] + side + 1, quads, head->page_rows);

    for (int32_t y = top; y <= bottom; y++)
        for (int32_t x = left; x <= right; x++)
            if (!(passes->pages[(size_t)y * head->page_columns + (size_t)x] & PASS_ELSEWHERE))
                return true;
    return false;
}

/* The pages of the next group, and its patches from the first on. */
static void next_group(struct passes *passes)
{
    const struct scene_parts *parts = passes->parts;
    size_t count = (size_t)parts->head->page_columns * parts->head->page_rows;

    passes->group++;
    passes->next = 0;
    for (size_t i = 0; i < count; i++)
        passes->pages[i] = parts->pages[i] |
                           (passes->groups[parts->pages[i]] == passes->group ? 0 : PASS_ELSEWHERE);
}

static void add_nodes(struct passes *passes, struct pass *pass)
{
    const struct scene_parts *parts = passes->parts;

    for (uint32_t i = 0; i < parts->head->node_count; i++)
        if (passes->groups[i] == passes->group)
            add_patch(passes, pass, &parts->nodes[i]);
}

/* As many more patches of the group as there is room for. */
static bool fill_pass(struct passes *passes, struct pass *pass, struct fault *why)
{
    const struct scene_parts *parts = passes->parts;
    const bool paged = parts->head->node_count;

    clear(passes, pass);
    add_nodes(passes, pass);
    for (; passes->next < parts->head->patch_count; passes->next++) {
        const struct wire_patch *patch = passes->order[passes->next];
        uint32_t number = (uint32_t)(patch - parts->patches);

        if (!passes->drawn(passes->context, number) || (paged && !in_group(passes, patch)))
            continue;
        if (!fits(passes, patch, false)) {
            if (pass->patch_count)
                break;
            return fault_set(why, FAULT_LIMIT, "There is no room for a single patch of a picture");
        }
        add_patch(passes, pass, patch);
        passes->patches[pass->patch_count++] = number;
    }
    pass->pages = passes->group_count > 1 ? passes->pages : NULL;
    return true;
}

bool passes_next(struct passes *passes, struct pass *pass, struct fault *why)
{
    why->code = FAULT_NONE;
    for (;;) {
        if (passes->next >= passes->parts->head->patch_count) {
            if (passes->group == passes->group_count)
                return false;
            next_group(passes);
        }
        if (!fill_pass(passes, pass, why))
            return false;
        if (pass->patch_count)
            return true;
    }
}
