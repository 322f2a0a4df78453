/* scene_read and scene_file_read on any bytes: what they take is sound. The bytes are a scene; the
 * file round it is made to fit, since a fuzzer does not guess what build this is. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/scene_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_everything(const struct scene_parts *parts)
{
    for (uint32_t i = 0; i < parts->head->patch_count; i++)
        for (int slot = 0; slot < RENDER_SLOTS; slot++) {
            uint32_t place = parts->patches[i].slots[slot];

            if (place != WIRE_NONE && parts->keys[place].plane != slot_planes[slot])
                abort();
        }
    if (parts->head->mode >= RENDER_MODES || !render_mode_names[parts->head->mode])
        abort();
}

static void read_in_a_file(const uint8_t *scene, size_t size, size_t tile_bytes)
{
    struct scene_file head = { .magic = SCENE_FILE_MAGIC,
                               .version = SCENE_FILE_VERSION,
                               .endian = 1,
                               .build = scene_file_build(),
                               .scene_bytes = size,
                               .tile_bytes = tile_bytes };
    uint8_t *file = calloc(1, sizeof head + size + tile_bytes);
    const unsigned char *tiles;
    struct scene_parts parts;
    struct fault why = { 0 };

    if (!file)
        return;
    memcpy(file, &head, sizeof head);
    memcpy(file + sizeof head, scene, size);
    if (!scene_file_read(file, sizeof head + size + tile_bytes, &parts, &tiles, &why))
        abort();
    look_at_everything(&parts);
    if (scene_file_read(file, sizeof head + size / 2, &parts, &tiles, &why))
        abort();
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + !size);
    struct scene_parts parts;
    struct fault why = { 0 };

    memcpy(copy, data, size);
    if (scene_read(copy, size, &parts, &why)) {
        look_at_everything(&parts);
        if (scene_tile_bytes(&parts) < 1 << 24)
            read_in_a_file(copy, size, scene_tile_bytes(&parts));
    }
    free(copy);
    return 0;
}
