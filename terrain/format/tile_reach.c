#include <math.h>
#include <string.h>

#include "terrain/format/tile.h"
#include "terrain/format/tile_map.h"

enum { KEPT = 1024 };

/* Kept a thread: a tile is asked for again and again. */
static _Thread_local struct kept {
    uint64_t key; /* of the settings; 0 is none */
    struct tile tile;
    struct rect reach;
    uint64_t newest, stamp; /* the stamp when nothing in the reach was newer than that; 0 is none */
    uint64_t version;       /* of the view that the stamp was last found to hold for */
} keeps[KEPT];

static bool reach_patch(const struct tile_patch *patch, void *context, struct fault *why)
{
    const struct grid *grid = &patch->map->settings->grid;
    const int32_t counts[2] = { grid->columns, grid->rows };
    struct rect *reach = context, own;
    int32_t first[2], end[2];

    (void)why;
    for (int k = 0; k < 2; k++) {
        if (!(patch->least[k] <= patch->greatest[k])) /* no point of it has a place */
            return true;
        first[k] = (int32_t)fmin(fmax(floor(patch->least[k] - patch->step[k]), 0), counts[k]);
        end[k] = (int32_t)fmin(fmax(floor(patch->greatest[k] + patch->step[k]) + 2, 0), counts[k]);
    }
    own = (struct rect){ first[0], first[1], end[0] - first[0], end[1] - first[1] };
    *reach = rect_join(*reach, own);
    return true;
}

static bool reach_find(const struct view *view, const struct tile *tile, struct rect *reach,
                       struct fault *why)
{
    struct tile_map map;

    *reach = (struct rect){ 0 };
    return tile_map_init(&map, view, tile, 1, why) && tile_map_each(&map, reach_patch, reach, why);
}

/* What is kept of the tile, made if need be; NULL when there is no such tile. */
static struct kept *keep(const struct view *view, const struct tile *tile, struct fault *why)
{
    const uint64_t key = tile_map_key(view);
    const uint64_t place = (uint64_t)tile->x << 32 | (uint32_t)tile->y;
    const uint64_t size = (uint64_t)tile->z << 32 | (uint32_t)tile->side;
    const uint64_t kind = (uint64_t)tile->margin << 8 | (uint64_t)(tile->samples << 4 | tile->grid);
    const uint64_t hash = tile_map_mix(tile_map_mix(tile_map_mix(key, place), size), kind);
    struct kept *kept = &keeps[hash % KEPT];
    struct rect reach;

    if (kept->key == key && memcmp(&kept->tile, tile, sizeof *tile) == 0)
        return kept;
    if (!reach_find(view, tile, &reach, why))
        return NULL;
    *kept = (struct kept){ .key = key, .tile = *tile, .reach = reach };
    return kept;
}

bool tile_reach(const struct view *view, const struct tile *tile, struct rect *reach,
                struct fault *why)
{
    const struct kept *kept = keep(view, tile, why);

    if (!kept)
        return false;
    *reach = kept->reach;
    return true;
}

static uint64_t stamp_doubles(uint64_t stamp, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word;

        memcpy(&word, &numbers[i], sizeof word);
        stamp = tile_map_mix(stamp, word);
    }
    return stamp;
}

static uint64_t stamp_place(const struct settings *settings)
{
    const struct grid *grid = &settings->grid;
    uint64_t stamp = tile_map_mix(1, (uint64_t)grid->columns << 32 | (uint32_t)grid->rows);

    stamp = stamp_doubles(stamp, grid->scale, 3);
    stamp = stamp_doubles(stamp, &grid->origin[2], 1);
    if (!settings->placed)
        return stamp;
    for (const char *letter = settings->crs; *letter; letter++)
        stamp = tile_map_mix(stamp, (unsigned char)*letter);
    return stamp_doubles(stamp, settings->bounds, 4);
}

/* Heights of a part of a block, in its own coordinates, four at a time. */
static uint64_t stamp_heights(uint64_t stamp, const uint16_t *heights, struct rect part)
{
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        const uint16_t *row = heights + y * BLOCK_SIDE + part.x;

        for (int32_t x = 0; x < part.width; x += 4) {
            uint64_t word = 0;

            memcpy(&word, row + x, (size_t)(part.width - x < 4 ? part.width - x : 4) * sizeof *row);
            stamp = tile_map_mix(stamp, word);
        }
    }
    return stamp;
}

static uint64_t stamp_block(uint64_t stamp, const struct tree *tree, int32_t bx, int32_t by,
                            struct rect reach)
{
    const struct child leaf = tree_block(tree, bx, by);
    const struct rect whole = tree_block_rect(tree, bx, by);
    struct rect part = rect_meet(reach, whole);

    if (rect_area(part) == rect_area(whole))
        return tile_map_mix(stamp, leaf.summary.version);
    if (!leaf.below)
        return tile_map_mix(stamp, leaf.summary.least);
    part.x &= BLOCK_MASK;
    part.y &= BLOCK_MASK;
    return stamp_heights(stamp, block_heights(leaf.below), part);
}

static uint64_t stamp_reach(const struct view *view, struct rect reach)
{
    const struct tree *tree = &view->planes[PLANE_HEIGHTS];
    uint64_t stamp = stamp_place(view->settings);

    if (rect_empty(reach))
        return stamp;
    for (int32_t by = reach.y >> BLOCK_LOG2; by <= (reach.y + reach.height - 1) >> BLOCK_LOG2; by++)
        for (int32_t bx = reach.x >> BLOCK_LOG2; bx <= (reach.x + reach.width - 1) >> BLOCK_LOG2;
             bx++)
            stamp = stamp_block(stamp, tree, bx, by, reach);
    return stamp;
}

bool tile_stamp(const struct view *view, const struct tile *tile, uint64_t *stamp,
                struct fault *why)
{
    struct kept *kept = keep(view, tile, why);
    uint64_t newest;

    if (!kept)
        return false;
    if (kept->stamp == 0 || kept->version != view->version) {
        newest = tree_newest(&view->planes[PLANE_HEIGHTS], kept->reach);
        if (kept->stamp == 0 || kept->newest != newest) {
            kept->stamp = stamp_reach(view, kept->reach) | 1;
            kept->newest = newest;
        }
        kept->version = view->version;
    }
    *stamp = kept->stamp;
    return true;
}
