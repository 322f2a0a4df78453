/* Meshes for globes, quantized-mesh-1.0: the layer's description and its tiles. */
#include <math.h>
#include <string.h>

#include "api/globes/globes.h"
#include "api/service.h"
#include "terrain/format/quantized_mesh.h"
#include "terrain/format/tile_map.h"

struct layer_asked {
    struct globes_asked globe;
    double max_error;
    int32_t metadata_levels;
    double skirts;
    uint64_t given;
};

struct tile_asked {
    struct layer_asked layer;
    int32_t z, x, y;
    const char *extensions;
};

enum { GIVEN_MAX_ERROR };

static const char *const skirt_words[] = { "true", NULL };

static const struct field layer_rows[] = {
    FIELD(struct layer_asked, max_error, "m", 0, 1e6,
          "How far meshes may lie off their samples; by default 77067.34 / 2^zoom, which is what "
          "clients take them to be, and an eighth of it at the last zoom"),
    FIELD(struct layer_asked, metadata_levels, "zooms", 0, 30,
          "Every so many zooms tiles tell which there are further down (the metadata extension); 0 "
          "is never"),
    FIELD_AS(FIELD_PICK, struct layer_asked, skirts,
             "Curtains of so many metres, of the tile's error at least, that hang straight down "
             "from each edge, for clients that hang none of their own (CesiumJS does); true: twice "
             "its error; none by default",
             .unit = "m", .least = 0, .greatest = 1e5, .words = skirt_words, .has_value = true),
    { .kind = FIELD_END }
};

static const struct shape layer_shape = { "cesium_layer", sizeof(struct layer_asked), layer_rows,
                                          &globes_shape, offsetof(struct layer_asked, given) };

static const struct field tile_rows[] = {
    GLOBES_TILE_ROWS(struct tile_asked),
    FIELD(struct tile_asked, extensions, NULL, 0, 200,
          "octvertexnormals, watermask, metadata, joined by - ; instead of those in Accept"),
    { .kind = FIELD_END }
};

static const struct shape tile_shape = { "cesium_tile", sizeof(struct tile_asked), tile_rows,
                                         &layer_shape, -1 };

static double max_error_of(const struct layer_asked *asked)
{
    return asked->given >> GIVEN_MAX_ERROR & 1 ? asked->max_error : NAN;
}

static bool layer_run(struct request *rq, const void *data, void *answer)
{
    static const struct globes_layer layer = { "quantized-mesh-1.0", "cesium", true };
    const struct layer_asked *asked = data;

    return globes_layer_run(rq, &asked->globe, max_error_of(asked), asked->metadata_levels, &layer,
                            answer);
}

static unsigned extensions_in(const char *names, const char *end_marks)
{
    static const char *const words[] = { "octvertexnormals", "watermask", "metadata" };
    static const unsigned bits[] = { QUANTIZED_NORMALS, QUANTIZED_WATER, QUANTIZED_METADATA };
    unsigned found = 0;

    while (*names && !strchr(end_marks, *names)) {
        size_t length = strcspn(names, "-,;\" \t");

        for (int i = 0; i < 3; i++)
            if (strlen(words[i]) == length && strncmp(names, words[i], length) == 0)
                found |= bits[i];
        names += length;
        if (*names && !strchr(end_marks, *names))
            names++;
    }
    return found;
}

/* Accept: application/vnd.quantized-mesh;extensions=a-b-c,… */
static unsigned extensions_accepted(const char *accept)
{
    static const char type[] = "application/vnd.quantized-mesh", name[] = "extensions=";
    const char *at = accept ? strstr(accept, type) : NULL, *end, *found;

    if (!at)
        return 0;
    end = at + strcspn(at, ",");
    found = strstr(at, name);
    return found && found < end ? extensions_in(found + strlen(name), ",; \t") : 0;
}

/* Only what was asked for and the layer announces. */
static unsigned extensions_of(const struct request *rq, const struct tile_asked *asked,
                              const struct globes_look *look)
{
    unsigned wanted =
        asked->extensions ? extensions_in(asked->extensions, "") : extensions_accepted(rq->accept);

    if (!globes_water(look))
        wanted &= ~(unsigned)QUANTIZED_WATER;
    if (asked->layer.metadata_levels == 0)
        wanted &= ~(unsigned)QUANTIZED_METADATA;
    return wanted;
}

static bool look_of(struct request *rq, const struct tile_asked *asked, bool samples,
                    struct globes_look *look)
{
    if (!globes_look_init(rq, &asked->layer.globe, samples, look))
        return false;
    look->look.max_error = max_error_of(&asked->layer);
    look->look.skirts = asked->layer.skirts;
    look->look.metadata_levels = asked->layer.metadata_levels;
    look->look.extensions = extensions_of(rq, asked, look);
    return true;
}

static bool tile_newest(struct request *rq, const void *data, uint64_t *version)
{
    const struct tile_asked *asked = data;
    struct globe_tile tile;
    struct globes_look look;
    bool done;

    if (!globes_tile(rq, asked->z, asked->x, asked->y, &tile) || !look_of(rq, asked, false, &look))
        return false;
    done = globe_stamp(rq->view, &tile, &look.look, version, &rq->fault);
    *version = tile_map_mix(*version, look.look.extensions | asked->layer.given << 8 |
                                          asked->layer.globe.given << 16);
    globes_look_fini(&look);
    return done;
}

static bool tile_run(struct request *rq, const void *data, void *answer)
{
    const struct tile_asked *asked = data;
    struct globe_tile tile;
    struct globes_look look;

    (void)answer;
    if (!globes_tile(rq, asked->z, asked->x, asked->y, &tile) || !look_of(rq, asked, true, &look))
        return false;
    rq->has_mesh_error = globe_mesh(rq->view, rq->service->derived, &tile, &look.look, &rq->bytes,
                                    &rq->mesh_error, &rq->fault);
    globes_look_fini(&look);
    return rq->has_mesh_error;
}

static const char *const media[] = { "application/vnd.quantized-mesh", "application/octet-stream",
                                     NULL };

const struct endpoint endpoint_get_cesium_layer = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/cesium/layer.json",
    .summary = "Where the meshes for globes are, as CesiumJS reads it",
    .example = "max_error=20",
    .example_path = "/v1/landscapes/demo/cesium/layer.json",
    .scope = SCOPE_READ,
    .holds = HOLDS_VIEW,
    .asks = &layer_shape,
    .answers = &globes_layer_shape,
    .loose_query = true,
    .run = layer_run,
};

const struct endpoint endpoint_get_cesium_tile = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/cesium/{z}/{x}/{y}.terrain",
    .summary = "A mesh for globes, quantized-mesh-1.0",
    .example = "max_error=20&extensions=octvertexnormals",
    .example_path = "/v1/landscapes/demo/cesium/0/0/0.terrain",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &tile_shape,
    .media_out = media,
    .loose_query = true,
    .kept = true,
    .content_etag = true,
    .newest = tile_newest,
    .run = tile_run,
};
