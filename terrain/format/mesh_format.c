#include "terrain/format/mesh_format.h"

#define MESH_FORMAT(name, media, ending) extern const struct mesh_format mesh_format_##name;
#include "terrain/format/mesh_formats.def"
#undef MESH_FORMAT

const struct mesh_format *const mesh_formats[] = {
#define MESH_FORMAT(name, media, ending) &mesh_format_##name,
#include "terrain/format/mesh_formats.def"
#undef MESH_FORMAT
};
