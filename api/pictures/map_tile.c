#include "api/pictures/map_tile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels around what the tile covers, so that each of its own lies between four. */
enum { MARGIN = 2, SIDES_MOST = 4 };

/* How a map is drawn that covers a tile: where its first pixel's centre lies, and how far apart its
 * pixels are, local metres. */
struct cover {
    double first[2], step;
    int32_t width, height;
};

/* Places, from grid positions to local metres in their place. */
static void to_local(const struct view *view, double (*at)[2], int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        double local[3];

        grid_to_local(view_grid(view), at[i], local);
        at[i][0] = local[0];
        at[i][1] = local[1];
    }
}

static double apart(const double a[2], const double b[2])
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

/* Metres between neighbours, the least there is: maps are drawn no coarser than the tile. */
static double least_step(double (*at)[2], int32_t side)
{
    double least = HUGE_VAL;

    for (int32_t y = 0; y + 1 < side; y++)
        for (int32_t x = 0; x + 1 < side; x++) {
            const double *here = at[y * side + x];

            least = fmin(least, apart(here, at[y * side + x + 1]));
            least = fmin(least, apart(here, at[(y + 1) * side + x]));
        }
    return least;
}

/* False when no pixel of the tile has a place. */
static bool cover_of(double (*at)[2], int32_t side, struct cover *cover)
{
    double low[2] = { HUGE_VAL, HUGE_VAL }, high[2] = { -HUGE_VAL, -HUGE_VAL };
    double step = least_step(at, side);

    for (int32_t i = 0; i < side * side; i++)
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], at[i][axis]);
            high[axis] = fmax(high[axis], at[i][axis]);
        }
    if (!(high[0] >= low[0]) || !(step > 0) || !isfinite(step))
        return false;
    step = fmax(step, fmax(high[0] - low[0], high[1] - low[1]) / (SIDES_MOST * side));
    *cover = (struct cover){ .first = { low[0] - MARGIN * step, low[1] - MARGIN * step },
                             .step = step,
                             .width = (int32_t)ceil((high[0] - low[0]) / step) + 1 + 2 * MARGIN,
                             .height = (int32_t)ceil((high[1] - low[1]) / step) + 1 + 2 * MARGIN };
    return true;
}

static void map_of(const struct cover *cover, struct picture *map)
{
    map->width = cover->width;
    map->height = cover->height;
    map->transparent = true;
    map->camera = (struct camera){
        .kind = CAMERA_ORTHO,
        .elevation = 90,
        .ortho_width = cover->width * cover->step,
        .target = { cover->first[0] + (cover->width - 1) * cover->step / 2,
                    cover->first[1] + (cover->height - 1) * cover->step / 2 },
    };
}

/* Between four pixels, colours weighed by their alpha. A pixel right on one is that one. */
static void mix(const uint8_t *map, const struct cover *cover, const double at[2], uint8_t *to)
{
    double place[2], sum[4] = { 0 };
    int32_t x, y;

    for (int axis = 0; axis < 2; axis++) {
        place[axis] = (at[axis] - cover->first[axis]) / cover->step;
        if (fabs(place[axis] - round(place[axis])) < 1e-6)
            place[axis] = round(place[axis]);
    }
    x = (int32_t)place[0];
    y = (int32_t)place[1];
    for (int i = 0; i < 4; i++) {
        const int32_t column = x + (i & 1), row = y + (i >> 1);
        const double across = i & 1 ? place[0] - x : 1 - (place[0] - x);
        const double down = i >> 1 ? place[1] - y : 1 - (place[1] - y);
        const uint8_t *pixel;
        double weight;

        if (column < 0 || row < 0 || column >= cover->width || row >= cover->height)
            continue;
        pixel = map + 4 * ((size_t)row * (size_t)cover->width + (size_t)column);
        weight = across * down * pixel[3];
        for (int c = 0; c < 3; c++)
            sum[c] += weight * pixel[c];
        sum[3] += weight;
    }
    for (int c = 0; c < 3; c++)
        to[c] = sum[3] > 0 ? (uint8_t)(sum[c] / sum[3] + 0.5) : 0;
    to[3] = (uint8_t)(sum[3] + 0.5);
}

static bool lay_out(const struct bytes *map, const struct cover *cover, double (*at)[2],
                    int32_t side, struct bytes *pixels, struct fault *why)
{
    const size_t length = 4 * (size_t)side * (size_t)side;
    uint8_t *to;

    if (!bytes_reserve(pixels, length, why))
        return false;
    to = pixels->data + pixels->length;
    memset(to, 0, length);
    pixels->length += length;
    for (int32_t i = 0; map->length && i < side * side; i++)
        if (!isnan(at[i][0]) && !isnan(at[i][1]))
            mix(map->data, cover, at[i], to + 4 * i);
    return true;
}

bool map_tile_paint(struct renderer *renderer, const struct view *view,
                    const struct picture *picture, const struct tile *tile, struct bytes *pixels,
                    struct drawn *how, struct fault *why)
{
    const int32_t side = tile->side;
    double(*at)[2] = malloc(sizeof *at * (size_t)side * (size_t)side);
    struct picture map = *picture;
    struct bytes drawn = { 0 };
    struct cover cover = { 0 };
    struct rect reach;
    bool made;

    *how = (struct drawn){ 0 };
    if (!at)
        return fault_set(why, FAULT_MEMORY, "no memory for a tile");
    made = tile_reach(view, tile, &reach, why) && tile_places(view, tile, at, why);
    if (made) {
        to_local(view, at, (int64_t)side * side);
        if (cover_of(at, side, &cover)) {
            map_of(&cover, &map);
            made = renderer_paint(renderer, view, &map, &drawn, how, why);
        }
    }
    made = made && lay_out(&drawn, &cover, at, side, pixels, why);
    bytes_free(&drawn);
    free(at);
    return made;
}
