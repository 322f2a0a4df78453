/* The ground where XY offsets have moved it, as a heightfield of its own: at each place of the grid
 * the height of what stands there. For what goes over the ground in straight lines, such as light.
 *
 * Where the ground is folded over, its highest part counts; what it has left bare is as high as
 * what is nearest in the row, else in the column. Blocks that nothing has been moved into or out of
 * are those of the landscape itself. Any thread.
 */
#ifndef RENDER_MOVED_H
#define RENDER_MOVED_H

#include "terrain/base/derived.h"
#include "terrain/core/view.h"

/* Such a view, held: heights and settings are all that it has. The view itself, held, where it has
 * no offsets. The cache may be NULL. NULL with MEMORY. */
struct view *moved_ground(const struct view *view, struct derived_cache *derived,
                          struct fault *why);

#endif
