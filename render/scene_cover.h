/* What the ground of a scene is made of, into its head and its list of keys. Any thread. */
#ifndef RENDER_SCENE_COVER_H
#define RENDER_SCENE_COVER_H

#include "render/making.h"

/* Metres of a pixel from which on no surface of the picture is more than its colour. */
float scene_cover_reach(const struct plane_source *source);

/* Metres of a pixel from which on the ground does not vary on the smaller of its two scales. */
float scene_cover_closer(const struct extent *extent);

/* Once the patches are there and the rest of the head is set. Fails with MEMORY. */
bool scene_cover(struct making *making, struct wire_scene *head);

#endif
