/* Which tiles a change makes new, as an event tells it: some twenty bytes for each zoom. Any
 * thread. */
#ifndef API_EDITS_EVENT_TILES_H
#define API_EDITS_EVENT_TILES_H

#include "terrain/base/bytes.h"
#include "terrain/core/view.h"

/* Appends {"mercator":[[west,north,east,south],…],"geodetic":[…]} and a final '\0', or
 * {"own":[…]} for a landscape without CRS. Appends nothing when nothing is dirty or there is no
 * view. Fails with MEMORY. */
bool event_tiles_write(const struct view *view, struct rect dirty, struct bytes *to,
                       struct fault *why);

#endif
