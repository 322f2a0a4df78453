/* Where a set's tiles are and how they are to be read: TileJSON 3.0.0 (mapbox/tilejson-spec). */
#include <string.h>

#include "api/json_write.h"
#include "api/tiles/tilejson.h"
#include "api/tiles/tiles.h"

static const char *const sizes[] = { "256", "512", NULL };

/* The options that tiles themselves take: they become part of the tiles' address. */
struct asked {
    uint64_t given;
    const char *set;
    int tile_size; /* index into sizes */
    const char *format;
    int style, unit, registration;
    int32_t buffer;
    double fill, sun_azimuth, sun_elevation, exaggeration, steepest, interval, base;
};

enum { OPTIONS_FIRST = 3 };

static const struct field asks[] = {
    FIELD_AS(FIELD_NAME, struct asked, set,
             "Tile set: terrain-rgb, terrarium, native, hillshade, slope, aspect, normal, contours "
             "or weights",
             .required = true, .in_path = true),
    FIELD_AS(FIELD_CHOICE, struct asked, tile_size, "Pixels a side of the tiles that it names",
             .words = sizes),
    FIELD(struct asked, format, NULL, 0, 8, "The kind of file that it names, such as png"),
    FIELD_AS(FIELD_CHOICE, struct asked, registration, "As the tiles take it",
             .words = tiles_registrations),
    FIELD(struct asked, buffer, "pixels", 0, TILES_BUFFER_MOST, "As the tiles take it"),
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

/* "?style=gray&fill=0", of what was given; "" when nothing was. */
static const char *options_print(struct arena *arena, const struct asked *asked)
{
    const char *text = "";

    for (int i = OPTIONS_FIRST; text && asks[i].kind != FIELD_END; i++) {
        const void *at = (const char *)asked + asks[i].at;
        const char *joint = *text ? "&" : "?";

        if (!(asked->given >> i & 1))
            continue;
        text = asks[i].kind == FIELD_INT ? arena_print(arena, "%s%s%s=%d", text, joint,
                                                       asks[i].name, *(const int32_t *)at)
               : asks[i].kind == FIELD_CHOICE
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
    const struct tile_set *set = tile_set_find(asked->set);
    const struct tile_kind *kind;
    const char *address;

    if (!set)
        return REFUSE(rq, FAULT_MISSING, "There is no tile set %s, only %s", asked->set,
                      set_names(rq->arena));
    kind = asked->format ? tile_set_kind(set, asked->format) : set->kinds[0];
    if (!kind)
        return REFUSE(rq, FAULT_INPUT, "Tiles of %s are %s", set->name,
                      kind_names(rq->arena, set)) ||
               fault_at(&rq->fault, "format");
    address =
        arena_print(rq->arena, "%s/v1/landscapes/%s/tiles/%s/{z}/{x}/{y}%s.%s%s", rq->base_url,
                    rq->landscape_name, set->name, asked->tile_size ? "@2x" : "", kind->extension,
                    options_print(rq->arena, asked));
    return tilejson_fill(rq->view, rq->landscape_name, set, kind,
                         asked->tile_size ? TILE_SIDE_2X : TILE_SIDE, asked->style == TILE_EXACT,
                         address, rq->arena, into, &rq->fault) &&
           (((struct tilejson *)into)->encoding ||
            json_write(&tilejson_picture_shape, into, &rq->bytes, &rq->fault));
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
    .answers = &tilejson_shape,
    .loose_query = true,
    .run = run,
};
