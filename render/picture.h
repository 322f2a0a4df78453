/* What a picture shows and how: everything that a request may say of one. Any thread. */
#ifndef RENDER_PICTURE_H
#define RENDER_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "render/modes.h"
#include "terrain/core/view.h"
#include "terrain/lod/camera.h"
#include "terrain/lod/pick.h"

/* How the ground is cut into patches: rows of geometries.def. */
enum render_geometry {
#define GEOMETRY(name, vertex, defines, summary) RENDER_GEOMETRY_##name,
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
    double shadows, occlusion; /* how much of the shade of sun and sky is shown, 0 to 1 */
    double exposure;           /* stops brighter */
    double fog;        /* how much the air hides of what is a landscape's diagonal away, below 1 */
    double fog_height; /* metres up to where it is thinner by e; 0: it is not */
    bool plain;        /* a plain colour instead of the sky */
};

/* Water up to a level, where ground is lower. */
struct picture_water {
    bool on, to_horizon; /* over all the world, or over the landscape alone */
    double level;        /* local z */
    uint8_t color[3];    /* sRGB, of what its depth throws back */
};

/* What a mode is told, each as far as the mode looks at it. */
struct picture_mode {
    int ramp;                  /* 1 + enum of ramps.def; 0: the mode's own */
    double range[2];           /* what the ramp is laid over; equal: see mode_scale.h */
    double interval;           /* metres between contours; 0: see mode_interval */
    int layer;                 /* a paint layer's position in the stack; -1: none */
    int mip;                   /* of the collision heightfield; -1: see mode_mip */
    bool many;                 /* light from several sides */
    uint64_t against;          /* the number of */
    const struct view *before; /* the version that another is compared with; lent for the call */
};

/* What is drawn onto the picture: rows of overlays.def; see overlay.h. */
enum picture_overlay {
#define OVERLAY(name, where, summary) PICTURE_OVERLAY_##name,
#include "render/overlays.def"
#undef OVERLAY
    PICTURE_OVERLAYS
};

extern const char *const picture_overlay_names[]; /* ends with NULL */

struct picture_overlays {
#define OVERLAY_METRES(name, where, summary) double name; /* 0: none */
#define OVERLAY(name, where, summary)        bool name;
#include "render/overlays.def"
#undef OVERLAY
};

enum { PICTURE_SAMPLES_MOST = 16 };

/* A raster that was uploaded, lent: channels 1 gray, 2 gray and alpha, both of 16 bits; 3 red,
 * green and blue, 4 with alpha, of 8 bits. */
struct picture_raster {
    uint64_t revision; /* names its content */
    int32_t width, height, channels;
    const void *samples;
    const void *held;
};

/* Where materials find theirs. Any thread; lent for the call. */
struct picture_rasters {
    void *context;
    /* Its revision; 0 when there is none of that name. */
    uint64_t (*find)(void *context, const char *name);
    bool (*lend)(void *context, const char *name, struct picture_raster *raster);
    void (*give_back)(void *context, struct picture_raster *raster);
};

/* How materials come together. */
struct picture_cover {
    double depth;                          /* of blending by height, 0 to 1; 0: by weight alone */
    const struct picture_rasters *rasters; /* NULL: materials have none */
};

struct picture {
    int32_t width, height; /* pixels */
    int mode;              /* enum of modes.def */
    int geometry;          /* enum render_geometry; all but auto are drawn by GL */
    bool by_gl;            /* also where flat.h would draw it */
    int output;            /* enum render_output */
    bool lod_said;         /* `lod` says how detail is selected, else the geometry's default does */
    struct pick_options lod; /* for component and quadtree; width and height are the picture's */
    bool open_sides;         /* the model's sides are not drawn; auto has them always */
    bool transparent; /* nothing where there is no ground, instead of sky or a plain colour */
    struct camera camera;
    struct picture_light light;
    struct picture_water water;
    int samples; /* of each pixel, a power of two up to PICTURE_SAMPLES_MOST; 0: as it comes cheap
                  */
    struct picture_mode show;
    struct picture_overlays overlays;
    bool behind; /* nobody waits for it: other pictures go first */
    struct picture_cover cover;
};

/* Whether light, sky and water are in it. */
static inline bool picture_lit(const struct picture *picture)
{
    return render_modes[picture->mode]->lit && picture->output == RENDER_OUTPUT_colour;
}

#endif
