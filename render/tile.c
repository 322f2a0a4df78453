#include "render/tile.h"

#include <string.h>

#include "render/plane.h"
#include "render/samples.h"

struct tile_key tile_key(const struct view *view, int32_t level, int32_t x, int32_t y)
{
    struct rect over = rect_meet(samples_reach(level, tile_samples(x, y)), view_rect(view));
    uint64_t heights = tree_newest(&view->planes[PLANE_HEIGHTS], over);
    uint64_t holes = tree_newest(&view->planes[PLANE_HOLES], over);

    return (struct tile_key){ .incarnation = view->incarnation,
                              .newest = heights > holes ? heights : holes,
                              .level = level,
                              .x = x,
                              .y = y,
                              .plane = RENDER_PLANE_heights };
}

/* A bit a sample, sixteen of a row in a word. */
static void pack_holes(const uint8_t *holes, uint16_t *words)
{
    memset(words, 0, sizeof *words * TILE_HOLE_WORDS * TILE_SIDE);
    for (int32_t row = 0; row < TILE_SIDE; row++)
        for (int32_t i = 0; i < TILE_SIDE; i++)
            if (holes[row * TILE_SIDE + i])
                words[i / 16 * TILE_SIDE + row] |= (uint16_t)(1u << i % 16);
}

bool tile_make(const struct view *view, int32_t level, int32_t x, int32_t y, uint16_t *texels)
{
    const struct rect samples = tile_samples(x, y);
    uint16_t *words = texels + TILE_SIDE * TILE_SIDE;
    uint8_t holes[TILE_SIDE * TILE_SIDE];

    if (!samples_heights(view, level, samples, texels, TILE_SIDE))
        return false;
    if (!samples_holed(view, level, samples)) {
        memset(words, 0, TILE_BYTES - 2 * TILE_SIDE * TILE_SIDE);
        return true;
    }
    if (!samples_holes(view, level, samples, holes, TILE_SIDE))
        return false;
    pack_holes(holes, words);
    return true;
}

void tile_make_points(const struct view *view, int32_t level, int32_t x, int32_t y,
                      uint16_t *texels)
{
    const struct rect all = view_rect(view);
    int64_t step = (int64_t)1 << level;

    memset(texels, 0, TILE_BYTES);
    for (int32_t j = 0; j < TILE_SIDE; j++)
        for (int32_t i = 0; i < TILE_SIDE; i++) {
            int64_t column = ((int64_t)x * 128 + i - TILE_MARGIN) * step;
            int64_t row = ((int64_t)y * 128 + j - TILE_MARGIN) * step;

            column = column < 0 ? 0 : column < all.width ? column : all.width - 1;
            row = row < 0 ? 0 : row < all.height ? row : all.height - 1;
            texels[j * TILE_SIDE + i] = view_height(view, (int32_t)column, (int32_t)row);
        }
}
