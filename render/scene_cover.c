/* What the ground of a scene is made of. */
#include "render/scene_cover.h"

#include <math.h>
#include <string.h>

#include "render/material.h"
#include "render/plane_surfaces.h"

/* A texture is a colour where a pixel is so much of what it covers. */
static const double reach_share = 1.0 / 24;

/* Textures of rasters that a picture shows; those of further layers are colours. */
enum { TEXTURED_MOST = 16 };

struct covering {
    struct making *making;
    struct wire_cover *cover;
    bool detail; /* something is so near that textures show */
    int textured;
};

static bool add_key(struct covering *covering, struct tile_key key, uint32_t *place)
{
    return making_key(covering->making, &key, place);
}

static bool add_own(struct covering *covering)
{
    for (int i = 0; i < SURFACES; i++) {
        struct wire_material *material = &covering->cover->materials[WIRE_OWN + i];
        const struct surface_made *made = surface_own(i);

        if (!made)
            return fault_set(covering->making->why, FAULT_MEMORY,
                             "no memory for a picture's surfaces");
        memcpy(material->colour, made->mean, sizeof material->colour);
        material->tiling = (float)surfaces[i]->tiling;
        if (covering->detail &&
            (!add_key(covering, plane_surfaces_own(i, false), &material->looks) ||
             !add_key(covering, plane_surfaces_own(i, true), &material->relief)))
            return false;
    }
    return add_key(covering, plane_surfaces_own(SURFACES, false), &covering->cover->variety);
}

/* Own surfaces have one key however they are asked for. */
static struct tile_key key_of(uint64_t id, const struct material *material, bool relief)
{
    return id <= SURFACES ? plane_surfaces_own(material->surface, relief)
                          : plane_surfaces_key(id, relief);
}

static bool add_paint(struct covering *covering, int paint)
{
    const struct stack *stack = covering->making->source.view->settings->stack;
    const struct picture_rasters *rasters = covering->making->source.picture->cover.rasters;
    const struct material *from = &stack->paints[paint].material;
    struct wire_material *material = &covering->cover->materials[paint];
    uint64_t id = material_id(from, rasters);

    material_linear(from->color, material->colour);
    material->tiling = (float)from->tiling;
    if (id > SURFACES && covering->textured == TEXTURED_MOST)
        return true;
    if (!id || !material_mean(from, rasters, material->colour))
        return true;
    covering->textured += id > SURFACES;
    return !covering->detail || (add_key(covering, key_of(id, from, false), &material->looks) &&
                                 add_key(covering, key_of(id, from, true), &material->relief));
}

float scene_cover_reach(const struct plane_source *source)
{
    const struct stack *stack = source->view->settings->stack;
    double tiling = 0;

    for (int i = 0; i < SURFACES; i++)
        tiling = fmax(tiling, surfaces[i]->tiling);
    for (int i = 0; i < stack->paint_count; i++)
        if (material_id(&stack->paints[i].material, source->picture->cover.rasters))
            tiling = fmax(tiling, stack->paints[i].material.tiling);
    return (float)(tiling * reach_share);
}

/* Metres that the soft noise covers. */
static float period_of(const struct extent *extent)
{
    double across = hypot(extent->high[0] - extent->low[0], extent->high[1] - extent->low[1]);

    return (float)fmax(256, across * 0.25);
}

float scene_cover_closer(const struct extent *extent)
{
    return period_of(extent) / (25 * 30); /* as variety_of of cover.glsl has it */
}

bool scene_cover(struct making *making, struct wire_scene *head)
{
    const struct grid *grid = view_grid(making->view);
    struct covering covering = { .making = making,
                                 .cover = &head->cover,
                                 .detail = making->variant & WIRE_BIT(DETAIL) };

    head->cover = (struct wire_cover){ .quad = { (float)grid->scale[0], (float)grid->scale[1] },
                                       .period = period_of(making->extent),
                                       .reach = (float)making->reach,
                                       .depth = (float)making->source.picture->cover.depth,
                                       .asked = 1 };
    for (int i = 0; i < WIRE_MATERIALS; i++)
        head->cover.materials[i] =
            (struct wire_material){ .tiling = 1, .looks = WIRE_NONE, .relief = WIRE_NONE };
    for (int i = 0; i < making->view->settings->stack->paint_count; i++)
        if (making->used[i] && !add_paint(&covering, i))
            return false;
    if (!add_own(&covering))
        return false;
    head->tile_count = making->key_count;
    return true;
}
