/* The stack: which edit layers and paint layers a landscape has, in order.
 *
 * It hangs in the settings, is counted and never changed once shared. What the layers hold
 * lies in the view's planes, found by the ids given here, which are never used twice in a
 * landscape's life. Edit layers are ordered bottom to top; paint layers count from 0 in the
 * order that breaks ties. Any thread.
 */
#ifndef TERRAIN_CORE_STACK_H
#define TERRAIN_CORE_STACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

enum {
    EDIT_LAYERS_MOST = 64,
    PAINT_LAYERS_MOST = 256,
    LAYER_NAME_ROOM = 65,
    LAYER_IDS = 1 << 24,
    BASE_LAYER = 1 /* the id of the layer "base", which every landscape has */
};

/* ADDITIVE layers hold signed deltas; ALPHA layers heights, with a mask of where they count. */
enum blend { BLEND_ADDITIVE, BLEND_ALPHA };

struct edit_layer {
    uint32_t id;
    char name[LAYER_NAME_ROOM];
    int blend;            /* enum blend */
    double alpha;         /* -1..1, of heights; of weights too, at least 0, unless they have */
    double weights_alpha; /* their own, 0..1; NaN is none */
    bool visible, locked;
    int subtract_count; /* paint layers whose weights this one takes away, by id */
    uint32_t subtract[PAINT_LAYERS_MOST];
};

enum {
#define SURFACE(name) SURFACE_##name,
#include "terrain/core/surfaces.def"
#undef SURFACE
    SURFACES,
    SURFACE_NONE = -1
};
extern const char *const surface_names[]; /* ends with NULL */

/* How a paint layer looks; names are those of uploaded rasters, "" is none. */
struct material {
    uint8_t color[3]; /* sRGB */
    double tiling;    /* metres that a texture covers */
    int surface;      /* one of the project's own, for what no raster is named; or SURFACE_NONE */
    char albedo[LAYER_NAME_ROOM], normal[LAYER_NAME_ROOM], height[LAYER_NAME_ROOM],
        roughness[LAYER_NAME_ROOM];
};

struct paint_layer {
    uint32_t id;
    char name[LAYER_NAME_ROOM];
    bool blended; /* weight-blended: shares 255 with the others that are */
    char physical_material[LAYER_NAME_ROOM];
    uint8_t debug_color[3];
    struct material material;
};

struct stack {
    _Atomic uint32_t holders;
    uint32_t next_id;
    uint64_t reshaped; /* the version that last changed how layers add up */
    int edit_count, paint_count;
    struct edit_layer *edits;   /* room for EDIT_LAYERS_MOST of a stack being made, */
    struct paint_layer *paints; /* and for PAINT_LAYERS_MOST; else as many as there are */
};

/* One holder: "base" and no paint layers; NULL when memory is out. */
struct stack *stack_new(void);
/* To be changed: has room for every layer that there may be. */
struct stack *stack_copy(const struct stack *stack);
struct stack *stack_hold(const struct stack *stack);
void stack_drop(struct stack *stack);

/* Position of the layer, -1 when there is none. */
int stack_edit(const struct stack *stack, const char *name);
int stack_edit_of(const struct stack *stack, uint32_t id);
int stack_paint(const struct stack *stack, const char *name);
int stack_paint_of(const struct stack *stack, uint32_t id);

/* The same, failing with MISSING and the nearest name. */
bool stack_find_edit(const struct stack *stack, const char *name, int *at, struct fault *why);
bool stack_find_paint(const struct stack *stack, const char *name, int *at, struct fault *why);

/* Appends to a stack being made: a layer with defaults (additive or blended, alpha 1, visible),
 * on top. Fails with CONFLICT when the name is taken and LIMIT when there are too many. */
struct edit_layer *stack_add_edit(struct stack *stack, const char *name, struct fault *why);
struct paint_layer *stack_add_paint(struct stack *stack, const char *name, struct fault *why);

/* What the layer's weights count, 0..1; whether it takes the paint layer's away. */
double edit_layer_weights_alpha(const struct edit_layer *layer);
bool edit_layer_subtracts(const struct edit_layer *layer, uint32_t paint);

/* Whether both layers add alike: blend, alpha, visibility, signs; whether both stacks do, in the
 * same order. */
bool edit_layer_same_sum(const struct edit_layer *a, const struct edit_layer *b);
bool stack_same_sum(const struct stack *a, const struct stack *b);

/* A byte form within the settings'. Reading takes it off the front of `from` and fails with
 * STORAGE on bytes that are none or that say what a request may not. */
bool stack_write(const struct stack *stack, struct bytes *to, struct fault *why);
struct stack *stack_read(const unsigned char **from, size_t *left, struct fault *why);

#endif
