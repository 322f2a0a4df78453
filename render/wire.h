/* What the daemon and a render worker say to each other, over worker.h.
 *
 *   daemon   DRAW and two descriptors: the scene, sealed, and room for the frame
 *   worker   WANT: places in the scene's list of tiles that it does not have
 *   daemon   TILES and one descriptor: those, one after another, sealed
 *            (WANT and TILES once more for each WIRE_TILES_MOST)
 *   worker   DONE, the frame written; or FAILED and a sentence
 *
 * A scene is a struct wire_scene, then the keys of its tiles of all planes, then its patches. Both
 * sides are of one build on one machine, so these are plain structs; each still checks every length
 * and index that it was sent.
 */
#ifndef RENDER_WIRE_H
#define RENDER_WIRE_H

#include <stdint.h>

#include "render/plane.h"

enum {
    WIRE_TILES_MOST = 256, /* in one message */
    WIRE_SCENE_TILES_MOST = 65536,
    WIRE_PAINTS = 16, /* paint layers of a patch: four a slot of weights, the last four spare */
    WIRE_PATCHES_MOST = 1 << 18,
    WIRE_SIDE_MOST = 65536,
    WIRE_MESHES = 6, /* of 1, 2, … 32 quads a side */
    WIRE_MESH_QUADS = 1 << (WIRE_MESHES - 1)
};

#define WIRE_NONE UINT32_MAX /* a slot with nothing in it */

/* Bits of variants.def. */
enum {
#define VARIANT(name) WIRE_AT_##name,
#include "render/variants.def"
#undef VARIANT
    WIRE_VARIANTS
};
#define WIRE_BIT(name) (1u << WIRE_AT_##name)

enum wire_kind { WIRE_DRAW, WIRE_WANT, WIRE_TILES, WIRE_DONE, WIRE_FAILED };

struct wire_draw {
    uint32_t kind;
    uint32_t room;
    uint64_t scene_bytes, frame_bytes;
};

struct wire_want {
    uint32_t kind, count;
    uint32_t places[WIRE_TILES_MOST];
};

struct wire_tiles {
    uint32_t kind, count;
};

struct wire_done {
    uint32_t kind;
    uint32_t tiles_loaded, draws;
    uint32_t room;
    uint64_t triangles;
    double seconds; /* of the drawing alone */
};

struct wire_failed {
    uint32_t kind, code; /* an enum fault_code */
    char detail[312];
};

/* One instance of a mesh. Places in a tile are in its quads, 1 << level of the landscape's. */
struct wire_patch {
    float first[2], step;         /* north-west corner, and the side of a drawn quad */
    uint32_t slots[RENDER_SLOTS]; /* places in the list of keys, or WIRE_NONE */
    uint32_t variant;             /* WIRE_BITs */
    float quads[4];               /* see corner_quads of terrain.vert */
    uint8_t paints[WIRE_PAINTS];  /* which layers of the scene's weights0, … hold */
    float limit[4];               /* west, north, east, south border of the ground */
    float origin[2];              /* metres from the eye to the tile's north-west corner */
    float spacing[2];             /* metres of a tile's quad, east and south */
    float shift;    /* from a place to the samples around it: means stand in the middle */
    float drop;     /* metres a skirt hangs down */
    uint32_t mesh;  /* log2 of the drawn quads a side */
    float ahead[2]; /* metres, between which all of it lies */
};

struct wire_light {
    float sun_azimuth, sun_elevation; /* degrees */
    float shadows, occlusion;         /* 0 to 1 */
};

/* Metres from the eye where not said otherwise; directions in local axes (y south). */
struct wire_scene {
    uint32_t width, height, mode, geometry, output;
    uint32_t sky;     /* 1: drawn where there is no ground */
    uint32_t variant; /* WIRE_BITs of all patches */
    uint32_t tile_count, patch_count;
    uint32_t ortho;
    float right[3], up[3], forward[3];
    float half[2]; /* as in struct look */
    float nearest, farthest;
    float code_metres, code_zero; /* z of a stored height: code * code_metres + code_zero */
    float base;                   /* z where the sides of the model end */
    float eye_z;                  /* local z of the eye */
    float range[2];               /* local z of the lowest and highest ground */
    float extent;                 /* the landscape's diagonal */
    float last_quad[2];           /* its column and row */
    float background[4];          /* where there is no ground and no sky, as in the picture */
    struct wire_light light;
};

#endif
