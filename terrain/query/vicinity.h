/* The triangles in a shape's vicinity: the walk that sweeps, overlaps and nearest points share.
 *
 * It sees places as metres along the local axes, counted from a place of the shape's own, so that
 * what lies near is told apart finely wherever the landscape is. It descends from the least nodes
 * of the heights' quadtree that cover the shape, by a fixed stack, to blocks, their cells and
 * quads; bounds of a node are joined with those of its neighbours to the east and south, whose
 * first vertices its last quads need. So its cost follows the shape, not the landscape. Each walk
 * reads one view. Any thread.
 */
#ifndef TERRAIN_QUERY_VICINITY_H
#define TERRAIN_QUERY_VICINITY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "terrain/core/view.h"

/* Corners: north-west, north-east or south-west, south-east. */
struct near_triangle {
    double corners[3][3];
    double key;     /* of the quad's box */
    int64_t number; /* as in collide.h */
    bool hole;
};

struct vicinity {
    const struct view *view;
    double from[3];         /* grid x and y, metres z: where places are counted from */
    double low[2], high[2]; /* metres from there: quads beyond are not looked at */
    /* A bound below for all that may be in the box, from which whatever is above `most` is left
     * out; visit may lower `most`. */
    double (*key)(const void *shape, const double low[3], const double high[3]);
    double most;
    /* Triangles come in an order that begins near `from`. False: enough has been seen. */
    bool (*visit)(struct vicinity *near, const struct near_triangle *triangle);
    /* Set by visit, who has seen enough of holes: what is nothing else is passed by. */
    bool holes_known;
    void *shape;
    _Atomic int64_t *left; /* quads and boxes that may still be looked at, by all that share it */
};

/* False: more would have to be looked at than was left. */
bool vicinity_walk(struct vicinity *near);

/* Metres from `from` to a place, and back. */
void vicinity_towards(const struct vicinity *near, const double at[3], double metres[3]);
void vicinity_place(const struct vicinity *near, const double metres[3], double at[3]);

/* Whether any quad lies in low..high. */
bool vicinity_any(const struct vicinity *near);

#endif
