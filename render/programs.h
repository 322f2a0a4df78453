/* The programs that ground is drawn with: one for each mode, geometry, output and variant, compiled
 * when it is first asked for. Render worker, the context's thread. */
#ifndef RENDER_PROGRAMS_H
#define RENDER_PROGRAMS_H

#include "render/gl.h"
#include "render/wire.h"

enum { PROGRAMS_MOST = 96 };

struct programs {
    struct compiled {
        GLuint program;
        uint32_t mode, geometry, output, variant;
        uint64_t used; /* in which picture last */
    } kept[PROGRAMS_MOST];
    uint64_t picture;
};

/* Another picture begins. */
void programs_begin(struct programs *programs);
void programs_close(struct programs *programs, const struct gl *gl);

/* One of those there are, else compiled in the place of the one not used for longest. 0 when it
 * fails, with WORKER. */
GLuint programs_get(struct programs *programs, const struct gl *gl, const struct wire_scene *scene,
                    uint32_t variant, struct fault *why);

/* Whether a vertex must know which corner of its triangle it is: then triangles share none. */
bool programs_apart(const struct wire_scene *scene);

#endif
