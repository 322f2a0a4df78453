/* A scene while it is made, and how its ground is cut into patches: each geometry is
 * render/geometry_NAME.c, ending in one row, and a line of geometries.def. One thread. */
#ifndef RENDER_MAKING_H
#define RENDER_MAKING_H

#include "render/plane_make.h"
#include "render/wire.h"
#include "terrain/base/bytes.h"
#include "terrain/lod/pick.h"
#include "terrain/lod/select.h"

struct making {
    const struct view *view;
    const struct extent *extent;
    const struct look *look;
    struct plane_source source;
    unsigned slots;                        /* SLOT_BIT of what the picture looks up */
    const struct lod_selection *selection; /* the tiles that colour the ground */
    struct bytes keys;                     /* struct tile_key, each once */
    uint32_t *places;                      /* of a table by key: place + 1 */
    size_t places_mask;
    struct bytes patches, nodes;            /* struct wire_patch */
    struct bytes pages;                     /* uint32_t */
    struct bytes shapes, indices, vertices; /* struct wire_shape, uint32_t, 6 x uint16_t */
    uint32_t key_count, patch_count, variant;
    uint32_t page_columns, page_rows, page_quads;
    double pixel,
        reach; /* metres of a pixel a metre ahead, or anywhere; see wire_cover, 0: no cover */
    bool used[PAINT_LAYERS_MOST]; /* paint layers that a tile has */
    uint32_t sections;            /* of a component's patch */
    double nearest, farthest;     /* metres ahead of the eye */
    struct fault *why;
};

struct geometry {
    /* Adds the patches that the look sees. */
    bool (*fill)(struct making *making);
    /* Its patches are not those of tiles: what colours them is found by page. */
    bool paged;
};

#define GEOMETRY(name, vertex, defines, summary) extern const struct geometry geometry_##name;
#include "render/geometries.def"
#undef GEOMETRY

/* The place of a key in the list; added when it is not there. */
bool making_key(struct making *making, const struct tile_key *key, uint32_t *place);

/* What a tile has in each slot, its keys added to the list. */
bool making_slots(struct making *making, int32_t level, int32_t x, int32_t y,
                  struct wire_patch *patch);

/* Sets how far ahead of the eye the patch begins and ends, from its corners and its heights, and
 * whether it is under water. */
void making_ahead(struct making *making, const struct rect *quads, struct wire_patch *patch);

/* Adds the patch. */
bool making_patch(struct making *making, struct wire_patch *patch);

/* Adds nodes and pages: what colours the ground of patches that are not tiles' own. */
bool making_pages(struct making *making);

/* Which sides of the ground's border a rectangle of quads reaches: bit 0 north, 1 east, 2 south, 3
 * west. */
unsigned making_border(const struct making *making, struct rect quads);

/* How detail is selected, as the picture says or POST lod does by default. */
struct pick_options making_options(const struct making *making, bool components);

#endif
