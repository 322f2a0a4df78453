/* Where a set's tiles are and how they are to be read: TileJSON 3.0.0 (mapbox/tilejson-spec). */
#include <inttypes.h>
#include <string.h>

#include "api/json_write.h"
#include "api/tiles/tiles.h"
#include "terrain/format/georef.h"

static const char *const sizes[] = { "256", "512", NULL };

/* The options that tiles themselves take: they become part of the tiles' address. */
struct asked {
    uint64_t given;
    const char *set;
    int tile_size; /* index into sizes */
    const char *format;
    int style, unit;
    double fill, sun_azimuth, sun_elevation, exaggeration, steepest, interval, base;
};

enum { OPTIONS_FIRST = 3 };

static const struct field asks[] = {
    FIELD_AS(
        FIELD_NAME, struct asked, set,
        "Tile set: terrain-rgb, terrarium, hillshade, slope, aspect, normal, contours or weights",
        .required = true, .in_path = true),
    FIELD_AS(FIELD_CHOICE, struct asked, tile_size, "Pixels a side of the tiles that it names",
             .words = sizes),
    FIELD(struct asked, format, NULL, 0, 8, "The kind of file that it names, such as png"),
    FIELD_AS(FIELD_CHOICE, struct asked, style, "As the tiles take it", .words = tiles_styles),
    FIELD_AS(FIELD_CHOICE, struct asked, unit, "As the tiles take it", .words = tiles_units),
    FIELD(struct asked, fill, "m", -1e6, 1e7, "As the tiles take it"),
    FIELD(struct asked, sun_azimuth, "degrees", -360, 360, "As the tiles take it"),
    FIELD(struct asked, sun_elevation, "degrees", 0, 90, "As the tiles take it"),
    FIELD(struct asked, exaggeration, NULL, 0, 1000, "As the tiles take it"),
    FIELD(struct asked, steepest, NULL, 0.001, 1e6, "As the tiles take it"),
    FIELD(struct asked, interval, "m", 0, 1e5, "As the tiles take it"),
    FIELD(struct asked, base, "m", -1e6, 1e6, "As the tiles take it"),
    { .kind = FIELD_END }
};

struct tilejson {
    const char *tilejson, *name, *description, *attribution, *version, *scheme, *format;
    struct list tiles; /* of const char * */
    int32_t minzoom, maxzoom, tile_size;
    double bounds[4], center[3];
    const char *encoding;
};

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

static const struct shape picture_shape = { "picture_tiles", sizeof(struct tilejson), rows, NULL,
                                            -1 };
static const struct shape shape = { "tilejson", sizeof(struct tilejson), more_of_heights,
                                    &picture_shape, -1 };

static bool fill_place(struct request *rq, struct tilejson *answer)
{
    const struct settings *settings = rq->view->settings;
    int32_t finest;

    if (!tile_zooms(rq->view, &answer->maxzoom, &finest, &rq->fault) ||
        !tile_bounds(rq->view, answer->bounds, &rq->fault))
        return false;
    answer->center[0] = (answer->bounds[0] + answer->bounds[2]) / 2;
    answer->center[1] = (answer->bounds[1] + answer->bounds[3]) / 2;
    if (settings->placed) { /* across 180 degrees the bounds go round the world */
        double middle[2] = { (settings->grid.columns - 1) / 2.0, (settings->grid.rows - 1) / 2.0 };

        if (!georef_from_grid(settings, GEOREF_LONLAT, middle, 1, &rq->fault))
            return false;
        answer->center[0] = middle[0];
        answer->center[1] = middle[1];
    }
    answer->center[2] = answer->maxzoom > 2 ? answer->maxzoom - 2 : 0;
    return true;
}

/* "?style=gray&fill=0", of what was given; "" when nothing was. */
static const char *options_print(struct arena *arena, const struct asked *asked)
{
    const char *text = "";

    for (int i = OPTIONS_FIRST; text && asks[i].kind != FIELD_END; i++) {
        const void *at = (const char *)asked + asks[i].at;
        const char *joint = *text ? "&" : "?";

        if (!(asked->given >> i & 1))
            continue;
        text = asks[i].kind == FIELD_CHOICE
                   ? arena_print(arena, "%s%s%s=%s", text, joint, asks[i].name,
                                 asks[i].words[*(const int *)at])
                   : arena_print(arena, "%s%s%s=%.17g", text, joint, asks[i].name,
                                 *(const double *)at);
    }
    return text;
}

static const char *set_names(struct arena *arena)
{
    const char *text = "";

    for (int i = 0; text && tile_sets[i]; i++)
        text = arena_print(arena, "%s%s%s", text,
                           i == 0             ? ""
                           : tile_sets[i + 1] ? ", "
                                              : " and ",
                           tile_sets[i]->name);
    return text;
}

static const char *kind_names(struct arena *arena, const struct tile_set *set)
{
    const char *text = "";

    for (int i = 0; text && set->kinds[i]; i++)
        text = arena_print(arena, "%s%s%s", text, i ? " or " : "", set->kinds[i]->extension);
    return text;
}

static bool run(struct request *rq, const void *data, void *into)
{
    const struct asked *asked = data;
    struct tilejson *answer = into;
    const struct tile_set *set = tile_set_find(asked->set);
    const struct tile_kind *kind;
    const char *encoding;
    const char *title = rq->view->settings->title;
    const char **urls = arena_new(rq->arena, sizeof *urls);

    if (!set)
        return REFUSE(rq, FAULT_MISSING, "There is no tile set %s, only %s", asked->set,
                      set_names(rq->arena));
    kind = asked->format ? tile_set_kind(set, asked->format) : set->kinds[0];
    if (!kind)
        return REFUSE(rq, FAULT_INPUT, "Tiles of %s are %s", set->name,
                      kind_names(rq->arena, set)) ||
               fault_at(&rq->fault, "format");
    if (urls)
        urls[0] =
            arena_print(rq->arena, "%s/v1/landscapes/%s/tiles/%s/{z}/{x}/{y}%s.%s%s", rq->base_url,
                        rq->landscape_name, set->name, asked->tile_size ? "@2x" : "",
                        kind->extension, options_print(rq->arena, asked));
    encoding = set->exact && asked->style == TILE_EXACT ? set->exact : set->encoding;
    *answer = (struct tilejson){
        .tilejson = "3.0.0",
        .name = title[0] ? title : rq->landscape_name,
        .description = set->title,
        .attribution = "landscaped",
        .version = arena_print(rq->arena, "1.%" PRIu64 ".0", rq->view->version),
        .scheme = "xyz",
        .format = kind->extension,
        .encoding = encoding,
        .tile_size = asked->tile_size ? TILE_SIDE_2X : TILE_SIDE,
        .tiles = { 1, urls },
    };
    if (!urls || !urls[0] || !answer->version)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the answer");
    return fill_place(rq, answer) &&
           (encoding || json_write(&picture_shape, answer, &rq->bytes, &rq->fault));
}

const struct endpoint endpoint_get_tilejson = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/tiles/{set}/tilejson.json",
    .summary = "Where the tiles of a set are and how to read them, as TileJSON 3.0",
    .example = "tile_size=256",
    .example_path = "/v1/landscapes/demo/tiles/terrain-rgb/tilejson.json",
    .scope = SCOPE_READ,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ "tilejson_asked", sizeof(struct asked), asks, NULL,
                                   offsetof(struct asked, given) },
    .answers = &shape,
    .loose_query = true,
    .run = run,
};
