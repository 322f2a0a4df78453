/* What exports of meshes are asked, and how they are made. Any thread. */
#ifndef API_MESHES_EXPORTED_H
#define API_MESHES_EXPORTED_H

#include "api/meshes/meshes.h"
#include "api/rasters/window.h"

enum { EXPORT_LOD_MOST = 16 };

struct export_asked {
    struct window_steps_asked steps;
    uint64_t given;
    int32_t lod;
    double max_error;
    int holes;
    bool normals;
};

/* Whether nothing is asked that only a mesh has. Fails with INPUT, placed at the parameter. */
bool exported_no_mesh(struct request *rq, const struct export_asked *asked);

/* The window of a mesh within `whole`, which is what is meant when nothing is asked. Fails as
 * window_rect does, with INPUT for what contradicts itself, with IMPOSSIBLE for edges where meshes
 * within an error cannot end, and with LIMIT for too many triangles. */
bool exported_window(struct request *rq, const struct export_asked *asked, struct rect whole,
                     struct rect *window);

/* The vertices that the mesh depends on. */
struct rect exported_reach(const struct view *view, const struct export_asked *asked,
                           struct rect window);

/* Fills rq->bytes. */
bool exported_mesh(struct request *rq, const struct export_asked *asked, struct rect window,
                   int format);

#endif
