#include "render/mode_told.h"

#include <math.h>
#include <string.h>

#include "render/mode_scale.h"

static void set_table(struct wire_told *told, const struct making *making,
                      const struct mode_scale *scale)
{
    const struct stack *stack = making->view->settings->stack;

    if (scale->ramp) {
        ramp_table(scale->ramp, &scale->span, told->table);
        return;
    }
    for (int i = 0; i < stack->paint_count; i++) {
        memcpy(told->table[i], stack->paints[i].debug_color, 3);
        told->table[i][3] = 255;
    }
}

static void set_rules(const struct view *view, const struct picture_overlays *overlays,
                      struct wire_told *told)
{
    const struct grid *grid = view_grid(view);
    const struct layout *layout = &view->settings->layout;

    for (int axis = 0; axis < 2 && overlays->grid > 0; axis++) {
        double first = grid->origin[axis] / overlays->grid;

        told->grid[axis] = (float)(grid->scale[axis] / overlays->grid);
        told->grid[2 + axis] = (float)(first - floor(first));
    }
    if (overlays->borders)
        told->borders = (float)((grid->columns - 1) / layout->components[0]);
}

bool mode_told(const struct making *making, struct wire_told *told)
{
    const struct picture *picture = making->source.picture;
    const struct grid *grid = view_grid(making->view);
    const struct render_mode *mode = render_modes[picture->mode];
    struct mode_scale scale = { 0 };

    if (picture->output == RENDER_OUTPUT_colour &&
        !mode_scale(making->view, picture, making->source.derived, &scale, making->why))
        return false;
    set_table(told, making, &scale);
    told->span[0] = (float)scale.span.low;
    told->span[1] = (float)scale.span.middle;
    told->span[2] = (float)scale.span.high;
    told->form = (float)(1 - making->look->forward[2] * making->look->forward[2]);
    told->zero = (float)grid_metres(grid, 0);
    for (int axis = 0; axis < 2; axis++)
        told->solid[axis] =
            (float)((axis ? making->extent->solid.height : making->extent->solid.width) - 1);
    for (int axis = 0; axis < 2; axis++)
        told->quad[axis] = (float)grid->scale[axis];
    set_rules(making->view, &picture->overlays, told);
    told->many = picture->show.many;
    if (mode->hears & MODE_HEARS_MIP)
        told->samples = (float)mode_mip_spacing(making->view, picture);
    if (mode->hears & MODE_HEARS_INTERVAL)
        told->interval = (float)mode_interval(making->view, picture);
    return true;
}
