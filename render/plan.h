/* What of a scene is drawn by which calls: instances, batches of them, slices of depth. Render
 * worker. */
#ifndef RENDER_PLAN_H
#define RENDER_PLAN_H

#include "terrain/base/fault.h"
#include "render/passes.h"

/* One patch as the vertex shader takes it: locations 1 to 8. */
struct instance {
    float given[6][4]; /* as the geometry's vertex shader calls them */
    uint8_t paints[WIRE_PAINTS];
    float tag[4]; /* level of detail, number */
};

enum { PLAN_SLICES_MOST = 2 };

/* Patches that one call draws. */
struct batch {
    uint32_t variant, mesh;
    size_t first, count; /* instances */
};

/* Ground without holes is drawn first, by a program that cannot discard: depth is then tested
 * before shading, which halves the price of a pixel. */
struct slice {
    float nearest, farthest;
    size_t first, count; /* batches */
};

struct plan {
    struct slice slices[PLAN_SLICES_MOST];
    int slice_count;
    struct batch *batches;
    struct instance *instances;
    size_t batch_count, count;
};

/* Slices without batches, in the order in which they are drawn; how many. */
int plan_slices(const struct wire_scene *scene, struct slice slices[PLAN_SLICES_MOST]);
bool plan_in_slice(const struct slice *slice, const struct wire_patch *patch);

/* layers[i] is where the shelf has tile i. Of a pass, in one slice of the scene's; or, with pass
 * NULL, of all the scene in all of them. Fails with MEMORY; to be freed in any case. */
bool plan_make(struct plan *plan, const struct scene_parts *parts, const struct pass *pass,
               const struct slice *slice, const int32_t *layers, struct fault *why);
void plan_free(struct plan *plan);

#endif
