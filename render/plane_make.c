#include "render/plane_make.h"

#include "render/plane_newest.h"
#include "render/samples.h"
#include "render/tile.h"

const struct plane_maker *const plane_makers[RENDER_PLANES] = {
#define PLANE(name, columns, rows, texel, filter, share) &plane_maker_##name,
#include "render/planes.def"
#undef PLANE
};

static bool touched(const void *context, const struct view_change *change)
{
    const struct tile_key *key = context;

    return !rect_empty(
        rect_meet(samples_reach(key->level, tile_samples(key->x, key->y)), change->over));
}

struct tile_key heights_key_of(const struct plane_source *source, int32_t level, int32_t x,
                               int32_t y)
{
    struct tile_key key = tile_key(source->view, level, x, y);

    key.newest = plane_newest(source, &key, key.newest, touched, &key);
    return key;
}

static bool heights_key(const struct plane_source *source, int32_t level, int32_t x, int32_t y,
                        int slot, struct tile_key *key)
{
    (void)slot;
    *key = heights_key_of(source, level, x, y);
    return true;
}

static bool heights_make(const struct plane_source *source, const struct tile_key *key,
                         void *texels, struct fault *why)
{
    if (key->detail == TILE_POINTS) {
        tile_make_points(source->view, key->level, key->x, key->y, texels);
        return true;
    }
    return tile_make(source->view, key->level, key->x, key->y, texels) ||
           fault_set(why, FAULT_MEMORY, "no memory for a picture's tiles");
}

const struct plane_maker plane_maker_heights = { .key = heights_key, .make = heights_make };
