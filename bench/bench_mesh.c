/* Meshes as files: a window at full detail as GLB, against a copy of the same bytes to the same
 * kind of place: memory that is warm, and memory fresh from the system. CPU time of this thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terrain/edit/draft.h"
#include "terrain/format/mesh_format.h"
#include "terrain/lod/mesh_measure.h"
#include "terrain/lod/pick.h"
#include "terrain/lod/window_mesh.h"

enum { ROUNDS = 7 };

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static struct view *rolling(int32_t components, int32_t section_quads)
{
    struct layout layout = { { components, components },
                             section_quads == 63 ? 2 : 1,
                             section_quads };
    struct settings *settings = settings_new(&layout);
    struct view *view = view_new(&settings, 1, 1, 32768), *made;
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = view ? draft_new(view, &why) : NULL;
    struct rect all = view_rect(view);
    uint16_t *row = malloc((size_t)all.width * sizeof *row);

    if (!draft || !row)
        exit(1);
    for (int32_t y = 0; y < all.height; y++) {
        for (int32_t x = 0; x < all.width; x++)
            row[x] =
                (uint16_t)(32768 + 9000 * sin(x / 37.0) * cos(y / 53.0) + (x * 7 + y * 13) % 64);
        if (!draft_write_heights(draft, (struct rect){ 0, y, all.width, 1 }, row, all.width, &why))
            exit(1);
    }
    made = draft_finish(draft, &change, &why);
    if (!made)
        exit(1);
    draft_free(draft);
    view_drop(view);
    free(row);
    return made;
}

/* Seconds of writing into bytes that are kept from round to round, or not. The best of some. */
static double time_write(const struct view *view, bool normals, bool warm, struct bytes *to)
{
    struct mesh_note note = { "bench", 1, 0 };
    double best = INFINITY;
    struct fault why;

    for (int round = 0; round < ROUNDS; round++) {
        double begun, spent;

        if (!warm)
            bytes_free(to);
        to->length = 0;
        begun = cpu_seconds();
        if (!glb_write_window(view, view_rect(view), normals, &note, to, &why))
            exit(1);
        spent = cpu_seconds() - begun;
        best = spent < best ? spent : best;
    }
    return best;
}

static double time_copy(const struct bytes *from, bool warm)
{
    unsigned char *to = malloc(from->length);
    double best = INFINITY;

    for (int round = 0; round < ROUNDS; round++) {
        double begun, spent;

        if (!warm) {
            free(to);
            to = NULL;
        }
        begun = cpu_seconds();
        if (!to)
            to = malloc(from->length);
        if (!to)
            exit(1);
        memcpy(to, from->data, from->length);
        spent = cpu_seconds() - begun;
        best = spent < best ? spent : best;
        if (to[from->length / 2] != from->data[from->length / 2])
            exit(1);
    }
    free(to);
    return best;
}

static void through_a_mesh(const struct view *view)
{
    struct window_grid grid = { view_rect(view), 1, HOLES_ALL };
    struct mesh_note note = { "bench", 1, 0 };
    struct fault why;

    for (int format = 0; format < MESH_FORMAT_COUNT; format++) {
        struct bytes to = { 0 };
        double begun = cpu_seconds(), made;
        struct mesh mesh;

        mesh_init(&mesh, true);
        if (!window_mesh(view, &grid, &mesh, &why))
            exit(1);
        made = cpu_seconds();
        if (!mesh_formats[format]->write(view, &mesh, &note, &to, &why))
            exit(1);
        printf("mesh %d x %d, format %d, through a struct mesh: %5.1f M triangles/s made, "
               "%5.1f written\n",
               view_grid(view)->columns, view_grid(view)->rows, format,
               (double)mesh.index_count / 3e6 / (made - begun),
               (double)mesh.index_count / 3e6 / (cpu_seconds() - made));
        mesh_free(&mesh);
        bytes_free(&to);
    }
}

/* 16,384 components, and as many least nodes: what is chosen, and the mesh of it. */
static void selection(bool components)
{
    struct view *view = rolling(128, 15);
    struct derived_cache *cache = derived_cache_new(256 << 20);
    struct camera camera = { .kind = CAMERA_PERSPECTIVE,
                             .position = { 500, 500, 80 },
                             .target = { 900, 900, 0 },
                             .fov = 60 };
    struct pick_options options = {
        .components = components,
        .width = 1280,
        .height = 720,
        .component = { .forced = -1 },
        .quadtree = { .factor = 2, .leaf = 16, .grid = 16, .balance = 1, .merge_angle = -1 }
    };
    struct frustum frustum = { .nearest = 0, .farthest = 1e12 };
    double best = INFINITY, begun, made, measured, metres;
    struct picks picks = { 0 };
    struct extent extent;
    struct fault why;
    struct mesh mesh;

    extent_of(view, &extent);
    if (!camera_look(&camera, &extent, 1280, 720, &frustum.look, &why))
        exit(1);
    for (int round = 0; round < ROUNDS; round++) {
        picks_free(&picks);
        begun = cpu_seconds();
        if (!pick(view, cache, &frustum, &options, &picks, &why))
            exit(1);
        best = fmin(best, cpu_seconds() - begun);
    }
    mesh_init(&mesh, true);
    begun = cpu_seconds();
    if (!picks_mesh(view, cache, &options, &picks, INT64_MAX, &mesh, &why))
        exit(1);
    made = cpu_seconds() - begun;
    begun = cpu_seconds();
    if (!mesh_measure(view, &mesh, 0, &metres, &why))
        exit(1);
    measured = cpu_seconds() - begun;
    printf("lod  %s: %zu patches chosen in %.3f ms; %lld triangles meshed in %.1f ms, measured "
           "(%.2f m) in %.1f ms\n",
           components ? "16384 components" : "quadtree of 2048", picks.count, best * 1e3,
           (long long)mesh.index_count / 3, made * 1e3, metres, measured * 1e3);
    mesh_free(&mesh);
    picks_free(&picks);
    derived_cache_free(cache);
    view_drop(view);
}

int main(void)
{
    static const int32_t sizes[] = { 1, 4, 16 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct view *view = rolling(sizes[i], 63);
        double triangles = 2.0 * (view_grid(view)->columns - 1) * (view_grid(view)->rows - 1);

        for (int normals = 0; normals < 2; normals++) {
            for (int warm = 1; warm >= 0; warm--) {
                struct bytes to = { 0 };
                double spent = time_write(view, normals, warm, &to), copy = time_copy(&to, warm);

                printf("mesh %4d x %4d glb%s, %s: %.3f G triangles/s, %.2f x a memcpy of its "
                       "%zu bytes\n",
                       view_grid(view)->columns, view_grid(view)->rows,
                       normals ? " with normals" : "", warm ? "warm" : "fresh memory",
                       triangles / spent * 1e-9, spent / copy, to.length);
                bytes_free(&to);
            }
        }
        if (i == 1)
            through_a_mesh(view);
        view_drop(view);
    }
    selection(true);
    selection(false);
    return 0;
}
