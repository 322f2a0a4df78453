/* Channels: what the planes of a landscape's layers hold; rows in channels.def.
 *
 * A plane is named by a key: the edit layer's id, the channel, the paint layer's id. A layer
 * that holds nothing in a channel has no plane there. Any thread.
 */
#ifndef TERRAIN_CORE_CHANNELS_H
#define TERRAIN_CORE_CHANNELS_H

#include "terrain/core/settings.h"
#include "terrain/core/tree.h"

enum channel {
#define CHANNEL(name, plane, rest, paint, grid, of) CHANNEL_##name,
#include "terrain/core/channels.def"
#undef CHANNEL
    CHANNEL_COUNT
};

struct channel_row {
    const char *name; /* "LOW" */
    enum plane plane;
    uint16_t rest;  /* where a layer holds nothing */
    bool paint;     /* one for each paint layer */
    bool component; /* a value for each component, not for each vertex */
    bool alone;     /* the landscape's, of no edit layer */
};
extern const struct channel_row channels[CHANNEL_COUNT];

/* Layer 0 and paint 0 are none. */
static inline uint64_t channel_key(uint32_t layer, enum channel channel, uint32_t paint)
{
    return (uint64_t)layer << 32 | (uint64_t)channel << 24 | paint;
}

static inline uint32_t key_layer(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

static inline enum channel key_channel(uint64_t key)
{
    return (enum channel)(key >> 24 & 0xff);
}

static inline uint32_t key_paint(uint64_t key)
{
    return (uint32_t)(key & 0xffffff);
}

/* Whether a landscape with these layers can have a plane of that key. */
bool key_valid(const struct stack *stack, uint64_t key);

/* The plane of that key where it holds nothing. */
struct tree channel_tree(const struct settings *settings, uint64_t key, uint64_t version);

#endif
