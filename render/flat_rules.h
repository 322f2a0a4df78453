/* Lines that lie on the ground of a map: the collision heightfield's, as
 * shaders/mode_collision.glsl draws them; over them a grid and the components' borders, as
 * shaders/rules.glsl does. Any thread. */
#ifndef RENDER_FLAT_RULES_H
#define RENDER_FLAT_RULES_H

#include "render/flat_inside.h"
#include "render/picture.h"

/* A family of lines where `first` + x * right + y * down is a whole number. */
struct flat_family {
    double first[2], right[2], down[2];
    double lines[2]; /* a pixel, east and south; at least a little */
};

struct flat_rules {
    bool any, collision, grid, borders;
    struct flat_family collision_lines, grid_lines, border_lines;
};

void flat_rules_init(const struct view *view, const struct picture *picture,
                     const struct flat_frame *frame, struct flat_rules *rules);

/* Over a row of the picture's pixels, from (x, y) on. */
void flat_rules_row(const struct flat_rules *rules, int32_t x, int32_t y, int32_t count,
                    uint32_t *pixels);

#endif
