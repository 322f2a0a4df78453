/* The landscape's own 16-bit codes, to the bit where samples lie on vertices. Neighbouring tiles
 * share their edges: on the world's grids samples lie on the tile's border, on the landscape's own
 * each is a vertex (at its zoom), and the last column and row are the first of the next tiles. */
#include <math.h>
#include <stdlib.h>

#include "terrain/format/tile_set.h"

/* With samples at centres the margin is cut off at the north and west. */
static struct tile sampled_of(const struct view *view, const struct tile *tile)
{
    struct tile sampled = *tile;

    if (view->settings->placed)
        return sampled;
    sampled.samples = TILE_CENTRES;
    sampled.margin++;
    return sampled;
}

static bool paint(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why)
{
    const struct tile sampled = sampled_of(view, tile);
    const int32_t across = tile_samples_across(tile), stride = tile_samples_across(&sampled);
    const int32_t cut = stride - across;
    double *metres = malloc((size_t)stride * (size_t)stride * sizeof *metres);
    uint16_t *codes = pixels;
    bool painted;

    if (!metres)
        return fault_set(why, FAULT_MEMORY, "no memory for a tile of %d pixels a side", across);
    painted = tile_heights(view, &sampled, isnan(look->fill) ? 0 : look->fill, metres, why);
    for (int32_t y = 0; painted && y < across; y++)
        for (int32_t x = 0; x < across; x++)
            *codes++ = grid_round(
                grid_code(view_grid(view), metres[(int64_t)(y + cut) * stride + x + cut]));
    free(metres);
    return painted;
}

const struct tile_set tile_set_native = {
    .name = "native",
    .encoding = "native",
    .samples = PNG_GRAY16,
    .borders = true,
    .kinds = { &tile_kind_zst },
    .title = "Heights as they are stored, 16 bits; see api/tiles/native.md",
    .paint = paint,
};
