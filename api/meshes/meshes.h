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

/* What a file of this request's view says of itself; no version. */
struct mesh_note meshes_note(const struct request *rq, double bound);

/* Sets the Landscape-Mesh-Error of the answer; NaN says nothing. */
void meshes_say_error(struct request *rq, double bound);

/* The mesh as rq->bytes, with its error said. */
bool meshes_answer(struct request *rq, const struct mesh *mesh, int format);

#endif
