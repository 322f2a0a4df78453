/* Rays straight up or down, which meet one triangle or none: a run of them at a time, as heights at
 * many points are. Any thread. */
#ifndef TERRAIN_QUERY_RAY_UPRIGHT_H
#define TERRAIN_QUERY_RAY_UPRIGHT_H

#include "terrain/query/directory.h"
#include "terrain/query/ray.h"

struct ray_upright {
    const struct directory *directory;
    bool holes; /* there are some, and they count */
    bool any;   /* statuses alone are filled in */
};

/* Answers those rays that are upright, over the inside of a triangle, and where doubles are sure;
 * tells the numbers of the others, of `count` at most 65535, and how many they are. */
size_t ray_upright(const struct ray_upright *upright, const struct ray *rays, size_t count,
                   struct ray_hit *hits, uint16_t *others);

#endif
