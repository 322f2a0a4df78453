/* What the endpoints of terrain tiles for globes share: which tile is asked for and how it is to
 * look. Rows of tiles come from the south (TMS), as the formats have it. */
#ifndef API_GLOBES_GLOBES_H
#define API_GLOBES_GLOBES_H

#include "api/datum.h"
#include "api/endpoint.h"
#include "terrain/format/globe.h"

/* Parameters of layer.json, which clients carry over to the tiles. */
struct globes_asked {
    double fill, height_offset;
    double water_height;
    const char *water_layer;
    uint64_t given;
};
extern const struct shape globes_shape;

/* The look, and what it borrows until globes_look_fini. */
struct globes_look {
    struct globe_look look;
    struct datum_held held;
};

/* `samples` also holds the geoid's; without them only the datum's key is right. Fails with INPUT
 * for a layer that there is not, and with IMPOSSIBLE for a geoid that is none. */
bool globes_look_init(struct request *rq, const struct globes_asked *asked, bool samples,
                      struct globes_look *look);
void globes_look_fini(struct globes_look *look);

bool globes_water(const struct globes_look *look); /* whether there is any */

/* A tile as the path names it, for shapes whose first member is a struct globes_asked. */
#define GLOBES_TILE_ROWS(type)                                                                     \
    FIELD(type, z, NULL, 0, 30, "Zoom", .required = true, .in_path = true),                        \
        FIELD(type, x, NULL, 0, INT32_MAX, "Column, from 180 degrees west", .required = true,      \
              .in_path = true),                                                                    \
        FIELD(type, y, NULL, 0, INT32_MAX, "Row, from the south", .required = true,                \
              .in_path = true)

/* Counted from the north. Fails as globe_has does. */
bool globes_tile(struct request *rq, int32_t z, int32_t x, int32_t y, struct globe_tile *tile);

/* One layer.json for each format. */
struct globes_layer {
    const char *format, *path; /* "quantized-mesh-1.0", "cesium" */
    bool meshes;
};
bool globes_layer_run(struct request *rq, const struct globes_asked *asked, double max_error,
                      int32_t metadata_levels, const struct globes_layer *layer, void *answer);
extern const struct shape globes_layer_shape;

#endif
