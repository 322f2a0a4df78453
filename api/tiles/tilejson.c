#include "api/tiles/tilejson.h"

#include <inttypes.h>

#include "terrain/format/georef.h"

static const struct field rows[] = {
    FIELD(struct tilejson, tilejson, NULL, 0, 16, "Version of this form"),
    FIELD(struct tilejson, name, NULL, 0, 400, "The landscape's title, or its id"),
    FIELD(struct tilejson, description, NULL, 0, 400, "What the pixels say"),
    FIELD(struct tilejson, attribution, NULL, 0, 400, "Who made the tiles"),
    FIELD(struct tilejson, version, NULL, 0, 40, "Raised whenever the landscape changes"),
    FIELD(struct tilejson, scheme, NULL, 0, 8, "Rows are counted from the north"),
    FIELD_AS(FIELD_TEXTS, struct tilejson, tiles, "Addresses of tiles", .least = 1, .greatest = 1),
    FIELD(struct tilejson, minzoom, NULL, 0, 30, "The coarsest zoom"),
    FIELD(struct tilejson, maxzoom, NULL, 0, 30, "The zoom of the data's own step"),
    FIELD_AS(FIELD_REALS, struct tilejson, bounds, "West, south, east, north in degrees",
             .least = -180, .greatest = 180, .count = 4),
    FIELD_AS(FIELD_REALS, struct tilejson, center, "Longitude, latitude, zoom", .least = -180,
             .greatest = 180, .count = 3),
    FIELD(struct tilejson, format, NULL, 0, 8, "Of the tiles"),
    { .name = "tileSize",
      .kind = FIELD_INT,
      .at = offsetof(struct tilejson, tile_size),
      .unit = "pixels",
      .least = 256,
      .greatest = 512,
      .help = "A side of a tile" },
    { .kind = FIELD_END }
};

static const struct field more_of_heights[] = { FIELD(struct tilejson, encoding, NULL, 0, 16,
                                                      "How heights are coded; absent for pictures"),
                                                { .kind = FIELD_END } };

const struct shape tilejson_picture_shape = {
    .name = "picture_tiles", .size = sizeof(struct tilejson), .fields = rows, .given = -1
};
const struct shape tilejson_shape = { .name = "tilejson",
                                      .size = sizeof(struct tilejson),
                                      .fields = more_of_heights,
                                      .base = &tilejson_picture_shape,
                                      .given = -1 };

static bool fill_place(const struct view *view, struct tilejson *answer, struct fault *why)
{
    const struct settings *settings = view->settings;
    int32_t finest;

    if (!tile_zooms(view, &answer->maxzoom, &finest, why) ||
        !tile_bounds(view, answer->bounds, why))
        return false;
    answer->center[0] = (answer->bounds[0] + answer->bounds[2]) / 2;
    answer->center[1] = (answer->bounds[1] + answer->bounds[3]) / 2;
    if (settings->placed) { /* across 180 degrees the bounds go round the world */
        double middle[2] = { (settings->grid.columns - 1) / 2.0, (settings->grid.rows - 1) / 2.0 };

        if (!georef_from_grid(settings, GEOREF_LONLAT, middle, 1, why))
            return false;
        answer->center[0] = middle[0];
        answer->center[1] = middle[1];
    }
    answer->center[2] = answer->maxzoom > 2 ? answer->maxzoom - 2 : 0;
    return true;
}

bool tilejson_fill(const struct view *view, const char *landscape, const struct tile_set *set,
                   const struct tile_kind *kind, int32_t side, bool exact, const char *address,
                   struct arena *arena, struct tilejson *tilejson, struct fault *why)
{
    const char *title = view->settings->title;
    const char **urls = arena_new(arena, sizeof *urls);

    *tilejson = (struct tilejson){
        .tilejson = "3.0.0",
        .name = title[0] ? title : landscape,
        .description = set->title,
        .attribution = "landscaped",
        .version = arena_print(arena, "1.%" PRIu64 ".0", view->version),
        .scheme = "xyz",
        .format = kind->extension,
        .encoding = set->exact && exact ? set->exact : set->encoding,
        .tile_size = side,
        .tiles = { 1, urls },
    };
    if (!urls || !address || !tilejson->version)
        return fault_set(why, FAULT_MEMORY, "No memory for the answer");
    urls[0] = address;
    return fill_place(view, tilejson, why);
}
