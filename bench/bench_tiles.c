/* A cold tile from the landscape to the PNG, CPU time of one thread, against the same pixels
 * through libpng at level 6 with adaptive filters; and the same tile of a small and of a large
 * landscape. */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terrain/edit/draft.h"
#include "terrain/format/georef.h"
#include "terrain/format/tile_set.h"

enum { SIDE = 256, TILES = 8, ROUNDS = 5 };

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void check(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "%s\n", why->detail);
    exit(1);
}

/* Hills with grain, about 30 m a step, in a CRS of its own or none. */
static struct view *hills(int32_t components, const char *crs, const double corner[2], double step)
{
    const struct layout layout = { { components, components }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    const int32_t side = settings->grid.columns;
    uint16_t *row = malloc((size_t)side * sizeof *row);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft;
    struct view *flat, *view;

    settings->placed = true;
    strcpy(settings->crs, crs);
    settings->bounds[0] = corner[0];
    settings->bounds[1] = corner[1] - (side - 1) * step;
    settings->bounds[2] = corner[0] + (side - 1) * step;
    settings->bounds[3] = corner[1];
    check(georef_scale(crs, settings->bounds, side, side, settings->grid.scale, &why), &why);
    settings->grid.scale[2] = 4;
    flat = view_new(&settings, (uint64_t)components, 1, 0);
    draft = draft_new(flat, &why);
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            const uint32_t grain = (uint32_t)(x * 7919 + y * 104729) * 2654435761u >> 26;

            row[x] = (uint16_t)(32768 + 9000 * sin(x * 0.011) * cos(y * 0.017) +
                                2500 * sin(x * 0.07 + y * 0.05) + grain);
        }
        check(draft_write_heights(draft, (struct rect){ 0, y, side, 1 }, row, side, &why), &why);
    }
    view = draft_finish(draft, &change, &why);
    check(view != NULL, &why);
    draft_free(draft);
    view_drop(flat);
    free(row);
    return view;
}

/* One of the tiles around the middle that there are. */
static struct tile tile_of(const struct view *view, int32_t z, int i)
{
    double at[2] = { view_rect(view).width * 0.5, view_rect(view).height * 0.5 };
    struct fault why;

    check(georef_from_grid(view->settings, GEOREF_MERCATOR, at, 1, &why), &why);
    at[0] = (at[0] / (2 * M_PI * 6378137) + 0.5) * ldexp(1, z);
    at[1] = (0.5 - at[1] / (2 * M_PI * 6378137)) * ldexp(1, z);
    const struct tile middle = TILE_AT(z, (int32_t)at[0], (int32_t)at[1], SIDE);
    const struct tile tile = TILE_AT(z, middle.x + i % 2, middle.y + i / 2 % 2, SIDE);
    struct rect reach;

    return tile_reach(view, &tile, &reach, &why) ? tile : middle;
}

static void keep(png_structp png, png_bytep data, png_size_t length)
{
    struct fault why;

    check(bytes_add(png_get_io_ptr(png), data, length, &why), &why);
}

static void with_libpng(const struct view *view, const struct tile *tile, double base, double steps,
                        struct bytes *to)
{
    static double metres[SIDE * SIDE];
    static uint8_t rgb[SIDE * SIDE * 3];
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    struct fault why;

    check(tile_heights(view, tile, 0, metres, &why), &why);
    tile_set_pack(metres, SIDE * SIDE, base, steps, rgb);
    png_set_write_fn(png, to, keep, NULL);
    png_set_compression_level(png, 6);
    png_set_filter(png, 0, PNG_ALL_FILTERS);
    png_set_IHDR(png, info, SIDE, SIDE, 8, PNG_COLOR_TYPE_RGB, 0, 0, 0);
    png_write_info(png, info);
    for (int y = 0; y < SIDE; y++)
        png_write_row(png, rgb + (size_t)y * SIDE * 3);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

/* Milliseconds and bytes a tile, the best of some rounds; set NULL is libpng on terrain-RGB. */
static double measure(const struct view *view, int32_t z, const struct tile_set *set,
                      const struct tile_kind *kind, double *bytes)
{
    const struct tile_look look = tile_look_usual;
    struct bytes to = { 0 };
    struct fault why = { 0 };
    double best = INFINITY;

    for (int round = 0; round < (set ? ROUNDS : 1); round++) {
        const double begun = cpu_seconds();

        *bytes = 0;
        for (int i = 0; i < TILES; i++) {
            const struct tile tile = tile_of(view, z, i);

            to.length = 0;
            if (set)
                check(tile_set_write(set, kind, view, &tile, &look, &to, &why), &why);
            else
                with_libpng(view, &tile, 10000, 10, &to);
            *bytes += to.length / (double)TILES;
        }
        best = fmin(best, (cpu_seconds() - begun) * 1e3 / TILES);
    }
    bytes_free(&to);
    return best;
}

static void bench_sets(const struct view *view, const char *name)
{
    struct fault why;
    int32_t native, finest;

    check(tile_zooms(view, &native, &finest, &why), &why);
    for (int32_t z = native - 1; z <= native + 1; z++) {
        double floor_bytes;
        const double floor_ms = measure(view, z, NULL, NULL, &floor_bytes);

        for (int i = 0; tile_sets[i]; i++)
            for (int k = 0; tile_sets[i]->kinds[k]; k++) {
                const struct tile_kind *kind = tile_sets[i]->kinds[k];
                double bytes;
                const double ms = measure(view, z, tile_sets[i], kind, &bytes);

                printf("tile %s zoom m%+d %-11s %-4s %7.3f ms %7.0f bytes: %.1f x faster than "
                       "libpng 6 on terrain-rgb, %.3f x the size\n",
                       name, z - native, tile_sets[i]->name, kind->extension, ms, bytes,
                       floor_ms / ms, bytes / floor_bytes);
            }
    }
}

int main(void)
{
    const double degrees[2] = { -84.4, 36.7 }, metres[2] = { 700000, 4080000 };
    struct view *small = hills(8, "EPSG:4326", degrees, 1.0 / 3600);
    struct view *large = hills(64, "EPSG:4326", degrees, 1.0 / 3600);
    struct view *turned = hills(8, "EPSG:32616", metres, 30);
    struct fault why;
    int32_t native, finest;

    bench_sets(small, "EPSG:4326");
    bench_sets(turned, "EPSG:32616");
    check(tile_zooms(large, &native, &finest, &why), &why);
    for (int32_t z = native; z >= native - 6; z -= 2) {
        double bytes;
        const double few = measure(small, z, &tile_set_terrain_rgb, NULL, &bytes);
        const double many = measure(large, z, &tile_set_terrain_rgb, NULL, &bytes);

        printf("tile zoom m%+d of %d^2 vertices: %.3f ms, of %d^2: %.3f ms, ratio %.2f\n",
               z - native, view_rect(small).width, few, view_rect(large).width, many, many / few);
    }
    view_drop(small);
    view_drop(large);
    view_drop(turned);
    return 0;
}
