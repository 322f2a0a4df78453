#include "render/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/making.h"
#include "render/mode_scale.h"
#include "render/mode_told.h"
#include "render/scene_cover.h"
#include "render/scene_light.h"

/* A sample may be a little larger than a pixel, since slopes between samples are interpolated. */
static const double sample_pixels = 1.15;
static const double error_pixels = 0.75;

/* Tiles that colour a picture: samples of those of the largest pictures are larger. */
enum { NODES_MOST = 1024 };

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

/* The variants that having something in a slot makes; none for heights, which all have. */
static const uint32_t slot_variants[RENDER_SLOTS] = {
    [SLOT_shade] = WIRE_BIT(SHADE),       [SLOT_offsets] = WIRE_BIT(OFFSETS),
    [SLOT_values] = WIRE_BIT(VALUES),     [SLOT_weights0] = WIRE_BIT(WEIGHTS1),
    [SLOT_weights1] = WIRE_BIT(WEIGHTS2), [SLOT_weights2] = WIRE_BIT(WEIGHTS3)
};

/* Which paint layers it has, and whether it is one alone, which a tile of no place says. */
static void note_paints(struct making *making, struct wire_patch *patch)
{
    const struct tile_key *keys = (const struct tile_key *)making->keys.data;
    uint32_t first = patch->slots[SLOT_weights0];
    const struct tile_key *even = first == WIRE_NONE ? NULL : &keys[first];

    for (int i = 0; i < RENDER_SLOTS - SLOT_weights0; i++)
        for (int j = 0; patch->slots[SLOT_weights0 + i] != WIRE_NONE && j < 4; j++)
            making->used[patch->paints[4 * i + j]] = true;
    if (even && even->level < 0 && even->detail == 255 && patch->slots[SLOT_weights1] == WIRE_NONE)
        patch->variant |= WIRE_BIT(SOLE);
}

bool making_slots(struct making *making, int32_t level, int32_t x, int32_t y,
                  struct wire_patch *patch)
{
    for (int slot = 0; slot < RENDER_SLOTS; slot++) {
        const struct plane_maker *maker = plane_makers[slot_planes[slot]];
        struct tile_key key = { 0 };

        patch->slots[slot] = WIRE_NONE;
        if (!(making->slots & 1u << slot) || !maker->key ||
            !maker->key(&making->source, level, x, y, slot, &key))
            continue;
        patch->variant |= slot_variants[slot];
        if (maker->paints)
            maker->paints(&making->source, level, x, y, slot, patch->paints);
        if (!making_key(making, &key, &patch->slots[slot]))
            return false;
    }
    if (making->reach > 0)
        note_paints(making, patch);
    return true;
}

/* How far ahead a box begins and ends, and between where in the picture. */
static void note_corners(const struct making *making, const double low[3], const double high[3],
                         struct wire_patch *patch)
{
    const struct look *look = making->look;

    patch->ahead[0] = patch->window[0] = patch->window[1] = HUGE_VALF;
    patch->ahead[1] = patch->window[2] = patch->window[3] = -HUGE_VALF;
    for (int i = 0; i < 8; i++) {
        double corner[3] = { i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1],
                             i & 4 ? high[2] : low[2] };
        double seen[3];

        look_at(look, corner, seen);
        patch->ahead[0] = fminf(patch->ahead[0], (float)seen[2]);
        patch->ahead[1] = fmaxf(patch->ahead[1], (float)seen[2]);
        for (int axis = 0; axis < 2; axis++) {
            double at = seen[axis] / look->half[axis] / (look->ortho ? 1 : seen[2]);
            bool behind = !look->ortho && seen[2] <= 0;

            at = axis ? -at : at;
            patch->window[axis] = behind ? -HUGE_VALF : fminf(patch->window[axis], (float)at);
            patch->window[axis + 2] =
                behind ? HUGE_VALF : fmaxf(patch->window[axis + 2], (float)at);
        }
    }
}

void making_ahead(struct making *making, const struct rect *quads, struct wire_patch *patch)
{
    const struct grid *grid = view_grid(making->view);
    struct rect vertices =
        rect_meet((struct rect){ quads->x, quads->y, quads->width + 1, quads->height + 1 },
                  making->extent->solid);
    struct summary heights = tree_bounds(&making->view->planes[PLANE_HEIGHTS], vertices);
    double low[3], high[3];
    const struct rect solid = making->extent->solid;
    bool border = vertices.x == solid.x || vertices.y == solid.y ||
                  vertices.x + vertices.width == solid.x + solid.width ||
                  vertices.y + vertices.height == solid.y + solid.height;

    if (scene_wet(making->source.picture, making->extent, grid_metres(grid, heights.least), border))
        patch->variant |= WIRE_BIT(WATER);
    grid_to_local(grid, (const double[2]){ vertices.x, vertices.y }, low);
    grid_to_local(
        grid,
        (const double[2]){ vertices.x + vertices.width - 1, vertices.y + vertices.height - 1 },
        high);
    low[2] = fmin(making->extent->base, grid_metres(grid, heights.least));
    high[2] = grid_metres(grid, heights.greatest);
    extent_widen(making->view, vertices, low, high);
    note_corners(making, low, high, patch);
}

/* Whether any of it is so near that its textures show. */
static bool is_near(const struct making *making, const struct wire_patch *patch)
{
    double ahead = making->look->ortho ? 1 : fmax(patch->ahead[0], 0);

    return making->reach > 0 && making->pixel * ahead < making->reach;
}

/* Whether the smaller of the two scales on which ground varies may show on any of it. Seen aslant,
 * a pixel's trace counts for as little as this of its width; see place_of of cover.glsl. */
static bool is_closer(const struct making *making, const struct wire_patch *patch)
{
    const double least = 0.37;
    double ahead = making->look->ortho ? 1 : fmax(patch->ahead[0], 0);

    return making->reach > 0 && making->pixel * ahead * least < scene_cover_closer(making->extent);
}

bool making_patch(struct making *making, struct wire_patch *patch)
{
    if (making->patch_count == WIRE_PATCHES_MOST)
        return fault_set(making->why, FAULT_LIMIT, "A picture is of at most %d patches of ground",
                         WIRE_PATCHES_MOST);
    if (making->source.picture->output == RENDER_OUTPUT_colour &&
        (making->source.picture->overlays.grid > 0 || making->source.picture->overlays.borders))
        patch->variant |= WIRE_BIT(RULED);
    patch->number = (float)making->patch_count++;
    if (is_near(making, patch))
        patch->variant |= WIRE_BIT(DETAIL);
    if (is_closer(making, patch))
        patch->variant |= WIRE_BIT(CLOSER);
    making->variant |= patch->variant;
    making->farthest = fmax(making->farthest, patch->ahead[1]);
    return bytes_add(&making->patches, patch, sizeof *patch, making->why);
}

static size_t slot_of(const struct making *making, const struct tile_key *key)
{
    const unsigned char *bytes = (const unsigned char *)key;
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < sizeof *key; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return (size_t)(hash >> 20) & making->places_mask;
}

static void put_place(struct making *making, uint32_t place)
{
    const struct tile_key *keys = (const struct tile_key *)making->keys.data;
    size_t slot = slot_of(making, &keys[place]);

    while (making->places[slot])
        slot = (slot + 1) & making->places_mask;
    making->places[slot] = place + 1;
}

static bool grow_places(struct making *making)
{
    size_t room = (making->places_mask + 1) * 2 > 256 ? (making->places_mask + 1) * 2 : 256;
    uint32_t *places = calloc(room, sizeof *places);

    if (!places)
        return fault_set(making->why, FAULT_MEMORY, "no memory for a picture's tiles");
    free(making->places);
    making->places = places;
    making->places_mask = room - 1;
    for (uint32_t i = 0; i < making->key_count; i++)
        put_place(making, i);
    return true;
}

bool making_key(struct making *making, const struct tile_key *key, uint32_t *place)
{
    const struct tile_key *keys = (const struct tile_key *)making->keys.data;

    if (making->key_count * 2 >= making->places_mask && !grow_places(making))
        return false;
    for (size_t slot = slot_of(making, key); making->places[slot];
         slot = (slot + 1) & making->places_mask)
        if (memcmp(&keys[making->places[slot] - 1], key, sizeof *key) == 0) {
            *place = making->places[slot] - 1;
            return true;
        }
    if (making->key_count == WIRE_SCENE_TILES_MOST)
        return fault_set(making->why, FAULT_LIMIT,
                         "A picture is of at most %d tiles; see less, or in less detail",
                         WIRE_SCENE_TILES_MOST);
    if (!bytes_add(&making->keys, key, sizeof *key, making->why))
        return false;
    *place = making->key_count++;
    put_place(making, *place);
    return true;
}

unsigned making_border(const struct making *making, struct rect quads)
{
    struct rect solid = making->extent->solid;

    return (unsigned)(quads.y <= solid.y) |
           (unsigned)(quads.x + quads.width >= solid.x + solid.width - 1) << 1 |
           (unsigned)(quads.y + quads.height >= solid.y + solid.height - 1) << 2 |
           (unsigned)(quads.x <= solid.x) << 3;
}

struct pick_options making_options(const struct making *making, bool components)
{
    const struct picture *picture = making->source.picture;
    struct pick_options options = { .component = { .forced = -1 },
                                    .quadtree = { .factor = 2,
                                                  .pixel_error = 2,
                                                  .leaf = 64,
                                                  .grid = 64,
                                                  .balance = 1,
                                                  .merge_angle = -1 } };

    if (picture->lod_said)
        options = picture->lod;
    options.components = components;
    options.width = picture->width;
    options.height = picture->height;
    return options;
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

/* Where the eye is, as two floats that add up to more than one can hold. */
static void set_eye(struct wire_scene *head, const struct making *making)
{
    const struct grid *grid = view_grid(making->view);

    for (int axis = 0; axis < 2; axis++) {
        double quads = (making->look->eye[axis] - grid->origin[axis]) / grid->scale[axis];

        head->eye_quads[axis] = (float)floor(quads);
        head->eye_more[axis] = (float)(quads - (double)head->eye_quads[axis]);
        head->metres[axis] = (float)grid->scale[axis];
    }
}

static void set_paged(struct wire_scene *head, const struct making *making)
{
    const struct layout *layout = &making->view->settings->layout;
    struct rect solid = making->extent->solid;

    set_eye(head, making);
    head->solid[0] = (float)solid.x;
    head->solid[1] = (float)solid.y;
    head->solid[2] = (float)(solid.x + solid.width - 1);
    head->solid[3] = (float)(solid.y + solid.height - 1);
    head->node_count = (uint32_t)(making->nodes.length / sizeof(struct wire_patch));
    head->page_columns = making->page_columns;
    head->page_rows = making->page_rows;
    head->page_quads = making->page_quads;
    head->shape_count = (uint32_t)(making->shapes.length / sizeof(struct wire_shape));
    head->index_count = (uint32_t)(making->indices.length / sizeof(uint32_t));
    head->vertex_count =
        (uint32_t)(making->vertices.length / (WIRE_SHAPE_NUMBERS * sizeof(uint16_t)));
    head->section_quads = (uint32_t)layout->section_quads;
    head->sections = making->sections;
    head->last = (uint32_t)layout_lods(layout->section_quads) - 1;
}

static void set_head(struct wire_scene *head, const struct making *making,
                     const struct picture *picture)
{
    const struct look *look = making->look;
    const struct extent *extent = making->extent;
    const struct grid *grid = view_grid(making->view);
    double near = making->nearest, far = making->farthest;

    if (!look->ortho)
        near = fmax(fmax(near, far * 1e-7), 1e-3);
    *head = (struct wire_scene){
        .width = (uint32_t)picture->width,
        .height = (uint32_t)picture->height,
        .mode = (uint32_t)picture->mode,
        .geometry = (uint32_t)picture->geometry,
        .output = (uint32_t)picture->output,
        .ortho = look->ortho,
        .half = { (float)look->half[0], (float)look->half[1] },
        .nearest = (float)(making->patch_count ? near * 0.99 - (look->ortho ? 1 : 0) : 1),
        .farthest = (float)(making->patch_count ? fmax(far, near) * 1.01 + 1 : 2),
        .code_metres = (float)(grid->scale[2] / 128),
        .code_zero = (float)(grid_metres(grid, 0) - look->eye[2]),
        .base = (float)(extent->base - look->eye[2]),
        .eye_z = (float)look->eye[2],
        .range = { (float)extent->low[2], (float)extent->high[2] },
        .extent = (float)hypot(extent->high[0] - extent->low[0], extent->high[1] - extent->low[1]),
        .last_quad = { (float)(grid->columns - 2), (float)(grid->rows - 2) },
        .variant = making->variant,
        .tile_count = making->key_count,
        .patch_count = making->patch_count,
    };
    set_paged(head, making);
    set_background(head, picture);
    scene_light(head, picture, extent, look);
    copy3(head->right, look->right);
    copy3(head->up, look->up);
    copy3(head->forward, look->forward);
}

static const struct geometry *const geometries[RENDER_GEOMETRIES] = {
#define GEOMETRY(name, vertex, defines, summary) &geometry_##name,
#include "render/geometries.def"
#undef GEOMETRY
};

static bool fill(struct making *making, const struct picture *picture, struct bytes *wire)
{
    const struct geometry *geometry = geometries[picture->geometry];
    const struct bytes *parts[] = { &making->keys,    &making->patches, &making->nodes,
                                    &making->pages,   &making->shapes,  &making->indices,
                                    &making->vertices };
    struct wire_scene head;

    if ((geometry->paged && !making_pages(making)) || !geometry->fill(making))
        return false;
    set_head(&head, making, picture);
    if (making->reach > 0 && !scene_cover(making, &head))
        return false;
    if (!mode_told(making, &head.told) || !bytes_add(wire, &head, sizeof head, making->why))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!bytes_add(wire, parts[i]->data, parts[i]->length, making->why))
            return false;
    return true;
}

static void making_fini(struct making *making)
{
    free(making->places);
    bytes_free(&making->keys);
    bytes_free(&making->patches);
    bytes_free(&making->nodes);
    bytes_free(&making->pages);
    bytes_free(&making->shapes);
    bytes_free(&making->indices);
    bytes_free(&making->vertices);
}

/* What the mode looks up, and what the picture's options add to it. */
static unsigned slots_of(const struct picture *picture)
{
    const struct render_mode *mode = render_modes[picture->mode];

    if (picture->output != RENDER_OUTPUT_colour)
        return SLOT_BIT(heights) | SLOT_BIT(offsets);
    return SLOT_BIT(heights) | SLOT_BIT(offsets) | (mode->lit ? SLOT_BIT(shade) : 0) | mode->slots;
}

bool scene_make(const struct plane_source *source, struct scene *scene, struct fault *why)
{
    const struct view *view = source->view;
    const struct picture *picture = source->picture;
    const double share = picture->output == RENDER_OUTPUT_colour ? 1 : exact_share;
    struct lod_want want = { .sample_pixels = sample_pixels * share,
                             .error_pixels = error_pixels * share,
                             .quad_pixels = quad_pixels(picture) * share,
                             .nodes_most = NODES_MOST };
    struct lod_selection selection = { 0 };
    struct extent extent;
    struct look look;
    struct making making = { .view = view,
                             .extent = &extent,
                             .look = &look,
                             .source = *source,
                             .slots = slots_of(picture),
                             .selection = &selection,
                             .why = why };
    bool made;

    if (picture->output == RENDER_OUTPUT_colour && !mode_check(view, picture, why))
        return false;
    extent_of(view, &extent);
    if (!camera_look(&picture->camera, &extent, picture->width, picture->height, &look, why))
        return false;
    making.pixel = 2 * look.half[1] / picture->height;
    if (render_modes[picture->mode]->covered && picture->output == RENDER_OUTPUT_colour)
        making.reach = scene_cover_reach(&making.source);
    made =
        lod_select(view, &extent, &look, picture->width, picture->height, &want, &selection, why);
    making.nearest = selection.nearest;
    making.farthest = selection.farthest;
    made = made && fill(&making, picture, &scene->wire);
    lod_selection_fini(&selection);
    making_fini(&making);
    return made;
}
