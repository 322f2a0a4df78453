#include "render/scene.h"

#include <math.h>
#include <string.h>

#include "render/plane_make.h"
#include "terrain/lod/select.h"

/* A sample may be a little larger than a pixel, since slopes between samples are interpolated. */
static const double sample_pixels = 1.15;
static const double error_pixels = 0.75;

/* Numbers are wanted where they are, not where they look right. */
static const double exact_share = 1.0 / 3;

void scene_fini(struct scene *scene)
{
    bytes_free(&scene->wire);
}

/* Larger pictures may have larger quads: nobody looks at each, and triangles are the bill. */
static double quad_pixels(const struct picture *picture)
{
    return 8 * cbrt(sqrt((double)picture->width * picture->height) / 512);
}

struct making {
    const struct view *view;
    const struct extent *extent;
    const struct look *look;
    struct plane_source source;
    unsigned slots;       /* SLOT_BIT of what the picture looks up */
    struct bytes keys;    /* struct tile_key */
    struct bytes patches; /* struct wire_patch */
    uint32_t key_count, patch_count, variant;
    struct fault *why;
};

/* The variants that having something in a slot makes; none for heights, which all have. */
static const uint32_t slot_variants[RENDER_SLOTS] = {
    [SLOT_shade] = WIRE_BIT(SHADE),       [SLOT_offsets] = WIRE_BIT(OFFSETS),
    [SLOT_values] = WIRE_BIT(VALUES),     [SLOT_weights0] = WIRE_BIT(WEIGHTS1),
    [SLOT_weights1] = WIRE_BIT(WEIGHTS2), [SLOT_weights2] = WIRE_BIT(WEIGHTS3)
};

/* Its place among the keys: the next one, unless it is of no place and there already. */
static uint32_t place_among(const struct making *making, const struct tile_key *key)
{
    const struct tile_key *keys = (const struct tile_key *)making->keys.data;

    for (uint32_t i = 0; key->level < 0 && i < making->key_count; i++)
        if (memcmp(&keys[i], key, sizeof *key) == 0)
            return i;
    return making->key_count;
}

/* What a tile has in each slot, its keys added to the list. */
static bool add_keys(struct making *making, const struct lod_node *node, struct wire_patch *patch)
{
    for (int slot = 0; slot < RENDER_SLOTS; slot++) {
        const struct plane_maker *maker = plane_makers[slot_planes[slot]];
        struct tile_key key = { 0 };

        patch->slots[slot] = WIRE_NONE;
        if (!(making->slots & 1u << slot) || !maker->key ||
            !maker->key(&making->source, node->level, node->x, node->y, slot, &key))
            continue;
        patch->variant |= slot_variants[slot];
        if (maker->paints)
            maker->paints(&making->source, node->level, node->x, node->y, slot, patch->paints);
        patch->slots[slot] = place_among(making, &key);
        if (patch->slots[slot] < making->key_count)
            continue;
        making->key_count++;
        if (!bytes_add(&making->keys, &key, sizeof key, making->why))
            return false;
    }
    return true;
}

/* How far ahead of the eye the patch begins and ends, from its corners and its heights. */
static void set_ahead(struct making *making, const struct rect *quads, struct wire_patch *patch)
{
    const struct grid *grid = view_grid(making->view);
    struct rect vertices =
        rect_meet((struct rect){ quads->x, quads->y, quads->width + 1, quads->height + 1 },
                  making->extent->solid);
    struct summary heights = tree_bounds(&making->view->planes[PLANE_HEIGHTS], vertices);
    double low = fmin(making->extent->base, grid_metres(grid, heights.least));

    patch->ahead[0] = HUGE_VALF;
    patch->ahead[1] = -HUGE_VALF;
    for (int i = 0; i < 8; i++) {
        double at[2] = { vertices.x + (i & 1 ? vertices.width - 1 : 0),
                         vertices.y + (i & 2 ? vertices.height - 1 : 0) };
        double corner[3], seen[3];

        grid_to_local(grid, at, corner);
        corner[2] = i & 4 ? grid_metres(grid, heights.greatest) : low;
        look_at(making->look, corner, seen);
        patch->ahead[0] = fminf(patch->ahead[0], (float)seen[2]);
        patch->ahead[1] = fmaxf(patch->ahead[1], (float)seen[2]);
    }
}

/* The patch that covers quads [first, first + quads * step) of a node, both in the node's own. */
static bool add_patch(struct making *making, const struct lod_node *node,
                      const struct wire_patch *common, int32_t first_x, int32_t first_y,
                      int32_t side)
{
    const struct grid *grid = view_grid(making->view);
    struct rect solid = making->extent->solid;
    int32_t unit = 1 << node->level, corner_x = node->x * NODE_QUADS * unit;
    int32_t corner_y = node->y * NODE_QUADS * unit;
    int32_t drawn = node->quads < WIRE_MESH_QUADS ? node->quads : WIRE_MESH_QUADS;
    struct rect quads = { corner_x + first_x * unit, corner_y + first_y * unit, side * unit,
                          side * unit };
    struct wire_patch patch = *common;

    patch.drop = (float)node->drop;
    if (!lod_seen(making->view, making->extent, making->look, quads))
        return true;
    patch.first[0] = (float)first_x;
    patch.first[1] = (float)first_y;
    patch.step = (float)side / (float)drawn;
    while (1 << patch.mesh < drawn)
        patch.mesh++;
    patch.limit[0] = (float)(solid.x - corner_x) / (float)unit;
    patch.limit[1] = (float)(solid.y - corner_y) / (float)unit;
    patch.limit[2] = (float)(solid.x + solid.width - 1 - corner_x) / (float)unit;
    patch.limit[3] = (float)(solid.y + solid.height - 1 - corner_y) / (float)unit;
    patch.origin[0] = (float)(grid->origin[0] + corner_x * grid->scale[0] - making->look->eye[0]);
    patch.origin[1] = (float)(grid->origin[1] + corner_y * grid->scale[1] - making->look->eye[1]);
    patch.spacing[0] = (float)(grid->scale[0] * unit);
    patch.spacing[1] = (float)(grid->scale[1] * unit);
    patch.shift = 0.5f / (float)unit - 0.5f;
    patch.quads[0] = (float)corner_x;
    patch.quads[1] = (float)corner_y;
    patch.quads[2] = (float)unit;
    patch.quads[3] = (float)node->level;
    set_ahead(making, &quads, &patch);
    making->patch_count++;
    making->variant |= patch.variant;
    return bytes_add(&making->patches, &patch, sizeof patch, making->why);
}

static bool add_node(struct making *making, const struct lod_node *node)
{
    struct rect quads = { node->x * NODE_QUADS << node->level, node->y * NODE_QUADS << node->level,
                          NODE_QUADS << node->level, NODE_QUADS << node->level };
    struct rect solid = { making->extent->solid.x, making->extent->solid.y,
                          making->extent->solid.width - 1, making->extent->solid.height - 1 };
    struct wire_patch common = { 0 };
    int32_t across = node->quads > WIRE_MESH_QUADS ? node->quads / WIRE_MESH_QUADS : 1;
    int32_t side = NODE_QUADS / across;

    if (extent_holed(making->view, rect_meet(quads, solid)))
        common.variant |= WIRE_BIT(HOLES);
    if (!add_keys(making, node, &common))
        return false;
    for (int32_t y = 0; y < across; y++)
        for (int32_t x = 0; x < across; x++)
            if (!add_patch(making, node, &common, x * side, y * side, side))
                return false;
    return true;
}

static void copy3(float to[3], const double from[3])
{
    for (int i = 0; i < 3; i++)
        to[i] = (float)from[i];
}

/* Bytes as the colours that they are stored as. */
static void set_background(struct wire_scene *head, const struct picture *picture)
{
    static const uint32_t nothing[] = {
#define OUTPUT(name, nothing, glsl, summary) nothing,
#include "render/outputs.def"
#undef OUTPUT
    };
    static const float plain[4] = { 0.94f, 0.94f, 0.94f, 1 };

    for (int i = 0; i < 4; i++)
        head->background[i] = picture->output != RENDER_OUTPUT_colour
                                  ? (float)(nothing[picture->output] >> 8 * i & 255) / 255
                              : picture->transparent ? 0
                                                     : plain[i];
}

static void set_head(struct wire_scene *head, const struct making *making,
                     const struct picture *picture, const struct lod_selection *selection)
{
    const struct look *look = making->look;
    const struct extent *extent = making->extent;
    const struct grid *grid = view_grid(making->view);
    double near = selection->nearest, far = selection->farthest;

    if (!look->ortho)
        near = fmax(fmax(near, far * 1e-7), 1e-3);
    *head = (struct wire_scene){
        .width = (uint32_t)picture->width,
        .height = (uint32_t)picture->height,
        .mode = (uint32_t)picture->mode,
        .geometry = (uint32_t)picture->geometry,
        .output = (uint32_t)picture->output,
        .sky = render_modes[picture->mode]->lit && picture->output == RENDER_OUTPUT_colour &&
               !picture->transparent,
        .ortho = look->ortho,
        .half = { (float)look->half[0], (float)look->half[1] },
        .nearest = (float)(selection->count ? near * 0.99 - (look->ortho ? 1 : 0) : 1),
        .farthest = (float)(selection->count ? fmax(far, near) * 1.01 + 1 : 2),
        .code_metres = (float)(grid->scale[2] / 128),
        .code_zero = (float)(grid_metres(grid, 0) - look->eye[2]),
        .base = (float)(extent->base - look->eye[2]),
        .eye_z = (float)look->eye[2],
        .range = { (float)extent->low[2], (float)extent->high[2] },
        .extent = (float)hypot(extent->high[0] - extent->low[0], extent->high[1] - extent->low[1]),
        .light = { .sun_azimuth = (float)picture->light.sun_azimuth,
                   .sun_elevation = (float)picture->light.sun_elevation,
                   .shadows = (float)picture->light.shadows,
                   .occlusion = (float)picture->light.occlusion },
        .last_quad = { (float)(grid->columns - 2), (float)(grid->rows - 2) },
        .variant = making->variant,
        .tile_count = making->key_count,
        .patch_count = making->patch_count
    };
    set_background(head, picture);
    copy3(head->right, look->right);
    copy3(head->up, look->up);
    copy3(head->forward, look->forward);
}

static bool fill(struct making *making, const struct picture *picture,
                 const struct lod_selection *selection, struct bytes *wire)
{
    struct wire_scene head;

    for (size_t i = 0; i < selection->count; i++)
        if (!add_node(making, &selection->nodes[i]))
            return false;
    set_head(&head, making, picture, selection);
    return bytes_add(wire, &head, sizeof head, making->why) &&
           bytes_add(wire, making->keys.data, making->keys.length, making->why) &&
           bytes_add(wire, making->patches.data, making->patches.length, making->why);
}

/* What the mode looks up, and what the picture's options add to it. */
static unsigned slots_of(const struct picture *picture)
{
    const struct render_mode *mode = render_modes[picture->mode];

    if (picture->output != RENDER_OUTPUT_colour)
        return SLOT_BIT(heights);
    return SLOT_BIT(heights) | (mode->lit ? SLOT_BIT(shade) : 0) | mode->slots;
}

bool scene_make(const struct view *view, const struct picture *picture, int32_t tiles_most,
                struct scene *scene, struct fault *why)
{
    const double share = picture->output == RENDER_OUTPUT_colour ? 1 : exact_share;
    struct lod_want want = { .sample_pixels = sample_pixels * share,
                             .error_pixels = error_pixels * share,
                             .quad_pixels = quad_pixels(picture) * share,
                             .nodes_most = (size_t)tiles_most };
    struct lod_selection selection = { 0 };
    struct extent extent;
    struct look look;
    struct making making = { .view = view,
                             .extent = &extent,
                             .look = &look,
                             .source = { .view = view, .picture = picture },
                             .slots = slots_of(picture),
                             .why = why };
    bool made;

    extent_of(view, &extent);
    if (!camera_look(&picture->camera, &extent, picture->width, picture->height, &look, why))
        return false;
    made =
        lod_select(view, &extent, &look, picture->width, picture->height, &want, &selection, why) &&
        fill(&making, picture, &selection, &scene->wire);
    lod_selection_fini(&selection);
    bytes_free(&making.keys);
    bytes_free(&making.patches);
    return made;
}
