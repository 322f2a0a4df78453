#include "api/landscapes/document.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "api/edit_layers/edit_layer.h"
#include "api/layers/paint_layer.h"
#include "api/service.h"
#include "terrain/format/georef.h"

const struct field document_layout_rows[] = {
    FIELD_AS(FIELD_INTS, struct document_layout, components, "Components across and down",
             .count = 2, .least = 1, .greatest = 65536, .required = true),
    FIELD(struct document_layout, sections_per_component, NULL, 1, 2,
          "Sections a side of a component, 1 or 2", .has_value = true, .value = 1),
    FIELD(struct document_layout, section_quads, "quads", 7, 255,
          "Quads a side of a section: 7, 15, 31, 63, 127 or 255", .has_value = true, .value = 63),
    { .kind = FIELD_END }
};

static const struct field link_rows[] = {
#define LINK(member, path, help) FIELD(struct document_links, member, NULL, 0, 0, help),
#include "api/landscapes/document_links.def"
#undef LINK
    { .kind = FIELD_END }
};

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct document, id, "The landscape's id"),
    FIELD(struct document, version, NULL, 0, 0, "Raised by one by each change"),
    FIELD(struct document, title, NULL, 0, 0, "A name for people"),
    FIELD_AS(FIELD_OBJECT, struct document, layout, "How it divides into components",
             .shape = SHAPE(struct document_layout, document_layout_rows)),
    FIELD_AS(FIELD_INTS, struct document, size, "Columns and rows of vertices", .count = 2,
             .unit = "vertices"),
    FIELD_AS(FIELD_REALS, struct document, scale,
             "Metres of a step east and south, and of 128 height units", .count = 3, .unit = "m"),
    FIELD_AS(FIELD_REALS, struct document, origin, "Local position of the north-west vertex",
             .count = 3, .unit = "m"),
    FIELD(struct document, crs, NULL, 0, 0, "EPSG:n, or null"),
    FIELD_AS(FIELD_REALS, struct document, bounds,
             "West, south, east, north of the outermost vertices, in CRS units; or null",
             .count = 4, .nullable = true),
    FIELD_AS(FIELD_REALS, struct document, data_bounds, "The same without the pad; or null",
             .count = 4, .nullable = true),
    FIELD_AS(FIELD_REALS, struct document, height_range, "The least and the greatest height",
             .count = 2, .unit = "m"),
    FIELD(struct document, memory_bytes, "bytes", 0, 0, "What it takes in memory"),
    FIELD(struct document, lod0_screen_size, NULL, 0, 0,
          "Screen size down to which LOD 0 is drawn"),
    FIELD(struct document, lod0_distribution, NULL, 0, 0,
          "Ratio of the screen sizes of LOD 0 and 1"),
    FIELD(struct document, lod_distribution, NULL, 0, 0, "Ratio of those of the further LODs"),
    FIELD(struct document, collision_mip, NULL, 0, 0, "The mip that collides"),
    FIELD(struct document, vertical_datum, NULL, 0, 0, "What heights refer to, or null"),
    FIELD(struct document, ellipsoid_offset, "m", 0, 0,
          "Added to heights to get those above the ellipsoid"),
    FIELD(struct document, geoid, NULL, 0, 0, "The raster that is added likewise, or null"),
    FIELD_AS(FIELD_REALS, struct document, geoid_metres,
             "Metres of its samples 0 and 65535; or null", .count = 2, .unit = "m",
             .nullable = true),
    FIELD_AS(FIELD_LIST, struct document, layers, "The paint layers", .shape = &paint_layer_shape),
    FIELD_AS(FIELD_LIST, struct document, edit_layers, "The stack of edit layers, lowest first",
             .shape = &edit_layer_shape),
    FIELD_AS(FIELD_OBJECT, struct document, links, "Where the rest is",
             .shape = SHAPE(struct document_links, link_rows)),
    { .kind = FIELD_END }
};

const struct shape document_shape = {
    .name = "landscape", .size = sizeof(struct document), .fields = rows, .given = -1
};

const char *document_path(struct request *rq, const char *id)
{
    return arena_print(rq->arena, "/v1/landscapes/%s", id);
}

static void fill_links(struct request *rq, const char *id, struct document_links *links)
{
    const char *self = document_path(rq, id);

#define LINK(member, path, help) links->member = arena_print(rq->arena, "%s" path, self);
#include "api/landscapes/document_links.def"
#undef LINK
}

static void fill_settings(struct request *rq, const struct settings *settings,
                          struct document *document)
{
    const struct layout *layout = &settings->layout;

    document->title = arena_text(rq->arena, settings->title);
    document->layout = (struct document_layout){ { layout->components[0], layout->components[1] },
                                                 layout->sections,
                                                 layout->section_quads };
    document->size[0] = settings->grid.columns;
    document->size[1] = settings->grid.rows;
    memcpy(document->scale, settings->grid.scale, sizeof document->scale);
    memcpy(document->origin, settings->grid.origin, sizeof document->origin);
    document->crs = settings->crs[0] ? arena_text(rq->arena, settings->crs) : NULL;
    document->bounds[0] = document->data_bounds[0] = NAN;
    if (settings->placed) {
        memcpy(document->bounds, settings->bounds, sizeof document->bounds);
        settings_data_bounds(settings, document->data_bounds);
    }
    document->lod0_screen_size = settings->lod0_screen_size;
    document->lod0_distribution = settings->lod0_distribution;
    document->lod_distribution = settings->lod_distribution;
    document->collision_mip = settings->collision_mip;
    document->vertical_datum =
        settings->vertical_datum[0] ? arena_text(rq->arena, settings->vertical_datum) : NULL;
    document->ellipsoid_offset = settings->ellipsoid_offset;
    document->geoid = settings->geoid[0] ? arena_text(rq->arena, settings->geoid) : NULL;
    document->geoid_metres[0] = NAN;
    if (settings->geoid[0])
        memcpy(document->geoid_metres, settings->geoid_metres, sizeof document->geoid_metres);
}

bool document_fill(struct request *rq, const char *id, const struct view *view,
                   struct document *document)
{
    struct summary heights = view->planes[PLANE_HEIGHTS].root.summary;

    document->id = arena_text(rq->arena, id);
    document->version = view->version;
    fill_settings(rq, view->settings, document);
    document->height_range[0] = grid_metres(view_grid(view), heights.least);
    document->height_range[1] = grid_metres(view_grid(view), heights.greatest);
    document->memory_bytes = (int64_t)view_bytes(view);
    fill_links(rq, id, &document->links);
    return edit_layers_tell(rq->arena, view, &document->edit_layers, &rq->fault) &&
           paint_layers_tell(rq->arena, rq->service->gallery, view, false, &document->layers,
                             &rq->fault) &&
           (document->links.hillshade || REFUSE(rq, FAULT_MEMORY, "No memory for the document"));
}

bool document_of(struct request *rq, struct landscape *landscape, struct document *document)
{
    struct view *view = landscape_view(landscape);
    bool filled = document_fill(rq, landscape_id(landscape), view, document);

    rq->version = view->version;
    view_drop(view);
    return filled;
}

static bool is_derived(double asked, double derived)
{
    return fabs(asked - derived) <= 1e-6 * derived;
}

bool document_place(struct settings *settings, const double *scale, struct fault *why)
{
    double derived[2];

    if (settings->placed != (settings->crs[0] != '\0')) {
        fault_set(why, FAULT_INPUT, "%s",
                  settings->placed ? "Bounds need a crs, such as EPSG:3857"
                                   : "A crs needs bounds: west, south, east, north");
        return fault_at(why, settings->placed ? "/crs" : "/bounds");
    }
    if (!settings_check(settings, why))
        return false;
    if (!settings->placed)
        return true;
    if (!georef_check(settings->crs, why))
        return fault_at(why, "/crs");
    if (!georef_scale(settings->crs, settings->bounds, settings->grid.columns, settings->grid.rows,
                      derived, why))
        return fault_at(why, "/bounds");
    for (int i = 0; scale && i < 2; i++)
        if (!is_derived(scale[i], derived[i])) {
            fault_set(why, FAULT_IMPOSSIBLE,
                      "The steps of a georeferenced landscape follow from its bounds and cannot be "
                      "set: leave scale out, or send [%.9g, %.9g, %.9g]",
                      derived[0], derived[1], scale[2]);
            return fault_at(why, "/scale/%d", i);
        }
    memcpy(settings->grid.scale, derived, sizeof derived);
    return settings_check(settings, why);
}

bool document_size(struct request *rq, const struct settings *settings)
{
    const struct limits *limits = &rq->service->limits;
    const struct grid *grid = &settings->grid;

    if (grid->columns <= limits->landscape_side && grid->rows <= limits->landscape_side &&
        (int64_t)grid->columns * grid->rows <= limits->landscape_vertices)
        return true;
    return REFUSE(rq, FAULT_IMPOSSIBLE,
                  "%" PRId32 " x %" PRId32 " vertices are over this server's limits of %" PRId64
                  " a side and %" PRId64 " in all",
                  grid->columns, grid->rows, limits->landscape_side, limits->landscape_vertices);
}

bool document_limits(struct request *rq, const struct settings *settings)
{
    const struct limits *limits = &rq->service->limits;
    int32_t loaded, count;

    if (!document_size(rq, settings))
        return fault_at(&rq->fault, "/layout/components");
    landscapes_progress(rq->service->landscapes, &loaded, &count);
    return count < limits->landscapes ||
           REFUSE(rq, FAULT_FULL, "The store has %" PRId32 " landscapes, as many as it may", count);
}

const char *document_request(struct request *rq)
{
    return arena_print(rq->arena, "%.*s", (int)rq->body_length, (const char *)rq->body_data);
}
