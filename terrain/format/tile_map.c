#include "terrain/format/tile_map.h"

#include <math.h>
#include <string.h>

#include "terrain/format/tile_grid.h"

static const double tolerance = 1.0 / (1 << 20); /* of a pixel */

enum { PATCH_SIZE = 128, EXACT_SIZE = 8, NODES = 9, CHECKS = 4 };

uint64_t tile_map_key(const struct view *view)
{
    const struct settings *settings = view->settings;
    const size_t length = strlen(settings->crs);
    uint64_t words[4], hash = tile_map_mix(1, length);

    /* A CRS is a short code or a long text; only what there is of it is worth the time. */
    for (size_t i = 0; i < length; i += sizeof hash) {
        const size_t left = length - i;
        uint64_t word = 0;

        memcpy(&word, settings->crs + i, left < sizeof word ? left : sizeof word);
        hash = tile_map_mix(hash, word);
    }
    memcpy(words, settings->bounds, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        hash = tile_map_mix(hash, words[i]);
    hash = tile_map_mix(hash, view->incarnation);
    hash = tile_map_mix(hash, view->settings_version);
    hash =
        tile_map_mix(hash, (uint64_t)settings->grid.columns << 32 | (uint32_t)settings->grid.rows);
    hash = tile_map_mix(hash, settings->placed);
    return hash ? hash : 1;
}

/* Adds the samples whose pixels lie between low and high (pixel coordinates of the tile), within a
 * margin; a sample more around them costs little and forgives rounding. */
static void window_add(struct tile_map *map, const double low[2], const double high[2],
                       const struct tile *tile, int32_t margin, int32_t turns)
{
    struct tile_window *window = &map->windows[map->window_count];
    const int32_t end = tile->side + (tile->samples == TILE_BORDERS) + margin;
    int32_t first[2], last[2];

    for (int i = 0; i < 2; i++) {
        if (!(low[i] < end && high[i] > -margin - 1 && low[i] < high[i]))
            return;
        first[i] = (int32_t)fmax(floor(low[i]) - 1, -margin);
        last[i] = (int32_t)fmin(ceil(high[i]) + 2, end);
        if (last[i] <= first[i])
            return;
    }
    window->pixels = (struct rect){ first[0], first[1], last[0] - first[0], last[1] - first[1] };
    window->turns = turns;
    map->window_count++;
}

static void windows_find(struct tile_map *map, const struct tile_ground *ground,
                         const struct tile *tile, int32_t margin)
{
    const int32_t around = ground->grid ? 1 : 0;

    for (int32_t turns = -around; turns <= around; turns++) {
        double low[2], high[2];

        for (int i = 0; i < 2; i++) {
            const double moved = i == 0 ? turns : 0;

            low[i] = (ground->shares[i] - moved) * map->world[i] - map->origin[i];
            high[i] = (ground->shares[i + 2] - moved) * map->world[i] - map->origin[i];
        }
        window_add(map, low, high, tile, margin, turns);
    }
}

static bool touches(const struct tile_ground *ground, const struct tile *tile)
{
    for (int32_t turns = 0; turns < (ground->grid ? 2 : 1); turns++)
        if (!rect_empty(rect_meet(tile_ground_range(ground, tile->z, turns),
                                  (struct rect){ tile->x, tile->y, 1, 1 })))
            return true;
    return false;
}

static bool map_begin(struct tile_map *map, const struct view *view, const struct tile *tile,
                      const struct tile_ground *ground, int32_t around, struct fault *why)
{
    const double zoom = tile->z + log2((double)tile->side / TILE_SIDE);

    if (!tile_ground_has(ground, tile, why))
        return false;
    if (!touches(ground, tile))
        return fault_set(why, FAULT_RANGE, "tile %d/%d/%d does not touch the landscape", tile->z,
                         tile->x, tile->y);
    *map = (struct tile_map){ .settings = view->settings,
                              .grid = ground->grid,
                              .means = zoom < ground->native,
                              .offset = tile->samples == TILE_CENTRES ? 0.5 : 0,
                              .continued = tile->samples == TILE_BORDERS,
                              .patch_size = tile->side < PATCH_SIZE ? tile->side : PATCH_SIZE };
    map->world[1] = ldexp(tile->side, tile->z);
    map->world[0] = map->world[1] * (ground->grid ? ground->grid->roots : 1);
    map->origin[0] = (double)tile->x * tile->side;
    map->origin[1] = (double)tile->y * tile->side;
    if (ground->grid) {
        const double *scale = view_grid(view)->scale;

        map->turn = ground->turn;
        map->west = ground->lonlat[0];
        map->rounding = fmax(1e-6, 1e-7 / fmin(scale[0], scale[1]));
    } else {
        map->per_pixel = tile_own_pixel(view_grid(view), tile->z, tile->side);
        map->border = 0.5;
    }
    windows_find(map, ground, tile, tile->margin + around);
    return true;
}

bool tile_map_init(struct tile_map *map, const struct view *view, const struct tile *tile,
                   int32_t around, struct fault *why)
{
    const struct tile_ground *ground = tile_ground_of(view, tile_map_key(view), tile->grid, why);

    return ground && map_begin(map, view, tile, ground, around, why);
}

/* Pixel coordinates of the tile become grid positions, exactly. */
static void exact_points(const struct tile_map *map, int32_t turns, double *points, size_t count)
{
    double longitudes[NODES + CHECKS];
    struct fault why;

    for (size_t i = 0; i < count; i++) {
        double *point = points + 2 * i, share;
        const double across = map->origin[0] + point[0];
        double down = map->origin[1] + point[1];

        if (map->per_pixel > 0) {
            point[0] = across * map->per_pixel - 0.5;
            point[1] = down * map->per_pixel - 0.5;
            continue;
        }
        if (map->grid->frame == GEOREF_LONLAT) /* nothing lies beyond a pole */
            down = fmin(fmax(down, 0), map->world[1]);
        /* The world's seam is one place, from whichever side it is met. */
        share = across / map->world[0];
        longitudes[i] = (share - 0.5) * 360 + 360 * turns;
        share -= floor(share);
        point[0] = (share - 0.5) * map->grid->span[0];
        point[1] = (0.5 - down / map->world[1]) * map->grid->span[1];
    }
    if (map->per_pixel > 0)
        return;
    if (!georef_to_grid(map->settings, map->grid->frame, points, count, &why))
        for (size_t i = 0; i < 2 * count; i++)
            points[i] = NAN;
    /* Of the places a turn apart, the one that goes on from the window's other points. */
    for (size_t i = 0; map->turn > 0 && i < count; i++) {
        const double near = (longitudes[i] - map->west) / 360 * map->turn;

        points[2 * i] += map->turn * floor((near - points[2 * i]) / map->turn + 0.5);
    }
}

/* Through three values at 0, 1/2 and 1: powers of the place between. */
static void quadratic(const double *values, int stride, double terms[3])
{
    const double half = values[stride] - values[0], whole = values[2 * stride] - values[0];

    terms[0] = values[0];
    terms[1] = 4 * half - whole;
    terms[2] = 2 * whole - 4 * half;
}

static void patch_fit(struct tile_patch *patch, const double nodes[2 * NODES])
{
    for (int k = 0; k < 2; k++) {
        double along[3][3]; /* [row of nodes][power of x] */

        for (int row = 0; row < 3; row++)
            quadratic(nodes + 6 * row + k, 2, along[row]);
        for (int power = 0; power < 3; power++)
            quadratic(&along[0][power], 3, patch->terms[k][power]);
    }
    patch->straight = true;
    for (int i = 0; i < 3; i++)
        for (int j = 1; j < 3; j++)
            patch->straight &= patch->terms[0][i][j] == 0 && patch->terms[1][j][i] == 0;
}

static void patch_at(const struct tile_patch *patch, double s, double t, double at[2])
{
    for (int k = 0; k < 2; k++) {
        const double(*terms)[3] = patch->terms[k];
        double powers[3];

        for (int i = 0; i < 3; i++)
            powers[i] = terms[i][0] + t * (terms[i][1] + t * terms[i][2]);
        at[k] = powers[0] + s * (powers[1] + s * powers[2]);
    }
}

/* A curve through three values goes beyond them by at most an eighth of their second difference. */
static void bound_points(struct tile_patch *patch, const double nodes[2 * NODES])
{
    for (int k = 0; k < 2; k++) {
        double bulge[2] = { 0, 0 };

        patch->least[k] = INFINITY;
        patch->greatest[k] = -INFINITY;
        for (int i = 0; i < NODES; i++) {
            patch->least[k] = fmin(patch->least[k], nodes[2 * i + k]);
            patch->greatest[k] = fmax(patch->greatest[k], nodes[2 * i + k]);
        }
        for (int i = 0; i < 3; i++) {
            const double *row = nodes + 6 * i + k, *column = nodes + 2 * i + k;

            bulge[0] = fmax(bulge[0], fabs(row[0] - 2 * row[2] + row[4]));
            bulge[1] = fmax(bulge[1], fabs(column[0] - 2 * column[6] + column[12]));
        }
        patch->least[k] -= (bulge[0] + bulge[1]) / 8;
        patch->greatest[k] += (bulge[0] + bulge[1]) / 8;
    }
}

/* Bounds of the pixels that are asked for, which may be few of the square's. */
static void patch_bound(struct tile_patch *patch)
{
    double nodes[2 * NODES];

    const double shift = patch->map->offset - 0.5;

    for (int i = 0; i < NODES; i++) {
        const double x = patch->pixels.x + shift + patch->pixels.width * (i % 3) / 2.0;
        const double y = patch->pixels.y + shift + patch->pixels.height * (i / 3) / 2.0;

        patch_at(patch, (x - patch->corner[0]) / patch->size, (y - patch->corner[1]) / patch->size,
                 nodes + 2 * i);
    }
    bound_points(patch, nodes);
}

/* The shortest side of the patch, in vertices. */
static double patch_reach(const double nodes[2 * NODES])
{
    static const int sides[4][2] = { { 0, 2 }, { 6, 8 }, { 0, 6 }, { 2, 8 } };
    double shortest = INFINITY;

    for (int i = 0; i < 4; i++) {
        const double *from = nodes + 2 * sides[i][0], *to = nodes + 2 * sides[i][1];

        shortest = fmin(shortest, hypot(to[0] - from[0], to[1] - from[1]));
    }
    return shortest;
}

/* Whether a square goes on beyond a pole, where places stop short. */
static bool beyond_pole(const struct tile_patch *patch)
{
    const struct tile_map *map = patch->map;
    const double north = map->origin[1] + patch->corner[1];

    return map->grid && map->grid->frame == GEOREF_LONLAT &&
           (north < 0 || north + patch->size > map->world[1]);
}

/* Whether the surface through the nodes meets the exact points between them. */
static bool patch_true(const struct tile_patch *patch, const double *points)
{
    const double most = fmax(patch_reach(points) / patch->size * tolerance, patch->map->rounding);

    for (int i = 0; i < CHECKS; i++) {
        const double *exact = points + 2 * (NODES + i);
        double at[2];

        patch_at(patch, 0.25 + 0.5 * (i & 1), 0.25 + 0.5 * (i >> 1), at);
        if (!(hypot(at[0] - exact[0], at[1] - exact[1]) <= most))
            return false;
    }
    return true;
}

/* Nine nodes in rows from the corner, then the check points. */
static void patch_points(const struct tile_patch *patch, double points[2 * (NODES + CHECKS)])
{
    for (int i = 0; i < NODES; i++) {
        points[2 * i] = patch->corner[0] + patch->size / 2 * (i % 3);
        points[2 * i + 1] = patch->corner[1] + patch->size / 2 * (i / 3);
    }
    for (int i = 0; i < CHECKS; i++) {
        points[2 * (NODES + i)] = patch->corner[0] + patch->size * (0.25 + 0.5 * (i & 1));
        points[2 * (NODES + i) + 1] = patch->corner[1] + patch->size * (0.25 + 0.5 * (i >> 1));
    }
    exact_points(patch->map, patch->turns, points, NODES + CHECKS);
}

static void exact_row(const struct tile_patch *patch, double x, double y, int32_t count,
                      double *columns, double *rows)
{
    double points[2 * (EXACT_SIZE + 1)];

    for (int32_t i = 0; i < count; i++) {
        points[2 * i] = x + i;
        points[2 * i + 1] = y;
    }
    exact_points(patch->map, patch->turns, points, (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        columns[i] = points[2 * i];
        rows[i] = points[2 * i + 1];
    }
}

/* By every corner of its pixels. */
static void bound_exact(struct tile_patch *patch)
{
    const struct rect pixels = patch->pixels;
    const double shift = patch->map->offset - 0.5;
    double at[2][EXACT_SIZE + 1];

    for (int k = 0; k < 2; k++) {
        patch->least[k] = INFINITY;
        patch->greatest[k] = -INFINITY;
    }
    for (int32_t y = 0; y <= pixels.height; y++) {
        exact_row(patch, pixels.x + shift, pixels.y + y + shift, pixels.width + 1, at[0], at[1]);
        for (int k = 0; k < 2; k++)
            for (int32_t x = 0; x <= pixels.width; x++) {
                patch->least[k] = fmin(patch->least[k], at[k][x]);
                patch->greatest[k] = fmax(patch->greatest[k], at[k][x]);
            }
    }
}

struct visitor {
    bool (*visit)(const struct tile_patch *patch, void *context, struct fault *why);
    void *context;
};

/* Columns and rows of a pixel's step at a place, across and down together. */
static void step_grow(struct tile_patch *patch, const double at[2], const double east[2],
                      const double south[2])
{
    const double across[2] = { east[0] - at[0], east[1] - at[1] };
    const double down[2] = { south[0] - at[0], south[1] - at[1] };
    const double whole = hypot(across[0], across[1]) + hypot(down[0], down[1]);

    /* Where the grid turns within a few pixels, a step may point anywhere. */
    for (int k = 0; k < 2; k++)
        patch->step[k] =
            fmax(patch->step[k], patch->exact ? whole : fabs(across[k]) + fabs(down[k]));
}

/* What holds of the whole square, whichever of its pixels are asked for. */
static void patch_measure(struct tile_patch *patch)
{
    const double shift = patch->map->offset - 0.5;
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };

    for (int corner = 0; corner < 4; corner++) {
        const double x = patch->corner[0] + shift + (corner & 1) * patch->size;
        const double y = patch->corner[1] + shift + (corner >> 1) * patch->size;
        double columns[2], rows[2], south[2];

        tile_patch_row(patch, x, y, 2, columns, rows);
        tile_patch_row(patch, x, y + 1, 1, south, south + 1);
        low[0] = fmin(low[0], columns[0]);
        high[0] = fmax(high[0], columns[0]);
        low[1] = fmin(low[1], rows[0]);
        high[1] = fmax(high[1], rows[0]);
        if (patch->map->continued)
            step_grow(patch, (double[]){ columns[0], rows[0] }, (double[]){ columns[1], rows[1] },
                      south);
    }
    /* Steps differ a little within the square. */
    for (int k = 0; k < 2; k++) {
        patch->span[k] = high[k] - low[k];
        patch->step[k] *= 1.01;
    }
}

/* The square of `size` pixels at (x, y), halved where its surface would not be true. */
static bool visit_square(const struct tile_map *map, const struct tile_window *window, int32_t x,
                         int32_t y, int32_t size, const struct visitor *visitor, struct fault *why)
{
    struct tile_patch patch = { .map = map,
                                .turns = window->turns,
                                .pixels =
                                    rect_meet((struct rect){ x, y, size, size }, window->pixels),
                                .corner = { x, y },
                                .size = size };
    double points[2 * (NODES + CHECKS)];

    if (rect_empty(patch.pixels))
        return true;
    patch_points(&patch, points);
    patch_fit(&patch, points);
    if (patch_true(&patch, points) && !beyond_pole(&patch)) {
        patch_bound(&patch);
        patch_measure(&patch);
        return visitor->visit(&patch, visitor->context, why);
    }
    /* Smaller ones would cost more points than there are pixels. */
    if (size == EXACT_SIZE) {
        patch.exact = true;
        patch.straight = false;
        bound_exact(&patch);
        patch_measure(&patch);
        return visitor->visit(&patch, visitor->context, why);
    }
    size /= 2;
    return visit_square(map, window, x, y, size, visitor, why) &&
           visit_square(map, window, x + size, y, size, visitor, why) &&
           visit_square(map, window, x, y + size, size, visitor, why) &&
           visit_square(map, window, x + size, y + size, size, visitor, why);
}

static int32_t floor_to(int32_t pixel, int32_t size)
{
    return (pixel < 0 ? pixel - size + 1 : pixel) / size * size;
}

/* Squares begin at multiples of their size, so neighbouring tiles agree on every pixel. */
bool tile_map_each(const struct tile_map *map,
                   bool (*visit)(const struct tile_patch *patch, void *context, struct fault *why),
                   void *context, struct fault *why)
{
    const struct visitor visitor = { visit, context };
    const int32_t size = map->patch_size;

    for (int32_t i = 0; i < map->window_count; i++) {
        const struct tile_window *window = &map->windows[i];
        const struct rect all = window->pixels;

        for (int32_t y = floor_to(all.y, size); y < all.y + all.height; y += size)
            for (int32_t x = floor_to(all.x, size); x < all.x + all.width; x += size)
                if (!visit_square(map, window, x, y, size, &visitor, why))
                    return false;
    }
    return true;
}

void tile_patch_row(const struct tile_patch *patch, double x, double y, int32_t count,
                    double *columns, double *rows)
{
    const double t = (y - patch->corner[1]) / patch->size;
    const double first = (x - patch->corner[0]) / patch->size, step = 1 / patch->size;
    double powers[2][3];

    if (patch->exact) {
        exact_row(patch, x, y, count, columns, rows);
        return;
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            powers[k][i] =
                patch->terms[k][i][0] + t * (patch->terms[k][i][1] + t * patch->terms[k][i][2]);
    for (int32_t i = 0; i < count; i++) {
        const double s = first + i * step;

        columns[i] = powers[0][0] + s * (powers[0][1] + s * powers[0][2]);
        rows[i] = powers[1][0] + s * (powers[1][1] + s * powers[1][2]);
    }
}

void tile_ground(const struct view *view, const struct tile *tile, int32_t row, double metres[2])
{
    static const double flattening = 1 / 298.257223563;
    const double e2 = flattening * (2 - flattening);
    const double world = ldexp(tile->side, tile->z);
    const double down = (double)tile->y * tile->side + row + (tile->samples ? 0 : 0.5);
    double latitude, pixel[2], w2;

    if (!view->settings->placed) {
        const struct grid *grid = view_grid(view);
        const double vertices = tile_own_pixel(grid, tile->z, tile->side);

        metres[0] = vertices * grid->scale[0];
        metres[1] = vertices * grid->scale[1];
        return;
    }
    /* Radians of a pixel, times the ellipsoid's radii of curvature here. */
    if (tile->grid == TILE_GEODETIC) {
        latitude = (0.5 - down / world) * M_PI;
        pixel[1] = M_PI / world;
        pixel[0] = pixel[1] * fabs(cos(latitude));
    } else {
        latitude = tile_mercator_latitude(down / world) * M_PI / 180;
        pixel[0] = pixel[1] = 2 * M_PI / world * cos(latitude);
    }
    w2 = 1 - e2 * sin(latitude) * sin(latitude);
    metres[0] = pixel[0] * 6378137.0 / sqrt(w2);
    metres[1] = pixel[1] * 6378137.0 * (1 - e2) / (w2 * sqrt(w2));
}
