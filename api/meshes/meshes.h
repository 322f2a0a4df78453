/* What the endpoints of meshes share. Any thread. */
#ifndef API_MESHES_MESHES_H
#define API_MESHES_MESHES_H

#include "api/endpoint.h"
#include "terrain/format/mesh_format.h"
#include "terrain/lod/pick.h"

extern const char *const hole_words[]; /* of enum hole_rule; ends with NULL */
extern const char *const meshes_glb_media[];

/* Fails with LIMIT, with both numbers, for more triangles than one mesh may have. */
bool meshes_within_limit(struct request *rq, int64_t triangles);

/* The newest version of anything that meshes of these vertices show. */
uint64_t meshes_newest(const struct view *view, struct rect over);

/* Adds to a name of what is shown what heights refer to: of Earth-fixed meshes. Waits for no disk.
 * Fails as datum_hold does. */
bool meshes_datum_key(struct request *rq, uint64_t *version);

/* Sets the mesh's bound to what it really is; NaN where vertices have offsets, as there is no one
 * surface beneath them then. */
bool meshes_measure(struct request *rq, struct mesh *mesh);

/* What a file of this request's view says of itself; no version. */
struct mesh_note meshes_note(const struct request *rq, double bound);

/* Sets the Landscape-Mesh-Error of the answer; NaN says nothing. */
void meshes_say_error(struct request *rq, double bound);

/* In whose axes a GLB is: the landscape's, or Earth-fixed for clients of 3D Tiles. */
enum mesh_frame { MESH_LOCAL, MESH_ECEF };
extern const char *const mesh_frame_words[];

struct mesh_frame_asked {
    int frame_out; /* enum mesh_frame */
    double height_offset;
};
extern const struct shape mesh_frame_shape; /* a base for an endpoint's own options */

/* The mesh as a GLB in rq->bytes, with its error said. Earth-fixed fails with IMPOSSIBLE without a
 * CRS. */
bool meshes_answer_glb(struct request *rq, const struct mesh *mesh,
                       const struct mesh_frame_asked *frame, const struct mesh_note *note);

/* The mesh as rq->bytes, with its error said. */
bool meshes_answer(struct request *rq, const struct mesh *mesh, int format);

#endif
