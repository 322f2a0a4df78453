/* What the endpoints of all tile sets share: which tile is asked for, whether there is one and how
 * old what it shows is, and its picture. */
#ifndef API_TILES_TILES_H
#define API_TILES_TILES_H

#include "api/endpoint.h"
#include "terrain/format/tile_set.h"

struct tiles_asked {
    int32_t z, x, y;
};

extern const struct shape tiles_shape; /* of tiles_asked: a base for a set's own options */
extern const char *const tiles_media[];

/* For rows' `newest`: a name of what lies under the tile and a pixel around it. */
bool tiles_newest(struct request *rq, const void *asked, uint64_t *version);

/* For rows' `run`: the tile as a PNG of side x side pixels. */
bool tiles_paint(struct request *rq, const struct tiles_asked *asked, int32_t side,
                 const struct tile_set *set, const struct tile_look *look);

/* The two routes of a set, plain and @2x. `look` makes a struct tile_look of the asked struct,
 * whose first member is a struct tiles_asked. */
#define TILE_ROUTES(set, word, says, shape_, example_, look)                                       \
    TILE_ROUTES_OF(set, word, says, shape_, example_, look, tiles_newest)

/* The same for sets that show something else than heights, with a `newest` of their own. */
#define TILE_ROUTES_OF(set, word, says, shape_, example_, look, newest_)                           \
    static bool run_##set(struct request *rq, const void *asked, void *answer)                     \
    {                                                                                              \
        (void)answer;                                                                              \
        return tiles_paint(rq, asked, TILE_SIDE, &tile_set_##set, &(struct tile_look)look(asked)); \
    }                                                                                              \
    static bool run_##set##_2x(struct request *rq, const void *asked, void *answer)                \
    {                                                                                              \
        (void)answer;                                                                              \
        return tiles_paint(rq, asked, TILE_SIDE_2X, &tile_set_##set,                               \
                           &(struct tile_look)look(asked));                                        \
    }                                                                                              \
    const struct endpoint endpoint_get_##set =                                                     \
        TILE_ROUTE(word, "", says ", 256 pixels a side", shape_, example_, run_##set, newest_);    \
    const struct endpoint endpoint_get_##set##_2x = TILE_ROUTE(                                    \
        word, "@2x", says ", 512 pixels a side", shape_, example_, run_##set##_2x, newest_)

#define TILE_ROUTE(word, at, says, shape_, example_, run_, newest_)                                \
    {                                                                                              \
        .method = "GET",                                                                           \
        .path = "/v1/landscapes/{landscape}/tiles/" word "/{z}/{x}/{y}" at ".png",                 \
        .summary = says, .example = example_,                                                      \
        .example_path = "/v1/landscapes/demo/tiles/" word "/0/0/0" at ".png", .scope = SCOPE_READ, \
        .pace = SLOW, .holds = HOLDS_VIEW, .asks = (shape_), .media_out = tiles_media,             \
        .loose_query = true, .kept = true, .newest = (newest_), .run = run_                        \
    }

#endif
