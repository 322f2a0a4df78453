/* Colours in requests: #rrggbb. Any thread. */
#ifndef API_COLOUR_H
#define API_COLOUR_H

#include <stdint.h>

#include "terrain/base/fault.h"

/* Fails with INPUT, placed at `place` (NULL: nowhere), for a text that is none; NULL is none. */
bool colour_read(const char *text, uint8_t colour[3], const char *place, struct fault *why);

#endif
