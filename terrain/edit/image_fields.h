/* The members by which masks and tools name an uploaded raster: const char *image, int channel. */
#ifndef TERRAIN_EDIT_IMAGE_FIELDS_H
#define TERRAIN_EDIT_IMAGE_FIELDS_H

#include "terrain/base/field.h"

extern const char *const image_channel_words[]; /* ends with NULL */

#define IMAGE_FIELD(type)                                                                          \
    FIELD_AS(FIELD_NAME, type, image, "The name of an uploaded raster (/v1/rasters/{name})",       \
             .required = true)
#define CHANNEL_FIELD(type)                                                                        \
    FIELD_AS(FIELD_CHOICE, type, channel,                                                          \
             "What is read of it: luma is 0.2126 red + 0.7152 green + 0.0722 blue, and a gray "    \
             "picture's gray",                                                                     \
             .words = image_channel_words, .has_value = true)

#endif
