/* Rays over HTTP: what the daemon spends on one, binary and JSON, straight down and slanted over
 * about a kilometre, against casting the same rays in this process.
 *
 * bench/bench_cast [FOLDER]: in the build folder; the daemon's store lies in FOLDER. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/client.h"
#include "terrain/base/derived.h"
#include "terrain/edit/draft.h"
#include "terrain/query/ray.h"

enum { SIDE = 4033, RAYS = 200000, ROUNDS = 5, IN = 7, TEXT = 180 };

static double random_one(void)
{
    static uint64_t seed = 88172645463325252u;

    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static uint16_t *rough_new(void)
{
    uint16_t *codes = malloc((size_t)SIDE * SIDE * sizeof *codes);

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            codes[(size_t)y * SIDE + (size_t)x] =
                (uint16_t)(32768 + 6000 * sin(x / 90.0) * cos(y / 70.0) + 300 * random_one());
    return codes;
}

static struct view *view_of(const uint16_t *codes)
{
    const struct layout layout = { { (SIDE - 1) / 126, (SIDE - 1) / 126 }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    struct fault why = { 0 };
    struct change change;
    struct view *flat = view_new(&settings, 1, 1, 0), *view;
    struct draft *draft = draft_new(flat, &why);

    if (!draft || !draft_write_heights(draft, view_rect(flat), codes, SIDE, &why) ||
        !(view = draft_finish(draft, &change, &why)))
        exit(1);
    draft_free(draft);
    view_drop(flat);
    return view;
}

/* From 60 m above the middle height; slanted ones fall 100 m in a kilometre. */
static void rays_make(bool slanted, double (*rays)[IN])
{
    for (int i = 0; i < RAYS; i++) {
        const double way = 2 * M_PI * random_one();

        rays[i][0] = random_one() * (SIDE - 1);
        rays[i][1] = random_one() * (SIDE - 1);
        rays[i][2] = 60;
        rays[i][3] = slanted ? cos(way) : 0;
        rays[i][4] = slanted ? sin(way) : 0;
        rays[i][5] = slanted ? -0.1 : -1;
        rays[i][6] = 1000;
    }
}

static char *rays_print(double (*rays)[IN], size_t *length)
{
    char *text = malloc((size_t)RAYS * TEXT), *at = text + sprintf(text, "{\"rays\":[");

    for (int i = 0; i < RAYS; i++)
        at += sprintf(at,
                      "%s{\"origin\":[%.3f,%.3f,%.3f],\"direction\":[%.6f,%.6f,%.6f],"
                      "\"max_distance\":%.0f}",
                      i ? "," : "", rays[i][0], rays[i][1], rays[i][2], rays[i][3], rays[i][4],
                      rays[i][5], rays[i][6]);
    at += sprintf(at, "]}");
    *length = (size_t)(at - text);
    return text;
}

static double cpu(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double cast_cost(const struct view *view, struct derived_cache *cache, double (*from)[IN])
{
    struct ray *rays = calloc(RAYS, sizeof *rays);
    struct ray_hit *hits = calloc(RAYS, sizeof *hits);
    const struct ray_ways ways = { 0 };
    struct fault why = { 0 };
    double costs[ROUNDS];

    for (int i = 0; i < RAYS; i++) {
        for (int k = 0; k < 3; k++) {
            rays[i].from[k] = from[i][k];
            rays[i].along[k] = from[i][3 + k];
        }
        rays[i].reach = from[i][6];
        rays[i].reach /= ray_metres(view, &rays[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        const double before = cpu();

        if (!ray_cast(view, cache, rays, RAYS, &ways, hits, NULL, &why))
            exit(1);
        costs[round] = (cpu() - before) / RAYS * 1e9;
    }
    free(rays);
    free(hits);
    return median(costs, ROUNDS);
}

static double endpoint_cost(const struct target *daemon, struct connection *connection,
                            const char *type, const void *body, size_t length)
{
    static const char path[] = "/v1/landscapes/rough/query/raycast?frame=grid";
    double costs[ROUNDS];

    for (int round = 0; round < ROUNDS; round++) {
        const double before = target_cpu(daemon);

        demand(connection, "POST", path, type, body, length);
        costs[round] = (target_cpu(daemon) - before) / RAYS * 1e9;
    }
    return median(costs, ROUNDS);
}

int main(int count, char **arguments)
{
    char folder[] = "/tmp/bench_cast.XXXXXX";
    double(*rays)[IN] = calloc(RAYS, sizeof *rays);
    uint16_t *codes = rough_new();
    struct view *view = view_of(codes);
    struct derived_cache *cache = derived_cache_new(1 << 28);
    struct connection connection;
    struct target daemon;
    char path[120];

    if (count < 2 && !mkdtemp(folder))
        return 1;
    daemon = target_daemon(count > 1 ? arguments[1] : folder);
    connection_open(&connection, &daemon);
    snprintf(path, sizeof path, "/v1/landscapes/rough/import?width=%d&height=%d&fit=exact", SIDE,
             SIDE);
    demand(&connection, "POST", path, "application/x-r16", codes,
           (size_t)SIDE * SIDE * sizeof *codes);
    for (int slanted = 0; slanted < 2; slanted++) {
        size_t length;
        char *text;
        double floor, binary, json;

        rays_make(slanted, rays);
        text = rays_print(rays, &length);
        floor = cast_cost(view, cache, rays);
        binary =
            endpoint_cost(&daemon, &connection, "application/x-f64", rays, RAYS * sizeof *rays);
        json = endpoint_cost(&daemon, &connection, "application/json", text, length);
        printf("%d rays %s on %d^2: cast %.0f ns each; over HTTP, server CPU, f64 %.0f (%.2fx), "
               "JSON %.0f (%.2fx)\n",
               RAYS, slanted ? "slanted over 1 km" : "straight down", SIDE, floor, binary,
               binary / floor, json, json / floor);
        free(text);
    }
    connection_close(&connection);
    target_end(&daemon);
    derived_cache_free(cache);
    view_drop(view);
    free(codes);
    free(rays);
    return 0;
}
