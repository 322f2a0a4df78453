/* What the two halves of viewsheds share: the ground with the eye, and the sweep over it. Any
 * thread. */
#ifndef TERRAIN_QUERY_VIEWSHED_INSIDE_H
#define TERRAIN_QUERY_VIEWSHED_INSIDE_H

#include "terrain/query/sight.h"
#include "terrain/query/viewshed.h"

struct seeing {
    const struct view *view;
    const struct viewshed_options *options;
    const struct viewshed *viewshed;
    struct rect reach;
    struct sight_ground ground;
    struct planar planar;
    double *heights;
    uint8_t *sides; /* NULL: no holes that count */
    int64_t eye[3]; /* in units, from the reach's north-west vertex */
    int64_t raised; /* targets, above the ground */
};

/* East, south, west and north of the eye, for sweeps that run at once: every vertex is in one of
 * them, but for one right at the eye. */
enum { SECTORS = 4 };
struct viewshed_sectors {
    const struct seeing *seeing;
    int64_t count[SECTORS]; /* of what is seen */
    int64_t pieces[SECTORS];
    _Atomic int64_t crossings; /* of all so far */
    bool failed[SECTORS];      /* memory was out */
};
void viewshed_sector(void *sectors, size_t sector);

/* What the answer is for the vertex (i, j) of the reach; and whether it is in the window, with
 * ground, and within the radius. */
bool viewshed_counts(const struct seeing *seeing, int32_t i, int32_t j);
void viewshed_put(const struct seeing *seeing, int32_t i, int32_t j, bool seen, double lack);
/* Decided by itself. */
bool viewshed_look(const struct seeing *seeing, int32_t i, int32_t j, int64_t *crossings);
/* Of a quarter's horizon, at most. */
int64_t viewshed_pieces(const struct seeing *seeing);

#endif
