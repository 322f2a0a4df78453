/* Import of an 8193 x 8193 PNG of 16 bits, beside libpng's bare decode of the same bytes.
 *
 * Three times: libpng alone; the file to a view that can be served, through the decoding helper but
 * without a store; and by POST to a daemon, whose answer means that it is on disk.
 */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/client.h"
#include "terrain/format/decode.h"
#include "terrain/format/import.h"
#include "terrain/format/png_write.h"
#include "terrain/worker/worker.h"

enum { SIDE = 8193, TURNS = 3 };

static void give_up(const char *sentence)
{
    fprintf(stderr, "bench_import: %s\n", sentence);
    exit(1);
}

static uint32_t hash(uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u;

    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return h ^ h >> 13;
}

/* Value noise of a lattice, interpolated smoothly. */
static double noise(double x, double y)
{
    uint32_t i = (uint32_t)x, j = (uint32_t)y;
    double u = x - i, v = y - j;
    double a = hash(i, j), b = hash(i + 1, j), c = hash(i, j + 1), d = hash(i + 1, j + 1);

    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    return ((a + (b - a) * u) * (1 - v) + (c + (d - c) * u) * v) / 4294967296.0;
}

/* Hills of eight octaves: the low bytes are as hard to compress as a real model's. */
static struct bytes make_file(void)
{
    uint16_t *row = malloc(SIDE * sizeof *row);
    struct bytes file = { 0 };
    struct fault why = { 0 };
    struct png_stream *stream = png_open(PNG_GRAY16, SIDE, SIDE, &file, &why);

    for (int y = 0; stream && row && y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            double height = 0, share = 0.5;

            for (int octave = 0; octave < 8; octave++, share /= 2)
                height += share * noise(ldexp(x, octave) / 2048, ldexp(y, octave) / 2048);
            row[x] = (uint16_t)(height * 65535);
        }
        if (!png_rows(stream, row, 1, &why))
            give_up(why.detail);
    }
    png_close(stream);
    free(row);
    return file;
}

struct source {
    const unsigned char *at;
};

static void give(png_structp png, png_bytep to, size_t count)
{
    struct source *source = png_get_io_ptr(png);

    memcpy(to, source->at, count);
    source->at += count;
}

/* What any program must do that reads the file with libpng. */
static double decode_bare(const struct bytes *file, uint16_t *pixels)
{
    double begun = seconds();
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    struct source source = { file->data };

    png_set_read_fn(png, &source, give);
    png_read_info(png, info);
    png_set_swap(png);
    for (int y = 0; y < SIDE; y++)
        png_read_row(png, (png_bytep)(pixels + (size_t)y * SIDE), NULL);
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    return seconds() - begun;
}

static double import_once(struct worker_pool *decoders, const struct bytes *file, double *decoded)
{
    static struct raster raster;
    const struct raster_limits limits = { 16385, (int64_t)1 << 27 };
    struct decode_options options = { .limits = limits, .driver = -1, .early = true };
    struct import_options how = { .limits = limits };
    struct import_plan plan;
    struct fault why = { 0 };
    struct settings *settings;
    struct view *view;
    double begun = seconds(), taken;

    if (!decode_raster(decoders, &options, file->data, file->length, &raster, &why) ||
        !import_plan(&raster, &how, &plan, &why))
        give_up(why.detail);
    *decoded = seconds() - begun;
    settings = import_settings(&raster, &plan, NULL, &why);
    view = settings ? import_view(&raster, &plan, &settings, NULL, &why) : NULL;
    if (!view)
        give_up(why.detail);
    raster_free(&raster);
    taken = seconds() - begun;
    view_drop(view);
    return taken;
}

static double post_once(struct connection *connection, const struct bytes *file, int turn)
{
    double begun = seconds();
    char path[80];

    snprintf(path, sizeof path, "/v1/landscapes/bench%d/import", turn);
    demand(connection, "POST", path, "image/png", file->data, file->length);
    return seconds() - begun;
}

static void bench_daemon(const struct bytes *file, double floor)
{
    char folder[] = "/tmp/bench-import-XXXXXX", command[80];
    double posts[TURNS];
    struct connection connection;
    struct target daemon;
    int64_t resident;

    if (!mkdtemp(folder))
        give_up("no folder for a store");
    daemon = target_daemon(folder);
    connection_open(&connection, &daemon);
    for (int turn = 0; turn < TURNS; turn++)
        posts[turn] = post_once(&connection, file, turn);
    resident = target_resident(&daemon);
    printf("POST import, on disk: %.0f ms, %.2f x libpng; daemon resident after %d of them "
           "%lld MB\n",
           median(posts, TURNS) * 1e3, median(posts, TURNS) / floor, TURNS,
           (long long)(resident >> 20));
    connection_close(&connection);
    target_end(&daemon);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        give_up("the store's folder cannot be removed");
}

int main(void)
{
    struct worker_options options = { .program = "./landscaped-decode",
                                      .count = 1,
                                      .deadline = 60,
                                      .memory_bytes = (int64_t)4 << 30,
                                      .waiting_most = 4 };
    struct bytes file = make_file();
    uint16_t *pixels = malloc((size_t)SIDE * SIDE * sizeof *pixels);
    double bare[TURNS], whole[TURNS], decoded[TURNS], floor;
    struct worker_pool *decoders;
    struct fault why = { 0 };

    if (!pixels || !worker_pool_start(&options, &decoders, &why))
        give_up(why.detail);
    for (int turn = 0; turn < TURNS; turn++) {
        bare[turn] = decode_bare(&file, pixels);
        whole[turn] = import_once(decoders, &file, &decoded[turn]);
    }
    free(pixels);
    floor = median(bare, TURNS);
    printf("8193 x 8193, %zu MB: libpng alone %.0f ms\n", file.length >> 20, floor * 1e3);
    printf("decoded by the helper: %.0f ms, %.2f x; a view to serve: %.0f ms, %.2f x (aim 1.6)\n",
           median(decoded, TURNS) * 1e3, median(decoded, TURNS) / floor, median(whole, TURNS) * 1e3,
           median(whole, TURNS) / floor);
    worker_pool_stop(decoders);
    bench_daemon(&file, floor);
    bytes_free(&file);
    return 0;
}
