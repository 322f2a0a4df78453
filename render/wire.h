/* What the daemon and a render worker say to each other, over worker.h.
 *
 *   daemon   DRAW and two descriptors: the scene, sealed, and room for the frame
 *   worker   WANT: places in the scene's list of tiles that it does not have
 *   daemon   TILES and one descriptor: those, one after another, sealed
 *            (WANT and TILES once more for each WIRE_TILES_MOST, and for each pass)
 *   worker   DONE, the frame written; or FAILED and a sentence
 *
 * A scene is a struct wire_scene, then the keys of its tiles of all planes, its patches, then what
 * the head counts: nodes (struct wire_patch), pages (32 bits each), shapes, their indices (32 bits)
 * and their vertices (WIRE_SHAPE_NUMBERS x 16 bits). Both sides are of one build on one machine, so
 * these are plain structs; each still checks every length and index that it was sent.
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
    WIRE_MESH_QUADS = 32,  /* a side of a skirted mesh, the most */
    WIRE_GRID_MOST = 128,  /* a side of a node's grid */
    WIRE_PATCH_MESHES = 9, /* inside, four strips, four walls */
    WIRE_PAGES_MOST = 512 * 512,
    WIRE_SHAPE_NUMBERS_MOST = 1 << 26 /* vertices, or indices, of a scene's own shapes */
};

/* The meshes that patches are drawn with: what is in the four numbers of a vertex. An edge is 0
 * none, 1 north, 2 east, 3 south, 4 west; a hem 1 at the lower end of what hangs down. */
enum wire_mesh {
    WIRE_MESH_SKIRTED,      /* a grid and skirts around it: column, row, edge, hem */
    WIRE_MESH_WHOLE,        /* a grid: column, row */
    WIRE_MESH_INSIDE,       /* a grid but for its outermost quads */
    WIRE_MESH_STRIP,        /* those; what: side * 4 + difference, as in patch_mesh.h */
    WIRE_MESH_WALL,         /* what: edge; column, row, edge, hem */
    WIRE_MESH_SECTIONS,     /* of a component; what: sections a side; column, row, section */
    WIRE_MESH_SECTION_WALL, /* what: sections * 8 + edge; column, row, section, edge * 2 + hem */
    WIRE_MESH_SHAPE         /* of the scene itself: its number; column, row, 0, 0; or quads east and
                               south of the patch's corner, 8, height code; then two more: the XY
                               offset of the latter kind */
};
enum { WIRE_SHAPE_NUMBERS = 6 }; /* of a vertex of a shape; all other meshes have four */
#define WIRE_MESH(kind, size, what)                                                                \
    ((uint32_t)(kind) << 24 | (uint32_t)(what) << 16 | (uint32_t)(size))
#define WIRE_MESH_KIND(key) ((key) >> 24)
#define WIRE_MESH_WHAT(key) ((key) >> 16 & 255)
#define WIRE_MESH_SIZE(key) ((key)&65535)
#define WIRE_SHAPE(n)       ((uint32_t)WIRE_MESH_SHAPE << 24 | (uint32_t)(n))
#define WIRE_SHAPE_OF(key)  ((key)&0xffffff)

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
    uint32_t patches;
    uint64_t triangles, ground; /* ground: without the model's sides */
    double seconds;             /* of the drawing alone */
};

struct wire_failed {
    uint32_t kind, code; /* an enum fault_code */
    char detail[312];
};

/* What of a patch is of its geometry, but for those of auto. */
struct wire_component {
    float corner[2];           /* quads */
    float draw, lod;           /* the index buffer's level, the continuous one */
    float neighbours[4];       /* levels: north, west, east, south, at least its own */
    float cell[2], cell_quads; /* of its first section in the layer, in cells; texels a side */
};
struct wire_node {
    float corner[2], stride; /* quads */
    float grid;              /* quads of it, a side */
    float first[2];          /* its corner in the tile of heights, samples */
    float last[2];           /* vertex that stands on the landscape's border, or the grid's */
    float morph[2]; /* metres from the eye where it begins and is done; no morph if alike */
    float still;    /* bits of the sides that do not: west, east, north, south */
};

/* One instance of its meshes, or (a page's) what colours the ground. Places in a tile are in its
 * quads, 1 << level of the landscape's. */
struct wire_patch {
    float first[2], step;         /* north-west corner, and the side of a drawn quad */
    uint32_t slots[RENDER_SLOTS]; /* places in the list of keys, or WIRE_NONE */
    uint32_t variant;             /* WIRE_BITs */
    float quads[4];               /* see corner_quads of terrain.vert */
    uint8_t paints[WIRE_PAINTS];  /* which layers of the scene's weights0, … hold */
    float limit[4];               /* west, north, east, south border of the ground */
    float origin[2];              /* metres from the eye to the tile's north-west corner */
    float spacing[2];             /* metres of a tile's quad, east and south */
    float shift; /* from a place to the samples around it: means stand in the middle */
    float drop;  /* metres a skirt hangs down */
    uint32_t meshes[WIRE_PATCH_MESHES]; /* WIRE_MESHes */
    uint32_t mesh_count;
    float ahead[2];    /* metres, between which all of it lies */
    float window[4];   /* west, north, east, south of it in the picture, from -1 to 1 down */
    float number, lod; /* of the patch in the picture; its level of detail */
    union {
        struct wire_component component;
        struct wire_node node;
    };
};

/* A mesh of the scene's own: a run of its vertices and of its indices. */
struct wire_shape {
    uint32_t first_vertex, vertex_count, first_index, index_count;
};

struct wire_light {
    float sun_azimuth, sun_elevation; /* degrees */
    float shadows, occlusion;         /* 0 to 1 */
    float exposure;                   /* a factor */
    float fog[2]; /* what a metre hides at the eye's height, and 1 / metres over which it thins */
};

struct wire_water {
    uint32_t on, to_horizon;
    float level;    /* above the eye */
    float clear;    /* metres that one sees into it */
    float color[3]; /* linear */
    float box[4];   /* metres from the eye: west, north, east, south border */
};

/* What the mode is told; see shaders/scale.glsl. */
struct wire_told {
    uint8_t table[256][4]; /* colours: of the ramp, or of the paint layers */
    float span[3];         /* of the ramp: low, middle, high */
    float form;            /* how much the ground's form is shown by light: 0 right from above */
    float interval;        /* metres between contours */
    float zero;            /* local z of the stored height 0 */
    float many;            /* 1: light from several sides */
    float quad[2];         /* metres, east and south */
    float solid[2];        /* quads across and down that are no pad */
    float grid[4];         /* lines for each quad east and south, and where 0 lies among them */
    float borders;         /* quads between two borders of components; 0: they are not drawn */
    float samples;         /* quads between the samples of the collision heightfield */
};

/* What a paint layer or the ground by itself is made of: linear colour, which is the mean of its
 * texture, and places of its looks and relief in the list of keys, or WIRE_NONE. */
struct wire_material {
    float colour[3], tiling;
    uint32_t looks, relief;
};

/* Paint layers by their position, then the project's own surfaces, which unpainted ground has. */
enum { WIRE_OWN = 256, WIRE_MATERIALS = WIRE_OWN + SURFACES };

struct wire_cover {
    float quad[2];    /* metres of a quad of the landscape, east and south */
    float period;     /* metres that the soft noise covers */
    float reach;      /* metres of a pixel from which on a surface is no more than its colour */
    float depth;      /* of blending by height */
    uint32_t variety; /* place of the soft noise */
    uint32_t asked;   /* 0: nothing of all this is */
    struct wire_material materials[WIRE_MATERIALS];
};

/* Metres from the eye where not said otherwise; directions in local axes (y south). */
struct wire_scene {
    _Alignas(8) uint32_t width;
    uint32_t height, mode, geometry, output;
    uint32_t sky;     /* 1: drawn where there is no ground */
    uint32_t variant; /* WIRE_BITs of all patches */
    uint32_t tile_count, patch_count;
    /* of geometries whose patches are not those of tiles: */
    uint32_t node_count;              /* what colours the ground */
    uint32_t page_columns, page_rows; /* which node does, by square of the landscape */
    uint32_t page_quads;              /* a side of it */
    uint32_t shape_count, vertex_count, index_count;
    float eye_quads[2], eye_more[2]; /* where the eye is: the sum of both, quads */
    float metres[2];                 /* of a quad */
    float solid[4];                  /* west, north, east, south border of the ground, quads */
    uint32_t section_quads, sections, last; /* of a component's patch; its last level */
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
    struct wire_told told;
    struct wire_water water;
    uint32_t samples; /* 0: as it comes cheap */
    struct wire_cover cover;
};

#endif
