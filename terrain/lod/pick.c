#include "terrain/lod/pick.h"

#include <stdlib.h>

void picks_free(struct picks *picks)
{
    free(picks->patches);
    *picks = (struct picks){ 0 };
}

bool pick(const struct view *view, struct derived_cache *cache, const struct frustum *frustum,
          const struct pick_options *options, struct picks *picks, struct fault *why)
{
    return options->components ? pick_components(view, cache, frustum, options, picks, why)
                               : pick_quadtree(view, cache, frustum, options, picks, why);
}

bool picks_mesh(const struct view *view, struct derived_cache *cache,
                const struct pick_options *options, const struct picks *picks,
                int64_t triangles_most, struct mesh *mesh, struct fault *why)
{
    if (picks->triangles > triangles_most)
        return fault_set(why, FAULT_LIMIT,
                         "the mesh would have %lld triangles, and at most %lld are made at once",
                         (long long)picks->triangles, (long long)triangles_most);
    return options->components ? component_picks_mesh(view, cache, options, picks, mesh, why)
                               : quadtree_picks_mesh(view, cache, options, picks, mesh, why);
}
