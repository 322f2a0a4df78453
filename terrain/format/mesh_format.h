/* A format of meshes: one file that ends in one constant struct, and a row in mesh_formats.def.
 *
 * OBJ and STL are of modellers and printers, where z is up and the axes right-handed: x is local x,
 * east, and y runs north, so it is the negative of local y. Metres. Any thread. */
#ifndef TERRAIN_FORMAT_MESH_FORMAT_H
#define TERRAIN_FORMAT_MESH_FORMAT_H

#include "terrain/format/glb.h"

struct mesh_format {
    /* Fills empty bytes with one file. Fails with MEMORY, and with LIMIT for more than the format
     * can hold. */
    bool (*write)(const struct view *view, const struct mesh *mesh, const struct mesh_note *note,
                  struct bytes *to, struct fault *why);
};

enum mesh_format_name {
#define MESH_FORMAT(name, media, ending) MESH_FORMAT_##name,
#include "terrain/format/mesh_formats.def"
#undef MESH_FORMAT
    MESH_FORMAT_COUNT
};

extern const struct mesh_format *const mesh_formats[];

#endif
