/* A paint layer as it is told and asked for, and how a change of one is answered: like an edit,
 * with the layer as it then is. Any thread. */
#ifndef API_LAYERS_PAINT_LAYER_H
#define API_LAYERS_PAINT_LAYER_H

#include "api/changed.h"
#include "terrain/edit/paints.h"

struct gallery;

struct paint_layer_material {
    const char *color;
    double tiling;
    const char *albedo, *normal, *height, *roughness;
    int surface;         /* one more than SURFACE_… */
    struct list missing; /* const char *: members whose raster is not there */
};

struct paint_layer_statistics {
    double coverage, mean; /* coverage NaN: there are none */
    int32_t least, greatest;
};

struct paint_layer_document {
    const char *name;
    int32_t position;
    bool blended;
    const char *physical_material, *debug_color;
    struct paint_layer_material material;
    struct paint_layer_statistics statistics;
};
extern const struct shape paint_layer_shape;

/* That of the layer at a position, all of them as a list, in the arena; statistics cost a pass over
 * its weights. Which rasters are there the gallery knows. Fails with MEMORY. */
bool paint_layer_tell(struct arena *arena, struct gallery *gallery, const struct view *view, int at,
                      bool statistics, struct paint_layer_document *document, struct fault *why);
bool paint_layers_tell(struct arena *arena, struct gallery *gallery, const struct view *view,
                       bool statistics, struct list *documents, struct fault *why);

/* What a body says of a layer; given as its rows are numbered. */
struct material_body {
    const char *color;
    double tiling;
    const char *albedo, *normal, *height, *roughness;
    int surface; /* one more than SURFACE_… */
    uint64_t given;
};

struct paint_layer_body {
    const char *name;
    bool blended;
    const char *physical_material, *debug_color;
    struct material_body material;
    uint64_t given;
    bool fill; /* of a new landscape's */
};
extern const struct shape material_body_shape;

/* name is required of a new layer. */
#define PAINT_LAYER_ROWS(name_required)                                                            \
    FIELD_AS(FIELD_NAME, struct paint_layer_body, name,                                            \
             "Its name, which no other paint layer has", .required = (name_required)),             \
        FIELD(struct paint_layer_body, blended, NULL, 0, 0,                                        \
              "Whether it shares 255 at each vertex with the others that do", .has_value = true,   \
              .value = true),                                                                      \
        FIELD_AS(FIELD_NAME, struct paint_layer_body, physical_material,                           \
                 "What it is to walk on, a name of the client's", .nullable = true),               \
        FIELD(struct paint_layer_body, debug_color, NULL, 0, 7,                                    \
              "#rrggbb, of pictures that tell layers apart; one of its own if left out"),          \
        FIELD_AS(FIELD_OBJECT, struct paint_layer_body, material, "How it looks",                  \
                 .shape = &material_body_shape)

/* The change that a body asks for. Fails with INPUT on colours that are none, placed within the
 * body. */
bool paint_layer_wanted(const struct paint_layer_body *body, struct paints_change *change,
                        struct fault *why);

/* Whether the rasters that a change names are there. Fails with MISSING, placed within the body. */
bool paint_layer_rasters(struct gallery *gallery, const struct paints_change *change,
                         struct fault *why);

/* The rasters that a material names, by their members; a name may be empty. */
enum { MATERIAL_RASTERS = 4 };
struct material_raster {
    const char *member, *name;
};
void material_rasters(const struct material *material,
                      struct material_raster rasters[MATERIAL_RASTERS]);

/* The answer to a change. */
struct paint_layer_changed {
    struct changed changed;
    struct paint_layer_document layer;
};
extern const struct shape paint_layer_changed_shape;

/* A change of the list: apply makes it on a draft, and the layer of that name is told afterwards
 * (NULL: none). request names it in the log, before the body. */
struct paint_layer_work {
    bool (*apply)(const struct paint_layer_work *work, struct draft *draft, struct fault *why);
    const char *name, *heir;
    struct paints_change change;
    const char *told;
};
bool paint_layer_make(struct request *rq, const struct paint_layer_work *work, bool dry_run,
                      const char *request, struct paint_layer_changed *answer);

#endif
