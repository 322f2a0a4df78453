/* The plane of XY offsets (offset.h), sample for sample as the heights of a tile. */
#include <stdlib.h>
#include <string.h>

#include "render/plane_make.h"
#include "terrain/core/offset.h"

static int32_t clamped(int64_t at, int32_t count)
{
    return at < 0 ? 0 : at < count ? (int32_t)at : count - 1;
}

static bool offsets_key(const struct plane_source *source, int32_t level, int32_t x, int32_t y,
                        int slot, struct tile_key *key)
{
    const struct view *view = source->view;
    const int32_t step = 1 << level;
    struct rect over = { (x * 128 - TILE_MARGIN) * step, (y * 128 - TILE_MARGIN) * step,
                         TILE_SIDE * step, TILE_SIDE * step };

    (void)slot;
    if (!view_has_offsets(view))
        return false;
    *key = (struct tile_key){ .incarnation = view->incarnation,
                              .newest = view_newest_offsets(view, rect_meet(over, view_rect(view))),
                              .level = level,
                              .x = x,
                              .y = y,
                              .plane = RENDER_PLANE_offsets };
    return true;
}

/* A row of samples: at the vertices of one row, or added up to what is there. */
static void read_row(const struct view *view, const struct tile_key *key, int axis, int32_t row,
                     uint16_t *line, uint64_t *sums)
{
    struct rect all = view_rect(view);
    int32_t step = 1 << key->level, count = key->detail == TILE_POINTS ? 1 : step;
    int64_t left = ((int64_t)key->x * 128 - TILE_MARGIN) * step;

    view_read_offsets(view, axis, (struct rect){ 0, row, all.width, 1 }, line, all.width);
    for (int32_t i = 0; i < TILE_SIDE; i++)
        for (int32_t k = 0; k < count; k++)
            sums[i] += line[clamped(left + (int64_t)i * step + k, all.width)];
}

static bool offsets_make(const struct plane_source *source, const struct tile_key *key,
                         void *texels, struct fault *why)
{
    const struct view *view = source->view;
    struct rect all = view_rect(view);
    int32_t step = 1 << key->level, count = key->detail == TILE_POINTS ? 1 : step;
    int64_t top = ((int64_t)key->y * 128 - TILE_MARGIN) * step;
    uint16_t *line = malloc(sizeof *line * (size_t)all.width), (*to)[2] = texels;

    if (!line)
        return fault_set(why, FAULT_MEMORY, "no memory for a picture's offsets");
    for (int32_t j = 0; j < TILE_SIDE; j++)
        for (int axis = 0; axis < 2; axis++) {
            uint64_t sums[TILE_SIDE] = { 0 }, all_of = (uint64_t)count * (uint64_t)count;

            for (int32_t k = 0; k < count; k++)
                read_row(view, key, axis, clamped(top + (int64_t)j * step + k, all.height), line,
                         sums);
            for (int32_t i = 0; i < TILE_SIDE; i++)
                to[j * TILE_SIDE + i][axis] = (uint16_t)((sums[i] + all_of / 2) / all_of);
        }
    free(line);
    return true;
}

const struct plane_maker plane_maker_offsets = { .key = offsets_key, .make = offsets_make };
