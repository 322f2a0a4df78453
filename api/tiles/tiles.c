#include "api/tiles/tiles.h"

static const struct field asks[] = {
    FIELD(struct tiles_asked, z, NULL, 0, TILE_ZOOM_MOST, "Zoom", .required = true,
          .in_path = true),
    FIELD(struct tiles_asked, x, NULL, 0, (1 << TILE_ZOOM_MOST) - 1, "Column, from the west",
          .required = true, .in_path = true),
    FIELD(struct tiles_asked, y, NULL, 0, (1 << TILE_ZOOM_MOST) - 1, "Row, from the north",
          .required = true, .in_path = true),
    FIELD(struct tiles_asked, fill, "m", -1e6, 1e7,
          "Height of the ground beyond the landscape; without it that is 0 m where heights are "
          "coded, and no ground in pictures"),
    { .kind = FIELD_END }
};

enum { FILL_GIVEN = 1 << 3 };

const struct shape tiles_shape = { "tile", sizeof(struct tiles_asked), asks, NULL,
                                   offsetof(struct tiles_asked, given) };
const char *const tiles_styles[] = { "ramp", "gray", "exact", NULL };
const char *const tiles_units[] = { "degrees", "percent", NULL };

const char *const tiles_registrations[] = { "center", "corner", NULL };

static const struct field sampled_asks[] = {
    FIELD_AS(
        FIELD_CHOICE, struct tiles_sampled, registration,
        "Where in a pixel its height is taken: at the center, as every tile pyramid has it, or "
        "at the north-west corner, as clients before MapLibre 6 read it",
        .words = tiles_registrations),
    FIELD(struct tiles_sampled, buffer, "pixels", 0, TILES_BUFFER_MOST,
          "Pixels more on each side, of the ground that is there"),
    { .kind = FIELD_END }
};
const struct shape tiles_sampled_shape = { "sampled_tile", sizeof(struct tiles_sampled),
                                           sampled_asks, &tiles_shape, -1 };

struct tile tiles_tile(const struct request *rq, const void *asked)
{
    const struct tiles_route *route = rq->endpoint->of;
    const struct tiles_asked *at = asked;
    struct tile tile = TILE_AT(at->z, at->x, at->y, route->side);

    if (route->set->flexible) {
        const struct tiles_sampled *sampled = asked;

        tile.samples = sampled->registration;
        tile.margin = sampled->buffer;
    }
    return tile_set_tile(route->set, &tile);
}

bool tiles_newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct tile tile = tiles_tile(rq, asked);

    return tile_stamp(rq->view, &tile, version, &rq->fault);
}

bool tiles_run(struct request *rq, const void *asked, void *answer)
{
    const struct tiles_route *route = rq->endpoint->of;
    const struct tiles_asked *at = asked;
    const struct tile tile = tiles_tile(rq, asked);
    struct tile_look look = tile_look_usual;

    (void)answer;
    if (at->given & FILL_GIVEN)
        look.fill = at->fill;
    if (route->look)
        route->look(asked, &look);
    return tile_set_write(route->set, route->kind, rq->view, &tile, &look, &rq->bytes, &rq->fault);
}
