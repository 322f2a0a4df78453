#include "render/scene_file.h"

#include <string.h>

#include "render/picture.h"

/* FNV-1a */
static uint64_t mix(uint64_t build, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        build = (build ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return build;
}

static uint64_t mix_names(uint64_t build, const char *const *names)
{
    for (; *names; names++)
        build = mix(build, *names, strlen(*names) + 1);
    return build;
}

uint64_t scene_file_build(void)
{
    static const uint64_t sizes[] = { sizeof(struct wire_scene),
                                      sizeof(struct tile_key),
                                      sizeof(struct wire_patch),
                                      RENDER_SLOTS,
                                      WIRE_VARIANTS,
                                      WIRE_SHAPE_NUMBERS };
    uint64_t build = mix(0xcbf29ce484222325u, sizes, sizeof sizes);

    build = mix_names(build, render_mode_names);
    build = mix_names(build, render_geometries);
    build = mix_names(build, render_outputs);
    for (int i = 0; i < RENDER_PLANES; i++) {
        uint64_t bytes = plane_bytes(i);

        build = mix(build, plane_formats[i].name, strlen(plane_formats[i].name) + 1);
        build = mix(build, &bytes, sizeof bytes);
    }
    return mix(build, slot_planes, sizeof slot_planes);
}

static bool check_head(const struct scene_file *head, size_t length, struct fault *why)
{
    size_t left = length - sizeof *head;

    if (memcmp(head->magic, SCENE_FILE_MAGIC, sizeof head->magic) != 0)
        return fault_set(why, FAULT_FORMAT, "This is no scene");
    if (head->version != SCENE_FILE_VERSION || head->endian != 1 ||
        head->build != scene_file_build())
        return fault_set(why, FAULT_FORMAT,
                         "The scene is of version %u of another build; this one reads what it "
                         "wrote itself, of version %d",
                         head->version, SCENE_FILE_VERSION);
    return (head->scene_bytes <= left && head->tile_bytes == left - head->scene_bytes) ||
           fault_set(why, FAULT_FORMAT, "The scene's %zu bytes are not those that it announces",
                     length);
}

bool scene_file_read(const void *data, size_t length, struct scene_parts *parts,
                     const unsigned char **tiles, struct fault *why)
{
    const struct scene_file *head = data;
    const unsigned char *scene = (const unsigned char *)(head + 1);

    if (length < sizeof *head)
        return fault_set(why, FAULT_FORMAT, "%zu bytes are no scene; its head alone has %zu",
                         length, sizeof *head);
    if (!check_head(head, length, why))
        return false;
    if (!scene_read(scene, (size_t)head->scene_bytes, parts, why) ||
        scene_tile_bytes(parts) != head->tile_bytes)
        return fault_set(why, FAULT_FORMAT, "The scene's lengths or indices do not fit each other");
    *tiles = scene + head->scene_bytes;
    return true;
}
