#include "terrain/query/cover_tile.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/query/cover.h"

enum { TEXELS = COVER_TILE_SIDE * COVER_TILE_SIDE };

static int32_t tiles(int32_t vertices, int32_t level)
{
    int64_t side = (int64_t)COVER_TILE_SIDE << level;

    return (int32_t)((vertices + side - 1) / side);
}

int32_t cover_tiles_across(const struct view *view, int32_t level)
{
    return tiles(view_grid(view)->columns, level);
}

int32_t cover_tiles_down(const struct view *view, int32_t level)
{
    return tiles(view_grid(view)->rows, level);
}

int32_t cover_tile_levels(const struct view *view)
{
    int32_t levels = 1;

    while (cover_tiles_across(view, levels - 1) > 1 || cover_tiles_down(view, levels - 1) > 1)
        levels++;
    return levels;
}

struct rect cover_tile_rect(const struct view *view, int32_t level, int32_t x, int32_t y)
{
    int32_t side = COVER_TILE_SIDE << level;

    return rect_meet((struct rect){ x * side, y * side, side, side }, view_rect(view));
}

/* The blended paint layers that a tile has, by position. */
struct palette {
    int count;
    int paints[INDEX_MAP_LAYERS];
};

static bool tile_planes(const struct view *view, const struct palette *palette, int32_t level,
                        int32_t x, int32_t y, uint8_t *planes);

static bool palette_any(const struct view *view, const struct palette *palette, struct rect over)
{
    for (int i = 0; i < palette->count; i++) {
        if (cover_any(view, palette->paints[i], over))
            return true;
    }
    return false;
}

static bool parent_planes(const struct view *view, const struct palette *palette, int32_t level,
                          int32_t x, int32_t y, uint8_t *planes)
{
    const struct index_map_form form = { COVER_TILE_SIDE, COVER_TILE_CELL, palette->count };
    size_t size = (size_t)palette->count * TEXELS;
    uint8_t *room = malloc(4 * size);
    const uint8_t *children[4];
    bool done = room != NULL;

    for (int32_t k = 0; done && k < 4; k++) {
        uint8_t *child = room + (size_t)k * size;

        children[k] = child;
        done = tile_planes(view, palette, level - 1, 2 * x + (k & 1), 2 * y + (k >> 1), child);
    }
    if (done)
        index_map_parent(&form, children, planes);
    free(room);
    return done;
}

/* One plane after the other; false when memory is out. */
static bool tile_planes(const struct view *view, const struct palette *palette, int32_t level,
                        int32_t x, int32_t y, uint8_t *planes)
{
    struct rect rect = cover_tile_rect(view, level, x, y);

    memset(planes, 0, (size_t)palette->count * TEXELS);
    if (rect_empty(rect) || !palette_any(view, palette, rect))
        return true;
    if (level > 0)
        return parent_planes(view, palette, level, x, y, planes);
    for (int i = 0; i < palette->count; i++)
        cover_read(view, palette->paints[i], rect, planes + i * TEXELS, COVER_TILE_SIDE);
    return true;
}

bool cover_tile(const struct view *view, int32_t level, int32_t x, int32_t y,
                uint8_t entries[COVER_ENTRY_BYTES], uint8_t channels[COVER_CHANNEL_BYTES],
                struct fault *why)
{
    struct index_map_form form = { COVER_TILE_SIDE, COVER_TILE_CELL, 0 };
    struct rect rect = cover_tile_rect(view, level, x, y);
    int all = view->settings->stack->paint_count;
    struct palette palette = { 0 };
    uint8_t *planes;
    bool done;

    if (all > INDEX_MAP_LAYERS)
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "an index map knows %d paint layers, and this landscape has %d",
                         INDEX_MAP_LAYERS, all);
    for (int paint = 0; paint < all; paint++) {
        if (view->settings->stack->paints[paint].blended && cover_any(view, paint, rect))
            palette.paints[palette.count++] = paint;
    }
    form.layers = palette.count;
    planes = malloc((size_t)palette.count * TEXELS + 1);
    done = planes && tile_planes(view, &palette, level, x, y, planes);
    if (done)
        index_map_encode(&form, planes, entries, channels, NULL);
    free(planes);
    for (int i = 0; done && i < COVER_ENTRY_BYTES; i++) {
        if (entries[i] != INDEX_MAP_UNUSED)
            entries[i] = (uint8_t)palette.paints[entries[i]];
    }
    return done || fault_set(why, FAULT_MEMORY, "no memory for a tile of %d layers", palette.count);
}
