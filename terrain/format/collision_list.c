#include "terrain/format/collision_list.h"

#include <stdlib.h>

const int8_t collision_list_corners[2][3][2] = { { { 0, 0 }, { 1, 1 }, { 1, 0 } },
                                                 { { 0, 0 }, { 0, 1 }, { 1, 1 } } };

/* Whether any triangle has the sample for a corner. */
static bool is_used(const struct collision_window *window, collision_list_keep *keep, int32_t x,
                    int32_t y)
{
    const bool west = x > 0, north = y > 0;
    const bool east = x < window->samples.width - 1, south = y < window->samples.height - 1;

    if (window->hole_count == 0 && !keep)
        return true;
    return (west && north &&
            (collision_list_has(window, keep, x - 1, y - 1, false) ||
             collision_list_has(window, keep, x - 1, y - 1, true))) ||
           (east && south &&
            (collision_list_has(window, keep, x, y, false) ||
             collision_list_has(window, keep, x, y, true))) ||
           (east && north && collision_list_has(window, keep, x, y - 1, true)) ||
           (west && south && collision_list_has(window, keep, x - 1, y, false));
}

struct collision_list_size collision_list_measure(const struct collision_window *window,
                                                  collision_list_keep *keep)
{
    const int32_t width = window->samples.width, height = window->samples.height;
    const int64_t quads = (int64_t)(width - 1) * (height - 1);
    struct collision_list_size size = { 0, 0 };

    if (!keep && window->hole_count == 0)
        return (struct collision_list_size){ rect_area(window->samples), 2 * quads };
    if (keep && window->hole_count == 0)
        return size;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            size.vertices += is_used(window, keep, x, y);
            if (x < width - 1 && y < height - 1)
                size.triangles += collision_list_has(window, keep, x, y, false) +
                                  collision_list_has(window, keep, x, y, true);
        }
    return size;
}

void collision_list_place(const struct collision_window *window, collision_list_keep *keep,
                          struct collision_place *place)
{
    const struct collision_list_size size = collision_list_measure(window, keep);

    collision_window_place(window, AXES_Y_UP, place);
    place->counts[0] = size.vertices;
    place->counts[1] = size.triangles;
    place->scale[0] = place->scale[2] = 1;
    place->bytes = LIST_HEAD + LIST_VERTEX * size.vertices + LIST_TRIANGLE * size.triangles;
}

unsigned char *collision_list_put(const struct collision_window *window, int32_t x, int32_t y,
                                  unsigned char *to)
{
    to = put_f32(to, (float)(x * collision_window_step(window, 0)));
    to = put_f32(to, collision_window_rise(window, collision_window_code(window, x, y)));
    return put_f32(to, (float)(y * collision_window_step(window, 1)));
}

/* The numbers of a row's vertices, from `first` on; those after them. */
static uint32_t number_row(const struct collision_window *window, collision_list_keep *keep,
                           int32_t y, uint32_t first, uint32_t *numbers, unsigned char **vertices)
{
    for (int32_t x = 0; x < window->samples.width; x++) {
        if (!is_used(window, keep, x, y))
            continue;
        numbers[x] = first++;
        *vertices = collision_list_put(window, x, y, *vertices);
    }
    return first;
}

static unsigned char *join_rows(const struct collision_window *window, collision_list_keep *keep,
                                int32_t y, const uint32_t *const numbers[2], unsigned char *to)
{
    for (int32_t x = 0; x < window->samples.width - 1; x++)
        for (int half = 0; half < 2; half++) {
            if (!collision_list_has(window, keep, x, y, half))
                continue;
            for (int k = 0; k < 3; k++)
                to = put_u32(to, numbers[collision_list_corners[half][k][1]]
                                        [x + collision_list_corners[half][k][0]]);
        }
    return to;
}

bool collision_list_write(const struct collision_window *window, collision_list_keep *keep,
                          struct bytes *to, struct fault *why)
{
    const size_t width = (size_t)window->samples.width;
    const struct collision_list_size size = collision_list_measure(window, keep);
    const size_t bytes =
        LIST_HEAD + LIST_VERTEX * (size_t)size.vertices + LIST_TRIANGLE * (size_t)size.triangles;
    uint32_t *numbers = malloc(2 * width * sizeof *numbers), count = 0;
    unsigned char *vertices, *indices;

    if (!numbers || !bytes_reserve(to, bytes, why)) {
        free(numbers);
        return fault_set(why, FAULT_MEMORY, "no memory for %lld triangles",
                         (long long)size.triangles);
    }
    vertices = put_u32(to->data + to->length, (uint32_t)size.vertices);
    vertices = put_u32(vertices, 3 * (uint32_t)size.triangles);
    indices = vertices + LIST_VERTEX * (size_t)size.vertices;
    for (int32_t y = 0; size.triangles > 0 && y < window->samples.height; y++) {
        uint32_t *own = numbers + (y & 1 ? width : 0), *north = numbers + (y & 1 ? 0 : width);

        count = number_row(window, keep, y, count, own, &vertices);
        if (y > 0)
            indices =
                join_rows(window, keep, y - 1, (const uint32_t *const[2]){ north, own }, indices);
    }
    free(numbers);
    to->length += bytes;
    return true;
}
