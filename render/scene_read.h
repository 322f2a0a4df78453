/* A scene as it came from elsewhere, looked at before anything believes it. Any thread. */
#ifndef RENDER_SCENE_READ_H
#define RENDER_SCENE_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "render/wire.h"
#include "terrain/base/fault.h"

/* Points into the bytes that were read. */
struct scene_parts {
    const struct wire_scene *head;
    const struct tile_key *keys;      /* head->tile_count */
    const struct wire_patch *patches; /* head->patch_count */
    const struct wire_patch *nodes;   /* head->node_count, and so on */
    const uint32_t *pages;
    const struct wire_shape *shapes;
    const uint32_t *indices;
    const uint16_t (*vertices)[WIRE_SHAPE_NUMBERS];
};

/* `data` is aligned as a struct is. Every length and index fits afterwards. Fails with WORKER. */
bool scene_read(const void *data, size_t length, struct scene_parts *parts, struct fault *why);

/* Bytes of all its tiles, one after another in the order of their keys. */
size_t scene_tile_bytes(const struct scene_parts *parts);

#endif
