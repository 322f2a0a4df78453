/* What a height costs beside touching memory: batches of points at random and along a walk, and
 * points one by one, against independent loads at random places of as many bytes; against
 * gdallocationinfo on the same heights; and what a second core brings. CPU time, the median of
 * several rounds that take turns; the clock's for two cores. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terrain/edit/draft.h"
#include "terrain/query/collide.h"

enum { ROUNDS = 7, POINTS = 1000000, SINGLES = 100000, GDAL_POINTS = 100000 };

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void check(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "%s\n", why->detail);
    exit(1);
}

static int by_size(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

static double median(double *times)
{
    qsort(times, ROUNDS, sizeof *times, by_size);
    return times[ROUNDS / 2];
}

static uint64_t state = 1;

static double chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

/* Hills with grain; with a hole in a thousand, if asked. */
static struct view *hills(int32_t components, bool holes)
{
    const struct layout layout = { { components, components }, 1, 255 };
    struct settings *settings = settings_new(&layout);
    const int32_t side = settings->grid.columns;
    uint16_t *row = malloc((size_t)side * sizeof *row);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft;
    struct view *flat, *view;

    flat = view_new(&settings, (uint64_t)components, 1, 0);
    draft = draft_new(flat, &why);
    for (int32_t y = 0; y < side; y++) {
        const double south = cos(y * 0.017);

        for (int32_t x = 0; x < side; x++)
            row[x] = (uint16_t)(32768 + 9000 * sin(x * 0.011) * south + 40 * chance());
        check(draft_write_heights(draft, (struct rect){ 0, y, side, 1 }, row, side, &why), &why);
    }
    for (int32_t i = 0; holes && i < side / 4 * (side / 256); i++) {
        const uint8_t hole = 255;
        const struct rect at = { (int32_t)(chance() * (side - 1)), (int32_t)(chance() * (side - 1)),
                                 1, 1 };

        check(draft_write_holes(draft, at, &hole, 1, &why), &why);
    }
    view = draft_finish(draft, &change, &why);
    check(view != NULL, &why);
    draft_free(draft);
    view_drop(flat);
    free(row);
    return view;
}

/* Two threads that take pieces as they come. */
struct pool {
    struct executor executor;
    size_t count;
    _Atomic size_t next;
    void (*piece)(void *work, size_t i);
    void *work;
};

static void *pool_take(void *context)
{
    struct pool *pool = context;

    for (size_t i = pool->next++; i < pool->count; i = pool->next++)
        pool->piece(pool->work, i);
    return NULL;
}

static void pool_run(const struct executor *self, size_t count, void (*piece)(void *work, size_t i),
                     void *work)
{
    struct pool pool = { *self, count, 0, piece, work };
    pthread_t other;

    if (pthread_create(&other, NULL, pool_take, &pool)) {
        fprintf(stderr, "no second thread\n");
        exit(1);
    }
    pool_take(&pool);
    pthread_join(other, NULL);
}

static const struct executor two = { pool_run };

/* What is measured */

struct bench {
    const struct view *view, *holed;
    const uint16_t *codes; /* as many bytes as the heights */
    const uint32_t *places;
    const double *random, *walk;
    double *z;
    uint8_t *statuses;
    volatile uint64_t sum;
};

static size_t loads(struct bench *bench)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < POINTS; i++)
        sum += bench->codes[bench->places[i]];
    bench->sum = sum;
    return POINTS;
}

/* As a quad's corners lie: in a row of a block and the next. */
static size_t pairs_of_loads(struct bench *bench)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < POINTS; i++)
        sum += bench->codes[bench->places[i]] + bench->codes[bench->places[i] + 128];
    bench->sum = sum;
    return POINTS;
}

static size_t batch(struct bench *bench, const struct view *view, const double *points,
                    enum interpolation interpolation, uint8_t *statuses,
                    const struct executor *executor)
{
    collide_heights(view, points, POINTS, &(const struct collide_ways){ interpolation, false },
                    bench->z, statuses, executor);
    return POINTS;
}

static size_t random_batch(struct bench *bench)
{
    return batch(bench, bench->view, bench->random, INTERPOLATION_TRIANGLE, NULL, NULL);
}

static size_t pieces_of_4096(struct bench *bench)
{
    for (size_t i = 0; i + 4096 <= POINTS; i += 4096)
        collide_heights(bench->view, bench->random + 2 * i, 4096, &(const struct collide_ways){ 0 },
                        bench->z + i, NULL, NULL);
    return POINTS / 4096 * 4096;
}

static size_t holed_batch(struct bench *bench)
{
    return batch(bench, bench->holed, bench->random, INTERPOLATION_TRIANGLE, bench->statuses, NULL);
}

static size_t walk_batch(struct bench *bench)
{
    return batch(bench, bench->view, bench->walk, INTERPOLATION_TRIANGLE, NULL, NULL);
}

static size_t bilinear_batch(struct bench *bench)
{
    return batch(bench, bench->view, bench->random, INTERPOLATION_BILINEAR, NULL, NULL);
}

static size_t bicubic_batch(struct bench *bench)
{
    return batch(bench, bench->view, bench->random, INTERPOLATION_BICUBIC, NULL, NULL);
}

/* Each place is known only when the height before it is. */
static size_t singles(struct bench *bench)
{
    double z = 0;

    for (size_t i = 0; i < SINGLES; i++)
        collide_height(bench->view, bench->random[2 * i] + (z != z), bench->random[2 * i + 1], &z,
                       NULL);
    bench->z[0] = z;
    return SINGLES;
}

static size_t (*const works[])(struct bench *bench) = {
    loads,      pairs_of_loads, random_batch,  pieces_of_4096, holed_batch,
    walk_batch, bilinear_batch, bicubic_batch, singles,
};
static const char *const names[] = {
    "independent loads",        "… of two rows each", "random batch",
    "the same, 4096 at a time", "with holes, told",   "coherent walk",
    "random batch, bilinear",   "… bicubic",          "one, then the next",
};
enum { WORKS = sizeof works / sizeof *works };

static double *points_new(int32_t side, bool walk)
{
    double *points = malloc(2 * POINTS * sizeof *points), at[2] = { side / 2.0, side / 2.0 };

    for (size_t i = 0; i < POINTS; i++) {
        for (int k = 0; k < 2; k++) {
            at[k] = walk ? fmin(fmax(at[k] + chance() * 1.2 - 0.57, 0), side - 1)
                         : chance() * (side - 1);
            points[2 * i + k] = at[k];
        }
    }
    return points;
}

static void against_loads(struct bench *bench, int32_t side)
{
    double times[WORKS][ROUNDS], floor;

    for (int round = 0; round < ROUNDS; round++) {
        for (int work = 0; work < WORKS; work++) {
            const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
            const size_t count = works[work](bench);

            times[work][round] = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / (double)count * 1e9;
        }
    }
    floor = median(times[0]);
    for (int work = 0; work < WORKS; work++) {
        const double time = work ? median(times[work]) : floor;

        printf("%5d²  %-26s %7.1f ns a point  %5.2f of the loads\n", side, names[work], time,
               time / floor);
    }
}

static void on_two_cores(struct bench *bench, int32_t side)
{
    double times[2][ROUNDS], one, both;

    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < 2; k++) {
            const double start = seconds(CLOCK_MONOTONIC);

            batch(bench, bench->view, bench->random, INTERPOLATION_TRIANGLE, NULL, k ? &two : NULL);
            times[k][round] = seconds(CLOCK_MONOTONIC) - start;
        }
    }
    one = median(times[0]);
    both = median(times[1]);
    printf("%5d²  two cores: %.1f ns a point by the clock, one %.1f: %.2f times\n", side,
           both / POINTS * 1e9, one / POINTS * 1e9, one / both);
}

/* GDAL */

/* CPU seconds of gdallocationinfo for so many of the points; below 0 when it is not there. */
static double gdal_seconds(const char *folder, const double *points, size_t count)
{
    char command[400], name[300];
    struct rusage before, after;
    FILE *file;

    snprintf(name, sizeof name, "%s/points", folder);
    file = fopen(name, "w");
    if (!file)
        return -1;
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%.3f %.3f\n", points[2 * i], points[2 * i + 1]);
    fclose(file);
    snprintf(command, sizeof command,
             "gdallocationinfo -valonly %s/heights.bil < %s > /dev/null 2>&1", folder, name);
    getrusage(RUSAGE_CHILDREN, &before);
    if (system(command))
        return -1;
    getrusage(RUSAGE_CHILDREN, &after);
    return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
           (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) * 1e-6 +
           (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) * 1e-6;
}

static bool raster_write(const char *folder, const uint16_t *codes, int32_t side)
{
    char name[300];
    FILE *file;
    bool written;

    snprintf(name, sizeof name, "%s/heights.hdr", folder);
    file = fopen(name, "w");
    if (!file)
        return false;
    fprintf(file, "nrows %d\nncols %d\nnbands 1\nnbits 16\nbyteorder I\nlayout bil\n", side, side);
    fclose(file);
    snprintf(name, sizeof name, "%s/heights.bil", folder);
    file = fopen(name, "wb");
    written = file && fwrite(codes, sizeof *codes, (size_t)side * (size_t)side, file) > 0;
    return file && !fclose(file) && written;
}

static void against_gdal(struct bench *bench, int32_t side)
{
    char folder[] = "/tmp/bench_points.XXXXXX", command[300];
    double start, ours, empty, full;

    if (!mkdtemp(folder) || !raster_write(folder, bench->codes, side))
        return;
    start = seconds(CLOCK_THREAD_CPUTIME_ID);
    random_batch(bench);
    ours = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / POINTS;
    empty = gdal_seconds(folder, bench->random, 1);
    full = gdal_seconds(folder, bench->random, GDAL_POINTS);
    if (empty < 0 || full < 0)
        printf("gdallocationinfo does not run here\n");
    else
        printf("%5d²  gdallocationinfo: %.0f ns a point, and %.0f ms to start: %.0f times ours\n",
               side, (full - empty) / GDAL_POINTS * 1e9, empty * 1e3,
               (full - empty) / GDAL_POINTS / ours);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command))
        printf("%s is left\n", folder);
}

static void on_ground(int32_t components)
{
    struct view *view = hills(components, false), *holed = hills(components, true);
    const int32_t side = view_grid(view)->columns;
    uint16_t *codes = calloc((size_t)side * (size_t)side + 128, sizeof *codes);
    uint32_t *places = malloc(POINTS * sizeof *places);
    double *random = points_new(side, false), *walk = points_new(side, true);
    struct bench bench = { .view = view,
                           .holed = holed,
                           .codes = codes,
                           .places = places,
                           .random = random,
                           .walk = walk };

    bench.z = malloc(POINTS * sizeof *bench.z);
    bench.statuses = malloc(POINTS);
    view_read_heights(view, view_rect(view), codes, side);
    for (size_t i = 0; i < POINTS; i++)
        places[i] = (uint32_t)(chance() * side) * (uint32_t)side + (uint32_t)(chance() * side);
    against_loads(&bench, side);
    on_two_cores(&bench, side);
    if (components == 16)
        against_gdal(&bench, side);
    free(codes);
    free(places);
    free(random);
    free(walk);
    free(bench.z);
    free(bench.statuses);
    view_drop(view);
    view_drop(holed);
}

int main(void)
{
    on_ground(4);
    on_ground(16);
    on_ground(32);
    return 0;
}
