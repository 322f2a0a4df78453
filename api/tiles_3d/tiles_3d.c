#include "api/tiles_3d/tiles_3d.h"

#include "api/service.h"

enum { LEVEL_MOST = 16 };

static const struct field rows[] = {
    FIELD(struct tiles_3d_asked, level, NULL, 0, LEVEL_MOST, "0 is the root", .required = true,
          .in_path = true),
    FIELD(struct tiles_3d_asked, x, NULL, 0, (1 << LEVEL_MOST) - 1, "Column, from the west",
          .required = true, .in_path = true),
    FIELD(struct tiles_3d_asked, y, NULL, 0, (1 << LEVEL_MOST) - 1, "Row, from the south",
          .required = true, .in_path = true),
    { .kind = FIELD_END }
};

const struct shape tiles_3d_shape = {
    .name = "tile_3d", .size = sizeof(struct tiles_3d_asked), .fields = rows, .given = -1
};

bool tiles_3d_begin(struct request *rq, struct tiles_3d *tiles)
{
    if (!datum_hold(rq, 0, false, &tiles->held))
        return false;
    tileset_begin(rq->view, &tiles->held.datum, &tiles->tileset);
    return true;
}

bool tiles_3d_hold(struct request *rq, struct tiles_3d *tiles)
{
    if (!datum_hold(rq, 0, true, &tiles->held))
        return false;
    if (tileset_of(rq->view, rq->service->derived, &tiles->held.datum, &tiles->tileset, &rq->fault))
        return true;
    datum_drop(&tiles->held);
    return false;
}

void tiles_3d_end(struct tiles_3d *tiles)
{
    datum_drop(&tiles->held);
}

bool tiles_3d_newest(struct request *rq, const void *asked, uint64_t *version)
{
    (void)asked;
    *version = view_newest(rq->view, view_rect(rq->view));
    return meshes_datum_key(rq, version);
}

bool tiles_3d_there(struct request *rq, const struct tileset *tileset,
                    const struct tiles_3d_asked *asked)
{
    return tileset_there(tileset, asked->level, asked->x, asked->y) ||
           REFUSE(rq, FAULT_MISSING,
                  "there is no tile %d/%d/%d; levels are 0 to %d, and a tile has ground that is no "
                  "hole",
                  asked->level, asked->x, asked->y, tileset->levels - 1);
}
