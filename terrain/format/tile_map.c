#include "terrain/format/tile_map.h"

#include <math.h>
#include <string.h>

#include "terrain/format/georef.h"

static const double half_circumference = M_PI * 6378137.0;
static const double tolerance = 1.0 / (1 << 20); /* of a pixel */

enum { PATCH_SIZE = 128, EXACT_SIZE = 8, NODES = 9, CHECKS = 4, GROUNDS_KEPT = 64 };

/* What does not change until the settings do. */
struct ground {
    uint64_t key;
    int32_t native, finest;
    double lonlat[4]; /* of landscapes with a CRS */
    double turn;
};

/* Kept a thread: a tile is asked for again and again. */
static _Thread_local struct ground grounds[GROUNDS_KEPT];

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

static int32_t own_native(const struct grid *grid)
{
    const int32_t most = grid->columns > grid->rows ? grid->columns : grid->rows;
    int32_t zoom = 0;

    while ((int64_t)TILE_SIDE << zoom < most)
        zoom++;
    return zoom;
}

static bool ground_measure(const struct settings *settings, struct ground *ground,
                           struct fault *why)
{
    if (!settings->placed) {
        ground->native = own_native(&settings->grid);
    } else {
        double step, zoom;

        if (!georef_mercator_step(settings, &step, why) ||
            !georef_lonlat_bounds(settings, ground->lonlat, why))
            return false;
        ground->turn = georef_turn(settings);
        /* A step made to fit a zoom fits it, whatever the last bits say. */
        zoom = ceil(log2(2 * half_circumference / TILE_SIDE / step) - 1e-6);
        ground->native = (int32_t)fmin(fmax(zoom, 0), TILE_ZOOM_MOST);
    }
    ground->finest = ground->native + TILE_ZOOMS_BEYOND;
    if (ground->finest > TILE_ZOOM_MOST)
        ground->finest = TILE_ZOOM_MOST;
    return true;
}

static const struct ground *ground_of(const struct view *view, uint64_t key, struct fault *why)
{
    struct ground *ground = &grounds[key % GROUNDS_KEPT];

    if (ground->key == key)
        return ground;
    ground->key = 0;
    if (!ground_measure(view->settings, ground, why))
        return NULL;
    ground->key = key;
    return ground;
}

bool tile_zooms(const struct view *view, int32_t *native, int32_t *finest, struct fault *why)
{
    const struct ground *ground = ground_of(view, tile_map_key(view), why);

    if (!ground)
        return false;
    *native = ground->native;
    *finest = ground->finest;
    return true;
}

/* 0 at the west (north) end of the world's square and 1 at the other. */
static double share_of_longitude(double degrees)
{
    return (degrees + 180) / 360;
}

static double share_of_latitude(double degrees)
{
    const double north = asinh(tan(fmin(fmax(degrees, -89.9), 89.9) * M_PI / 180)) / M_PI;

    return fmin(fmax((1 - north) / 2, 0), 1);
}

static double latitude_of_share(double share)
{
    return atan(sinh(M_PI * (1 - 2 * share))) * 180 / M_PI;
}

bool tile_bounds(const struct view *view, double bounds[4], struct fault *why)
{
    const struct ground *ground = ground_of(view, tile_map_key(view), why);
    const struct grid *grid = view_grid(view);

    if (!ground)
        return false;
    if (!view->settings->placed) {
        const double square = (double)((int64_t)TILE_SIDE << ground->native);

        bounds[0] = -180;
        bounds[1] = latitude_of_share(grid->rows / square);
        bounds[2] = grid->columns / square * 360 - 180;
        bounds[3] = latitude_of_share(0);
        return true;
    }
    bounds[0] = ground->lonlat[2] > 180 ? -180 : ground->lonlat[0];
    bounds[1] = fmax(ground->lonlat[1], latitude_of_share(1));
    bounds[2] = ground->lonlat[2] > 180 ? 180 : ground->lonlat[2];
    bounds[3] = fmin(ground->lonlat[3], latitude_of_share(0));
    return true;
}

static bool tile_check(const struct tile *tile, const struct ground *ground, struct fault *why)
{
    const int64_t count = tile->z < 0 || tile->z > ground->finest ? 0 : (int64_t)1 << tile->z;

    if (count == 0)
        return fault_set(why, FAULT_MISSING, "zoom %d does not exist: this landscape has 0 to %d",
                         tile->z, ground->finest);
    if (tile->x < 0 || tile->x >= count || tile->y < 0 || tile->y >= count)
        return fault_set(why, FAULT_MISSING,
                         "tile %d/%d/%d does not exist: columns and rows of zoom %d are 0 to %lld",
                         tile->z, tile->x, tile->y, tile->z, (long long)count - 1);
    return true;
}

/* The world's square shares that the landscape takes, moved by whole turns: west, north, east,
 * south. */
static void ground_shares(const struct tile_map *map, const struct ground *ground, int32_t turns,
                          double shares[4])
{
    if (map->per_pixel > 0) {
        shares[0] = shares[1] = 0;
        shares[2] = map->settings->grid.columns / map->per_pixel / map->world;
        shares[3] = map->settings->grid.rows / map->per_pixel / map->world;
        return;
    }
    shares[0] = share_of_longitude(ground->lonlat[0] - 360.0 * turns);
    shares[1] = share_of_latitude(ground->lonlat[3]);
    shares[2] = share_of_longitude(ground->lonlat[2] - 360.0 * turns);
    shares[3] = share_of_latitude(ground->lonlat[1]);
}

/* Adds the pixels between low and high (pixels of the tile) in a tile with its margin; a pixel
 * more around them costs little and forgives rounding. Tells whether they touch the tile itself. */
static bool window_add(struct tile_map *map, const double low[2], const double high[2],
                       int32_t side, int32_t margin, int32_t turns)
{
    struct tile_window *window = &map->windows[map->window_count];
    int32_t first[2], last[2];

    for (int i = 0; i < 2; i++) {
        if (!(low[i] < side + margin && high[i] > -margin && low[i] < high[i]))
            return false;
        first[i] = (int32_t)fmax(floor(low[i]) - 1, -margin);
        last[i] = (int32_t)fmin(ceil(high[i]) + 1, side + margin);
    }
    window->pixels = (struct rect){ first[0], first[1], last[0] - first[0], last[1] - first[1] };
    window->turns = turns;
    map->window_count++;
    return low[0] < side && high[0] > 0 && low[1] < side && high[1] > 0;
}

static bool windows_find(struct tile_map *map, const struct ground *ground, const struct tile *tile,
                         int32_t margin, struct fault *why)
{
    const int32_t around = map->per_pixel > 0 ? 0 : 1;
    bool touched = false;

    for (int32_t turns = -around; turns <= around; turns++) {
        double shares[4], low[2], high[2];

        ground_shares(map, ground, turns, shares);
        for (int i = 0; i < 2; i++) {
            low[i] = shares[i] * map->world - map->origin[i];
            high[i] = shares[i + 2] * map->world - map->origin[i];
        }
        touched |= window_add(map, low, high, tile->side, margin, turns);
    }
    if (!touched)
        return fault_set(why, FAULT_RANGE, "tile %d/%d/%d does not touch the landscape", tile->z,
                         tile->x, tile->y);
    return true;
}

static bool map_begin(struct tile_map *map, const struct view *view, const struct tile *tile,
                      const struct ground *ground, int32_t margin, struct fault *why)
{
    const int32_t doubled = tile->side / TILE_SIDE - 1; /* a pixel counts as the next zoom's */
    const int32_t finer = tile->z + doubled - ground->native;

    if (!tile_check(tile, ground, why))
        return false;
    *map = (struct tile_map){ .settings = view->settings, .means = finer < 0 };
    map->world = ldexp(tile->side, tile->z);
    map->origin[0] = (double)tile->x * tile->side;
    map->origin[1] = (double)tile->y * tile->side;
    if (view->settings->placed) {
        const double *scale = view_grid(view)->scale;

        map->turn = ground->turn;
        map->west = ground->lonlat[0];
        map->rounding = fmax(1e-6, 1e-7 / fmin(scale[0], scale[1]));
    } else {
        map->per_pixel = ldexp(1, -finer);
        map->border = 0.5;
    }
    return windows_find(map, ground, tile, margin, why);
}

bool tile_map_init(struct tile_map *map, const struct view *view, const struct tile *tile,
                   int32_t margin, struct fault *why)
{
    const struct ground *ground = ground_of(view, tile_map_key(view), why);

    return ground && map_begin(map, view, tile, ground, margin, why);
}

/* Pixel coordinates of the tile become grid positions, exactly. */
static void exact_points(const struct tile_map *map, int32_t turns, double *points, size_t count)
{
    double longitudes[NODES + CHECKS];
    struct fault why;

    for (size_t i = 0; i < count; i++) {
        double *point = points + 2 * i;
        const double across = map->origin[0] + point[0], down = map->origin[1] + point[1];

        if (map->per_pixel > 0) {
            point[0] = across * map->per_pixel - 0.5;
            point[1] = down * map->per_pixel - 0.5;
            continue;
        }
        longitudes[i] = (across / map->world - 0.5) * 360 + 360 * turns;
        point[0] = (across / map->world - 0.5) * 2 * half_circumference;
        point[1] = (0.5 - down / map->world) * 2 * half_circumference;
    }
    if (map->per_pixel > 0)
        return;
    if (!georef_to_grid(map->settings, GEOREF_MERCATOR, points, count, &why))
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

    for (int i = 0; i < NODES; i++) {
        const double x = patch->pixels.x + patch->pixels.width * (i % 3) / 2.0;
        const double y = patch->pixels.y + patch->pixels.height * (i / 3) / 2.0;

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
    double at[2][EXACT_SIZE + 1];

    for (int k = 0; k < 2; k++) {
        patch->least[k] = INFINITY;
        patch->greatest[k] = -INFINITY;
    }
    for (int32_t y = 0; y <= pixels.height; y++) {
        exact_row(patch, pixels.x, pixels.y + y, pixels.width + 1, at[0], at[1]);
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
    if (patch_true(&patch, points)) {
        patch_bound(&patch);
        return visitor->visit(&patch, visitor->context, why);
    }
    /* Smaller ones would cost more points than there are pixels. */
    if (size == EXACT_SIZE) {
        patch.exact = true;
        bound_exact(&patch);
        return visitor->visit(&patch, visitor->context, why);
    }
    size /= 2;
    return visit_square(map, window, x, y, size, visitor, why) &&
           visit_square(map, window, x + size, y, size, visitor, why) &&
           visit_square(map, window, x, y + size, size, visitor, why) &&
           visit_square(map, window, x + size, y + size, size, visitor, why);
}

static int32_t floor_to_patch(int32_t pixel)
{
    return pixel < 0 ? -PATCH_SIZE : pixel / PATCH_SIZE * PATCH_SIZE;
}

/* Squares begin at multiples of their size, so neighbouring tiles agree on every pixel. */
bool tile_map_each(const struct tile_map *map,
                   bool (*visit)(const struct tile_patch *patch, void *context, struct fault *why),
                   void *context, struct fault *why)
{
    const struct visitor visitor = { visit, context };

    for (int32_t i = 0; i < map->window_count; i++) {
        const struct tile_window *window = &map->windows[i];
        const struct rect all = window->pixels;

        for (int32_t y = floor_to_patch(all.y); y < all.y + all.height; y += PATCH_SIZE)
            for (int32_t x = floor_to_patch(all.x); x < all.x + all.width; x += PATCH_SIZE)
                if (!visit_square(map, window, x, y, PATCH_SIZE, &visitor, why))
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
    double latitude, pixel, w2;

    if (!view->settings->placed) {
        const struct grid *grid = view_grid(view);

        pixel = ldexp((double)TILE_SIDE / tile->side, own_native(grid) - tile->z);
        metres[0] = pixel * grid->scale[0];
        metres[1] = pixel * grid->scale[1];
        return;
    }
    /* Mercator metres, times what the ellipsoid's radii of curvature make of them here. */
    latitude = latitude_of_share(((double)tile->y * tile->side + row + 0.5) / world) * M_PI / 180;
    pixel = 2 * M_PI / world * 6378137.0 * cos(latitude);
    w2 = 1 - e2 * sin(latitude) * sin(latitude);
    metres[0] = pixel / sqrt(w2);
    metres[1] = pixel * (1 - e2) / (w2 * sqrt(w2));
}
