/* What the endpoints of all tile sets share: which tile is asked for, whether there is one and how
 * old what it shows is, and its file. */
#ifndef API_TILES_TILES_H
#define API_TILES_TILES_H

#include "api/endpoint.h"
#include "terrain/format/tile_set.h"

struct tiles_asked {
    int32_t z, x, y;
    double fill;
    uint64_t given;
};

extern const struct shape tiles_shape; /* of tiles_asked: a base for a set's own options */

/* Of sets that can be sampled elsewhere. */
struct tiles_sampled {
    struct tiles_asked tile;
    int registration; /* index into tiles_registrations, which is enum tile_samples */
    int32_t buffer;
};
enum { TILES_BUFFER_MOST = 64 };
extern const struct shape tiles_sampled_shape;
extern const char *const tiles_registrations[];

/* What a row is about. Of a `flexible` set's row what is asked begins with a struct tiles_sampled.
 * Its `look` puts what was asked, a struct whose first member is a struct
 * tiles_asked, into a look that is the usual one; NULL leaves it so. */
struct tiles_route {
    const struct tile_set *set;
    const struct tile_kind *kind;
    int32_t side; /* pixels */
    void (*look)(const void *asked, struct tile_look *look);
};

/* The tile that a row is asked for. */
struct tile tiles_tile(const struct request *rq, const void *asked);

/* For rows' `newest`: a name of what lies under the tile and a pixel around it. */
bool tiles_newest(struct request *rq, const void *asked, uint64_t *version);

/* For rows' `run`: the tile as a file. */
bool tiles_run(struct request *rq, const void *asked, void *answer);

/* For sets of slopes: how they are shown. */
extern const char *const tiles_styles[], *const tiles_units[];

/* The two routes of a set as one kind of file, 256 and 512 pixels a side: rows get_SET_KIND and
 * get_SET_2x_KIND of endpoints.def. Of what shows something else than heights, `newest` is its own.
 */
#define TILE_ROUTES(set, kind, word, says, shape, example, look, newest)                           \
    const struct endpoint endpoint_get_##set##_##kind =                                            \
        TILE_ROUTE(set, kind, word, "", 256, says, shape, example, look, newest);                  \
    const struct endpoint endpoint_get_##set##_2x_##kind =                                         \
        TILE_ROUTE(set, kind, word, "@2x", 512, says, shape, example, look, newest)

#define TILE_ROUTE(set_, kind_, word, at, side_, says, shape_, example_, look_, newest_)           \
    {                                                                                              \
        .method = "GET",                                                                           \
        .path = "/v1/landscapes/{landscape}/tiles/" word "/{z}/{x}/{y}" at "." #kind_,             \
        .summary = says ", " #side_ " pixels a side, as " #kind_, .example = example_,             \
        .example_path = "/v1/landscapes/demo/tiles/" word "/0/0/0" at "." #kind_,                  \
        .scope = SCOPE_READ, .pace = SLOW, .holds = HOLDS_VIEW, .asks = (shape_),                  \
        .media_out = tile_kind_##kind_.media, .loose_query = true, .kept = true,                   \
        .newest = (newest_), .run = tiles_run, .of = &(const struct tiles_route)                   \
        {                                                                                          \
            &tile_set_##set_, &tile_kind_##kind_, side_, look_                                     \
        }                                                                                          \
    }

#endif
