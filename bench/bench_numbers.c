/* Numbers as text: what reading and printing one costs, against touching its text (memchr, memcpy)
 * and against strtod, snprintf and jansson; a body of points read to its structs and their heights
 * printed, by one thread and by two; and what the daemon spends on a point over HTTP, binary and
 * JSON.
 *
 * bench/bench_numbers [FOLDER]: in the build folder; the daemon's store lies in FOLDER. */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/json_read.h"
#include "api/json_write.h"
#include "api/number.h"
#include "bench/client.h"
#include "server/splitter.h"
#include "terrain/base/field.h"

enum { NUMBERS = 200000, POINTS = 1000000, ROUNDS = 7, SIDE = 4033 };

static volatile double kept; /* so that nothing measured is left out */

static double cpu(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double random_one(void)
{
    static uint64_t seed = 88172645463325252u;

    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* Ways of going over a text of numbers, each behind the other with a comma between. */

static void way_memchr(const char *text, size_t length)
{
    kept = memchr(text, '!', length) != NULL;
}

static void way_memcpy(const char *text, size_t length)
{
    static char *copy;

    copy = realloc(copy, length);
    memcpy(copy, text, length);
    kept = copy[length / 2];
}

static void way_scan(const char *text, size_t length)
{
    const char *end = text + length;
    double value = 0, sum = 0;

    for (const char *at = text; at < end; at++) {
        at = number_scan(at, end, &value);
        sum += value;
    }
    kept = sum;
}

static void way_strtod(const char *text, size_t length)
{
    const char *end = text + length;
    double sum = 0;

    for (const char *at = text; at < end;) {
        char *next;

        sum += strtod(at, &next);
        at = next + 1;
    }
    kept = sum;
}

static void way_jansson(const char *text, size_t length)
{
    char *list = malloc(length + 2);
    json_t *tree;

    list[0] = '[';
    memcpy(list + 1, text, length);
    list[length] = ']';
    tree = json_loadb(list, length + 1, 0, NULL);
    kept = (double)json_array_size(tree);
    json_decref(tree);
    free(list);
}

static size_t print_ours(double value, char *to)
{
    return number_print(value, to);
}

static size_t print_snprintf(double value, char *to)
{
    return (size_t)snprintf(to, NUMBER_ROOM, "%.17g", value);
}

static double read_cost(void (*way)(const char *, size_t), const char *text, size_t length)
{
    double costs[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        double before = cpu();

        way(text, length);
        costs[round] = (cpu() - before) / NUMBERS * 1e9;
    }
    return median(costs, ROUNDS);
}

static double print_cost(size_t (*way)(double, char *), const double *values, char *text)
{
    double costs[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        double before = cpu();
        char *to = text;

        for (int i = 0; i < NUMBERS; i++) {
            to += way(values[i], to);
            *to++ = ',';
        }
        costs[round] = (cpu() - before) / NUMBERS * 1e9;
    }
    return median(costs, ROUNDS);
}

static void bench_kind(const char *name, double step)
{
    double *values = malloc(NUMBERS * sizeof *values);
    char *text = malloc((size_t)NUMBERS * NUMBER_ROOM), *end = text;

    for (int i = 0; i < NUMBERS; i++) {
        values[i] = random_one() * 8192;
        if (step > 0)
            values[i] = floor(values[i] * step) / step;
        end += number_print(values[i], end);
        *end++ = ',';
    }
    *end = '\0';
    printf("%-12s read %5.1f ns (aim 25), memchr %.2f, memcpy %.2f, strtod %.0f, jansson %.0f; ",
           name, read_cost(way_scan, text, (size_t)(end - text)),
           read_cost(way_memchr, text, (size_t)(end - text)),
           read_cost(way_memcpy, text, (size_t)(end - text)),
           read_cost(way_strtod, text, (size_t)(end - text)),
           read_cost(way_jansson, text, (size_t)(end - text) - 1));
    printf("print %5.1f (aim 30), snprintf %%.17g %.0f\n", print_cost(print_ours, values, text),
           print_cost(print_snprintf, values, text));
    free(values);
    free(text);
}

/* Bodies */

struct points {
    struct list points;
};
static const struct field points_rows[] = { FIELD_AS(FIELD_POINTS, struct points, points, ""),
                                            { .kind = FIELD_END } };
struct heights {
    struct list heights;
};
static const struct field heights_rows[] = { FIELD_AS(FIELD_NUMBERS, struct heights, heights, ""),
                                             { .kind = FIELD_END } };

static char *body_make(size_t *length)
{
    char *text = malloc((size_t)POINTS * 2 * NUMBER_ROOM + 64), *end = text;

    end += sprintf(end, "{\"points\":[");
    for (int i = 0; i < POINTS; i++)
        end += sprintf(end, "%s[%.3f,%.3f]", i ? "," : "", random_one() * (SIDE - 1),
                       random_one() * (SIDE - 1));
    end += sprintf(end, "]}");
    *length = (size_t)(end - text);
    return text;
}

/* Wall time of both, a point. */
static void body_cost(const char *text, size_t length, const struct executor *executor,
                      double *read, double *print)
{
    double reads[ROUNDS], prints[ROUNDS];
    struct heights heights = { { POINTS, malloc(POINTS * sizeof(double)) } };

    for (int i = 0; i < POINTS; i++)
        ((double *)heights.heights.items)[i] = random_one() * 900;
    for (int round = 0; round < ROUNDS; round++) {
        struct arena arena = { 0 };
        struct points points = { 0 };
        struct bytes answer = { 0 };
        struct fault why = { 0 };
        double before = seconds();

        if (!json_read_large(SHAPE(struct points, points_rows), text, length, executor, NULL,
                             &arena, &points, &why))
            exit(1);
        reads[round] = (seconds() - before) / POINTS * 1e9;
        before = seconds();
        if (!json_write_large(SHAPE(struct heights, heights_rows), &heights, executor, &answer,
                              &why))
            exit(1);
        prints[round] = (seconds() - before) / POINTS * 1e9;
        arena_free(&arena);
        bytes_free(&answer);
    }
    *read = median(reads, ROUNDS);
    *print = median(prints, ROUNDS);
    free(heights.heights.items);
}

static void bench_bodies(const char *text, size_t length)
{
    struct splitter *splitter = NULL;
    struct fault why;
    double read, print, read_two, print_two;

    if (!splitter_start(1, 0, &splitter, &why))
        exit(1);
    body_cost(text, length, NULL, &read, &print);
    body_cost(text, length, splitter_executor(splitter), &read_two, &print_two);
    printf("a body of %d points, wall: read %.1f ns a point, by two threads %.1f (%.2fx, aim 1.8); "
           "heights printed %.1f, by two %.1f (%.2fx)\n",
           POINTS, read, read_two, read / read_two, print, print_two, print / print_two);
    splitter_stop(splitter);
}

static void import_rough(struct connection *connection)
{
    size_t bytes = (size_t)SIDE * SIDE * 2;
    uint16_t *codes = malloc(bytes);
    char path[160];

    for (size_t i = 0; i < bytes / 2; i++)
        codes[i] = (uint16_t)(20000 + i % SIDE * 2 + i / SIDE * 3 % 9000 + random_one() * 31);
    snprintf(path, sizeof path, "/v1/landscapes/rough/import?width=%d&height=%d&fit=exact", SIDE,
             SIDE);
    demand(connection, "POST", path, "application/x-r16", codes, bytes);
    free(codes);
}

static double endpoint_cost(const struct target *daemon, struct connection *connection,
                            const char *path, const char *type, const void *body, size_t length)
{
    double costs[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        double before = target_cpu(daemon);

        demand(connection, "POST", path, type, body, length);
        costs[round] = (target_cpu(daemon) - before) / POINTS * 1e9;
    }
    return median(costs, ROUNDS);
}

static void bench_endpoint(const char *folder, const char *text, size_t length)
{
    static const char *const path = "/v1/landscapes/rough/query/heights?frame=grid";
    struct target daemon = target_daemon(folder);
    struct connection connection;
    double *wide = malloc((size_t)POINTS * 2 * sizeof *wide);
    float *narrow = malloc((size_t)POINTS * 2 * sizeof *narrow);

    for (size_t i = 0; i < 2 * (size_t)POINTS; i++)
        narrow[i] = (float)(wide[i] = random_one() * (SIDE - 1));
    connection_open(&connection, &daemon);
    import_rough(&connection);
    printf("heights at %d random points of %d^2 over HTTP, server CPU: f32 %.1f ns a point, "
           "f64 %.1f (aim 30), JSON %.1f (aim 100)\n",
           POINTS, SIDE,
           endpoint_cost(&daemon, &connection, path, "application/x-f32", narrow,
                         2 * (size_t)POINTS * sizeof *narrow),
           endpoint_cost(&daemon, &connection, path, "application/x-f64", wide,
                         2 * (size_t)POINTS * sizeof *wide),
           endpoint_cost(&daemon, &connection, path, "application/json", text, length));
    connection_close(&connection);
    target_end(&daemon);
    free(wide);
    free(narrow);
}

int main(int count, char **arguments)
{
    char folder[] = "/tmp/bench_numbers.XXXXXX";
    size_t length;
    char *text;

    bench_kind("123.456", 1000);
    bench_kind("17 digits", 0);
    bench_kind("whole", 1);
    text = body_make(&length);
    bench_bodies(text, length);
    if (count < 2 && !mkdtemp(folder))
        return 1;
    bench_endpoint(count > 1 ? arguments[1] : folder, text, length);
    free(text);
    return 0;
}
