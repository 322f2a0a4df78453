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
};

static const struct field lod_rows[] = {
    FIELD(struct lod, lod, NULL, 0, 0, "0 is the finest"),
    FIELD(struct lod, quads, NULL, 0, 0, "A side of a section"),
    FIELD(struct lod, ratio, NULL, 0, 0, "Quads of LOD 0 a quad"),
    FIELD(struct lod, triangles, NULL, 0, 0, "Of the component"),
    FIELD(struct lod, indices, NULL, 0, 0, "Of its index buffer"),
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
    uint64_t heights, holes, weights, settings;
};

static const struct field versions_rows[] = {
    FIELD(struct versions, heights, NULL, 0, 0, "Of the heights that the texture depends on"),
    FIELD(struct versions, holes, NULL, 0, 0, "Of the holes"),
    FIELD(struct versions, weights, NULL, 0, 0, "Of the paint layers' weights that are left"),
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

struct links {
    const char *self, *heightmap, *heights;
};

static const struct field links_rows[] = {
    FIELD(struct links, self, NULL, 0, 0, "This document"),
    FIELD(struct links, heightmap, NULL, 0, 0, "The packed texture"),
    FIELD(struct links, heights, NULL, 0, 0, "The heights as a raster"),
    { .kind = FIELD_END }
};

struct component {
    int32_t component[2];
    struct rect vertices;
    struct bounds bounds;
    struct versions versions;
    int32_t sections, section_quads, texture_size, index_bits;
    struct list lods, weightmap_allocations;
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
    FIELD_AS(FIELD_LIST, struct component, lods, "Its levels of detail",
             .shape = SHAPE(struct lod, lod_rows)),
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
    return true;
}

static bool fill_lods(struct request *rq, struct component *component)
{
    const struct layout *layout = &rq->view->settings->layout;
    size_t count = (size_t)layout_lods(layout->section_quads);
    struct lod *lods = arena_new(rq->arena, count * sizeof *lods);

    if (!lods)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the levels of detail");
    for (int32_t lod = 0; lod < (int32_t)count; lod++)
        lods[lod] =
            (struct lod){ lod, layout_lod_quads(layout->section_quads, lod),
                          layout_lod_ratio(layout->section_quads, lod),
                          layout_lod_triangles(layout, lod), layout_lod_indices(layout, lod) };
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

static bool fill_links(struct request *rq, const struct component_asked *at, struct rect rect,
                       struct links *links)
{
    const char *id = rq->landscape_name;

    links->self = arena_print(rq->arena, "/v1/landscapes/%s/components/%d/%d", id, at->cx, at->cy);
    links->heightmap = arena_print(rq->arena, "/v1/landscapes/%s/components/%d/%d/heightmap.png",
                                   id, at->cx, at->cy);
    links->heights =
        arena_print(rq->arena, "/v1/landscapes/%s/heights?x=%d&y=%d&width=%d&height=%d", id, rect.x,
                    rect.y, rect.width, rect.height);
    return (links->self && links->heightmap && links->heights) ||
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
                           rq->view->settings_version };
    component->sections = settings->layout.sections;
    component->section_quads = settings->layout.section_quads;
    component->texture_size = component_texels(&settings->layout, 0);
    component->index_bits = layout_index_bits(&settings->layout);
    return fill_lods(rq, component) && fill_allocations(rq, at, component) &&
           fill_links(rq, at, component->vertices, &component->links);
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
