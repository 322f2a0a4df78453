/* Blended weights as index maps: how many tiles there are on which level, and what they cost. */
#include "api/endpoint.h"
#include "terrain/query/cover_tile.h"

struct level {
    int32_t level, across, down;
};

static const struct field level_rows[] = {
    FIELD(struct level, level, NULL, 0, 0, "0 has a texel a vertex; each one more halves them"),
    FIELD(struct level, across, "tiles", 0, 0, "From west to east"),
    FIELD(struct level, down, "tiles", 0, 0, "From north to south"),
    { .kind = FIELD_END }
};

struct memory {
    int64_t plain_bytes, weight_bytes, index_bytes, total_bytes;
};

static const struct field memory_rows[] = {
    FIELD(struct memory, plain_bytes, "bytes", 0, 0,
          "Level 0 as RGBA textures of four layers each, for comparison"),
    FIELD(struct memory, weight_bytes, "bytes", 0, 0, "Three channels of 8 bits, all levels"),
    FIELD(struct memory, index_bytes, "bytes", 0, 0, "The entries, all levels"),
    FIELD(struct memory, total_bytes, "bytes", 0, 0, "Weights and entries"),
    { .kind = FIELD_END }
};

struct index_map {
    int32_t side, cell;
    struct list layers; /* const char * */
    struct list levels;
    struct memory memory;
    const char *tiles;
};

static const struct field answers[] = {
    FIELD(struct index_map, side, "texels", 0, 0, "A side of a tile"),
    FIELD(struct index_map, cell, "texels", 0, 0, "A side of the square that an entry is for"),
    FIELD_AS(FIELD_TEXTS, struct index_map, layers,
             "The paint layers by the numbers that entries have; those that are not blended are in "
             "no entry"),
    FIELD_AS(FIELD_LIST, struct index_map, levels, "The finest first",
             .shape = SHAPE(struct level, level_rows)),
    FIELD_AS(FIELD_OBJECT, struct index_map, memory, "What all tiles come to",
             .shape = SHAPE(struct memory, memory_rows)),
    FIELD(struct index_map, tiles, NULL, 0, 0, "Where they are"),
    { .kind = FIELD_END }
};

/* All levels' tiles as one pyramid: index_map_bytes is of a square one. */
static void fill_memory(const struct view *view, int layers, const struct level *levels,
                        int32_t count, struct memory *memory)
{
    int64_t weights, index;

    index_map_bytes(COVER_TILE_SIDE, 1, 8 * INDEX_MAP_CHANNELS, COVER_TILE_CELL, &weights, &index);
    for (int32_t i = 0; i < count; i++) {
        int64_t tiles = (int64_t)levels[i].across * levels[i].down;

        memory->weight_bytes += tiles * weights;
        memory->index_bytes += tiles * index;
    }
    memory->plain_bytes = (int64_t)cover_tiles_across(view, 0) * cover_tiles_down(view, 0) *
                          index_map_plain_bytes(COVER_TILE_SIDE, layers);
    memory->total_bytes = memory->weight_bytes + memory->index_bytes;
}

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    (void)asked;
    *version = rq->view->settings_version;
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct stack *stack = rq->view->settings->stack;
    int32_t count = cover_tile_levels(rq->view);
    const char **layers = arena_new(rq->arena, (size_t)stack->paint_count * sizeof *layers + 1);
    struct level *levels = arena_new(rq->arena, (size_t)count * sizeof *levels);
    struct index_map *map = answer;

    (void)asked;
    map->tiles = arena_print(rq->arena, "/v1/landscapes/%s/index-map/{level}/{x}/{y}.bin",
                             rq->landscape_name);
    if (!layers || !levels || !map->tiles)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %d levels", count);
    for (int i = 0; i < stack->paint_count; i++)
        layers[i] = stack->paints[i].name;
    for (int32_t i = 0; i < count; i++)
        levels[i] =
            (struct level){ i, cover_tiles_across(rq->view, i), cover_tiles_down(rq->view, i) };
    map->side = COVER_TILE_SIDE;
    map->cell = COVER_TILE_CELL;
    map->layers = (struct list){ (size_t)stack->paint_count, layers };
    map->levels = (struct list){ (size_t)count, levels };
    fill_memory(rq->view, stack->paint_count, levels, count, &map->memory);
    return true;
}

const struct endpoint endpoint_get_index_map = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/index-map",
    .summary = "Blended weights as index maps of four layers a cell: levels, layers, memory",
    .example_path = "/v1/landscapes/demo/index-map",
    .scope = SCOPE_READ,
    .pace = QUICK,
    .holds = HOLDS_VIEW,
    .answers = SHAPE(struct index_map, answers),
    .newest = newest,
    .run = run,
};
