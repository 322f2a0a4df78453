/* What a selection costs beside looking at its nodes once, and what meshes cost beside copying
 * their bytes: CPU time of one thread, the median of several rounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terrain/edit/draft.h"
#include "terrain/lod/pick.h"

enum { ROUNDS = 7 };

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
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

/* Hills with grain, a metre a step. */
static struct view *hills(int32_t components)
{
    const struct layout layout = { { components, components }, 2, 63 };
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
        for (int32_t x = 0; x < side; x++) {
            const uint32_t grain = (uint32_t)(x * 7919 + y * 104729) * 2654435761u >> 28;

            row[x] = (uint16_t)(32768 + 5000 * sin(x * 0.011) * cos(y * 0.017) +
                                500 * sin(x * 0.07 + y * 0.05) + grain);
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

static struct frustum looking_over(const struct view *view)
{
    const double side = view_grid(view)->columns - 1;
    const struct camera camera = { .kind = CAMERA_PERSPECTIVE,
                                   .position = { side * 0.5, side * 0.8, 60 },
                                   .target = { side * 0.45, 0, 0 },
                                   .fov = 45 };
    struct frustum frustum = { .nearest = 0.5, .farthest = 1e5 };
    struct extent extent;
    struct fault why = { 0 };

    extent_of(view, &extent);
    check(camera_look(&camera, &extent, 1280, 720, &frustum.look, &why), &why);
    return frustum;
}

/* The least that a selection of these nodes can do: each one's distance, and whether it is seen. */
static double nodes_floor(const struct view *view, const struct frustum *frustum,
                          const struct picks *picks)
{
    const struct grid *grid = view_grid(view);
    double times[ROUNDS];
    volatile double sink = 0;

    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds();

        for (int again = 0; again < 20; again++)
            for (size_t i = 0; i < picks->count; i++) {
                const struct patch *patch = &picks->patches[i];
                const double low[3] = { patch->x, patch->y, grid_metres(grid, patch->least) };
                const double high[3] = { patch->x + patch->size, patch->y + patch->size,
                                         grid_metres(grid, patch->greatest) };

                sink = sink + look_distance(&frustum->look, low, high) +
                       frustum_sees(frustum, low, high);
            }
        times[round] = (cpu_seconds() - start) / 20;
    }
    return median(times);
}

static double select_time(const struct view *view, struct derived_cache *cache,
                          const struct frustum *frustum, const struct pick_options *options)
{
    double times[ROUNDS];
    struct fault why = { 0 };

    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds();
        struct picks picks;

        check(pick_quadtree(view, cache, frustum, options, &picks, &why), &why);
        times[round] = cpu_seconds() - start;
        picks_free(&picks);
    }
    return median(times);
}

static void quadtree_selection(const struct view *view, const char *name,
                               const struct quadtree_options *own)
{
    struct derived_cache *cache = derived_cache_new(512 << 20);
    struct pick_options options = { .width = 1280, .height = 720, .quadtree = *own };
    const struct frustum frustum = looking_over(view);
    struct fault why = { 0 };
    struct picks picks;
    double cold = select_time(view, NULL, &frustum, &options), warm, least;

    check(pick_quadtree(view, cache, &frustum, &options, &picks, &why), &why);
    warm = select_time(view, cache, &frustum, &options);
    least = nodes_floor(view, &frustum, &picks);
    printf("quadtree selection, %4d a side, %-24s: %6zu nodes, %5.0f ns each, %5.1f x looking at "
           "them; with bounds made %.1f ms\n",
           view_grid(view)->columns, name, picks.count, warm / (double)picks.count * 1e9,
           warm / least, cold * 1e3);
    picks_free(&picks);
    derived_cache_free(cache);
}

static size_t mesh_bytes(const struct mesh *mesh)
{
    return mesh->vertex_count * (sizeof *mesh->at + (mesh->normals ? sizeof *mesh->normals : 0)) +
           mesh->index_count * sizeof *mesh->indices;
}

static double copy_time(size_t bytes)
{
    unsigned char *from = malloc(bytes), *to = malloc(bytes);
    double times[ROUNDS];

    memset(from, 1, bytes);
    memset(to, 2, bytes);
    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds();

        memcpy(to, from, bytes);
        __asm__ volatile("" : : "r"(to) : "memory");
        times[round] = cpu_seconds() - start;
    }
    free(from);
    free(to);
    return median(times);
}

static void quadtree_mesh(const struct view *view, const char *name,
                          const struct quadtree_options *own, bool with_normals)
{
    struct derived_cache *cache = derived_cache_new(512 << 20);
    struct pick_options options = { .width = 1280, .height = 720, .quadtree = *own };
    const struct frustum frustum = looking_over(view);
    struct fault why = { 0 };
    struct picks picks;
    struct mesh mesh;
    double times[ROUNDS], time;
    size_t bytes;

    mesh_init(&mesh, with_normals);
    check(pick_quadtree(view, cache, &frustum, &options, &picks, &why), &why);
    for (int round = -1; round < ROUNDS; round++) {
        double start = cpu_seconds();

        mesh.vertex_count = mesh.index_count = 0;
        check(quadtree_picks_mesh(view, cache, &options, &picks, &mesh, &why), &why);
        if (round >= 0)
            times[round] = cpu_seconds() - start;
    }
    time = median(times);
    bytes = mesh_bytes(&mesh);
    printf("quadtree mesh, %-24s%s: %6.1f thousand triangles in %7.3f ms, %6.1f million a second, "
           "%5.1f x copying its %.1f MB\n",
           name, with_normals ? ", normals" : "", (double)mesh.index_count / 3e3, time * 1e3,
           (double)mesh.index_count / 3 / time / 1e6, time / copy_time(bytes), (double)bytes / 1e6);
    mesh_free(&mesh);
    picks_free(&picks);
    derived_cache_free(cache);
}

static void quadtree_all(void)
{
    static const struct {
        const char *name;
        struct quadtree_options options;
    } ways[] = {
        { "distance", { SPLIT_DISTANCE, 2, 1, 64, 64, 1, -1, false } },
        { "distance, merged, half", { SPLIT_DISTANCE, 2, 1, 64, 64, 1, 2, true } },
        { "distance, small leaves", { SPLIT_DISTANCE, 2, 1, 8, 8, 1, -1, false } },
        { "error of 2 pixels", { SPLIT_ERROR, 2, 2, 64, 64, 1, -1, false } },
        { "ranges", { SPLIT_RANGES, 5, 1, 64, 64, 1, -1, false } },
    };
    struct view *views[2] = { hills(8), hills(32) };

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int v = 0; v < 2; v++)
            quadtree_selection(views[v], ways[i].name, &ways[i].options);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int normals = 0; normals < 2; normals++)
            quadtree_mesh(views[1], ways[i].name, &ways[i].options, normals);
    view_drop(views[0]);
    view_drop(views[1]);
}

int main(void)
{
    quadtree_all();
    return 0;
}
