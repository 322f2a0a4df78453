/* What the daemon and a render worker say to one another about one picture; see wire.h. Any thread.
 */
#ifndef RENDER_EXCHANGE_H
#define RENDER_EXCHANGE_H

#include "render/plane_make.h"
#include "render/scene.h"
#include "render/wire.h"
#include "terrain/worker/worker.h"

/* Has the scene drawn into the shared memory of that descriptor, and makes what tiles of it the
 * worker lacks. *sound: the worker kept to the protocol, whatever it answered. What it told of
 * the picture are its own words, and numbers of any size. Fails with WORKER, DEADLINE, MEMORY or
 * LIMIT. */
bool exchange(struct worker *worker, const struct plane_source *source, const struct scene *scene,
              int frame, size_t frame_bytes, bool *sound, struct wire_done *told,
              struct fault *why);

#endif
