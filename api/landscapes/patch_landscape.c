/* Changes settings by JSON Merge Patch (RFC 7396): null goes back to the default. */
#include "api/landscapes/document.h"

#include <string.h>

struct patch {
    const char *title;
    double scale[3], origin[3];
    const char *crs;
    double bounds[4];
    double lod0_screen_size, lod0_distribution, lod_distribution;
    int32_t collision_mip;
    const char *vertical_datum;
    double ellipsoid_offset;
    const char *geoid;
    double geoid_metres[2];
    uint64_t given;
};

enum {
    GIVEN_TITLE,
    GIVEN_SCALE,
    GIVEN_ORIGIN,
    GIVEN_CRS,
    GIVEN_BOUNDS,
    GIVEN_LOD0_SCREEN_SIZE,
    GIVEN_LOD0_DISTRIBUTION,
    GIVEN_LOD_DISTRIBUTION,
    GIVEN_COLLISION_MIP,
    GIVEN_VERTICAL_DATUM,
    GIVEN_ELLIPSOID_OFFSET,
    GIVEN_GEOID,
    GIVEN_GEOID_METRES,
};

static const struct field takes[] = {
    FIELD(struct patch, title, NULL, 0, SETTINGS_TITLE_MOST, "A name for people", .nullable = true,
          .has_value = true, .text = ""),
    FIELD_AS(FIELD_REALS, struct patch, scale,
             "Metres of a step east and south (read-only with a crs), and of 128 height units",
             .count = 3, .unit = "m", .least = SETTINGS_SCALE_LEAST,
             .greatest = SETTINGS_SCALE_MOST, .nullable = true),
    FIELD_AS(FIELD_REALS, struct patch, origin, "Local position of the north-west vertex",
             .count = 3, .unit = "m", .least = -SETTINGS_ORIGIN_MOST,
             .greatest = SETTINGS_ORIGIN_MOST, .nullable = true),
    FIELD(struct patch, crs, NULL, 0, SETTINGS_CRS_MOST - 1, "EPSG:n, with bounds",
          .nullable = true),
    FIELD_AS(FIELD_REALS, struct patch, bounds,
             "West, south, east, north of the outermost vertices, in CRS units", .count = 4,
             .least = -SETTINGS_BOUNDS_MOST, .greatest = SETTINGS_BOUNDS_MOST, .nullable = true),
    FIELD(struct patch, lod0_screen_size, NULL, 1e-3, 1e3,
          "Screen size down to which LOD 0 is drawn", .nullable = true, .has_value = true,
          .value = 0.5),
    FIELD(struct patch, lod0_distribution, NULL, 1, 1e3, "Ratio of the screen sizes of LOD 0 and 1",
          .nullable = true, .has_value = true, .value = 1.25),
    FIELD(struct patch, lod_distribution, NULL, 1, 1e3, "Ratio of those of the further LODs",
          .nullable = true, .has_value = true, .value = 3),
    FIELD(struct patch, collision_mip, NULL, 0, LAYOUT_LODS_MOST, "The mip that collides",
          .nullable = true, .has_value = true),
    FIELD(struct patch, vertical_datum, NULL, 0, SETTINGS_DATUM_MOST,
          "What heights refer to, such as EPSG:5773; for people and clients", .nullable = true,
          .has_value = true, .text = ""),
    FIELD(struct patch, ellipsoid_offset, "m", -SETTINGS_RAISE_MOST, SETTINGS_RAISE_MOST,
          "Added to heights to get those above the ellipsoid, for globes", .nullable = true,
          .has_value = true),
    FIELD_AS(FIELD_NAME, struct patch, geoid,
             "An uploaded raster of undulations, stretched over the bounds, added likewise",
             .nullable = true),
    FIELD_AS(FIELD_REALS, struct patch, geoid_metres, "Metres of its samples 0 and 65535",
             .count = 2, .unit = "m", .least = -SETTINGS_RAISE_MOST,
             .greatest = SETTINGS_RAISE_MOST, .nullable = true),
    { .kind = FIELD_END }
};

static const struct shape patch_shape = { .name = "landscape_patch",
                                          .size = sizeof(struct patch),
                                          .fields = takes,
                                          .given = offsetof(struct patch, given) };

static bool gave(const struct patch *patch, int field)
{
    return patch->given >> field & 1;
}

static void patch_numbers(const struct patch *patch, struct settings *settings)
{
    if (gave(patch, GIVEN_ORIGIN))
        memcpy(settings->grid.origin, patch->origin, sizeof patch->origin);
    if (gave(patch, GIVEN_LOD0_SCREEN_SIZE))
        settings->lod0_screen_size = patch->lod0_screen_size;
    if (gave(patch, GIVEN_LOD0_DISTRIBUTION))
        settings->lod0_distribution = patch->lod0_distribution;
    if (gave(patch, GIVEN_LOD_DISTRIBUTION))
        settings->lod_distribution = patch->lod_distribution;
    if (gave(patch, GIVEN_COLLISION_MIP))
        settings->collision_mip = patch->collision_mip;
    if (gave(patch, GIVEN_ELLIPSOID_OFFSET))
        settings->ellipsoid_offset = patch->ellipsoid_offset;
    if (gave(patch, GIVEN_GEOID_METRES))
        memcpy(settings->geoid_metres, patch->geoid_metres, sizeof patch->geoid_metres);
}

/* Texts that fit, as their rows and make() see to. */
static void patch_texts(const struct patch *patch, struct settings *settings)
{
    if (gave(patch, GIVEN_TITLE))
        strcpy(settings->title, patch->title);
    if (gave(patch, GIVEN_VERTICAL_DATUM))
        strcpy(settings->vertical_datum, patch->vertical_datum);
    if (gave(patch, GIVEN_GEOID))
        strcpy(settings->geoid, patch->geoid ? patch->geoid : "");
}

static bool text_fits(const char *text, size_t most, const char *name, struct fault *why)
{
    if (!text || strlen(text) <= most)
        return true;
    fault_set(why, FAULT_INPUT, "The %s has %zu bytes; at most %zu fit", name, strlen(text), most);
    return fault_at(why, "/%s", name);
}

/* A landscape that loses its crs keeps the steps that it had; one that has none takes what is
 * given, and null is 1. */
static bool patch_place(const struct patch *patch, struct settings *settings, struct fault *why)
{
    static const double ones[3] = { 1, 1, 1 };
    const double *scale = NULL;

    if (gave(patch, GIVEN_CRS))
        strcpy(settings->crs, patch->crs ? patch->crs : "");
    if (gave(patch, GIVEN_BOUNDS)) {
        memcpy(settings->bounds, patch->bounds, sizeof patch->bounds);
        settings->placed = patch->bounds[0] != 0 || patch->bounds[1] != 0 ||
                           patch->bounds[2] != 0 || patch->bounds[3] != 0;
    }
    if (gave(patch, GIVEN_SCALE)) {
        bool none = patch->scale[0] == 0; /* null: no scale is 0 */

        memcpy(settings->grid.scale, none ? ones : patch->scale, sizeof ones);
        scale = none ? NULL : patch->scale;
    }
    return document_place(settings, scale, why);
}

static bool make(void *context, struct draft *draft, struct fault *why)
{
    const struct patch *patch = context;
    struct settings *settings = settings_copy(draft_view(draft)->settings);
    bool made = false;

    if (!settings)
        return fault_set(why, FAULT_MEMORY, "No memory for the settings");
    if (!text_fits(gave(patch, GIVEN_TITLE) ? patch->title : NULL, SETTINGS_TITLE_MOST, "title",
                   why) ||
        !text_fits(gave(patch, GIVEN_VERTICAL_DATUM) ? patch->vertical_datum : NULL,
                   SETTINGS_DATUM_MOST, "vertical_datum", why))
        goto done;
    patch_texts(patch, settings);
    patch_numbers(patch, settings);
    made = patch_place(patch, settings, why) && draft_settings(draft, &settings, why);

done:
    settings_drop(settings);
    return made;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct patch patch = *(const struct patch *)rq->body;
    struct landscape_change change = { .make = make,
                                       .context = &patch,
                                       .if_match = rq->if_match,
                                       .author = rq->author,
                                       .request = document_request(rq),
                                       .once = rq->idempotency_key };
    struct landscape_changed changed;

    (void)asked;
    return landscape_change(rq->landscape, &change, &changed, &rq->fault) &&
           document_of(rq, rq->landscape, answer);
}

static const char *const media_in[] = { "application/merge-patch+json", "application/json", NULL };

const struct endpoint endpoint_patch_landscape = {
    .method = "PATCH",
    .path = "/v1/landscapes/{landscape}",
    .summary = "Change title, place, scale, LOD and collision settings (JSON Merge Patch)",
    .example_path = "/v1/landscapes/demo",
    .example_body = "{\"title\":\"Hills\",\"collision_mip\":1}",
    .scope = SCOPE_EDIT,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .takes = &patch_shape,
    .media_in = media_in,
    .conditional = true,
    .answers = &document_shape,
    .run = run,
};
