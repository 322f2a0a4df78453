/* What a picture shows and how: everything that a request may say of one. Any thread. */
#ifndef RENDER_PICTURE_H
#define RENDER_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "render/modes.h"
#include "terrain/core/view.h"
#include "terrain/lod/camera.h"

/* How the ground is cut into patches: rows of geometries.def. */
enum render_geometry {
#define GEOMETRY(name, vertex, summary) RENDER_GEOMETRY_##name,
#include "render/geometries.def"
#undef GEOMETRY
    RENDER_GEOMETRIES
};

extern const char *const render_geometries[]; /* names, ends with NULL */

/* What is told of each pixel: rows of outputs.def. */
enum render_output {
#define OUTPUT(name, nothing, glsl, summary) RENDER_OUTPUT_##name,
#include "render/outputs.def"
#undef OUTPUT
    RENDER_OUTPUTS
};

extern const char *const render_outputs[]; /* names, ends with NULL */

/* The light: angles in degrees, azimuth from north clockwise, elevation above the horizon. */
struct picture_light {
    double sun_azimuth, sun_elevation;
};

struct picture {
    int32_t width, height; /* pixels */
    int mode;              /* enum of modes.def */
    int geometry;          /* enum render_geometry; all but auto are drawn by GL */
    bool by_gl;            /* also where flat.h would draw it */
    int output;            /* enum render_output */
    bool transparent;      /* nothing where there is no ground, instead of sky or a plain colour */
    struct camera camera;
    struct picture_light light;
};

#endif
