/* Rays, and the bounds that they run along: CPU time of one thread, the median of several rounds.
 * The floor for rays is Bullet's height field in the same run, where it is installed: see
 * bench/peer_bullet.cc. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terrain/edit/draft.h"
#include "terrain/lod/quadtree_bounds.h"
#include "terrain/query/ray.h"
#include "terrain/query/ray_pyramid.h"

enum { ROUNDS = 5, CAMERA = 512 };

static double cpu_seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void check(bool done, const char *what)
{
    if (done)
        return;
    fprintf(stderr, "%s\n", what);
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

static uint32_t hash(uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x8da6b343u ^ y * 0xd8163841u;

    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

/* Smooth noise of cells of 2^k. */
static double noise(int32_t x, int32_t y, int k)
{
    const int32_t side = 1 << k;
    const uint32_t i = (uint32_t)(x >> k), j = (uint32_t)(y >> k);
    double fx = (x & (side - 1)) / (double)side, fy = (y & (side - 1)) / (double)side;
    double nw = hash(i, j) / 4294967296.0, ne = hash(i + 1, j) / 4294967296.0;
    double sw = hash(i, j + 1) / 4294967296.0, se = hash(i + 1, j + 1) / 4294967296.0;

    fx = fx * fx * (3 - 2 * fx);
    fy = fy * fy * (3 - 2 * fy);
    return nw + fx * (ne - nw) + fy * (sw - nw) + fx * fy * (nw - ne - sw + se);
}

static uint16_t *mountains(int32_t side)
{
    uint16_t *heights = malloc((size_t)side * (size_t)side * sizeof *heights);

    check(heights, "no memory");
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            double h = 0, size = 0.5;

            for (int k = 9; k >= 0; k--, size /= 2)
                h += size * noise(x, y, k);
            heights[(size_t)y * (size_t)side + (size_t)x] = (uint16_t)(32768 + 32000 * h);
        }
    }
    return heights;
}

static struct view *view_of(int32_t side, const uint16_t *heights)
{
    const struct layout layout = { { (side - 1) / 128, (side - 1) / 128 }, 2, 63 };
    struct settings *settings = settings_new(&layout);
    struct fault why = { 0 };
    struct change change;
    struct view *flat, *view;
    struct draft *draft;

    settings->grid.columns = settings->grid.rows = side;
    settings->grid.scale[0] = settings->grid.scale[1] = settings->grid.scale[2] = 1;
    flat = view_new(&settings, (uint64_t)side, 1, 0);
    draft = draft_new(flat, &why);
    check(draft && draft_write_heights(draft, view_rect(flat), heights, side, &why), why.detail);
    view = draft_finish(draft, &change, &why);
    check(view, why.detail);
    draft_free(draft);
    view_drop(flat);
    return view;
}

/* Rays */

struct bundle {
    const char *name;
    struct ray *rays;
    size_t count;
};

static double share(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static struct ray *rays_new(size_t count)
{
    struct ray *rays = calloc(count, sizeof *rays);

    check(rays, "no memory");
    return rays;
}

/* From above the mountains down, `run` metres across and `fall` down a ray. */
static struct bundle falling(const char *name, int32_t side, double run, double fall, size_t count)
{
    struct bundle bundle = { name, rays_new(count), count };
    uint32_t seed = 7;

    for (size_t i = 0; i < count; i++) {
        struct ray *ray = &bundle.rays[i];
        double way = share(&seed) * 6.283185307179586;

        ray->from[0] = share(&seed) * (side - 1);
        ray->from[1] = share(&seed) * (side - 1);
        ray->from[2] = 260 + 10 * share(&seed);
        ray->along[0] = run * cos(way);
        ray->along[1] = run * sin(way);
        ray->along[2] = -fall;
        if (run == 0)
            ray->along[0] = ray->along[1] = 0;
        ray->reach = 1;
    }
    return bundle;
}

static struct bundle camera(int32_t side)
{
    struct bundle bundle = { "camera", rays_new(CAMERA * CAMERA), CAMERA * CAMERA };

    for (size_t i = 0; i < bundle.count; i++) {
        struct ray *ray = &bundle.rays[i];

        ray->from[0] = ray->from[1] = side * 0.1 + 0.3;
        ray->from[2] = 300;
        ray->along[0] = side * (1 + (double)(i % CAMERA) / CAMERA - 0.5);
        ray->along[1] = side * (1 - (double)(i % CAMERA) / CAMERA + 0.5);
        ray->along[2] = side * (0.3 - (double)(i / CAMERA) / CAMERA);
        ray->reach = 1.5;
    }
    return bundle;
}

static double cast_ns(const struct view *view, struct derived_cache *cache,
                      const struct bundle *bundle, size_t *met)
{
    struct ray_hit *hits = calloc(bundle->count, sizeof *hits);
    const struct ray_ways ways = { 0 };
    double times[ROUNDS];
    struct fault why = { 0 };

    check(hits, "no memory");
    for (int round = -1; round < ROUNDS; round++) {
        double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);

        check(ray_cast(view, cache, bundle->rays, bundle->count, &ways, hits, NULL, &why),
              why.detail);
        if (round >= 0)
            times[round] = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    }
    *met = 0;
    for (size_t i = 0; i < bundle->count; i++)
        *met += hits[i].status == RAY_HIT;
    free(hits);
    return median(times) * 1e9 / (double)bundle->count;
}

/* Bullet's ns a ray; 0 where there is none. */
static double bullet_ns(int32_t side, const uint16_t *heights, const struct bundle *bundle,
                        size_t *met)
{
    const char *path = "bench_ray.tmp";
    FILE *file = fopen(path, "wb"), *peer;
    double ns = 0;

    check(file, "bench_ray.tmp cannot be written");
    fwrite(&side, sizeof side, 1, file);
    fwrite(heights, sizeof *heights, (size_t)side * (size_t)side, file);
    for (size_t i = 0; i < bundle->count; i++) {
        const struct ray *ray = &bundle->rays[i];
        double ends[6];

        for (int k = 0; k < 3; k++) {
            ends[k] = ray->from[k];
            ends[3 + k] = ray->from[k] + ray->reach * ray->along[k];
        }
        fwrite(ends, sizeof ends, 1, file);
    }
    fclose(file);
    peer = popen("test -x bench/peer_bullet && bench/peer_bullet bench_ray.tmp", "r");
    if (!peer || fscanf(peer, "%lf %zu", &ns, met) != 2)
        ns = 0;
    if (peer)
        pclose(peer);
    remove(path);
    return ns;
}

static void bench_bundle(int32_t side, const struct view *view, struct derived_cache *cache,
                         const uint16_t *heights, const struct bundle *bundle, size_t bullets)
{
    struct bundle some = { bundle->name, rays_new(bullets + 1), bullets };
    size_t met, met_some, met_bullet = 0;
    double ns = cast_ns(view, cache, bundle, &met), bullet = 0;

    /* Bullet is asked fewer, from all over. */
    for (size_t i = 0; i < bullets; i++)
        some.rays[i] = bundle->rays[i * (bundle->count / bullets)];
    if (bullets) {
        bullet = bullet_ns(side, heights, &some, &met_bullet);
        cast_ns(view, cache, &some, &met_some);
    }
    printf("%d %-9s %7.0f ns a ray, %4.1f%% met", side, bundle->name, ns,
           100.0 * (double)met / (double)bundle->count);
    if (bullet > 0)
        printf("; Bullet %8.0f ns, %.1f times; of %zu rays %zu and %zu met", bullet, bullet / ns,
               bullets, met_some, met_bullet);
    printf("\n");
    fflush(stdout);
    free(some.rays);
}

/* Two threads */

struct pool {
    struct executor executor;
    size_t count;
    void (*piece)(void *work, size_t i);
    void *work;
    _Atomic size_t next;
};

static void *pool_work(void *context)
{
    struct pool *pool = context;

    for (size_t i = pool->next++; i < pool->count; i = pool->next++)
        pool->piece(pool->work, i);
    return NULL;
}

static void pool_run(const struct executor *self, size_t count, void (*piece)(void *work, size_t i),
                     void *work)
{
    struct pool pool = { *self, count, piece, work, 0 };
    pthread_t other;

    check(pthread_create(&other, NULL, pool_work, &pool) == 0, "no thread");
    pool_work(&pool);
    pthread_join(other, NULL);
}

static double wall_seconds(const struct view *view, struct derived_cache *cache,
                           const struct bundle *bundle, struct ray_hit *hits,
                           const struct executor *executor)
{
    const struct ray_ways ways = { 0 };
    struct fault why = { 0 };
    double least = INFINITY;

    for (int round = 0; round < 2 * ROUNDS; round++) {
        double start = cpu_seconds(CLOCK_MONOTONIC), took;

        check(ray_cast(view, cache, bundle->rays, bundle->count, &ways, hits, executor, &why),
              why.detail);
        took = cpu_seconds(CLOCK_MONOTONIC) - start;
        least = took < least ? took : least;
    }
    return least;
}

static void bench_threads(int32_t side, const struct view *view, struct derived_cache *cache)
{
    const struct executor two = { pool_run };
    struct bundle bundle = falling("oblique", side, 1000, 300, 100000);
    struct ray_hit *hits = calloc(bundle.count, sizeof *hits);
    double one = wall_seconds(view, cache, &bundle, hits, NULL);
    double both = wall_seconds(view, cache, &bundle, hits, &two);

    printf(
        "%d two cores: %.2f times one (the least wall time of %d; a busy machine tells little)\n",
        side, one / both, 2 * ROUNDS);
    free(hits);
    free(bundle.rays);
}

/* Bounds */

static void bench_sums(int32_t side, const struct view *view)
{
    struct block *block = block_new(PLANE_HEIGHTS, 0);
    const struct rect all = { 0, 0, BLOCK_SIDE, BLOCK_SIDE };
    const int many = 2000;
    double times[ROUNDS];
    struct fault why = { 0 };

    view_read_heights(view, all, block_writable(block), BLOCK_SIDE);
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);

        for (int i = 0; i < many; i++)
            block_sum(block, all, all);
        times[round] = (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / many;
    }
    printf("%d bounds of 8 x 8 of a block: %.2f us, %.1f G samples/s\n", side, median(times) * 1e6,
           BLOCK_VERTICES / median(times) * 1e-9);
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);

        for (int i = 0; i < many / 10; i++) {
            struct ray_pyramid *pyramid = ray_pyramid(view, NULL, 1, 1, &why);

            derived_drop(&pyramid->derived);
        }
        times[round] = (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start) / (many / 10);
    }
    printf("%d fine bounds of a block: %.2f us, %.1f G samples/s\n", side, median(times) * 1e6,
           BLOCK_VERTICES / median(times) * 1e-9);
    block_drop(block);
}

/* What an edit of 129 x 129 vertices costs the bounds: those kept with the view, and, when the next
 * ray comes, those of the quadtree. */
static void bench_update(int32_t side, const struct view *view, struct derived_cache *cache)
{
    const struct rect at = { side / 2 - 70, side / 2 - 70, 129, 129 };
    uint16_t heights[129 * 129];
    double sums[ROUNDS], bounds[ROUNDS];
    struct fault why = { 0 };

    view_read_heights(view, at, heights, at.width);
    for (int round = 0; round < ROUNDS; round++) {
        struct quadtree_bounds *before = quadtree_bounds(view, cache, BLOCK_SIDE, 0, &why), *after;
        struct draft *draft = draft_new(view, &why);
        struct change change;
        struct view *next;
        struct tree tree;
        double start;

        for (int i = 0; i < at.width * at.height; i++)
            heights[i]++;
        check(draft && draft_write_heights(draft, at, heights, at.width, &why), why.detail);
        next = draft_finish(draft, &change, &why);
        check(next, why.detail);
        draft_free(draft);
        tree = tree_hold(&next->planes[PLANE_HEIGHTS]);
        for (int32_t by = at.y >> BLOCK_LOG2; by <= (at.y + 128) >> BLOCK_LOG2; by++)
            for (int32_t bx = at.x >> BLOCK_LOG2; bx <= (at.x + 128) >> BLOCK_LOG2; bx++)
                check(tree_own(&tree, bx, by, 3), "no memory");
        start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
        for (int32_t by = at.y >> BLOCK_LOG2; by <= (at.y + 128) >> BLOCK_LOG2; by++) {
            for (int32_t bx = at.x >> BLOCK_LOG2; bx <= (at.x + 128) >> BLOCK_LOG2; bx++) {
                struct rect meet = rect_meet(at, tree_block_rect(&tree, bx, by));

                meet.x &= BLOCK_MASK;
                meet.y &= BLOCK_MASK;
                tree_settle(&tree, bx, by, meet);
            }
        }
        sums[round] = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
        tree_drop(&tree);
        start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
        after = quadtree_bounds(next, cache, BLOCK_SIDE, 0, &why);
        bounds[round] = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
        derived_drop(&before->derived);
        derived_drop(&after->derived);
        view_drop(next);
    }
    printf("%d an edit of 129 x 129: %.1f us for the view's bounds, %.1f us for the quadtree's\n",
           side, median(sums) * 1e6, median(bounds) * 1e6);
}

/* With a name, the rays of that name alone. */
int main(int count, char **words)
{
    static const int32_t sides[] = { 1025, 4097 };

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const int32_t side = sides[i];
        uint16_t *heights = mountains(side);
        struct view *view = view_of(side, heights);
        struct derived_cache *cache = derived_cache_new(256 << 20);

        const struct bundle bundles[] = { falling("vertical", side, 0, 300, 200000),
                                          falling("oblique", side, 1000, 300, 100000),
                                          falling("shallow", side, side * 1.4, 150, 50000),
                                          camera(side) };
        const size_t bullets[] = { 200000, 1000, 300, 500 };

        for (int k = 0; k < 4; k++) {
            if (count < 2 || strcmp(words[1], bundles[k].name) == 0)
                bench_bundle(side, view, cache, heights, &bundles[k], count < 2 ? bullets[k] : 0);
            free(bundles[k].rays);
        }
        if (count < 2) {
            bench_threads(side, view, cache);
            bench_sums(side, view);
            bench_update(side, view, cache);
        }
        derived_cache_free(cache);
        view_drop(view);
        free(heights);
    }
    return 0;
}
