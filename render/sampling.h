/* How a picture comes to several samples a pixel: as the context's own, as a larger picture whose
 * pixels' means are taken, or by smoothing edges afterwards. Render worker, the context's thread.
 */
#ifndef RENDER_SAMPLING_H
#define RENDER_SAMPLING_H

#include "render/target.h"
#include "render/wire.h"

struct sampling {
    int samples;          /* of the target's own */
    int32_t across, down; /* of its pixels for one of the picture's */
    bool smoothed;        /* edges, afterwards */
};

/* Memory to work in, kept from picture to picture: to fault so many pages in again costs as much as
 * the work. All zero: none yet. */
struct sampling_room {
    uint8_t *bytes;
    size_t size;
};

/* `samples` of its own are what the context draws with where a scene leaves it the choice; up to 1:
 * it has none. */
struct sampling sampling_of(int samples, const struct wire_scene *scene);

void sampling_room_free(struct sampling_room *room);

/* The first width x height pixels of the picture that the target has; rows `stride` pixels apart.
 * Fails as target_read, and with MEMORY. */
bool sampling_read(const struct sampling *sampling, struct sampling_room *room,
                   const struct target *target, const struct gl *gl, int32_t width, int32_t height,
                   int32_t stride, uint8_t *rgba, struct fault *why);

/* What is done to the whole picture in the end. Fails with MEMORY. */
bool sampling_finish(const struct sampling *sampling, struct sampling_room *room,
                     const struct wire_scene *scene, uint8_t *rgba, struct fault *why);

#endif
