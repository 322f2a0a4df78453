/* Triangles one after another, without indices. */
#include "terrain/format/collision_list.h"

enum { SOUP_TRIANGLE = 36 };

static int64_t count_of(const struct collision_window *window)
{
    return 2 * ((int64_t)(window->samples.width - 1) * (window->samples.height - 1) -
                window->hole_count);
}

static void place_soup(const struct collision_window *window, struct collision_place *place)
{
    collision_window_place(window, AXES_Y_UP, place);
    place->counts[1] = count_of(window);
    place->counts[0] = 3 * place->counts[1];
    place->scale[0] = place->scale[2] = 1;
    place->bytes = SOUP_TRIANGLE * place->counts[1];
}

static bool write_soup(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    const size_t bytes = SOUP_TRIANGLE * (size_t)count_of(window);
    unsigned char *at;

    if (!bytes_reserve(to, bytes + 1, why))
        return false;
    at = to->data + to->length;
    for (int32_t y = 0; y < window->samples.height - 1; y++)
        for (int32_t x = 0; x < window->samples.width - 1; x++)
            for (int k = 0; !collision_window_hole(window, x, y) && k < 6; k++)
                at = collision_list_put(window, x + collision_list_corners[k / 3][k % 3][0],
                                        y + collision_list_corners[k / 3][k % 3][1], at);
    to->length += bytes;
    return true;
}

const struct collision_format collision_format_soup = {
    .engine = "any mesh shape",
    .layout = "nine float32 a triangle, x, y, z of each corner, anticlockwise from above; counts "
              "are corners and triangles",
    .holes = "left out",
    .axes = AXES_Y_UP,
    .triangles = true,
    .place = place_soup,
    .write = write_soup,
};
