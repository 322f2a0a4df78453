/* Which detail is drawn where: the nodes of a landscape's quadtree that a picture needs.
 *
 * A node at level L covers 128 << L quads a side and is seen through a texture of 128 x 128
 * samples, one for each 1 << L quads. Nodes are split until a sample is about a pixel, so that what
 * is looked up follows the picture and not the landscape; how many quads are drawn of a node
 * follows its relief in pixels, since triangles are what a picture costs. Any thread.
 */
#ifndef TERRAIN_LOD_SELECT_H
#define TERRAIN_LOD_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"
#include "terrain/lod/camera.h"
#include "terrain/lod/extent.h"

enum { NODE_LOG2 = 7, NODE_QUADS = 1 << NODE_LOG2 };

struct lod_want {
    double sample_pixels; /* a sample may be this large in the picture before a node is split */
    double error_pixels;  /* the surface may be drawn this far from where it is */
    double quad_pixels;   /* but no drawn quad is wanted smaller than this */
    size_t nodes_most;    /* samples grow until no more nodes than this are needed */
};

struct lod_node {
    int32_t level, x, y; /* quads from x * (128 << level), y * (128 << level) */
    int32_t quads;       /* drawn a side, a power of two from 1 to 128 */
    double drop;         /* metres: how far a neighbour drawn otherwise may lie lower at a border */
    double distance;     /* metres from the eye */
};

struct lod_selection {
    struct lod_node *nodes; /* nearest first */
    size_t count;
    double nearest, farthest; /* metres ahead of the eye between which all of it lies */
    int32_t culled; /* nodes that were looked at and are out of the picture or all holes */
};

void lod_selection_fini(struct lod_selection *selection);

/* Fails with MEMORY. Nothing in the picture is an answer: no nodes. */
bool lod_select(const struct view *view, const struct extent *extent, const struct look *look,
                int32_t width, int32_t height, const struct lod_want *want,
                struct lod_selection *selection, struct fault *why);

/* Whether a rectangle of quads, between its least and greatest height (and down to the base
 * where it meets the border), may be in the picture. */
bool lod_seen(const struct view *view, const struct extent *extent, const struct look *look,
              struct rect quads);

#endif
