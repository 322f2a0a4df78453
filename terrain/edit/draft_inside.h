/* The inside of a draft, for the files that share it: draft.c has its life, draft_sight.c what its
 * writer sees, draft_write.c what is written to it, draft_layer.c how that goes to the layer,
 * draft_finish.c what it comes to. */
#ifndef TERRAIN_EDIT_DRAFT_INSIDE_H
#define TERRAIN_EDIT_DRAFT_INSIDE_H

#include "terrain/edit/draft.h"
#include "terrain/edit/resolve.h"

/* What a writer sees of one plane. Where the layer in work is the last that counts, that is what is
 * resolved, and heights and holes are written to the view's own planes (plain); where it is the
 * first, that is the layer's own plane, which what is written then replaces (own); where it is the
 * only one, both are the same. Else blocks are summed up when they are first looked at. */
struct sight {
    struct tree before, now; /* held; share what has not been written */
    bool plain, own;
};

struct draft {
    struct view *base, *view; /* view is NULL once finished */
    int64_t limit, spent;
    const struct sources *sources;

    int layer; /* position of the edit layer in work */
    bool open; /* it is looked at: the sights are there */
    struct sight heights, holes;
    int paints;
    struct sight *weights; /* by position, `paints` of them */
    struct rect *touched;  /* by block, its part where heights may have been written; or NULL */
    uint8_t *seen;         /* a bit (1 << plane) for each block that has been summed up */
    uint8_t *stale;        /* the same for blocks that are to be resolved, or NULL */
    /* with that: of stale heights the part, in block coordinates; empty is all of the block */
    struct rect *stale_parts;
};

/* The sights of the layer in work. Fails with LOCKED or MEMORY. */
bool draft_open(struct draft *draft, struct fault *why);
void draft_shut(struct draft *draft); /* lets the sights go as they are */

/* What has been written goes to its layer; the surface is not resolved yet. Fails with MEMORY. */
bool draft_put_down(struct draft *draft, struct fault *why);

/* The block as the writer sees it is there. After draft_open. */
bool draft_see(struct draft *draft, enum plane plane, int32_t bx, int32_t by, struct fault *why);

/* Block (bx, by)'s surface of the kind is to be resolved before the draft is finished. */
bool draft_stale(struct draft *draft, enum plane plane, int32_t bx, int32_t by, struct fault *why);
/* Only a part of its heights. */
bool draft_stale_part(struct draft *draft, int32_t bx, int32_t by, struct rect part,
                      struct fault *why);
bool draft_stale_all(struct draft *draft, uint32_t layer, struct fault *why);

/* The layers' plane of that key to write to; NULL with MEMORY. */
struct tree *draft_plane_own(struct draft *draft, uint64_t key, struct fault *why);

/* Planes of layers that are no more are let go. */
void draft_bury(struct draft *draft);

/* Component slots of the paint layers where weights have come or gone. */
bool draft_slots(struct draft *draft, struct fault *why);

/* The surface of a part of block (bx, by) moved by now - before, where that is just what adding up
 * all layers would come to; else *shifted is false. Fails with MEMORY. */
bool draft_shift(struct draft *draft, int32_t bx, int32_t by, const struct child *before,
                 const struct child *now, struct rect part, bool *shifted, struct fault *why);

bool draft_no_memory(struct fault *why);

bool layout_same(const struct view *a, const struct view *b);

static inline enum plane channel_kind(enum channel channel)
{
    return channel <= CHANNEL_MASK                                ? PLANE_HEIGHTS
           : channel == CHANNEL_HOLES || channel == CHANNEL_SOLID ? PLANE_HOLES
                                                                  : PLANE_WEIGHTS;
}

/* The plane that is written to; of weights see draft->weights. */
static inline struct tree *draft_now(struct draft *draft, enum plane plane)
{
    struct sight *sight = plane == PLANE_HEIGHTS ? &draft->heights : &draft->holes;

    return sight->plain ? &draft->view->planes[plane] : &sight->now;
}

static inline int32_t draft_block_index(const struct draft *draft, int32_t bx, int32_t by)
{
    return by * tree_blocks_across(&draft->view->planes[PLANE_HEIGHTS]) + bx;
}

static inline int32_t draft_blocks(const struct draft *draft)
{
    return tree_blocks_across(&draft->view->planes[PLANE_HEIGHTS]) *
           tree_blocks_down(&draft->view->planes[PLANE_HEIGHTS]);
}

#endif
