#include "terrain/core/stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/field.h"
#include "terrain/base/form.h"

const char *const surface_names[] = {
#define SURFACE(name) #name,
#include "terrain/core/surfaces.def"
#undef SURFACE
    NULL
};

static struct stack *stack_room(int edits, int paints)
{
    struct stack *stack = calloc(1, sizeof *stack);

    if (!stack)
        return NULL;
    atomic_init(&stack->holders, 1);
    stack->edits = calloc((size_t)edits, sizeof *stack->edits);
    stack->paints = paints ? calloc((size_t)paints, sizeof *stack->paints) : NULL;
    if (stack->edits && (stack->paints || !paints))
        return stack;
    stack_drop(stack);
    return NULL;
}

struct stack *stack_new(void)
{
    struct stack *stack = stack_room(1, 0);

    if (!stack)
        return NULL;
    stack->edit_count = 1;
    stack->edits[0] = (struct edit_layer){
        .id = BASE_LAYER, .name = "base", .alpha = 1, .weights_alpha = NAN, .visible = true
    };
    stack->next_id = BASE_LAYER + 1;
    return stack;
}

struct stack *stack_copy(const struct stack *stack)
{
    struct stack *copy = stack_room(EDIT_LAYERS_MOST, PAINT_LAYERS_MOST);

    if (!copy)
        return NULL;
    copy->next_id = stack->next_id;
    copy->reshaped = stack->reshaped;
    copy->edit_count = stack->edit_count;
    copy->paint_count = stack->paint_count;
    memcpy(copy->edits, stack->edits, (size_t)stack->edit_count * sizeof *copy->edits);
    if (stack->paint_count)
        memcpy(copy->paints, stack->paints, (size_t)stack->paint_count * sizeof *copy->paints);
    return copy;
}

struct stack *stack_hold(const struct stack *stack)
{
    struct stack *held = (struct stack *)(uintptr_t)stack;

    atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
    return held;
}

void stack_drop(struct stack *stack)
{
    if (!stack || atomic_fetch_sub_explicit(&stack->holders, 1, memory_order_acq_rel) != 1)
        return;
    free(stack->edits);
    free(stack->paints);
    free(stack);
}

/* Finding */

int stack_edit(const struct stack *stack, const char *name)
{
    for (int i = 0; i < stack->edit_count; i++)
        if (strcmp(stack->edits[i].name, name) == 0)
            return i;
    return -1;
}

int stack_edit_of(const struct stack *stack, uint32_t id)
{
    for (int i = 0; i < stack->edit_count; i++)
        if (stack->edits[i].id == id)
            return i;
    return -1;
}

int stack_paint(const struct stack *stack, const char *name)
{
    for (int i = 0; i < stack->paint_count; i++)
        if (strcmp(stack->paints[i].name, name) == 0)
            return i;
    return -1;
}

int stack_paint_of(const struct stack *stack, uint32_t id)
{
    for (int i = 0; i < stack->paint_count; i++)
        if (stack->paints[i].id == id)
            return i;
    return -1;
}

static bool not_there(const char *kind, const char *name, const char *const *names, int count,
                      struct fault *why)
{
    const char *near = word_nearest(name, names, (size_t)count);

    if (!near && count > 0 && count <= 4)
        near = names[0];
    return fault_set(why, FAULT_MISSING, "there is no %s layer %.64s%s%s%s", kind, name,
                     near ? "; " : "", near ? near : "", near ? " is" : "");
}

bool stack_find_edit(const struct stack *stack, const char *name, int *at, struct fault *why)
{
    const char *names[EDIT_LAYERS_MOST] = { NULL };

    *at = stack_edit(stack, name);
    if (*at >= 0)
        return true;
    for (int i = 0; i < stack->edit_count; i++)
        names[i] = stack->edits[i].name;
    return not_there("edit", name, names, stack->edit_count, why);
}

bool stack_find_paint(const struct stack *stack, const char *name, int *at, struct fault *why)
{
    const char *names[PAINT_LAYERS_MOST] = { NULL };

    *at = stack_paint(stack, name);
    if (*at >= 0)
        return true;
    for (int i = 0; i < stack->paint_count; i++)
        names[i] = stack->paints[i].name;
    return not_there("paint", name, names, stack->paint_count, why);
}

/* Making */

static void name_put(char to[LAYER_NAME_ROOM], const char *name)
{
    strncpy(to, name, LAYER_NAME_ROOM - 1);
    to[LAYER_NAME_ROOM - 1] = '\0';
}

static bool ids_left(const struct stack *stack, struct fault *why)
{
    return stack->next_id < LAYER_IDS ||
           fault_set(why, FAULT_LIMIT, "a landscape has at most %d layers in its life", LAYER_IDS);
}

struct edit_layer *stack_add_edit(struct stack *stack, const char *name, struct fault *why)
{
    struct edit_layer *layer;

    if (stack_edit(stack, name) >= 0) {
        fault_set(why, FAULT_CONFLICT, "there is an edit layer %s already", name);
        return NULL;
    }
    if (stack->edit_count == EDIT_LAYERS_MOST) {
        fault_set(why, FAULT_LIMIT, "a landscape has at most %d edit layers", EDIT_LAYERS_MOST);
        return NULL;
    }
    if (!ids_left(stack, why))
        return NULL;
    layer = &stack->edits[stack->edit_count++];
    *layer = (struct edit_layer){
        .id = stack->next_id++, .alpha = 1, .weights_alpha = NAN, .visible = true
    };
    name_put(layer->name, name);
    return layer;
}

struct paint_layer *stack_add_paint(struct stack *stack, const char *name, struct fault *why)
{
    struct paint_layer *layer;

    if (stack_paint(stack, name) >= 0) {
        fault_set(why, FAULT_CONFLICT, "there is a paint layer %s already", name);
        return NULL;
    }
    if (stack->paint_count == PAINT_LAYERS_MOST) {
        fault_set(why, FAULT_LIMIT, "a landscape has at most %d paint layers", PAINT_LAYERS_MOST);
        return NULL;
    }
    if (!ids_left(stack, why))
        return NULL;
    layer = &stack->paints[stack->paint_count++];
    *layer = (struct paint_layer){ .id = stack->next_id++, .blended = true };
    layer->material.tiling = 8;
    layer->material.surface = SURFACE_NONE;
    name_put(layer->name, name);
    return layer;
}

/* Adding up */

double edit_layer_weights_alpha(const struct edit_layer *layer)
{
    double alpha = isnan(layer->weights_alpha) ? layer->alpha : layer->weights_alpha;

    return alpha > 0 ? alpha : 0;
}

bool edit_layer_subtracts(const struct edit_layer *layer, uint32_t paint)
{
    for (int i = 0; i < layer->subtract_count; i++)
        if (layer->subtract[i] == paint)
            return true;
    return false;
}

bool edit_layer_same_sum(const struct edit_layer *a, const struct edit_layer *b)
{
    return a->id == b->id && a->blend == b->blend && a->alpha == b->alpha &&
           edit_layer_weights_alpha(a) == edit_layer_weights_alpha(b) && a->visible == b->visible &&
           a->subtract_count == b->subtract_count &&
           memcmp(a->subtract, b->subtract, (size_t)a->subtract_count * sizeof *a->subtract) == 0;
}

bool stack_same_sum(const struct stack *a, const struct stack *b)
{
    if (a == b)
        return true;
    if (a->edit_count != b->edit_count || a->paint_count != b->paint_count)
        return false;
    for (int i = 0; i < a->edit_count; i++)
        if (!edit_layer_same_sum(&a->edits[i], &b->edits[i]))
            return false;
    for (int i = 0; i < a->paint_count; i++)
        if (a->paints[i].id != b->paints[i].id || a->paints[i].blended != b->paints[i].blended)
            return false;
    return true;
}

/* The byte form: next id, reshaped, counts; then each layer's numbers, little-endian, and its
 * texts with one zero byte each. A paint layer's surface stands above the bit that says whether it
 * is blended, one more than its number. */

static bool write_edit(const struct edit_layer *layer, struct bytes *to, struct fault *why)
{
    bool written =
        form_add_number(to, layer->id, 4, why) && form_add_text(to, layer->name, why) &&
        form_add_number(to, (uint64_t)layer->blend, 1, why) &&
        form_add_real(to, layer->alpha, why) && form_add_real(to, layer->weights_alpha, why) &&
        form_add_number(to, (uint64_t)layer->visible | (uint64_t)layer->locked << 1, 1, why) &&
        form_add_number(to, (uint64_t)layer->subtract_count, 2, why);

    for (int i = 0; written && i < layer->subtract_count; i++)
        written = form_add_number(to, layer->subtract[i], 4, why);
    return written;
}

static bool write_paint(const struct paint_layer *layer, struct bytes *to, struct fault *why)
{
    const struct material *material = &layer->material;

    return form_add_number(to, layer->id, 4, why) && form_add_text(to, layer->name, why) &&
           form_add_number(to, (uint64_t)layer->blended | (uint64_t)(material->surface + 1) << 1, 1,
                           why) &&
           form_add_text(to, layer->physical_material, why) &&
           bytes_add(to, layer->debug_color, 3, why) && bytes_add(to, material->color, 3, why) &&
           form_add_real(to, material->tiling, why) && form_add_text(to, material->albedo, why) &&
           form_add_text(to, material->normal, why) && form_add_text(to, material->height, why) &&
           form_add_text(to, material->roughness, why);
}

bool stack_write(const struct stack *stack, struct bytes *to, struct fault *why)
{
    bool written = form_add_number(to, stack->next_id, 4, why) &&
                   form_add_number(to, stack->reshaped, 8, why) &&
                   form_add_number(to, (uint64_t)stack->edit_count, 2, why) &&
                   form_add_number(to, (uint64_t)stack->paint_count, 2, why);

    for (int i = 0; written && i < stack->edit_count; i++)
        written = write_edit(&stack->edits[i], to, why);
    for (int i = 0; written && i < stack->paint_count; i++)
        written = write_paint(&stack->paints[i], to, why);
    return written;
}

/* A layer's name, or, where that may be, none. */
static void take_name(struct form_reader *from, char name[LAYER_NAME_ROOM], bool may_be_empty)
{
    form_take_text(from, name, LAYER_NAME_ROOM);
    from->whole = from->whole && (name[0] ? name_valid(name) : may_be_empty);
}

static void take_bytes(struct form_reader *from, uint8_t *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = (uint8_t)form_take_number(from, 1);
}

static bool within(double value, double least, double most)
{
    return value >= least && value <= most;
}

static void take_edit(struct form_reader *from, struct edit_layer *layer)
{
    uint64_t flags;

    layer->id = (uint32_t)form_take_number(from, 4);
    take_name(from, layer->name, false);
    layer->blend = (int)form_take_number(from, 1);
    layer->alpha = form_take_real(from);
    layer->weights_alpha = form_take_real(from);
    flags = form_take_number(from, 1);
    layer->visible = flags & 1;
    layer->locked = flags & 2;
    layer->subtract_count = (int)form_take_number(from, 2);
    from->whole = from->whole && flags < 4 && layer->blend <= BLEND_ALPHA &&
                  within(layer->alpha, -1, 1) &&
                  (isnan(layer->weights_alpha) || within(layer->weights_alpha, 0, 1)) &&
                  layer->subtract_count <= PAINT_LAYERS_MOST;
    for (int i = 0; from->whole && i < layer->subtract_count; i++)
        layer->subtract[i] = (uint32_t)form_take_number(from, 4);
}

static void take_paint(struct form_reader *from, struct paint_layer *layer)
{
    struct material *material = &layer->material;
    uint64_t kind;

    layer->id = (uint32_t)form_take_number(from, 4);
    take_name(from, layer->name, false);
    kind = form_take_number(from, 1);
    layer->blended = kind & 1;
    material->surface = (int)(kind >> 1) - 1;
    take_name(from, layer->physical_material, true);
    take_bytes(from, layer->debug_color, 3);
    take_bytes(from, material->color, 3);
    material->tiling = form_take_real(from);
    take_name(from, material->albedo, true);
    take_name(from, material->normal, true);
    take_name(from, material->height, true);
    take_name(from, material->roughness, true);
    from->whole =
        from->whole && within(material->tiling, 1e-3, 1e6) && material->surface < SURFACES;
}

/* Names and ids are each there once, ids below the next, and base is among them. */
static bool consistent(const struct stack *stack)
{
    for (int i = 0; i < stack->edit_count; i++)
        if (stack->edits[i].id >= stack->next_id || stack_edit(stack, stack->edits[i].name) != i ||
            stack_edit_of(stack, stack->edits[i].id) != i)
            return false;
    for (int i = 0; i < stack->paint_count; i++)
        if (stack->paints[i].id >= stack->next_id ||
            stack_paint(stack, stack->paints[i].name) != i ||
            stack_paint_of(stack, stack->paints[i].id) != i)
            return false;
    return stack_edit_of(stack, BASE_LAYER) >= 0;
}

static bool counts_allowed(int edits, int paints)
{
    return edits >= 1 && edits <= EDIT_LAYERS_MOST && paints >= 0 && paints <= PAINT_LAYERS_MOST;
}

struct stack *stack_read(const unsigned char **data, size_t *left, struct fault *why)
{
    struct form_reader from = { *data, *left, true };
    uint32_t next_id = (uint32_t)form_take_number(&from, 4);
    uint64_t reshaped = form_take_number(&from, 8);
    int edits = (int)form_take_number(&from, 2), paints = (int)form_take_number(&from, 2);
    struct stack *stack = NULL;

    if (!from.whole || !counts_allowed(edits, paints)) {
        fault_set(why, FAULT_STORAGE, "stored layers: %d edit layers and %d paint layers", edits,
                  paints);
        return NULL;
    }
    stack = stack_room(edits, paints);
    if (!stack) {
        fault_set(why, FAULT_MEMORY, "no memory for the layers of a landscape");
        return NULL;
    }
    stack->next_id = next_id;
    stack->reshaped = reshaped;
    for (; from.whole && stack->edit_count < edits; stack->edit_count++)
        take_edit(&from, &stack->edits[stack->edit_count]);
    for (; from.whole && stack->paint_count < paints; stack->paint_count++)
        take_paint(&from, &stack->paints[stack->paint_count]);
    if (!from.whole || !consistent(stack)) {
        fault_set(why, FAULT_STORAGE, "stored layers are cut short or contradict each other");
        stack_drop(stack);
        return NULL;
    }
    *data = from.at;
    *left = from.left;
    return stack;
}
