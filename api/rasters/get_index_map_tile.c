/* One tile of blended weights: an index map and three channels of weights. */
#include "api/endpoint.h"
#include "terrain/query/cover.h"
#include "terrain/query/cover_tile.h"

struct tile_asked {
    int32_t level, x, y;
};

static const struct field asks[] = {
    FIELD(struct tile_asked, level, NULL, 0, 30, "0 has a texel a vertex", .required = true,
          .in_path = true),
    FIELD(struct tile_asked, x, NULL, 0, 1 << 24, "The tile, from the west", .required = true,
          .in_path = true),
    FIELD(struct tile_asked, y, NULL, 0, 1 << 24, "The tile, from the north", .required = true,
          .in_path = true),
    { .kind = FIELD_END }
};

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct tile_asked *tile = asked;
    const struct view *view = rq->view;
    int32_t levels = cover_tile_levels(view);

    if (tile->level >= levels)
        return REFUSE(rq, FAULT_MISSING, "there is no level %d; the coarsest is %d", tile->level,
                      levels - 1);
    if (tile->x >= cover_tiles_across(view, tile->level) ||
        tile->y >= cover_tiles_down(view, tile->level))
        return REFUSE(rq, FAULT_MISSING,
                      "there is no tile (%d, %d) on level %d; the last is (%d, %d)", tile->x,
                      tile->y, tile->level, cover_tiles_across(view, tile->level) - 1,
                      cover_tiles_down(view, tile->level) - 1);
    *version = cover_stamp_all(view, cover_tile_rect(view, tile->level, tile->x, tile->y));
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct tile_asked *tile = asked;
    uint8_t entries[COVER_ENTRY_BYTES], channels[COVER_CHANNEL_BYTES];

    (void)answer;
    return cover_tile(rq->view, tile->level, tile->x, tile->y, entries, channels, &rq->fault) &&
           bytes_add(&rq->bytes, entries, sizeof entries, &rq->fault) &&
           bytes_add(&rq->bytes, channels, sizeof channels, &rq->fault);
}

static const char *const media_out[] = { "application/octet-stream", NULL };

const struct endpoint endpoint_get_index_map_tile = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/index-map/{level}/{x}/{y}.bin",
    .summary =
        "64 x 64 texels of blended weights: 8 x 8 entries of four layers' numbers (255 is "
        "none), row by row, then three bytes a texel, the weights of its entry's first three "
        "layers; the fourth has what they leave of 255",
    .example_path = "/v1/landscapes/demo/index-map/0/0/0.bin",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct tile_asked, asks),
    .media_out = media_out,
    .kept = true,
    .newest = newest,
    .run = run,
};
