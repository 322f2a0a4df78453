#include "render/plane_surfaces.h"

#include <string.h>

#include "render/material.h"

enum { NO_LEVEL = -1 };

struct tile_key plane_surfaces_key(uint64_t id, bool relief)
{
    return (struct tile_key){
        .detail = id, .level = NO_LEVEL, .x = relief, .plane = RENDER_PLANE_surfaces
    };
}

struct tile_key plane_surfaces_own(int surface, bool relief)
{
    struct tile_key key = plane_surfaces_key((uint64_t)surface, relief);

    key.y = 1;
    return key;
}

static bool make_own(const struct tile_key *key, void *texels)
{
    const struct surface_made *made = surface_own((int)key->detail);

    if (made)
        memcpy(texels, key->x ? made->relief : made->looks, SURFACE_BYTES);
    return made != NULL;
}

/* The paint layer whose material it is. */
static bool make_painted(const struct plane_source *source, const struct tile_key *key,
                         void *texels)
{
    const struct stack *stack = source->view->settings->stack;
    const struct picture_rasters *rasters = source->picture->cover.rasters;

    for (int i = 0; i < stack->paint_count; i++)
        if (material_id(&stack->paints[i].material, rasters) == key->detail)
            return material_texels(&stack->paints[i].material, rasters, key->x, texels);
    return false;
}

static bool make(const struct plane_source *source, const struct tile_key *key, void *texels,
                 struct fault *why)
{
    return (key->y ? make_own(key, texels) : make_painted(source, key, texels)) ||
           fault_set(why, FAULT_CONFLICT,
                     "A material's raster was changed while the picture was being made");
}

const struct plane_maker plane_maker_surfaces = { .make = make };
