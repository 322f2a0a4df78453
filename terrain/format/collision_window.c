#include "terrain/format/collision_window.h"

#include <stdlib.h>

#define COLLISION_FORMAT(name, media) extern const struct collision_format collision_format_##name;
#include "terrain/format/collision_formats.def"
#undef COLLISION_FORMAT

const struct collision_format *const collision_formats[] = {
#define COLLISION_FORMAT(name, media) &collision_format_##name,
#include "terrain/format/collision_formats.def"
#undef COLLISION_FORMAT
};

static void take_range(struct collision_window *window)
{
    window->least = UINT16_MAX;
    window->greatest = 0;
    for (int64_t i = 0; i < rect_area(window->samples); i++) {
        const uint16_t code = window->codes[i];

        window->least = code < window->least ? code : window->least;
        window->greatest = code > window->greatest ? code : window->greatest;
    }
}

bool collision_window_read(struct collision_window *window, bool ignore_holes, struct fault *why)
{
    const struct rect *samples = &window->samples;
    const struct rect quads = { samples->x, samples->y, samples->width - 1, samples->height - 1 };

    window->hole_count = 0;
    window->codes = malloc((size_t)rect_area(*samples) * sizeof *window->codes);
    window->holes = calloc((size_t)rect_area(quads), 1);
    if (!window->codes || !window->holes) {
        collision_window_free(window);
        return fault_set(why, FAULT_MEMORY, "no memory for %d x %d collision samples",
                         samples->width, samples->height);
    }
    if (!collision_heights(window->grid, *samples, window->codes, samples->width, why)) {
        collision_window_free(window);
        return false;
    }
    take_range(window);
    if (ignore_holes)
        return true;
    collision_holes(window->grid, quads, window->holes, quads.width);
    for (int64_t i = 0; i < rect_area(quads); i++)
        window->hole_count += window->holes[i] != 0;
    return true;
}

void collision_window_free(struct collision_window *window)
{
    free(window->codes);
    free(window->holes);
    window->codes = NULL;
    window->holes = NULL;
}

bool collision_window_dropped(const struct collision_window *window, int32_t x, int32_t y)
{
    const int32_t east = window->samples.width - 1, south = window->samples.height - 1;
    int holes = 0, solid = 0;

    if (window->hole_count == 0)
        return false;
    for (int32_t j = y - 1; j <= y; j++)
        for (int32_t i = x - 1; i <= x; i++)
            if (i >= 0 && j >= 0 && i < east && j < south)
                *(collision_window_hole(window, i, j) ? &holes : &solid) += 1;
    return window->rule == HOLES_ANY ? holes > 0 : solid == 0;
}

double collision_window_step(const struct collision_window *window, int axis)
{
    return window->grid->spacing * view_grid(window->grid->view)->scale[axis];
}

float collision_window_rise(const struct collision_window *window, uint16_t code)
{
    return (float)((code - GRID_LEVEL_ZERO) / 128.0 * view_grid(window->grid->view)->scale[2]);
}

void collision_window_place(const struct collision_window *window, enum collision_axes axes,
                            struct collision_place *place)
{
    const struct grid *grid = view_grid(window->grid->view);
    const int up = axes == AXES_Y_UP ? 1 : 2, south = 3 - up;

    *place = (struct collision_place){
        .counts = { window->samples.width, window->samples.height },
        .rotation = { 0, 0, 0, 1 },
        .range = { (double)collision_window_rise(window, window->least),
                   (double)collision_window_rise(window, window->greatest) },
    };
    place->scale[0] = collision_window_step(window, 0);
    place->scale[south] = collision_window_step(window, 1);
    place->scale[up] = 1;
    place->position[0] = grid->origin[0] + window->samples.x * place->scale[0];
    place->position[south] = grid->origin[1] + window->samples.y * place->scale[south];
    place->position[up] = grid->origin[2];
}
