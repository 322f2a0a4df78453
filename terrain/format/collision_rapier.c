/* Parry's HeightField, which Rapier uses: a matrix stored column by column, its rows along z and
 * its columns along x, centred, scale being the whole extent. A cell is split from (row + 1,
 * column) to (row, column + 1) unless its zigzag bit is set, which not every binding can do; so the
 * field lies a quarter turn round: its rows run west and its columns south. Behind the heights a
 * status a cell, column by column: bits 2 and 4 for a triangle that is removed
 * (HeightFieldCellStatus): docs.rs/parry3d, shape::HeightField. */
#include <math.h>

#include "terrain/format/collision_window.h"

enum { CELL_REMOVED = 2 | 4 };

static void place_turned(const struct collision_window *window, struct collision_place *place)
{
    const double east = collision_window_step(window, 0) * (window->samples.width - 1);
    const double south = collision_window_step(window, 1) * (window->samples.height - 1);

    collision_window_place(window, AXES_Y_UP, place);
    place->counts[0] = window->samples.width;
    place->counts[1] = window->samples.height;
    place->scale[0] = south;
    place->scale[2] = east;
    place->position[0] += east / 2;
    place->position[2] += south / 2;
    place->rotation[1] = -sqrt(0.5);
    place->rotation[3] = sqrt(0.5);
    place->bytes = 4 * rect_area(window->samples) +
                   (int64_t)(window->samples.width - 1) * (window->samples.height - 1);
}

static bool write_turned(const struct collision_window *window, struct bytes *to, struct fault *why)
{
    const int32_t width = window->samples.width, height = window->samples.height;
    const size_t samples = (size_t)width * (size_t)height;
    const size_t cells = (size_t)(width - 1) * (size_t)(height - 1);
    unsigned char *at;

    if (!bytes_reserve(to, 4 * samples + cells, why))
        return false;
    at = to->data + to->length;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = width - 1; x >= 0; x--)
            at = put_f32(at, collision_window_rise(window, collision_window_code(window, x, y)));
    for (int32_t y = 0; y < height - 1; y++)
        for (int32_t x = width - 2; x >= 0; x--)
            *at++ = collision_window_hole(window, x, y) ? CELL_REMOVED : 0;
    to->length += 4 * samples + cells;
    return true;
}

const struct collision_format collision_format_rapier = {
    .engine = "Rapier, parry HeightField",
    .layout = "float32 heights of a matrix column by column, rows westwards and columns southwards "
              "(counts are its rows and columns of samples, scale is the whole extent), then a "
              "uint8 HeightFieldCellStatus a cell, column by column",
    .holes = "status 6, both triangles removed; others are 0, no zigzag",
    .axes = AXES_Y_UP,
    .place = place_turned,
    .write = write_turned,
};
