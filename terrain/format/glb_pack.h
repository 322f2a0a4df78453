/* The container: header, JSON and an empty BIN chunk for whoever fills it. One thread at a time. */
#ifndef TERRAIN_FORMAT_GLB_PACK_H
#define TERRAIN_FORMAT_GLB_PACK_H

#include <stddef.h>

#include "terrain/format/glb.h"

enum { GLB_SHORT_MOST = 65535 }; /* vertices that 16-bit indices can tell apart */

struct glb_room {
    size_t vertices, indices;
    bool normals;
    float low[3], high[3]; /* of the positions */
    double middle[3];      /* the node's translation */
};

/* Where the parts go: native numbers, see glb_close. */
struct glb_parts {
    float (*positions)[3], (*normals)[3]; /* NULL without normals */
    uint16_t *shorts;                     /* one of these two */
    uint32_t *longs;
    size_t numbers_at; /* of the BIN chunk's data */
};

bool glb_open(const struct glb_room *room, const struct mesh_note *note, struct bytes *to,
              struct glb_parts *parts, struct fault *why);
void glb_close(const struct glb_room *room, const struct glb_parts *parts, struct bytes *to);

#endif
