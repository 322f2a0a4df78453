/* Simulations: tools whose result at a vertex depends on the ground as far as `reach` quads around.
 *
 * The area of a dab is cut into tiles, and each is simulated with as much of its surroundings as
 * its result depends on. So neither the cut nor the dab's shape shows: with full force a vertex
 * comes to what it would if the whole landscape were simulated. Heights are fixed-point numbers,
 * whose sums do not depend on their order. One thread at a time.
 */
#ifndef TERRAIN_EDIT_SIMULATE_H
#define TERRAIN_EDIT_SIMULATE_H

#include "terrain/edit/brush.h"

enum { PLOT_ONE = 4096, PLOT_REACH_MOST = 1024 }; /* units of a code; quads */

struct plot {
    struct rect all;    /* the landscape */
    struct rect wanted; /* where the result is needed */
    struct rect around; /* wanted grown by the reach, on the landscape */
    struct rect known;  /* where the heights are right: at first `around` */
    int32_t *heights;   /* of `around`, row by row: before, and then after */
    int32_t *spare;     /* room for as many; a run may swap the two */
    int64_t *room;      /* for as many, twice; NULL unless asked for */
};

struct simulation {
    int32_t reach; /* at most PLOT_REACH_MOST */
    int64_t cost;  /* of a known vertex, in vertices touched */
    bool roomy;    /* needs the plot's room */
    double strength;
    void (*run)(const struct simulation *simulation, struct plot *plot);
};

/* What of the landscape lies within so many quads of what is wanted. */
static inline struct rect plot_grown(const struct plot *plot, int32_t quads)
{
    struct rect wanted = plot->wanted;

    return rect_meet(plot->all,
                     (struct rect){ wanted.x - quads, wanted.y - quads, wanted.width + 2 * quads,
                                    wanted.height + 2 * quads });
}

/* Each dab goes the share force * strength of the way to the simulation's result. Fails as
 * where_apply does. */
bool simulation_apply(const struct simulation *simulation, struct draft *draft,
                      const struct where *where, struct fault *why);

#endif
