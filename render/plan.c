#include "render/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/picture.h"

/* Beyond this ratio of far to near, 24 bits of depth are spread over two slices, the far one first.
 */
static const float slice_ratio = 4000;

static float layer_of(const struct wire_patch *patch, const int32_t *layers, int slot)
{
    return patch->slots[slot] == WIRE_NONE ? 0 : (float)layers[patch->slots[slot]];
}

static void set_tile(struct instance *instance, const struct wire_patch *patch,
                     const int32_t *layers)
{
    const float given[6][4] = {
        { patch->first[0], patch->first[1], patch->step, layer_of(patch, layers, SLOT_heights) },
        { patch->limit[0], patch->limit[1], patch->limit[2], patch->limit[3] },
        { patch->origin[0], patch->origin[1], patch->spacing[0], patch->spacing[1] },
        { patch->shift, patch->drop, layer_of(patch, layers, SLOT_weights1),
          layer_of(patch, layers, SLOT_weights2) },
        { patch->quads[0], patch->quads[1], patch->quads[2], patch->quads[3] },
        { layer_of(patch, layers, SLOT_shade), layer_of(patch, layers, SLOT_offsets),
          layer_of(patch, layers, SLOT_values), layer_of(patch, layers, SLOT_weights0) }
    };

    memcpy(instance->given, given, sizeof given);
    memcpy(instance->paints, patch->paints, sizeof instance->paints);
}

/* See node.vert. */
static void set_node(struct instance *instance, const struct wire_patch *patch,
                     const int32_t *layers)
{
    const struct wire_node *node = &patch->node;
    const float given[6][4] = {
        { node->corner[0], node->corner[1], node->stride, layer_of(patch, layers, SLOT_heights) },
        { node->last[0], node->last[1], node->morph[0], node->morph[1] },
        { node->first[0], node->first[1], layer_of(patch, layers, SLOT_offsets), node->still },
        { node->grid },
    };

    memcpy(instance->given, given, sizeof given);
}

/* See component.vert. */
static void set_component(struct instance *instance, const struct wire_patch *patch,
                          const int32_t *layers)
{
    const struct wire_component *component = &patch->component;

    for (int k = 0; k < 2; k++) {
        instance->given[0][k] = component->corner[k];
        instance->given[4][k] = component->cell[k];
    }
    instance->given[0][2] = component->draw;
    instance->given[0][3] = component->lod;
    instance->given[4][2] = component->cell_quads;
    for (int k = 0; k < 4; k++) {
        instance->given[1][k] = component->neighbours[k];
        instance->given[2][k] = layer_of(patch, layers, SLOT_chain0 + k);
        instance->given[3][k] = layer_of(patch, layers, SLOT_drift0 + k);
    }
}

static void set_instance(struct instance *instance, uint32_t geometry,
                         const struct wire_patch *patch, const int32_t *layers)
{
    *instance = (struct instance){ .tag = { patch->lod, patch->number } };
    switch (geometry) {
    case RENDER_GEOMETRY_auto:
        set_tile(instance, patch, layers);
        break;
    case RENDER_GEOMETRY_component:
        set_component(instance, patch, layers);
        break;
    default:
        set_node(instance, patch, layers);
        break;
    }
}

/* Whole ground before that with holes, then by variant and mesh; the rest as in the scene, which is
 * nearest first. */
static int compare_batches(const void *left, const void *right)
{
    const struct batch *a = left, *b = right;
    uint32_t a_holes = a->variant & WIRE_BIT(HOLES), b_holes = b->variant & WIRE_BIT(HOLES);

    if (a_holes != b_holes)
        return a_holes < b_holes ? -1 : 1;
    if (a->variant != b->variant)
        return a->variant < b->variant ? -1 : 1;
    return a->mesh < b->mesh ? -1 : a->mesh > b->mesh;
}

static struct batch *find_batch(struct plan *plan, const struct slice *slice, uint32_t variant,
                                uint32_t mesh)
{
    for (size_t i = slice->first; i < plan->batch_count; i++)
        if (plan->batches[i].variant == variant && plan->batches[i].mesh == mesh)
            return &plan->batches[i];
    return NULL;
}

bool plan_in_slice(const struct slice *slice, const struct wire_patch *patch)
{
    return patch->ahead[0] <= slice->farthest && patch->ahead[1] >= slice->nearest;
}

/* What a patch's batches are compiled with: where what colours it is found by page, all that any
 * page has. */
static uint32_t variant_of(const struct wire_scene *scene, const struct wire_patch *patch)
{
    return scene->node_count ? (scene->variant & ~WIRE_BIT(HOLES)) | patch->variant
                             : patch->variant;
}

/* Counts, or with `set` lays out, the instances of a patch, one for each of its meshes. */
static void put_patch(struct plan *plan, struct slice *slice, const struct wire_scene *scene,
                      const struct wire_patch *patch, const int32_t *layers, bool set)
{
    uint32_t variant = variant_of(scene, patch);

    for (uint32_t k = 0; k < patch->mesh_count; k++) {
        struct batch *batch = find_batch(plan, slice, variant, patch->meshes[k]);

        if (!batch) {
            batch = &plan->batches[plan->batch_count++];
            *batch = (struct batch){ .variant = variant, .mesh = patch->meshes[k] };
        }
        if (set)
            set_instance(&plan->instances[batch->first + batch->count], scene->geometry, patch,
                         layers);
        batch->count++;
    }
}

/* All patches of a slice, or of a pass: counted, or laid out. */
static void put_patches(struct plan *plan, struct slice *slice, const struct scene_parts *parts,
                        const struct pass *pass, const int32_t *layers, bool set)
{
    uint32_t count = pass ? pass->patch_count : parts->head->patch_count;

    for (uint32_t i = 0; i < count; i++) {
        const struct wire_patch *patch = &parts->patches[pass ? pass->patches[i] : i];

        if (pass || plan_in_slice(slice, patch))
            put_patch(plan, slice, parts->head, patch, layers, set);
    }
}

/* Counted, then laid out, batch by batch. */
static void plan_slice(struct plan *plan, struct slice *slice, const struct scene_parts *parts,
                       const struct pass *pass, const int32_t *layers)
{
    slice->first = plan->batch_count;
    put_patches(plan, slice, parts, pass, layers, false);
    slice->count = plan->batch_count - slice->first;
    qsort(plan->batches + slice->first, slice->count, sizeof *plan->batches, compare_batches);
    for (size_t i = slice->first; i < plan->batch_count; i++) {
        plan->batches[i].first = plan->count;
        plan->count += plan->batches[i].count;
        plan->batches[i].count = 0;
    }
    put_patches(plan, slice, parts, pass, layers, true);
    for (size_t i = slice->first; pass && pass->pages && i < plan->batch_count; i++)
        plan->batches[i].variant |= WIRE_BIT(SHARE);
}

int plan_slices(const struct wire_scene *scene, struct slice slices[PLAN_SLICES_MOST])
{
    float near = scene->nearest, far = scene->farthest, middle = sqrtf(near) * sqrtf(far);
    bool split = !scene->ortho && far > near * slice_ratio;

    slices[0] = (struct slice){ .nearest = split ? middle : near, .farthest = far };
    slices[1] = (struct slice){ .nearest = near, .farthest = middle * 1.01f };
    return split ? 2 : 1;
}

bool plan_make(struct plan *plan, const struct scene_parts *parts, const struct pass *pass,
               const struct slice *slice, const int32_t *layers, struct fault *why)
{
    const struct wire_scene *scene = parts->head;
    size_t most = 1;

    for (uint32_t i = 0; i < (pass ? pass->patch_count : scene->patch_count); i++)
        most += (size_t)parts->patches[pass ? pass->patches[i] : i].mesh_count * PLAN_SLICES_MOST;
    plan->slice_count = pass ? 1 : plan_slices(scene, plan->slices);
    if (pass)
        plan->slices[0] = *slice;
    plan->instances = malloc(sizeof *plan->instances * most);
    plan->batches = malloc(sizeof *plan->batches * most);
    if (!plan->instances || !plan->batches)
        return fault_set(why, FAULT_MEMORY, "no memory for %u patches", scene->patch_count);
    for (int i = 0; i < plan->slice_count; i++)
        plan_slice(plan, &plan->slices[i], parts, pass, layers);
    return true;
}

void plan_free(struct plan *plan)
{
    free(plan->instances);
    free(plan->batches);
    *plan = (struct plan){ 0 };
}
