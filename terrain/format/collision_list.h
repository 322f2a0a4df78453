/* The collision heightfield as lists of triangles, in y-up axes relative to the window's position.
 *
 * Seen from above they run anticlockwise: north-west, south-east, north-east, and north-west,
 * south-west, south-east; so normals point up in these right-handed axes. Any thread. */
#ifndef TERRAIN_FORMAT_COLLISION_LIST_H
#define TERRAIN_FORMAT_COLLISION_LIST_H

#include "terrain/format/collision_window.h"

/* Whether a triangle of a solid quad is in the list; NULL takes all. */
typedef bool collision_list_keep(const struct collision_window *window, int32_t x, int32_t y,
                                 bool south_west);

struct collision_list_size {
    int64_t vertices, triangles; /* vertices that some triangle has */
};
struct collision_list_size collision_list_measure(const struct collision_window *window,
                                                  collision_list_keep *keep);

/* uint32 vertices, uint32 indices, then float32 positions and uint32 indices. */
enum { LIST_HEAD = 8, LIST_VERTEX = 12, LIST_TRIANGLE = 12 };
bool collision_list_write(const struct collision_window *window, collision_list_keep *keep,
                          struct bytes *to, struct fault *why);
void collision_list_place(const struct collision_window *window, collision_list_keep *keep,
                          struct collision_place *place);

/* The corners of a triangle as steps from its quad's north-west sample, in order. */
extern const int8_t collision_list_corners[2][3][2];

unsigned char *collision_list_put(const struct collision_window *window, int32_t x, int32_t y,
                                  unsigned char *to);

static inline bool collision_list_has(const struct collision_window *window,
                                      collision_list_keep *keep, int32_t x, int32_t y,
                                      bool south_west)
{
    return !collision_window_hole(window, x, y) && (!keep || keep(window, x, y, south_west));
}

#endif
