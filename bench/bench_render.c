/* Pictures: what they cost from the view to the pixels, beside the drawing alone in the same
 * worker and beside the bare triangles (landscaped-render --bare), and how that moves with their
 * size, an edit, the landscape's size and a second worker.
 *
 * usage: bench_render [BACKEND]
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "render/renderer.h"
#include "render/scene_file.h"
#include "terrain/base/derived.h"
#include "terrain/format/png_write.h"
#include "terrain/lod/extent.h"
#include "tests/render/scenery.h"

enum { TIMES = 40, THREADS_MOST = 64 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Processor seconds of this process's children that draw, and of itself. */
static double processor_seconds(void)
{
    struct timespec own;
    double seconds = 0;
    DIR *folder = opendir("/proc");
    struct dirent *entry;

    while (folder && (entry = readdir(folder)) != NULL) {
        unsigned long user = 0, system = 0;
        char path[300];
        int parent = 0;
        FILE *file;

        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        file = atoi(entry->d_name) > 0 ? fopen(path, "r") : NULL;
        if (!file)
            continue;
        if (fscanf(file, "%*d (%*[^)]) %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &parent,
                   &user, &system) == 3 &&
            parent == getpid())
            seconds += (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
        fclose(file);
    }
    if (folder)
        closedir(folder);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    return seconds + (double)own.tv_sec + (double)own.tv_nsec * 1e-9;
}

/* As the daemon has one; it is never let go. */
static struct derived_cache *derived(void)
{
    static struct derived_cache *cache;

    if (!cache)
        cache = derived_cache_new(256 << 20);
    return cache;
}

static struct renderer *open_renderer(int workers, const char *backend)
{
    struct renderer_options options = { .workers = workers,
                                        .deadline = 60,
                                        .waiting_most = 2 * THREADS_MOST,
                                        .pixels_most = 1 << 26,
                                        .backend = backend,
                                        .texture_bytes = 256 << 20,
                                        .derived = derived(),
                                        .program = "./landscaped-render" };
    struct renderer *renderer;
    struct fault why;

    if (renderer_start(&options, &renderer, &why))
        return renderer;
    fprintf(stderr, "bench_render: %s\n", why.detail);
    exit(1);
}

static struct picture picture_of(int32_t width, int32_t height)
{
    return (struct picture){ .width = width,
                             .height = height,
                             .camera = { .kind = CAMERA_FIT,
                                         .azimuth = CAMERA_AZIMUTH,
                                         .elevation = CAMERA_ELEVATION,
                                         .fov = CAMERA_FOV },
                             .light.sun_azimuth = 315,
                             .light.sun_elevation = 45 };
}

static double draw(struct renderer *renderer, const struct view *view,
                   const struct picture *picture)
{
    struct bytes pixels = { 0 };
    struct fault why;
    double began = now();

    if (!renderer_draw(renderer, view, picture, &pixels, &why)) {
        fprintf(stderr, "bench_render: %s\n", why.detail);
        exit(1);
    }
    bytes_free(&pixels);
    return now() - began;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, by_size);
    return times[count / 2];
}

/* The processor's milliseconds for the bare triangles of the picture, in a worker of its own. */
static double bare_floor(const struct view *view, const struct picture *picture,
                         const char *backend)
{
    static const char path[] = "bench_render.scene";
    struct bytes scene = { 0 };
    struct fault why;
    FILE *file = fopen(path, "wb");
    char line[400], command[200];
    double bare = 0;

    if (!file || !scene_file_write(view, picture, &scene, &why) ||
        fwrite(scene.data, 1, scene.length, file) != scene.length || fclose(file) != 0) {
        fprintf(stderr, "bench_render: cannot write %s\n", path);
        exit(1);
    }
    bytes_free(&scene);
    snprintf(command, sizeof command,
             "./landscaped-render --scene %s --backend %s --repeat %d --bare", path, backend,
             TIMES);
    file = popen(command, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "bare first %*f ms, then median %*f ms, least %*f ms, processor %lf", &bare);
    if (file)
        pclose(file);
    unlink(path);
    return bare;
}

static double measure(struct renderer *renderer, const struct view *view,
                      const struct picture *picture, const char *what, const char *backend)
{
    double bare = bare_floor(view, picture, backend);
    struct renderer_numbers before, after;
    double times[TIMES], first = draw(renderer, view, picture), cpu, middle;

    renderer_numbers(renderer, &before);
    cpu = processor_seconds();
    for (int i = 0; i < TIMES; i++)
        times[i] = draw(renderer, view, picture);
    cpu = processor_seconds() - cpu;
    renderer_numbers(renderer, &after);
    middle = median(times, TIMES);
    printf(
        "%-34s %7.2f ms (first %.1f)  cpu %6.2f ms  / drawing alone %.3f  / bare %.2f (%.2f ms)  "
        "triangles %lld\n",
        what, middle * 1e3, first * 1e3, cpu / TIMES * 1e3,
        middle * TIMES / (after.drawing_seconds - before.drawing_seconds), cpu / TIMES * 1e3 / bare,
        bare, (long long)(after.triangles - before.triangles) / TIMES);
    return middle;
}

/* The first picture after each of many small edits. */
static void measure_edits(struct renderer *renderer, const struct view *view,
                          const struct picture *picture, const char *what, double warm)
{
    struct view *now_view = view_hold(view);
    double times[TIMES];

    for (int i = 0; i < TIMES; i++) {
        struct view *next = scenery_change(now_view, (struct rect){ 300 + i, 400, 129, 129 },
                                           (uint16_t)(30000 + 10 * i));

        view_drop(now_view);
        now_view = next;
        times[i] = draw(renderer, now_view, picture);
    }
    view_drop(now_view);
    printf("%-34s %7.2f ms  / warm %.3f\n", what, median(times, TIMES) * 1e3,
           median(times, TIMES) / warm);
}

/* Four layers, each over most of the ground. */
static struct view *paint_over(struct view *view)
{
    static const char *const names[] = { "grass", "rock", "sand", "snow" };
    int32_t side = view_grid(view)->columns;

    for (int i = 0; i < 4; i++) {
        struct view *layered = scenery_paint_layer(view, names[i]);
        struct rect where = { 40 * i, 30 * i, side - 200, side - 200 };

        view_drop(view);
        view = scenery_paint(layered, names[i], where, (uint8_t)(90 + 20 * i));
        view_drop(layered);
    }
    return view;
}

/* Five layers of the project's own surfaces, none of which covers the ground alone. */
static struct view *five_surfaces(void)
{
    static const char *const names[] = { "grass", "rock", "sand", "snow", "soil" };
    struct view *view = scenery_mountains(509, 1);

    for (int i = 0; i < 5; i++) {
        struct view *layered = scenery_paint_layer(view, names[i]);

        view_drop(view);
        view = scenery_paint(layered, names[i],
                             (struct rect){ 100 + 10 * i, 100 + 8 * i, 250, 250 }, 50);
        view_drop(layered);
    }
    return view;
}

/* Thirty metres from the middle of it. */
static struct picture close_up(const struct view *view)
{
    struct picture picture = picture_of(512, 512);
    struct extent extent;

    extent_of(view, &extent);
    picture.cover.depth = 0.2;
    picture.camera.kind = CAMERA_ORBIT;
    picture.camera.elevation = 60;
    picture.camera.fov = 50;
    picture.camera.distance = 30;
    for (int i = 0; i < 3; i++)
        picture.camera.target[i] = (extent.low[i] + extent.high[i]) / 2;
    return picture;
}

struct share {
    struct renderer *renderer;
    const struct view *view;
    const struct picture *picture;
    bool encode;
};

static void encode(const struct picture *picture, struct bytes *rgba)
{
    struct bytes png = { 0 };
    struct fault why;

    if (!png_write(PNG_RGBA8, picture->width, picture->height, rgba->data, PNG_FAST, &png, &why)) {
        fprintf(stderr, "bench_render: %s\n", why.detail);
        exit(1);
    }
    bytes_free(&png);
}

static void *draw_many(void *context)
{
    struct share *share = context;

    for (int i = 0; i < TIMES; i++) {
        struct bytes rgba = { 0 };
        struct fault why;

        if (!renderer_draw(share->renderer, share->view, share->picture, &rgba, &why)) {
            fprintf(stderr, "bench_render: %s\n", why.detail);
            exit(1);
        }
        if (share->encode)
            encode(share->picture, &rgba);
        bytes_free(&rgba);
    }
    return NULL;
}

/* Pictures a second of so many workers, each with two who ask. */
static double throughput(int workers, const char *backend, const struct view *view,
                         const struct picture *picture, bool encode)
{
    struct share share = { open_renderer(workers, backend), view, picture, encode };
    int count = 2 * workers < THREADS_MOST ? 2 * workers : THREADS_MOST;
    pthread_t threads[THREADS_MOST];
    double began;

    /* Once unmeasured, so that all workers are there and have the ground. */
    for (int round = 0; round < 2; round++) {
        began = now();
        for (int i = 0; i < count; i++)
            pthread_create(&threads[i], NULL, draw_many, &share);
        for (int i = 0; i < count; i++)
            pthread_join(threads[i], NULL);
        began = now() - began;
    }
    renderer_stop(share.renderer);
    return count * TIMES / began;
}

static void measure_workers(const char *backend, const struct view *view,
                            const struct picture *picture, const char *what)
{
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    double one = throughput(1, backend, view, picture, false);
    double two = throughput(2, backend, view, picture, false);

    printf("%-34s %7.1f a second, two %.1f  / one %.2f\n", what, one, two, two / one);
    printf("%-34s %7.1f a second as PNG, %d workers\n", "",
           throughput(cores, backend, view, picture, true), cores);
}

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : "auto";
    struct renderer *renderer = open_renderer(1, backend);
    struct view *view = scenery_mountains(1009, 10), *large = scenery_mountains(4033, 2.5);
    struct view *every = scenery_mountains(225, 45), *some = scenery_mountains(113, 90);
    struct view *five = five_surfaces();
    struct picture small = picture_of(512, 512), wide = picture_of(1920, 1080), whole = small;
    struct picture shaded = small, close;
    double warm;

    whole.geometry = RENDER_GEOMETRY_full;
    warm = measure(renderer, view, &small, "1009, 512 x 512", backend);
    measure_edits(renderer, view, &small, "first after an edit", warm);
    shaded.light.shadows = shaded.light.occlusion = 1;
    shaded.light.fog = 0.1;
    warm = measure(renderer, view, &shaded, "1009, 512 x 512, shaded, fog", backend);
    measure_edits(renderer, view, &shaded, "first after an edit, shaded", warm);
    measure(renderer, large, &small, "4033, 512 x 512", backend);
    large = paint_over(large);
    warm = measure(renderer, large, &shaded, "4033, painted, shaded, fog", backend);
    measure_edits(renderer, large, &shaded, "first after an edit, painted", warm);
    measure(renderer, view, &wide, "1009, 1920 x 1080", backend);
    measure(renderer, some, &whole, "113, every quad, 512 x 512", backend);
    measure(renderer, every, &whole, "225, every quad, 512 x 512", backend);
    whole.mode = RENDER_MODE_normals;
    measure(renderer, every, &whole, "the same, normals", backend);
    close = close_up(five);
    measure(renderer, five, &close, "509, five surfaces near by", backend);
    renderer_stop(renderer);
    measure_workers(backend, view, &small, "512 x 512, one worker");
    measure_workers(backend, view, &wide, "1920 x 1080, one worker");
    view_drop(large);
    view_drop(every);
    view_drop(some);
    view_drop(five);
    view_drop(view);
    return 0;
}
