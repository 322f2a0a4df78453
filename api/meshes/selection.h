/* What a camera asks of the landscape's detail: the body that lod and mesh share. Any thread. */
#ifndef API_MESHES_SELECTION_H
#define API_MESHES_SELECTION_H

#include "api/endpoint.h"
#include "api/viewing.h"
#include "terrain/lod/pick.h"

enum selection_mode { SELECTION_COMPONENT, SELECTION_QUADTREE };
extern const char *const selection_modes[];

struct selection {
    uint64_t given;
    int mode;
    struct viewing camera;
    int32_t width, height;
    double near, far;
    int holes;
    bool everything;
    /* of components */
    double bias, lod0_screen_size, lod0_distribution, lod_distribution;
    int32_t lod;
    bool per_section;
    /* of the quadtree */
    int split;
    double factor, pixel_error;
    int32_t leaf, grid, balance;
    double merge_angle;
    bool half_step;
};
extern const struct shape selection_shape; /* a base for what an endpoint adds */

/* Both made ready for pick(). Fails with INPUT for a camera that is none, and for members of the
 * other mode. */
bool selection_ready(struct request *rq, const struct selection *asked, struct frustum *frustum,
                     struct pick_options *options);

/* What of it says how detail is selected, as an object within another body: the members after the
 * camera's. `given` counts from the first of them. */
extern const struct shape selection_detail_shape;

/* Of such an object, without the picture's size. Fails with INPUT, placed at its member. */
bool selection_detail(struct request *rq, const struct selection *asked, int mode,
                      struct pick_options *options);

/* Of a node: level 0 is the root, the least square of leaf * 2^n quads around the landscape. */
int32_t selection_levels(const struct view *view, int32_t leaf);
int32_t selection_level(const struct view *view, int32_t leaf, int32_t size);

#endif
