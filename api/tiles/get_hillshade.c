/* The ground in sunlight from above, as gray tiles. */
#include "api/tiles/tiles.h"

struct asked {
    struct tiles_asked tile;
    double sun_azimuth, sun_elevation, exaggeration;
};

static const struct field asks[] = {
    FIELD(struct asked, sun_azimuth, "degrees", -360, 360,
          "Where the light comes from, from north clockwise", .has_value = true, .value = 315),
    FIELD(struct asked, sun_elevation, "degrees", 0, 90, "How high it stands above the horizon",
          .has_value = true, .value = 45),
    FIELD(struct asked, exaggeration, NULL, 0, 1000, "Heights count this many times",
          .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

static const struct shape shape = { "hillshade", sizeof(struct asked), asks, &tiles_shape, -1 };

#define LOOK(asked_)                                                                               \
    {                                                                                              \
        .sun_azimuth = ((const struct asked *)(asked_))->sun_azimuth,                              \
        .sun_elevation = ((const struct asked *)(asked_))->sun_elevation,                          \
        .exaggeration = ((const struct asked *)(asked_))->exaggeration                             \
    }

TILE_ROUTES(hillshade, "hillshade", "A tile of the ground in sunlight", &shape,
            "sun_azimuth=315&sun_elevation=45", LOOK);
