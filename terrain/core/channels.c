#include "terrain/core/channels.h"

enum { VERTEX, COMPONENT };
enum { EDIT, LANDSCAPE };

const struct channel_row channels[CHANNEL_COUNT] = {
#define CHANNEL(name, plane, rest, paint, grid, of)                                                \
    [CHANNEL_##name] = { #name, PLANE_##plane, rest, paint, grid, of },
#include "terrain/core/channels.def"
#undef CHANNEL
};

bool key_valid(const struct stack *stack, uint64_t key)
{
    enum channel channel = key_channel(key);

    if (channel >= CHANNEL_COUNT)
        return false;
    return (channels[channel].alone ? key_layer(key) == 0
                                    : stack_edit_of(stack, key_layer(key)) >= 0) &&
           (channels[channel].paint ? stack_paint_of(stack, key_paint(key)) >= 0
                                    : key_paint(key) == 0);
}

struct tree channel_tree(const struct settings *settings, uint64_t key, uint64_t version)
{
    const struct channel_row *row = &channels[key_channel(key)];
    const struct layout *layout = &settings->layout;

    if (row->component)
        return tree_flat(row->plane, layout->components[0], layout->components[1], row->rest,
                         version);
    return tree_flat(row->plane, settings->grid.columns, settings->grid.rows, row->rest, version);
}
