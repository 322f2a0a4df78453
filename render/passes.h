/* A scene drawn in several passes, because the shelf has no room for all of its tiles at once: each
 * has some of the patches and, where what colours them is found by page, some of the nodes, so that
 * every point of the ground is drawn in one of them. Render worker. */
#ifndef RENDER_PASSES_H
#define RENDER_PASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "render/scene_read.h"

struct passes;

/* What one pass has. Lent until the next. */
struct pass {
    const uint32_t *patches, *tiles; /* their numbers in the scene */
    uint32_t patch_count, tile_count;
    const uint32_t *pages; /* instead of the scene's, with PASS_ELSEWHERE where another pass draws;
                              NULL: as in the scene */
};
#define PASS_ELSEWHERE 0x80000000u

/* `room` is how many tiles of each plane there is room for. NULL with MEMORY. */
struct passes *passes_new(const struct scene_parts *parts, const int32_t room[RENDER_PLANES],
                          struct fault *why);
void passes_free(struct passes *passes);

/* Begins with the patches that `drawn` says, by number. */
void passes_begin(struct passes *passes, bool (*drawn)(const void *context, uint32_t patch),
                  const void *context);

/* The next pass; false after the last. A patch that needs more than there is room for is none: *why
 * has LIMIT then, and else no code. */
bool passes_next(struct passes *passes, struct pass *pass, struct fault *why);

#endif
