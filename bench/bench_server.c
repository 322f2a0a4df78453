/* What the daemon costs, each figure beside a floor taken in the same run:
 *
 *   cached tile   server CPU a request, against a bare libmicrohttpd hello of the same size
 *   heights       server CPU a point of a batch, binary and JSON
 *   edit          server CPU of an R=64 raise, on a small and on a large landscape
 *   durable edit  wall time of one, against a write and fdatasync; and of 64 writers at once
 *   memory        resident bytes a vertex of an 8065 x 8065 landscape, caches cold
 *   start         from exec to the first height of that landscape
 *
 * bench/bench_server [FOLDER]: in the build folder; FOLDER (default: a new one under TMPDIR) must
 * lie on a real disk for the flush figures to mean anything.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/client.h"

enum { SMALL = 1009, LARGE = 8065, WRITERS = 64 };

static void import_rough(struct connection *connection, const char *id, int side)
{
    size_t bytes = (size_t)side * side * 2;
    unsigned char *codes = malloc(bytes);
    char path[160];
    uint32_t noise = 1;

    for (size_t i = 0; i < bytes / 2; i++) {
        int code = 20000 + (int)(i % side) * 2 + (int)(i / side) * 3 % 9000;

        noise = noise * 1664525 + 1013904223;
        code += noise >> 27;
        codes[2 * i] = code & 255;
        codes[2 * i + 1] = code >> 8;
    }
    snprintf(path, sizeof path, "/v1/landscapes/%s/import?width=%d&height=%d&fit=exact", id, side,
             side);
    demand(connection, "POST", path, "application/x-r16", codes, bytes);
    free(codes);
}

/* Median over rounds of the CPU that `target` spends on a GET of path, in seconds. */
static double cpu_of_get(const struct target *target, const char *path)
{
    enum { ROUNDS = 7, REQUESTS = 4000 };
    double costs[ROUNDS];
    struct connection connection;

    connection_open(&connection, target);
    for (int i = 0; i < 200; i++)
        demand(&connection, "GET", path, NULL, NULL, 0);
    for (int round = 0; round < ROUNDS; round++) {
        double before = target_cpu(target);

        for (int i = 0; i < REQUESTS; i++)
            demand(&connection, "GET", path, NULL, NULL, 0);
        costs[round] = (target_cpu(target) - before) / REQUESTS;
    }
    connection_close(&connection);
    return median(costs, ROUNDS);
}

static void bench_cached_tile(const struct target *daemon)
{
    const char *path = "/v1/landscapes/small/tiles/terrain-rgb/2/1/1.png";
    struct connection connection;
    struct answer tile;
    struct target hello;
    double floor, cost;

    connection_open(&connection, daemon);
    tile = demand(&connection, "GET", path, NULL, NULL, 0);
    hello = target_hello(tile.body, tile.length);
    floor = cpu_of_get(&hello, "/");
    cost = cpu_of_get(daemon, path);
    printf("cached tile of %zu bytes: %.1f us, hello %.1f us, ratio %.2f (aim 1.25)\n", tile.length,
           cost * 1e6, floor * 1e6, cost / floor);
    target_end(&hello);
    connection_close(&connection);
}

static void bench_heights(const struct target *daemon)
{
    enum { POINTS = 100000, ROUNDS = 7 };
    float *pairs = malloc(POINTS * 8);
    char *text = malloc(POINTS * 40 + 64), *end = text;
    double binary[ROUNDS], json[ROUNDS], before;
    struct connection connection;
    const char *path = "/v1/landscapes/large/query/heights?frame=grid";

    srand(1);
    end += sprintf(end, "{\"points\":[");
    for (int i = 0; i < POINTS; i++) {
        pairs[2 * i] = rand() % ((LARGE - 1) * 16) / 16.0f;
        pairs[2 * i + 1] = rand() % ((LARGE - 1) * 16) / 16.0f;
        end += sprintf(end, "%s[%.4f,%.4f]", i ? "," : "", pairs[2 * i], pairs[2 * i + 1]);
    }
    end += sprintf(end, "]}");
    connection_open(&connection, daemon);
    for (int round = 0; round < ROUNDS; round++) {
        before = target_cpu(daemon);
        demand(&connection, "POST", path, "application/x-f32", pairs, POINTS * 8);
        binary[round] = (target_cpu(daemon) - before) / POINTS * 1e9;
        before = target_cpu(daemon);
        demand(&connection, "POST", path, "application/json", text, (size_t)(end - text));
        json[round] = (target_cpu(daemon) - before) / POINTS * 1e9;
    }
    printf("heights, batch of %d on %d^2: binary %.1f ns a point (aim 30), JSON %.1f (aim 100)\n",
           POINTS, LARGE, median(binary, ROUNDS), median(json, ROUNDS));
    connection_close(&connection);
    free(pairs);
    free(text);
}

static void raise_at(struct connection *connection, const char *id, int side, int i)
{
    char path[96], body[256];
    int x = 100 + i * 37 % (side - 200), y = 100 + i * 53 % (side - 200);

    snprintf(path, sizeof path, "/v1/landscapes/%s/edits?frame=grid", id);
    snprintf(body, sizeof body,
             "{\"ops\":[{\"tool\":\"raise\",\"path\":[[%d.25,%d.5]],\"radius\":64,"
             "\"amount\":0.5}]}",
             x, y);
    demand(connection, "POST", path, "application/json", body, strlen(body));
}

static double cpu_of_edits(const struct target *daemon, const char *id, int side)
{
    enum { ROUNDS = 5, EDITS = 200 };
    double costs[ROUNDS];
    struct connection connection;

    connection_open(&connection, daemon);
    for (int i = 0; i < 50; i++)
        raise_at(&connection, id, side, i);
    for (int round = 0; round < ROUNDS; round++) {
        double before = target_cpu(daemon);

        for (int i = 0; i < EDITS; i++)
            raise_at(&connection, id, side, round * EDITS + i);
        costs[round] = (target_cpu(daemon) - before) / EDITS;
    }
    connection_close(&connection);
    return median(costs, ROUNDS);
}

static void bench_edit_cpu(const struct target *daemon)
{
    double small = cpu_of_edits(daemon, "small", SMALL);
    double large = cpu_of_edits(daemon, "large", LARGE);

    printf("edit R=64, server CPU with the kernel's share of the flush: %.0f us on %d^2, "
           "%.0f us on %d^2, ratio %.2f (aims 100 us without the flush, 1.3)\n",
           small * 1e6, SMALL, large * 1e6, LARGE, large / small);
}

/* p50 of overwriting 16 KiB of a preallocated file and fdatasync: the floor of durability. */
static double flush_floor(const char *folder)
{
    enum { TRIES = 300 };
    static char page[16384];
    double times[TRIES];
    char path[512];
    int file;

    snprintf(path, sizeof path, "%s/floor", folder);
    file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || posix_fallocate(file, 0, TRIES * sizeof page) != 0) {
        perror(path);
        exit(1);
    }
    for (int i = 0; i < TRIES; i++)
        if (pwrite(file, page, sizeof page, i * (off_t)sizeof page) < 0)
            perror(path);
    fsync(file);
    for (int i = 0; i < TRIES; i++) {
        double before = seconds();

        page[0] = (char)i;
        if (pwrite(file, page, sizeof page, i * (off_t)sizeof page) < 0 || fdatasync(file) < 0)
            perror(path);
        times[i] = seconds() - before;
    }
    close(file);
    unlink(path);
    return median(times, TRIES);
}

struct writer {
    const struct target *daemon;
    int number, edits;
};

static void small_edit(struct connection *connection, int number, int i)
{
    char body[256];

    snprintf(body, sizeof body,
             "{\"ops\":[{\"tool\":\"raise\",\"path\":[[%d,%d]],\"radius\":8,\"amount\":%s0.5}]}",
             40 + number % 8 * 120, 40 + number / 8 * 120, i & 1 ? "-" : "");
    demand(connection, "POST", "/v1/landscapes/small/edits?frame=grid", "application/json", body,
           strlen(body));
}

static void *write_many(void *context)
{
    struct writer *writer = context;
    struct connection connection;

    connection_open(&connection, writer->daemon);
    for (int i = 0; i < writer->edits; i++)
        small_edit(&connection, writer->number, i);
    connection_close(&connection);
    return NULL;
}

static void bench_durable(const struct target *daemon, const char *folder)
{
    enum { SINGLE = 400, EACH = 100 };
    double times[SINGLE], floor = flush_floor(folder), one, before, all;
    struct connection connection;
    struct writer writers[WRITERS];
    pthread_t threads[WRITERS];

    connection_open(&connection, daemon);
    for (int i = 0; i < SINGLE; i++) {
        before = seconds();
        small_edit(&connection, 0, i);
        times[i] = seconds() - before;
    }
    connection_close(&connection);
    one = median(times, SINGLE);
    printf("durable edit: p50 %.2f ms, fdatasync %.2f ms, ratio %.2f (aim 2.5)\n", one * 1e3,
           floor * 1e3, one / floor);

    before = seconds();
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){ daemon, i, EACH };
        pthread_create(&threads[i], NULL, write_many, &writers[i]);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    all = (seconds() - before) / (WRITERS * EACH);
    printf("%d writers: %.0f edits/s, one: %.0f edits/s, ratio %.1f (aim 8)\n", WRITERS, 1 / all,
           1 / one, one / all);
}

static void bench_start(const char *folder)
{
    double before = seconds(), ready;
    struct target daemon = target_daemon(folder);
    struct connection connection;
    int64_t empty, full;

    connection_open(&connection, &daemon);
    demand(&connection, "GET", "/healthz", NULL, NULL, 0);
    ready = seconds() - before;
    empty = target_resident(&daemon);
    demand(&connection, "GET", "/v1/landscapes/large/height?x=4000&y=4000&frame=grid", NULL, NULL,
           0);
    printf("start: serving after %.0f ms, first height of %d^2 after %.0f ms\n", ready * 1e3, LARGE,
           (seconds() - before) * 1e3);
    while (request(&connection, "GET", "/readyz", NULL, NULL, 0).status != 200)
        usleep(20000);
    printf("start: all loaded after %.0f ms\n", (seconds() - before) * 1e3);
    demand(&connection, "DELETE", "/v1/landscapes/small", NULL, NULL, 0);
    full = target_resident(&daemon);
    printf("memory: %.3f bytes a vertex over %.1f MB at the first answer (aim 2.3)\n",
           (double)(full - empty) / ((double)LARGE * LARGE), empty / 1e6);
    connection_close(&connection);
    target_end(&daemon);
}

int main(int count, char **words)
{
    char made[] = "bench-data-XXXXXX";
    const char *folder = count > 1 ? words[1] : mkdtemp(made);
    struct target daemon;
    struct connection connection;

    if (!folder) {
        perror("mkdtemp");
        return 1;
    }
    daemon = target_daemon(folder);
    connection_open(&connection, &daemon);
    import_rough(&connection, "small", SMALL);
    import_rough(&connection, "large", LARGE);
    connection_close(&connection);
    bench_cached_tile(&daemon);
    bench_heights(&daemon);
    bench_edit_cpu(&daemon);
    bench_durable(&daemon, folder);
    target_end(&daemon);
    bench_start(folder);
    if (count == 1)
        printf("the store that this made is %s; remove it\n", folder);
    return 0;
}
