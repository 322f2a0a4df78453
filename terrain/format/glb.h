/* Meshes as binary glTF 2.0 (GLB), in glTF's own frame.
 *
 * Local: (X, Y, Z) = (x, z, y), metres, right-handed: X east, Y up, Z south. Earth-fixed, of a
 * landscape with a CRS: (X, Y, Z) = (x, z, -y) of EPSG:4978, which is what clients of 3D Tiles turn
 * back. Positions are floats around the middle of the mesh, which is the node's translation in
 * doubles; their bounds are those of the floats. Indices are 16-bit up to 65,535 vertices, as 65535
 * restarts a primitive. A mesh without triangles is a scene without a node, which is valid. Any
 * thread.
 */
#ifndef TERRAIN_FORMAT_GLB_H
#define TERRAIN_FORMAT_GLB_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/base/rect.h"
#include "terrain/core/view.h"
#include "terrain/format/datum.h"
#include "terrain/lod/mesh.h"

/* What a file says of itself. */
struct mesh_note {
    const char *name; /* of letters that need no escape */
    uint64_t version; /* 0 is left out: a tile's bytes are to change only when it does */
    double bound;     /* metres that the surface may lie off; NaN when nobody knows */
};

/* Fill empty bytes with one file. Fail with MEMORY, with LIMIT beyond 4 GiB; earth-fixed also as
 * georef does, and with IMPOSSIBLE for a vertex that has no place on Earth. The datum
 * makes heights ellipsoidal ones. */
bool glb_write(const struct view *view, const struct mesh *mesh, const struct mesh_note *note,
               struct bytes *to, struct fault *why);
bool glb_write_earth(const struct view *view, const struct mesh *mesh, const struct datum *datum,
                     const struct mesh_note *note, struct bytes *to, struct fault *why);

/* The same bytes as glb_write of a window's mesh at full detail, straight from the heights: for
 * windows without holes. Two vertices a side at least. */
bool glb_write_window(const struct view *view, struct rect window, bool normals,
                      const struct mesh_note *note, struct bytes *to, struct fault *why);

#endif
