#include "render/sampling.h"

#include <stdlib.h>

#include "render/picture.h"
#include "render/smooth.h"
#include "render/supersample.h"

/* What stands for numbers, where each pixel says one: smoothing would change it. */
static bool is_chart(const struct wire_scene *scene)
{
    return scene->output != RENDER_OUTPUT_colour ||
           (scene->ortho && !render_modes[scene->mode]->lit);
}

struct sampling sampling_of(int samples, const struct wire_scene *scene)
{
    struct sampling sampling = { .across = 1, .down = 1 };

    if (scene->output != RENDER_OUTPUT_colour)
        return sampling;
    if (scene->samples == 0) {
        sampling.samples = samples;
        sampling.smoothed = samples <= 1 && !is_chart(scene);
    } else if (samples > 1) {
        sampling.samples = scene->samples > 1 ? (int)scene->samples : 0;
    } else {
        supersample_grid((int)scene->samples, &sampling.across, &sampling.down);
    }
    return sampling;
}

static uint8_t *room_of(struct sampling_room *room, size_t needed, struct fault *why)
{
    if (room->size < needed) {
        free(room->bytes);
        room->bytes = malloc(needed);
        room->size = room->bytes ? needed : 0;
    }
    if (!room->bytes)
        fault_set(why, FAULT_MEMORY, "no memory to smooth a picture");
    return room->bytes;
}

void sampling_room_free(struct sampling_room *room)
{
    free(room->bytes);
    *room = (struct sampling_room){ 0 };
}

bool sampling_read(const struct sampling *sampling, struct sampling_room *room,
                   const struct target *target, const struct gl *gl, int32_t width, int32_t height,
                   int32_t stride, uint8_t *rgba, struct fault *why)
{
    int32_t columns = width * sampling->across, rows = height * sampling->down;
    uint8_t *larger;

    if (sampling->across * sampling->down == 1)
        return target_read(target, gl, columns, rows, stride, rgba, why);
    larger = room_of(room, 4 * (size_t)columns * (size_t)rows, why);
    if (!larger || !target_read(target, gl, columns, rows, columns, larger, why))
        return false;
    supersample_mean(larger, sampling->across, sampling->down, width, height, stride, rgba);
    return true;
}

/* Where pixels are partly ground, colours have come mixed with nothing: told of the ground alone.
 */
static void straighten_alpha(uint8_t *rgba, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned alpha = rgba[4 * i + 3];

        for (int c = 0; alpha > 0 && alpha < 255 && c < 3; c++) {
            unsigned whole = (rgba[4 * i + (size_t)c] * 255u + alpha / 2) / alpha;

            rgba[4 * i + (size_t)c] = (uint8_t)(whole < 255 ? whole : 255);
        }
    }
}

bool sampling_finish(const struct sampling *sampling, struct sampling_room *room,
                     const struct wire_scene *scene, uint8_t *rgba, struct fault *why)
{
    int32_t width = (int32_t)scene->width, height = (int32_t)scene->height;

    if (sampling->smoothed) {
        uint8_t *work = room_of(room, smooth_room(width, height), why);

        if (!work)
            return false;
        smooth_edges(rgba, width, height, work);
    }
    if (scene->output == RENDER_OUTPUT_colour && scene->background[3] == 0)
        straighten_alpha(rgba, (size_t)width * (size_t)height);
    return true;
}
