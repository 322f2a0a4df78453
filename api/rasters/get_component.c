/* A component: where it lies, how high it reaches, its levels of detail, where its textures are. */
#include "api/rasters/component.h"
#include "api/service.h"
#include "terrain/core/component.h"
#include "terrain/core/component_weights.h"
#include "terrain/query/cover.h"

struct lod {
    int32_t lod, quads;
    double ratio;
    int32_t triangles, indices;
    const char *index_buffer, *mobile_index_buffer;
};

static const struct field lod_rows[] = {
    FIELD(struct lod, lod, NULL, 0, 0, "0 is the finest"),
    FIELD(struct lod, quads, NULL, 0, 0, "A side of a section"),
    FIELD(struct lod, ratio, NULL, 0, 0, "Quads of LOD 0 a quad"),
    FIELD(struct lod, triangles, NULL, 0, 0, "Of the component"),
    FIELD(struct lod, indices, NULL, 0, 0, "Of its index buffer"),
    FIELD(struct lod, index_buffer, NULL, 0, 0, "Where that is, on the PC feature level"),
    FIELD(struct lod, mobile_index_buffer, NULL, 0, 0, "And for the vertices of mobile.bin"),
    { .kind = FIELD_END }
};

struct bounds {
    double least[3], greatest[3];
};

static const struct field bounds_rows[] = {
    { .name = "min",
      .kind = FIELD_REALS,
      .at = offsetof(struct bounds, least),
      .count = 3,
      .unit = "m",
      .help = "Local: the north-west corner and the lowest vertex" },
    { .name = "max",
      .kind = FIELD_REALS,
      .at = offsetof(struct bounds, greatest),
      .count = 3,
      .unit = "m",
      .help = "Local: the south-east corner and the highest vertex" },
    { .kind = FIELD_END }
};

struct versions {
    uint64_t heights, holes, weights, offsets, settings;
};

static const struct field versions_rows[] = {
    FIELD(struct versions, heights, NULL, 0, 0, "Of the heights that the texture depends on"),
    FIELD(struct versions, holes, NULL, 0, 0, "Of the holes"),
    FIELD(struct versions, weights, NULL, 0, 0, "Of the paint layers' weights that are left"),
    FIELD(struct versions, offsets, NULL, 0, 0, "Of the XY offsets; 0 while there are none"),
    FIELD(struct versions, settings, NULL, 0, 0, "Of the landscape's settings"),
    { .kind = FIELD_END }
};

struct allocation {
    const char *layer;
    int32_t texture, channel;
};

static const struct field allocation_rows[] = {
    FIELD(struct allocation, layer, NULL, 0, 0, "The paint layer"),
    FIELD(struct allocation, texture, NULL, 0, 0, "Its weight texture"),
    FIELD(struct allocation, channel, NULL, 0, 0, "0 to 3: red to alpha"),
    { .kind = FIELD_END }
};

struct buffer_keys {
    int64_t pc, mobile;
};

static const struct field keys_rows[] = {
    FIELD(struct buffer_keys, pc, NULL, 0, 0, "On the PC feature level"),
    FIELD(struct buffer_keys, mobile, NULL, 0, 0, "For packed mobile vertices"),
    { .kind = FIELD_END }
};

/* Borders are shared, and levels of detail are morphed towards the neighbour's. */
struct neighbour {
    int side;
    int32_t component[2];
    const char *self;
};

static const char *const side_words[] = { "north", "west", "east", "south", NULL };

static const struct field neighbour_rows[] = {
    FIELD_AS(FIELD_CHOICE, struct neighbour, side, "Where it adjoins", .words = side_words),
    FIELD_AS(FIELD_INTS, struct neighbour, component, "Its place among the components", .count = 2),
    FIELD(struct neighbour, self, NULL, 0, 0, "Its document"),
    { .kind = FIELD_END }
};

struct links {
    const char *self, *heightmap, *heights, *mobile, *mesh, *offsets;
    struct list weightmaps;
};

static const struct field links_rows[] = {
    FIELD(struct links, self, NULL, 0, 0, "This document"),
    FIELD(struct links, heightmap, NULL, 0, 0, "The packed texture"),
    FIELD(struct links, heights, NULL, 0, 0, "The heights as a raster"),
    FIELD(struct links, mobile, NULL, 0, 0, "The packed mobile vertices"),
    FIELD(struct links, mesh, NULL, 0, 0, "The mesh of a level of detail"),
    FIELD(struct links, offsets, NULL, 0, 0, "The XY offsets as a raster"),
    FIELD_AS(FIELD_TEXTS, struct links, weightmaps, "The weight textures, in order"),
    { .kind = FIELD_END }
};

struct component {
    int32_t component[2];
    struct rect vertices;
    struct bounds bounds;
    struct versions versions;
    int32_t sections, section_quads, texture_size, index_bits;
    bool xy_offsets;
    struct buffer_keys index_buffer_keys;
    struct list lods, neighbours, weightmap_allocations;
    int32_t weightmap_count;
    struct links links;
};

static const struct field answers[] = {
    FIELD_AS(FIELD_INTS, struct component, component, "Its place among the components", .count = 2),
    FIELD(struct component, vertices, "vertices", 0, 0, "The vertices that it covers"),
    FIELD_AS(FIELD_OBJECT, struct component, bounds, "A box around it",
             .shape = SHAPE(struct bounds, bounds_rows)),
    FIELD_AS(FIELD_OBJECT, struct component, versions, "Of the last changes of what it is made of",
             .shape = SHAPE(struct versions, versions_rows)),
    FIELD(struct component, sections, NULL, 0, 0, "Sections a side"),
    FIELD(struct component, section_quads, NULL, 0, 0, "Quads a side of a section"),
    FIELD(struct component, texture_size, "texels", 0, 0, "A side of its textures"),
    FIELD(struct component, index_bits, NULL, 0, 0, "Of an index: 16 or 32"),
    FIELD(struct component, xy_offsets, NULL, 0, 0,
          "Whether any vertex of the landscape stands beside its place on the grid"),
    FIELD_AS(FIELD_OBJECT, struct component, index_buffer_keys, "Which shared index buffers fit",
             .shape = SHAPE(struct buffer_keys, keys_rows)),
    FIELD_AS(FIELD_LIST, struct component, lods, "Its levels of detail",
             .shape = SHAPE(struct lod, lod_rows)),
    FIELD_AS(FIELD_LIST, struct component, neighbours, "The components along its borders",
             .shape = SHAPE(struct neighbour, neighbour_rows)),
    FIELD_AS(FIELD_LIST, struct component, weightmap_allocations,
             "Where each paint layer's weights are",
             .shape = SHAPE(struct allocation, allocation_rows)),
    FIELD(struct component, weightmap_count, NULL, 0, 0,
          "How many weight textures there are: weightmap/0.png and so on"),
    FIELD_AS(FIELD_OBJECT, struct component, links, "Its parts",
             .shape = SHAPE(struct links, links_rows)),
    { .kind = FIELD_END }
};

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct component_asked *at = asked;

    if (!component_there(rq, at))
        return false;
    *version = cover_stamp_named(rq->view, component_reach(rq->view, at->cx, at->cy)) ^
               rq->view->settings_version << 20;
    *version = (*version ^ view_newest_offsets(rq->view, view_rect(rq->view))) *
               0x9e3779b97f4a7c15u; /* of the whole, for xy_offsets */
    return true;
}

static const char *buffer_link(struct request *rq, int64_t key, int32_t lod)
{
    return arena_print(rq->arena, "/v1/landscapes/%s/index-buffers/%lld/%d", rq->landscape_name,
                       (long long)key, lod);
}

static bool fill_lods(struct request *rq, struct component *component)
{
    const struct layout *layout = &rq->view->settings->layout;
    size_t count = (size_t)layout_lods(layout->section_quads);
    struct lod *lods = arena_new(rq->arena, count * sizeof *lods);
    bool offsets = view_has_offsets(rq->view);

    if (!lods)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the levels of detail");
    component->xy_offsets = offsets;
    component->index_buffer_keys =
        (struct buffer_keys){ layout_buffer_key(layout, true, offsets),
                              layout_buffer_key(layout, false, offsets) };
    for (int32_t lod = 0; lod < (int32_t)count; lod++) {
        lods[lod] = (struct lod){ lod,
                                  layout_lod_quads(layout->section_quads, lod),
                                  layout_lod_ratio(layout->section_quads, lod),
                                  layout_lod_triangles(layout, lod),
                                  layout_lod_indices(layout, lod),
                                  buffer_link(rq, component->index_buffer_keys.pc, lod),
                                  buffer_link(rq, component->index_buffer_keys.mobile, lod) };
        if (!lods[lod].index_buffer || !lods[lod].mobile_index_buffer)
            return REFUSE(rq, FAULT_MEMORY, "no memory for links");
    }
    component->lods = (struct list){ count, lods };
    return true;
}

/* In the order of their slots. */
static bool fill_allocations(struct request *rq, const struct component_asked *at,
                             struct component *component)
{
    const struct stack *stack = rq->view->settings->stack;
    struct allocation *allocations;
    uint16_t slots[WEIGHTS_LAYERS];
    size_t count = 0;
    int textures;

    component_slots(rq->view, at->cx, at->cy, slots);
    textures = slots_textures(slots, stack->paint_count);
    allocations = arena_new(rq->arena, (size_t)stack->paint_count * sizeof *allocations + 1);
    if (!allocations)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %d allocations", stack->paint_count);
    for (int slot = 1; slot <= textures * SLOT_CHANNELS; slot++) {
        for (int i = 0; i < stack->paint_count; i++) {
            if (slots[i] == slot)
                allocations[count++] =
                    (struct allocation){ stack->paints[i].name, slot_texture(slots[i]),
                                         slot_channel(slots[i]) };
        }
    }
    component->weightmap_allocations = (struct list){ count, allocations };
    component->weightmap_count = textures;
    return true;
}

static struct bounds bounds_of(const struct view *view, struct rect rect)
{
    const struct grid *grid = view_grid(view);
    uint16_t least = UINT16_MAX, greatest = 0;
    struct bounds bounds;

    /* The tree's bounds are of whole cells; a component wants its own. */
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        uint16_t row[2 * 255 + 1];

        view_read_heights(view, (struct rect){ rect.x, y, rect.width, 1 }, row, rect.width);
        for (int32_t x = 0; x < rect.width; x++) {
            least = row[x] < least ? row[x] : least;
            greatest = row[x] > greatest ? row[x] : greatest;
        }
    }
    grid_to_local(grid, (const double[2]){ rect.x, rect.y }, bounds.least);
    grid_to_local(grid, (const double[2]){ rect.x + rect.width - 1, rect.y + rect.height - 1 },
                  bounds.greatest);
    bounds.least[2] = grid_metres(grid, least);
    bounds.greatest[2] = grid_metres(grid, greatest);
    return bounds;
}

static const char *component_link(struct request *rq, int32_t cx, int32_t cy, const char *part)
{
    return arena_print(rq->arena, "/v1/landscapes/%s/components/%d/%d%s", rq->landscape_name, cx,
                       cy, part);
}

static const char *window_link(struct request *rq, const char *raster, struct rect rect)
{
    return arena_print(rq->arena, "/v1/landscapes/%s/%s?x=%d&y=%d&width=%d&height=%d",
                       rq->landscape_name, raster, rect.x, rect.y, rect.width, rect.height);
}

static bool fill_neighbours(struct request *rq, const struct component_asked *at,
                            struct component *component)
{
    static const int32_t steps[4][2] = { { 0, -1 }, { -1, 0 }, { 1, 0 }, { 0, 1 } };
    const int32_t *there = rq->view->settings->layout.components;
    struct neighbour *neighbours = arena_new(rq->arena, 4 * sizeof *neighbours);
    size_t count = 0;

    for (int side = 0; neighbours && side < 4; side++) {
        int32_t cx = at->cx + steps[side][0], cy = at->cy + steps[side][1];

        if (cx < 0 || cy < 0 || cx >= there[0] || cy >= there[1])
            continue;
        neighbours[count] = (struct neighbour){ side, { cx, cy }, component_link(rq, cx, cy, "") };
        if (!neighbours[count++].self)
            neighbours = NULL;
    }
    component->neighbours = (struct list){ count, neighbours };
    return neighbours || REFUSE(rq, FAULT_MEMORY, "no memory for the neighbours");
}

static bool fill_weightmaps(struct request *rq, const struct component_asked *at, int32_t textures,
                            struct links *links)
{
    const char **weightmaps = arena_new(rq->arena, (size_t)textures * sizeof *weightmaps + 1);

    for (int32_t n = 0; weightmaps && n < textures; n++) {
        const char *part = arena_print(rq->arena, "/weightmap/%d.png", n);

        weightmaps[n] = part ? component_link(rq, at->cx, at->cy, part) : NULL;
        if (!weightmaps[n])
            weightmaps = NULL;
    }
    links->weightmaps = (struct list){ (size_t)textures, weightmaps };
    return weightmaps != NULL;
}

static bool fill_links(struct request *rq, const struct component_asked *at, struct rect rect,
                       int32_t textures, struct links *links)
{
    links->self = component_link(rq, at->cx, at->cy, "");
    links->heightmap = component_link(rq, at->cx, at->cy, "/heightmap.png");
    links->heights = window_link(rq, "heights", rect);
    links->mobile = component_link(rq, at->cx, at->cy, "/mobile.bin");
    links->mesh = component_link(rq, at->cx, at->cy, "/mesh.glb?lod=0");
    links->offsets = window_link(rq, "offsets", rect);
    return (links->self && links->heightmap && links->heights && links->mobile && links->mesh &&
            links->offsets && fill_weightmaps(rq, at, textures, links)) ||
           REFUSE(rq, FAULT_MEMORY, "no memory for links");
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct component_asked *at = asked;
    const struct settings *settings = rq->view->settings;
    struct component *component = answer;
    struct rect reach;

    if (!component_there(rq, at))
        return false;
    reach = component_reach(rq->view, at->cx, at->cy);
    component->component[0] = at->cx;
    component->component[1] = at->cy;
    component->vertices = component_rect(rq->view, at->cx, at->cy);
    component->bounds = bounds_of(rq->view, component->vertices);
    component->versions =
        (struct versions){ tree_newest(&rq->view->planes[PLANE_HEIGHTS], reach),
                           tree_newest(&rq->view->planes[PLANE_HOLES], component->vertices),
                           view_newest_weights(rq->view, component->vertices),
                           view_newest_offsets(rq->view, component->vertices),
                           rq->view->settings_version };
    component->sections = settings->layout.sections;
    component->section_quads = settings->layout.section_quads;
    component->texture_size = component_texels(&settings->layout, 0);
    component->index_bits = layout_index_bits(&settings->layout);
    return fill_lods(rq, component) && fill_neighbours(rq, at, component) &&
           fill_allocations(rq, at, component) &&
           fill_links(rq, at, component->vertices, component->weightmap_count, &component->links);
}

const struct endpoint endpoint_get_component = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/components/{cx}/{cy}",
    .summary = "A component: bounds, versions, levels of detail, links",
    .example_path = "/v1/landscapes/demo/components/0/0",
    .scope = SCOPE_READ,
    .pace = QUICK,
    .holds = HOLDS_VIEW,
    .asks = &component_asked_shape,
    .answers = SHAPE(struct component, answers),
    .newest = newest,
    .stamped = true,
    .run = run,
};
