/* What a scene tells the shader of its mode. Any thread. */
#ifndef RENDER_MODE_TOLD_H
#define RENDER_MODE_TOLD_H

#include "render/making.h"

/* Of the picture that the scene is made for. Fails as mode_scale does. */
bool mode_told(const struct making *making, struct wire_told *told);

#endif
