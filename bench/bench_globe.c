/* What a terrain tile for globes costs: over HTTP cold (nothing kept) and warm against a bare
 * libmicrohttpd hello of the same size, in server CPU; and in this process with everything made,
 * with samples and errors kept, and writing the bytes alone.
 *
 * bench/bench_globe: in the build folder. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/client.h"
#include "terrain/edit/draft.h"
#include "terrain/format/georef.h"
#include "terrain/format/globe.h"
#include "terrain/format/quantized_mesh.h"

enum { SIDE = 1009, ROUNDS = 5, TILES_MOST = 4096 };

static const double west = -84.4, north = 36.7, spacing = 1.0 / 3600;

static int height_of(int x, int y)
{
    const uint32_t grain = (uint32_t)(x * 7919 + y * 104729) * 2654435761u >> 26;

    return (int)(32768 + 9000 * sin(x * 0.011) * cos(y * 0.017) + 2500 * sin(x * 0.07 + y * 0.05) +
                 grain);
}

static void check(bool right, const struct fault *why)
{
    if (right)
        return;
    fprintf(stderr, "bench_globe: %s\n", why->detail);
    exit(1);
}

static struct view *hills(void)
{
    const struct layout layout = { { 8, 8 }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    struct fault why = { 0 };
    struct change change;
    struct view *flat, *view;
    struct draft *draft;
    uint16_t *codes = malloc(sizeof *codes * SIDE * SIDE);

    settings->placed = true;
    strcpy(settings->crs, "EPSG:4326");
    settings->bounds[0] = west;
    settings->bounds[3] = north;
    settings->bounds[2] = west + spacing * (SIDE - 1);
    settings->bounds[1] = north - spacing * (SIDE - 1);
    check(georef_scale(settings->crs, settings->bounds, SIDE, SIDE, settings->grid.scale, &why),
          &why);
    settings->grid.scale[2] = 4;
    for (int i = 0; i < SIDE * SIDE; i++)
        codes[i] = (uint16_t)height_of(i % SIDE, i / SIDE);
    flat = view_new(&settings, 1, 1, 32768);
    draft = draft_new(flat, &why);
    check(draft_write_heights(draft, view_rect(flat), codes, SIDE, &why), &why);
    view = draft_finish(draft, &change, &why);
    check(view != NULL, &why);
    draft_free(draft);
    view_drop(flat);
    free(codes);
    return view;
}

static int tiles_of(const struct view *view, int32_t z, struct globe_tile *tiles)
{
    struct rect ranges[2];
    struct fault why = { 0 };
    int32_t count;
    int found = 0;

    check(globe_ranges(view, z, ranges, &count, &why), &why);
    for (int32_t k = 0; k < rect_area(ranges[0]) && found < TILES_MOST; k++)
        tiles[found++] = (struct globe_tile){ z, ranges[0].x + k % ranges[0].width,
                                              ranges[0].y + k / ranges[0].width };
    return found;
}

static double cpu(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + now.tv_nsec * 1e-9;
}

static void bench_making(const struct view *view)
{
    static const struct datum as_they_are;
    const struct globe_look look = { .datum = &as_they_are,
                                     .max_error = NAN,
                                     .extensions = QUANTIZED_NORMALS,
                                     .water_height = NAN,
                                     .water_paint = GLOBE_NO_PAINT };
    static struct globe_tile tiles[TILES_MOST];
    struct fault why = { 0 };
    int32_t finest;

    check(globe_finest(view, &finest, &why), &why);
    for (int32_t z = finest; z >= 0 && z > finest - 8; z--) {
        const int count = tiles_of(view, z, tiles);
        double alone = INFINITY, level = INFINITY, kept = INFINITY, bytes = 0, error;

        for (int round = 0; round < 3; round++) {
            struct derived_cache *cache = derived_cache_new((int64_t)1 << 30);
            double begun = cpu();
            struct bytes to = { 0 };

            for (int i = 0; i < (count < 16 ? count : 16); i++) {
                to.length = 0;
                check(globe_mesh(view, NULL, &tiles[i * 7 % count], &look, &to, &error, &why),
                      &why);
            }
            alone = fmin(alone, (cpu() - begun) / (count < 16 ? count : 16));
            for (int pass = 0; pass < 2; pass++) {
                begun = cpu();
                bytes = 0;
                for (int i = 0; i < count; i++) {
                    to.length = 0;
                    check(globe_mesh(view, cache, &tiles[i], &look, &to, &error, &why), &why);
                    bytes += (double)to.length / count;
                }
                if (pass)
                    kept = fmin(kept, (cpu() - begun) / count);
                else
                    level = fmin(level, (cpu() - begun) / count);
            }
            bytes_free(&to);
            derived_cache_free(cache);
        }
        printf(
            "globe tile, %d quads a side, zoom m%+d, %d tiles of %.0f bytes: alone %.2f ms, of a "
            "whole zoom %.2f ms, from kept errors %.3f ms\n",
            GLOBE_SIDE, z - finest, count, bytes, alone * 1e3, level * 1e3, kept * 1e3);
    }
}

static void place_over_http(struct connection *connection)
{
    unsigned char *codes = malloc(2 * SIDE * SIDE);
    char path[200], body[200];

    for (int i = 0; i < SIDE * SIDE; i++) {
        codes[2 * i] = (unsigned char)(height_of(i % SIDE, i / SIDE) & 255);
        codes[2 * i + 1] = (unsigned char)(height_of(i % SIDE, i / SIDE) >> 8);
    }
    snprintf(path, sizeof path, "/v1/landscapes/hills/import?width=%d&height=%d&fit=exact", SIDE,
             SIDE);
    demand(connection, "POST", path, "application/x-r16", codes, 2 * SIDE * SIDE);
    snprintf(body, sizeof body, "{\"crs\":\"EPSG:4326\",\"bounds\":[%.9f,%.9f,%.9f,%.9f]}", west,
             north - spacing * (SIDE - 1), west + spacing * (SIDE - 1), north);
    demand(connection, "PATCH", "/v1/landscapes/hills", "application/merge-patch+json", body,
           strlen(body));
    free(codes);
}

static const char *path_of(const struct globe_tile *tile)
{
    static char path[120];

    snprintf(path, sizeof path,
             "/v1/landscapes/hills/cesium/%d/%d/%d.terrain?extensions="
             "octvertexnormals",
             tile->z, tile->x, (1 << tile->z) - 1 - tile->y);
    return path;
}

static double cpu_of_gets(const struct target *target, struct connection *connection,
                          const char *path)
{
    enum { REQUESTS = 2000 };
    double costs[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        const double before = target_cpu(target);

        for (int i = 0; i < REQUESTS; i++)
            demand(connection, "GET", path, NULL, NULL, 0);
        costs[round] = (target_cpu(target) - before) / REQUESTS;
    }
    return median(costs, ROUNDS);
}

static void bench_over_http(const struct view *view)
{
    static struct globe_tile tiles[TILES_MOST];
    char folder[] = "/tmp/bench_globe.XXXXXX", remove[64];
    struct fault why = { 0 };
    struct connection connection, plain;
    struct target daemon, hello;
    struct answer answer;
    double before, cold, warm, floor;
    int32_t finest;
    int count;

    if (!mkdtemp(folder))
        exit(1);
    daemon = target_daemon(folder);
    connection_open(&connection, &daemon);
    place_over_http(&connection);
    check(globe_finest(view, &finest, &why), &why);
    count = tiles_of(view, finest, tiles);
    before = target_cpu(&daemon);
    for (int i = 0; i < count; i++)
        demand(&connection, "GET", path_of(&tiles[i]), NULL, NULL, 0);
    cold = (target_cpu(&daemon) - before) / count;
    answer = demand(&connection, "GET", path_of(&tiles[count / 2]), NULL, NULL, 0);
    hello = target_hello(answer.body, answer.length);
    printf("globe tile over HTTP, %zu bytes: ", answer.length);
    connection_open(&plain, &hello);
    floor = cpu_of_gets(&hello, &plain, "/");
    warm = cpu_of_gets(&daemon, &connection, path_of(&tiles[count / 2]));
    printf("cold %.2f ms (the mean of %d, one after another), warm %.1f us, hello %.1f us: ratios "
           "%.0f and %.2f\n",
           cold * 1e3, count, warm * 1e6, floor * 1e6, cold / floor, warm / floor);
    connection_close(&plain);
    connection_close(&connection);
    target_end(&hello);
    target_end(&daemon);
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    if (system(remove) != 0)
        exit(1);
}

int main(void)
{
    struct view *view = hills();

    bench_making(view);
    bench_over_http(view);
    view_drop(view);
    return 0;
}
