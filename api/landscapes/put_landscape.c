/* Creates a landscape, all of one height. */
#include "api/landscapes/document.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/json_write.h"
#include "api/layers/paint_layer.h"
#include "api/service.h"

struct body {
    struct document_layout layout;
    double scale[3], origin[3], height;
    const char *crs;
    double bounds[4];
    const char *title;
    struct list layers;
    uint64_t given;
};

enum { GIVEN_LAYOUT, GIVEN_SCALE, GIVEN_ORIGIN, GIVEN_HEIGHT, GIVEN_CRS, GIVEN_BOUNDS };

static const struct field layer_rows[] = {
    PAINT_LAYER_ROWS(true),
    FIELD(struct paint_layer_body, fill, NULL, 0, 0,
          "Whether it is painted in full everywhere; of blended layers, one may be"),
    { .kind = FIELD_END }
};

static const struct shape layer_shape = { .name = "paint_layer",
                                          .size = sizeof(struct paint_layer_body),
                                          .fields = layer_rows,
                                          .given = offsetof(struct paint_layer_body, given) };

static const struct field takes[] = {
    FIELD_AS(FIELD_OBJECT, struct body, layout, "How it divides into components",
             .shape = SHAPE(struct document_layout, document_layout_rows), .required = true),
    FIELD_AS(FIELD_REALS, struct body, scale,
             "Metres of a step east and south (not with a crs), and of 128 height units; 1 each",
             .count = 3, .unit = "m", .least = SETTINGS_SCALE_LEAST,
             .greatest = SETTINGS_SCALE_MOST),
    FIELD_AS(FIELD_REALS, struct body, origin, "Local position of the north-west vertex",
             .count = 3, .unit = "m", .least = -SETTINGS_ORIGIN_MOST,
             .greatest = SETTINGS_ORIGIN_MOST),
    FIELD(struct body, height, "m", -1e9, 1e9, "The height everywhere", .has_value = true),
    FIELD(struct body, crs, NULL, 0, SETTINGS_CRS_MOST - 1, "EPSG:n, with bounds",
          .nullable = true),
    FIELD_AS(FIELD_REALS, struct body, bounds,
             "West, south, east, north of the outermost vertices, in CRS units", .count = 4,
             .least = -SETTINGS_BOUNDS_MOST, .greatest = SETTINGS_BOUNDS_MOST, .nullable = true),
    FIELD(struct body, title, NULL, 0, SETTINGS_TITLE_MOST, "A name for people", .has_value = true,
          .text = ""),
    FIELD_AS(FIELD_LIST, struct body, layers, "Paint layers, each a name or an object",
             .greatest = PAINT_LAYERS_MOST, .plain = true, .shape = &layer_shape),
    { .kind = FIELD_END }
};

static const struct shape body_shape = { .name = "new_landscape",
                                         .size = sizeof(struct body),
                                         .fields = takes,
                                         .given = offsetof(struct body, given) };

static bool gave(const struct body *body, int field)
{
    return body->given >> field & 1;
}

static bool fill(struct request *rq, const struct body *body, struct settings *settings)
{
    const double *scale = gave(body, GIVEN_SCALE) ? body->scale : NULL;

    if (scale)
        memcpy(settings->grid.scale, body->scale, sizeof body->scale);
    memcpy(settings->grid.origin, body->origin, sizeof body->origin);
    if (strlen(body->title) > SETTINGS_TITLE_MOST)
        return REFUSE(rq, FAULT_INPUT, "The title has %zu bytes; at most %d fit",
                      strlen(body->title), SETTINGS_TITLE_MOST) ||
               fault_at(&rq->fault, "/title");
    strcpy(settings->title, body->title);
    if (body->crs)
        strcpy(settings->crs, body->crs);
    settings->placed = body->bounds[0] != 0 || body->bounds[1] != 0 || body->bounds[2] != 0 ||
                       body->bounds[3] != 0;
    memcpy(settings->bounds, body->bounds, sizeof body->bounds);
    /* 1 is what steps are when nobody says anything: with a crs it asks for nothing. */
    return document_place(settings, scale && (scale[0] != 1 || scale[1] != 1) ? scale : NULL,
                          &rq->fault);
}

static struct settings *make_settings(struct request *rq, const struct body *body)
{
    struct layout layout = { { body->layout.components[0], body->layout.components[1] },
                             body->layout.sections_per_component,
                             body->layout.section_quads };
    struct settings *settings;

    if (!layout_check(&layout, &rq->fault)) {
        fault_within(&rq->fault, "layout");
        return NULL;
    }
    settings = settings_new(&layout);
    if (!settings) {
        REFUSE(rq, FAULT_MEMORY, "No memory for the landscape");
        return NULL;
    }
    if (document_limits(rq, settings) && fill(rq, body, settings))
        return settings;
    settings_drop(settings);
    return NULL;
}

static bool add_layers(struct draft *draft, const struct list *layers, struct gallery *gallery,
                       struct fault *why)
{
    const struct paint_layer_body *body = layers->items;
    size_t filled = 0;

    for (size_t i = 0; i < layers->count; i++, body++) {
        struct paints_change change;

        if (!paint_layer_wanted(body, &change, why) ||
            !paint_layer_rasters(gallery, &change, why) ||
            !paints_add(draft, body->name, &change, why) ||
            (body->fill && !paints_fill(draft, body->name, why)))
            return fault_within(why, "/layers/%zu", i);
        filled += body->fill && body->blended;
        if (filled > 1 && body->fill) {
            fault_set(why, FAULT_IMPOSSIBLE,
                      "two blended layers cannot both be painted in full; fill one of them");
            return fault_at(why, "/layers/%zu/fill", i);
        }
    }
    return true;
}

/* The same with its paint layers; NULL, and then the content is the caller's still. */
static struct view *with_layers(const struct view *content, const struct list *layers,
                                struct gallery *gallery, struct fault *why)
{
    struct draft *draft = draft_new(content, why);
    struct view *made = NULL;
    struct change change;

    if (draft && add_layers(draft, layers, gallery, why))
        made = draft_finish(draft, &change, why);
    draft_free(draft);
    return made;
}

static struct view *make_content(struct request *rq, const struct body *body)
{
    struct settings *settings = make_settings(rq, body);
    struct view *content;
    double code;

    if (!settings)
        return NULL;
    code = floor(grid_code(&settings->grid, body->height) + 0.5);
    if (!(code >= 0 && code <= 65535)) {
        REFUSE(rq, FAULT_IMPOSSIBLE,
               "%g m lies outside the heights that this scale has, %g to %g m", body->height,
               grid_metres(&settings->grid, 0), grid_metres(&settings->grid, 65535));
        fault_at(&rq->fault, "/height");
        settings_drop(settings);
        return NULL;
    }
    content = view_new(&settings, 0, 1, (uint16_t)code);
    if (!content) {
        settings_drop(settings);
        REFUSE(rq, FAULT_MEMORY, "No memory for the landscape");
    }
    return content;
}

/* Bodies that mean the same are the same text. */
static const char *canonical(struct request *rq, const struct body *body)
{
    struct bytes text = { 0 };
    const char *kept = NULL;

    if (json_write(&body_shape, body, &text, &rq->fault) && bytes_add(&text, "", 1, &rq->fault))
        kept = arena_text(rq->arena, (const char *)text.data);
    bytes_free(&text);
    return kept;
}

static bool conditions_hold(const struct request *rq, uint64_t version)
{
    char etag[32];

    snprintf(etag, sizeof etag, "\"%" PRIu64 "\"", version);
    return (!rq->if_match || etag_matches(rq->if_match, etag, false)) &&
           (!rq->if_none_match || !etag_matches(rq->if_none_match, etag, true));
}

/* The landscape that is there already, if this is the body that made it. */
static bool repeat(struct request *rq, const char *request, struct document *document)
{
    struct landscape *there =
        landscapes_find(rq->service->landscapes, rq->landscape_name, &rq->fault);
    bool told;

    if (!there)
        return false;
    told = document_of(rq, there, document);
    if (told && !conditions_hold(rq, document->version))
        told = REFUSE(rq, FAULT_STALE, "There is a landscape %s already, at version %" PRIu64,
                      rq->landscape_name, document->version);
    else if (told && strcmp(landscape_request(there), request) != 0)
        told = REFUSE(rq, FAULT_CONFLICT,
                      "There is a landscape %s already, and another body made it; change it with "
                      "PATCH or delete it first",
                      rq->landscape_name);
    landscape_drop(there);
    return told;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct body *body = rq->body;
    const char *request = canonical(rq, body);
    struct landscape *made;
    struct view *content;
    bool told;

    (void)asked;
    if (!request)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the landscape");
    if (landscapes_has(rq->service->landscapes, rq->landscape_name))
        return repeat(rq, request, answer);
    if (rq->if_match)
        return REFUSE(rq, FAULT_STALE, "There is no landscape %s", rq->landscape_name);
    content = make_content(rq, body);
    if (content && body->layers.count) {
        struct view *bare = content;

        content = with_layers(bare, &body->layers, rq->service->gallery, &rq->fault);
        view_drop(bare);
    }
    if (!content)
        return false;
    made = landscapes_create(rq->service->landscapes, rq->landscape_name, content, request,
                             &rq->fault);
    view_drop(content);
    if (!made) /* somebody else may have been quicker */
        return rq->fault.code == FAULT_CONFLICT && repeat(rq, request, answer);
    told = document_of(rq, made, answer);
    landscape_drop(made);
    rq->status = 201;
    rq->location = document_path(rq, rq->landscape_name);
    return told;
}

static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_put_landscape = {
    .method = "PUT",
    .path = "/v1/landscapes/{landscape}",
    .summary = "Create a landscape",
    .example_path = "/v1/landscapes/new",
    .example_body = "{\"layout\":{\"components\":[2,2],\"sections_per_component\":1,"
                    "\"section_quads\":63},\"scale\":[1,1,1],\"height\":0,\"title\":\"A plain\"}",
    .scope = SCOPE_ADMIN,
    .pace = SLOW,
    .holds = HOLDS_NAME,
    .takes = &body_shape,
    .conditional = true,
    .answers = &document_shape,
    .statuses = statuses,
    .run = run,
};
