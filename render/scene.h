/* A picture's scene: what of a view the camera sees, as the wire has it. Any thread. */
#ifndef RENDER_SCENE_H
#define RENDER_SCENE_H

#include "render/plane_make.h"
#include "render/renderer.h"
#include "render/wire.h"
#include "terrain/base/bytes.h"

struct scene {
    struct bytes wire; /* struct wire_scene, keys, patches */
};

void scene_fini(struct scene *scene);

static inline const struct wire_scene *scene_head(const struct scene *scene)
{
    return (const struct wire_scene *)scene->wire.data;
}

static inline const struct tile_key *scene_keys(const struct scene *scene)
{
    return (const struct tile_key *)(scene->wire.data + sizeof(struct wire_scene));
}

/* The scene of a picture. Fails with INPUT for a camera that looks nowhere, with LIMIT where it
 * shows more than can be drawn, and with MEMORY. */
bool scene_make(const struct plane_source *source, struct scene *scene, struct fault *why);

#endif
