/* The uploaded rasters, as pictures ask for them. Any thread. */
#ifndef API_PICTURES_DRAWING_RASTERS_H
#define API_PICTURES_DRAWING_RASTERS_H

#include "api/endpoint.h"
#include "render/renderer.h"

struct gallery;

/* Of a gallery, or of none (NULL). */
struct picture_rasters drawing_rasters(struct gallery *gallery);

/* Warns of rasters that the picture's materials name and that are not there, if it shows any. */
void drawing_warn(struct request *rq, const struct picture *picture);

/* For rows' `newest`: what a picture of the view depends on, which is its version and the rasters
 * that its materials name, as they are now. */
bool drawing_newest(struct request *rq, const void *asked, uint64_t *version);

#endif
