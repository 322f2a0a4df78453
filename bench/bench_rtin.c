/* Error-bounded meshes of 257 x 257 vertices, CPU time of one thread: the exact error map, its
 * update after an edit, and a mesh from a kept map with its encoding as quantized-mesh; the errors
 * of a large landscape's root, anew and after an edit; against what clients would do by themselves,
 * delatin and martini, when node finds them: see bench/peers_rtin.mjs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "terrain/base/derived.h"
#include "terrain/edit/draft.h"
#include "terrain/format/quantized_mesh.h"
#include "terrain/lod/rtin.h"

enum { QUADS = 256, SIDE = QUADS + 1, ROUNDS = 15, DABS = 40, MESHES = 200, RADIUS = 64 };

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

static double lattice_noise(int32_t x, int32_t y, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 0x8DA6B343u ^ (uint32_t)y * 0xD8163841u ^ seed * 0xCB1AB31Fu;

    h = (h ^ h >> 16) * 0x7FEB352Du;
    h = (h ^ h >> 15) * 0x846CA68Bu;
    return (double)(h ^ h >> 16) / 4294967296.0 - 0.5;
}

static double smooth_noise(double x, double y, uint32_t seed)
{
    const int32_t i = (int32_t)floor(x), j = (int32_t)floor(y);
    const double u = (x - i) * (x - i) * (3 - 2 * (x - i));
    const double v = (y - j) * (y - j) * (3 - 2 * (y - j));
    const double top = lattice_noise(i, j, seed) * (1 - u) + lattice_noise(i + 1, j, seed) * u;
    const double low =
        lattice_noise(i, j + 1, seed) * (1 - u) + lattice_noise(i + 1, j + 1, seed) * u;

    return top * (1 - v) + low * v;
}

/* Eroded-looking ground: octaves of noise, the fine ones only where it is high. */
static uint16_t ground(int32_t x, int32_t y)
{
    double metres = 0, size = 192, height = 70;

    for (uint32_t octave = 0; octave < 7; octave++) {
        metres += height * smooth_noise(x / size + 7, y / size + 3, octave);
        size /= 2;
        height *= 0.38;
    }
    return (uint16_t)lround(32768 + metres * 128);
}

/* Large landscapes repeat a part, on broad waves. */
static uint16_t repeated(int32_t x, int32_t y)
{
    enum { PART = 2048 };
    static uint16_t *part;

    if (!part) {
        part = malloc((size_t)PART * PART * sizeof *part);
        for (int32_t i = 0; i < PART * PART; i++)
            part[i] = ground(i % PART, i / PART);
    }
    return (uint16_t)(part[(y % PART) * PART + x % PART] +
                      (int)(3000 * sin(x * 0.0007) * cos(y * 0.0009)));
}

static struct view *hills(int32_t side)
{
    const struct layout layout = { { 1, 1 }, 1, 7 };
    struct settings *settings = settings_new(&layout);
    uint16_t *row = malloc((size_t)side * sizeof *row);
    struct fault why = { 0 };
    struct change change;
    struct draft *draft;
    struct view *flat, *view;

    settings->grid.columns = settings->grid.rows = side;
    flat = view_new(&settings, 1, 1, 0);
    draft = draft_new(flat, &why);
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++)
            row[x] = side > 2049 ? repeated(x, y) : ground(x, y);
        check(draft_write_heights(draft, (struct rect){ 0, y, side, 1 }, row, side, &why), &why);
    }
    view = draft_finish(draft, &change, &why);
    check(view != NULL, &why);
    draft_free(draft);
    view_drop(flat);
    free(row);
    return view;
}

/* A round hill, as a brush of that radius leaves it. */
static struct view *dabbed(struct view *view, int32_t x, int32_t y, int round)
{
    static uint16_t box[(2 * RADIUS + 1) * (2 * RADIUS + 1)];
    const int32_t side = 2 * RADIUS + 1;
    const struct rect to = { x - RADIUS, y - RADIUS, side, side };
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    struct view *after;

    view_read_heights(view, to, box, side);
    for (int32_t j = -RADIUS; j <= RADIUS; j++)
        for (int32_t i = -RADIUS; i <= RADIUS; i++) {
            const double d = (double)(i * i + j * j) / (RADIUS * RADIUS);

            if (d < 1)
                box[(j + RADIUS) * side + i + RADIUS] +=
                    (uint16_t)(int)((round % 2 ? -512 : 512) * (1 - d) * (1 - d));
        }
    check(draft_write_heights(draft, to, box, side, &why), &why);
    after = draft_finish(draft, &change, &why);
    check(after != NULL, &why);
    draft_free(draft);
    view_drop(view);
    return after;
}

static void mesh_node(const struct view *view, struct derived_cache *cache,
                      const struct rtin_node *node, double max_error, struct mesh *mesh)
{
    struct fault why = { 0 };

    mesh->vertex_count = mesh->index_count = 0;
    check(rtin_node_mesh(view, cache, node, HOLES_ALL, max_error, mesh, &why), &why);
}

/* A patch that is all of its landscape, made anew each time. */
static double map_ms(double max_error, size_t *triangles)
{
    struct view *view = hills(SIDE);
    struct mesh mesh;
    double best = INFINITY;

    mesh_init(&mesh, false);
    for (int round = 0; round < ROUNDS; round++) {
        const double begun = cpu_seconds();

        mesh_node(view, NULL, &(struct rtin_node){ 0, 0, QUADS, QUADS }, max_error, &mesh);
        best = fmin(best, cpu_seconds() - begun);
    }
    *triangles = mesh.index_count / 3;
    mesh_free(&mesh);
    view_drop(view);
    return best * 1e3;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The middle patch of many, of which one edit after the other changes a part. */
static double update_ms(int32_t side, int32_t x, int32_t y)
{
    const struct rtin_node node = { QUADS, QUADS, QUADS, QUADS };
    struct derived_cache *cache = derived_cache_new(1 << 28);
    struct view *view = hills(side);
    double times[DABS];
    struct mesh mesh;

    mesh_init(&mesh, false);
    mesh_node(view, cache, &node, 1, &mesh);
    for (int i = 0; i < DABS; i++) {
        double begun;

        view = dabbed(view, x + i % 7, y + i % 5, i / 2);
        begun = cpu_seconds();
        mesh_node(view, cache, &node, 1, &mesh);
        times[i] = (cpu_seconds() - begun) * 1e3;
    }
    qsort(times, DABS, sizeof *times, by_size);
    mesh_free(&mesh);
    view_drop(view);
    derived_cache_free(cache);
    return times[DABS / 2];
}

/* The root of a large landscape, made anew, and after one edit after the other below it. */
static void compare_coarse(int32_t side, int32_t grid)
{
    const struct rtin_node node = { 0, 0, side, grid };
    struct derived_cache *cache = derived_cache_new(1 << 28);
    struct view *view = hills(side + 1);
    double times[DABS], cold = INFINITY, fine, coarsest, finest;
    struct fault why = { 0 };
    size_t triangles;

    for (int round = 0; round < 3; round++) {
        const double begun = cpu_seconds();

        check(rtin_node_errors(view, NULL, &node, HOLES_ALL, &coarsest, &finest, &why), &why);
        cold = fmin(cold, cpu_seconds() - begun);
    }
    check(rtin_node_errors(view, cache, &node, HOLES_ALL, &coarsest, &finest, &why), &why);
    for (int i = 0; i < DABS; i++) {
        const int32_t span = side - 2 * RADIUS - 1;
        double begun;

        view = dabbed(view, RADIUS + i * 7919 % span, RADIUS + i * 104729 % span, i / 2);
        begun = cpu_seconds();
        check(rtin_node_errors(view, cache, &node, HOLES_ALL, &coarsest, &finest, &why), &why);
        times[i] = (cpu_seconds() - begun) * 1e3;
    }
    qsort(times, DABS, sizeof *times, by_size);
    fine = map_ms(1, &triangles) * 1e6 / (QUADS * QUADS);
    printf("rtin: errors of a root of %d, grid %d: anew %.1f ms, %.2f ns a vertex (a patch with "
           "every vertex %.2f); after R=%d %.2f ms, at most %.2f\n",
           side, grid, cold * 1e3, cold * 1e9 / side / side, fine, RADIUS, times[DABS / 2],
           times[DABS - 1]);
    view_drop(view);
    derived_cache_free(cache);
}

/* As a tile of quantized-mesh without extensions. */
static void encode(const struct mesh *mesh, struct bytes *to)
{
    const struct quantized_mesh tile = { .bounds = { 7, 46, 7.01, 46.01 },
                                         .mesh = mesh,
                                         .side = QUADS,
                                         .minimum = -256,
                                         .step = quantized_mesh_step(-256, 256) };
    struct fault why = { 0 };

    to->length = 0;
    check(quantized_mesh_write(&tile, to, &why), &why);
}

/* A mesh from a kept map, and its encoding. */
static double warm_us(double max_error, double *encode_us, size_t *triangles)
{
    const struct rtin_node node = { 0, 0, QUADS, QUADS };
    struct bytes encoded = { 0 };
    struct derived_cache *cache = derived_cache_new(1 << 26);
    struct view *view = hills(SIDE);
    double best = INFINITY;
    struct mesh mesh;

    mesh_init(&mesh, false);
    *encode_us = INFINITY;
    mesh_node(view, cache, &node, max_error, &mesh);
    for (int round = 0; round < ROUNDS; round++) {
        double begun = cpu_seconds(), meshed;

        for (int i = 0; i < MESHES; i++)
            mesh_node(view, cache, &node, max_error, &mesh);
        meshed = cpu_seconds();
        for (int i = 0; i < MESHES; i++)
            encode(&mesh, &encoded);
        best = fmin(best, (meshed - begun) * 1e6 / MESHES);
        *encode_us = fmin(*encode_us, (cpu_seconds() - meshed) * 1e6 / MESHES);
    }
    *triangles = mesh.index_count / 3;
    bytes_free(&encoded);
    mesh_free(&mesh);
    view_drop(view);
    derived_cache_free(cache);
    return best;
}

struct peers {
    double delatin_ms, martini_map_ms, martini_mesh_ms;
    int delatin, martini;
};

/* Heights go to node as metres in a file, its figures come back as a line. False without them. */
static bool ask_peers(double max_error, struct peers *peers)
{
    const char *source = getenv("srcdir");
    char path[] = "/tmp/bench_rtin_XXXXXX", command[512];
    int file = mkstemp(path);
    FILE *to = file < 0 ? NULL : fdopen(file, "w"), *from;
    bool told;

    if (!to)
        return false;
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const float metres = (float)((ground(x, y) - 32768) / 128.0);

            fwrite(&metres, sizeof metres, 1, to);
        }
    fclose(to);
    snprintf(command, sizeof command, "node %s/bench/peers_rtin.mjs %s %d %g 2>/dev/null",
             source ? source : ".", path, SIDE, max_error);
    from = popen(command, "r");
    told = from && fscanf(from, "%lf %d %lf %lf %d", &peers->delatin_ms, &peers->delatin,
                          &peers->martini_map_ms, &peers->martini_mesh_ms, &peers->martini) == 5;
    if (from)
        pclose(from);
    remove(path);
    return told;
}

static void compare(double max_error)
{
    struct peers peers;
    size_t triangles, again;
    double map = map_ms(max_error, &triangles), encoding;
    double mesh = warm_us(max_error, &encoding, &again);

    printf("rtin %g m: map %.3f ms, mesh %.1f us + encoding %.1f us, %zu triangles\n", max_error,
           map, mesh, encoding, triangles);
    if (!ask_peers(max_error, &peers)) {
        printf("rtin: no delatin and martini to compare with (see bench/peers_rtin.mjs)\n");
        return;
    }
    printf("rtin %g m: delatin %.2f ms, %d triangles: ours %.0f x faster, %.2f x the triangles\n",
           max_error, peers.delatin_ms, peers.delatin, peers.delatin_ms * 1e3 / (mesh + encoding),
           (double)triangles / peers.delatin);
    printf("rtin %g m: martini map %.2f ms, mesh %.3f ms, %d triangles (no bound): map %.1f x, "
           "mesh %.1f x\n",
           max_error, peers.martini_map_ms, peers.martini_mesh_ms, peers.martini,
           peers.martini_map_ms / map, peers.martini_mesh_ms * 1e3 / (mesh + encoding));
}

int main(void)
{
    compare(1);
    compare(0.5);
    compare(0.1);
    printf("rtin: update after R=%d inside a patch %.3f ms, over a corner of four %.3f ms, in a "
           "landscape of 2049 %.3f ms\n",
           RADIUS, update_ms(3 * QUADS + 1, QUADS + 120, QUADS + 130),
           update_ms(3 * QUADS + 1, 2 * QUADS, 2 * QUADS),
           update_ms(2049, QUADS + 120, QUADS + 130));
    compare_coarse(2048, 256);
    compare_coarse(2048, 64);
    compare_coarse(8192, 256);
    return 0;
}
