#include "render/picture.h"

#include <stddef.h>

const char *const render_geometries[] = {
#define GEOMETRY(name, vertex, defines, summary) #name,
#include "render/geometries.def"
#undef GEOMETRY
    NULL
};

const char *const render_outputs[] = {
#define OUTPUT(name, nothing, glsl, summary) #name,
#include "render/outputs.def"
#undef OUTPUT
    NULL
};
