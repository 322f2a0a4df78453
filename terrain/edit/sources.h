/* What a tool may read beside the landscape that it changes: uploaded images, other landscapes.
 *
 * The core opens no file: whoever starts an edit finds things by name, and lends them until the
 * edit has ended. One thread at a time.
 */
#ifndef TERRAIN_EDIT_SOURCES_H
#define TERRAIN_EDIT_SOURCES_H

#include <stdint.h>

#include "terrain/base/fault.h"

struct view;

/* What is read of a picture: its brightness, 0.2126 red + 0.7152 green + 0.0722 blue, or one of its
 * channels. A gray picture's colours are its gray; without alpha a picture is opaque. */
enum image_channel { IMAGE_LUMA, IMAGE_RED, IMAGE_GREEN, IMAGE_BLUE, IMAGE_ALPHA };

/* One channel, row by row from the north-west; 0 is black and 65535 white. */
struct image {
    int32_t width, height;
    const uint16_t *values;
};

/* Each fails with MISSING, naming the nearest name there is, or as reading it does. */
struct sources {
    void *context;
    const struct image *(*image)(void *context, const char *name, enum image_channel channel,
                                 struct fault *why);
    const struct view *(*landscape)(void *context, const char *id, struct fault *why);
};

#endif
