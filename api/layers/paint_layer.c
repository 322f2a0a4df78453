#include "api/layers/paint_layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/colour.h"
#include "api/service.h"
#include "terrain/query/cover.h"
#include "terrain/store/gallery.h"

/* As surface_names, behind none. */
static const char *const surface_words[] = { "none",
#define SURFACE(name) #name,
#include "terrain/core/surfaces.def"
#undef SURFACE
                                             NULL };

static const struct field material_rows[] = {
    FIELD(struct paint_layer_material, color, NULL, 0, 0,
          "#rrggbb, where it has neither surface nor albedo"),
    FIELD(struct paint_layer_material, tiling, "m", 0, 0, "What a texture covers"),
    FIELD(struct paint_layer_material, albedo, NULL, 0, 0, "Name of an uploaded raster, or null"),
    FIELD(struct paint_layer_material, normal, NULL, 0, 0, "The same of normals"),
    FIELD(struct paint_layer_material, height, NULL, 0, 0, "The same of heights"),
    FIELD(struct paint_layer_material, roughness, NULL, 0, 0,
          "The same of roughness (gray), or of occlusion, roughness (red, green)"),
    FIELD_AS(FIELD_CHOICE, struct paint_layer_material, surface,
             "A surface of the server's own, for what no raster is named", .words = surface_words),
    FIELD_AS(FIELD_TEXTS, struct paint_layer_material, missing,
             "Which of those name a raster that is not there now: drawn as if they named none"),
    { .kind = FIELD_END }
};

static const struct field statistics_rows[] = {
    FIELD(struct paint_layer_statistics, coverage, NULL, 0, 1,
          "Share of the vertices that have any of it"),
    FIELD(struct paint_layer_statistics, mean, NULL, 0, 255, "Mean weight of all vertices"),
    FIELD(struct paint_layer_statistics, least, NULL, 0, 255, "The least weight"),
    FIELD(struct paint_layer_statistics, greatest, NULL, 0, 255, "The greatest weight"),
    { .kind = FIELD_END }
};

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct paint_layer_document, name, "The paint layer's name"),
    FIELD(struct paint_layer_document, position, NULL, 0, 0,
          "Its place in the list, which breaks ties"),
    FIELD(struct paint_layer_document, blended, NULL, 0, 0,
          "Whether it shares 255 at each vertex with the others that do"),
    FIELD_AS(FIELD_NAME, struct paint_layer_document, physical_material,
             "What it is to walk on, or null"),
    FIELD(struct paint_layer_document, debug_color, NULL, 0, 0,
          "#rrggbb, of pictures that tell layers apart"),
    FIELD_AS(FIELD_OBJECT, struct paint_layer_document, material, "How it looks",
             .shape = SHAPE(struct paint_layer_material, material_rows)),
    FIELD_AS(FIELD_OBJECT, struct paint_layer_document, statistics,
             "How much of it there is, where that was asked for; else null",
             .shape = SHAPE(struct paint_layer_statistics, statistics_rows), .nullable = true),
    { .kind = FIELD_END }
};

const struct shape paint_layer_shape = {
    .name = "paint_layer", .size = sizeof(struct paint_layer_document), .fields = rows, .given = -1
};

/* Telling */

static bool no_room(struct fault *why)
{
    return fault_set(why, FAULT_MEMORY, "no memory for the paint layers' documents");
}

static const char *color_text(struct arena *arena, const uint8_t color[3])
{
    return arena_print(arena, "#%02x%02x%02x", color[0], color[1], color[2]);
}

static const char *name_or_null(struct arena *arena, const char *name)
{
    return name[0] ? arena_text(arena, name) : NULL;
}

void material_rasters(const struct material *material,
                      struct material_raster rasters[MATERIAL_RASTERS])
{
    rasters[0] = (struct material_raster){ "albedo", material->albedo };
    rasters[1] = (struct material_raster){ "normal", material->normal };
    rasters[2] = (struct material_raster){ "height", material->height };
    rasters[3] = (struct material_raster){ "roughness", material->roughness };
}

bool paint_layer_rasters(struct gallery *gallery, const struct paints_change *change,
                         struct fault *why)
{
    static const unsigned given[] = { PAINT_ALBEDO, PAINT_NORMAL, PAINT_HEIGHT, PAINT_ROUGHNESS };
    struct material_raster rasters[MATERIAL_RASTERS];
    struct picture_about about;

    material_rasters(&change->as.material, rasters);
    for (int i = 0; i < MATERIAL_RASTERS; i++)
        if (change->given & given[i] && rasters[i].name[0] &&
            !gallery_find(gallery, rasters[i].name, &about, why))
            return fault_at(why, "/material/%s", rasters[i].member);
    return true;
}

static struct list missing_of(struct arena *arena, struct gallery *gallery,
                              const struct material *material)
{
    struct material_raster rasters[MATERIAL_RASTERS];
    const char **missing = arena_new(arena, sizeof *missing * MATERIAL_RASTERS);
    struct list list = { 0, missing };
    struct picture_about about;
    struct fault why;

    material_rasters(material, rasters);
    for (int i = 0; missing && i < MATERIAL_RASTERS; i++)
        if (rasters[i].name[0] && !gallery_find(gallery, rasters[i].name, &about, &why))
            missing[list.count++] = rasters[i].member;
    return list;
}

static void tell_material(struct arena *arena, struct gallery *gallery,
                          const struct material *material, struct paint_layer_material *told)
{
    *told = (struct paint_layer_material){ .color = color_text(arena, material->color),
                                           .tiling = material->tiling,
                                           .albedo = name_or_null(arena, material->albedo),
                                           .normal = name_or_null(arena, material->normal),
                                           .height = name_or_null(arena, material->height),
                                           .roughness = name_or_null(arena, material->roughness),
                                           .surface = material->surface + 1,
                                           .missing = missing_of(arena, gallery, material) };
}

bool paint_layer_tell(struct arena *arena, struct gallery *gallery, const struct view *view, int at,
                      bool statistics, struct paint_layer_document *document, struct fault *why)
{
    const struct paint_layer *paint = &view->settings->stack->paints[at];

    *document = (struct paint_layer_document){ .name = arena_text(arena, paint->name),
                                               .position = at,
                                               .blended = paint->blended,
                                               .physical_material =
                                                   name_or_null(arena, paint->physical_material),
                                               .debug_color = color_text(arena, paint->debug_color),
                                               .statistics = { NAN, 0, 0, 0 } };
    tell_material(arena, gallery, &paint->material, &document->material);
    if (statistics) {
        struct coverage coverage = cover_statistics(view, at);

        document->statistics = (struct paint_layer_statistics){ coverage.share, coverage.mean,
                                                                coverage.least, coverage.greatest };
    }
    return (document->name && document->debug_color && document->material.color &&
            document->material.missing.items) ||
           no_room(why);
}

bool paint_layers_tell(struct arena *arena, struct gallery *gallery, const struct view *view,
                       bool statistics, struct list *documents, struct fault *why)
{
    size_t count = (size_t)view->settings->stack->paint_count;
    struct paint_layer_document *items = arena_new(arena, (count + 1) * sizeof *items);

    *documents = (struct list){ count, items };
    if (!items)
        return no_room(why);
    for (size_t i = 0; i < count; i++)
        if (!paint_layer_tell(arena, gallery, view, (int)i, statistics, &items[i], why))
            return false;
    return true;
}

/* Asking */

static const struct field material_body_rows[] = {
    FIELD(struct material_body, color, NULL, 0, 7,
          "#rrggbb, where it has neither surface nor albedo"),
    FIELD(struct material_body, tiling, "m", 1e-3, 1e6, "What a texture covers", .has_value = true,
          .value = 8),
    FIELD_AS(FIELD_NAME, struct material_body, albedo, "Name of an uploaded raster",
             .nullable = true),
    FIELD_AS(FIELD_NAME, struct material_body, normal, "The same of normals", .nullable = true),
    FIELD_AS(FIELD_NAME, struct material_body, height, "The same of heights", .nullable = true),
    FIELD_AS(FIELD_NAME, struct material_body, roughness,
             "The same of roughness (gray), or of occlusion, roughness (red, green)",
             .nullable = true),
    FIELD_AS(
        FIELD_CHOICE, struct material_body, surface,
        "A surface of the server's own, for what no raster is named; a new layer called as one "
        "of them has it by itself",
        .words = surface_words),
    { .kind = FIELD_END }
};

const struct shape material_body_shape = { .name = "material",
                                           .size = sizeof(struct material_body),
                                           .fields = material_body_rows,
                                           .given = offsetof(struct material_body, given) };

/* Bits of given, in the order of the rows. */
enum { BODY_PHYSICAL = 4, BODY_DEBUG_COLOR = 8 };
enum { BODY_COLOR = 1, BODY_TILING = 2, BODY_ALBEDO = 4 };

static void name_take(char to[LAYER_NAME_ROOM], const char *name)
{
    snprintf(to, LAYER_NAME_ROOM, "%s", name ? name : "");
}

static bool material_wanted(const struct material_body *body, struct paints_change *change,
                            struct fault *why)
{
    struct material *material = &change->as.material;

    /* from albedo on, both count on in the same order */
    change->given |= (unsigned)(body->given / BODY_ALBEDO) * PAINT_ALBEDO;
    if (body->given & BODY_TILING) {
        change->given |= PAINT_TILING;
        material->tiling = body->tiling;
    }
    material->surface = body->surface - 1;
    name_take(material->albedo, body->albedo);
    name_take(material->normal, body->normal);
    name_take(material->height, body->height);
    name_take(material->roughness, body->roughness);
    if (!(body->given & BODY_COLOR))
        return true;
    change->given |= PAINT_COLOR;
    return colour_read(body->color, material->color, "/material/color", why);
}

bool paint_layer_wanted(const struct paint_layer_body *body, struct paints_change *change,
                        struct fault *why)
{
    *change = (struct paints_change){ .given = (unsigned)body->given &
                                               (PAINT_NAME | PAINT_BLENDED | PAINT_PHYSICAL) };
    change->as.blended = body->blended;
    name_take(change->as.name, body->name);
    name_take(change->as.physical_material, body->physical_material);
    if (body->given & BODY_DEBUG_COLOR) {
        change->given |= PAINT_DEBUG_COLOR;
        if (!colour_read(body->debug_color, change->as.debug_color, "/debug_color", why))
            return false;
    }
    return material_wanted(&body->material, change, why);
}

/* Changing */

static const struct field changed_rows[] = {
    FIELD_AS(FIELD_OBJECT, struct paint_layer_changed, layer,
             "The paint layer, or its heir, as it then is; null when there is none",
             .shape = &paint_layer_shape, .nullable = true),
    { .kind = FIELD_END }
};

const struct shape paint_layer_changed_shape = { .name = "paint_layer_changed",
                                                 .size = sizeof(struct paint_layer_changed),
                                                 .fields = changed_rows,
                                                 .base = &changed_shape,
                                                 .given = -1 };

/* What a draft's maker needs; it may run on another thread, while the request's waits. */
struct making {
    struct arena *arena;
    struct gallery *gallery;
    const struct paint_layer_work *work;
    struct paint_layer_document *told;
};

static bool tell_named(struct arena *arena, struct gallery *gallery, const struct view *view,
                       const char *name, struct paint_layer_document *told, struct fault *why)
{
    int at = name ? stack_paint(view->settings->stack, name) : -1;

    told->statistics.coverage = NAN;
    return at < 0 || paint_layer_tell(arena, gallery, view, at, false, told, why);
}

static bool make(void *context, struct draft *draft, struct fault *why)
{
    const struct making *making = context;

    return paint_layer_rasters(making->gallery, &making->work->change, why) &&
           making->work->apply(making->work, draft, why) &&
           tell_named(making->arena, making->gallery, draft_view(draft), making->work->told,
                      making->told, why);
}

/* A repeat of an earlier change is told of the layer as it is now. */
static bool tell_now(struct request *rq, const char *name, struct paint_layer_document *told)
{
    struct view *view = landscape_view(rq->landscape);
    bool done = tell_named(rq->arena, rq->service->gallery, view, name, told, &rq->fault);

    view_drop(view);
    return done;
}

bool paint_layer_make(struct request *rq, const struct paint_layer_work *work, bool dry_run,
                      const char *request, struct paint_layer_changed *answer)
{
    struct making making = { rq->arena, rq->service->gallery, work, &answer->layer };
    const char *text = arena_print(rq->arena, "%s %.*s", request, (int)rq->body_length,
                                   rq->body_data ? (const char *)rq->body_data : "");

    if (!request || !text)
        return no_room(&rq->fault);
    return changed_make(rq, make, &making, dry_run, text, &answer->changed) &&
           (answer->layer.name || tell_now(rq, work->told, &answer->layer));
}
