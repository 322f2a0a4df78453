/* The collision heightfield of a landscape at a mip: one even grid of samples over all of it.
 *
 * At mip m each section has the mip grid of the reference (its own, halved m times), and the
 * sections' grids join, as what they share along a border follows from the border alone. Samples
 * lie q / Q quads apart, q being a section's quads and Q those that are left of them; at mip 0 they
 * are the vertices. A coarse quad is split along the diagonal from its north-west to its south-east
 * sample as every other, and is a hole when the base quad that holds its centre is one.
 * Definitions: collision of the reference, and its levels of detail. Any thread.
 */
#ifndef TERRAIN_QUERY_COLLISION_H
#define TERRAIN_QUERY_COLLISION_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/derived.h"
#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

/* What it is asked of is lent; without a cache a component's samples are worked out each time. */
struct collision {
    const struct view *view;
    struct derived_cache *cache;     /* may be NULL */
    const struct executor *executor; /* may be NULL */
    int32_t mip;
    int32_t columns, rows;   /* samples */
    int32_t section_quads;   /* of the landscape, q */
    int32_t section_steps;   /* quads of the grid in a section, Q */
    int32_t component_steps; /* and in a component */
    double spacing;          /* q / Q: quads of the landscape between two samples */
};

/* Mips 0 to that - 1 there are. */
int32_t collision_mips(const struct view *view);

/* Fails with IMPOSSIBLE, naming the last one, for a mip that there is not. */
bool collision_init(struct collision *collision, const struct view *view, int32_t mip,
                    struct derived_cache *cache, const struct executor *executor,
                    struct fault *why);

/* Codes of a rectangle of samples on the grid, rows `stride` numbers apart. Fails with MEMORY. */
bool collision_heights(const struct collision *collision, struct rect samples, uint16_t *codes,
                       int64_t stride, struct fault *why);

/* One byte a quad of the grid, named by its north-west sample: 0 solid, 255 a hole. */
void collision_holes(const struct collision *collision, struct rect quads, uint8_t *holes,
                     int64_t stride);

struct collision_point {
    double z;         /* metres; beneath a hole too */
    int64_t triangle; /* 2 (j (columns - 1) + i) + 0 north-east or 1 south-west, of the grid */
    bool hole;
};

/* The heightfield's surface at grid coordinates of the landscape. Fails with RANGE outside, and
 * with MEMORY. */
bool collision_point(const struct collision *collision, const double at[2],
                     struct collision_point *point, struct fault *why);

/* The components that a rectangle of samples is made from: those that hold its quads. And the
 * vertices of the landscape on which its heights, holes and error depend. */
struct rect collision_components(const struct collision *collision, struct rect samples);
struct rect collision_reach(const struct collision *collision, struct rect samples);

/* The greatest vertical distance in metres between the heightfield and the surface at LOD 0, where
 * both are solid, in each of the components of a rectangle of them, row by row. Exact: it is found
 * in whole numbers. Costs a pass over the heights unless it is kept. Fails with MEMORY. */
bool collision_errors(const struct collision *collision, struct rect components, double *metres,
                      struct fault *why);
/* The greatest of them. */
bool collision_error(const struct collision *collision, struct rect components, double *metres,
                     struct fault *why);

#endif
