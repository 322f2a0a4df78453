/* Where water runs: from vertex to vertex over a window, and how much of it comes together.
 *
 * A vertex drains to one of its eight neighbours, the one to which it falls most steeply in metres
 * (D8: O'Callaghan and Mark, "The extraction of drainage networks from digital elevation data",
 * 1984); of equally steep ones to that of the least code. Filled, the ground is raised first until
 * no vertex is lower than the way out of the window (Barnes, Lehman and Mulla, "Priority-flood",
 * Computers & Geosciences 62, 2014), and on level ground water runs to where the flood came from:
 * so every vertex drains to an outlet. Outlets are vertices at the window's border, or beside a
 * hole, with no lower neighbour. Nothing is known of what flows in from outside the window.
 *
 * Water steps over solid quads alone: along a side of one, or along either diagonal of it. Heights
 * are the stored ones, so all of this is exact and the same on every machine. Any thread. */
#ifndef TERRAIN_QUERY_FLOW_H
#define TERRAIN_QUERY_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

/* ESRI's codes: 1 << way, clockwise from the east. */
enum {
    FLOW_EAST,
    FLOW_SOUTH_EAST,
    FLOW_SOUTH,
    FLOW_SOUTH_WEST,
    FLOW_WEST,
    FLOW_NORTH_WEST,
    FLOW_NORTH,
    FLOW_NORTH_EAST,
    FLOW_WAYS
};
enum { FLOW_NOWHERE = 0, FLOW_NO_GROUND = 255 }; /* no ground: within holes alone */

/* Columns and rows of a step. */
extern const int8_t flow_steps[FLOW_WAYS][2];

struct flow_options {
    bool fill;
    bool ignore_holes; /* the ground beneath is there */
};

struct flow {
    struct rect over;
    uint8_t *directions; /* row by row */
    uint16_t *codes;     /* heights, filled if that was wanted */
};

/* Of a window on the landscape; about 10 bytes a vertex on the way, 3 in the end. Fails with
 * MEMORY; there is then nothing to free. */
bool flow_trace(const struct view *view, struct rect over, const struct flow_options *options,
                const struct executor *executor, struct flow *flow, struct fault *why);

/* How many vertices drain through each, itself included; 0 where there is no ground. `counts` has
 * room for the window. Fails with MEMORY. */
bool flow_accumulate(const struct flow *flow, uint32_t *counts, struct fault *why);

void flow_free(struct flow *flow);

#endif
