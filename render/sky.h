/* The sky, where a picture shows no ground. Render worker, the context's thread. */
#ifndef RENDER_SKY_H
#define RENDER_SKY_H

#include "render/gl.h"
#include "render/wire.h"

enum { SKY_KINDS = 8 };

struct sky {
    GLuint programs[SKY_KINDS]; /* compiled when first asked for */
    GLuint vertex_array, indices;
};

void sky_open(struct sky *sky, const struct gl *gl);
void sky_close(struct sky *sky, const struct gl *gl);

/* Behind everything that has been drawn so far. `frame`: from the whole picture's -1 to 1 to the
 * part's. Fails with WORKER. */
bool sky_draw(struct sky *sky, const struct gl *gl, const struct wire_scene *scene,
              const float frame[4], struct fault *why);

#endif
