#include "terrain/format/mesh_format.h"

const struct mesh_format mesh_format_glb = { .write = glb_write };
