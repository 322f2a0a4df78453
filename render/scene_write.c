#include <string.h>

#include "render/plane_make.h"
#include "render/scene.h"
#include "render/scene_file.h"

static size_t tile_bytes(const struct scene *scene)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < scene_head(scene)->tile_count; i++)
        bytes += plane_bytes(scene_keys(scene)[i].plane);
    return bytes;
}

/* Each tile is made in a tail that the file then has. */
static bool add_tiles(const struct plane_source *source, const struct scene *scene,
                      struct bytes *to, struct fault *why)
{
    for (uint32_t i = 0; i < scene_head(scene)->tile_count; i++) {
        const struct tile_key *key = &scene_keys(scene)[i];
        size_t bytes = plane_bytes(key->plane);

        if (!bytes_reserve(to, bytes, why) ||
            !plane_makers[key->plane]->make(source, key, to->data + to->length, why))
            return false;
        to->length += bytes;
    }
    return true;
}

bool scene_file_write(const struct view *view, const struct picture *picture, struct bytes *to,
                      struct fault *why)
{
    const struct plane_source source = { .view = view, .picture = picture };
    struct scene_file head = { .magic = SCENE_FILE_MAGIC,
                               .version = SCENE_FILE_VERSION,
                               .endian = 1,
                               .build = scene_file_build() };
    struct scene scene = { 0 };
    size_t before = to->length;
    bool written = false;

    if (!scene_make(&source, &scene, why))
        goto done;
    head.scene_bytes = scene.wire.length;
    head.tile_bytes = tile_bytes(&scene);
    written = bytes_add(to, &head, sizeof head, why) &&
              bytes_add(to, scene.wire.data, scene.wire.length, why) &&
              add_tiles(&source, &scene, to, why);

done:
    scene_fini(&scene);
    if (!written)
        to->length = before;
    return written;
}
