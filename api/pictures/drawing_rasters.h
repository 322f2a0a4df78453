/* The uploaded rasters, as pictures ask for them. Any thread. */
#ifndef API_PICTURES_DRAWING_RASTERS_H
#define API_PICTURES_DRAWING_RASTERS_H

#include "render/renderer.h"

struct gallery;

/* Of a gallery, or of none (NULL). */
struct picture_rasters drawing_rasters(struct gallery *gallery);

#endif
