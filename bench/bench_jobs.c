/* A job of tiles against one core's serial loop over the same encoder: tiles a second, through the
 * routes, the package and the disk. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/cache.h"
#include "api/dispatch.h"
#include "api/jobs/jobs.h"
#include "terrain/base/derived.h"
#include "terrain/edit/brush.h"
#include "terrain/format/tile_set.h"

enum { ZOOM = 4, ROUNDS = 3, THREADS_MOST = 16 };

struct times {
    double wall, cpu; /* of all threads */
};

static double seconds(clockid_t which)
{
    struct timespec now;

    clock_gettime(which, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct times since(struct times then)
{
    return (struct times){ seconds(CLOCK_MONOTONIC) - then.wall,
                           seconds(CLOCK_PROCESS_CPUTIME_ID) - then.cpu };
}

/* The best of several rounds, as tiles a second. */
static void better(struct times *best, struct times took, int64_t tiles)
{
    const double wall = (double)tiles / took.wall, cpu = (double)tiles / took.cpu;

    best->wall = wall > best->wall ? wall : best->wall;
    best->cpu = cpu > best->cpu ? cpu : best->cpu;
}

static void check(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "%s\n", why->detail);
    exit(1);
}

/* ---- as many threads as there are processors ---- */

struct work {
    void (*piece)(void *work, size_t i);
    void *of;
    size_t count;
    _Atomic size_t next;
};

static void *help(void *context)
{
    struct work *work = context;
    size_t i;

    while ((i = atomic_fetch_add(&work->next, 1)) < work->count)
        work->piece(work->of, i);
    return NULL;
}

static int threads;

static void split(const struct executor *self, size_t count, void (*piece)(void *work, size_t i),
                  void *of)
{
    struct work work = { piece, of, count, 0 };
    pthread_t helpers[THREADS_MOST];
    int started = 0;

    (void)self;
    while (started < threads - 1 && !pthread_create(&helpers[started], NULL, help, &work))
        started++;
    help(&work);
    while (started)
        pthread_join(helpers[--started], NULL);
}

static const struct executor all_cores = { split };

/* ---- the landscape ---- */

static struct view *flat(void)
{
    const struct layout layout = { { 16, 16 }, 1, 63 };
    struct settings *settings = settings_new(&layout);

    return view_new(&settings, 1, 1, 32768);
}

static bool roughen(void *context, struct draft *draft, struct fault *why)
{
    static uint16_t row[1009];

    (void)context;
    for (int32_t y = 0; y < 1009; y++) {
        for (int32_t x = 0; x < 1009; x++)
            row[x] = (uint16_t)(30000 + (x * 7 + y * 13) % 4000 +
                                ((uint32_t)(x * 7919 + y * 104729) * 2654435761u >> 26));
        if (!draft_write_heights(draft, (struct rect){ 0, y, 1009, 1 }, row, 1009, why))
            return false;
    }
    return true;
}

static struct times job_run_once(struct service *service, const char *package,
                                 const struct executor *executor, int round, int64_t *made)
{
    char body[200];
    struct job_about about;
    struct fault why;
    struct job *job;
    struct times began;
    bool there;

    snprintf(body, sizeof body,
             "{\"kind\":\"tiles\",\"landscape\":\"land\",\"set\":\"terrain-rgb\",\"minzoom\":2,"
             "\"maxzoom\":4,\"package\":\"%s\",\"id\":\"%s%d%d\"}",
             package, package, executor != NULL, round);
    began = since((struct times){ 0 });
    job = jobs_post(service->jobs, body, strlen(body), NULL, &there, &why);
    check(job != NULL, &why);
    while (jobs_work(service->jobs, executor, false))
        ;
    began = since(began);
    job_about(job, &about);
    check(about.state == JOB_DONE, &about.fault);
    *made = about.made;
    job_drop(job);
    return began;
}

/* Every tile once, and nothing else. */
static struct times serial_loop(const struct view *view, int64_t *made)
{
    const struct tile_set *set = tile_set_find("terrain-rgb");
    struct times began = since((struct times){ 0 });
    struct bytes bytes = { 0 };
    struct fault why;

    *made = 0;
    for (int32_t z = 2; z <= ZOOM; z++)
        for (int32_t x = 0; x < 1 << z; x++)
            for (int32_t y = 0; y < 1 << z; y++) {
                const struct tile tile = TILE_AT(z, x, y, TILE_SIDE);

                bytes.length = 0;
                *made += tile_set_write(set, NULL, view, &tile, &tile_look_usual, &bytes, &why);
            }
    bytes_free(&bytes);
    return since(began);
}

int main(void)
{
    static const char *const packages[] = { "tar", "mbtiles", "folder" };
    char folder[] = "/tmp/bench_jobs.XXXXXX", command[100];
    struct landscapes_limits limits = { .vertices = 1 << 24,
                                        .memory_bytes = 1 << 28,
                                        .waiting_changes = 16,
                                        .history_bytes = 1 << 26 };
    struct landscape_change change = { .make = roughen };
    struct service service = { .version = "bench" };
    struct landscape_changed changed;
    struct landscape *land;
    struct view *content = flat(), *view;
    struct fault why = { 0 };
    struct times floor = { 0 };
    int64_t made = 0;

    threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    threads = threads < THREADS_MOST ? threads : THREADS_MOST;
    limits_init(&service.limits);
    service.limits.jobs_kept = 1000;
    service.derived = derived_cache_new(1 << 26);
    service.routes = routes_new(endpoints, endpoint_count, &why);
    if (!mkdtemp(folder))
        return 1;
    check(landscapes_open(folder, &limits, &service.landscapes, &why), &why);
    land = landscapes_create(service.landscapes, "land", content, "{}", &why);
    check(land != NULL, &why);
    check(landscape_change(land, &change, &changed, &why), &why);
    check(jobs_open(&service, folder, false, &why), &why);
    view = landscape_view(land);
    for (int round = 0; round < ROUNDS; round++) {
        const struct times took = serial_loop(view, &made);

        better(&floor, took, made);
    }
    printf("one core, the encoder alone: %.0f tiles/s, %.0f a second of its time\n", floor.wall,
           floor.cpu);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            struct times best = { 0 };

            for (int round = 0; round < ROUNDS; round++) {
                const struct times took =
                    job_run_once(&service, packages[i], k ? &all_cores : NULL, round, &made);

                better(&best, took, made);
            }
            printf("job to %-7s, %2d threads: %.0f tiles/s, %.2f of that; %.2f of it a second of "
                   "processors' time\n",
                   packages[i], k ? threads : 1, best.wall, best.wall / floor.wall,
                   best.cpu / floor.cpu);
        }
    view_drop(view);
    view_drop(content);
    landscape_drop(land);
    jobs_close(service.jobs);
    landscapes_close(service.landscapes);
    routes_free((struct routes *)(uintptr_t)service.routes);
    derived_cache_free(service.derived);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0;
}
