#include "api/tiles/tiles.h"

static const struct field asks[] = {
    FIELD(struct tiles_asked, z, NULL, 0, TILE_ZOOM_MOST, "Zoom", .required = true,
          .in_path = true),
    FIELD(struct tiles_asked, x, NULL, 0, (1 << TILE_ZOOM_MOST) - 1, "Column, from the west",
          .required = true, .in_path = true),
    FIELD(struct tiles_asked, y, NULL, 0, (1 << TILE_ZOOM_MOST) - 1, "Row, from the north",
          .required = true, .in_path = true),
    { .kind = FIELD_END }
};

const struct shape tiles_shape = { "tile", sizeof(struct tiles_asked), asks, NULL, -1 };
const char *const tiles_media[] = { "image/png", NULL };

static struct tile tile_of(const struct tiles_asked *asked, int32_t side)
{
    return (struct tile){ asked->z, asked->x, asked->y, side };
}

bool tiles_newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct tile tile = tile_of(asked, TILE_SIDE);

    return tile_stamp(rq->view, &tile, version, &rq->fault);
}

bool tiles_paint(struct request *rq, const struct tiles_asked *asked, int32_t side,
                 const struct tile_set *set, const struct tile_look *look)
{
    const struct tile tile = tile_of(asked, side);

    return set->paint(rq->view, &tile, look, &rq->bytes, &rq->fault);
}
