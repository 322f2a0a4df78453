/* A node of the landscape's quadtree as a GLB: what its address and its options say. Level 0 is the
 * root, the least square of leaf * 2^n quads that covers the landscape; rows count from the north.
 * Any thread. */
#ifndef API_MESHES_NODE_H
#define API_MESHES_NODE_H

#include "api/meshes/meshes.h"

struct node_asked {
    struct mesh_frame_asked frame;
    uint64_t given;
    int32_t level, x, y;
    int32_t leaf, grid;
    double max_error, merge_angle;
    double skirts; /* metres; NaN: as deep as is good; 0: none */
    int holes;
    bool normals;
};
extern const struct shape node_shape;
enum { NODE_GRID = 1 << 4, NODE_MAX_ERROR = 1 << 5 }; /* in given */

/* The node's square, in quads. Fails with MISSING for one that does not meet the landscape, and
 * with INPUT for a leaf or grid that is no power of two. */
bool node_square(struct request *rq, const struct node_asked *asked, struct rect *square);

/* A name of all that the mesh depends on. */
bool node_newest(struct request *rq, const struct node_asked *asked, uint64_t *version);

/* Fills rq->bytes. */
bool node_answer(struct request *rq, const struct node_asked *asked);

#endif
