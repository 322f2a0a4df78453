/* Jolt's HeightFieldShapeSettings: a square of floats whose side is a whole number of blocks,
 * FLT_MAX where there is nothing (HeightFieldShapeConstants::cNoCollisionValue). The surface is
 * offset + scale * (x, samples[y * count + x], y), and its quads are split from (x, y) to (x + 1, y
 * + 1), as ours are. A triangle is left out when one of its samples is:
 * Jolt/Physics/Collision/Shape/ HeightFieldShape.h. */
#include <float.h>

#include "terrain/format/collision_window.h"

/* The side, a multiple of the block and two of them at least. */
static int64_t side_of(const struct collision_window *window)
{
    const int32_t block = window->block;
    int32_t side = window->samples.width > window->samples.height ? window->samples.width
                                                                  : window->samples.height;

    side = side > 2 * block ? side : 2 * block;
    return (side + block - 1) / block * block;
}

static void place_square(const struct collision_window *window, struct collision_place *place)
{
    collision_window_place(window, AXES_Y_UP, place);
    place->counts[0] = place->counts[1] = side_of(window);
    place->bytes = 4 * place->counts[0] * place->counts[1];
}

static bool write_square(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    const int64_t side = side_of(window);
    const size_t bytes = 4 * (size_t)side * (size_t)side;
    unsigned char *at;

    if (!bytes_reserve(to, bytes, why))
        return false;
    at = to->data + to->length;
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++) {
            const bool there = x < window->samples.width && y < window->samples.height &&
                               !collision_window_dropped(window, x, y);

            at = put_f32(at,
                         there ? collision_window_rise(window, collision_window_code(window, x, y))
                               : FLT_MAX);
        }
    to->length += bytes;
    return true;
}

const struct collision_format collision_format_jolt = {
    .engine = "Jolt HeightFieldShapeSettings",
    .layout = "float32 samples of a square, padded to a multiple of block",
    .holes = "FLT_MAX for a sample that is left out by the rule of holes=, and for the padding; "
             "with holes=any, jolt_rim has the solid triangles that go with them",
    .axes = AXES_Y_UP,
    .place = place_square,
    .write = write_square,
};
