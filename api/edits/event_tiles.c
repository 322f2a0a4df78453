#include "api/edits/event_tiles.h"

#include "terrain/format/tile_touched.h"

enum { GLOBE_SIDE = 64 };

/* The grids that tiles are served on. Rows of the globe's tiles are counted from the south, and
 * each shares its borders, and how they are meshed, with the eight around it. */
static const struct told {
    const char *name, *own; /* on a landscape's own grid; NULL where there is no such tile */
    enum tile_grid grid;
    int32_t side;
    double rim;
    bool from_south;
} grids[] = {
    { "mercator", "own", TILE_MERCATOR, TILE_SIDE, TILE_SETS_RIM, false },
    { "geodetic", NULL, TILE_GEODETIC, GLOBE_SIDE, GLOBE_SIDE, true },
};
enum { GRIDS = sizeof grids / sizeof *grids };

/* Two ranges meet across 180 degrees: the one in the east is told to go on with the one in the
 * west. */
static bool zoom_write(const struct told *told, const struct rect *ranges, int32_t count, int32_t z,
                       struct bytes *to, struct fault *why)
{
    const struct rect *west = &ranges[0], *east = &ranges[0];
    int32_t north, south;

    if (count == 0)
        return bytes_print(to, why, "[]");
    if (count == 2) {
        west = ranges[0].x > ranges[1].x ? &ranges[0] : &ranges[1];
        east = west == &ranges[0] ? &ranges[1] : &ranges[0];
    }
    north = west->y < east->y ? west->y : east->y;
    south = west->y + west->height > east->y + east->height ? west->y + west->height - 1
                                                            : east->y + east->height - 1;
    if (told->from_south) {
        const int32_t last = (int32_t)(((int64_t)1 << z) - 1), top = last - south;

        south = last - north;
        north = top;
    }
    return bytes_print(to, why, "[%d,%d,%d,%d]", west->x, north, east->x + east->width - 1, south);
}

static bool grid_write(const struct told *told, const struct view *view, struct rect dirty,
                       struct bytes *to, struct fault *why)
{
    struct tile_touched touched;
    struct fault none;
    int32_t finest;
    bool well;

    /* A CRS that PROJ does not know has no tiles. */
    if (!tile_touched_find(view, told->grid, told->side, told->rim, dirty, &touched, &none))
        touched.zooms = 0;
    if (told->from_south && tile_grid_native(view, told->grid, told->side, &finest, &none) &&
        finest < touched.zooms)
        touched.zooms = finest + 1; /* there are no finer ones */
    well = bytes_print(to, why, "\"%s\":[", view->settings->placed ? told->name : told->own);
    for (int32_t z = 0; well && z < touched.zooms; z++)
        well = (z == 0 || bytes_add(to, ",", 1, why)) &&
               zoom_write(told, touched.at[z].ranges, touched.at[z].count, z, to, why);
    return well && bytes_add(to, "]", 1, why);
}

bool event_tiles_write(const struct view *view, struct rect dirty, struct bytes *to,
                       struct fault *why)
{
    bool well;

    if (!view || rect_empty(dirty))
        return true;
    well = bytes_add(to, "{", 1, why);
    for (int i = 0; well && i < GRIDS; i++) {
        if (!view->settings->placed && !grids[i].own)
            continue;
        well =
            (i == 0 || bytes_add(to, ",", 1, why)) && grid_write(&grids[i], view, dirty, to, why);
    }
    return well && bytes_add(to, "}", 2, why);
}
