/* A view: one version of a landscape, frozen for as long as it is held.
 *
 * What is true are the layers' planes, found by their keys (see channels.h); what the surface
 * is, the resolved planes, follows from them and is shared with the layer's wherever one layer
 * alone makes it.
 *
 * Answers taken from one view agree however long they take, and holding one never
 * makes a writer wait. Any thread.
 */
#ifndef TERRAIN_CORE_VIEW_H
#define TERRAIN_CORE_VIEW_H

#include <stdatomic.h>
#include <stdint.h>

#include "terrain/core/channels.h"
#include "terrain/core/settings.h"
#include "terrain/core/tree.h"

enum { RESOLVED_PLANES = 2 }; /* PLANE_HEIGHTS and PLANE_HOLES; weights are apart */

struct layer_plane {
    uint64_t key;
    uint64_t born; /* the version that made it; what it held in an earlier life does not count */
    struct tree tree;
};

struct paint_plane {
    uint32_t paint; /* the paint layer's id */
    struct tree tree;
};

/* What a version changed of heights, holes and place. Block stamps say as much of whole blocks. */
struct view_change {
    struct rect over;  /* vertices; empty: nothing */
    uint16_t greatest; /* no height there was or is greater */
};
enum { VIEW_CHANGES = 16 };

struct view {
    _Atomic uint32_t holders;
    uint64_t incarnation; /* of the landscape: deleting and creating makes another */
    uint64_t version;
    uint64_t settings_version; /* the version that made the settings */
    uint64_t
        again; /* which making of it from a file or a log, and its successors: see view_again */
    uint64_t
        place_version; /* the one that last moved or scaled the ground; of those kept in memory */
    int32_t change_count; /* how many of the last versions' changes are known: [i] is of */
    struct view_change changes[VIEW_CHANGES]; /* version - i */
    struct settings *settings;
    struct tree planes[RESOLVED_PLANES];
    /* resolved weights, of those paint layers that have any, by id */
    int32_t weights_count;
    struct paint_plane *weights;
    /* what the layers hold, by key; blocks that nothing was written to have version 1 */
    int32_t layers_count;
    struct layer_plane *layers;
};

/* A new landscape's first version: all heights `code`, in the base layer, no holes. Takes the
 * settings. NULL when memory is out (the settings are then still the caller's). */
struct view *view_new(struct settings **settings, uint64_t incarnation, uint64_t version,
                      uint16_t code);
/* For whoever makes a version once more: its stamps may be others than they were the first time. A
 * number that no other making in this process has. */
void view_again(struct view *view);

/* For whoever fills a new view's heights and holes: base becomes what makes them. */
bool view_share_base(struct view *view, struct fault *why);

struct view *view_hold(const struct view *view);
void view_drop(struct view *view);

static inline const struct grid *view_grid(const struct view *view)
{
    return &view->settings->grid;
}

static inline struct rect view_rect(const struct view *view)
{
    return (struct rect){ 0, 0, view->settings->grid.columns, view->settings->grid.rows };
}

/* The layers' plane of that key, the resolved weights of that paint layer; NULL when there are
 * none. Lent by the view. */
const struct tree *view_layer(const struct view *view, uint64_t key);
const struct tree *view_weights(const struct view *view, uint32_t paint);

/* All planes of an edit layer, by channel and paint layer: the first of `count`. Lent by the view.
 */
const struct layer_plane *view_layer_all(const struct view *view, uint32_t layer, int32_t *count);

/* For whoever makes a view: the same, there afterwards in any case; NULL when memory is out. Lent
 * until the next one is put in. */
struct layer_plane *view_layer_put(struct view *view, uint64_t key, uint64_t born);
struct tree *view_weights_put(struct view *view, uint32_t paint);
void view_layer_drop(struct view *view, uint64_t key);
void view_weights_drop(struct view *view, uint32_t paint);
/* Another view of the same content, to be changed; NULL when memory is out. */
struct view *view_copy(const struct view *view);
/* What has been made the content of an older version becomes that version: no stamp is later, so
 * that none names what was there afterwards. False when memory is out. */
bool view_backdate(struct view *view, uint64_t version);

/* Stored height of a vertex on the landscape; whether the quad at (x, y) is a hole. */
uint16_t view_height(const struct view *view, int32_t x, int32_t y);
bool view_hole(const struct view *view, int32_t x, int32_t y);

/* The surface at a grid position, as an unrounded code: on the triangle, each quad being split from
 * its north-west to its south-east vertex. False outside the landscape (NaN is outside).
 * view_quad_code is the same within one quad: its corners, and 0..1 east and south of the first. */
static inline double view_quad_code(int32_t nw, int32_t ne, int32_t sw, int32_t se, double across,
                                    double down)
{
    const bool north_east = across >= down;
    const int32_t eastward = north_east ? ne - nw : se - sw;
    const int32_t southward = north_east ? se - ne : sw - nw;

    return nw + across * eastward + down * southward;
}

bool view_code_at(const struct view *view, double x, double y, double *code);

/* Heights of a rectangle on the landscape, rows `stride` values apart. view_read_around
 * also reads beyond the landscape, where the nearest border vertex is repeated. */
void view_read_heights(const struct view *view, struct rect from, uint16_t *heights,
                       int64_t stride);
void view_read_around(const struct view *view, struct rect from, uint16_t *heights, int64_t stride);
/* One byte a quad: 0 solid, 255 a hole. */
void view_read_holes(const struct view *view, struct rect from, uint8_t *holes, int64_t stride);

/* XY offsets (offset.h) of a rectangle of vertices, east (axis 0) or south (1); and whether any
 * vertex of the landscape has one. */
void view_read_offsets(const struct view *view, int axis, struct rect from, uint16_t *offsets,
                       int64_t stride);
bool view_has_offsets(const struct view *view);
/* Between which all offsets of a rectangle of vertices lie, quads east and south (0 to 0 where
 * there are none). Of whole blocks: it may be too much, and is never too little. */
void view_bound_offsets(const struct view *view, struct rect over, double least[2],
                        double greatest[2]);

/* The newest version of anything that the rectangle's surface depends on: heights, holes and
 * place; of its weights; of its XY offsets. */
uint64_t view_newest(const struct view *view, struct rect over);
uint64_t view_newest_weights(const struct view *view, struct rect over);
uint64_t view_newest_offsets(const struct view *view, struct rect over); /* 0: never had any */

uint64_t view_bytes(const struct view *view);

#endif
