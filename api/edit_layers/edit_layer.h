/* An edit layer as it is told and asked for, and how a change of one is answered: like an edit,
 * with the layer as it then is. Any thread. */
#ifndef API_EDIT_LAYERS_EDIT_LAYER_H
#define API_EDIT_LAYERS_EDIT_LAYER_H

#include <math.h>

#include "api/changed.h"
#include "terrain/edit/layers.h"

struct edit_layer_document {
    const char *name;
    int32_t position;
    const char *blend;
    double alpha, weights_alpha;
    bool visible, locked;
    struct list subtract; /* names of paint layers */
    struct list holds;    /* "heights", "weights", "holes" */
};
extern const struct shape edit_layer_shape;

/* That of the layer at a position, all of them as a list, in the arena. Fails with MEMORY. */
bool edit_layer_tell(struct arena *arena, const struct view *view, int at,
                     struct edit_layer_document *document, struct fault *why);
bool edit_layers_tell(struct arena *arena, const struct view *view, struct list *documents,
                      struct fault *why);

/* The layer in the path. */
struct edit_layer_asked {
    const char *name;
};
extern const struct shape edit_layer_asked_shape;

/* The same of a change. */
struct edit_layer_change_asked {
    const char *name;
    bool dry_run;
};
extern const struct shape edit_layer_change_asked_shape;

/* What a body says of a layer; bit i of given, as that of a LAYER_, is whether it says field i. */
struct edit_layer_body {
    const char *name;
    int32_t position;
    const char *before;
    int blend;
    double alpha, weights_alpha;
    bool visible, locked;
    struct list subtract;
    uint64_t given;
};
extern const char *const edit_layer_blends[];

/* name is required of a new layer. */
#define EDIT_LAYER_ROWS(name_required)                                                             \
    FIELD_AS(FIELD_NAME, struct edit_layer_body, name, "Its name, which no other edit layer has",  \
             .required = (name_required)),                                                         \
        FIELD(struct edit_layer_body, position, NULL, 0, EDIT_LAYERS_MOST - 1,                     \
              "Its place in the stack, 0 at the bottom; a number beyond the top is the top"),      \
        FIELD_AS(FIELD_NAME, struct edit_layer_body, before,                                       \
                 "Instead of a position: the edit layer right below which it is to be"),           \
        FIELD_AS(FIELD_CHOICE, struct edit_layer_body, blend,                                      \
                 "additive: signed deltas are added; alpha: heights replace those below, where a " \
                 "mask lets them. Changing it leaves the surface as it is",                        \
                 .words = edit_layer_blends, .nullable = true, .has_value = true,                  \
                 .value = BLEND_ADDITIVE),                                                         \
        FIELD(                                                                                     \
            struct edit_layer_body, alpha, NULL, -1, 1,                                            \
            "How much its heights count; its weights too, from 0, unless weights_alpha is given",  \
            .nullable = true, .has_value = true, .value = 1),                                      \
        FIELD(struct edit_layer_body, weights_alpha, NULL, 0, 1,                                   \
              "How much its weights count; null: as its heights do", .nullable = true,             \
              .has_value = true, .value = NAN),                                                    \
        FIELD(struct edit_layer_body, visible, NULL, 0, 0, "Whether it counts at all",             \
              .nullable = true, .has_value = true, .value = true),                                 \
        FIELD(struct edit_layer_body, locked, NULL, 0, 0,                                          \
              "Whether it refuses edits, clearing, collapsing, deleting, and changes of blend, "   \
              "alphas and subtract",                                                               \
              .nullable = true, .has_value = true),                                                \
        FIELD_AS(FIELD_TEXTS, struct edit_layer_body, subtract,                                    \
                 "Paint layers whose weights it takes away instead of adding them",                \
                 .greatest = PAINT_LAYERS_MOST, .nullable = true)

/* The change that a body asks for, in the arena; NULL with MEMORY. */
const struct layers_change *edit_layer_wanted(struct request *rq,
                                              const struct edit_layer_body *body);

/* The answer to a change. */
struct edit_layer_changed {
    struct changed changed;
    struct edit_layer_document edit_layer;
};
extern const struct shape edit_layer_changed_shape;

/* A change of the stack: apply makes it on a draft, and the layer of that name is told afterwards
 * (NULL: none). request names it in the log, before the body. */
struct edit_layer_work {
    bool (*apply)(const struct edit_layer_work *work, struct draft *draft, struct fault *why);
    const char *name;
    const struct layers_change *change;
    const void *body;
    const char *told;
};
bool edit_layer_make(struct request *rq, const struct edit_layer_work *work, bool dry_run,
                     const char *request, struct edit_layer_changed *answer);

/* "/v1/landscapes/{landscape}/edit-layers/{name}", for Location. */
const char *edit_layer_path(struct request *rq, const char *name);

#endif
