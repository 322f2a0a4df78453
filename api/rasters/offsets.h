/* Rasters of XY offsets, as bodies and as answers: RGBA8 pictures (terrain/core/offset.h), or pairs
 * of little-endian 16-bit numbers, east and south. Any thread. */
#ifndef API_RASTERS_OFFSETS_H
#define API_RASTERS_OFFSETS_H

#include "api/endpoint.h"

/* What the endpoints take and give, and ?format='s words for it. */
extern const char *const offsets_media[], *const offsets_formats[];
enum offsets_form { OFFSETS_PNG, OFFSETS_R16 };

#endif
