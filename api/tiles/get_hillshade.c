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

static void look(const void *data, struct tile_look *look)
{
    const struct asked *asked = data;

    look->sun_azimuth = asked->sun_azimuth;
    look->sun_elevation = asked->sun_elevation;
    look->exaggeration = asked->exaggeration;
}

TILE_ROUTES(hillshade, png, "hillshade", "A tile of the ground in sunlight", &shape,
            "sun_azimuth=315&sun_elevation=45", look, tiles_newest);
TILE_ROUTES(hillshade, webp, "hillshade", "A tile of the ground in sunlight", &shape,
            "sun_azimuth=315&sun_elevation=45", look, tiles_newest);
