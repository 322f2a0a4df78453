/* layer.json, as CesiumJS reads it: which tiles there are and what they can tell. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "api/globes/globes.h"

struct layer {
    const char *tilejson, *name, *format, *version, *scheme, *projection, *attribution;
    struct list tiles, extensions; /* of const char * */
    int32_t minzoom, maxzoom;
    double bounds[4];
    struct json_text available;
    struct json_text metadata_availability;
    struct list mesh_errors; /* of double */
    const char *vertical_datum;
    double ellipsoid_offset, height_offset;
    const char *geoid;
};

#define RENAMED(kind_, member, name_, help_, ...)                                                  \
    {                                                                                              \
        .name = name_, .kind = kind_, .at = offsetof(struct layer, member), .help = help_,         \
        __VA_ARGS__                                                                                \
    }

static const struct field rows[] = {
    FIELD(struct layer, tilejson, NULL, 0, 16, "Version of this form"),
    FIELD(struct layer, name, NULL, 0, 400, "The landscape's title, or its id"),
    FIELD(struct layer, format, NULL, 0, 32, "quantized-mesh-1.0 or heightmap-1.0"),
    FIELD(struct layer, version, NULL, 0, 40, "Raised whenever the landscape changes"),
    FIELD(struct layer, scheme, NULL, 0, 8, "Rows are counted from the south"),
    FIELD(struct layer, projection, NULL, 0, 16, "Of the grid of tiles"),
    FIELD(struct layer, attribution, NULL, 0, 400, "Who made the tiles"),
    FIELD_AS(FIELD_TEXTS, struct layer, tiles, "Addresses of tiles, relative to this one",
             .least = 1, .greatest = 1),
    FIELD_AS(FIELD_TEXTS, struct layer, extensions, "What tiles can tell beside their heights",
             .greatest = 3),
    FIELD(struct layer, minzoom, NULL, 0, 30, "The coarsest zoom"),
    FIELD(struct layer, maxzoom, NULL, 0, 30, "The zoom of the data's own step"),
    FIELD_AS(FIELD_REALS, struct layer, bounds, "West, south, east, north of the data in degrees",
             .least = -180, .greatest = 180, .count = 4),
    FIELD(struct layer, available, NULL, 0, 0,
          "For each zoom the rectangles of tiles that there are, rows from the south"),
    RENAMED(FIELD_JSON, metadata_availability, "metadataAvailability",
            "Every so many zooms tiles tell which there are further down; or null"),
    FIELD_AS(FIELD_NUMBERS, struct layer, mesh_errors,
             "Of each zoom how far meshes may lie off their samples", .unit = "m"),
    FIELD(struct layer, vertical_datum, NULL, 0, 0, "What the landscape's heights refer to"),
    FIELD(struct layer, ellipsoid_offset, "m", 0, 0, "What was added to them"),
    FIELD(struct layer, height_offset, "m", 0, 0, "And further, as asked"),
    FIELD(struct layer, geoid, NULL, 0, 0, "And by a raster; or null"),
    { .kind = FIELD_END }
};

const struct shape globes_layer_shape = { "terrain_layer", sizeof(struct layer), rows, NULL, -1 };

/* Ranges as JSON, in the arena by way of bytes. */
static bool add_ranges(struct request *rq, int32_t z, struct bytes *json)
{
    struct rect ranges[2];
    int32_t count;

    if (!globe_ranges(rq->view, z, ranges, &count, &rq->fault) ||
        !bytes_print(json, &rq->fault, "%s[", z ? "," : ""))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const struct rect in = ranges[i];
        const int64_t rows_of = (int64_t)1 << z;

        if (!bytes_print(json, &rq->fault,
                         "%s{\"startX\":%d,\"startY\":%d,\"endX\":%d,\"endY\":%d}", i ? "," : "",
                         in.x, (int)(rows_of - in.y - in.height), in.x + in.width - 1,
                         (int)(rows_of - 1 - in.y)))
            return false;
    }
    return bytes_print(json, &rq->fault, "]");
}

static bool fill_available(struct request *rq, struct layer *layer)
{
    struct bytes json = { 0 };
    bool done = bytes_print(&json, &rq->fault, "[");

    for (int32_t z = 0; done && z <= layer->maxzoom; z++)
        done = add_ranges(rq, z, &json);
    done = done && bytes_print(&json, &rq->fault, "]");
    if (done)
        layer->available.text =
            arena_print(rq->arena, "%.*s", (int)json.length, (const char *)json.data);
    bytes_free(&json);
    return done && (layer->available.text || REFUSE(rq, FAULT_MEMORY, "No memory for the answer"));
}

static bool fill_errors(struct request *rq, double max_error, struct layer *layer)
{
    double *errors = arena_new(rq->arena, (size_t)(layer->maxzoom + 1) * sizeof *errors);

    if (!errors)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the answer");
    for (int32_t z = 0; z <= layer->maxzoom; z++)
        errors[z] = isnan(max_error) ? globe_mesh_error(z, layer->maxzoom) : max_error;
    layer->mesh_errors = (struct list){ (size_t)layer->maxzoom + 1, errors };
    return true;
}

static bool fill_extensions(struct request *rq, const struct globes_look *look, bool metadata,
                            struct layer *layer)
{
    const char **names = arena_new(rq->arena, 3 * sizeof *names);
    size_t count = 0;

    if (!names)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the answer");
    names[count++] = "octvertexnormals";
    if (globes_water(look))
        names[count++] = "watermask";
    if (metadata)
        names[count++] = "metadata";
    layer->extensions = (struct list){ count, names };
    return true;
}

static bool fill_layer(struct request *rq, const struct globes_asked *asked, double max_error,
                       int32_t metadata_levels, const struct globes_layer *of, struct layer *layer)
{
    const struct settings *settings = rq->view->settings;
    const char **tiles = arena_new(rq->arena, sizeof *tiles);
    struct globes_look look;
    bool done;

    if (!tiles)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the answer");
    tiles[0] = "{z}/{x}/{y}.terrain?v={version}";
    *layer = (struct layer){
        .tilejson = "2.1.0",
        .name = settings->title[0] ? settings->title : rq->landscape_name,
        .format = of->format,
        .version = arena_print(rq->arena, "1.%" PRIu64 ".0", rq->view->version),
        .scheme = "tms",
        .projection = "EPSG:4326",
        .attribution = "landscaped",
        .tiles = { 1, tiles },
        .extensions = { 0, tiles },
        .mesh_errors = { 0, tiles },
        .vertical_datum = settings->vertical_datum[0] ? settings->vertical_datum : NULL,
        .ellipsoid_offset = settings->ellipsoid_offset,
        .height_offset = asked->height_offset,
        .geoid = settings->geoid[0] ? settings->geoid : NULL,
    };
    if (metadata_levels > 0)
        layer->metadata_availability.text = arena_print(rq->arena, "%d", metadata_levels);
    if (!globe_finest(rq->view, &layer->maxzoom, &rq->fault) ||
        !globe_bounds(rq->view, layer->bounds, &rq->fault) ||
        !globes_look_init(rq, asked, false, &look))
        return false;
    done = fill_available(rq, layer) &&
           (!of->meshes || (fill_errors(rq, max_error, layer) &&
                            fill_extensions(rq, &look, metadata_levels > 0, layer)));
    globes_look_fini(&look);
    return done;
}

bool globes_layer_run(struct request *rq, const struct globes_asked *asked, double max_error,
                      int32_t metadata_levels, const struct globes_layer *layer, void *answer)
{
    return fill_layer(rq, asked, max_error, metadata_levels, layer, answer);
}
