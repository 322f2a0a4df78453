/* How steep the ground is, which way it falls, and its normals, as tiles. */
#include "api/tiles/tiles.h"

struct normal_asked {
    struct tiles_asked tile;
    double exaggeration;
};

struct aspect_asked {
    struct normal_asked normal;
    int style; /* index into tiles_styles, which is enum tile_style */
};

struct slope_asked {
    struct aspect_asked aspect;
    int unit; /* likewise */
    double steepest;
};

static const struct field normal_asks[] = { FIELD(struct normal_asked, exaggeration, NULL, 0, 1000,
                                                  "Heights count this many times",
                                                  .has_value = true, .value = 1),
                                            { .kind = FIELD_END } };
static const struct shape normal_shape = { "normal_tile", sizeof(struct normal_asked), normal_asks,
                                           &tiles_shape, -1 };

static const struct field aspect_asks[] = {
    FIELD_AS(FIELD_CHOICE, struct aspect_asked, style,
             "Colours, grays, or numbers coded as terrarium codes metres", .words = tiles_styles),
    { .kind = FIELD_END }
};
static const struct shape aspect_shape = { "aspect_tile", sizeof(struct aspect_asked), aspect_asks,
                                           &normal_shape, -1 };

static const struct field slope_asks[] = {
    FIELD_AS(FIELD_CHOICE, struct slope_asked, unit, "What slopes are measured in",
             .words = tiles_units),
    FIELD(struct slope_asked, steepest, NULL, 0.001, 1e6,
          "The slope at which colours and grays end, in that unit", .has_value = true, .value = 60),
    { .kind = FIELD_END }
};
static const struct shape slope_shape = { "slope_tile", sizeof(struct slope_asked), slope_asks,
                                          &aspect_shape, -1 };

static void normal_look(const void *data, struct tile_look *look)
{
    look->exaggeration = ((const struct normal_asked *)data)->exaggeration;
}

static void aspect_look(const void *data, struct tile_look *look)
{
    normal_look(data, look);
    look->style = (enum tile_style)((const struct aspect_asked *)data)->style;
}

static void slope_look(const void *data, struct tile_look *look)
{
    const struct slope_asked *asked = data;

    aspect_look(data, look);
    look->unit = (enum tile_unit)asked->unit;
    look->steepest = asked->steepest;
}

TILE_ROUTES(slope, png, "slope", "A tile of how steep the ground is", &slope_shape,
            "style=ramp&unit=degrees", slope_look, tiles_newest);
TILE_ROUTES(slope, webp, "slope", "A tile of how steep the ground is", &slope_shape,
            "style=ramp&unit=degrees", slope_look, tiles_newest);
TILE_ROUTES(aspect, png, "aspect", "A tile of which way the ground falls", &aspect_shape,
            "style=ramp", aspect_look, tiles_newest);
TILE_ROUTES(aspect, webp, "aspect", "A tile of which way the ground falls", &aspect_shape,
            "style=ramp", aspect_look, tiles_newest);
TILE_ROUTES(normal, png, "normal", "A tile of the ground's normals", &normal_shape,
            "exaggeration=1", normal_look, tiles_newest);
TILE_ROUTES(normal, webp, "normal", "A tile of the ground's normals", &normal_shape,
            "exaggeration=1", normal_look, tiles_newest);
