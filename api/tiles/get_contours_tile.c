/* Contour lines, as tiles to lie on others. */
#include "api/tiles/tiles.h"

struct asked {
    struct tiles_asked tile;
    double interval, base;
};

static const struct field asks[] = {
    FIELD(struct asked, interval, "m", 0, 1e5,
          "Between two lines; 0 is the round number that suits the zoom"),
    FIELD(struct asked, base, "m", -1e6, 1e6, "The height of one of the stronger lines"),
    { .kind = FIELD_END }
};

static const struct shape shape = { "contours_tile", sizeof(struct asked), asks, &tiles_shape, -1 };

static void look(const void *data, struct tile_look *look)
{
    const struct asked *asked = data;

    look->interval = asked->interval;
    look->base = asked->base;
}

TILE_ROUTES(contours, png, "contours", "A tile of contour lines", &shape, "interval=20", look,
            tiles_newest);
TILE_ROUTES(contours, webp, "contours", "A tile of contour lines", &shape, "interval=20", look,
            tiles_newest);
