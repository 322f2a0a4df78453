/* Bullet's btHeightfieldTerrainShape(width, length, floats, least, greatest, upAxis = 1,
 * flipQuadEdges = true): row by row, and with flipped edges a quad is split from (x, y) to (x + 1,
 * y + 1), as ours are (neither diamond nor zigzag subdivision). The shape's own origin is the
 * middle of its box, least and greatest heights included: BulletCollision/CollisionShapes/
 * btHeightfieldTerrainShape.h. */
#include "terrain/format/collision_window.h"

static bool check_solid(const struct collision_window *window, struct fault *why)
{
    return window->hole_count == 0 ||
           fault_set(why, FAULT_IMPOSSIBLE,
                     "Bullet's height fields have no holes, and the window has %lld quads that are "
                     "some; take format=triangles, or ignore_holes=true",
                     (long long)window->hole_count);
}

static void place_middle(const struct collision_window *window, struct collision_place *place)
{
    collision_window_place(window, AXES_Y_UP, place);
    place->position[0] += place->scale[0] * (window->samples.width - 1) / 2;
    place->position[1] += (place->range[0] + place->range[1]) / 2;
    place->position[2] += place->scale[2] * (window->samples.height - 1) / 2;
    place->bytes = 4 * rect_area(window->samples);
}

static bool write_rises(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    const size_t count = (size_t)rect_area(window->samples);
    unsigned char *at;

    if (!bytes_reserve(to, 4 * count, why))
        return false;
    at = to->data + to->length;
    for (size_t i = 0; i < count; i++)
        at = put_f32(at, collision_window_rise(window, window->codes[i]));
    to->length += 4 * count;
    return true;
}

const struct collision_format collision_format_bullet = {
    .engine = "Bullet btHeightfieldTerrainShape, upAxis 1, flipQuadEdges true",
    .layout = "float32 heights, row by row; range is minHeight and maxHeight, position the middle "
              "of the box, scale the local scaling",
    .holes = "none: a window with holes is refused unless ignore_holes=true",
    .axes = AXES_Y_UP,
    .check = check_solid,
    .place = place_middle,
    .write = write_rises,
};
